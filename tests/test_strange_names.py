"""Names of tensors that somebody chose to do harm with: what of them reaches a terminal, a page and the browser."""

from __future__ import annotations

import json
from pathlib import Path

import layouts
import pytest
from configs import SMALL
from hub import safetensors

import paramwidget as pw
from paramwidget.cli import main

#: colours, a new title of the window, text turned round, a tag, the cells of a table, and no end
NAMES = (
    "\x1b[31mred\x1b]0;mine\x07.weight",
    "\u202egpj.exe",
    "<img src=x onerror=alert(1)>",
    "a|b\nc`d",
    "x" * 9000,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps(SMALL))
    tensors = [*layouts.plain(pw.count(SMALL)), *((name, "BF16", (2,)) for name in NAMES)]
    file = safetensors(tensors)
    (tmp_path / "model.safetensors").write_bytes(file.read(0, file.size))
    return tmp_path


@pytest.mark.parametrize("options", [(), ("--markdown",), ("--json",)], ids=["text", "Markdown", "JSON"])
def test_nothing_that_a_terminal_obeys_is_printed(
    options: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", str(folder), *options])
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert max(map(len, out.splitlines())) < 600
    if options == ("--json",):
        assert any(row["name"].startswith("\u202egpj") for row in json.loads(out)["rows"])


@pytest.mark.parametrize("described", [True, False], ids=["described", "names and shapes"])
def test_a_page_and_a_cell_show_a_tag_as_text(folder: Path, described: bool) -> None:
    if not described:
        (folder / "config.json").unlink()
    b = pw.count(folder, check=True)
    for html in (b.to_html(), pw.ParamView(b)._repr_html_()):
        assert "<img" not in html
        assert not set("\x1b\u202e\x07") & set(html)


def test_the_browser_is_sent_names_that_end(folder: Path) -> None:
    data = pw.ParamView(pw.count(folder, check=True)).data["check"]
    assert max(len(row["name"]) for row in data["rows"]) == 200
    assert all(row["name"].isprintable() for row in data["rows"])
    assert len(json.dumps(data)) < 10_000


def test_of_very_many_names_the_largest_are_rows_and_the_rest_is_one(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SMALL))
    more = [(f"mine{i}", "U8", (1 + i,)) for i in range(1000)]
    file = safetensors([*layouts.plain(pw.count(SMALL)), *more])
    (tmp_path / "model.safetensors").write_bytes(file.read(0, file.size))
    residual = pw.count(tmp_path, check=True).residual
    assert residual is not None
    found = {row.name: row.found for row in residual.rows}
    assert len(found) == 1 + 200 + 1
    assert found["800 other names"] == 800 * 801 // 2  # 1 + 2 + ... + 800
    assert found["mine999.*"] == 1000
    assert residual.found_parameters == pw.count(SMALL).stored + 1000 * 1001 // 2
