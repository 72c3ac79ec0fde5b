"""The command line, as a person or a script runs it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from configs import SMALL, bundled

import paramwidget as pw
from paramwidget.cli import main

ROOT = Path(__file__).parent.parent


def run(*arguments: str) -> int:
    """The exit status, whether argparse or the command gives it."""
    try:
        return main(arguments)
    except SystemExit as e:
        return int(e.code or 0)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)


def show_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run("show", "--json", *arguments) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


# ------------------------------------------------------------------ text


def test_show_prints_the_sentence_the_parts_and_the_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "openai/gpt-oss-120b") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "openai/gpt-oss-120b"
    assert lines[1].startswith("116.83B stored, 5.71B active (model card: 5.13B")
    (experts,) = [line.split() for line in lines if line.startswith("routed experts")]
    assert experts[2:] == ["114,701,598,720", "114,701,598,720", "3,584,424,960", "62.8%"]
    (total,) = [line.split() for line in lines if line.startswith("total")]
    assert total[1:] == ["116,829,156,672", "116,829,156,672", "5,711,982,912", "of", "active"]


def test_show_says_where_the_config_was_read_and_that_no_checkpoint_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("show", "openai/gpt-oss-120b")
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("Source: bundled snapshot, not pinned.")
    assert last.endswith("The checkpoint was not read.")


def test_show_follows_departures(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "openai/gpt-oss-120b", "--off", "embedding, norm", "--on", "scale") == 0
    out = capsys.readouterr().out
    # 5,711,982,912 − 579,133,440 − 210,240, and the scales of 4 of 128 experts in
    assert "Left out of active: embedding, norms." in out
    assert "5,132,639,232" not in out
    assert f"{5_132_639_232 + 3_583_180_800 // 32:,}" in out


def test_a_part_that_the_model_lacks_is_named_and_the_answer_stays(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["show", "Qwen/Qwen3-8B", "--off", "mtp,embedding", "--on", "vision"]) == 0
    out, err = capsys.readouterr()
    assert err == "paramwidget: no part of Qwen/Qwen3-8B, so nothing changes: mtp, vision\n"
    assert "622,329,856" in out
    assert main(["compare", "Qwen/Qwen3-8B", "openai/gpt-oss-20b", "--off", "router"]) == 0
    assert capsys.readouterr().err == ""


def test_show_follows_the_basis(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "Qwen/Qwen2.5-0.5B", "--basis", "architectural") == 0
    out = capsys.readouterr().out
    assert "of architectural" in out
    assert "630,167,424" in out


# ------------------------------------------------------------------ JSON

TOP = [
    "schema",
    "model",
    "model_type",
    "architecture",
    "provenance",
    "stored",
    "architectural",
    "active",
    "active_low",
    "toggles",
    "defaulted",
    "tensors",
]
TENSOR = [
    "name",
    "shape",
    "formula",
    "role",
    "kind",
    "layers",
    "copies",
    "active_copies",
    "stacked",
    "tied_to",
    "implied",
    "stored",
    "architectural",
    "active",
]


def test_the_json_counts_with_the_departures_that_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    found = show_json(capsys, "openai/gpt-oss-120b", "--off", "embedding")
    assert (found["basis"], found["off"], found["on"]) == ("active", ["embedding"], [])
    assert found["total"] == found["active"] == 5_132_849_472
    assert found["stored"] == 116_829_156_672 - 579_133_440
    assert sum(t["active"] for t in found["tensors"]) == found["active"]


def test_switches_given_again_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    found = show_json(capsys, "openai/gpt-oss-120b", "--off", "lm_head", "--off", "embedding")
    assert (found["off"], found["active"]) == (["embedding", "lm_head"], 4_553_716_032)


def test_the_bundled_models_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "gpt-oss"]) == 0
    assert capsys.readouterr().out.split() == ["openai/gpt-oss-120b", "openai/gpt-oss-20b"]


def test_words_that_no_bundled_model_has_are_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "gpt-oss", "9000b"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        f"paramwidget: none of the {len(pw.catalog())} bundled models has all of these words"
    )


def test_the_json_has_the_agreed_keys_and_the_bytes_of_the_weights(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = show_json(capsys, "openai/gpt-oss-120b")
    assert set(found) == {*TOP, "basis", "off", "on", "total", "weight_bytes"}
    assert [key for key in found if key in TOP] == TOP
    assert {tuple(t) for t in found["tensors"]} == {tuple(TENSOR)}
    assert {tuple(t) for t in found["toggles"]} == {("key", "label", "stored", "architectural", "active")}


def test_the_json_holds_the_exact_counts(capsys: pytest.CaptureFixture[str]) -> None:
    found = show_json(capsys, "openai/gpt-oss-120b")
    assert (found["schema"], found["model"], found["model_type"]) == (1, "openai/gpt-oss-120b", "gpt_oss")
    assert (found["stored"], found["architectural"]) == (116_829_156_672, 116_829_156_672)
    assert (found["active"], found["active_low"]) == (5_711_982_912, 5_711_982_912)
    assert found["weight_bytes"] == 65_248_815_744


def test_the_json_describes_a_tensor_whole(capsys: pytest.CaptureFixture[str]) -> None:
    found = show_json(capsys, "openai/gpt-oss-120b")
    (t,) = [t for t in found["tensors"] if t["name"] == "model.layers.{layer}.mlp.experts.gate_up_proj"]
    assert t == {
        "name": "model.layers.{layer}.mlp.experts.gate_up_proj",
        "shape": [2880, 5760],
        "formula": "hidden_size × (2 × intermediate_size) = 2,880 × (2 × 2,880)",
        "role": "routed_expert",
        "kind": "weight",
        "layers": list(range(36)),
        "copies": 4608,
        "active_copies": 144,
        "stacked": 128,
        "tied_to": None,
        "implied": False,
        "stored": 76_441_190_400,
        "architectural": 76_441_190_400,
        "active": 2_388_787_200,
    }


@pytest.mark.parametrize("name", ["openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen2.5-0.5B"])
def test_the_tensors_of_the_json_add_up_to_its_counts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = show_json(capsys, name)
    for basis in ("stored", "architectural", "active"):
        assert sum(t[basis] for t in found["tensors"]) == found[basis]


def test_the_json_says_where_the_config_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    p = show_json(capsys, "openai/gpt-oss-120b")["provenance"]
    assert (p["kind"], p["repo"], p["revision"]) == ("catalog", "openai/gpt-oss-120b", None)


def test_the_json_of_the_command_is_the_dict_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_json(capsys, "Qwen/Qwen3-8B") == json.loads(json.dumps(pw.count("Qwen/Qwen3-8B").to_dict()))


# ------------------------------------------------------------------ exit status


def failed(capsys: pytest.CaptureFixture[str], status: int, *arguments: str) -> str:
    assert run(*arguments) == status
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_an_unknown_toggle_is_status_2_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    err = failed(capsys, 2, "show", "openai/gpt-oss-120b", "--off", "embeding")
    assert err.startswith("paramwidget: Unknown toggle 'embeding'. Did you mean 'embedding'?")


def test_an_unknown_basis_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert "one of stored, architectural or active" in failed(capsys, 2, "show", "x/y", "--basis", "total")


def test_an_unknown_type_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "qwen9"}')
    assert "model_type 'qwen9' is not described" in failed(capsys, 2, "show", str(tmp_path))


def test_a_wrong_config_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text(json.dumps({**SMALL, "vocab_size": None}))
    assert "vocab_size is null" in failed(capsys, 2, "show", str(tmp_path))


def test_a_missing_path_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no file or folder" in failed(capsys, 2, "show", str(tmp_path / "no.json"))


@pytest.mark.parametrize("arguments", [(), ("show",), ("shwo", "x"), ("show", "x", "--colour")])
def test_wrong_usage_is_status_2(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert "usage: paramwidget" in failed(capsys, 2, *arguments)


def test_a_model_that_cannot_be_reached_is_status_3(
    offline: None, capsys: pytest.CaptureFixture[str]
) -> None:
    err = failed(capsys, 3, "show", "some/unknown-model-of-nobody")
    assert err.startswith("paramwidget: some/unknown-model-of-nobody: ")


def test_an_error_is_one_line_of_text_and_no_traceback(
    offline: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failed(capsys, 3, "show", "some/unknown-model-of-nobody").count("\n") == 1


def test_help_is_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "--help") == 0
    assert "MODEL" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"paramwidget {pw.__version__}\n"


# ------------------------------------------------------------------ as a process


def process(*arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "paramwidget", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        **how,
    )


def test_python_dash_m_runs_it() -> None:
    done = process("show", "openai/gpt-oss-120b", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["active"] == 5_711_982_912


def test_a_config_may_come_on_standard_input() -> None:
    done = process("show", "-", "--json", input=json.dumps(bundled("openai/gpt-oss-20b")))
    assert json.loads(done.stdout)["stored"] == 20_914_757_184


def test_status_and_message_reach_the_shell() -> None:
    done = process("show", "-", input="[]")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("paramwidget: standard input holds a JSON list")


@pytest.mark.parametrize("arguments", [("Qwen/Qwen3-8B",), ("deepseek-ai/DeepSeek-V3", "--json")])
def test_a_reader_that_has_seen_enough_is_no_error(arguments: tuple[str, ...]) -> None:
    # buffered, as it is for a user: what is left in the buffer is written at exit
    show = subprocess.Popen(
        [sys.executable, "-m", "paramwidget", "show", *arguments],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert show.stdout is not None
    assert show.stderr is not None
    show.stdout.close()  # before it has written anything
    with show.stderr as stderr:
        said = stderr.read()
    assert (show.wait(60), said) == (0, "")


def test_standard_input_is_read_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SMALL).encode())))
    assert show_json(capsys, "-")["stored"] == 212


# ------------------------------------------------------------------ streams that are closed, full, or of few letters


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command of the shell, in which ``paramwidget`` is the one under test."""
    return subprocess.run(
        ["bash", "-c", f'paramwidget() {{ "{sys.executable}" -m paramwidget "$@"; }}; {command}'],
        cwd=ROOT,
        env={**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, **environment},
        capture_output=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("what", "unbuffered"),
    [
        ("show openai/gpt-oss-20b", ""),
        ("show openai/gpt-oss-20b", "1"),
        ("show openai/gpt-oss-20b --json", ""),
        ("models", ""),
        ("--help", ""),
    ],
)
def test_a_full_disk_is_one_line_and_status_2(what: str, unbuffered: str) -> None:
    done = shell(f"paramwidget {what} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert done.stderr == b"paramwidget: standard output cannot be written: No space left on device.\n"


def test_a_closed_output_is_one_line_and_status_2() -> None:
    done = shell("paramwidget show openai/gpt-oss-20b >&-")
    assert (done.returncode, done.stderr) == (
        2,
        b"paramwidget: standard output cannot be written: it is closed.\n",
    )


def test_a_closed_input_is_one_line_and_status_2_where_it_is_read() -> None:
    done = shell("paramwidget show - <&-")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"paramwidget: There is no standard input here")
    assert shell("paramwidget show openai/gpt-oss-20b <&-").returncode == 0


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", ">&- 2>&-"])
def test_where_nothing_can_be_said_the_status_still_tells(closed: str) -> None:
    done = shell(f"paramwidget show ./no.json {closed}")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_of_few_letters_gets_escapes_and_json_stays_json(encoding: str) -> None:
    config = json.dumps({**SMALL, "_name_or_path": "é → \U0001f600"})
    for command in ("show -", "show - --json"):
        done = shell(f"paramwidget {command} <<< '{config}'", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        if "--json" in command:
            found = json.loads(done.stdout.decode(encoding))
            assert (found["model"], found["stored"]) == ("standard input", 212)
            assert "hidden_size × 8" not in found["tensors"][0]["formula"]
            assert "×" in found["tensors"][0]["formula"]
    done = shell("paramwidget show '' --off é", PYTHONIOENCODING=encoding)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_path_that_is_no_text_is_read_and_its_json_is_json(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(SMALL))
    done = shell(f"cd '{tmp_path}' && PYTHONPATH='{ROOT}' paramwidget show ./caf* --json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert os.fsencode(json.loads(done.stdout)["provenance"]["path"]) == b"caf\xe9/config.json"
    (folder / "config.json").write_text("{")
    done = shell(f"cd '{tmp_path}' && PYTHONPATH='{ROOT}' paramwidget show ./caf* --json")
    assert done.returncode == 2
    assert done.stderr.startswith(rb"paramwidget: caf\udce9/config.json is not JSON")


@pytest.mark.parametrize("model", ["-", "./x", "config.json", "/tmp"])
def test_a_revision_of_a_path_is_refused_and_not_ignored(
    model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    err = failed(capsys, 2, "show", model, "--revision", "main")
    assert f"{model!r} is a path, and only a repository has revisions. Leave out the revision 'main'" in err
