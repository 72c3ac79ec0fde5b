"""How notebook widgets failed in public, and what holds this one against each of the ways.

``HELD`` names, for each case of the list, the tests that hold it: here, in the browser, or where they stood already.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from ipywidgets import Widget

import paramwidget as pw

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "paramwidget" / "static"
LIST = ROOT.parent / "shared" / "cases" / "widget_cases.md"
OSS = "openai/gpt-oss-120b"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

HERE = "tests/test_widget_cases.py"
BROWSER = "tests/browser/test_widget_cases.py"

#: a case: the tests that hold it
HELD: dict[str, tuple[str, ...]] = {
    "W01": (f"{HERE}::test_the_front_end_is_not_registered_and_a_table_stands_beside_the_view",),
    "W02": (
        f"{HERE}::test_a_cdn_is_blocked_and_nothing_of_the_view_comes_from_one",
        f"{HERE}::test_the_host_asks_for_its_cdn_and_the_readme_says_so",
    ),
    "W03": (f"{HERE}::test_the_host_is_offline_and_the_table_needs_no_script",),
    "W05": (f"{HERE}::test_the_front_end_is_not_registered_and_a_table_stands_beside_the_view",),
    "W06": (f"{HERE}::test_the_front_end_is_not_registered_and_a_table_stands_beside_the_view",),
    "W07": (f"{HERE}::test_the_host_is_offline_and_the_table_needs_no_script",),
    "W09": (
        f"{HERE}::test_an_export_leaves_widgets_out_and_the_table_is_in_it",
        "tests/browser/test_nbconvert.py::test_the_command_in_the_readme_gives_a_page_that_shows_the_table_offline",
        "tests/test_page.py::test_the_numbers_stand_in_plain_html_too",
    ),
    "W10": (
        f"{BROWSER}::test_no_kernel_answers_and_every_view_is_drawn_at_once",
        "tests/browser/test_exported_page.py::test_a_click_counts_anew_with_no_request_and_no_complaint",
    ),
    "W11": (f"{HERE}::test_an_export_leaves_widgets_out_and_the_table_is_in_it",),
    "W13": (
        f"{HERE}::test_a_cdn_is_blocked_and_nothing_of_the_view_comes_from_one",
        "tests/test_page.py::test_the_page_names_no_other_host_as_something_to_load",
    ),
    "W14": (
        f"{HERE}::test_the_model_is_gone_and_the_notebook_holds_a_table_and_a_line_in_its_place",
        "tests/test_notebooks.py::test_every_widget_has_a_table_for_readers_without_one",
    ),
    "W15": (
        "tests/test_notebooks.py::test_the_state_of_every_widget_that_it_shows_is_saved",
        f"{HERE}::test_the_model_is_not_found_on_reopening_and_the_readme_says_how_to_keep_it",
        "tests/browser/test_untouched.py::test_a_notebook_that_is_only_opened_is_not_marked_as_unsaved",
    ),
    "W17": (f"{BROWSER}::test_an_old_state_lacks_a_trait_and_the_view_is_drawn",),
    "W18": (f"{HERE}::test_github_calls_a_notebook_invalid_without_the_state_of_its_widgets",),
    "W19": (
        f"{HERE}::test_the_host_asks_for_its_cdn_and_the_readme_says_so",
        f"{HERE}::test_the_front_end_is_not_registered_and_a_table_stands_beside_the_view",
    ),
    "W21": (f"{HERE}::test_an_amd_dependency_is_not_supported_and_the_module_is_one_of_its_own",),
    "W22": (
        f"{BROWSER}::test_an_echo_reverts_a_click_and_the_click_stays",
        f"{BROWSER}::test_one_change_fires_twice_and_is_harmless",
        "js/test/widget.test.tsx::is not undone by late echoes of older values",
    ),
    "W23": ("tests/browser/test_marimo.py::test_a_click_counts_stays_and_runs_the_cell_that_reads_it",),
    "W25": (
        "tests/browser/test_marimo.py::test_a_click_counts_stays_and_runs_the_cell_that_reads_it",
        f"{HERE}::test_cells_do_not_run_again_without_the_wrapper_and_the_readme_names_it",
    ),
    "W26": (
        f"{BROWSER}::test_a_reconnect_gives_the_state_in_pieces_and_the_view_fills_in",
        f"{BROWSER}::test_an_old_state_lacks_a_trait_and_the_view_is_drawn",
    ),
    "W27": (f"{HERE}::test_bytes_break_in_the_comm_and_no_trait_or_message_has_any",),
    "W29": (f"{HERE}::test_the_repr_is_shown_instead_and_can_be_read",),
    "W30": (
        f"{BROWSER}::test_the_comm_is_dead_and_the_view_counts_on",
        "tests/browser/test_kernel_gone.py::test_a_click_counts_after_the_kernel_was_shut_down",
        "tests/browser/test_accessible.py::test_what_needs_python_says_so_where_there_is_none",
    ),
    "W31": (f"{BROWSER}::test_the_host_paints_white_behind_a_dark_theme_and_the_text_is_read",),
    "W33": (
        f"{BROWSER}::test_the_host_is_dark_and_no_text_keeps_a_light_colour",
        f"{HERE}::test_colours_are_fixed_and_each_of_the_host_has_a_value_to_fall_back_on",
    ),
    "W34": (
        f"{BROWSER}::test_the_styles_reach_other_outputs_and_change_nothing_there",
        f"{HERE}::test_a_bare_selector_restyles_the_page_and_there_is_none",
    ),
    "W35": (
        f"{BROWSER}::test_a_shadow_root_looks_different_and_the_view_is_the_same_in_one",
        f"{HERE}::test_the_document_is_asked_in_a_shadow_root_and_the_module_never_asks_it",
    ),
}

VIEWS: list[tuple[str, Callable[[], Any]]] = [
    ("a model", lambda: pw.ParamView(OSS)),
    ("no model yet", pw.ParamView),
    ("two models", lambda: pw.CompareView(["openai/gpt-oss-20b", OSS])),
]
every_view = pytest.mark.parametrize("make", [make for _, make in VIEWS], ids=[name for name, _ in VIEWS])
NOTEBOOKS = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "-C", ROOT, "ls-files", "*.ipynb"], capture_output=True, text=True
    ).stdout.splitlines()
) or sorted((ROOT / "notebooks").glob("*.ipynb"))
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
MODULES = ["widget.js", "more.js", "compare.js"]
SHEETS = sorted(path.name for path in STATIC.glob("*.css"))

#: elements that fetch something, or run
LOADS = re.compile(r"<(?:script|link|img|iframe|object|embed|video|audio|source|base|svg|style)\b", re.I)


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def shown(view: Widget) -> dict[str, Any]:
    """What a cell shows of a view, as IPython gives it to the host."""
    from IPython.core.formatters import DisplayFormatter

    data: dict[str, Any] = DisplayFormatter().format(view)[0]
    return data


# ------------------------------------------------------------------ the list and the tests


def test_every_case_of_the_list_is_held_by_a_test_that_is_there() -> None:
    if LIST.exists():
        assert set(re.findall(r"^\| (W\d+) \|", LIST.read_text(encoding="utf-8"), re.M)) == set(HELD)
    for case, tests in HELD.items():
        assert tests, case
        for test in tests:
            file, name = test.split("::")
            text = (ROOT / file).read_text(encoding="utf-8")
            assert (f"def {name}(" if file.endswith(".py") else f'it("{name}"') in text, (case, test)


# ------------------------------------------------------------------ no front end, no network


@every_view
def test_the_front_end_is_not_registered_and_a_table_stands_beside_the_view(make: Callable[[], Any]) -> None:
    data = shown(make())
    assert {WIDGET_VIEW, "text/html", "text/plain"} <= set(data)
    assert "<table" in data["text/html"] or "No model is chosen yet" in data["text/html"]


@every_view
def test_the_host_is_offline_and_the_table_needs_no_script(make: Callable[[], Any]) -> None:
    html = shown(make())["text/html"]
    assert LOADS.findall(html) == []
    assert re.findall(r"\b(?:src|srcset|href|on\w+)\s*=", html) == []
    assert "url(" not in html


@every_view
def test_a_cdn_is_blocked_and_nothing_of_the_view_comes_from_one(make: Callable[[], Any]) -> None:
    state = make().get_state()
    later = (STATIC / "more.js").read_text(encoding="utf-8")
    for text in (state["_esm"], state["_css"], later.replace("createObjectURL", "")):
        # Namespaces of SVG are names, not addresses.
        assert set(re.findall(r"https?://[\w.-]+", text)) <= {"http://www.w3.org"}
        assert not re.search(r"@import|url\(|\bimport\s*[\"'{*]|\bfrom\s*[\"']", text)
        # What is imported later is a text of the notebook, behind an address of the page itself.
        assert not re.search(r"\bimport\s*\(\s*[\"'`]", text)
        assert text.count("import(") == text.count("createObjectURL(new Blob([") <= 1
        assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts", text)


@pytest.mark.parametrize("name", MODULES)
def test_an_amd_dependency_is_not_supported_and_the_module_is_one_of_its_own(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    assert re.search(r"export\s*\{\s*\w+ as default\s*\}|export default", text)
    assert not re.search(r"\bdefine\(|\brequire\(|\brequirejs\b|module\.exports|\bexports\.", text)


def test_the_host_asks_for_its_cdn_and_the_readme_says_so() -> None:
    said = readme()
    for word in ("VS Code", "Colab", "CDN", "enable_custom_widget_manager"):
        assert word in said


def test_cells_do_not_run_again_without_the_wrapper_and_the_readme_names_it() -> None:
    assert "mo.ui.anywidget(pw.ParamView(" in readme()


def test_the_model_is_not_found_on_reopening_and_the_readme_says_how_to_keep_it() -> None:
    said = readme()
    assert "model not found" in said
    assert "Save Widget State Automatically" in said


# ------------------------------------------------------------------ notebooks and exports


@every_notebook
def test_github_calls_a_notebook_invalid_without_the_state_of_its_widgets(path: Path) -> None:
    """metadata.widgets is absent, or has a state in which every model that is shown is described."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    widgets = notebook["metadata"].get("widgets", {})
    used = {
        output["data"][WIDGET_VIEW]["model_id"]
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
        if WIDGET_VIEW in output.get("data", {})
    }
    assert set(widgets) == ({WIDGET_STATE} if used else set())
    for known in widgets.values():
        assert set(known) == {"state", "version_major", "version_minor"}
        assert used <= set(known["state"])
        for model in known["state"].values():
            assert {"model_name", "model_module", "model_module_version", "state"} <= set(model)


def test_the_model_is_gone_and_the_notebook_holds_a_table_and_a_line_in_its_place() -> None:
    found = 0
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        state = notebook["metadata"]["widgets"][WIDGET_STATE]["state"]
        ours = {key for key, model in state.items() if model["model_module"] == "anywidget"}
        for cell in notebook["cells"]:
            for output in cell.get("outputs", ()):
                if output.get("data", {}).get(WIDGET_VIEW, {}).get("model_id") in ours:
                    found += 1
                    assert "<table" in "".join(output["data"]["text/html"])
                    assert re.match(r"<(ParamView|CompareView) ", "".join(output["data"]["text/plain"]))
    assert found >= 2


@pytest.mark.parametrize("form", ["html", "slides"])
def test_an_export_leaves_widgets_out_and_the_table_is_in_it(form: str) -> None:
    from nbconvert import HTMLExporter, SlidesExporter
    from traitlets.config import Config

    notebook = nbformat.read(ROOT / "notebooks" / "01-5.13B-or-5.71B.ipynb", as_version=4)
    # As the README has it: the table before the widget.
    order = ["text/html", "text/markdown", "image/png", "text/plain"]
    config = Config({"NbConvertBase": {"display_data_priority": order}})
    page, _ = {"html": HTMLExporter, "slides": SlidesExporter}[form](config=config).from_notebook_node(
        notebook
    )
    body = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    assert "<table" in body
    assert "5,711,982,912" in body
    assert "routed experts" in body


# ------------------------------------------------------------------ what is said and sent


@every_view
def test_the_repr_is_shown_instead_and_can_be_read(make: Callable[[], Any]) -> None:
    text = repr(make())
    assert re.fullmatch(r"<(ParamView|CompareView) [^<>\n]{5,120}>", text)
    assert "object at" not in text


@every_view
def test_bytes_break_in_the_comm_and_no_trait_or_message_has_any(
    make: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ipywidgets.widgets.widget import _remove_buffers

    view = make()
    state = view.get_state()
    json.dumps(state)
    assert _remove_buffers(state)[2] == []
    sent: list[tuple[Any, Any]] = []
    monkeypatch.setattr(view, "send", lambda content, buffers=None: sent.append((content, buffers)))
    for message in ({"do": "here"}, {"do": "catalog"}, {"do": "more"}, {"do": "dance"}):
        view._handle_custom_msg(message, [])
    assert all(json.loads(json.dumps(content)) == content and not buffers for content, buffers in sent)
    assert sent or isinstance(view, pw.CompareView)


# ------------------------------------------------------------------ styles


def selectors(css: str) -> list[str]:
    """Every selector of a style sheet, the groups of media and container queries opened."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    blocks = [block.split(";")[-1].strip() for block in re.findall(r"([^{}]+)\{", css)]
    rules = [block for block in blocks if block and not block.startswith("@")]
    return [part.strip() for rule in rules for part in re.split(r",(?![^()]*\))", rule)]


@pytest.mark.parametrize("name", ["widget.css", "compare.css"])
def test_a_bare_selector_restyles_the_page_and_there_is_none(name: str) -> None:
    """Each begins with one of this project's classes, or with its theme: what follows is inside of it."""
    found = selectors((STATIC / name).read_text(encoding="utf-8"))
    assert len(found) > 80
    own = re.compile(r"(?:[a-z]+)?(?:\.pw-[\w-]+|\[data-pw-theme=\"?dark\"?\] \.pw-)")
    bare = re.compile(r"\[aria-expanded=\"?true\"?\]>\.pw-")
    assert [s for s in found if not own.match(s) and not bare.match(s.replace(" ", ""))] == []


@pytest.mark.parametrize("name", SHEETS)
def test_colours_are_fixed_and_each_of_the_host_has_a_value_to_fall_back_on(name: str) -> None:
    css = (STATIC / name).read_text(encoding="utf-8")
    assert re.findall(r"var\(\s*--(?!pw-)[\w-]+\s*\)", css) == []


@pytest.mark.parametrize("name", MODULES)
def test_the_document_is_asked_in_a_shadow_root_and_the_module_never_asks_it(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    asked = re.findall(
        r"\b(?:document|ownerDocument)\.(?:querySelector|getElement|body|head|documentElement|activeElement)\w*",
        text,
    )
    assert asked == []
