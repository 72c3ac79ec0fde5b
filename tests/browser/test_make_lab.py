"""`make lab`, started as a reader starts it."""

import json
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab import NOTEBOOK, ROOT, isolated, running


def read(url: str) -> bytes:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=60) as answer:
        return bytes(answer.read())


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="`make lab` would make another environment")
def test_make_lab_serves_the_trusted_notebook_at_the_address_it_prints(tmp_path: Path) -> None:
    command = ["make", "lab", "LAB_FLAGS=--port=0 --no-browser"]
    with running(command, ROOT, tmp_path, isolated(tmp_path)) as server:
        printed = f"{server.url}lab/tree/{NOTEBOOK}?token={server.token}"
        assert printed in (tmp_path / "jupyterlab.log").read_text()
        assert urlsplit(printed).hostname in ("localhost", "127.0.0.1")
        assert b"JupyterLab" in read(printed)

        notebook = json.loads(read(f"{server.url}api/contents/{NOTEBOOK}?token={server.token}"))["content"]
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert code
        assert all(cell["metadata"]["trusted"] for cell in code)
