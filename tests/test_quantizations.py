"""Folders of GGUF files: parts of one model, many quantizations of one, towers, and several models."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from gguf_model import metadata, tensors
from gguf_writer import Tensor, header, write

import paramwidget as pw
from paramwidget.sources import open_source
from paramwidget.sources.gguf_files import parts_of
from paramwidget.sources.quantizations import choose, quantizations

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
#: what each type takes of the model's 1,573,120 elements: 256 a block
STORED = 1_574_144


def quantized(dtype: str) -> list[Tensor]:
    return [t._replace(dtype=dtype if len(t.shape) > 1 else "F32") for t in TENSORS]


def split(folder: Path, stem: str, dtype: str, parts: int) -> list[Path]:
    """A model in parts, as llama-gguf-split writes it: all hyper-parameters in the first."""
    held, paths = quantized(dtype), []
    for i in range(parts):
        own = {"split.no": i, "split.count": parts, "split.tensors.count": len(held)}
        meta = {**META, **own} if i == 0 else own
        paths.append(folder / f"{stem}-{i + 1:05}-of-{parts:05}.gguf")
        write(paths[-1], meta, held[i::parts])
    return paths


# ------------------------------------------------------------------ parts


@pytest.mark.parametrize("which", [0, 1, 2])
def test_any_part_stands_for_the_whole_model(which: int, tmp_path: Path) -> None:
    opened = open_source(split(tmp_path, "m", "Q8_0", 3)[which])
    assert opened.inventory is not None
    assert len(opened.inventory.files) == 3
    assert {t.file for t in opened.inventory.tensors} == {0, 1, 2}
    assert opened.inventory.problems == ()
    assert pw.count(tmp_path / "m-00001-of-00003.gguf").stored == MODEL.stored == STORED


def test_a_missing_part_is_named_and_nothing_is_counted(tmp_path: Path) -> None:
    first, second, _ = split(tmp_path, "m", "Q8_0", 3)
    second.unlink()
    with pytest.raises(pw.Incomplete, match=r"Parts are missing \(1 of 3\): m-00002-of-00003.gguf\. "):
        pw.count(first)


def test_one_file_for_each_tensor_is_a_model_too(tmp_path: Path) -> None:
    # Thireus' files: the first part holds hyper-parameters and no tensor
    n = len(TENSORS) + 1
    write(tmp_path / f"m-00001-of-{n:05}.gguf", {**META, "split.count": n}, [])
    for i, t in enumerate(TENSORS, 2):
        write(tmp_path / f"m-{i:05}-of-{n:05}.gguf", {"split.no": i - 1, "split.count": n}, [t])
    b = pw.count(tmp_path / f"m-00001-of-{n:05}.gguf")
    assert (b.stored, b.model_type) == (STORED, "llama")


def test_what_the_parts_say_of_their_number_is_compared(tmp_path: Path) -> None:
    own = {"split.count": 4, "split.tensors.count": 99}
    found = open_source(write(tmp_path / "m.gguf", {**META, **own}, TENSORS)).inventory
    assert found is not None
    assert found.problems == (
        "split.count says 4 files, and there are 1.",
        "split.tensors.count says 99 tensors, and there are 21.",
    )


def test_parts_that_were_merged_still_say_so_and_are_believed(tmp_path: Path) -> None:
    own = {"split.count": 0, "split.tensors.count": len(TENSORS)}
    found = open_source(write(tmp_path / "m.gguf", {**META, **own}, TENSORS)).inventory
    assert found is not None
    assert found.problems == ()


def test_a_tensor_in_two_parts_is_refused(tmp_path: Path) -> None:
    for i in (1, 2):
        write(tmp_path / f"m-0000{i}-of-00002.gguf", META, TENSORS)
    with pytest.raises(pw.BadCheckpoint, match=r"the tensor 'token_embd\.weight' is also in"):
        pw.count(tmp_path / "m-00001-of-00002.gguf")


def test_a_number_of_parts_that_no_model_has_is_one_file() -> None:
    assert parts_of("m-00001-of-99999999.gguf", ["m-00001-of-99999999.gguf"]) == (
        ["m-00001-of-99999999.gguf"],
        [],
    )


# ------------------------------------------------------------------ many quantizations


def folder_of(folder: Path, *dtypes: str, stem: str = "Small") -> Path:
    for dtype in dtypes:
        write(folder / f"{stem}-{dtype}.gguf", META, quantized(dtype))
    return folder


def test_of_many_quantizations_one_is_read_and_the_others_are_listed_never_summed(tmp_path: Path) -> None:
    folder_of(tmp_path, "Q4_K", "Q8_0", "BF16")
    opened = open_source(str(tmp_path))
    assert opened.inventory is not None
    assert pw.count(str(tmp_path)).stored == STORED
    assert [f.path.rpartition("/")[2] for f in opened.inventory.files] == ["Small-BF16.gguf"]
    # of the whole file: 1,572,864 × 4.5 bits, 1,280 × 32 bits, and 1.5 kB of header
    assert [(o.path, o.files, o.why) for o in opened.inventory.others] == [
        ("Small-Q8_0.gguf", 1, "the same model in Q8_0, 8.53 bits per weight"),
        ("Small-Q4_K.gguf", 1, "the same model in Q4_K, 4.53 bits per weight"),
    ]
    assert "Beside it, not counted: 2 more." in opened.provenance.note


def test_one_of_many_is_named_by_its_quantization_or_by_its_path(tmp_path: Path) -> None:
    folder_of(tmp_path, "Q4_K", "Q8_0")
    for source in (f"{tmp_path}:Q4_K", f"{tmp_path}:q4_k", tmp_path / "Small-Q4_K.gguf"):
        found = open_source(source).inventory
        assert found is not None
        assert found.files[0].path == "Small-Q4_K.gguf"
        assert found.elements == STORED


def test_a_quantization_that_is_not_there_is_an_error_with_those_that_are(tmp_path: Path) -> None:
    folder_of(tmp_path, "Q4_K", "Q8_0")
    with pytest.raises(
        pw.NotFound, match=r"has no quantization 'Q4_1'. The nearest: Q4_K.* Small-Q8_0.gguf \(Q8_0, "
    ):
        pw.count(f"{tmp_path}:Q4_1")


def test_several_models_in_one_folder_are_listed_and_none_is_chosen(tmp_path: Path) -> None:
    folder_of(tmp_path, "Q8_0")
    folder_of(tmp_path, "Q8_0", "Q4_K", stem="Other")
    with pytest.raises(pw.SourceError, match=r"holds 3 GGUF models: .* Give the path of one of them"):
        pw.count(str(tmp_path))
    with pytest.raises(pw.SourceError, match="holds 3 GGUF models"):
        pw.count(f"{tmp_path}:Q8_0")
    found = open_source(f"{tmp_path}:Q4_K").inventory
    assert found is not None
    assert [o.why for o in found.others] == ["the same model in Q8_0, 8.53 bits per weight", "another model"]


def test_quantizations_in_a_folder_each_are_found(tmp_path: Path) -> None:
    for dtype in ("Q4_K", "Q8_0"):
        (tmp_path / dtype).mkdir()
        split(tmp_path / dtype, f"Small-{dtype}", dtype, 2)
    assert pw.count(f"{tmp_path}:Q4_K").stored == STORED
    assert [
        (q.tag, len(q.files))
        for q in quantizations({"Q8_0/m-00001-of-00002.gguf": 1, "Q8_0/m-00002-of-00002.gguf": 1})
    ] == [("Q8_0", 2)]


@pytest.mark.parametrize(
    ("name", "tag", "base"),
    [  # names of published files
        ("Qwen3-32B-UD-Q5_K_XL.gguf", "UD-Q5_K_XL", "Qwen3-32B"),
        ("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "Q4_K_M", "Meta-Llama-3.1-8B-Instruct"),
        ("DeepSeek-V3-0324-Q8_0.gguf", "Q8_0", "DeepSeek-V3-0324"),
        ("llama-2-13b-chat.Q8_0.gguf", "Q8_0", "llama-2-13b-chat"),
        ("THUDM_GLM-Z1-32B-0414-IQ4_XS.gguf", "IQ4_XS", "THUDM_GLM-Z1-32B-0414"),
        ("gpt-oss-20b-mxfp4.gguf", "MXFP4", "gpt-oss-20b"),
        ("gpt-oss-20b-F16.gguf", "F16", "gpt-oss-20b"),
        ("Qwen3-235B-A22B-Q4_K_M-00001-of-00003.gguf", "Q4_K_M", "Qwen3-235B-A22B"),
        ("BF16/Qwen3-8B-BF16-00001-of-00002.gguf", "BF16", "Qwen3-8B"),
        ("phi-2.gguf", "", "phi-2"),
        ("DeepSeek-R1-0528-IQ2_K_R4-00001-of-00005.gguf", "IQ2_K_R4", "DeepSeek-R1-0528"),
    ],
)
def test_the_quantization_is_read_off_the_names_of_published_files(name: str, tag: str, base: str) -> None:
    (found,) = quantizations({name: 1})
    assert (found.tag, found.base) == (tag, base)


def test_towers_and_importance_matrices_are_no_quantizations_of_the_model(tmp_path: Path) -> None:
    sizes = {
        "m-Q4_K_M.gguf": 9,
        "mmproj-m-F16.gguf": 20,
        "m-imatrix.gguf": 3,
        "imatrix_m.gguf": 3,
        "mtp-m.gguf": 1,
    }
    assert choose(sizes, "", "x").files == ("m-Q4_K_M.gguf",)
    assert [(q.name, q.beside) for q in quantizations(sizes) if q.beside] == [
        ("mmproj-m-F16.gguf", "the towers that it sees and hears with"),
        ("mtp-m.gguf", "its prediction layers"),
    ]


# ------------------------------------------------------------------ what is no language model


def test_an_mmproj_file_is_counted_as_the_towers_that_it_is(tmp_path: Path) -> None:
    held = [
        Tensor("v.patch_embd.weight", (14, 14, 3, 64), "F16"),
        Tensor("v.blk.0.attn_q.weight", (64, 64), "F16"),
        Tensor("v.blk.0.attn_q.bias", (64,), "F32"),
        Tensor("v.blk.1.attn_q.weight", (64, 64), "F16"),
        Tensor("mm.0.weight", (64, 128), "F16"),
        Tensor("a.conv1d.0.weight", (3, 8, 8), "F16"),
    ]
    meta = {"general.architecture": "clip", "general.type": "mmproj", "clip.has_vision_encoder": True}
    b = pw.count(write(tmp_path / "mmproj-m.gguf", meta, held))
    assert b.by_role() == {"vision": 37_632 + 2 * 4096 + 64, "audio": 192, "projector": 8192}
    assert b.active == 0
    assert "they are the towers of a model whose text part is in another file" in b.provenance.note


def test_a_file_of_a_vocabulary_alone_is_no_model(tmp_path: Path) -> None:
    path = write(tmp_path / "ggml-vocab-llama.gguf", {**META, "tokenizer.ggml.tokens": ["a", "b"]}, [])
    with pytest.raises(pw.Incomplete, match="holds no tensors, only hyper-parameters and a vocabulary"):
        pw.count(path)


@pytest.mark.parametrize("kind", ["imatrix", "controlvector"])
def test_what_is_gguf_and_no_model_is_refused(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / "m.gguf", {**META, "general.type": kind}, TENSORS)
    with pytest.raises(pw.BadCheckpoint, match="not a model"):
        pw.count(path)


def test_an_adapter_is_counted_beside_a_model_that_is_not_there(tmp_path: Path) -> None:
    held = [Tensor("blk.0.attn_q.weight.lora_a", (64, 8)), Tensor("blk.0.attn_q.weight.lora_b", (8, 64))]
    meta = {"general.architecture": "llama", "general.type": "adapter", "adapter.type": "lora"}
    b = pw.count(write(tmp_path / "m.gguf", meta, held))
    assert b.by_role() == {"other": 1024}
    assert "they are an adapter, whose model is in another file" in b.provenance.note


def test_an_encoder_has_no_head_that_a_table_could_be_tied_to(tmp_path: Path) -> None:
    held = [Tensor("token_embd.weight", (64, 100)), Tensor("blk.0.attn_q.weight", (64, 64))]
    meta = {"general.architecture": "new-bert", "new-bert.pooling_type": 1}
    b = pw.count(write(tmp_path / "m.gguf", meta, held))
    assert (b.stored, b.architectural) == (6400 + 4096, 6400 + 4096)


# ------------------------------------------------------------------ files of this machine


def test_a_folder_that_is_called_like_a_file_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "m.gguf"
    folder.mkdir()
    with pytest.raises(pw.Incomplete, match=r"has no config\.json"):
        pw.count(folder)
    folder_of(folder, "Q8_0")
    assert pw.count(folder).stored == STORED


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.gguf")
    with pytest.raises(pw.SourceError, match="is no regular file"):
        pw.count(tmp_path / "m.gguf")


def test_an_empty_and_a_missing_file_say_so(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").touch()
    with pytest.raises(pw.BadCheckpoint, match=r"is empty\. Download it again"):
        pw.count(tmp_path / "m.gguf")
    with pytest.raises(pw.NotFound, match="There is no file '"):
        pw.count(tmp_path / "n.gguf")


def test_a_cut_file_is_refused_and_named(tmp_path: Path) -> None:
    text, _ = header(META, TENSORS)
    path = tmp_path / "m.gguf"
    path.write_bytes(text)
    with pytest.raises(pw.BadCheckpoint, match=rf"m.gguf': it is cut: .* the file has {len(text):,}"):
        pw.count(path)


def paramwidget_show(path: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "paramwidget", "show", path], capture_output=True, check=False
    )


def test_a_name_that_is_not_utf_8_is_read_and_shown(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.gguf"))
    b = pw.count(write(path, META, TENSORS))
    assert b.stored == STORED
    assert b.provenance.path == str(path)
    assert b.model.isprintable()
    assert paramwidget_show(path).returncode == 0
    path.write_bytes(b"GGUF")
    with pytest.raises(pw.BadCheckpoint, match=r"\\udcff\\udcfe.gguf': it is cut"):
        pw.count(path)


def test_a_file_behind_a_link_is_read_with_the_parts_beside_the_link(tmp_path: Path) -> None:
    # as the Hugging Face cache keeps them: blobs, and links with the names
    (tmp_path / "blobs").mkdir()
    (tmp_path / "snapshot").mkdir()
    for i, path in enumerate(split(tmp_path, "m", "Q8_0", 2)):
        path.rename(tmp_path / "blobs" / f"blob{i}")
        (tmp_path / "snapshot" / path.name).symlink_to(tmp_path / "blobs" / f"blob{i}")
    assert pw.count(tmp_path / "snapshot" / "m-00002-of-00002.gguf").stored == STORED
    assert pw.count(tmp_path / "snapshot").stored == STORED
