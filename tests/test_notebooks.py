"""The committed notebooks: executed, complete, made with the committed bundle, still true when run again."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "paramwidget" / "static"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def widget_models(notebook: NotebookNode) -> dict[str, NotebookNode]:
    return notebook.metadata.widgets[WIDGET_STATE].state


def text(notebook: NotebookNode) -> list[list[str]]:
    """What a reader sees without a widget, cell by cell."""
    return [
        [
            output.get("text", "") or str({k: v for k, v in output.data.items() if k.startswith("text/")})
            for output in cell.outputs
        ]
        for cell in code_cells(notebook)
    ]


def test_it_is_a_valid_notebook(path: Path) -> None:
    nbformat.validate(read(path))


def test_it_was_executed_once_from_top_to_bottom(path: Path) -> None:
    cells = code_cells(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


def test_no_cell_failed_or_complained(path: Path) -> None:
    for output in outputs(read(path)):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text


def test_the_state_of_every_widget_that_it_shows_is_saved(path: Path) -> None:
    notebook = read(path)
    shown = {o.data[WIDGET_VIEW]["model_id"] for o in outputs(notebook) if WIDGET_VIEW in o.get("data", {})}
    assert shown
    assert shown <= set(widget_models(notebook))


def test_its_widgets_are_those_of_the_committed_bundle(path: Path) -> None:
    ours = [m.state for m in widget_models(read(path)).values() if m.model_module == "anywidget"]
    bundles = {(STATIC / f"{name}.js").read_text("utf-8"): name for name in ("widget", "compare")}
    assert ours
    for state in ours:
        assert state["_esm"] in bundles, "run `make notebooks`"
        assert state["_css"] == (STATIC / f"{bundles[state['_esm']]}.css").read_text("utf-8"), (
            "run `make notebooks`"
        )


def test_every_widget_has_a_table_for_readers_without_one(path: Path) -> None:
    notebook = read(path)
    ours = {key for key, model in widget_models(notebook).items() if model.model_module == "anywidget"}
    for output in outputs(notebook):
        if output.get("data", {}).get(WIDGET_VIEW, {}).get("model_id") in ours:
            assert "<table" in output.data["text/html"]
            assert "<script" not in output.data["text/html"]


def test_executing_it_again_gives_what_is_saved(path: Path, tmp_path: Path) -> None:
    again = tmp_path / path.name
    again.write_bytes(path.read_bytes())
    done = subprocess.run(
        [sys.executable, ROOT / "notebooks" / "execute.py", again], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert text(read(again)) == text(read(path)), "run `make notebooks`"
