"""No view breaks a rule of axe, light or dark; everything is reached by keys; totals are said once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from standalone import ROOT, show

import paramwidget as pw
from paramwidget.kernel import bundled
from paramwidget.traits import VIEWS
from paramwidget.wire import to_wire

AXE = ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js"
OSS = "openai/gpt-oss-120b"
#: experts, a hybrid with MTP, a vision tower, an encoder with a decoder
MODELS = [
    OSS,
    "Qwen/Qwen3-Next-80B-A3B-Instruct",
    "Qwen/Qwen3-VL-2B-Instruct",
    "openai/whisper-tiny",
]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (rules) => (await axe.run(document, { runOnly: rules })).violations.map(
  (v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 200)).slice(0, 3).join(" ")
)"""
CHECK = {
    "repo": OSS, "revision": "a" * 40, "predicted": 10, "found_parameters": 12, "found_scales": 3,
    "found_elements": 15, "hub_total": None, "unexplained": 2, "problems": ["a file has no header"],
    "rows": [{"name": "lm_head.weight", "predicted": 0, "found": 2, "cause": "tied matrix stored again"}],
}  # fmt: skip


def wire(model: str, **more: Any) -> dict[str, Any]:
    return {**to_wire(pw.count(model)), **more}


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(RUN, RULES)
    return found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = show(browser, wire(OSS))
    yield page
    assert page.errors == []  # type: ignore[attr-defined]
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("model", MODELS)
def test_no_view_breaks_a_rule(browser: Browser, model: str, theme: str) -> None:
    page = show(browser, wire(model, check=CHECK), theme=theme, width=800)
    for view in VIEWS:
        page.evaluate("view => model.set('view', view)", view)
        page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
        assert (view, violations(page)) == (view, [])
    assert page.errors == []  # type: ignore[attr-defined]
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_picker_breaks_a_rule(browser: Browser, theme: str) -> None:
    page = show(browser, {"schema": 1, "catalog": bundled()}, theme=theme)
    assert violations(page) == []
    page.evaluate("model.say({kind: 'here'})")
    page.get_by_role("combobox").fill("gpt-oss")
    page.keyboard.press("ArrowDown")
    assert violations(page) == []
    page.close()


def test_a_model_is_picked_by_keys(browser: Browser) -> None:
    page = show(browser, {"schema": 1, "catalog": bundled()})
    box = page.get_by_role("combobox")
    expect(box).to_be_disabled()
    page.evaluate("model.say({kind: 'here'})")
    box.fill("oss-20b")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("openai/gpt-oss-20b")
    page.keyboard.press("Enter")
    assert page.evaluate("model.sent.at(-1)") == {"do": "open", "source": "openai/gpt-oss-20b"}
    page.evaluate("model.say({kind: 'error', do: 'open', text: 'No access.'})")
    expect(page.get_by_text("No access.")).to_be_visible()
    expect(box).to_have_value("oss-20b")
    page.evaluate("data => model.set('data', data)", wire("openai/gpt-oss-20b"))
    expect(page.get_by_role("heading", name="openai/gpt-oss-20b")).to_be_visible()
    page.close()


def test_what_needs_python_says_so_where_there_is_none(page: Page) -> None:
    page.get_by_role("tab", name="check").click()
    expect(page.get_by_role("button", name="Compare with the Hub's files")).to_be_disabled()
    expect(page.get_by_text("Reading files needs Python")).to_be_visible()


def test_the_views_are_tabs_that_arrows_go_through(page: Page) -> None:
    page.get_by_role("tab", name="bridge").focus()
    for name in ("parts", "layers", "table", "check", "memory", "bridge"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="memory")).to_be_focused()
    assert page.evaluate("model.get('view')") == "memory"


def test_a_typed_claim_is_explained_and_one_click_counts_so(page: Page) -> None:
    page.get_by_role("textbox", name="A number that somebody printed").fill("5.1B active")
    page.keyboard.press("Enter")
    verdict = page.locator(".pw-verdict")
    expect(verdict).to_contain_text("ambiguous")
    expect(verdict).to_contain_text("Embedding out (gpt-oss model card) or lm_head out")
    expect(verdict).to_contain_text("indistinguishable by number")
    expect(page.locator(".pw-rail .pw-terms")).to_have_text("5.13B + 0.58B = 5.71B")
    verdict.get_by_role("button", name="lm_head out").click()
    expect(page.get_by_role("radio", checked=True)).to_have_accessible_name(re.compile("5,132,849,472"))
    page.get_by_role("textbox", name="A number that somebody printed").fill("many")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("no number")


def test_a_total_is_said_once(page: Page) -> None:
    live = page.locator("[data-pw-live]")
    expect(live).to_have_text("")
    page.get_by_role("checkbox", name=re.compile("count embedding")).press(" ")
    expect(live).to_have_text("5,132,849,472 parameters, active")


def test_a_part_under_the_pointer_or_the_focus_is_marked_everywhere(page: Page) -> None:
    page.locator(".pw-bar-main .pw-role-attention").hover()
    expect(page.locator("[data-hot][data-role=attention]")).to_have_count(4)
    page.locator("tbody[data-role=norm] .pw-name").focus()
    expect(page.locator("[data-hot][data-role=norm]")).to_have_count(4)
    expect(page.locator("[data-hot][data-role=attention]")).to_have_count(0)


def test_a_number_gives_its_exact_integer_on_focus_until_it_is_hidden(page: Page) -> None:
    number = page.get_by_role("button", name=re.compile("116.83B: exactly 116,829,156,672"))
    shown = "e => getComputedStyle(e, '::after').content"
    assert number.evaluate(shown) == "none"
    page.keyboard.press("Tab")  # the focus that keys give is visible
    number.focus()
    assert number.evaluate(shown) == '"116,829,156,672"'
    page.keyboard.press("Escape")
    assert number.evaluate(shown) == "none"


def test_every_control_shows_the_focus(page: Page) -> None:
    for view in VIEWS:
        page.evaluate("view => model.set('view', view)", view)
        page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
        page.locator(".pw-root button").first.focus()
        page.keyboard.press("Shift+Tab")
        page.evaluate("window.seen = []")
        for _ in range(200):
            page.keyboard.press("Tab")
            found = page.evaluate(
                """() => { const e = document.activeElement;
                if (!e || e === document.body || seen.includes(e)) return null;
                seen.push(e);
                const mark = e.type === 'radio' ? e.closest('label') : e;
                const { outlineStyle, outlineWidth } = getComputedStyle(mark);
                return [e.outerHTML, outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1]; }"""
            )
            if found is None:
                break
            assert found[1], f"{view}: no outline on {found[0]}"
        assert page.evaluate("seen.length") > 15


def test_at_twice_the_size_nothing_is_cut_off_or_scrolls_sideways(browser: Browser) -> None:
    page = show(browser, wire(OSS, check=CHECK), width=640)
    page.evaluate("document.body.style.zoom = 2")
    for view in VIEWS:
        page.evaluate("view => model.set('view', view)", view)
        page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
        assert (view, page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")) == (view, True)
    page.close()


def test_no_line_of_the_saved_picture_ends_beside_it(browser: Browser) -> None:
    off = ["embedding", "lm_head", "router", "shared_expert", "norm"]
    page = show(browser, wire("deepseek-ai/DeepSeek-V3"), off=off)
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    page.set_content(download.value.path().read_text(encoding="utf-8"))
    ends = page.evaluate(
        "[...document.querySelectorAll('text')].map((t) => [t.getBBox().x + t.getBBox().width, t.textContent])"
    )
    assert len(ends) > 20
    assert [line for line in ends if line[0] > 960 - 12] == []
    page.close()


def test_numbers_keep_their_words_in_a_page_from_right_to_left(browser: Browser) -> None:
    page = show(browser, wire(OSS))
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.locator(".pw-sentence").evaluate("(e) => getComputedStyle(e).direction") == "ltr"
    page.close()


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_the_picture_is_saved_by_the_browser_alone(page: Page, kind: str) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name=kind).click()
    path = download.value.path()
    content = path.read_bytes()
    assert download.value.suggested_filename == f"openai-gpt-oss-120b.{kind.lower()}"
    if kind == "PNG":
        assert content.startswith(b"\x89PNG")
    else:
        text = content.decode()
        assert "5,711,982,912" in text
        assert "routed experts" in text
        assert not re.search(r"href|url\(|<image|<script", text)


def test_where_the_system_chooses_the_colours_what_is_chosen_still_shows(browser: Browser) -> None:
    """Grounds and shadows are gone then: the chosen basis, claim, tab, preset and part have a line that others lack."""
    page = show(browser, wire(OSS), selected="router", claim="5.1B active")
    page.emulate_media(forced_colors="active")
    marked = """selector => [...document.querySelectorAll(selector)].map((e) => {
      const s = getComputedStyle(e);
      return [s.outlineStyle, s.outlineColor, s.borderTopColor, s.borderInlineStartColor].join(); })"""
    for chosen, others in (
        (".pw-preset[aria-pressed=true]", ".pw-preset[aria-pressed=false]"),
        (".pw-chip[aria-pressed=true]", ".pw-chip[aria-pressed=false]"),
        (".pw-tabs > [aria-selected=true]", ".pw-tabs > [aria-selected=false]"),
        (".pw-basis-choice:has(:checked)", ".pw-basis-choice:not(:has(:checked))"),
        ("tbody[data-selected]", ".pw-ledger tbody:not([data-selected])"),
    ):
        own, rest = page.evaluate(marked, chosen), page.evaluate(marked, others)
        assert len(own) == 1
        assert rest
        assert own[0] not in rest, chosen
    ground = page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
    for drawn in (".pw-chevron", ".pw-swatch", ".pw-dot", ".pw-span", ".pw-bar-main .pw-stretch"):
        colour = page.locator(drawn).first.evaluate("e => getComputedStyle(e).backgroundColor")
        assert colour != ground, drawn
    page.close()


def test_nothing_moves_where_motion_is_to_be_reduced(browser: Browser) -> None:
    page = show(browser, wire(OSS, check=CHECK))
    page.emulate_media(reduced_motion="reduce")
    for view in VIEWS:
        page.evaluate("view => model.set('view', view)", view)
        page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
        moving = page.evaluate(
            """[...document.querySelectorAll(".pw-root, .pw-root *")].filter((e) => {
            const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(e);
            return !/^0s(, 0s)*$/.test(transitionDuration) || animationName !== "none" || scrollBehavior !== "auto";
            }).map((e) => e.className)"""
        )
        assert (view, moving) == (view, [])
    page.close()


def test_a_number_that_is_none_is_said_and_the_figures_stay(page: Page) -> None:
    page.get_by_role("tab", name="memory").click()
    context = page.get_by_role("textbox", name="Context, tokens")
    figures = page.locator(".pw-panel table").first
    before = figures.inner_text()
    for wrong in ("-5", "0", "1.5", "2000000000", ""):
        context.fill(wrong)
        context.press("Enter")
        expect(page.locator(".pw-panel .pw-bad")).to_have_text(
            "Context, tokens: give a whole number from 1 to 1,000,000,000, such as 131072, 128k or 128Ki. "
            "The figures are still those of 32,768."
        )
        expect(context).to_have_attribute("aria-invalid", "true")
        assert figures.inner_text() == before
    context.fill("1e5")
    context.press("Enter")
    expect(page.get_by_role("table", name="Memory for 1 × 100,000 tokens")).to_be_visible()
    # 100,000 × 36,864 of the full layers, and 128 × 36,864 of those with a window
    expect(figures).to_contain_text("3.69 GB")
    expect(page.locator(".pw-panel")).not_to_contain_text("give a whole number")
    expect(context).to_have_attribute("aria-invalid", "false")


def test_the_note_on_who_counts_how_is_that_of_the_chosen_row(page: Page) -> None:
    row = page.get_by_role("button", name=re.compile("^gpt-oss model card"))
    row.click()
    expect(row).to_have_accessible_description(
        re.compile("^gpt-oss model card, Table 1: “Unembedding .* source$")
    )
    expect(page.locator(".pw-preset[aria-describedby]")).to_have_count(1)


def test_the_labels_fit_whatever_a_part_is_called(browser: Browser) -> None:
    data = json.loads(json.dumps(to_wire(pw.count("openai/gpt-oss-120b"))).replace('"router"', '"\\"]a{"'))
    opened = show(browser, data, width=480)
    expect(opened.locator(".pw-readout")).to_contain_text("13.3M")
    assert opened.errors == []  # type: ignore[attr-defined]
    opened.close()
