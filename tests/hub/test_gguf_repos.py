"""Repositories of GGUF files on the Hub: one is read by range at one commit, the others are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from gguf_model import metadata, tensors
from gguf_writer import Tensor, header

import paramwidget as pw
from paramwidget.cli import main
from paramwidget.sources import open_source

from . import SHA, Fault, File, Hub

SMALL = {
    "architectures": ["LlamaForCausalLM"],
    "vocab_size": 512,
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "tie_word_embeddings": False,
}
MODEL = pw.count(SMALL)
META, TENSORS = metadata(MODEL, "llama"), list(tensors(MODEL))
STORED = 1_574_144
REPO = "owner/Small-GGUF"


def gguf(dtype: str, held: list[Tensor] = TENSORS, meta: dict[str, object] = META) -> File:
    of = [t._replace(dtype=dtype if len(t.shape) > 1 else "F32") for t in held]
    text, size = header(meta, of)
    return File(text, size)


def split(dtype: str, parts: int = 3) -> dict[str, File]:
    found = {}
    for i in range(parts):
        own: dict[str, object] = {"split.no": i, "split.count": parts, "split.tensors.count": len(TENSORS)}
        meta = {**META, **own} if i == 0 else own
        found[f"{dtype}/Small-{dtype}-{i + 1:05}-of-{parts:05}.gguf"] = gguf(dtype, TENSORS[i::parts], meta)
    return found


FILES = {
    "README.md": "# Small",
    "Small-Q4_K.gguf": gguf("Q4_K"),
    "Small-Q8_0.gguf": gguf("Q8_0"),
    "mmproj-Small-F16.gguf": gguf("F16", [Tensor("v.patch_embd.weight", (14, 14, 3, 64))]),
    **split("BF16"),
}


def test_a_repository_without_a_config_is_counted_from_one_of_its_files(hub: Hub) -> None:
    hub.add(REPO, FILES)
    opened = open_source(REPO)
    b = pw.count(REPO)
    assert (b.stored, b.model_type) == (STORED, "llama")
    assert b.provenance.revision == SHA
    assert b.provenance.note.startswith(
        f"BF16/Small-BF16-00001-of-00003.gguf at commit {SHA}. 21 tensors of 3 GGUF"
    )
    assert opened.inventory is not None
    assert [(o.path, o.why) for o in opened.inventory.others] == [
        ("Small-Q8_0.gguf", "the same model in Q8_0, 8.53 bits per weight"),
        ("Small-Q4_K.gguf", "the same model in Q4_K, 4.53 bits per weight"),
        ("mmproj-Small-F16.gguf", "not counted here: the towers that it sees and hears with"),
    ]


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (f"{REPO}:Q4_K", ["Small-Q4_K.gguf"]),
        (f"{REPO}:q8_0", ["Small-Q8_0.gguf"]),
        (f"{REPO}:BF16", list(split("BF16"))),
        (f"{REPO}/Small-Q8_0.gguf", ["Small-Q8_0.gguf"]),
        (f"{REPO}/BF16/Small-BF16-00002-of-00003.gguf", list(split("BF16"))),
    ],
)
@pytest.mark.parametrize("revision", [None, "main", SHA])
def test_one_is_named_as_llama_cpp_names_it_or_by_its_path(
    source: str, read: list[str], revision: str | None, hub: Hub
) -> None:
    hub.add(REPO, FILES)
    found = open_source(source, revision=revision).inventory
    assert found is not None
    assert [f.path for f in found.files] == read
    assert (found.elements, found.revision) == (STORED, SHA)
    assert {a.bare.split("/resolve/")[1].split("/")[0] for a in hub.asked if "/resolve/" in a.bare} == {SHA}


@pytest.mark.parametrize("check", [False, True])
def test_the_address_of_a_files_page_names_the_file(check: bool, hub: Hub) -> None:
    hub.add(REPO, FILES)
    b = pw.count(f"https://huggingface.co/{REPO}/blob/main/Small-Q4_K.gguf", check=check)
    assert b.provenance.note.startswith(f"Small-Q4_K.gguf at commit {SHA}.")
    assert b.model == f"{REPO}/Small-Q4_K.gguf"


def test_the_towers_are_counted_where_they_are_asked_for(hub: Hub) -> None:
    hub.add(REPO, FILES)
    assert pw.count(f"{REPO}/mmproj-Small-F16.gguf").by_role() == {"vision": 14 * 14 * 3 * 64}


def test_a_quantization_that_is_not_there_names_those_that_are(hub: Hub) -> None:
    hub.add(REPO, FILES)
    with pytest.raises(
        pw.NotFound, match=r"owner/Small-GGUF has no quantization 'Q4_K_M'. The nearest: Q4_K\W"
    ):
        pw.count(f"{REPO}:Q4_K_M")


def test_a_config_beside_gguf_files_decides_and_the_check_reads_a_file(hub: Hub) -> None:
    import json

    hub.add(REPO, {**FILES, "config.json": json.dumps(SMALL)})
    assert pw.count(REPO).provenance.note == f"config.json at commit {SHA}."
    residual = pw.count(REPO, check=True).residual
    assert residual is not None
    assert (residual.predicted, residual.found_parameters, residual.explained) == (STORED, STORED, True)


def test_without_a_config_the_check_holds_the_file_against_its_hyper_parameters(hub: Hub) -> None:
    hub.add(REPO, FILES)
    residual = pw.count(REPO, check=True).residual
    assert residual is not None
    assert (residual.predicted, residual.found_parameters, residual.explained) == (STORED, STORED, True)


def test_no_more_is_read_than_the_headers(hub: Hub) -> None:
    big = [*TENSORS, Tensor("rope_freqs.weight", (2**26,), "F32")]
    meta = {**META, "tokenizer.ggml.tokens": ["x" * 8] * 100_000}
    file = gguf("BF16", big, meta)
    hub.add(REPO, {"Small-BF16.gguf": file})
    assert pw.count(f"{REPO}:BF16").stored == STORED
    assert sum(a.sent for a in hub.asked if a.bare.endswith(".gguf")) < 2 * len(file.head)


def test_a_revision_that_is_not_there_is_an_error(hub: Hub) -> None:
    hub.add(REPO, FILES)
    with pytest.raises(pw.NotFound, match="at revision 'v2'"):
        pw.count(f"{REPO}:Q4_K", revision="v2")


def test_a_missing_part_on_the_hub_is_incomplete(hub: Hub) -> None:
    files = {k: v for k, v in split("BF16").items() if "00002" not in k}
    hub.add(REPO, files)
    with pytest.raises(
        pw.Incomplete, match=r"Parts are missing \(1 of 3\): BF16/Small-BF16-00002-of-00003.gguf"
    ):
        pw.count(REPO)


def test_what_is_no_gguf_file_on_the_hub_names_repository_commit_and_file(hub: Hub) -> None:
    hub.add(REPO, {"m-Q8_0.gguf": File(b"<html>", 4096)})
    with pytest.raises(pw.BadCheckpoint, match=rf"^{REPO} @ {SHA[:12]}, m-Q8_0.gguf: it begins with b'<htm'"):
        pw.count(REPO)


def test_a_connection_that_breaks_is_taken_up_again(hub: Hub) -> None:
    hub.add(REPO, FILES, faults=[Fault(how="reset", path="Small-Q4_K.gguf", where="cdn", times=1)])
    assert pw.count(f"{REPO}:Q4_K").stored == STORED


def test_a_repository_with_neither_config_nor_gguf_is_incomplete_as_before(hub: Hub) -> None:
    hub.add("owner/empty", {"README.md": "nothing"})
    with pytest.raises(pw.Incomplete, match=r"owner/empty has no config\.json"):
        pw.count("owner/empty")


def test_offline_the_cache_of_this_machine_answers(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(pw.Unreachable, match="HF_HUB_OFFLINE is set"):
        pw.count(f"{REPO}:Q4_K")
    folder = Path(constants.HF_HUB_CACHE, "models--owner--Small-GGUF")
    (folder / "snapshots" / SHA).mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(SHA)
    file = gguf("Q4_K")
    path = folder / "snapshots" / SHA / "Small-Q4_K.gguf"
    path.write_bytes(file.head)
    with path.open("r+b") as opened:
        opened.truncate(file.size)
    for revision in (None, "main", SHA):
        b = pw.count(f"{REPO}:Q4_K", revision=revision)
        assert (b.stored, b.provenance.revision, b.provenance.fetched) == (STORED, SHA, None)
    assert pw.count(folder).stored == STORED
    with pytest.raises(pw.Unreachable, match=r"has no '\.\./\.\./\.\.' of it"):
        pw.count(f"{REPO}:Q4_K", revision="../../..")
    assert hub.asked == []


@pytest.mark.parametrize("check", [False, True])
def test_the_files_are_listed_once_and_read_at_one_commit(hub: Hub, check: bool) -> None:
    hub.add(REPO, FILES)
    assert pw.count(REPO, check=check).stored == STORED
    api = [a.path for a in hub.asked if "/api/" in a.path]
    assert sum("blobs=true" in path for path in api) == 1
    assert all(SHA in path for path in api[1:])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"{REPO}:Q2_K", "has no quantization 'Q2_K'"),
        (f"{REPO}/not-there.gguf", "has no quantization 'not-there.gguf'"),
        ("owner/other:Q4_K", "owner/other has no GGUF file."),
    ],
)
def test_what_a_repository_has_not_is_exit_3(
    hub: Hub, source: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.add(REPO, FILES)
    hub.add("owner/other", {"config.json": "{}"})
    assert main(["check", source]) == 3
    assert said in capsys.readouterr().err


def test_offline_a_branch_of_the_cache_that_names_no_commit_is_not_followed(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from huggingface_hub import constants

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "m.gguf").write_bytes(gguf("Q4_K").head)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    folder = Path(constants.HF_HUB_CACHE, "models--owner--Small-GGUF")
    (folder / "snapshots").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(str(elsewhere))
    with pytest.raises(pw.Unreachable, match="the cache of this machine has no 'main' of it"):
        pw.count(f"{REPO}:Q4_K")
