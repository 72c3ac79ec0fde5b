"""CompareView: no rule of axe is broken, everything is reached by keys, and nothing is wider than its cell."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from standalone import show
from test_accessible import violations

import paramwidget as pw
from paramwidget.compare_wire import to_wire

PAIR = ["openai/gpt-oss-20b", "openai/gpt-oss-120b"]
FOUR = ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B-FP8", "Qwen/Qwen3.6-35B-A3B", "deepseek-ai/DeepSeek-V3"]
TWENTY = pw.catalog()[::10]


def compared(browser: Browser, names: list[str], **more: Any) -> Page:
    return show(
        browser, to_wire(pw.compare(names)), bundle="compare", **{"basis": "stored", "sort": "", **more}
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("names", [PAIR, FOUR, TWENTY], ids=["two", "four", "twenty"])
def test_no_rule_is_broken(browser: Browser, names: list[str], theme: str) -> None:
    page = compared(browser, names, theme=theme, width=800)
    assert violations(page) == []
    assert page.errors == []  # type: ignore[attr-defined]
    page.close()


@pytest.mark.parametrize("width", [320, 480, 800, 1200])
@pytest.mark.parametrize("names", [PAIR, FOUR, TWENTY], ids=["two", "four", "twenty"])
def test_nothing_is_wider_than_the_cell(browser: Browser, names: list[str], width: int) -> None:
    page = compared(browser, names, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_the_basis_the_parts_and_the_order_are_chosen_by_keys(browser: Browser) -> None:
    page = compared(browser, PAIR)
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="stored")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="active")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="embedding")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("cell", name="5,132,849,472").first).to_be_visible()
    expect(page.locator("output")).to_have_text(
        "active: gpt-oss-20b 3,608,307,264, gpt-oss-120b 5,132,849,472"
    )
    page.locator(".pw-models").get_by_role("button", name="active", exact=True).press("Enter")
    assert page.evaluate("[model.get('basis'), model.get('off'), model.get('sort')]") == [
        "active",
        ["embedding"],
        "-active",
    ]
    expect(page.locator(".pw-models tbody th").first).to_contain_text("gpt-oss-120b")
    page.get_by_role("button", name="reset").press("Enter")
    expect(page.get_by_role("checkbox", name="embedding")).to_be_checked()
    assert page.errors == []  # type: ignore[attr-defined]
    page.close()


def test_what_the_configs_differ_in_opens(browser: Browser) -> None:
    page = compared(browser, FOUR)
    field = page.get_by_role("rowheader", name="quantization_config.quant_method")
    expect(field).to_be_hidden()
    page.get_by_text("The configs differ in").press("Enter")
    expect(field).to_be_visible()
    page.close()


def test_it_is_taken_down_without_a_trace(browser: Browser) -> None:
    page = compared(browser, PAIR)
    page.evaluate("stop()")
    assert page.evaluate("document.getElementById('view').childElementCount") == 0
    page.evaluate("model.set('basis', 'active')")
    assert page.errors == []  # type: ignore[attr-defined]
    page.close()
