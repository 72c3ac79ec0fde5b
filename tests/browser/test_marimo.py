"""The view in marimo, whose shadow root and echoes are its own: a click counts, stays, and runs the cells behind it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from lab import ROOT, START_SECONDS, end, isolated
from notebook import ask_for_more
from playwright.sync_api import Browser, expect

BOTH_TABLES, ONE_TABLE = "5,711,982,912", "5,132,849,472"

APP = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import paramwidget as pw
    return mo, pw


@app.cell
def _(mo, pw):
    view = mo.ui.anywidget(pw.ParamView("openai/gpt-oss-120b"))
    view
    return (view,)


@app.cell
def _(mo, view):
    mo.md(f"left out: {', '.join(view.value['off']) or 'nothing'}")
    return


@app.cell
def _(mo):
    button = mo.ui.button(label="from Python", value=0, on_click=lambda n: n + 1)
    button
    return (button,)


@app.cell
def _(button, view):
    if button.value:
        view.widget.off = ["lm_head"]
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """marimo running the app above, until it answers; it is ended by its own process group."""
    folder = tmp_path_factory.mktemp("marimo")
    (folder / "app.py").write_text(APP)
    home = folder / "home"
    home.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port)]
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "marimo", "--yes", "run", "app.py", *options],
            cwd=folder,
            env=isolated(home) | {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + START_SECONDS
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while True:
            assert process.poll() is None, f"marimo did not start:\n{log.read_text()}"
            assert time.monotonic() < deadline, f"marimo does not answer:\n{log.read_text()}"
            try:
                with opener.open(f"{url}/health", timeout=10):
                    break
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        yield url
    finally:
        end(process)


def test_a_click_counts_stays_and_runs_the_cell_that_reads_it(browser: Browser, address: str) -> None:
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.goto(address)
    view = page.get_by_role("region", name="Parameters of openai/gpt-oss-120b")
    active = view.get_by_role("radio", name=re.compile(r"^active\b"))
    expect(active).to_have_accessible_name(f"active {BOTH_TABLES}")
    expect(page.get_by_text("left out: nothing")).to_be_visible()

    view.get_by_role("checkbox", name=re.compile(r"^count embedding\b")).click()

    expect(active).to_have_accessible_name(f"active {ONE_TABLE}")
    expect(page.get_by_text("left out: embedding")).to_be_visible()
    page.wait_for_timeout(2500)  # a late echo would take the click back
    expect(active).to_have_accessible_name(f"active {ONE_TABLE}")
    page.screenshot(path=ROOT / "test-results" / "marimo.png")

    page.get_by_role("button", name="from Python").click()

    # What Python sets is drawn; that cells do not run again for it is marimo's rule.
    expect(view.get_by_role("checkbox", name=re.compile(r"^count lm_head\b"))).not_to_be_checked()
    expect(view.get_by_role("checkbox", name=re.compile(r"^count embedding\b"))).to_be_checked()
    ask_for_more(view)
    assert errors == []
    page.close()


def test_a_second_session_of_the_process_has_the_second_module_soon_too(
    browser: Browser, address: str
) -> None:
    """The model that holds it is of the first session; marimo looks for it for ten seconds before it gives up."""
    pages = [browser.new_page(), browser.new_page()]
    for page in pages:
        page.goto(address)
        view = page.get_by_role("region", name="Parameters of openai/gpt-oss-120b")
        view.get_by_role("tab", name="memory").click()
        panel = view.get_by_role("tabpanel", name="memory")
        expect(panel).to_contain_text("73,728 bytes a token", timeout=6000)
    for page in pages:
        page.close()
