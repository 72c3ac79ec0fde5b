"""Execute notebooks in place and keep their outputs and widget state: `make notebooks`.

Executing one twice gives the same bytes. What would differ and tells a reader nothing is left out or renamed:
times, the random ids that ipywidgets gives to its models.
"""

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"


def execute(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Execute all cells in order, in `folder`; the first cell that raises ends it with CellExecutionError."""
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=True,
        record_timing=False,
    )
    notebook = client.execute()
    # As JupyterLab itself would write it: it marks a notebook as unsaved when its kernel says something else.
    notebook.metadata.kernelspec = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    number_cells(notebook)
    return number_widgets(notebook)


def number_cells(notebook: NotebookNode) -> None:
    """Name the cells by their place: an id that an editor made up says nothing."""
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number:02}"


def number_widgets(notebook: NotebookNode) -> NotebookNode:
    """Rename the widget models 0, 1, 2 ... in the order in which the kernel made them."""
    models = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    new_name = {old: f"{number:032x}" for number, old in enumerate(models)}
    if not new_name:
        return notebook
    text = re.sub("|".join(new_name), lambda found: new_name[found[0]], nbformat.writes(notebook))
    return nbformat.reads(text, as_version=4)


def main(paths: list[str]) -> None:
    for path in map(Path, paths):
        print(f"executing {path}", flush=True)
        notebook = execute(nbformat.read(path, as_version=4), path.parent)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main(sys.argv[1:])
