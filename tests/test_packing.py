"""Packed weights: what their words hold where nothing is predicted, and what a config says that stands beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import layouts
import pytest
from configs import SMALL, bundled
from layouts import Tensor, inventory, plain, quantized, tables

import paramwidget as pw
from paramwidget.packing_methods import by_method
from paramwidget.render.memory import to_text
from paramwidget.residual import compare
from paramwidget.sources.headers import tensors_of
from paramwidget.unpacking import Unpacked, against, parts

# ------------------------------------------------------------------ by shape


@pytest.mark.parametrize(
    ("predicted", "stored", "dtype", "bits"),
    [
        ((4096, 4096), (4096, 512), "I32", 4),
        ((4096, 4096), (512, 4096), "I32", 4),  # GPTQ packs the inputs, which come first
        ((4096, 4096), (4096, 384), "I32", 3),  # 3 bits in words of 32: a word ends within a value
        ((4096, 4100), (4096, 385), "I32", 3),  # 384.375 words: the last one is padded
        ((4096, 4096), (8_388_608, 1), "U8", 4),  # bitsandbytes
        ((4096, 4096), (4_194_304, 1), "BF16", 4),  # the same in words of another dtype
        ((128, 2880, 5760), (128, 5760, 90, 16), "U8", 4),  # gpt-oss
        ((4096, 4096), (4096, 4096), "F8_E4M3", 0),
        ((4096, 4096), (4096, 4096), "I8", 0),
        ((1, 2048), (2048,), "BF16", 0),
    ],
)
def test_the_ratio_of_two_shapes_is_the_packing(
    predicted: tuple[int, ...], stored: tuple[int, ...], dtype: str, bits: int
) -> None:
    whole = 1
    for n in predicted:
        whole *= n
    assert against(predicted, stored, dtype) == Unpacked(whole, bits)


@pytest.mark.parametrize(
    ("stored", "dtype"),
    [((128, 2048), "BF16"), ((512, 2048), "BF16"), ((256, 2047), "I32"), ((256, 2048, 2), "U8")],
)
def test_shapes_that_no_packing_makes_do_not_fit(stored: tuple[int, ...], dtype: str) -> None:
    assert against((256, 2048), stored, dtype) is None


# ------------------------------------------------------------------ by method


SHAPE = (4096, 11008)


@pytest.mark.parametrize(
    ("scheme", "config"),
    [
        pytest.param(layouts.gptq(4), {}, id="GPTQ, by the order of its inputs"),
        pytest.param(layouts.gptq(3), {}, id="GPTQ, 3 bits"),
        pytest.param(layouts.awq(4), {}, id="AWQ, by its scales"),
        pytest.param(layouts.nvfp4(), {}, id="NVFP4"),
        pytest.param(layouts.nf4(81), {}, id="nf4"),
        pytest.param(layouts.int8, {}, id="int8"),
        pytest.param(layouts.mlx(4, 64), {}, id="MLX, no config"),
        pytest.param(layouts.mlx(6, 32), {"quantization": {"bits": 6, "group_size": 32}}, id="MLX, 6 bits"),
        pytest.param(
            layouts.pack_quantized(2, 128),
            {
                "quantization_config": {
                    "config_groups": {
                        "group_0": {"weights": {"num_bits": 4, "group_size": 32}},
                        "group_1": {"weights": {"num_bits": 2, "group_size": 128}},
                    }
                }
            },
            id="compressed-tensors, the group whose scales fit",
        ),
    ],
)
def test_a_method_says_what_nobody_predicted(scheme: layouts.Scheme, config: dict[str, Any]) -> None:
    tensors = list(scheme("up_proj", *SHAPE))
    whole = tensors_of(inventory(tensors), config)
    assert [t.kind for t in whole].count("weight") == 1
    assert sum(t.stored for t in whole if t.kind == "weight") == 4096 * 11008
    assert {t.kind for t in whole} == {"weight", "scale"}


@pytest.mark.parametrize(
    ("label", "shape", "dtype", "beside", "parameters"),
    [
        ("trellis", (256, 688, 64), "I16", {}, 4096 * 11008),  # exl3: 16 × 16 values a tile, 4 bits
        ("q_weight", (512, 11008), "I32", {"q_invperm": ((4096,), "I16")}, 4096 * 11008),  # exl2
        ("codes", (4096, 1376, 1), "I16", {"codebooks": ((1, 65536, 1, 8), "F16")}, 4096 * 11008),  # AQLM
        ("Qidxs", (4096, 1376), "I16", {}, 4096 * 11008),  # QuIP#
        ("blocks", (128, 5760, 90, 16), "U8", {}, 128 * 5760 * 2880),
        ("", (4096, 11008), "BF16", {}, 4096 * 11008),
        (
            "",
            (2048, 2048),
            "I8",
            {"scale": ((2048, 128), "F8_E8M0")},
            2048 * 4096,
        ),  # DeepSeek-V4's FP4 experts
        ("", (2048, 4096), "I8", {"scale": ((16, 32), "F8_E8M0")}, 2048 * 4096),
    ],
)
def test_each_method_is_read_by_its_suffix(
    label: str, shape: tuple[int, ...], dtype: str, beside: dict[str, Any], parameters: int
) -> None:
    assert by_method(label, shape, dtype, beside, {}).parameters == parameters


def test_bookkeeping_is_told_from_parameters_by_what_it_stands_beside() -> None:
    found = parts(
        {
            "a.qweight": "I32",
            "a.scales": "F16",
            "a.bias": "F16",
            "b.weight": "BF16",
            "b.scale": "BF16",  # a parameter of a norm
            "c.weight": "F8_E4M3",
            "c.scale": "F8_E8M0",
            "d.weight": "BF16",
            "d.biases": "BF16",  # nothing is packed here
            "e.weight.quant_state.bitsandbytes__nf4": "U8",
        }
    )
    assert {name for name, part in found.items() if part.role == "scale"} == {
        "a.scales",
        "c.scale",
        "e.weight.quant_state.bitsandbytes__nf4",
    }


# ------------------------------------------------------------------ from the config


def count_as(name: str, **config: Any) -> pw.Breakdown:
    return pw.count({**bundled(name), **config})


COMPRESSED: dict[str, Any] = {"quant_method": "compressed-tensors", "ignore": ["lm_head"]}


def compressed(weights: dict[str, Any], form: str, **more: Any) -> dict[str, Any]:
    group = {"targets": ["Linear"], "weights": weights, **more}
    return {**COMPRESSED, "format": form, "config_groups": {"group_0": group}}


@pytest.mark.parametrize(
    ("model", "config", "scheme", "nbytes"),
    [
        # payload of nvidia/Qwen3-8B-NVFP4
        pytest.param(
            "Qwen/Qwen3-8B",
            {
                "quantization_config": {
                    "quant_method": "modelopt",
                    "quant_algo": "NVFP4",
                    "ignore": ["lm_head"],
                    "kv_cache_scheme": {"num_bits": 8, "type": "float"},
                }
            },
            layouts.nvfp4(kv=True),
            6_396_932_352,
            id="ModelOpt NVFP4",
        ),
        # total_size of lmstudio-community/Qwen3-14B-MLX-4bit
        pytest.param(
            "Qwen/Qwen3-14B",
            {"quantization": {"bits": 4, "group_size": 64}},
            layouts.mlx(),
            8_307_783_680,
            id="MLX",
        ),
        pytest.param(
            "meta-llama/Llama-3.1-8B-Instruct",
            {
                "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128},
                "torch_dtype": "float16",
            },
            layouts.gptq(),
            None,
            id="GPTQ",
        ),
        pytest.param(
            "meta-llama/Llama-3.1-8B-Instruct",
            {
                "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128},
                "torch_dtype": "float16",
            },
            layouts.awq(),
            None,
            id="AWQ",
        ),
    ],
)
def test_what_a_config_says_of_its_packing_is_what_files_of_it_hold(
    model: str, config: dict[str, Any], scheme: layouts.Scheme, nbytes: int | None
) -> None:
    b = count_as(model, **config)
    dense = pw.count(model)
    keep = (lambda name: False) if "quantization" in config else tables
    tensors = quantized(plain(dense, dtype="BF16"), scheme, keep)
    if config.get("torch_dtype") == "float16":
        tensors = [(n, "F16" if d == "BF16" else d, s) for n, d, s in tensors]
    residual = compare(b, inventory(tensors))
    assert b.stored == dense.stored == residual.found_parameters
    for row in residual.rows:
        if row.of == "scales":
            assert row.predicted == row.found, row.name
    assert b.weight_bytes == residual.nbytes
    if nbytes is not None:
        assert b.weight_bytes == nbytes


def stated_nf4(name: str, out: int, inn: int) -> Iterator[Tensor]:
    """nf4 with the JSON that bitsandbytes writes, as long as its shape is."""
    state = f'{{"quant_type": "nf4", "blocksize": 64, "dtype": "bfloat16", "shape": [{out}, {inn}]}}'
    yield from layouts.nf4(len(state))(name, out, inn)


@pytest.mark.parametrize(
    ("bits", "scheme", "nbytes"),
    [
        # 6,979,321,856 values in 224 maps of 32 layers, and 1,050,939,392 others in 16 bits. Of a map: half a byte for
        # each, 4 bytes for 64, 64 of a table, and a JSON of 70 characters and those of its shape (12, 12, 12, 12 of
        # "[4096, 4096]" and "[1024, 4096]", 13 of "[14336, 4096]" and "[4096, 14336]")
        pytest.param(
            {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4"},
            stated_nf4,
            6_979_321_856 // 2
            + 6_979_321_856 // 16
            + 224 * 64
            + 32 * (7 * 70 + 4 * 12 + 3 * 13)
            + 2 * 1_050_939_392,
            id="nf4",
        ),
        # 43,008 outputs a layer, and a byte for each map
        pytest.param(
            {"load_in_8bit": True},
            layouts.int8,
            6_979_321_856 + 32 * 4 * 43_008 + 224 + 2 * 1_050_939_392,
            id="int8",
        ),
    ],
)
def test_what_bitsandbytes_keeps_beside_a_map_follows_from_its_config(
    bits: dict[str, Any], scheme: layouts.Scheme, nbytes: int
) -> None:
    dense = pw.count("meta-llama/Llama-3.1-8B")
    b = count_as("meta-llama/Llama-3.1-8B", quantization_config={"quant_method": "bitsandbytes", **bits})
    residual = compare(b, inventory(quantized(plain(dense), scheme, tables)))
    assert b.stored == dense.stored == residual.found_parameters == 8_030_261_248
    assert all(row.predicted == row.found for row in residual.rows if row.of == "scales")
    assert residual.explained
    assert b.weight_bytes == residual.nbytes == nbytes


def test_modules_that_bitsandbytes_skips_stay_as_they_are() -> None:
    bits = {
        "quant_method": "bitsandbytes",
        "load_in_8bit": True,
        "llm_int8_skip_modules": ["down_proj", "lm_head"],
    }
    b = pw.count({**SMALL, "quantization_config": bits})
    assert {t.name.split(".")[-2] for t in b.tensors if t.name.endswith(".SCB")} == {
        *("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj")
    }


def test_kimi_k2_5_in_four_bits_has_the_bytes_that_were_printed() -> None:
    b = pw.count("moonshotai/Kimi-K2.5")
    assert b.weight_bytes == 595_148_192_736
    assert b.total("stored", on={"scale"}) - b.stored == 31_708_938_240 + 2 * 69_120


@pytest.mark.parametrize(
    ("weights", "form", "more", "scales"),
    [
        # of each linear map of a Llama of hidden 4 and MLP 6: q, k, v, o are 4 × 4, gate and up 6 × 4, down 4 × 6
        (
            {"num_bits": 8, "type": "int", "strategy": "channel"},
            "pack-quantized",
            {},
            4 * 4 + 2 * 6 + 4 + 7 * 2,
        ),
        ({"num_bits": 8, "type": "float", "strategy": "tensor"}, "float-quantized", {}, 7),
        (
            {"num_bits": 8, "type": "float", "strategy": "channel"},
            "float-quantized",
            {"input_activations": {"dynamic": False}},
            4 * 4 + 2 * 6 + 4 + 7,
        ),
        ({"num_bits": 4, "type": "float", "strategy": "tensor_group"}, "nvfp4-pack-quantized", {}, 32 + 7),
        ({"num_bits": 4, "type": "float", "strategy": "group"}, "mxfp4-pack-quantized", {}, 32),
    ],
)
def test_each_form_of_compressed_tensors_has_its_scales(
    weights: dict[str, Any], form: str, more: dict[str, Any], scales: int
) -> None:
    b = pw.count({**SMALL, "quantization_config": compressed(weights, form, **more)})
    assert b.stored == 212
    assert b.total("stored", on={"scale"}) - b.stored == scales


def test_zero_points_are_packed_along_the_outputs() -> None:
    weights = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 2, "symmetric": False}
    b = pw.count({**SMALL, "quantization_config": compressed(weights, "pack-quantized")})
    found: dict[str, int] = {}
    for t in b.tensors:
        if t.kind == "scale":
            suffix = t.name.rpartition(".")[2]
            found[suffix] = found.get(suffix, 0) + t.stored
    assert found == {
        "weight_scale": 4 * 4 * 2 + 2 * 6 * 2 + 4 * 3,  # one for two inputs
        "weight_shape": 7 * 2,
        "weight_zero_point": 4 * 2 + 2 * 2 + 3,  # eight outputs in a word
    }


@pytest.mark.parametrize(
    "quantization",
    [
        {"quant_method": "compressed-tensors"},
        {"quant_method": "modelopt", "quant_algo": "NVFP4"},  # which modules are left out is not said
        {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "ignore": []},
        {"quant_method": "gptq", "bits": 4},
        {"quant_method": "exl2", "bits": 4.0},
        compressed({"num_bits": 4, "type": "int", "strategy": "attn_head"}, "pack-quantized"),
        compressed(  # a pattern that is none: which modules it means is not known
            {"num_bits": 4, "type": "int", "strategy": "channel"}, "pack-quantized", targets=["re:.*(q_proj"]
        ),
    ],
)
def test_a_layout_that_a_config_leaves_open_is_not_guessed(quantization: dict[str, Any]) -> None:
    b = pw.count({**SMALL, "dtype": "float16", "quantization_config": quantization})
    assert b.stored == b.total("stored", on={"scale"}) == 212
    assert b.weight_bytes is None


def test_scales_that_bitsandbytes_quantizes_again_have_scales_of_their_own() -> None:
    """unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit: the Hub's first counter took a byte for two values, scales too."""
    bits = {
        "quant_method": "bitsandbytes",
        "load_in_4bit": True,
        "bnb_4bit_quant_type": "nf4",
        "bnb_4bit_use_double_quant": True,
    }
    b = count_as("meta-llama/Llama-3.1-8B", quantization_config=bits)
    found: dict[str, int] = {}
    for t in b.tensors:
        if t.kind == "scale":
            suffix = t.name.partition(".weight.")[2]
            found[suffix] = found.get(suffix, 0) + t.stored
    assert found == {
        "absmax": 6_979_321_856 // 64,
        "quant_map": 224 * 16,
        "nested_absmax": 6_979_321_856 // 64 // 256,
        "nested_quant_map": 224 * 256,
        "quant_state.bitsandbytes__nf4": 0,  # a JSON of 172 or 173 bytes: 38,687 in all
    }
    values = found["quant_map"] + found["nested_absmax"] + found["nested_quant_map"]
    assert 8_030_261_248 + 2 * (found["absmax"] + 38_687) + values == 8_248_929_342
    assert b.weight_bytes is None
    assert "a number of any length" in b.not_predicted
    assert "not predicted, as the JSON beside a map of bitsandbytes" in pw.count(b.config).to_markdown()


@pytest.mark.parametrize(
    ("weights", "more", "nbytes"),
    [
        # a Llama of hidden 4 and MLP 6: 136 values in maps, 4 × 4 and 6 × 4; 76 others in 16 bits
        ({"type": "float", "strategy": "channel"}, {}, 136 + 2 * (4 * 4 + 2 * 6 + 4) + 2 * 76),
        ({"type": "float", "strategy": "tensor"}, {}, 136 + 2 * 7 + 2 * 76),
        ({"type": "int", "strategy": "tensor", "symmetric": False}, {}, 136 + (2 + 1) * 7 + 2 * 76),
        (
            {"type": "float", "strategy": "tensor"},
            {"input_activations": {"dynamic": False, "strategy": "tensor"}},
            136 + 2 * 2 * 7 + 2 * 76,
        ),
        (  # blocks of 4 × 4: one for q, k, v and o, two for each map of the MLP
            {"type": "float", "strategy": "block", "block_structure": [4, 4]},
            {},
            136 + 2 * (4 + 3 * 2) + 2 * 76,
        ),
    ],
)
def test_scales_in_eight_bits_have_the_dtype_that_the_map_had(
    weights: dict[str, Any], more: dict[str, Any], nbytes: int
) -> None:
    form = "float-quantized" if weights["type"] == "float" else "int-quantized"
    quantization = compressed({"num_bits": 8, **weights}, form, **more)
    b = pw.count({**SMALL, "dtype": "bfloat16", "quantization_config": quantization})
    assert b.stored == 212
    assert b.weight_bytes == nbytes
    assert not b.not_predicted


def test_rules_of_gptq_for_some_modules_keep_them_or_give_them_their_own_bits() -> None:
    rules = {"-:.*down_proj": {}, "+:.*\\.q_proj$": {"bits": 8}}
    quantization = {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": rules}
    b = count_as("meta-llama/Llama-3.1-8B-Instruct", quantization_config=quantization)
    dtypes = {t.name.split(".")[-2]: t.dtype for t in b.tensors if t.kind == "weight" and "layers" in t.name}
    assert {k: dtypes[k] for k in ("down_proj", "q_proj", "k_proj", "up_proj")} == {
        "down_proj": "bfloat16",
        "q_proj": "int8",
        "k_proj": "int4",
        "up_proj": "int4",
    }


def test_a_number_in_a_pattern_tells_one_layer_from_the_others() -> None:
    weights = {"num_bits": 8, "type": "float", "strategy": "tensor"}
    ignored = {"ignore": ["re:.*layers\\.[0-2]\\..*q_proj$", "model.layers.5.mlp", "re:.*v_proj"]}
    quantization = {**compressed(weights, "float-quantized"), **ignored}
    b = count_as("meta-llama/Llama-3.1-8B-Instruct", quantization_config=quantization)
    in_8_bits = {t.name.split(".")[-2]: tuple(t.layers) for t in b.tensors if t.dtype == "float8_e4m3fn"}
    assert in_8_bits["q_proj"] == tuple(range(3, 32))
    assert in_8_bits["up_proj"] == (*range(5), *range(6, 32))
    assert in_8_bits["k_proj"] == tuple(range(32))
    assert "v_proj" not in in_8_bits


def test_routers_that_a_list_names_leave_nothing_open() -> None:
    quantization = {
        "quant_method": "awq",
        "bits": 4,
        "group_size": 128,
        "modules_to_not_convert": ["mlp.gate"],
    }
    b = count_as("Qwen/Qwen3-30B-A3B", quantization_config=quantization)
    tensors = quantized(plain(pw.count("Qwen/Qwen3-30B-A3B")), layouts.awq(), tables)
    assert b.weight_bytes == compare(b, inventory(tensors)).nbytes


@pytest.mark.parametrize(
    ("quantization", "why"),
    [
        ({"bits": 4, "group_size": 64, "model.embed_tokens": {"bits": 6}}, "'model.embed_tokens' is one"),
        ({"bits": 4, "group_size": 32, "mode": "mxfp4"}, "the mode 'mxfp4' of MLX"),
        (
            {"quant_method": "gptq", "bits": 4, "group_size": 128, "checkpoint_format": "marlin"},
            "checkpoint_format",
        ),
        ({"quant_method": "aqlm"}, "'aqlm' is not described here"),
        ({"quant_method": "gptq", "bits": 4}, "no group_size"),
    ],
)
def test_why_nothing_is_predicted_is_said(quantization: dict[str, Any], why: str) -> None:
    b = pw.count({**SMALL, "dtype": "float16", "quantization_config": quantization})
    assert b.weight_bytes is None
    assert why in b.not_predicted
    assert why in to_text(pw.memory(b))


def test_experts_of_gptq_are_left_open_as_its_config_does_not_say_which_routers_it_converts() -> None:
    b = count_as(
        "Qwen/Qwen3-30B-A3B", quantization_config={"quant_method": "gptq", "bits": 4, "group_size": 128}
    )
    assert b.weight_bytes is None


# ------------------------------------------------------------------ what nothing describes


def test_an_unknown_model_is_counted_from_names_and_shapes() -> None:
    held: list[Tensor] = [
        ("tok.embed_tokens.weight", "BF16", (10, 4)),
        *(
            (f"tok.layers.{i}.mlp.experts.{e}.up_proj.weight", "BF16", (8, 4))
            for i in range(2)
            for e in range(4)
        ),
        ("tok.layers.0.mlp.gate.weight", "BF16", (4, 4)),
        ("tok.layers.1.mlp.gate.weight", "BF16", (4, 4)),
    ]
    specs = tensors_of(inventory(held), {"num_experts": 4, "num_experts_per_tok": 1})
    by_role = {t.role: t for t in specs}
    assert by_role["routed_expert"].copies == 8
    assert by_role["routed_expert"].active_copies == 2
    assert by_role["router"].copies == 2
    assert sum(t.stored for t in specs) == 40 + 8 * 32 + 2 * 16
