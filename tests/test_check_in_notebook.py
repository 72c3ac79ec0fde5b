"""The check asked for by the browser: what the kernel answers, and what stands in the widget afterwards."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import layouts
import pytest
from configs import SMALL
from hub import safetensors

import paramwidget as pw
from paramwidget.kernel import answer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model of 212 parameters with a head that is stored though it is tied."""
    config = {**SMALL, "tie_word_embeddings": True}
    (tmp_path / "config.json").write_text(json.dumps(config))
    file = safetensors(layouts.plain(pw.count(config), tied=True))
    (tmp_path / "model.safetensors").write_bytes(file.read(0, file.size))
    return tmp_path


class Sent:
    """A view that keeps what is sent to the browser."""

    def __init__(self, source: Any) -> None:
        self.breakdown = pw.count(source)
        self.token = None
        self.messages: list[dict[str, Any]] = []

    def send(self, content: dict[str, Any]) -> None:
        self.messages.append(content)

    def show(self, breakdown: pw.Breakdown) -> None:
        self.breakdown = breakdown


def test_a_check_in_the_kernel_puts_the_residual_in_place(folder: Path) -> None:
    view = pw.ParamView(str(folder), off={"embedding"})
    assert "check" not in view.data
    residual = view.check()
    assert residual.found_parameters == 212
    assert view.data["check"] == residual.to_dict()
    assert view.data["check"]["rows"][1]["cause"] == "tied matrix stored again"
    assert view.off == ["embedding"]
    assert "files were read" in view.data["provenance"]["text"]


def test_the_browser_asks_and_the_loop_is_not_held_up(folder: Path) -> None:
    view = Sent(str(folder))

    async def ask() -> None:
        answer(view, {"do": "check"})
        assert view.breakdown.residual is None  # not yet: it runs beside the loop
        for _ in range(500):
            await asyncio.sleep(0.01)
            if view.breakdown.residual is not None:
                return

    asyncio.run(ask())
    assert view.breakdown.residual is not None
    assert view.breakdown.residual.explained
    assert [m for m in view.messages if m["kind"] == "error"] == []


def test_without_a_loop_the_check_runs_at_once(folder: Path) -> None:
    view = Sent(str(folder))
    answer(view, {"do": "check"})
    assert view.breakdown.residual is not None


def test_a_model_without_files_is_an_error_in_words() -> None:
    view = Sent(SMALL)
    answer(view, {"do": "check"})
    (message,) = view.messages
    assert message["kind"] == "error"
    assert "so it has no files to check" in message["text"]


def test_what_the_kernel_cannot_do_is_said_and_what_is_not_for_it_is_left() -> None:
    view = Sent(SMALL)
    answer(view, {"kind": "anywidget-command"})
    answer(view, "text")
    assert view.messages == []
    answer(view, {"do": "fly"})
    assert view.messages == [
        {"kind": "error", "do": "fly", "text": "The kernel does not know how to do 'fly'."}
    ]


def test_the_magic_checks_where_it_is_told_to(folder: Path) -> None:
    from paramwidget.magic import params

    assert "check" not in params(str(folder)).data
    assert params(f"check {folder}").data["check"]["unexplained"] == 0


def test_a_folder_is_checked_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from paramwidget.cli import main

    assert main(["check", str(folder), "--markdown"]) == 0
    out = capsys.readouterr().out
    assert "| what | predicted | found | difference | cause |" in out
    assert (
        "| lm_head.weight | 0 | 32 | +32 | tied matrix stored again: the same matrix as model.embed_tokens.weight |"
        in out
    )
    assert main(["check", str(folder)]) == 0
    assert "Every difference between the config and the files is explained." in capsys.readouterr().out


@pytest.mark.parametrize("source", [SMALL, "-"])
def test_what_has_no_files_cannot_be_checked(source: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SMALL).encode())))
    with pytest.raises(pw.SourceError, match="no files to check"):
        pw.count(source, check=True)


def test_an_error_that_nobody_foresaw_ends_the_waiting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from paramwidget import kernel

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(kernel, "count", broken)
    said = {
        "kind": "error",
        "do": "check",
        "text": "That ended in an error which nobody foresaw (ZeroDivisionError).",
    }
    at_once, beside = Sent(str(folder)), Sent(str(folder))
    with pytest.raises(ZeroDivisionError):
        answer(at_once, {"do": "check"})

    async def ask() -> None:
        answer(beside, {"do": "check"})
        (task,) = kernel._RUNNING
        with pytest.raises(ZeroDivisionError):
            await task

    asyncio.run(ask())
    assert at_once.messages == beside.messages[-1:] == [said]
