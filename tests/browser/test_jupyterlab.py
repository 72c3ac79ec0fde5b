"""Notebook 01 in JupyterLab, in a fresh clone: untrusted at first, then run, clicked, and set from Python."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab import ROOT, Server, fresh_lab
from notebook import Notebook, ask_for_more
from playwright.sync_api import Browser, expect

PICTURES = ROOT / "test-results"

# gpt-oss-120b, active: with the embedding and the head, and with the head alone.
BOTH_TABLES = "5,711,982,912"
ONE_TABLE = "5,132,849,472"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with fresh_lab(tmp_path_factory.mktemp("jupyterlab")) as server:
        yield server


@pytest.fixture(scope="module")
def executed(browser: Browser, server: Server) -> Iterator[Notebook]:
    """The notebook with every cell run. Tests share it, and leave nothing off."""
    notebook = Notebook(browser, server)
    notebook.run_all()
    yield notebook
    notebook.page.close()


def test_an_untrusted_notebook_shows_the_table_instead_of_the_view(browser: Browser, server: Server) -> None:
    notebook = Notebook(browser, server)
    table = notebook.view_cell.get_by_role("table").first
    expect(table).to_be_visible()
    expect(notebook.view_cell).to_contain_text(BOTH_TABLES)
    expect(notebook.view).to_have_count(0)
    notebook.view_cell.scroll_into_view_if_needed()
    notebook.page.screenshot(path=PICTURES / "lab-untrusted.png")
    notebook.page.close()


def test_a_trusted_notebook_is_alive_before_any_cell_has_run(browser: Browser, tmp_path: Path) -> None:
    with fresh_lab(tmp_path, trusted=True) as server:
        notebook = Notebook(browser, server)
        expect(notebook.active).to_have_accessible_name(f"active {BOTH_TABLES}")
        ask_for_more(notebook.view)
        notebook.embedding.click()
        expect(notebook.active).to_have_accessible_name(f"active {ONE_TABLE}")
        notebook.page.close()


def test_one_click_turns_571_into_513_and_the_kernel_follows(executed: Notebook) -> None:
    expect(executed.embedding).to_be_checked()
    expect(executed.active).to_have_accessible_name(f"active {BOTH_TABLES}")

    executed.embedding.click()

    expect(executed.embedding).not_to_be_checked()
    expect(executed.active).to_have_accessible_name(f"active {ONE_TABLE}")
    expect(executed.run("list(view.off)")).to_have_text("['embedding']")

    executed.embedding.click()

    expect(executed.active).to_have_accessible_name(f"active {BOTH_TABLES}")
    expect(executed.run("view.off == type(view.off)()")).to_have_text("True")


def test_python_moves_the_toggle_there_and_back(executed: Notebook) -> None:
    executed.run('view.off = ["embedding"]')

    expect(executed.embedding).not_to_be_checked()
    expect(executed.active).to_have_accessible_name(f"active {ONE_TABLE}")

    executed.run("view.off = []")

    expect(executed.embedding).to_be_checked()
    expect(executed.active).to_have_accessible_name(f"active {BOTH_TABLES}")


def test_keys_pressed_in_the_view_are_not_commands_on_cells(executed: Notebook) -> None:
    cells = executed.page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    active, stored = (executed.view.get_by_role("radio", name=name) for name in ("active", "stored"))

    active.focus()
    executed.page.keyboard.press("ArrowRight")

    expect(stored).to_be_checked()
    expect(stored).to_be_focused()

    # JupyterLab: a cell below, a cell above, delete the cell
    for key in ("b", "a", "d", "d"):
        executed.page.keyboard.press(key)
    executed.page.keyboard.press("ArrowLeft")

    expect(active).to_be_checked()
    expect(active).to_be_focused()
    expect(cells).to_have_count(before)


def test_keys_with_a_modifier_reach_jupyterlab_from_within_the_view(executed: Notebook) -> None:
    dirty = executed.page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab.jp-mod-current.jp-mod-dirty")
    executed.embedding.click()
    executed.embedding.click()
    expect(dirty).to_have_count(1)

    executed.embedding.focus()
    executed.page.keyboard.press("Control+s")

    expect(dirty).to_have_count(0)

    prompt = executed.prompt(executed.view_cell)
    before = prompt.inner_text()
    executed.embedding.focus()
    executed.page.keyboard.press("Shift+Enter")

    expect(prompt).not_to_have_text(before)
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_follows_the_theme(executed: Notebook, theme: str) -> None:
    executed.theme(theme)
    executed.view.scroll_into_view_if_needed()
    expect(executed.view).to_be_visible()
    executed.page.screenshot(path=PICTURES / f"lab-{theme}.png")
    executed.photograph(PICTURES / f"view-{theme}.png")


def test_no_request_leaves_the_machine(executed: Notebook) -> None:
    assert {urlsplit(url).scheme for url in executed.requests} <= {"http", "ws", "data", "blob"}
    hosts = {urlsplit(url).hostname for url in executed.requests if not url.startswith(("data:", "blob:"))}
    assert hosts <= {"localhost", "127.0.0.1"}


def test_nothing_failed_in_the_page(executed: Notebook) -> None:
    assert executed.errors == []
