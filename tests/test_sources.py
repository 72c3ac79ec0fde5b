"""Everything that may name a model: data, objects, paths, standard input, and a Hub."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from configs import SMALL
from hub import OLD, SHA, Fault, File, Hub, serve

import paramwidget as pw

ROOT = Path(__file__).parent.parent


# ------------------------------------------------------------------ data and objects


def test_a_dict_is_a_config() -> None:
    b = pw.count(SMALL)
    assert (b.stored, b.model, b.provenance.kind) == (212, "config", "dict")


def test_a_dict_is_labelled_by_the_name_it_gives_itself() -> None:
    assert pw.count({**SMALL, "_name_or_path": "me/mine"}).model == "me/mine"


def test_a_name_of_many_lines_becomes_one_printable_line() -> None:
    assert pw.count({**SMALL, "_name_or_path": "a\n# b\x1b[31m\tc"}).model == "a # b[31m c"


def test_a_name_that_is_no_text_is_ignored() -> None:
    assert pw.count({**SMALL, "_name_or_path": ["x"]}).model == "config"


class PretrainedLike:
    """As a transformers config."""

    def to_dict(self) -> dict[str, Any]:
        return dict(SMALL)


def test_an_object_with_to_dict_is_read_as_its_dict() -> None:
    b = pw.count(PretrainedLike())
    assert (b.stored, b.model, b.provenance.kind) == (212, "PretrainedLike", "dict")
    assert b.provenance.note == "Read from a PretrainedLike."


def test_an_object_that_says_nothing_is_refused() -> None:
    with pytest.raises(pw.SourceError, match="A object does not say which model it is"):
        pw.count(object())


def test_an_object_whose_to_dict_gives_no_mapping_is_refused() -> None:
    class Odd:
        def to_dict(self) -> list[int]:
            return [1]

    with pytest.raises(pw.SourceError, match="does not say which model it is"):
        pw.count(Odd())


def test_an_object_whose_to_dict_fails_is_refused_with_what_it_says() -> None:
    class Broken:
        def to_dict(self) -> dict[str, Any]:
            raise ValueError("no\x1b[31m config")

    with pytest.raises(
        pw.SourceError, match=r"The config of the Broken cannot be read: it fails with ValueError: no\\x1b"
    ):
        pw.count(Broken())


def test_a_breakdown_keeps_its_config_whatever_becomes_of_the_callers() -> None:
    config: dict[str, Any] = {**SMALL, "extra": {"a": [1]}}
    b = pw.count(config)
    config["hidden_size"] = 5
    config["extra"]["a"].append(2)
    assert b.config == {**SMALL, "extra": {"a": [1]}}


# ------------------------------------------------------------------ paths


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "my-model"
    made.mkdir()
    (made / "config.json").write_text(json.dumps(SMALL))
    return made


def test_a_config_json_is_read_and_labelled_by_its_folder(folder: Path) -> None:
    b = pw.count(folder / "config.json")
    assert (b.stored, b.model, b.provenance.kind) == (212, "my-model", "local")
    assert b.provenance.path == str(folder / "config.json")


def test_a_folder_is_its_config_json(folder: Path) -> None:
    assert pw.count(str(folder)).stored == 212


def test_a_json_of_another_name_is_labelled_by_it(folder: Path) -> None:
    (folder / "config.json").rename(folder / "other.json")
    assert pw.count(folder / "other.json").model == "other.json"


def test_a_relative_path_is_a_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert pw.count("./my-model").stored == 212
    assert pw.count("my-model").stored == 212
    monkeypatch.chdir(folder)
    assert pw.count(".").model == "my-model"


def test_a_folder_called_like_a_bundled_model_is_that_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "openai" / "gpt-oss-120b"
    made.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert pw.count("openai/gpt-oss-120b").stored == 116_829_156_672  # no config in it yet
    (made / "config.json").write_text(json.dumps(SMALL))
    assert pw.count("openai/gpt-oss-120b").stored == 212


def test_home_is_understood(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    assert pw.count("~/my-model").stored == 212


def local_error(kind: type[pw.SourceError], source: str | Path) -> str:
    with pytest.raises(kind) as caught:
        pw.count(source)
    assert caught.value.local
    return str(caught.value)


def test_a_missing_path_is_not_found(tmp_path: Path) -> None:
    assert local_error(pw.NotFound, tmp_path / "no.json").startswith(
        f"There is no file or folder '{tmp_path}/no.json'. Check the path"
    )


def test_the_home_of_nobody_is_not_found() -> None:
    assert "'~nobody-of-that-name/x' cannot be found" in local_error(pw.NotFound, "~nobody-of-that-name/x")


def test_a_folder_without_a_config_is_incomplete(tmp_path: Path) -> None:
    assert f"The folder '{tmp_path}' has no config.json" in local_error(pw.Incomplete, tmp_path)


def test_a_file_that_is_no_json_is_refused_by_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("x")
    assert "is not a config.json" in local_error(pw.SourceError, tmp_path / "model.txt")


def test_a_file_far_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "big.json").open("wb") as file:
        file.truncate(17 * 2**20)
    assert "big.json' has more than 16,777,216 bytes; a config.json is far smaller" in local_error(
        pw.SourceError, tmp_path / "big.json"
    )


def test_a_pipe_or_a_device_under_the_name_of_a_config_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    for name in ("pipe.json", "device.json"):
        assert f"{name}' is no regular file" in local_error(pw.SourceError, tmp_path / name)


def test_a_folder_named_like_a_config_is_that_folder(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    assert "has no config.json" in local_error(pw.Incomplete, tmp_path / "folder.json")
    (tmp_path / "folder.json" / "config.json").write_text(json.dumps(SMALL))
    assert pw.count(tmp_path / "folder.json").stored == 212


def test_standard_input_that_is_too_large_says_so_and_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(SMALL).encode() + b" " * 16 * 2**20
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert local_error(pw.SourceError, "-").startswith("Standard input has more than 16,777,216 bytes")


def test_where_there_is_no_standard_input_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "There is no standard input here" in local_error(pw.SourceError, "-")


def test_a_file_that_is_not_json_says_which_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("not json")
    with pytest.raises(pw.ConfigError, match=r"config\.json is not JSON: .* at line 1, column 1") as caught:
        pw.count(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_an_error_in_a_file_says_which_file(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({**SMALL, "hidden_size": -4}))
    with pytest.raises(pw.ConfigError) as caught:
        pw.count(folder)
    assert str(caught.value).startswith(f"{folder}/config.json: hidden_size = -4")


def test_a_file_that_may_not_be_read_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)  # root may read every file
    assert local_error(pw.SourceError, folder) == f"'{folder}/config.json' cannot be read: Permission denied."


def test_a_path_that_is_too_long_is_refused() -> None:
    assert "cannot be read: File name too long" in local_error(pw.SourceError, "./" + "x" * 5000)


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(pw.SourceError, match="The name of the model is empty"):
        pw.count("  ")


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SMALL).encode())))
    b = pw.count("-")
    assert (b.stored, b.model) == (212, "standard input")


def test_what_is_wrong_on_standard_input_is_said_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1]")))
    with pytest.raises(pw.ConfigError, match=r"^standard input holds a JSON list"):
        pw.count("-")


def test_a_revision_of_data_is_refused_and_not_ignored() -> None:
    for source in (SMALL, PretrainedLike(), None):
        with pytest.raises(pw.SourceError, match=r"revision='main' is given with a .*only a repository has"):
            pw.count(source, revision="main")


def test_with_a_revision_a_folder_called_like_a_repository_is_that_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paramwidget.sources import hub

    made = tmp_path / "me" / "mine"
    made.mkdir(parents=True)
    (made / "config.json").write_text(json.dumps(SMALL))
    monkeypatch.chdir(tmp_path)
    asked: list[tuple[str, str | None]] = []

    def open_repo(repo: str, revision: str | None, token: object) -> None:
        asked.append((repo, revision))
        raise pw.NotFound(repo)

    monkeypatch.setattr(hub, "open_repo", open_repo)
    assert pw.count("me/mine").stored == 212
    with pytest.raises(pw.NotFound):
        pw.count("me/mine", revision="v1")
    assert asked == [("me/mine", "v1")]


# ------------------------------------------------------------------ the Hub, with the real client

SECRET = "hf_" + "secret" * 5

#: case -> what is asked for
ASKED: dict[str, dict[str, Any]] = {
    "fine": {"source": "some/fine"},
    "tagged": {"source": "some/fine", "revision": "v1"},
    "bundled": {"source": "openai/gpt-oss-20b", "revision": "main"},
    "no repository": {"source": "openai/gpt-oss-210b"},
    "no revision": {"source": "some/fine", "revision": "v9"},
    "no config": {"source": "some/empty"},
    "gated": {"source": "some/gated", "token": SECRET},
    "forbidden": {"source": "some/forbidden", "token": SECRET},
    "broken": {"source": "some/broken", "token": SECRET},
    "a login page": {"source": "some/captive"},
    "not json": {"source": "some/not-json"},
    "unknown type": {"source": "some/unknown"},
    "a spaced id": {"source": "not an id"},
    "a refused file": {"source": "some/refused-file"},
    "a lost file": {"source": "some/lost-file"},
    "a broken file": {"source": "some/broken-file"},
    "asked too often": {"source": "some/busy-file"},
    "a large file": {"source": "some/large-file"},
    "an escape for a commit": {"source": "some/escaping"},
    "no commit": {"source": "some/unnamed"},
    "a branch for a commit": {"source": "some/main"},
}

CLIENT = """
import json, sys
import paramwidget as pw
for name, asked in json.load(sys.stdin).items():
    try:
        b = pw.count(asked.pop("source"), **asked)
        found = {"stored": b.stored, "repo": b.provenance.repo, "revision": b.provenance.revision,
                 "kind": b.provenance.kind, "label": b.provenance.label, "claims": len(b.claims),
                 "note": b.provenance.note}
    except pw.ParamWidgetError as e:
        found = {"error": type(e).__name__, "text": str(e), "cause": str(e.__cause__)}
    print(json.dumps([name, found]))
"""


def ask(asked: dict[str, dict[str, Any]], home: Path, **environment: str) -> dict[str, dict[str, Any]]:
    """The answers to some requests, in a process of its own: the client reads its environment once."""
    clean = {
        k: v for k, v in os.environ.items() if not k.startswith("HF_") and not k.lower().endswith("_proxy")
    }
    done = subprocess.run(
        [sys.executable, "-c", CLIENT],
        input=json.dumps(asked),
        env={**clean, "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1", "NO_PROXY": "*", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(line) for line in done.stdout.splitlines())


def refused(status: int, code: str, body: str, where: str) -> Fault:
    return Fault(status=status, code=code, body=body, where=where)


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    text = json.dumps(SMALL)
    hub = Hub()
    older = json.dumps({**SMALL, "vocab_size": 16})
    hub.add("some/fine", {"config.json": older}, commit=OLD, names=("v1",))
    for repo, files in {
        "some/fine": {"config.json": text},
        "openai/gpt-oss-20b": {"config.json": text},
        "some/empty": {},
        "some/not-json": {"config.json": "<html>"},
        "some/unknown": {"config.json": json.dumps({"model_type": "qwen9"})},
        "some/large-file": {"config.json": File(b"", 16 * 2**20 + 1)},
    }.items():
        hub.add(repo, files)
    for repo, status, body in (
        ("some/refused-file", 403, "Forbidden"),
        ("some/lost-file", 404, "Not here"),
        ("some/broken-file", 500, "Internal error"),
        ("some/busy-file", 429, "Too many requests"),
    ):
        hub.add(repo, {"config.json": text}, faults=[refused(status, "", body, "file")])
    for repo, named in (("some/escaping", "\x1b[2J"), ("some/unnamed", None), ("some/main", "main")):
        hub.add(repo, {"config.json": text}, named=named)
    for repo, status, code, body in (
        ("some/gated", 403, "GatedRepo", "Access is restricted"),
        ("some/forbidden", 403, "", "Forbidden"),
        ("some/broken", 500, "", f"Internal error, your token was {SECRET}"),
        ("some/captive", 200, "", "<html>Please log in to this network</html>"),
    ):
        hub.add(repo, {}, faults=[refused(status, code, body, "any")])
    with serve(hub):
        yield hub
        assert hub.wrongs == []


@pytest.fixture(scope="module")
def answers(hub: Hub, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return ask(ASKED, tmp_path_factory.mktemp("hf"), HF_ENDPOINT=hub.address)


Answers = dict[str, dict[str, Any]]


def test_a_repository_is_counted_at_the_commit_that_its_branch_names(answers: Answers) -> None:
    assert answers["fine"] == {
        "stored": 212,
        "repo": "some/fine",
        "revision": SHA,
        "kind": "hub",
        "label": f"Hub, @ {SHA[:12]}",
        "claims": 0,
        "note": f"config.json at commit {SHA}.",
    }


def test_every_request_after_the_first_names_the_commit(hub: Hub, answers: Answers) -> None:
    assert "stored" in answers["bundled"]
    first, *others = hub.asked_about("openai/gpt-oss-20b")
    assert (first.method, first.bare) == ("GET", "/api/models/openai/gpt-oss-20b/revision/main")
    assert others
    assert all(SHA in asked.path and "/main" not in asked.path for asked in others)


def test_a_tag_is_counted_at_its_commit(answers: Answers) -> None:
    assert (answers["tagged"]["stored"], answers["tagged"]["revision"]) == (276, OLD)


def test_a_revision_of_a_bundled_model_is_asked_of_the_hub_and_keeps_its_claims(answers: Answers) -> None:
    assert (answers["bundled"]["kind"], answers["bundled"]["stored"], answers["bundled"]["claims"]) == (
        "hub",
        212,
        5,
    )


def test_a_missing_repository_is_not_found_with_the_nearest_bundled(answers: Answers) -> None:
    assert answers["no repository"]["error"] == "NotFound"
    text = answers["no repository"]["text"]
    assert text.startswith("openai/gpt-oss-210b: the Hub knows no such repository, or it is private.")
    assert "The nearest bundled: openai/gpt-oss-20b, openai/gpt-oss-120b or" in text


def test_a_missing_revision_is_not_found_and_nothing_else_is_read(hub: Hub, answers: Answers) -> None:
    assert answers["no revision"]["error"] == "NotFound"
    assert answers["no revision"]["text"].startswith(
        "some/fine at revision 'v9': the repository has no such revision."
    )
    assert (
        "So there is no config.json to read; nothing was read from another one"
        in answers["no revision"]["text"]
    )
    assert answers["no revision"]["text"].endswith("Incomplete.")
    assert hub.asked_about("some/fine")[-1].bare == "/api/models/some/fine/revision/v9"


def test_a_commit_without_a_config_is_incomplete(answers: Answers) -> None:
    assert answers["no config"]["error"] == "Incomplete"
    assert answers["no config"]["text"].startswith("some/empty has no config.json.")


def test_a_gated_repository_says_what_to_do(answers: Answers) -> None:
    assert answers["gated"]["error"] == "AccessDenied"
    assert answers["gated"]["text"] == (
        "some/gated is gated, and the account of this token has no access. Accept its terms on its page, or wait "
        "until you are let in."
    )


def test_a_refused_request_is_access_denied(answers: Answers) -> None:
    assert answers["forbidden"]["error"] == "AccessDenied"
    assert "the Hub refuses access (403)" in answers["forbidden"]["text"]


def test_a_hub_that_fails_is_unreachable_with_its_status(answers: Answers) -> None:
    assert answers["broken"]["error"] == "Unreachable"
    assert answers["broken"]["text"].startswith("some/broken: the Hub answered with status 500.")


def test_a_login_page_in_the_place_of_the_hub_is_unreachable(answers: Answers) -> None:
    assert answers["a login page"]["error"] == "Unreachable"
    assert "the answer is not the Hub's" in answers["a login page"]["text"]


def test_a_config_on_the_hub_that_is_not_json_names_repository_and_commit(answers: Answers) -> None:
    assert answers["not json"]["error"] == "ConfigError"
    assert answers["not json"]["text"].startswith(f"some/not-json @ {SHA[:12]}, config.json is not JSON")


def test_an_unknown_type_on_the_hub_names_repository_and_commit(answers: Answers) -> None:
    assert answers["unknown type"]["error"] == "UnknownArchitecture"
    assert answers["unknown type"]["text"].startswith(
        f"some/unknown @ {SHA[:12]}, config.json: model_type 'qwen9' is not described here."
    )


def test_what_is_no_repository_id_is_refused_without_a_request(hub: Hub, answers: Answers) -> None:
    assert answers["a spaced id"]["error"] == "SourceError"
    assert answers["a spaced id"]["text"].startswith("'not an id' is not a repository id (owner/name)")
    assert not hub.asked_about("not%20an%20id")
    assert not hub.asked_about("not an id")


@pytest.mark.parametrize(
    ("case", "kind", "said"),
    [
        ("a refused file", "AccessDenied", "some/refused-file: the Hub refuses config.json (403)."),
        ("a lost file", "NotFound", "some/lost-file: the Hub finds no config.json (404)."),
        (
            "a broken file",
            "Unreachable",
            "some/broken-file: the Hub answered with status 500 about config.json.",
        ),
        ("asked too often", "Unreachable", "some/busy-file: the Hub was asked too often (429)."),
        ("a large file", "SourceError", "some/large-file: config.json has 16,777,217 bytes;"),
    ],
)
def test_what_stands_against_the_file_is_said_at_once_as_what_it_is(
    hub: Hub, answers: Answers, case: str, kind: str, said: str
) -> None:
    assert (answers[case]["error"], answers[case]["text"][: len(said)]) == (kind, said)
    methods = [asked.method for asked in hub.asked_about(ASKED[case]["source"])]
    assert methods == [
        "GET",
        "HEAD",
    ]  # about the repository, and about the file: neither again, nor its bytes


@pytest.mark.parametrize("case", ["an escape for a commit", "no commit", "a branch for a commit"])
def test_what_is_no_commit_pins_nothing_and_is_incomplete(hub: Hub, answers: Answers, case: str) -> None:
    repo = ASKED[case]["source"]
    assert answers[case]["error"] == "Incomplete"
    assert answers[case]["text"].startswith(
        f"The Hub named no commit for {repo} but {hub.repos[repo].named!r}, so"
    )
    assert answers[case]["text"].isprintable()


@pytest.mark.parametrize("case", ASKED)
def test_no_error_tells_the_token_or_another_librarys_cause(answers: Answers, case: str) -> None:
    assert SECRET not in json.dumps(answers[case])
    assert answers[case].get("cause", "None") == "None"


def unused_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def test_a_hub_that_does_not_answer_is_unreachable_and_says_what_would_help(tmp_path: Path) -> None:
    asked = {"x": {"source": "openai/gpt-oss-12b"}}
    found = ask(asked, tmp_path, HF_ENDPOINT=f"http://127.0.0.1:{unused_port()}")["x"]
    assert found["error"] == "Unreachable"
    assert found["text"].startswith("openai/gpt-oss-12b: the Hub cannot be reached (")
    assert "and it is not bundled" in found["text"]
    assert "The nearest bundled: openai/gpt-oss-120b" in found["text"]
    assert (
        "With a network, any model on the Hub that has a config.json of a known architecture" in found["text"]
    )


def test_offline_a_bundled_model_answers_and_another_is_unreachable(tmp_path: Path) -> None:
    asked = {"bundled": {"source": "Qwen/Qwen3-8B"}, "other": {"source": "Qwen/Qwen3-9B"}}
    found = ask(asked, tmp_path, HF_HUB_OFFLINE="1")
    assert (found["bundled"]["stored"], found["bundled"]["kind"]) == (8_190_735_360, "catalog")
    assert found["other"]["error"] == "Unreachable"
    assert "Qwen/Qwen3-8B" in found["other"]["text"]


def test_a_saved_token_that_is_not_there_is_access_denied(tmp_path: Path) -> None:
    asked = {"x": {"source": "some/fine", "token": True}}
    found = ask(asked, tmp_path, HF_ENDPOINT=f"http://127.0.0.1:{unused_port()}")["x"]
    assert found["error"] == "AccessDenied"
    assert "token=True asks for the saved token, and there is none" in found["text"]


def test_offline_the_cache_answers_at_the_commit_that_it_holds(hub: Hub, tmp_path: Path) -> None:
    asked = {"x": {"source": "some/fine"}}
    online = ask(asked, tmp_path, HF_ENDPOINT=hub.address)["x"]
    offline = ask({"x": {"source": "some/fine", "revision": SHA}}, tmp_path, HF_HUB_OFFLINE="1")["x"]
    assert (offline["stored"], offline["revision"]) == (online["stored"], online["revision"]) == (212, SHA)


def test_offline_the_only_commit_in_the_cache_answers_where_none_was_asked_for(
    hub: Hub, tmp_path: Path
) -> None:
    ask({"x": {"source": "some/fine"}}, tmp_path, HF_ENDPOINT=hub.address)
    asked: dict[str, dict[str, Any]] = {
        "x": {"source": "some/fine"},
        "main": {"source": "some/fine", "revision": "main"},
    }
    offline = ask(asked, tmp_path, HF_HUB_OFFLINE="1")
    assert (offline["x"]["stored"], offline["x"]["revision"]) == (212, SHA)
    assert offline["x"]["note"] == (
        f"config.json at commit {SHA}, the only one in the cache of this machine, as HF_HUB_OFFLINE is set."
    )
    assert offline["main"]["error"] == "Unreachable"  # which commit main names is not known


def test_offline_the_commit_downloaded_last_answers_of_several(hub: Hub, tmp_path: Path) -> None:
    for revision in ("v1", SHA, "v1"):
        ask({"x": {"source": "some/fine", "revision": revision}}, tmp_path, HF_ENDPOINT=hub.address)
    offline = ask({"x": {"source": "some/fine"}}, tmp_path, HF_HUB_OFFLINE="1")["x"]
    assert (offline["stored"], offline["revision"]) == (212, SHA)
    assert f"commit {SHA}, downloaded last of the 2 in the cache" in offline["note"]


def test_a_cache_that_cannot_be_written_is_said_to_be_it(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = ask({"x": {"source": "some/fine"}}, tmp_path / "file", HF_ENDPOINT=hub.address)["x"]
    assert found["error"] == "SourceError"
    assert found["text"].startswith(f"some/fine: the cache folder cannot be written ('{tmp_path}/file")
    assert "Not a directory" in found["text"]
    assert "Set HF_HOME" in found["text"]


@pytest.mark.parametrize(
    "address",
    ["not a url", "http://[::1", "ftp://x", "http://", "", "localhost:80", "http://x:99999", "http://x\x1b"],
)
def test_an_endpoint_that_is_no_address_is_said_to_be_it(address: str, tmp_path: Path) -> None:
    found = ask({"x": {"source": "some/fine"}}, tmp_path, HF_ENDPOINT=address)["x"]
    assert found["error"] == "SourceError"
    assert found["text"].startswith(
        f"HF_ENDPOINT = {address!r} is not the address of a Hub. Write it like https://"
    )


def test_offline_a_revision_of_a_bundled_model_is_not_answered_by_the_snapshot(tmp_path: Path) -> None:
    asked = {"x": {"source": "openai/gpt-oss-20b", "revision": "main"}}
    found = ask(asked, tmp_path, HF_HUB_OFFLINE="1")["x"]
    assert found["error"] == "Unreachable"
    assert found["text"].startswith("openai/gpt-oss-20b at revision 'main': HF_HUB_OFFLINE is set")
    assert "Without a revision, the bundled snapshot answers" in found["text"]


@pytest.mark.parametrize("name", ["http://[::1", "https://", "a\0b/c", "x" * 100_000, "caf\udce9/x", "-\x1b"])
def test_whatever_a_name_holds_it_is_refused_in_one_short_line(name: str) -> None:
    with pytest.raises(pw.SourceError) as caught:
        pw.count(name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600
