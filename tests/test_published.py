"""Every published integer that the project reproduces, written out; no tolerance anywhere."""

from __future__ import annotations

from math import prod

import pytest
from configs import TWELVE

import paramwidget as pw
from paramwidget.render.numbers import decimal

# repo: stored, architectural, active with both tables, active without one table (None where nobody prints it).
# The first six: the author's table "three counts in one checkpoint"; gpt-oss: the model card (arXiv 2508.10925);
# DeepSeek-V3: its README_WEIGHTS and the Hub's total; Qwen3.8: a step-by-step verification.
COUNTS = {
    "openai/gpt-oss-120b": (116_829_156_672, 116_829_156_672, 5_711_982_912, 5_132_849_472),
    "openai/gpt-oss-20b": (20_914_757_184, 20_914_757_184, 4_187_440_704, 3_608_307_264),
    "Qwen/Qwen2.5-0.5B": (494_032_768, 630_167_424, 494_032_768, None),
    "HuggingFaceTB/SmolLM2-135M": (134_515_008, 162_826_560, 134_515_008, None),
    "Qwen/Qwen2.5-7B": (7_615_616_512, 7_615_616_512, 7_615_616_512, None),
    "microsoft/Phi-3-mini-4k-instruct": (3_821_079_552, 3_821_079_552, 3_821_079_552, None),
    "Qwen/Qwen1.5-MoE-A2.7B": (14_315_784_192, 14_315_784_192, 2_689_173_504, None),
    "mistralai/Mixtral-8x7B-v0.1": (46_702_792_704, 46_702_792_704, 12_879_925_248, None),
    "meta-llama/Llama-3.1-8B": (8_030_261_248, 8_030_261_248, 8_030_261_248, None),
    "Qwen/Qwen3-8B": (8_190_735_360, 8_190_735_360, 8_190_735_360, None),
    "Qwen/Qwen3-30B-A3B": (30_532_122_624, 30_532_122_624, 3_353_032_704, None),
    "deepseek-ai/DeepSeek-V3": (682_636_487_424, 684_489_845_504, 37_552_297_472, 36_625_618_432),
}

# the models whose total without the MTP layers is published too
WITHOUT_MTP = {
    "deepseek-ai/DeepSeek-V3": (671_026_419_200, 671_026_419_200, 37_552_297_472, 36_625_618_432),
    "Qwen/Qwen3.8-2.4T-A95B": (2_419_804_697_984, 2_419_804_697_984, 95_287_866_752, 93_253_629_312),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_three_published_counts_come_out(name: str) -> None:
    b = pw.count(name)
    stored, architectural, active, _ = COUNTS[name]
    assert (b.stored, b.architectural, b.active) == (stored, architectural, active)


@pytest.mark.parametrize("name", [name for name, row in COUNTS.items() if row[3]])
def test_active_without_one_table_is_the_same_whichever_table_is_out(name: str) -> None:
    b = pw.count(name)
    assert b.total("active", off={"embedding"}) == COUNTS[name][3]
    assert b.total("active", off={"lm_head"}) == COUNTS[name][3]


@pytest.mark.parametrize("name", WITHOUT_MTP)
def test_the_published_body_is_what_is_stored_without_mtp(name: str) -> None:
    b = pw.count(name)
    stored, architectural, active, one_table = WITHOUT_MTP[name]
    assert b.total("stored", off={"mtp"}) == stored
    assert b.total("architectural", off={"mtp"}) == architectural
    assert b.total("active", off={"mtp"}) == active
    assert b.total("active", off={"mtp", "embedding"}) == one_table


# ------------------------------------------------------------------ gpt-oss, model card, Table 1

# the card's words for each row, and the roles that make it up
TABLE_1 = {
    "openai/gpt-oss-120b": {
        "MLP": "114.71",
        "Attention": "0.96",
        "Embed + Unembed": "1.16",
        "Total": "116.83",
    },
    "openai/gpt-oss-20b": {"MLP": "19.12", "Attention": "0.64", "Embed + Unembed": "1.16", "Total": "20.91"},
}
ROLES_OF = {
    "MLP": ("router", "routed_expert"),
    "Attention": ("attention",),
    "Embed + Unembed": ("embedding", "lm_head"),
    "Total": ("embedding", "attention", "router", "routed_expert", "norm", "lm_head"),
}
EXACTLY = {
    # 36 × (128 × 24,891,840 + 2,880 × 128 + 128); attention with biases and 64 sinks a layer; 2 × 201,088 × 2,880
    "openai/gpt-oss-120b": (114_714_874_368, 955_805_184, 1_158_266_880, 116_829_156_672),
    # 24 × (32 × 24,891,840 + 2,880 × 32 + 32)
    "openai/gpt-oss-20b": (19_119_145_728, 637_203_456, 1_158_266_880, 20_914_757_184),
}


@pytest.mark.parametrize("name", TABLE_1)
def test_the_rows_of_the_gpt_oss_card_come_from_roles_to_the_digits_printed(name: str) -> None:
    by_role = pw.count(name).by_role("stored")
    sums = {row: sum(by_role[role] for role in roles) for row, roles in ROLES_OF.items()}
    assert tuple(sums.values()) == EXACTLY[name]
    assert {row: decimal(n, 10**9, 2) for row, n in sums.items()} == TABLE_1[name]


@pytest.mark.parametrize(
    ("name", "printed"), [("openai/gpt-oss-120b", "5.13"), ("openai/gpt-oss-20b", "3.61")]
)
def test_the_active_row_of_the_gpt_oss_card_comes_out_under_its_caption(name: str, printed: str) -> None:
    # caption: "Unembedding parameters are counted towards active, but not embeddings."
    by_role = pw.count(name).by_role("active", off={"embedding"})
    assert by_role["embedding"] == 0
    assert by_role["lm_head"] == 579_133_440
    assert decimal(sum(by_role.values()), 10**9, 2) == printed


@pytest.mark.parametrize(
    ("name", "weight_bytes", "gib"),
    [("openai/gpt-oss-120b", 65_248_815_744, "60.8"), ("openai/gpt-oss-20b", 13_761_264_768, "12.8")],
)
def test_the_checkpoint_sizes_of_the_gpt_oss_card_follow_from_shapes_and_mxfp4(
    name: str, weight_bytes: int, gib: str
) -> None:
    b = pw.count(name)
    assert b.weight_bytes == weight_bytes
    assert decimal(weight_bytes, 2**30, 1) == gib
    # the same from scratch: 17 bytes for 32 packed values, 2 bytes for every other one
    packed = sum(t.stored for t in b.tensors if t.role == "routed_expert" and t.kind == "weight")
    assert weight_bytes == packed // 32 * 17 + (b.stored - packed) * 2


def test_gpt_oss_without_either_table_uses_4_553_716_032() -> None:
    b = pw.count("openai/gpt-oss-120b")
    assert b.total("active", off={"embedding", "lm_head"}) == 4_553_716_032


def test_one_expert_of_gpt_oss_has_24_891_840_parameters_and_24_883_200_without_biases() -> None:
    experts = [
        t for t in pw.count("openai/gpt-oss-120b").tensors if t.role == "routed_expert" and t.kind != "scale"
    ]
    assert sum(t.numel for t in experts) == 24_891_840
    assert sum(t.numel for t in experts if t.kind == "weight") == 24_883_200


def test_the_experts_of_one_token_are_3_584_424_960() -> None:
    # 36 layers × 4 of 128 experts
    assert pw.count("openai/gpt-oss-120b").by_role("active")["routed_expert"] == 3_584_424_960


def test_the_walkthrough_misses_the_2304_attention_sinks() -> None:
    # a widely read walkthrough prints 116,829,154,368
    b = pw.count("openai/gpt-oss-120b")
    sinks = sum(t.stored for t in b.tensors if t.name.endswith(".sinks"))
    assert sinks == 2304
    assert b.stored - sinks == 116_829_154_368


def test_the_hub_counted_block_scales_as_parameters_until_july_2026() -> None:
    # huggingface.js, parse-safetensors-metadata.spec.ts: 120,412,337,472
    b = pw.count("openai/gpt-oss-120b")
    assert b.effect("scale", "stored") == 3_583_180_800
    assert b.total("stored", on={"scale"}) == 120_412_337_472


# ------------------------------------------------------------------ what a first formula misses


def test_the_biases_that_no_config_names_are_27_648_in_qwen2_5_0_5b() -> None:
    # 24 × (896 + 128 + 128)
    b = pw.count("Qwen/Qwen2.5-0.5B")
    assert b.effect("bias", "stored") == 27_648
    assert all(t.implied for t in b.tensors if t.kind == "bias")


def test_the_routers_of_mixtral_are_1_048_576() -> None:
    # 32 × 4,096 × 8
    assert pw.count("mistralai/Mixtral-8x7B-v0.1").by_role("stored")["router"] == 1_048_576


def test_biases_and_expert_gates_are_196_608_in_qwen1_5_moe() -> None:
    b = pw.count("Qwen/Qwen1.5-MoE-A2.7B")
    gates = sum(t.stored for t in b.tensors if t.name.endswith("shared_expert_gate.weight"))
    assert b.effect("bias", "stored") + gates == 196_608


# ------------------------------------------------------------------ Llama, the lesson


def test_the_twelve_numbers_of_llama_need_no_model_type() -> None:
    b = pw.count(TWELVE)
    assert (b.model_type, b.stored, b.weight_bytes) == ("llama", 8_030_261_248, 16_060_522_496)


def test_the_parts_of_one_llama_layer_are_those_of_the_lesson() -> None:
    # 16.8M query and output, 4.2M key and value, 176.2M (80%) of 218.2M feed-forward; 525M a table
    b = pw.count(TWELVE)
    numel = {t.name.removeprefix("model.layers.{layer}."): t.numel for t in b.tensors}
    assert numel["self_attn.q_proj.weight"] == numel["self_attn.o_proj.weight"] == 16_777_216
    assert numel["self_attn.k_proj.weight"] == numel["self_attn.v_proj.weight"] == 4_194_304
    roles = b.by_role("stored")
    assert (roles["mlp"] // 32, roles["embedding"], roles["lm_head"]) == (
        176_160_768,
        525_336_576,
        525_336_576,
    )
    assert sum(t.numel for t in b.tensors if len(t.layers) == 32) == 218_112_000
    # 32 layers: 6.98B
    assert decimal(32 * 218_112_000, 10**9, 2) == "6.98"


@pytest.mark.parametrize(
    ("name", "kv_bytes"), [("meta-llama/Llama-3.1-8B", 131_072), ("Qwen/Qwen3-8B", 147_456)]
)
def test_the_cache_of_one_token_follows_from_the_layers(name: str, kv_bytes: int) -> None:
    # the lesson quotes Llama's 131,072 for Qwen3-8B too, which has 36 layers
    layers = pw.count(name).layers
    assert sum(layer.kv_heads * (layer.k_dim + layer.v_dim) * 2 for layer in layers) == kv_bytes


def test_the_head_width_of_qwen3_0_6b_is_its_own_field() -> None:
    # the lesson's hidden_size / heads gives 64
    assert {layer.k_dim for layer in pw.count("Qwen/Qwen3-0.6B").layers} == {128}


def test_two_untied_tables_take_about_a_billion_of_the_larger_vocabulary() -> None:
    small, large = (
        pw.count({**TWELVE, "hidden_size": 2048, "vocab_size": vocab}).by_role("stored")
        for vocab in (32_000, 256_000)
    )
    assert small["embedding"] + small["lm_head"] == 131_072_000
    assert large["embedding"] + large["lm_head"] == 1_048_576_000


# ------------------------------------------------------------------ Qwen3.8-2.4T-A95B


def test_the_components_of_qwen3_8_are_those_of_the_verification() -> None:
    stored = pw.count("Qwen/Qwen3.8-2.4T-A95B").by_role("stored", off={"mtp"})
    assert stored["attention"] == 23 * 419_430_912 == 9_646_910_976
    # 438,387,072 with A_log and dt_bias, which the verification leaves out
    assert stored["linear_attention"] == 69 * 438_387_072 == 30_248_707_968
    # with the shared_expert_gate of 8,192 a layer, which it leaves out too
    assert stored["router"] + stored["routed_expert"] + stored["shared_expert"] == 2_375_839_088_640
    assert stored["embedding"] + stored["lm_head"] == 4_068_474_880
    assert stored["norm"] == 1_515_520


def test_the_terms_that_the_verification_leaves_out_are_771_328() -> None:
    b = pw.count("Qwen/Qwen3.8-2.4T-A95B")
    left_out = [
        t
        for t in b.tensors
        if t.role != "mtp" and t.name.endswith(("A_log", "dt_bias", "shared_expert_gate.weight"))
    ]
    assert sum(t.stored for t in left_out) == 771_328
    assert b.active - 771_328 == 95_287_095_424
    assert b.total("active", off={"embedding"}) - 771_328 == 93_252_857_984
    # its own rows add up to this, not to the 2,419,802,390,528 that it prints
    assert b.total("stored", off={"mtp"}) - 771_328 == 2_419_803_926_656


def test_the_query_matrix_of_qwen3_8_is_doubled_by_its_output_gate() -> None:
    q = next(
        t
        for t in pw.count("Qwen/Qwen3.8-2.4T-A95B").tensors
        if t.name == "model.layers.{layer}.self_attn.q_proj.weight"
    )
    assert q.formula == "(num_attention_heads × head_dim × 2) × hidden_size = (64 × 256 × 2) × 8,192"


def test_the_size_of_qwen3_8_with_one_mtp_layer_is_4_892_tb() -> None:
    b = pw.count("Qwen/Qwen3.8-2.4T-A95B")
    assert b.weight_bytes == 4_892_365_451_008
    assert decimal(b.weight_bytes, 10**12, 3) == "4.892"


# ------------------------------------------------------------------ DeepSeek-V3


def test_the_parts_of_deepseek_v3_add_up_to_the_hub_total() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    assert b.total("stored", off={"mtp"}) == 671_026_419_200
    assert b.by_role("stored")["mtp"] == 11_610_068_224
    assert b.by_role("stored")["embedding"] == b.by_role("stored")["lm_head"] == 926_679_040
    assert b.effect("scale", "stored") == 41_540_496
    # 671,026,419,200 + 11,610,068,224 + 2 × 926,679,040 + 41,540,496: the Hub's total
    assert b.total("architectural", on={"scale"}) == 684_531_386_000


def test_the_correction_biases_of_deepseek_v3_are_14_848_buffers() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    buffers = [t for t in b.tensors if t.kind == "buffer" and t.role != "mtp"]
    assert [t.name for t in buffers] == ["model.layers.{layer}.mlp.gate.e_score_correction_bias"]
    assert sum(t.stored for t in buffers) == 14_848


def test_deepseek_v3_without_either_table_uses_35_698_939_392() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    assert b.total("active", off={"embedding", "lm_head"}) == 35_698_939_392


def test_the_payload_of_deepseek_v3_is_the_weights_and_a_second_copy_of_both_tables() -> None:
    # the files store the MTP layer's own copies of embedding and head in bfloat16
    b = pw.count("deepseek-ai/DeepSeek-V3")
    assert b.weight_bytes is not None
    assert b.weight_bytes + 2 * 2 * 926_679_040 == 688_574_839_360


# ------------------------------------------------------------------ how vendors count

# claims of cards under the convention that gives them, as exact integers
VENDORS = [
    ("Qwen/Qwen2.5-0.5B", "stored", ("embedding", "lm_head"), 357_898_112),  # 0.36B non-embedding
    ("Qwen/Qwen3-30B-A3B", "stored", ("embedding", "lm_head"), 29_909_792_768),  # 29.9B non-embedding
    ("Qwen/Qwen3-Next-80B-A3B-Instruct", "active", ("embedding", "lm_head"), 3_252_599_552),  # 3B
    ("Qwen/Qwen3-Next-80B-A3B-Instruct", "stored", ("mtp",), 79_674_391_296),  # 80B
    ("deepseek-ai/DeepSeek-V2-Lite", "active", ("embedding",), 2_451_435_008),  # 2.4B, cut
]


@pytest.mark.parametrize(("name", "basis", "off", "expected"), VENDORS)
def test_the_vendors_conventions_give_these_integers(
    name: str, basis: str, off: tuple[str, ...], expected: int
) -> None:
    assert pw.count(name).total(basis, off=off) == expected


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("deepseek-ai/DeepSeek-V2-Lite", 15_706_484_224),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", 81_324_862_720),
        ("Qwen/Qwen3.6-35B-A3B", 35_951_822_704),
    ],
)
def test_the_hub_total_is_what_is_stored(name: str, total: int) -> None:
    assert pw.count(name).stored == total


def test_a_count_is_the_sum_of_its_shapes_and_nothing_else() -> None:
    for name in COUNTS:
        b = pw.count(name)
        plain = sum(prod(t.shape) * t.copies for t in b.tensors if not t.tied_to and t.kind != "scale")
        assert b.stored == plain
