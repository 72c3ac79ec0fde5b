"""The first sight does not wait for the second module, and what was asked for before it came is done then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from standalone import show

import paramwidget as pw
from paramwidget.kernel import bundled
from paramwidget.wire import to_wire

COMING = "Loading this view"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = show(browser, to_wire(pw.count("openai/gpt-oss-120b")), held=True, width=1040)
    page.wait_for_function("'release' in window")
    yield page
    assert page.errors == []  # type: ignore[attr-defined]
    page.close()


def test_a_view_that_it_draws_says_so_until_it_is_there(page: Page) -> None:
    page.get_by_role("tab", name="memory").click()
    panel = page.get_by_role("tabpanel", name="memory")
    expect(panel).to_have_text(COMING)
    page.evaluate("release()")
    expect(panel).to_contain_text("73,728 bytes a token")


def test_a_claim_that_was_typed_before_is_answered(page: Page) -> None:
    page.get_by_role("textbox", name="A number that somebody printed").fill("116.8B parameters in total")
    page.keyboard.press("Enter")
    verdict = page.locator(".pw-verdict")
    expect(verdict).to_have_text(COMING)
    page.evaluate("release()")
    expect(verdict).to_contain_text("116.8B: match")
    assert page.evaluate("model.get('claim')") == "116.8B parameters in total"


def test_a_picture_that_was_asked_for_before_is_saved(page: Page) -> None:
    page.get_by_role("button", name="SVG").click()
    with page.expect_download() as download:
        page.evaluate("release()")
    assert download.value.suggested_filename == "openai-gpt-oss-120b.svg"
    expect(page.locator(".pw-verdict")).not_to_contain_text(COMING)


def test_nothing_moves_when_it_comes(page: Page) -> None:
    places = "[...document.querySelectorAll('.pw-view *')].map((el) => el.getBoundingClientRect().toJSON())"
    before = page.evaluate(places)
    page.evaluate("release()")
    page.wait_for_function("globalThis[Symbol.for('paramwidget.more')]")
    page.evaluate("Promise.all(globalThis[Symbol.for('paramwidget.more')].values())")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate(places) == before


def test_a_picker_and_a_claim_that_were_saved_are_there_without_a_click(browser: Browser) -> None:
    page = show(browser, {"schema": 1, "catalog": bundled()}, held=True)
    expect(page.get_by_role("combobox")).to_have_count(0)
    page.wait_for_function("'release' in window")
    page.evaluate("release()")
    expect(page.get_by_role("combobox")).to_be_visible()
    page.close()
    typed = "116.8B parameters in total"
    page = show(browser, to_wire(pw.count("openai/gpt-oss-120b")), held=True, claim=typed)
    expect(page.locator(".pw-verdict")).to_contain_text("5.13B active: ambiguous")
    page.wait_for_function("'release' in window")
    page.evaluate("release()")
    expect(page.locator(".pw-verdict")).to_contain_text("116.8B: match")
    page.close()
