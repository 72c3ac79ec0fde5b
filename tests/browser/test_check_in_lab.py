"""The check pressed in JupyterLab: headers of 163 shards from a Hub of this machine, and a named row for each term."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import ROOT, Server, fresh_lab
from notebook import Notebook
from playwright.sync_api import Browser, expect

sys.path.insert(0, str(ROOT / "tests"))

import layouts
from configs import bundled
from hub import Hub, serve, sharded

import paramwidget as pw

V3 = "deepseek-ai/DeepSeek-V3"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """JupyterLab whose Hub is one of this machine, with the shards of DeepSeek-V3: FP8 weights, scales, MTP layer."""
    tensors = layouts.with_scales(pw.count(V3), tied=True)
    each = -(-len(tensors) // 163)
    shards = [tensors[i : i + each] for i in range(0, len(tensors), each)]
    hub = Hub()
    files = sharded(shards, digits=6)
    hub.add(V3, {"config.json": json.dumps(bundled(V3)), **files}, total={"F8_E4M3": 684_531_386_000})
    with serve(hub):
        where = {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "hf")}
        with fresh_lab(tmp_path, trusted=True, **where) as server:
            yield server
    assert hub.wrongs == []


def test_every_term_of_deepseek_v3_is_a_row_of_the_check(browser: Browser, server: Server) -> None:
    notebook = Notebook(browser, server)
    notebook.run_all()
    shown = notebook.run(f'check = pw.ParamView("{V3}", view="check"); check')
    view = shown.get_by_role("region", name=f"Parameters of {V3}")
    expect(view).to_contain_text("No checkpoint was read")

    view.get_by_role("button", name=re.compile("^Compare with")).click()

    expect(view).to_contain_text("684,531,386,000")
    for number in ("671,026,419,200", "11,610,068,224", "926,679,040", "41,540,496", "682,636,487,424"):
        expect(view).to_contain_text(number)
    for name in ("model.layers.61.embed_tokens.weight", "model.layers.61.shared_head.head.weight"):
        expect(view.get_by_role("row").filter(has_text=name)).to_contain_text("tied matrix stored again")
    expect(view.get_by_role("row").filter(has_text="the model itself")).to_contain_text("671,026,419,200")
    expect(view).to_contain_text("0123456789ab")  # the commit at which all of it was read
    view.scroll_into_view_if_needed()
    view.screenshot(path=ROOT / "test-results" / "check.png")
    notebook.page.close()
