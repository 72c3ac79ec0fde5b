"""GGUF files as models: the exact counts of published files, their config, parts, quantizations and towers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gguf_model
import pytest
from gguf_writer import Tensor, write
from hypothesis import given, settings
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.cli import main
from paramwidget.counting import describe
from paramwidget.inventory import Inventory, StoredTensor, WeightFile
from paramwidget.sources import open_source
from paramwidget.sources.gguf_families import FAMILIES
from paramwidget.sources.gguf_files import opened
from paramwidget.sources.gguf_names import describe as place_of

REFERENCE = Path(__file__).parent / "reference"
#: tensor by tensor, as the maps of GGUF-Tool-Suite list them (``source`` in each line); hyper-parameters as
#: llama.cpp's converters write them from the repository's config
MAPS = [json.loads(line) for line in (REFERENCE / "gguf_maps.jsonl").read_text().splitlines()]


def layers(text: str | None) -> list[int | None]:
    """``"0-2,5"`` as the layers 0, 1, 2 and 5."""
    if text is None:
        return [None]
    found: list[int | None] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def tensors_of(row: dict[str, Any]) -> list[Tensor]:
    return [
        Tensor(name.replace(".N.", f".{i}."), shape, dtype)
        for name, shape, dtype, held in row["tensors"]
        for i in layers(held)
    ]


def metadata_of(row: dict[str, Any], arch: str = "") -> dict[str, Any]:
    own = {f"{row['arch']}.{key}": value for key, value in row["kv"].items()}
    return {"general.architecture": arch or row["arch"], **own}


def named(model: str) -> dict[str, Any]:
    return next(row for row in MAPS if row["model"] == model)


# ------------------------------------------------------------------ exact counts

#: the map takes the bytes of a tensor from the offset of the next: 60 scalars of 4 bytes, aligned to 32
PADDED = {"gemma-4-31B-it": 60 * 28}


@pytest.mark.parametrize("row", MAPS, ids=lambda row: str(row["model"]))
def test_the_header_of_a_published_file_holds_exactly_its_elements_and_bytes(
    row: dict[str, Any], tmp_path: Path
) -> None:
    found = open_source(write(tmp_path / "m.gguf", metadata_of(row), tensors_of(row))).inventory
    assert found is not None
    assert (len(found.tensors), found.elements, found.nbytes) == (
        row["n_tensors"],
        row["n_params"],
        row["tensor_bytes"] - PADDED.get(row["model"], 0),
    )


#: elements that a file has beside what its config stands for
BESIDE = {
    "GLM-4.5": 1_551_892_480,  # 2 × 151,552 × 5,120: both tables again in the prediction layer
    "GLM-4.7": 1_551_892_480,
    "GLM-4.5-Air": 1_241_513_984,  # 2 × 151,552 × 4,096
    "gemma-4-31B-it": 256,  # rope_freqs
}


@pytest.mark.parametrize("row", MAPS, ids=lambda row: str(row["model"]))
def test_the_architecture_of_a_published_file_accounts_for_every_element(
    row: dict[str, Any], tmp_path: Path
) -> None:
    b = pw.count(write(tmp_path / "m.gguf", metadata_of(row), tensors_of(row)))
    beside = BESIDE.get(row["model"], 0)
    assert b.stored == row["n_params"] - beside
    assert b.runs, "counted by architecture, with its layers"
    assert (f"Beside the parameters are {beside:,} elements" in b.provenance.note) == bool(beside)


@pytest.mark.parametrize("row", MAPS, ids=lambda row: str(row["model"]))
def test_a_file_of_an_unknown_architecture_is_counted_from_its_tensors_and_says_so(
    row: dict[str, Any], tmp_path: Path
) -> None:
    b = pw.count(write(tmp_path / "m.gguf", metadata_of(row, "unheard-of"), tensors_of(row)))
    assert b.stored == row["n_params"]
    assert "how the hyper-parameters of the architecture 'unheard-of' are to be read" in b.provenance.note
    assert not {"other"} & set(b.by_role()) or row["model"] == "gemma-4-31B-it"  # its scalar a layer


def test_without_an_output_matrix_the_head_is_tied(tmp_path: Path) -> None:
    row = named("Qwen3-4B-Instruct-2507")
    for arch in ("", "unheard-of"):
        b = pw.count(write(tmp_path / "m.gguf", metadata_of(row, arch), tensors_of(row)))
        assert (b.stored, b.architectural) == (4_022_468_096, 4_022_468_096 + 151_936 * 2_560)


def test_a_head_that_a_tied_model_stores_is_counted(tmp_path: Path) -> None:
    # a fine-tune in the shape of Qwen3-0.6B: llama.cpp prints 751,632,384, the repository has 596,049,920
    config = {
        "architectures": ["Qwen3ForCausalLM"],
        "vocab_size": 151_936,
        "hidden_size": 1024,
        "intermediate_size": 3072,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "tie_word_embeddings": True,
    }
    b = pw.count(config)
    tensors = [*gguf_model.tensors(b), Tensor("output.weight", (1024, 151_936))]
    stored = pw.count(write(tmp_path / "m.gguf", gguf_model.metadata(b, "qwen3"), tensors)).stored
    assert (b.stored, stored) == (596_049_920, 751_632_384)


def test_prediction_layers_are_among_the_blocks_and_counted_apart(tmp_path: Path) -> None:
    row = named("GLM-4.6")  # 93 blocks: 92 and one that predicts, 3,988,069,792 in all
    b = pw.count(write(tmp_path / "m.gguf", metadata_of(row), tensors_of(row)))
    assert b.by_role()["mtp"] == 3_988_069_792
    *rest, last = tensors_of(row)
    assert last.name == "blk.92.nextn.shared_head_norm.weight"  # without it no architecture fits
    c = pw.count(write(tmp_path / "n.gguf", metadata_of(row), rest))
    assert c.by_role()["mtp"] == 3_988_069_792 - 5120
    assert (
        "stand for 356,785,898,816 parameters of glm4_moe, and the files hold 356,785,893,696"
        in c.provenance.note
    )


def test_the_rotary_factors_that_a_converter_adds_are_a_buffer_beside_the_parameters(tmp_path: Path) -> None:
    b = pw.count("meta-llama/Llama-3.1-8B")
    tensors = [*gguf_model.tensors(b), Tensor("rope_freqs.weight", (64,), "F32")]
    assert len(tensors) == 292  # llama.cpp's log of the file; 291 for Llama 3
    path = write(tmp_path / "m.gguf", gguf_model.metadata(b, "llama"), tensors)
    c = pw.count(path)
    assert (c.stored, c.model_type) == (8_030_261_248, "llama")
    assert "Beside the parameters are 64 elements of rope_freqs" in c.provenance.note
    other = pw.count(write(path, {"general.architecture": "new"}, tensors))
    assert other.stored == 8_030_261_312
    assert other.total("stored", off={"buffer"}) == 8_030_261_248


def test_a_matrix_that_is_stored_whole_and_in_halves_is_counted_once(tmp_path: Path) -> None:
    row = named("DeepSeek-V3.1-Terminus")
    whole = [Tensor(f"blk.{i}.attn_kv_b.weight", (512, 32_768)) for i in range(61)]
    tensors = [*tensors_of(row), *whole]
    assert len(tensors) == 1147
    b = pw.count(write(tmp_path / "m.gguf", metadata_of(row), tensors))
    assert b.stored == 671_026_419_200  # and 672.050 B as ik_llama.cpp prints them
    assert b.stored + 61 * 512 * 32_768 == 672_049_829_376
    assert "attn_kv_b, beside its two halves" in b.provenance.note


def test_experts_of_which_the_used_are_not_known_are_all_active(tmp_path: Path) -> None:
    row = named("Qwen3-VL-235B-A22B-Thinking")
    metadata = metadata_of(row, "new") | {"new.expert_used_count": 8}
    assert pw.count(write(tmp_path / "m.gguf", metadata, tensors_of(row))).active == 22_190_763_520
    del metadata["new.expert_used_count"]
    assert pw.count(write(tmp_path / "m.gguf", metadata, tensors_of(row))).active == 235_093_634_560


@pytest.mark.parametrize("arch", ["", "unheard-of"])
@pytest.mark.parametrize("model", ["DeepSeek-V3.1-Terminus", "Kimi-K2.5", "Qwen3.5-122B-A10B", "GLM-4.6"])
def test_the_memory_of_the_weights_is_that_of_the_types_in_the_file(
    model: str, arch: str, tmp_path: Path
) -> None:
    row = named(model)
    b = pw.count(write(tmp_path / "m.gguf", metadata_of(row, arch), tensors_of(row)))
    assert pw.memory(b, context=1).weight_bytes == row["tensor_bytes"]


def test_the_check_explains_what_a_file_holds_beside_its_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = named("GLM-4.5-Air")
    path = write(tmp_path / "m.gguf", metadata_of(row), tensors_of(row))
    assert main(["check", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["predicted"], found["found_parameters"], found["unexplained"]) == (
        109_227_310_848,
        110_468_824_832,
        0,
    )
    assert [(r["found"], r["cause"]) for r in found["rows"] if not r["predicted"]] == [
        (620_756_992, "tied matrix stored again"),
        (620_756_992, "tied matrix stored again"),
    ]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("dec.blk.3.cross_attn_q.weight", (3, "attention", "weight")),
        ("enc.blk.1.ffn_up.weight", (1, "encoder", "weight")),
        ("blk.7.exp_probs_b.bias", (7, "router", "buffer")),
        ("blk.7.ffn_gate_inp.bias", (7, "router", "bias")),
        ("blk.0.time_mix_key.weight", (0, "linear_attention", "weight")),
        ("blk.0.attn_q.input_scale", (0, "attention", "scale")),
        ("blk.2.unheard_of.weight", (2, None, "weight")),
        ("rope_factors_long.weight", (None, "position", "buffer")),
        ("mm.a.mlp.1.bias", (None, "projector", "bias")),
        ("v.blk.11.attn_out.weight", (11, "vision", "weight")),
        ("output_norm.weight", (None, "norm", "weight")),
        ("cls.output.bias", (None, "lm_head", "bias")),
    ],
)
def test_a_name_says_where_a_tensor_belongs(name: str, place: tuple[int | None, str | None, str]) -> None:
    found = place_of(name)
    assert (found.layer, found.role, found.kind) == place


# ------------------------------------------------------------------ architectures

#: general.architecture -> a bundled model, or a type whose class defaults are taken
CONVERTED = {
    "llama": "meta-llama/Llama-3.1-8B",
    "qwen2": "Qwen/Qwen2.5-0.5B",
    "qwen2moe": "Qwen/Qwen1.5-MoE-A2.7B",
    "qwen3": "Qwen/Qwen3-8B",
    "qwen3moe": "Qwen/Qwen3-30B-A3B",
    "gpt-oss": "openai/gpt-oss-20b",
    "deepseek2": "deepseek-ai/DeepSeek-V2-Lite",
}
DEFAULTS = {
    "arcee": "arcee",
    "bitnet": "bitnet",
    "bitnet-25": "bitnet",
    "bitnet-b1.58": "bitnet",
    "cohere2": "cohere2",
    "command-r": "cohere",
    "ernie4_5": "ernie4_5",
    "exaone": "exaone",
    "exaone4": "exaone4",
    "gemma": "gemma",
    "gemma2": "gemma2",
    "gemma3": "gemma3_text",
    "glm4": "glm4",
    "granite": "granite",
    "granitemoe": "granitemoe",
    "llama": "mixtral",
    "mamba": "mamba",
    "mamba2": "mamba2",
    "olmo": "olmo",
    "olmo2": "olmo2",
    "olmoe": "olmoe",
    "phi2": "phi",
    "phi3": "phi3",
    "phimoe": "phimoe",
    "qwen2vl": "qwen2",
    "qwen3next": "qwen3_next",
    "qwen3vl": "qwen3",
    "seed_oss": "seed_oss",
    "smollm3": "smollm3",
    "starcoder2": "starcoder2",
}


#: of no published size: only that both sides agree
SMALL = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 80,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 16,
    "n_routed_experts": 8,
    "n_shared_experts": 2,
    "first_k_dense_replace": 1,
    "tie_word_embeddings": False,
}
SHAPED = {
    "deepseek": "deepseek",
    "hunyuan-dense": "hunyuan_v1_dense",
    "internlm2": "internlm2",
    "nemotron": "nemotron",
    "orion": "orion",
}


def defaults(model_type: str) -> dict[str, Any]:
    lines = (REFERENCE / "defaults.jsonl").read_text().splitlines()
    return next(
        r["config"] for r in map(json.loads, lines) if r["type"] == model_type and r["kind"] == "causal"
    )


@pytest.mark.parametrize(("arch", "source"), [*CONVERTED.items(), *DEFAULTS.items(), *SHAPED.items()])
def test_a_converted_model_counts_as_the_model_does(arch: str, source: str, tmp_path: Path) -> None:
    config: Any = source
    if SHAPED.get(arch) == source:
        config = {"model_type": source, **SMALL}
    elif "/" not in source:
        config = defaults(source)
    if source == "qwen3_next":
        config |= {"mtp_num_hidden_layers": 0}  # in a file of its own
    b = pw.count(config)
    path = write(tmp_path / "m.gguf", gguf_model.metadata(b, arch), list(gguf_model.tensors(b)))
    c = pw.count(path)
    assert "as they are" not in c.provenance.note
    assert (c.stored, c.active, c.architectural) == (b.stored, b.active, b.architectural)
    assert [r.like.mixer for r in c.runs] == [r.like.mixer for r in b.runs]


def test_every_family_that_can_be_read_is_tested() -> None:
    tested = {*CONVERTED, *DEFAULTS, *SHAPED, *(row["arch"] for row in MAPS)}
    assert set(FAMILIES) - tested == set()


ODD = st.one_of(
    st.integers(0, 2**32 - 1),
    st.integers(0, 200),
    st.floats(width=32),
    st.booleans(),
    st.text(max_size=3),
    st.lists(st.integers(0, 300), max_size=4),
    st.lists(st.text(max_size=2), max_size=3),
)
SOME_KEYS = sorted({key for row in MAPS for key in row["kv"]} | set(gguf_model.KEYS.values()))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(FAMILIES)), st.dictionaries(st.sampled_from(SOME_KEYS), ODD, max_size=30))
def test_whatever_the_hyper_parameters_are_the_elements_of_the_file_are_counted(
    arch: str, odd: dict[str, Any]
) -> None:
    held = tuple(
        StoredTensor(t.name, tuple(reversed(t.shape)), t.dtype, 0) for t in tensors_of(named("Qwen3.5-0.8B"))
    )
    metadata = {"general.architecture": arch, **{f"{arch}.{key}": value for key, value in odd.items()}}
    found = Inventory("gguf", held, (WeightFile("m.gguf", 0),), "m.gguf", metadata=metadata)
    b = describe(opened(found, "m.gguf", pw.Provenance("local")))
    assert b.stored == 752_393_024


def test_the_check_says_that_the_converter_made_the_rotary_factors(tmp_path: Path) -> None:
    b = pw.count("meta-llama/Llama-3.1-8B")
    tensors = [*gguf_model.tensors(b), Tensor("rope_freqs.weight", (64,), "F32")]
    write(tmp_path / "m.gguf", gguf_model.metadata(b, "llama"), tensors)
    for source in (tmp_path / "m.gguf", tmp_path):  # by its hyper-parameters, and by a config beside it
        residual = pw.count(source, check=True).residual
        assert residual is not None
        row = next(row for row in residual.rows if row.found == 64)
        assert (row.name, row.cause) == ("rope_freqs.weight", "made by llama.cpp's converter")
        assert "which transformers computes from the config" in row.note
        assert residual.explained
        (tmp_path / "config.json").write_text(json.dumps(dict(b.config)))
