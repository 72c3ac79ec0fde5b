"""A notebook that is only opened stays as it was saved: JupyterLab marks none of them as unsaved, and none changes."""

from __future__ import annotations

import json
import platform
from pathlib import Path

from lab import ROOT, fresh_lab
from notebook import WAIT_MILLISECONDS
from playwright.sync_api import Browser, expect

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_a_notebook_that_is_only_opened_is_not_marked_as_unsaved(browser: Browser, tmp_path: Path) -> None:
    with fresh_lab(tmp_path, trusted=True) as server:
        for name in NOTEBOOKS:
            file = tmp_path / "clone" / "notebooks" / name
            # JupyterLab notes the release of Python that runs, which may not be the one that executed it.
            notebook = json.loads(file.read_text(encoding="utf-8"))
            notebook["metadata"]["language_info"]["version"] = platform.python_version()
            file.write_text(json.dumps(notebook), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            page.goto(f"{server.url}lab/tree/notebooks/{name}?token={server.token}&reset")
            tab = page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab.jp-mod-current")
            expect(tab).to_contain_text(name)
            # The kernel has said what it is, which JupyterLab compares with what is saved.
            idle = page.locator(".jp-NotebookPanel:visible .jp-Notebook-ExecutionIndicator[data-status=idle]")
            idle.wait_for(timeout=WAIT_MILLISECONDS)
            page.wait_for_timeout(2000)
            assert "jp-mod-dirty" not in (tab.get_attribute("class") or ""), name
            page.close()
