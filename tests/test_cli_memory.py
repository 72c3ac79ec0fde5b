"""``paramwidget memory`` and ``%params memory``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import paramwidget as pw
from paramwidget.cli import main


def run(*arguments: str) -> int:
    """The exit status, whether argparse or the command gives it."""
    try:
        return main(("memory", *arguments))
    except SystemExit as e:
        return int(e.code or 0)


def test_memory_prints_weights_and_what_each_kind_of_layer_keeps(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("openai/gpt-oss-120b", "--context", "131072", "--batch", "8") == 0
    out = capsys.readouterr().out
    assert out == pw.memory(pw.count("openai/gpt-oss-120b"), 131_072, batch=8).to_text() + "\n"
    (experts,) = (line.split() for line in out.splitlines() if line.startswith("routed experts"))
    assert experts[2:] == ["60,993,699,840", "56.8", "GiB,", "60.99", "GB"]
    assert "    18  sliding window of 128         36,864  36.0 MiB, 37.75 MB" in out
    assert "reads 28.7 of them on average, if routing is uniform" in out


def test_memory_as_json_is_what_python_has(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (
        "--weight-dtype",
        "int4",
        "--kv-dtype",
        "fp8",
        "--encoder-length",
        "9",
        "--context",
        "100",
        "--json",
    )
    assert run("MBZUAI/LaMini-Flan-T5-783M", *asked) == 0
    b = pw.count("MBZUAI/LaMini-Flan-T5-783M")
    m = pw.memory(b, 100, weight_dtype="int4", kv_dtype="fp8", encoder_length=9)
    found = json.loads(capsys.readouterr().out)
    assert found == m.to_dict()
    assert found["kv_bytes"] == (100 + 9) * 24 * 2 * 16 * 64


def test_a_context_is_asked_for_in_the_words_of_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("openai/gpt-oss-120b", "--context", "0") == 2
    err = capsys.readouterr().err
    assert err == "paramwidget: context must be a whole number from 1 to 1,000,000,000, not 0.\n"


@pytest.mark.parametrize(
    "wrong", [("--context", "many"), ("--kv-dtype", "float12"), ("--weight-dtype", "Q4_K_M")]
)
def test_what_cannot_be_asked_ends_with_status_2(wrong: tuple[str, str]) -> None:
    assert run("openai/gpt-oss-120b", *wrong) == 2


def test_the_magic_shows_memory_in_a_cell() -> None:
    from paramwidget.magic import params

    m = params("memory openai/gpt-oss-120b --context 1000 --kv-dtype fp8")
    assert isinstance(m, pw.Memory)
    assert (m.context, m.kv_dtype) == (1000, "fp8")


def test_a_line_of_the_magic_that_cannot_be_read_shows_how_memory_is_asked_for() -> None:
    from IPython.core.error import UsageError

    from paramwidget.magic import params

    with pytest.raises(UsageError, match=r"(?s)^usage: %params memory .*--context N"):
        params("memory openai/gpt-oss-120b --context")


def test_the_readme_shows_what_is_printed() -> None:
    readme = (Path(pw.__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    assert pw.memory(pw.count("openai/gpt-oss-120b"), 131_072, batch=8).to_text() in readme
