"""What files hold against what a config implies: every layout adds up to the totals that were published of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import layouts
import pytest
from configs import SMALL, bundled
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import Tensor, inventory, plain, quantized, tables, with_scales

import paramwidget as pw
from paramwidget.inventory import Declared, Inventory, OtherCopy
from paramwidget.residual import Residual, compare
from paramwidget.residual.rows import PARAMETERS, UNEXPLAINED
from paramwidget.residual.totals import hypothesis

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


def causes(residual: Residual) -> dict[str, tuple[int, int, str]]:
    """The rows of parameters: name -> predicted, found, cause."""
    return {row.name: (row.predicted, row.found, row.cause) for row in residual.rows if row.of == PARAMETERS}


def note(residual: Residual, name: str) -> str:
    return next(row.note for row in residual.rows if row.name == name)


def added_up(residual: Residual) -> None:
    """The rows of parameters are all of what is predicted and all of what was found."""
    own = [row for row in residual.rows if row.of == PARAMETERS]
    assert "tensors that could not be compared" not in {row.name for row in own}
    assert sum(row.predicted for row in own) == residual.predicted
    assert sum(row.found for row in own) == residual.found_parameters


@pytest.mark.parametrize("name", pw.catalog())
def test_files_just_as_the_config_says_have_no_residual(name: str) -> None:
    b = pw.count(name)
    residual = compare(b, inventory(with_scales(b)))
    added_up(residual)
    assert residual.found_parameters == residual.predicted == b.stored
    assert {row.cause for row in residual.rows if row.of == PARAMETERS} <= {"as the config says", "MTP layer"}
    assert residual.unexplained == 0


# ------------------------------------------------------------------ tables and MTP


def test_kimi_k2_holds_frequencies_that_its_converter_wrote() -> None:
    # the Hub: 1,026,470,731,056. 61 layers × 56 frequencies, half of hidden_size / heads = 7,168 / 64, though a head's
    # rotary width is 64; 27 × 64 of Moonlight are made in the same way
    b = pw.count("moonshotai/Kimi-K2-Instruct")
    frequencies = [(f"model.layers.{i}.self_attn.rotary_emb.inv_freq", "F32", (56,)) for i in range(61)]
    residual = compare(b, inventory([*with_scales(b), *frequencies], hub_total=1_026_470_731_056))
    assert causes(residual)["model.layers.{layer}.self_attn.rotary_emb.inv_freq"] == (
        0,
        3_416,
        "buffer written by older versions",
    )
    assert residual.found_scales == 62_495_192
    assert residual.unexplained == 0


def glm(name: str, *, tables_of_mtp: bool) -> Residual:
    b = pw.count(name)
    return compare(b, inventory(plain(b, tied=tables_of_mtp)))


def test_glm_4_5_stores_the_tables_of_its_mtp_layer_again_and_glm_4_6_does_not() -> None:
    # 358,337,791,296 and 356,785,898,816: the complete maps of their tensors (BF16); 775,946,240 = 151,552 × 5,120
    with_tables, without = (
        glm("zai-org/GLM-4.5", tables_of_mtp=True),
        glm("zai-org/GLM-4.5", tables_of_mtp=False),
    )
    assert (with_tables.found_parameters, without.found_parameters) == (358_337_791_296, 356_785_898_816)
    assert causes(with_tables) == {
        "the model itself": (352_797_829_024, 352_797_829_024, "as the config says"),
        "MTP layer": (3_988_069_792, 3_988_069_792, "MTP layer"),
        "model.layers.92.embed_tokens.weight": (0, 775_946_240, "tied matrix stored again"),
        "model.layers.92.shared_head.head.weight": (0, 775_946_240, "tied matrix stored again"),
    }
    assert set(causes(without)) == {"the model itself", "MTP layer"}


def test_qwen3_next_holds_an_mtp_layer_without_tables() -> None:
    b = pw.count("Qwen/Qwen3-Next-80B-A3B-Instruct")
    residual = compare(b, inventory(plain(b), hub_total=81_324_862_720))
    assert residual.found_parameters == 81_324_862_720
    assert causes(residual)["MTP layer"][2] == "MTP layer"


def test_an_mtp_layer_that_no_file_has_is_one_row() -> None:
    b = pw.count("Qwen/Qwen3-Next-80B-A3B-Instruct")
    residual = compare(b, inventory(plain(b, without=lambda t: t.role == "mtp")))
    assert causes(residual)["MTP layer"] == (1_650_471_424, 0, "MTP layer missing")
    assert residual.unexplained == 0


def test_an_mtp_layer_that_the_config_does_not_name_is_one_row() -> None:
    b = pw.count({**bundled("zai-org/GLM-4.5-Air"), "num_nextn_predict_layers": 0})
    with_mtp = plain(pw.count("zai-org/GLM-4.5-Air"))
    residual = compare(b, inventory(with_mtp))
    assert causes(residual)["MTP layer"] == (0, 2_375_059_584, "MTP layer")
    assert residual.unexplained == 0


def test_a_causal_class_whose_files_hold_no_head_says_so() -> None:
    # Qwen3-Embedding-8B: 7,567,295,488 on the Hub; its config has the causal class
    b = pw.count({**bundled("Qwen/Qwen3-Embedding-8B"), "architectures": ["Qwen3ForCausalLM"]})
    residual = compare(b, inventory(plain(b, without=lambda t: t.role == "lm_head"), hub_total=7_567_295_488))
    head = 151_665 * 4_096
    assert causes(residual)["lm_head"] == (head, 0, "output head missing")
    assert residual.unexplained == 0


# ------------------------------------------------------------------ packed weights


def llama(scheme: layouts.Scheme, **about: object) -> Residual:
    b = pw.count(LLAMA)
    return compare(b, inventory(quantized(plain(b, dtype="F16"), scheme, tables), **about))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scheme", "scales", "bits"),
    [
        # 218,103,808 values of linear maps a layer: zero points packed, a scale for 128, and the order of the inputs
        pytest.param(layouts.gptq(), 6_815_744 + 54_525_952 + 1_245_184, 4, id="GPTQ"),
        pytest.param(layouts.gptq(bits=8), 13_631_488 + 54_525_952 + 1_245_184, 8, id="GPTQ, 8 bits"),
        pytest.param(layouts.gptq(bits=3), 5_111_808 + 54_525_952 + 1_245_184, 3, id="GPTQ, 3 bits in 32"),
        pytest.param(layouts.awq(), 6_815_744 + 54_525_952, 4, id="AWQ"),
        pytest.param(layouts.nvfp4(), 436_207_616 + 2 * 224, 4, id="NVFP4"),
        pytest.param(layouts.nf4(81), 109_051_904 + 224 * (16 + 81), 4, id="bitsandbytes nf4"),
        pytest.param(layouts.int8, 1_376_256 + 224, 8, id="bitsandbytes int8"),
        pytest.param(layouts.pack_quantized(group=128), 54_525_952 + 2 * 224, 4, id="compressed-tensors"),
        pytest.param(layouts.mlx(), 2 * 109_051_904, 4, id="MLX"),
    ],
)
def test_a_packing_is_told_from_the_shapes(scheme: layouts.Scheme, scales: int, bits: int) -> None:
    residual = llama(scheme)
    assert residual.predicted == residual.found_parameters == 8_030_261_248
    assert residual.found_scales == scales
    assert residual.unexplained == 0
    packed = [row for row in residual.rows if row.cause == "packed"]
    if bits == 8 and not packed:
        return  # a byte a value is not packed
    (row,) = packed
    width = 8 if "U8" in row.name else 32
    assert (row.predicted, row.found) == (6_979_321_856, 6_979_321_856 * bits // width)


def test_a_zero_bias_for_each_linear_map_is_named() -> None:
    # RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16: 8,031,637,504 = 8,030,261,248 + 32 × 43,008
    residual = llama(layouts.gptq(bias=True), hub_total=8_031_637_504)
    assert causes(residual)["*.bias"] == (0, 32 * 43_008, "biases present")
    assert residual.found_parameters == 8_031_637_504
    assert residual.unexplained == 0


def test_the_bytes_of_qwen3_8b_in_nvfp4_are_those_of_its_files() -> None:
    # nvidia/Qwen3-8B-NVFP4: 1,227 tensors, payload 6,396,932,352
    tensors = quantized(plain(pw.count("Qwen/Qwen3-8B")), layouts.nvfp4(kv=True), tables)
    residual = compare(pw.count("Qwen/Qwen3-8B"), inventory(tensors))
    assert len(tensors) == 1_227
    assert (residual.found_parameters, residual.nbytes) == (8_190_735_360, 6_396_932_352)


def test_the_bytes_of_qwen3_14b_in_mlx_are_those_of_its_index() -> None:
    # lmstudio-community/Qwen3-14B-MLX-4bit: 1,007 tensors, total_size 8,307,783,680
    tensors = quantized(plain(pw.count("Qwen/Qwen3-14B")), layouts.mlx())
    residual = compare(pw.count("Qwen/Qwen3-14B"), inventory(tensors))
    assert len(tensors) == 1_007
    assert (residual.found_parameters, residual.nbytes) == (14_768_307_200, 8_307_783_680)
    assert residual.bits is not None
    assert residual.bits == 8 * 8_307_783_680 / residual.bits.__class__(14_768_307_200)


def test_kimi_k2_5_was_counted_in_three_ways() -> None:
    # its Hub total: about 170B (words), 1,058,589,420,528 (scales and shapes counted), 1,026,879,376,368 (today)
    b = pw.count("moonshotai/Kimi-K2.5")
    tensors = quantized(plain(b), layouts.pack_quantized(), lambda name: ".mlp.experts." not in name)
    sums = {1_026_879_376_368: "as the headers say", layouts.elements(tensors): ""}
    sums[1_058_589_420_528] = (
        "1,026,879,376,368 + 31,708,938,240 (weight_scale counted) + 1,105,920 (weight_shape counted as packed, × 8)"
        " = 1,058,589,420,528"
    )
    for total, words in sums.items():
        residual = compare(b, inventory(tensors, hub_total=total))
        assert residual.unexplained == 0
        assert words in note(residual, "Hub total")
    assert residual.found_parameters == 1_026_879_376_368
    assert residual.nbytes == 595_148_192_736  # printed of Kimi-K2.6, which is stored in the same way
    assert "170,738,182,128" in f"{layouts.elements(tensors):,}"


def test_several_groups_of_bits_need_no_table_where_the_shapes_are_predicted() -> None:
    b = pw.count(LLAMA)
    four, eight = layouts.pack_quantized(4, 128), layouts.pack_quantized(8, 128)

    def mixed(name: str, out: int, inn: int) -> Sequence[Tensor]:
        return list((eight if name.endswith("down_proj") else four)(name, out, inn))

    residual = compare(b, inventory(quantized(plain(b), mixed, tables)))
    assert residual.predicted == residual.found_parameters
    assert residual.unexplained == 0


def test_bits_are_said_by_role() -> None:
    b = pw.count("openai/gpt-oss-120b")
    by_role = compare(b, inventory(with_scales(b))).by_role
    assert by_role["attention"].bits == 16
    # 17 bytes for 32 values, and the biases of the experts in 16 bits
    values, biases = 114_661_785_600, 36 * 128 * (5_760 + 2_880)
    assert by_role["routed_expert"].nbytes == values * 17 // 32 + 2 * biases
    assert by_role["routed_expert"].parameters == values + biases


# ------------------------------------------------------------------ buffers, biases, shapes


def test_the_masks_of_gpt2_are_buffers_of_older_versions() -> None:
    # the Hub: 137,022,720 = 124,439,808 + 12 × 1,024²
    b = pw.count("openai-community/gpt2")
    masks = [(f"h.{i}.attn.bias", "F32", (1, 1, 1024, 1024)) for i in range(12)]
    residual = compare(b, inventory([*plain(b), *masks], hub_total=137_022_720))
    assert causes(residual)["h.{layer}.attn.bias"] == (0, 12_582_912, "buffer written by older versions")
    assert residual.found_parameters == 137_022_720
    assert residual.unexplained == 0


def renamed(tensors: Sequence[Tensor], old: str, new: str) -> list[Tensor]:
    return [(name.replace(old, new), dtype, shape) for name, dtype, shape in tensors]


def test_a_padded_vocabulary_is_one_row_for_each_table() -> None:
    b = pw.count(SMALL)
    tensors = [
        (n, d, (16, 4) if s == (8, 4) and ("embed" in n or "lm_head" in n) else s) for n, d, s in plain(b)
    ]
    residual = compare(b, inventory(tensors))
    added_up(residual)
    assert causes(residual)["model.embed_tokens.weight"] == (32, 64, "padded vocabulary")
    assert causes(residual)["lm_head.weight"] == (32, 64, "padded vocabulary")
    assert note(residual, "lm_head.weight") == "[16, 4] where the config says [8, 4]"
    assert residual.unexplained == 0


def test_a_matrix_of_another_shape_is_not_explained() -> None:
    b = pw.count(SMALL)
    tensors = [(n, d, (4, 3) if n.endswith("k_proj.weight") else s) for n, d, s in plain(b)]
    residual = compare(b, inventory(tensors))
    assert causes(residual)["model.layers.0.self_attn.k_proj.weight"] == (16, 12, UNEXPLAINED)
    assert residual.unexplained == 4
    assert not residual.explained


def test_two_that_cancel_do_not_explain_each_other() -> None:
    b = pw.count(SMALL)
    shapes = {"k_proj.weight": (4, 3), "v_proj.weight": (5, 4)}
    tensors = [(n, d, next((v for k, v in shapes.items() if n.endswith(k)), s)) for n, d, s in plain(b)]
    residual = compare(b, inventory(tensors))
    assert residual.found_parameters == residual.predicted
    assert causes(residual)["model.layers.0.self_attn.v_proj.weight"][2] == "padded width"
    assert residual.unexplained == 4


def test_biases_that_are_declared_and_absent_are_named() -> None:
    b = pw.count({**SMALL, "attention_bias": True})
    residual = compare(b, inventory(plain(pw.count(SMALL))))
    assert {row.cause for row in residual.rows if row.difference} == {"biases absent"}
    assert residual.found_parameters == residual.predicted - 4 * 4


def test_a_module_of_its_own_is_extra_and_a_stray_tensor_of_a_known_one_is_not_explained() -> None:
    b = pw.count(SMALL)
    more: list[Tensor] = [
        ("vision_tower.blocks.0.weight", "BF16", (7, 3)),
        ("model.layers.0.self_attn.q_norm.weight", "BF16", (2,)),
        ("model.layers.0.self_attn.q_proj.gain", "BF16", (5,)),
    ]
    residual = compare(b, inventory([*plain(b), *more]))
    added_up(residual)
    found = causes(residual)
    assert found["vision_tower.*"] == (0, 21, "extra module")
    assert found["model.layers.{layer}.self_attn.q_norm.weight"] == (0, 2, "extra module")
    assert found["model.layers.{layer}.self_attn.q_proj.gain"] == (0, 5, UNEXPLAINED)
    assert residual.unexplained == 5


def test_a_layer_more_than_the_config_says_is_not_explained() -> None:
    b, more = pw.count(SMALL), pw.count({**SMALL, "num_hidden_layers": 2})
    residual = compare(b, inventory(plain(more)))
    assert residual.unexplained == more.stored - b.stored > 0


def test_reap_keeps_180_of_256_experts_apart_and_neither_vision_nor_mtp() -> None:
    # bryce-hoehn/Qwen3.5-25B-REAP-A3B-Coding: 22,213 tensors, total_parameters 25,091,371,648, total_size twice that
    b = pw.count("Qwen/Qwen3.6-35B-A3B")
    tensors: list[Tensor] = []
    for name, dtype, shape in plain(b, without=lambda t: t.role in ("mtp", "vision", "projector")):
        layer = name.removesuffix(".experts.gate_up_proj").removesuffix(".experts.down_proj")
        if name.endswith("experts.gate_up_proj"):
            matrices = ("gate_proj", "up_proj")
            tensors += [
                (f"{layer}.experts.{e}.{m}.weight", dtype, (512, 2048)) for e in range(180) for m in matrices
            ]
        elif name.endswith("experts.down_proj"):
            tensors += [(f"{layer}.experts.{e}.down_proj.weight", dtype, (2048, 512)) for e in range(180)]
        else:
            tensors.append((name, dtype, (180, 2048) if name.endswith("mlp.gate.weight") else shape))
    residual = compare(b, inventory(tensors))
    added_up(residual)
    assert len(tensors) == 22_213
    assert residual.found_parameters == 25_091_371_648
    assert residual.nbytes == 50_182_743_296
    found = causes(residual)
    assert {name: cause for name, (_, _, cause) in found.items()} == {
        "the model itself": "as the config says",
        "model.language_model.layers.{layer}.mlp.gate.weight": "experts pruned",
        "experts, up": "experts pruned",
        "experts, down": "experts pruned",
        "vision": "part missing",
        "projector": "part missing",
        "MTP layer": "MTP layer missing",
    }
    assert note(residual, "experts, up") == "180 of 256 experts in layers 0-39"


# ------------------------------------------------------------------ files and totals


def test_what_a_missing_shard_would_hold_is_one_row() -> None:
    b = pw.count(SMALL)
    tensors = [t for t in plain(b) if "mlp" not in t[0]]
    files = ["model-00001-of-00003.safetensors", "model-00003-of-00003.safetensors"]
    residual = compare(b, inventory(tensors, files))
    assert causes(residual)["tensors of missing files"] == (72, 0, "missing shard")
    assert (
        note(residual, "tensors of missing files") == "3 tensors; not there: model-00002-of-00003.safetensors"
    )
    assert residual.unexplained == 0


def test_a_tensor_that_the_index_names_and_no_file_has_is_named() -> None:
    # huggingface_hub issue 4725: an index of 1,199 names, headers of 1,198; mtp.fc.weight is in none
    b = pw.count("Qwen/Qwen3-Next-80B-A3B-Instruct")
    tensors = [t for t in plain(b) if t[0] != "mtp.fc.weight"]
    residual = compare(b, inventory(tensors, missing={"mtp.fc.weight": "model.safetensors"}))
    assert causes(residual)["mtp.fc.weight"] == (8_388_608, 0, "named by the index, in no file")
    assert residual.unexplained == 0


def test_medgemma_declares_its_tied_head_a_second_time() -> None:
    # google/medgemma-27b-it: total_parameters 28,842,036,848, total_size 54,864,813,280; 262,208 × 5,376 apart
    b = pw.count(
        {
            **bundled("google/gemma-3-12b-it"),
            "text_config": {
                "model_type": "gemma3_text",
                "hidden_size": 5376,
                "intermediate_size": 21504,
                "num_attention_heads": 32,
                "num_key_value_heads": 16,
                "head_dim": 128,
                "num_hidden_layers": 62,
                "vocab_size": 262208,
            },
        }
    )
    assert b.stored == 27_432_406_640
    declared = (
        Declared("total_parameters", 28_842_036_848, "model.safetensors.index.json"),
        Declared("total_size", 54_864_813_280, "model.safetensors.index.json"),
    )
    residual = compare(b, inventory(plain(b), declared=declared, hub_total=28_842_036_848))
    assert note(residual, "model.safetensors.index.json: total_parameters") == (
        "27,432,406,640 + 1,409,630,208 (the tied matrix once more) = 28,842,036,848"
    )
    assert note(residual, "Hub total") == "the Hub repeats total_parameters of model.safetensors.index.json"
    assert residual.unexplained == 0


def test_a_declared_total_that_nothing_explains_is_shown_and_the_headers_believed() -> None:
    # huggingface_hub issue 4221: total_parameters=333312 of a 7B fine-tune
    b = pw.count("Qwen/Qwen2.5-7B")
    declared = (Declared("total_parameters", 333_312, "model.safetensors.index.json"),)
    residual = compare(b, inventory(plain(b), declared=declared))
    assert "which are believed" in note(residual, "model.safetensors.index.json: total_parameters")
    assert residual.found_parameters == 7_615_616_512
    assert residual.unexplained == 0


def test_a_hub_total_that_nothing_explains_is_not_explained() -> None:
    b = pw.count(SMALL)
    residual = compare(b, inventory(plain(b), hub_total=b.stored + 7))
    assert residual.unexplained == 7


def test_other_copies_are_named_and_not_counted() -> None:
    b = pw.count(SMALL)
    copy = OtherCopy("original/", 7, 65_248_815_744, "the same weights in another format")
    residual = compare(b, inventory(plain(b), others=(copy,)))
    row = next(row for row in residual.rows if row.name == "original/")
    assert row.cause == "second copy of the weights"
    assert "7 files, 65,248,815,744 bytes, not counted" in row.note
    assert residual.found_parameters == b.stored


@pytest.mark.parametrize(
    ("repo", "total", "cause"),
    [
        (
            "deepseek-ai/DeepSeek-V3",
            684_531_386_000,
            "hypothesis: with MTP's own copies of the tables, with scales",
        ),
        (
            "moonshotai/Kimi-K2-Instruct",
            1_026_470_731_056,
            "hypothesis: with scales, with inverse frequencies, 61 × 56",
        ),
        ("moonshotai/Moonlight-16B-A3B", 15_960_111_936, "hypothesis: with inverse frequencies, 27 × 64"),
        (
            "moonshotai/Kimi-K2.5",
            1_058_589_420_528,
            "hypothesis: with scales, with shapes counted as packed words",
        ),
        (
            "deepseek-ai/DeepSeek-V4-Flash",
            158_069_433_298,
            "hypothesis: with scales, with packed words counted as parameters",
        ),
        ("Qwen/Qwen3-0.6B", 596_049_920, "as the config says"),
        ("Qwen/Qwen3-0.6B", 596_049_921, UNEXPLAINED),
    ],
)
def test_a_total_alone_is_explained_by_a_hypothesis_in_those_words(repo: str, total: int, cause: str) -> None:
    assert hypothesis(pw.count(repo), total).cause == cause


def test_without_headers_nothing_is_said_to_be_found() -> None:
    unread = Inventory("unread", (), (), repo="some/old", hub_total=684_531_386_000)
    residual = compare(pw.count("deepseek-ai/DeepSeek-V3"), unread)
    assert residual.found_parameters is residual.found_scales is residual.found_elements is None
    assert residual.explained


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("model.", "base_model.model.model."),
        ("model.", "model.language_model."),
        ("model.", "language_model.model."),
        ("model.", "llm.model."),
        ("model.", ""),
    ],
)
def test_a_prefix_does_not_keep_a_tensor_from_its_name(old: str, new: str) -> None:
    b = pw.count(SMALL)
    residual = compare(b, inventory(renamed(plain(b), old, new)))
    assert causes(residual) == {"all tensors": (b.stored, b.stored, "as the config says")}


def test_bert_has_old_names_for_its_norms_and_heads_that_its_class_does_not_use() -> None:
    # bert-base-uncased on the Hub: 110,106,428 = 109,514,298 of its class, the pooler, and the head of pairs
    b = pw.count(
        {
            "model_type": "bert",
            "architectures": ["BertForMaskedLM"],
            "vocab_size": 30522,
            "hidden_size": 768,
            "num_hidden_layers": 12,
            "num_attention_heads": 12,
            "intermediate_size": 3072,
            "max_position_embeddings": 512,
            "type_vocab_size": 2,
        }
    )
    more: list[Tensor] = [
        ("bert.pooler.dense.weight", "F32", (768, 768)),
        ("bert.pooler.dense.bias", "F32", (768,)),
        ("cls.seq_relationship.weight", "F32", (2, 768)),
        ("cls.seq_relationship.bias", "F32", (2,)),
    ]
    tensors = renamed(
        renamed(plain(b), "LayerNorm.weight", "LayerNorm.gamma"), "LayerNorm.bias", "LayerNorm.beta"
    )
    residual = compare(b, inventory([*tensors, *more], hub_total=110_106_428))
    assert b.stored == 109_514_298
    assert residual.found_parameters == 110_106_428
    assert {row.cause for row in residual.rows if row.difference} == {"extra module"}
    assert residual.unexplained == 0


def test_fused_and_split_matrices_are_the_same() -> None:
    b = pw.count(SMALL)
    tensors = [t for t in plain(b) if not t[0].endswith(("q_proj.weight", "k_proj.weight", "v_proj.weight"))]
    fused: list[Tensor] = [("model.layers.0.self_attn.qkv_proj.weight", "BF16", (12, 4))]
    assert causes(compare(b, inventory([*tensors, *fused]))) == {
        "all tensors": (b.stored, b.stored, "as the config says")
    }
    short: list[Tensor] = [("model.layers.0.self_attn.qkv_proj.weight", "BF16", (11, 4))]
    residual = compare(b, inventory([*tensors, *short]))
    assert causes(residual)["attention q, k, v"] == (48, 44, UNEXPLAINED)


def test_names_that_nobody_knows_are_compared_by_layer_and_role() -> None:
    b = pw.count(SMALL)
    names = {"q_proj": "attn_in_a", "k_proj": "attn_in_b", "v_proj": "attn_in_c"}
    tensors = plain(b)
    for old, new in names.items():
        tensors = renamed(tensors, f"self_attn.{old}", f"self_attn.{new}")
    residual = compare(b, inventory(tensors))
    added_up(residual)
    assert causes(residual)["attention"] == (48, 48, "named otherwise")
    assert "compared by layer and role" in note(residual, "attention")


MAPS = Path(__file__).parent / "reference" / "gguf_maps.jsonl"
GGUF = {
    "DeepSeek-V3.1-Terminus": ("deepseek-ai/DeepSeek-V3.1", 671_026_419_200),
    "GLM-4.5": ("zai-org/GLM-4.5", 358_337_791_296),
    "GLM-4.5-Air": ("zai-org/GLM-4.5-Air", 110_468_824_832),
    "GLM-5.1": ("zai-org/GLM-5.1", 753_864_139_008),
    "GLM-5.2": ("zai-org/GLM-5.2", 753_329_940_480),
    "Kimi-K2.5": ("moonshotai/Kimi-K2.5", 1_026_408_232_448),
    "Qwen3.5-122B-A10B": ("Qwen/Qwen3.5-122B-A10B", 122_111_526_912),
    "Qwen3.5-27B": ("Qwen/Qwen3.5-27B", 26_895_998_464),
}


@pytest.mark.parametrize("model", GGUF)
def test_the_names_of_a_gguf_file_are_those_of_the_config(model: str) -> None:
    repo, total = GGUF[model]
    rows = (json.loads(line) for line in MAPS.read_text(encoding="utf-8").splitlines())
    found = next(r for r in rows if r["model"] == model)
    tensors: list[Tensor] = []
    for name, shape, dtype, layers in found["tensors"]:
        for layer in _layers(layers):
            tensors.append((name.replace(".N.", f".{layer}."), dtype, tuple(reversed(shape))))
    residual = compare(pw.count(repo), inventory(tensors, format="gguf"))
    added_up(residual)
    assert residual.found_parameters == total
    assert residual.unexplained == 0


def _layers(text: str | None) -> list[int]:
    """``0-2,6`` as its numbers; one of no layer for None."""
    if not text:
        return [0]
    ends = [part.partition("-") for part in text.split(",")]
    return [i for first, _, last in ends for i in range(int(first), int(last or first) + 1)]


def test_a_gguf_file_with_latent_keys_and_values_whole_and_in_halves_holds_them_twice() -> None:
    # DeepSeek-V3 in 1,147 tensors, 672.050B: ik_llama.cpp's layout keeps attn_kv_b beside attn_k_b and attn_v_b
    b = pw.count("deepseek-ai/DeepSeek-V3")
    tensors: list[Tensor] = []
    for i in range(61):
        tensors += [
            (f"blk.{i}.attn_kv_b.weight", "Q8_0", (32768, 512)),
            (f"blk.{i}.attn_k_b.weight", "Q8_0", (128, 512, 128)),
            (f"blk.{i}.attn_v_b.weight", "Q8_0", (128, 128, 512)),
        ]
    residual = compare(b, inventory(tensors, format="gguf"))
    once = 61 * 32768 * 512
    assert causes(residual)["latent k, v"] == (once, 2 * once, "stored twice")


# ------------------------------------------------------------------ anything that a header may say

SEGMENTS = st.sampled_from(
    [
        "model",
        "layers",
        "0",
        "1",
        "7",
        "mlp",
        "experts",
        "self_attn",
        "q_proj",
        "qkv_proj",
        "up_proj",
        "lm_head",
        "#",
    ]
)
ENDS = st.sampled_from(
    [
        "weight",
        "bias",
        "weight_packed",
        "weight_scale",
        "qweight",
        "scales",
        "biases",
        "q_weight",
        "trellis",
        "inv_freq",
    ]
)
NAMES = st.builds(lambda some, end: ".".join([*some, end]), st.lists(SEGMENTS, max_size=6), ENDS)
SHAPES = st.lists(st.integers(0, 9), max_size=4).map(tuple)
TENSORS = st.tuples(NAMES, st.sampled_from(["BF16", "U8", "I32", "U32", "F8_E4M3", "I64", "F4"]), SHAPES)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(TENSORS, max_size=12, unique_by=lambda t: t[0]),
    st.booleans(),
    st.sampled_from(["safetensors", "gguf"]),
)
def test_whatever_files_hold_the_rows_add_up(more: list[Tensor], whole: bool, kind: str) -> None:
    b = pw.count(SMALL)
    own = plain(b) if whole else []
    names = {name for name, _, _ in own}
    tensors = [*own, *(t for t in more if t[0] not in names)]
    if not tensors:
        return
    residual = compare(b, inventory([(n, "U8" if d == "F4" else d, s) for n, d, s in tensors], format=kind))
    added_up(residual)
    assert residual.found_parameters is not None
    assert residual.found_scales is not None
    if not any(row.cause == "packed" for row in residual.rows):  # then each element is one or the other
        assert residual.found_parameters + residual.found_scales == residual.found_elements
