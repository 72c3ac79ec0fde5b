"""How notebook widgets failed in hosts, played in a page: no answer, dead comms, echoes, shadow roots, other styles.

``tests/test_widget_cases.py`` says which case of the list each of these holds.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from standalone import BROUGHT, LAB, PAGE, STATIC

import paramwidget as pw
from paramwidget.compare_wire import to_wire as compare_wire
from paramwidget.more import content
from paramwidget.traits import VIEWS
from paramwidget.wire import to_wire

OSS = "openai/gpt-oss-120b"
BOTH_TABLES, ONE_TABLE = "5,711,982,912", "5,132,849,472"
TRAITS: dict[str, dict[str, Any]] = {
    "widget": {
        "basis": "active",
        "off": [],
        "on": [],
        "claim": None,
        "view": "bridge",
        "selected": None,
        "more": "IPY_MODEL_f00",
    },
    "compare": {"basis": "active", "off": [], "on": [], "sort": ""},
}

#: hosts: `how` says what is wrong with one; `model.play(name, value)` is Python setting a trait
HOST = """async ({ source, css, state, how, more }) => {
  const heard = {};
  const tell = (name, ...args) => (heard[name] || []).slice().forEach((f) => f(...args));
  const times = how === "fires twice" ? [0, 0] : [0];
  window.saves = 0;
  window.model = {
    state,
    get: (k) => state[k],
    // The notebook's saved models, of which one holds the second module.
    widget_manager: { get_model: async () => ({ get: (k) => more[k] }) },
    set(k, v) {
      if (how === "dead") throw new Error("Cannot send: the comm is closed");
      state[k] = v;
      times.forEach(() => tell("change:" + k));
    },
    save_changes() {
      saves++;
      if (how === "dead, late") throw new Error("no such comm");
    },
    ...(how === "no messages" ? {} : { send() { if (how.startsWith("dead")) throw new Error("no such comm"); } }),
    on(k, f) { (heard[k] ??= []).push(f); },
    off(k, f) { heard[k] = (heard[k] || []).filter((g) => g !== f); },
    play(k, v) { state[k] = v; times.forEach(() => tell("change:" + k)); },
  };
  const { default: widget } = await import("data:text/javascript;base64," + source);
  window.widget = widget;
  const place = document.getElementById("view");
  const root = how === "shadow" ? place.attachShadow({ mode: "open" }) : document.head;
  root.appendChild(document.createElement("style")).textContent = css;
  window.el = how === "shadow" ? root.appendChild(document.createElement("div")) : place;
  window.stop = widget.render({ model, el });
  if (!more) return;
  await (BROUGHT)();
}""".replace("BROUGHT", BROUGHT)


def open_page(
    browser: Browser,
    how: str = "",
    *,
    theme: str = "light",
    bundle: str = "widget",
    state: dict[str, Any] | None = None,
    inside: str = "",
) -> Page:
    """A view in a host of its own; ``inside`` is what the page holds beside it."""
    page = browser.new_page(viewport={"width": 900, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.errors = errors  # type: ignore[attr-defined]
    # The style sheet comes later, as a host adds it: what is in the page first has none.
    page.set_content(PAGE.format(css="", colours=LAB[theme], light=str(theme == "light").lower()) + inside)
    source = base64.b64encode((STATIC / f"{bundle}.js").read_bytes()).decode()
    css = (STATIC / f"{bundle}.css").read_text(encoding="utf-8")
    given = full(bundle) if state is None else state
    more = content() if bundle == "widget" else None
    given = json.loads(json.dumps(given))
    page.evaluate(HOST, {"source": source, "css": css, "state": given, "how": how, "more": more})
    return page


def full(bundle: str = "widget") -> dict[str, Any]:
    """A saved state with every trait."""
    data = to_wire(pw.count(OSS)) if bundle == "widget" else compare_wire(pw.compare([OSS, "Qwen/Qwen3-8B"]))
    return {"data": data, **TRAITS[bundle]}


def embedding(page: Page) -> Any:
    return page.get_by_role("checkbox", name=re.compile(r"^count embedding\b"))


def active(page: Page) -> Any:
    return page.get_by_role("radio", name=re.compile(r"^active\b"))


@pytest.fixture
def pages(browser: Browser) -> Iterator[Any]:
    """Opens pages, and then asserts that nothing in them failed."""
    opened: list[Page] = []

    def make(*args: Any, **kwargs: Any) -> Page:
        opened.append(open_page(browser, *args, **kwargs))
        return opened[-1]

    yield make
    for page in opened:
        assert page.errors == []  # type: ignore[attr-defined]
        page.close()


# ------------------------------------------------------------------ kernels and comms


def test_no_kernel_answers_and_every_view_is_drawn_at_once(pages: Any) -> None:
    """What is read first in the task that draws, before any message could come, and the open view a frame later."""
    page = pages("no messages")
    for view in VIEWS:
        drawn = page.evaluate(
            """async (view) => {
              stop(); model.state.view = view; stop = widget.render({ model, el });
              const first = el.querySelector('.pw-sentence').textContent, panel = el.querySelector('.pw-panel');
              for (let frames = 0; frames < 9 && !panel.textContent; frames++)
                await new Promise((done) => requestAnimationFrame(done));
              return first + panel.textContent;
            }""",
            view,
        )
        assert drawn.startswith("116.83B stored, 5.71B active"), view
        assert len(drawn) > 120, view
        assert not re.search(r"loading|waiting|\bnull\b|undefined|NaN|\{\d\}", drawn, re.I), view
    expect(active(page)).to_have_accessible_name(f"active {BOTH_TABLES}")


@pytest.mark.parametrize("how", ["dead", "dead, late"])
def test_the_comm_is_dead_and_the_view_counts_on(pages: Any, how: str) -> None:
    page = pages(how)
    for total in (ONE_TABLE, BOTH_TABLES):
        embedding(page).click()
        expect(active(page)).to_have_accessible_name(f"active {total}")
    page.get_by_role("tab", name="check").click()
    expect(page.get_by_role("button", name="Compare with the Hub's files")).to_be_disabled()


def test_an_echo_reverts_a_click_and_the_click_stays(pages: Any) -> None:
    page = pages()
    embedding(page).click()
    expect(active(page)).to_have_accessible_name(f"active {ONE_TABLE}")
    embedding(page).click()
    embedding(page).click()
    # A slow host repeats what was clicked first, then what came before it.
    for late in (["embedding"], []):
        page.evaluate("late => model.play('off', late)", late)
        page.wait_for_timeout(50)
        expect(active(page)).to_have_accessible_name(f"active {ONE_TABLE}")
    page.evaluate("model.play('off', ['embedding'])")
    page.wait_for_timeout(2500)
    expect(active(page)).to_have_accessible_name(f"active {ONE_TABLE}")


def test_one_change_fires_twice_and_is_harmless(pages: Any) -> None:
    page = pages("fires twice")
    embedding(page).click()
    expect(active(page)).to_have_accessible_name(f"active {ONE_TABLE}")
    assert page.evaluate("saves") == 1
    page.evaluate("model.play('off', ['lm_head'])")
    expect(embedding(page)).to_be_checked()
    expect(page.get_by_role("checkbox", name=re.compile("^count lm_head"))).not_to_be_checked()
    assert page.evaluate("saves") == 1


@pytest.mark.parametrize("bundle", ["widget", "compare"])
def test_an_old_state_lacks_a_trait_and_the_view_is_drawn(pages: Any, bundle: str) -> None:
    """Each trait, and each entry of the data, away alone; all of them at once; and wrong ones in their places."""
    page = pages(bundle=bundle)
    draw = """([key, inner, value]) => {
      stop();
      const before = model.state;
      const now = structuredClone(before);
      const place = inner ? now.data : now;
      if (value === "away") delete place[key]; else place[key] = value;
      model.get = (k) => now[k];
      stop = widget.render({ model, el });
      model.get = (k) => before[k];
      return el.textContent;
    }"""
    state = full(bundle)
    whole = page.evaluate(draw, ["none such", False, "away"])
    for inner, keys in ((False, list(state)), (True, list(state["data"]))):
        for key in keys:
            for value in ("away", None, 7, "text", {}):
                drawn = page.evaluate(draw, [key, inner, value])
                assert len(drawn) > 30, (key, value)
                if not inner and key != "data" and value == "away":
                    assert drawn == whole, key
    nothing = page.evaluate(
        "() => { stop(); model.get = () => undefined; stop = widget.render({ model, el }); return el.textContent; }"
    )
    assert re.search(r"no data|none|No model", nothing)


def test_a_reconnect_gives_the_state_in_pieces_and_the_view_fills_in(pages: Any) -> None:
    page = pages(state={})
    expect(page.locator(".pw-root")).to_contain_text("no data")
    for key, value in full().items():
        page.evaluate("([k, v]) => model.play(k, v)", [key, value])
    expect(active(page)).to_have_accessible_name(f"active {BOTH_TABLES}")
    page.evaluate("model.play('data', undefined)")
    expect(page.locator(".pw-root")).to_contain_text("no data")
    page.evaluate("d => model.play('data', d)", full()["data"])
    embedding(page).click()
    expect(active(page)).to_have_accessible_name(f"active {ONE_TABLE}")


# ------------------------------------------------------------------ colours and styles

#: every text of the view that can be read, with its own colour and the ground that it stands on
TEXTS = """() => {
  const rgb = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const over = ([r, g, b, a = 1], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const ground = (el) => {
    const own = rgb(getComputedStyle(el).backgroundColor);
    const opaque = own.length < 4 || own[3] === 1 || !el.parentElement;
    return over(own, opaque ? [255, 255, 255] : ground(el.parentElement));
  };
  const linear = (v) => (v <= 10 ? v / 3294.6 : ((v / 255 + .055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const found = [];
  for (const e of document.querySelectorAll(".pw-root *")) {
    const words = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
    if (!words || !e.checkVisibility() || e.closest(".pw-hidden, .pw-cells, :disabled")) continue;
    const under = ground(e), ink = over(rgb(getComputedStyle(e).color), under);
    const [a, b] = [light(under), light(ink)].sort((x, y) => y - x);
    found.push([words.slice(0, 40), (a + .05) / (b + .05)]);
  }
  return found;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_host_paints_white_behind_a_dark_theme_and_the_text_is_read(pages: Any, theme: str) -> None:
    """And the other way round: the view has a ground of its own, and text that is read on it."""
    page = pages(theme=theme)
    behind = "white" if theme == "dark" else "black"
    page.evaluate("colour => { document.body.style.background = el.style.background = colour; }", behind)
    own = page.locator(".pw-root").evaluate("e => getComputedStyle(e).backgroundColor")
    assert own == {"light": "rgb(255, 255, 255)", "dark": "rgb(33, 33, 33)"}[theme]
    contrasts = page.evaluate(TEXTS)
    assert len(contrasts) > 60
    assert [found for found in contrasts if found[1] < 4.5] == []


def test_the_host_is_dark_and_no_text_keeps_a_light_colour(pages: Any) -> None:
    page = pages()
    before = page.locator(".pw-root").evaluate("e => getComputedStyle(e).color")
    page.evaluate(
        """colours => { document.body.setAttribute("data-jp-theme-light", "false");
        document.body.style.cssText += colours; }""",
        LAB["dark"],
    )
    expect(page.locator(".pw-root")).to_have_attribute("data-pw-theme", "dark")
    assert page.locator(".pw-root").evaluate("e => getComputedStyle(e).color") != before
    for view in VIEWS:
        page.evaluate("view => model.play('view', view)", view)
        page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
        assert (view, [found for found in page.evaluate(TEXTS) if found[1] < 4.5]) == (view, [])


OTHERS = """<section id="others" class="container"><div class="container"><h3>h3</h3><h4>h4</h4><p>text
<a href="#">link</a> <code>code</code> <q>q</q> <b>b</b> <i>i</i></p>
<button aria-expanded="true"><span>open</span></button>
<input type="checkbox" checked><input type="radio"><input><select><option>o</select><label class="label">l</label>
<fieldset><legend>f</legend></fieldset><ul><li>1</ul><details open><summary>s</summary>d</details><progress></progress>
<table class="table"><caption>c</caption><thead><tr><th scope="col">h</th></tr></thead><tbody>
<tr data-hot><td>1</td></tr></tbody></table><figure><figcaption>f</figcaption></figure>
<div role="tablist" class="tabs"><button role="tab"
aria-selected="true">t</button></div><output>o</output></div></section>"""
STYLES = """() => [...document.querySelectorAll("#others, #others *")].map((e) =>
  ["", "::before", "::after"].map((p) => JSON.stringify([...getComputedStyle(e, p || null)].map((k) => [k,
    getComputedStyle(e, p || null).getPropertyValue(k)]))))"""


@pytest.mark.parametrize("bundle", ["widget", "compare"])
def test_the_styles_reach_other_outputs_and_change_nothing_there(pages: Any, bundle: str) -> None:
    page = pages(bundle=bundle, inside=OTHERS)
    after = page.evaluate(STYLES)
    assert len(after) > 30
    page.evaluate(
        "document.head.querySelectorAll('style').forEach((s) => { if (s.textContent.includes('.pw-')) s.remove(); })"
    )
    assert page.evaluate(STYLES) == after


def test_a_shadow_root_looks_different_and_the_view_is_the_same_in_one(pages: Any) -> None:
    """Text, sizes and colours are those of a page without one, and clicks, keys and other views work."""
    looks = """() => { const root = document.getElementById("view").shadowRoot || document;
      return [...root.querySelectorAll(".pw-root *")].map((e) => {
        const { x, y, width, height } = e.getBoundingClientRect();
        const { color, backgroundColor, fontSize } = getComputedStyle(e);
        return [e.className, x, y, width, height, color, backgroundColor, fontSize].join(); }); }"""
    light, shadow = pages(theme="dark"), pages("shadow", theme="dark")
    for view in VIEWS:
        for page in (light, shadow):
            page.evaluate("view => model.play('view', view)", view)
            page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
        assert shadow.evaluate(looks) == light.evaluate(looks), view
    for page in (light, shadow):
        page.evaluate("model.play('view', 'bridge')")
        embedding(page).click()
        expect(active(page)).to_have_accessible_name(f"active {ONE_TABLE}")
        page.get_by_role("button", name=re.compile("^bundled snapshot")).click()
        expect(page.get_by_text("No checkpoint was read", exact=False)).to_be_visible()
        page.get_by_role("tab", name="bridge").focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name="parts")).to_be_focused()
        page.locator(".pw-bar-main .pw-role-attention").hover()
        assert page.locator("[data-hot][data-role=attention]").count() > 1
