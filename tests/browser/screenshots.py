"""Photograph the views, and draw the figure of the README: `make screenshots`.

Notebook 01 in JupyterLab, wide for the README and as wide as a half-width cell; and every view of six unlike models in
a page of its own, light and dark, at three widths, in test-results/views, with a sheet of each view to look at.
"""

import tempfile
from pathlib import Path

from chromium import chromium
from lab import ROOT, fresh_lab
from notebook import Notebook
from playwright.sync_api import Browser
from standalone import show

import paramwidget as pw
from paramwidget.traits import VIEWS
from paramwidget.wire import to_wire

FIGURE = ROOT / "notebooks" / "img" / "parts.png"
PICTURES = {1000: ROOT / "notebooks" / "img" / "paramview", 480: ROOT / "test-results" / "paramview-narrow"}

#: experts; dense with one table; experts with MTP and copies; a hybrid; a vision tower; an encoder with a decoder
MODELS = (
    "openai/gpt-oss-120b",
    "Qwen/Qwen2.5-0.5B",
    "deepseek-ai/DeepSeek-V3",
    "Qwen/Qwen3-Next-80B-A3B-Instruct",
    "Qwen/Qwen3-VL-2B-Instruct",
    "openai/whisper-large-v3-turbo",
)
WIDTHS = (480, 800, 1200)


def figure() -> None:
    pw.count("openai/gpt-oss-120b").plot("parts").figure.savefig(FIGURE, dpi=200)
    print(FIGURE.relative_to(ROOT))


def of_the_notebook(browser: Browser) -> None:
    with tempfile.TemporaryDirectory() as folder, fresh_lab(Path(folder)) as server:
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


def of_every_view(browser: Browser, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for model in MODELS:
        data = to_wire(pw.count(model))
        for theme in ("light", "dark"):
            page = show(browser, data, theme=theme)
            for view in VIEWS:
                page.evaluate("view => model.set('view', view)", view)
                page.locator(f"[role=tab][id$={view}][aria-selected=true]").wait_for()
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 700})
                    name = f"{view}-{model.split('/')[1]}-{theme}-{width}.png"
                    page.locator(".pw-root").screenshot(path=folder / name)
            page.close()
    # One sheet a view: the models below each other, the widths and themes side by side.
    page = browser.new_page(viewport={"width": 2 * sum(WIDTHS) + 100, "height": 900})
    for view in VIEWS:
        rows = "".join(
            "<div style='display:flex;gap:10px;margin-bottom:20px'>"
            + "".join(
                f"<div><img src='{view}-{model.split('/')[1]}-{theme}-{width}.png'></div>"
                for theme in ("light", "dark")
                for width in WIDTHS
            )
            + "</div>"
            for model in MODELS
        )
        sheet = folder / f"{view}.html"
        sheet.write_text(f"<!doctype html><body style='background:#888'>{rows}", encoding="utf-8")
        page.goto(sheet.as_uri())
        page.screenshot(path=folder / f"sheet-{view}.png", full_page=True)
        print((folder / f"sheet-{view}.png").relative_to(ROOT))
    page.close()


def main() -> None:
    figure()
    with chromium() as browser:
        of_every_view(browser, ROOT / "test-results" / "views")
        of_the_notebook(browser)


if __name__ == "__main__":
    main()
