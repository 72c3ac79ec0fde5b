"""Photograph notebook 01's view in JupyterLab, and draw the figure of the README: `make screenshots`.

The wide pictures are those of the README; the narrow ones, as wide as a half-width cell, are to be looked at.
"""

import tempfile
from pathlib import Path

from chromium import chromium
from lab import ROOT, fresh_lab
from notebook import Notebook

import paramwidget as pw

FIGURE = ROOT / "notebooks" / "img" / "parts.png"
PICTURES = {1000: ROOT / "notebooks" / "img" / "paramview", 480: ROOT / "test-results" / "paramview-narrow"}


def draw() -> None:
    pw.count("openai/gpt-oss-120b").plot("parts").figure.savefig(FIGURE, dpi=200)
    print(FIGURE.relative_to(ROOT))


def main() -> None:
    draw()
    with tempfile.TemporaryDirectory() as folder, fresh_lab(Path(folder)) as server, chromium() as browser:
        notebook = Notebook(browser, server)
        notebook.run_all()
        # In none of the pictures is the mouse over a part of the view.
        notebook.page.mouse.move(0, 0)
        for width, name in PICTURES.items():
            notebook.widen(width)
            for theme in ("light", "dark"):
                notebook.theme(theme)
                path = name.with_name(f"{name.name}-{theme}.png")
                notebook.photograph(path)
                print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
