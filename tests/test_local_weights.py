"""Weights on this machine: a safetensors file alone, folders of them, the Hugging Face cache, and pickles."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hub import safetensors, sharded

import paramwidget as pw
from paramwidget.sources import open_source

SHA = "0123456789abcdef0123456789abcdef01234567"
SMALL = {
    "architectures": ["LlamaForCausalLM"],
    "vocab_size": 32,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "tie_word_embeddings": True,
}
STORED = 4_944  # 32 × 16 + 2 × (4 × 16 × 16 + 3 × 16 × 24 + 2 × 16) + 16


def tensors() -> list[tuple[str, str, tuple[int, ...]]]:
    """What a file of SMALL holds: the tied head is not in it."""
    found = []
    for t in pw.count(SMALL).tensors:
        for layer in list(t.layers) or [0]:
            if not t.tied_to:
                found.append((t.name.replace("{layer}", str(layer)), "BF16", tuple(map(int, t.shape))))
    return found


def put(folder: Path, files: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, dict):
            path.write_text(json.dumps(file))
        elif isinstance(file, bytes):
            path.write_bytes(file)
        else:
            path.write_bytes(file.head)
            os.truncate(path, file.size)
    return folder


# ------------------------------------------------------------------ a file


def test_a_safetensors_file_alone_is_counted_from_names_and_shapes(tmp_path: Path) -> None:
    put(tmp_path, {"model.safetensors": safetensors(tensors())})
    b = pw.count(tmp_path / "model.safetensors")
    assert b.stored == STORED
    assert b.by_role() == {"embedding": 512, "attention": 2048, "mlp": 2304, "norm": 80}
    assert "counted from the names and shapes in the files' headers" in b.provenance.note


def test_a_config_beside_a_safetensors_file_decides_and_the_file_is_checked(tmp_path: Path) -> None:
    put(tmp_path, {"model.safetensors": safetensors(tensors()), "config.json": SMALL})
    opened = open_source(tmp_path / "model.safetensors")
    assert opened.inventory is not None
    assert opened.inventory.elements == STORED
    b = pw.count(tmp_path / "model.safetensors", check=True)
    assert (b.stored, b.model_type) == (STORED, "llama")
    assert b.residual is not None
    assert b.residual.explained


def test_a_shard_stands_for_all_of_them(tmp_path: Path) -> None:
    held = tensors()
    put(tmp_path, {**sharded([held[:7], held[7:]]), "other.safetensors": safetensors(held[:1])})
    assert pw.count(tmp_path / "model-00002-of-00002.safetensors").stored == STORED
    assert pw.count(tmp_path / "other.safetensors").stored == 512


def test_an_adapter_beside_a_config_is_counted_as_what_it_is(tmp_path: Path) -> None:
    name = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"
    put(tmp_path, {"adapter_model.safetensors": safetensors([(name, "F32", (8, 16))]), "config.json": SMALL})
    assert pw.count(tmp_path / "adapter_model.safetensors").stored == 128


@pytest.mark.parametrize("kind", ["missing", "empty", "pipe", "cut", "html"])
def test_a_file_that_cannot_be_read_says_why(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    put(tmp_path, {"config.json": SMALL})
    file = safetensors(tensors())
    if kind == "pipe":
        os.mkfifo(path)
    elif kind != "missing":
        path.write_bytes({"empty": b"", "cut": file.head[:200], "html": b"<html>not here</html>"}[kind])
    words = {
        "missing": "There is no file",
        "empty": "is empty. Download it again",
        "pipe": "is no regular file",
        "cut": "announces a header of .* and has 200 in all",
        "html": "is a web page, not a safetensors file",
    }
    with pytest.raises(pw.SourceError, match=words[kind]):
        pw.count(path)


# ------------------------------------------------------------------ a folder


@pytest.mark.parametrize("parts", [1, 3])
def test_a_folder_without_a_config_is_counted_from_its_files(parts: int, tmp_path: Path) -> None:
    held = tensors()
    if parts == 1:
        put(tmp_path, {"model.safetensors": safetensors(held)})
    else:
        put(tmp_path, sharded([held[i::parts] for i in range(parts)]))
    assert pw.count(tmp_path).stored == STORED


def test_a_folder_of_pickles_is_counted_from_its_config_and_says_so(tmp_path: Path) -> None:
    put(tmp_path, {"config.json": SMALL, "pytorch_model.bin": b"\x80\x02.", "training_args.bin": b"x"})
    for source in (tmp_path, tmp_path / "pytorch_model.bin"):
        b = pw.count(source)
        assert b.stored == STORED
        assert b.provenance.note == (
            "Its weights are pytorch_model.bin, a pickle, which has no header to read and is never run: "
            "counted from the config alone."
        )
    residual = pw.count(tmp_path, check=True).residual
    assert residual is not None
    assert any("has no header to read" in problem for problem in residual.problems)


def test_a_pickle_without_a_config_is_refused(tmp_path: Path) -> None:
    put(tmp_path, {"pytorch_model.bin": b"cos\nsystem\n(S'touch ran'\ntR."})
    with pytest.raises(pw.Incomplete, match="is a pickle, which has no header to read and is never run"):
        pw.count(tmp_path / "pytorch_model.bin")
    with pytest.raises(pw.Incomplete, match=r"has no config\.json"):
        pw.count(tmp_path)
    assert not Path("ran").exists()


def test_an_empty_folder_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(pw.Incomplete, match=r"has no config\.json, .* and no weights in safetensors or GGUF"):
        pw.count(tmp_path)


def test_a_folder_that_is_called_like_a_repository_is_read_if_it_holds_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "owner" / "name", {"model.safetensors": safetensors(tensors())})
    monkeypatch.chdir(tmp_path)
    assert pw.count("owner/name").stored == STORED


# ------------------------------------------------------------------ the Hugging Face cache


def cache(folder: Path, files: dict[str, Any], *, main: str | None = SHA) -> Path:
    """The cache's folder of a repository: blobs, links to them in a snapshot, and what main names."""
    root = folder / "models--owner--name"
    put(root / "blobs", files)
    snapshot = root / "snapshots" / SHA
    snapshot.mkdir(parents=True)
    for name in files:
        (snapshot / name).symlink_to(root / "blobs" / name)
    if main:
        put(root / "refs", {"main": main.encode()})
    return root


def test_the_cache_folder_of_a_repository_is_read_at_the_commit_of_main(tmp_path: Path) -> None:
    root = cache(tmp_path, {"config.json": SMALL, "model.safetensors": safetensors(tensors())})
    for source in (root, root / "snapshots" / SHA):
        b = pw.count(source, check=True)
        assert (b.model, b.stored) == ("owner/name", STORED)
        assert (b.provenance.repo, b.provenance.revision) == ("owner/name", SHA)
        assert b.residual is not None
        assert b.residual.explained


def test_a_cache_folder_without_main_is_read_if_it_has_one_snapshot(tmp_path: Path) -> None:
    root = cache(tmp_path, {"config.json": SMALL}, main=None)
    assert pw.count(root).stored == STORED
    (root / "snapshots" / ("f" * 40)).mkdir()
    with pytest.raises(pw.Incomplete, match="holds 2 snapshots, and refs/main names none of them"):
        pw.count(root)


def test_a_main_that_points_out_of_the_cache_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "outside", {"config.json": {**SMALL, "vocab_size": 7}})
    root = cache(tmp_path, {"config.json": SMALL}, main="../../outside")
    assert pw.count(root).stored == STORED
