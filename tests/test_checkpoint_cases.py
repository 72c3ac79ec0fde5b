"""Public reports of counters that took files for what they are not: each with the right integer, from the headers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import layouts
import pytest
from hub import header_bytes, safetensors, sharded
from layouts import Tensor, inventory

import paramwidget as pw
from paramwidget.errors import BadCheckpoint
from paramwidget.inventory import Declared
from paramwidget.residual import Residual, compare
from paramwidget.sources.checkpoint import read_checkpoint
from paramwidget.sources.files import FolderFiles
from paramwidget.sources.headers import tensors_of
from paramwidget.sources.safetensors import parse_header

REFERENCE = Path(__file__).parent / "reference"


def published(repo: str) -> dict[str, Any]:
    rows = map(json.loads, (REFERENCE / "models.jsonl").read_text().splitlines())
    return dict(next(row["config"] for row in rows if row["repo"] == repo))


def folder(path: Path, files: dict[str, Any], config: Any = None) -> Path:
    for name, content in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.head
        target.write_bytes(data)
        if not isinstance(content, bytes):
            with target.open("r+b") as opened:
                opened.truncate(content.size)
    if config is not None:
        (path / "config.json").write_text(json.dumps(config))
    return path


def checked(path: Path) -> Residual:
    found = pw.count(path, check=True).residual
    assert found is not None
    return found


# ------------------------------------------------------------------ packed


def test_molmo_in_nf4_has_the_bytes_of_its_index_and_the_parameters_that_it_declares() -> None:
    # reubzdubz/Molmo7B_D_NF4Quant: total_size 6,661,964,712, total_parameters 8,021,025,280. Of 112 maps with
    # 28 × 3,584 × 65,024 = 6,525,288,448 values: half a byte each, 4 bytes for 64 of them, a map of 64 bytes and a
    # state of 81.5 bytes on the average; the other 1,495,736,832 in 16 bits
    b = pw.count(published("allenai/Molmo-7B-D-0924"))
    plain = [(name, "BF16", shape) for name, _, shape in layouts.plain(b)]

    def kept(name: str) -> bool:
        return ".transformer.blocks." not in name

    short, long = (layouts.quantized(plain, layouts.nf4(state), kept) for state in (81, 82))
    assert layouts.nbytes(long) - layouts.nbytes(short) == 112
    assert layouts.nbytes(short) - 112 * 81 == 6_661_955_584
    assert 6_661_955_584 + 56 * 81 + 56 * 82 == 6_661_964_712
    declared = (Declared("total_parameters", 8_021_025_280, "model.safetensors.index.json"),)
    residual = compare(b, inventory(short, declared=declared))
    assert (residual.found_parameters, residual.unexplained) == (8_021_025_280, 0)
    assert residual.found_scales == 6_525_288_448 // 64 + 112 * (16 + 81)


def test_314b_in_8_bits_of_mlx_are_not_88b() -> None:
    # the Hub showed 78,613,118,976 words + 9,964,787,842 in BF16 = 88,577,906,818; four values a word and no scales and
    # biases, 2 for each 64 values: 314,590,623,874. The index says 314,590,621,012, which leaves 2,862
    # https://github.com/huggingface/hub-docs/issues/2704
    words, group = 78_613_118_976, 64
    rows = words * 4 // group
    scales = [(f"model.up.{kind}", "BF16", (rows, 1)) for kind in ("scales", "biases")]
    rest = 9_964_787_842 - 2 * rows
    held: list[Tensor] = [
        ("model.up.weight", "U32", (rows, 16)),
        *scales,
        ("model.norm.weight", "BF16", (rest,)),
    ]
    assert layouts.elements(held) == 88_577_906_818
    for config in ({"quantization": {"group_size": group, "bits": 8}}, {}):
        found = {t.name: t.stored for t in tensors_of(inventory(held), config) if t.kind != "scale"}
        assert sum(found.values()) == 314_590_623_874


def test_gemma_4_26b_in_4_bits_of_mlx_has_its_published_bytes() -> None:
    # 25,235,685,376 values in words and 570,250,830 in BF16: half a byte, 4 bytes for each 64, and 2 bytes
    # https://github.com/jundot/omlx/issues/3401 (4 bytes each gave 102.1 GB)
    b = pw.count("google/gemma-4-26B-A4B")
    assert b.stored == 25_235_685_376 + 570_250_830
    rows = 25_235_685_376 // 64
    held: list[Tensor] = [
        ("w.weight", "U32", (rows, 8)),
        ("w.scales", "BF16", (rows, 1)),
        ("w.biases", "BF16", (rows, 1)),
        ("norm.weight", "BF16", (570_250_830,)),
    ]
    assert layouts.nbytes(held) == 15_335_574_684  # 15.34 GB
    packed = tensors_of(inventory(held), {"quantization": {"group_size": 64, "bits": 4}})
    assert sum(t.stored for t in packed if t.kind != "scale") == b.stored


def mlx_without_biases(bits: int, group: int) -> layouts.Scheme:
    """MLX's mxfp4, nvfp4 and mxfp8: words along the input and a byte for each group (mlx-lm utils.py)."""

    def store(name: str, out: int, inn: int) -> Any:
        yield f"{name}.weight", "U32", (out, inn * bits // 32)
        yield f"{name}.scales", "U8", (out, inn // group)

    return store


@pytest.mark.parametrize(
    ("mode", "bits", "group"), [("mxfp4", 4, 32), ("nvfp4", 4, 16), ("mxfp8", 8, 32)], ids=lambda x: str(x)
)
@pytest.mark.parametrize("known", [True, False], ids=["described", "names and shapes"])
def test_packed_floats_of_mlx_are_counted_as_their_values(
    mode: str, bits: int, group: int, known: bool
) -> None:
    # gemma4:26b showed 8.7B in mxfp8 and 6.3B in nvfp4: https://github.com/ollama/ollama/issues/15679
    b = pw.count("Qwen/Qwen3-8B")
    held = layouts.quantized(layouts.plain(b), mlx_without_biases(bits, group))
    config = {**b.config, "quantization": {"group_size": group, "bits": bits, "mode": mode}}
    if known:
        residual = compare(pw.count(config), inventory(held))
        assert (residual.found_parameters, residual.unexplained) == (8_190_735_360, 0)
    else:
        found = tensors_of(inventory(held), config)
        assert sum(t.stored for t in found if t.kind != "scale") == 8_190_735_360


def test_a_label_of_four_bits_on_files_of_eight_is_not_believed() -> None:
    # a checkpoint called NVFP4 whose 224 maps were float8: https://github.com/NVIDIA/Model-Optimizer/issues/868
    base = pw.count("meta-llama/Llama-3.1-8B")
    b = pw.count({**base.config, "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4"}})
    held: list[Tensor] = [
        (name, "F8_E4M3" if ".layers." in name and len(shape) == 2 else "BF16", shape)
        for name, _, shape in layouts.plain(base)
    ]
    assert sum(dtype == "F8_E4M3" for _, dtype, _ in held) == 224
    residual = compare(b, inventory(held))
    assert (residual.found_parameters, residual.unexplained) == (8_030_261_248, 0)
    assert residual.nbytes == 6_979_321_856 + 2 * (8_030_261_248 - 6_979_321_856)
    assert residual.by_role["mlp"].bits == 8


# ------------------------------------------------------------------ files that lie side by side


def test_the_same_weights_in_another_layout_are_not_added(tmp_path: Path) -> None:
    # 29.92 GiB and 27.00 GiB were shown for 14.96 and 13.50: https://github.com/unslothai/unsloth/pull/10558
    b = pw.count("meta-llama/Llama-3.1-8B")
    tensors = layouts.plain(b)
    shards = sharded([tensors[i : i + 80] for i in range(0, len(tensors), 80)])
    path = folder(
        tmp_path,
        {
            **shards,
            "original/consolidated.00.pth": b"PK" * 50,
            "optimizer.pt": b"PK",
            "consolidated.safetensors": safetensors(tensors),
        },
        b.config,
    )
    residual = checked(path)
    assert residual.nbytes == 16_060_522_496  # 14.96 GiB
    assert residual.found_parameters == 8_030_261_248
    beside = {row.name for row in residual.rows if row.of == "elsewhere"}
    assert beside == {"consolidated.safetensors", "original/consolidated.00.pth"}
    assert residual.explained


def test_shards_that_an_old_index_does_not_name_are_the_model(tmp_path: Path) -> None:
    # an index of 30 shards beside the 15 that are the whole model: https://github.com/Neph0s/CoSER/issues/3
    b = pw.count("Qwen/Qwen3-0.6B")
    tensors = layouts.plain(b)
    files = sharded([tensors[i : i + 21] for i in range(0, len(tensors), 21)])
    old = sharded([tensors[i : i + 11] for i in range(0, len(tensors), 11)])
    files["model.safetensors.index.json"] = old["model.safetensors.index.json"]
    residual = checked(folder(tmp_path, files, b.config))
    assert residual.found_parameters == 596_049_920
    assert residual.explained
    said = " ".join(residual.problems)
    assert "named by model.safetensors.index.json and not there" in said
    assert "not named by model.safetensors.index.json, and counted: headers are believed" in said


def test_weights_saved_in_32_bits_are_as_many(tmp_path: Path) -> None:
    # "parameters doubled": https://github.com/huggingface/transformers/issues/34825 (Qwen2.5-3B) and
    # https://github.com/huggingface/transformers/issues/24683 (OPT-2.7B)
    b = pw.count("Qwen/Qwen2.5-3B")
    residual = compare(b, inventory((name, "F32", shape) for name, _, shape in layouts.plain(b)))
    assert (residual.found_parameters, residual.nbytes) == (3_085_938_688, 4 * 3_085_938_688)
    assert residual.bits == 32


def test_position_ids_that_roberta_stores_are_a_buffer() -> None:
    # 124,697,947 = 124,697,433 + 514 in I64: the test values of huggingface.js (parse-safetensors-metadata.spec.ts)
    config = {
        "model_type": "roberta",
        "architectures": ["RobertaForMaskedLM"],
        "vocab_size": 50265,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "max_position_embeddings": 514,
        "type_vocab_size": 1,
    }
    b = pw.count(config)
    assert b.stored == 124_697_433
    held = [*layouts.plain(b, dtype="F32"), ("roberta.embeddings.position_ids", "I64", (1, 514))]
    residual = compare(b, inventory(held, hub_total=124_697_947))
    row = next(row for row in residual.rows if row.found == 514)
    assert row.cause == "buffer written by older versions"
    assert residual.explained


def test_an_adapter_that_carries_whole_tables_is_no_model(tmp_path: Path) -> None:
    # 3.2 GB of a LoRA with both tables among its targets: https://github.com/unslothai/unsloth/issues/1093
    base = "base_model.model.model."
    held: list[Tensor] = [
        (f"{base}embed_tokens.modules_to_save.weight", "F32", (128_256, 2048)),
        ("base_model.model.lm_head.modules_to_save.weight", "F32", (128_256, 2048)),
        (f"{base}layers.0.self_attn.q_proj.lora_A.weight", "F32", (16, 2048)),
    ]
    path = folder(tmp_path, {"adapter_model.safetensors": safetensors(held), "adapter_config.json": b"{}"})
    b = pw.count(path / "adapter_model.safetensors", check=True)
    assert b.by_role() == {"other": 2 * 128_256 * 2048 + 16 * 2048}
    assert b.residual is not None
    assert b.residual.explained


# ------------------------------------------------------------------ what is declared


def test_a_declared_total_far_too_small_is_shown_and_the_headers_are_believed(tmp_path: Path) -> None:
    # total_parameters 333,312 in a 7B: https://github.com/huggingface/huggingface_hub/issues/4221; and the largest of
    # several totals is no better than the sum: https://github.com/EuroEval/EuroEval/pull/1385
    b = pw.count("Qwen/Qwen2.5-7B")
    files = sharded([layouts.plain(b)])
    index = json.loads(files["model.safetensors.index.json"])
    index["metadata"]["total_parameters"] = 333_312
    files["model.safetensors.index.json"] = json.dumps(index).encode()
    residual = checked(folder(tmp_path, files, b.config))
    assert residual.found_parameters == 7_615_616_512
    row = next(row for row in residual.rows if row.found == 333_312)
    assert (row.predicted, row.cause) == (7_615_616_512, "declared total")


@pytest.mark.parametrize(
    "tensors",
    [
        [("a", "F32", (1 << 62, 1 << 62))],
        [(f"fake.{i}", "F4", (65_536, 65_536)) for i in range(10)],  # 16.5T were shown for 528 bytes
    ],
    ids=["2^62", "F4"],
)
def test_sizes_that_a_file_cannot_hold_are_refused(tensors: list[Tensor]) -> None:
    # https://github.com/huggingface/huggingface.js/pull/2340
    try:
        head = header_bytes(tensors)
    except KeyError:  # a dtype that nothing here knows the bits of
        about = {"dtype": "F4", "shape": [65_536, 65_536], "data_offsets": [0, 1 << 31]}
        text = json.dumps({name: about for name, _, _ in tensors}).encode()
        head = len(text).to_bytes(8, "little") + text
    with pytest.raises(BadCheckpoint):
        parse_header(head[8:], len(head), "crafted")


def test_empty_metadata_is_metadata(tmp_path: Path) -> None:
    # "__metadata__": {} in every shard: https://github.com/foundation-model-stack/fastsafetensors/issues/96
    text = b'{"__metadata__":{},"a":{"dtype":"F8_E8M0","shape":[3],"data_offsets":[0,3]}}'
    (tmp_path / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + b"123")
    found = read_checkpoint(FolderFiles(tmp_path))
    # a byte for each exponent: https://github.com/alvarobartt/hf-mem (commit f722b77)
    assert [(t.name, t.dtype, t.nbytes) for t in found.tensors] == [("a", "F8_E8M0", 3)]
    assert dict(found.metadata) == {}


def test_an_awq_of_a_model_that_sees_has_as_many_parameters_as_the_model() -> None:
    # 7.8B were shown for Qwen3.8-27B in int4, of which words of 32 bits were counted as parameters
    # https://github.com/AlexsJones/llmfit/issues/1045
    b = pw.count("Qwen/Qwen3.5-27B")
    held = layouts.quantized(
        layouts.plain(b),
        layouts.awq(),
        lambda name: layouts.tables(name) or "visual" in name or "mtp" in name,
    )
    residual = compare(b, inventory(held))
    assert residual.found_parameters == b.stored
    assert residual.unexplained == 0


@pytest.mark.parametrize(
    ("repo", "declared", "rows"),
    [
        # two bytes of each parameter
        ("bigscience/bloom", ("total_size", 352_494_542_848), []),
        ("tiiuae/falcon-7b-instruct", ("total_size", 13_843_441_408), []),  # of Pitchboy/falcon-7b-facts
        # DocTron/OCRVerse-code, whose author has since removed the second
        ("Qwen/Qwen3-VL-4B-Instruct", ("total_size", 8_875_631_616), []),
        (
            "Qwen/Qwen3-VL-4B-Instruct",
            ("total_parameters", 569_856),
            [(4_437_815_808, 569_856, "-4,437,245,952 against the headers, which are believed")],
        ),
        # two bytes of each element, whatever its dtype: not the size of the files
        (
            "deepseek-ai/DeepSeek-V3",
            ("total_size", 1_369_062_772_000),
            [
                (
                    688_574_839_360,
                    1_369_062_772_000,
                    "2 × the 684,531,386,000 elements, where the headers have 688,574,839,360 bytes",
                )
            ],
        ),
    ],
)
def test_a_total_that_an_index_was_published_with(
    repo: str, declared: tuple[str, int], rows: list[tuple[int, int, str]]
) -> None:
    try:
        b = pw.count(published(repo))
    except StopIteration:
        b = pw.count(repo)
    held = layouts.with_scales(b, tied=repo.startswith("deepseek"))
    if b.weight_bytes is None or not any(t.kind == "scale" for t in b.tensors):
        held = [(name, "BF16", shape) for name, _, shape in held]
    residual = compare(b, inventory(held, declared=(Declared(*declared, "model.safetensors.index.json"),)))
    assert residual.explained
    assert [
        (row.predicted, row.found, row.note) for row in residual.rows if row.cause == "declared total"
    ] == rows
