"""The exported page in Chromium, opened from a file with no network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from notebook import ask_for_more
from playwright.sync_api import Browser, Page, expect

import paramwidget as pw

GPT_OSS = "openai/gpt-oss-120b"


class Opened:
    """A page, with all that it asked for and complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    context = browser.new_context(offline=True)
    yield Opened(context.new_page())
    context.close()


def write(b: pw.Breakdown, path: Path) -> str:
    path.write_text(b.to_html(), encoding="utf-8")
    return path.as_uri()


def test_a_click_counts_anew_with_no_request_and_no_complaint(opened: Opened, tmp_path: Path) -> None:
    address = write(pw.count(GPT_OSS), tmp_path / "page.html")
    opened.page.goto(address)
    view = opened.page.get_by_role("region", name=f"Parameters of {GPT_OSS}")
    expect(view).to_contain_text("5,711,982,912")
    view.get_by_role("checkbox", name="count embedding").first.click()
    expect(view).to_contain_text("5,132,849,472")
    ask_for_more(view)
    assert opened.requests == [address]
    assert opened.complaints == []


def test_what_needs_python_is_not_offered_and_its_command_is(opened: Opened, tmp_path: Path) -> None:
    opened.page.goto(write(pw.count(GPT_OSS), tmp_path / "page.html"))
    view = opened.page.get_by_role("region", name=f"Parameters of {GPT_OSS}")
    view.get_by_role("tab", name="check").click()
    expect(view.get_by_role("tabpanel")).to_contain_text(f"paramwidget check {GPT_OSS}")
    expect(view.get_by_role("button", name="change model")).to_have_count(0)
    expect(view.get_by_role("button", name="Compare")).to_have_count(0)
    expect(view).not_to_contain_text("run the cell again")


def test_the_table_folds_where_the_view_runs_and_opens_for_print(opened: Opened, tmp_path: Path) -> None:
    opened.page.goto(write(pw.count(GPT_OSS), tmp_path / "page.html"))
    table = opened.page.locator("#pw-table table")
    expect(opened.page.get_by_role("region", name=f"Parameters of {GPT_OSS}")).to_be_visible()
    expect(table).to_be_hidden()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(table).to_be_visible()
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(table).to_be_hidden()


def test_the_table_is_there_without_scripts(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(write(pw.count(GPT_OSS), tmp_path / "page.html"))
    expect(page.locator("#pw-table")).to_contain_text("116,829,156,672")
    expect(page.locator("#pw-table table")).to_be_visible()
    context.close()


def test_hostile_names_stay_text_under_the_policy(opened: Opened, tmp_path: Path) -> None:
    bad = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
    b = pw.count(GPT_OSS)
    b = replace(
        b,
        model=bad,
        tensors=tuple(replace(t, name=f"{bad}{i}", note=bad) for i, t in enumerate(b.tensors)),
        claims=tuple(replace(c, source=bad, quote=bad, url="javascript:alert(3)") for c in b.claims),
        defaulted={bad: bad},
        provenance=replace(b.provenance, note=bad, repo=bad),
    )
    opened.page.goto(write(b, tmp_path / "page.html"))
    expect(opened.page.locator(".pw-root")).to_contain_text("5,711,982,912")
    for button in opened.page.locator(".pw-root button[aria-expanded=false]").all():
        if button.is_visible():
            button.click()
    for link in opened.page.locator("a").all():
        assert not (link.get_attribute("href") or "").lower().startswith("javascript:")
    assert opened.page.locator("img").count() == 0
    assert opened.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_colours_of_the_system(browser: Browser, tmp_path: Path, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, offline=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(write(pw.count(GPT_OSS), tmp_path / "page.html"))
    expect(page.locator(".pw-root")).to_have_attribute("data-pw-theme", scheme)
    page.screenshot(path=tmp_path / f"{scheme}.png", full_page=True)
    context.close()
