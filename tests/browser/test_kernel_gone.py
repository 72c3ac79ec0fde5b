"""The view in JupyterLab when its kernel is shut down or restarted, when its cell runs again, and twice on a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from lab import Server, fresh_lab
from notebook import Notebook, ask_for_more
from playwright.sync_api import Browser, expect

BOTH_TABLES, ONE_TABLE = "active 5,711,982,912", "active 5,132,849,472"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with fresh_lab(tmp_path_factory.mktemp("jupyterlab"), trusted=True) as server:
        yield server


@pytest.fixture
def notebook(browser: Browser, server: Server) -> Iterator[Notebook]:
    """Notebook 01 with every cell run, in a page of its own; it is closed without saving."""
    notebook = Notebook(browser, server)
    notebook.run_all()
    yield notebook
    # JupyterLab has errors of its own where a kernel goes; those of the view come from its module, which is a blob.
    assert [error for error in notebook.errors if "blob:" in error] == []
    # The next page would find this one's kernel.
    asked = {"params": {"token": server.token}}
    for session in notebook.page.request.get(f"{server.url}api/sessions", **asked).json():
        notebook.page.request.delete(f"{server.url}api/sessions/{session['id']}", **asked)
    notebook.page.close()


def test_a_click_counts_after_the_kernel_was_shut_down(notebook: Notebook) -> None:
    notebook.menu("Kernel", "Shut Down Kernel")
    expect(notebook.page.get_by_text("No Kernel").first).to_be_visible()

    notebook.embedding.click()

    expect(notebook.active).to_have_accessible_name(ONE_TABLE)
    notebook.embedding.click()
    expect(notebook.active).to_have_accessible_name(BOTH_TABLES)
    ask_for_more(notebook.view)


def test_a_click_counts_after_the_kernel_was_restarted_and_the_cell_runs_again(notebook: Notebook) -> None:
    notebook.page.get_by_role("menuitem", name="Kernel", exact=True).click()
    notebook.page.get_by_role("menuitem", name=re.compile("^Restart Kernel(…|\\.\\.\\.)")).first.click()
    notebook.page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(notebook.page.locator(".jp-Dialog")).to_have_count(0)

    notebook.embedding.click()

    expect(notebook.active).to_have_accessible_name(ONE_TABLE)
    notebook.menu("Run", "Run All Cells")
    expect(notebook.active).to_have_accessible_name(BOTH_TABLES)
    expect(notebook.run("list(view.off)")).to_have_text("[]")
    ask_for_more(notebook.view)


def test_all_views_of_a_page_share_the_second_module_and_another_follows_a_close(notebook: Notebook) -> None:
    many = "import ipywidgets; box = ipywidgets.VBox([pw.ParamView('openai/gpt-oss-120b') for _ in range(3)]); box"
    views = notebook.run(many).get_by_role("region", name="Parameters of openai/gpt-oss-120b")
    expect(views).to_have_count(3)
    for view in (views.nth(0), views.nth(2)):
        ask_for_more(view)
    brought = "globalThis[Symbol.for('paramwidget.more')].size"
    assert notebook.page.evaluate(brought) == 1
    again = notebook.run("ipywidgets.Widget.close_all(); fresh = pw.ParamView('openai/gpt-oss-120b'); fresh")
    ask_for_more(again.get_by_role("region", name="Parameters of openai/gpt-oss-120b"))


def test_two_views_of_one_model_move_together(notebook: Notebook) -> None:
    notebook.run("view")
    views = notebook.page.get_by_role("region", name="Parameters of openai/gpt-oss-120b")
    expect(views).to_have_count(2)
    first, second = views.nth(0), views.nth(1)

    second.get_by_role("checkbox", name=re.compile(r"^count embedding\b")).click()

    for view in (first, second):
        expect(view.get_by_role("radio", name=re.compile(r"^active\b"))).to_have_accessible_name(ONE_TABLE)
    ids = notebook.page.evaluate("[...document.querySelectorAll('.pw-root [id]')].map(el => el.id)")
    assert len(ids) == len(set(ids))
    first.get_by_role("checkbox", name=re.compile(r"^count embedding\b")).click()
    for view in (first, second):
        expect(view.get_by_role("radio", name=re.compile(r"^active\b"))).to_have_accessible_name(BOTH_TABLES)
