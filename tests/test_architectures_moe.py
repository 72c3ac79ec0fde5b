"""Mixtures of experts: what transformers builds of small configs, what files hold, and what a token uses of it."""

from __future__ import annotations

from typing import Any

import pytest

import paramwidget as pw
from paramwidget.architectures import TABLE

# ------------------------------------------------------------------ what transformers 5.24 builds
#
# Every row: a type, what differs from BASE, and of the model that transformers builds on the meta device the
# parameters, what ties add, the persistent buffers, and what one token uses: all of it, with 2 of 6 experts a layer.

BASE: dict[str, Any] = {
    "vocab_size": 96,
    "hidden_size": 64,
    "intermediate_size": 40,
    "num_hidden_layers": 5,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 12,
}
LOCAL = {"num_local_experts": 6, "num_experts_per_tok": 2}
EXPERTS = {"num_experts": 6, "num_experts_per_tok": 2}
ROUTED = {"n_routed_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 24}
LATENT = {
    "kv_lora_rank": 20,
    "q_lora_rank": 28,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 10,
    "v_head_dim": 14,
}
INDEX = {"index_n_heads": 3, "index_head_dim": 16}
MIXED = ["dense", "sparse", "dense", "sparse", "sparse"]
WINDOWS = [
    "full_attention",
    "sliding_attention",
    "full_attention",
    "sliding_attention",
    "sliding_attention",
]
DBRX = {
    "attn_config": {"kv_n_heads": 2},
    "ffn_config": {"ffn_hidden_size": 24, "moe_num_experts": 6, "moe_top_k": 2},
}

BUILT: list[tuple[str, dict[str, Any], int, int, int, int]] = [
    ("granitemoe", {**LOCAL}, 322_112, 0, 0, 168_512),
    ("granitemoe", {**LOCAL, "attention_bias": True}, 323_152, 0, 0, 169_552),
    ("granitemoe", {**LOCAL, "tie_word_embeddings": True}, 315_968, 6_144, 0, 162_368),
    ("granitemoe_swa", {**LOCAL, "shared_intermediate_size": 18}, 339_432, 0, 0, 185_832),
    ("granitemoeshared", {**LOCAL, "shared_intermediate_size": 18}, 339_392, 0, 0, 185_792),
    ("granitemoeshared", {**LOCAL, "shared_intermediate_size": 0}, 322_112, 0, 0, 168_512),
    ("olmoe", {**EXPERTS}, 322_512, 0, 0, 168_912),
    ("olmoe", {**EXPERTS, "attention_bias": True}, 323_552, 0, 0, 169_952),
    ("flex_olmo", {**EXPERTS}, 322_712, 0, 0, 169_112),
    ("phimoe", {**LOCAL}, 322_816, 0, 0, 169_216),
    ("phimoe", {**LOCAL, "attention_bias": True, "lm_head_bias": True}, 323_952, 0, 0, 170_352),
    ("dbrx", DBRX, 204_352, 0, 0, 112_192),
    ("glm4_moe", {**ROUTED, "n_shared_experts": 1}, 228_032, 0, 24, 154_328),
    (
        "glm4_moe",
        {
            **ROUTED,
            "n_shared_experts": 1,
            "use_qk_norm": True,
            "attention_bias": True,
            "first_k_dense_replace": 3,
        },
        178_952,
        0,
        12,
        142_100,
    ),
    ("glm4_moe", {**ROUTED, "n_shared_experts": 2}, 246_464, 0, 24, 172_760),
    ("glm4_moe_lite", {**ROUTED, **LATENT, "n_shared_experts": 1}, 244_592, 0, 24, 170_888),
    (
        "glm4_moe_lite",
        {**ROUTED, **LATENT, "n_shared_experts": 1, "mlp_layer_types": MIXED, "q_lora_rank": None},
        236_452,
        0,
        18,
        181_174,
    ),
    ("glm_moe_dsa", {**ROUTED, **LATENT, **INDEX, "n_shared_experts": 1}, 207_632, 0, 12, 170_780),
    (
        "glm_moe_dsa",
        {
            **ROUTED,
            **LATENT,
            **INDEX,
            "n_shared_experts": 1,
            "indexer_types": ["full", "shared", "full", "shared", "shared"],
        },
        199_856,
        0,
        12,
        163_004,
    ),
    (
        "glm_moe_dsa",
        {
            **ROUTED,
            **LATENT,
            **INDEX,
            "n_shared_experts": 1,
            "index_topk_freq": 3,
            "index_skip_topk_offset": 1,
        },
        199_856,
        0,
        12,
        163_004,
    ),
    (
        "glm_moe_dsa",
        {
            **ROUTED,
            **LATENT,
            **INDEX,
            "n_shared_experts": 1,
            "index_topk_pattern": "FFSSF",
            "mlp_layer_types": MIXED,
        },
        227_408,
        0,
        18,
        172_130,
    ),
    (
        "deepseek_v2",
        {**ROUTED, **LATENT, "n_shared_experts": 1, "first_k_dense_replace": 1, "mlp_bias": True},
        245_184,
        0,
        0,
        171_456,
    ),
    ("deepseek_v32", {**ROUTED, **LATENT, **INDEX, "n_shared_experts": 1}, 207_632, 0, 12, 170_780),
    (
        "deepseek_v32",
        {
            **ROUTED,
            **LATENT,
            **INDEX,
            "n_shared_experts": 1,
            "attention_bias": True,
            "first_k_dense_replace": 1,
        },
        258_152,
        0,
        24,
        184_448,
    ),
    (
        "sarvam_mla",
        {**ROUTED, **LATENT, "n_shared_experts": 1, "first_k_dense_replace": 1},
        244_592,
        0,
        24,
        170_888,
    ),
    ("axk1", {**ROUTED, **LATENT, "n_shared_experts": 1}, 244_848, 0, 24, 171_144),
    (
        "axk1",
        {**ROUTED, **LATENT, "n_shared_experts": 1, "first_k_dense_replace": 2, "moe_layer_freq": 2},
        194_800,
        0,
        12,
        157_948,
    ),
    (
        "deepseek_v4",
        {**ROUTED, **INDEX, "num_key_value_heads": 1, "q_lora_rank": 28, "o_groups": 2, "o_lora_rank": 6},
        293_423,
        0,
        588,
        201_851,
    ),
    (
        "deepseek_v4",
        {
            **ROUTED,
            **INDEX,
            "num_key_value_heads": 1,
            "q_lora_rank": 28,
            "o_groups": 2,
            "o_lora_rank": 6,
            "compress_ratios": [0, 4, 128, 4, 128, 0],
        },
        296_211,
        0,
        588,
        204_639,
    ),
    (
        "deepseek_v4",
        {
            **ROUTED,
            **INDEX,
            "num_key_value_heads": 1,
            "q_lora_rank": 28,
            "o_groups": 2,
            "o_lora_rank": 6,
            "num_hash_layers": 0,
            "mlp_bias": True,
        },
        293_983,
        0,
        30,
        201_853,
    ),
    (
        "deepseek_v4",
        {
            **ROUTED,
            **INDEX,
            "num_key_value_heads": 1,
            "q_lora_rank": 28,
            "o_groups": 2,
            "o_lora_rank": 6,
            "hc_mult": 3,
            "compress_rate_csa": 2,
            "compress_rate_hca": 32,
        },
        255_524,
        0,
        588,
        163_952,
    ),
    (
        "deepseek_v4",
        {
            **ROUTED,
            **INDEX,
            "num_key_value_heads": 1,
            "q_lora_rank": 28,
            "o_groups": 2,
            "o_lora_rank": 6,
            "mlp_layer_types": ["moe", "hash_moe", "moe", "moe", "moe"],
            "layer_types": [
                "sliding_attention",
                "compressed_sparse_attention",
                "heavily_compressed_attention",
                "sliding_attention",
                "compressed_sparse_attention",
            ],
        },
        293_127,
        0,
        216,
        201_183,
    ),
    ("minimax_m2", {**LOCAL}, 322_712, 0, 30, 169_142),
    ("minimax_m2", {**LOCAL, "tie_word_embeddings": True}, 316_568, 6_144, 30, 162_998),
    (
        "minimax_m3_vl_text",
        {**LOCAL, **INDEX, "dense_intermediate_size": 50, "shared_intermediate_size": 18},
        339_512,
        0,
        30,
        185_942,
    ),
    (
        "minimax_m3_vl_text",
        {
            **LOCAL,
            **INDEX,
            "dense_intermediate_size": 50,
            "shared_intermediate_size": 18,
            "mlp_layer_types": MIXED,
            "layer_types": [
                "full_attention",
                "minimax_m3_sparse",
                "minimax_m3_sparse",
                "full_attention",
                "minimax_m3_sparse",
            ],
        },
        271_256,
        0,
        18,
        179_114,
    ),
    (
        "minimax_m3_vl_text",
        {
            **LOCAL,
            **INDEX,
            "dense_intermediate_size": 50,
            "shared_intermediate_size": 18,
            "moe_layer_freq": [0, 1, 1, 1, 0],
            "sparse_attention_config": {
                "sparse_attention_freq": [0, 0, 1, 1, 1],
                "sparse_num_index_heads": 2,
                "sparse_index_dim": 8,
            },
        },
        263_528,
        0,
        18,
        171_386,
    ),
    (
        "ernie4_5_moe",
        {"moe_num_experts": 6, "moe_k": 2, "moe_intermediate_size": 24},
        240_344,
        6_144,
        0,
        166_616,
    ),
    (
        "ernie4_5_moe",
        {
            "moe_num_experts": 6,
            "moe_k": 2,
            "moe_intermediate_size": 24,
            "use_bias": True,
            "tie_word_embeddings": False,
        },
        248_408,
        0,
        0,
        174_680,
    ),
    (
        "ernie4_5_moe",
        {
            "moe_num_experts": 6,
            "moe_k": 2,
            "moe_intermediate_size": 24,
            "moe_layer_interval": 2,
            "moe_layer_start_index": 0,
            "moe_layer_end_index": 3,
        },
        181_196,
        6_144,
        0,
        144_332,
    ),
    (
        "ernie4_5_moe",
        {"moe_num_experts": 6, "moe_k": 2, "moe_intermediate_size": 24, "moe_num_shared_experts": 0},
        203_480,
        6_144,
        0,
        129_752,
    ),
    ("hunyuan_v1_moe", {"num_experts": 6, "moe_topk": 2}, 360_632, 0, 0, 207_032),
    (
        "hunyuan_v1_moe",
        {"num_experts": 6, "moe_topk": [1, 2, 1, 2, 1], "attention_bias": True},
        361_672,
        0,
        0,
        185_032,
    ),
    ("hy_v3", {**EXPERTS, "moe_intermediate_size": 24}, 228_152, 0, 24, 154_448),
    (
        "hy_v3",
        {**EXPERTS, "moe_intermediate_size": 24, "mlp_bias": True, "num_shared_experts": 2},
        247_368,
        0,
        24,
        173_664,
    ),
    (
        "hy_v3",
        {**EXPERTS, "moe_intermediate_size": 24, "num_shared_experts": 0, "mlp_layer_types": MIXED},
        212_408,
        0,
        18,
        157_130,
    ),
    ("dots1", {**ROUTED, "n_shared_experts": 1}, 253_112, 0, 30, 160_982),
    (
        "dots1",
        {
            **ROUTED,
            "n_shared_experts": 1,
            "first_k_dense_replace": 2,
            "attention_bias": True,
            "max_window_layers": 3,
            "sliding_window": 8,
        },
        204_232,
        0,
        18,
        148_954,
    ),
    ("mimo_v2_flash", {**ROUTED, "v_head_dim": 14}, 229_344, 0, 24, 155_640),
    (
        "mimo_v2_flash",
        {
            **ROUTED,
            "v_head_dim": 14,
            "layer_types": WINDOWS,
            "mlp_layer_types": MIXED,
            "attention_bias": True,
        },
        206_552,
        0,
        18,
        151_274,
    ),
    ("solar_open", {**ROUTED, "n_shared_experts": 1}, 252_992, 0, 30, 160_862),
    ("afmoe", {**EXPERTS, "moe_intermediate_size": 24, "num_dense_layers": 2}, 248_394, 0, 0, 193_098),
    (
        "afmoe",
        {**EXPERTS, "moe_intermediate_size": 24, "num_shared_experts": 0, "attention_bias": True},
        242_144,
        0,
        0,
        168_416,
    ),
    ("exaone_moe", {**EXPERTS, "moe_intermediate_size": 24}, 228_152, 0, 24, 154_448),
    (
        "exaone_moe",
        {**EXPERTS, "moe_intermediate_size": 24, "mlp_layer_types": MIXED, "num_shared_experts": 2},
        217_016,
        0,
        18,
        161_738,
    ),
    (
        "laguna",
        {**EXPERTS, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 20},
        227_664,
        0,
        0,
        153_936,
    ),
    (
        "laguna",
        {
            **EXPERTS,
            "moe_intermediate_size": 24,
            "shared_expert_intermediate_size": 20,
            "gating": False,
            "num_attention_heads_per_layer": [8, 4, 8, 4, 2],
            "layer_types": WINDOWS,
        },
        223_568,
        0,
        0,
        149_840,
    ),
    (
        "laguna",
        {
            **EXPERTS,
            "moe_intermediate_size": 24,
            "shared_expert_intermediate_size": 20,
            "mlp_layer_types": MIXED,
            "attention_bias": True,
        },
        204_506,
        0,
        0,
        149_210,
    ),
    ("mellum", {**EXPERTS, "moe_intermediate_size": 24}, 230_072, 0, 0, 137_912),
    ("mellum", {**EXPERTS, "moe_intermediate_size": 24, "mlp_layer_types": MIXED}, 189_368, 0, 0, 134_072),
    ("jetmoe", {**LOCAL, "kv_channels": 12}, 349_248, 6_144, 0, 134_208),
    ("beam", {**EXPERTS, "moe_intermediate_size": 24}, 200_416, 0, 12, 163_564),
    ("beam", {**EXPERTS, "moe_intermediate_size": 24, "mlp_layer_types": MIXED}, 220_768, 0, 18, 165_490),
    (
        "flint",
        {**EXPERTS, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 20},
        200_928,
        0,
        0,
        145_632,
    ),
    (
        "flint",
        {
            **EXPERTS,
            "moe_intermediate_size": 24,
            "shared_expert_intermediate_size": 20,
            "mlp_only_layers": [1, 3],
            "decoder_sparse_step": 2,
        },
        128_352,
        0,
        0,
        128_352,
    ),
    (
        "kolibri1",
        {**EXPERTS, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 20},
        249_912,
        0,
        30,
        157_782,
    ),
    ("cohere2_moe", {**EXPERTS}, 315_648, 6_144, 0, 162_048),
    (
        "cohere2_moe",
        {
            **EXPERTS,
            "first_k_dense_replace": 2,
            "prefix_dense_intermediate_size": 30,
            "num_shared_experts": 2,
            "tie_word_embeddings": False,
        },
        286_464,
        0,
        0,
        194_304,
    ),
    ("sarvam_moe", {**ROUTED, "n_shared_experts": 1, "first_k_dense_replace": 1}, 228_152, 0, 24, 154_448),
    (
        "sarvam_moe",
        {
            **ROUTED,
            "n_shared_experts": 1,
            "first_k_dense_replace": 2,
            "use_qk_norm": False,
            "attention_bias": True,
        },
        203_792,
        0,
        18,
        148_514,
    ),
]


def built(b: pw.Breakdown) -> tuple[int, int, int]:
    """Parameters, ties and buffers as transformers has them: it leaves out MTP layers and what is never read."""
    params = b.total("stored", off={"mtp", "buffer", "unread"})
    body = b.total("stored", off={"mtp", "unread"})
    return params, b.total("architectural", off={"mtp"}) - b.total("stored", off={"mtp"}), body - params


@pytest.mark.parametrize(("model_type", "given", "params", "tied", "buffers", "active"), BUILT)
def test_a_small_mixture_counts_what_transformers_builds_and_what_a_token_uses_of_it(
    model_type: str, given: dict[str, Any], params: int, tied: int, buffers: int, active: int
) -> None:
    b = pw.count({"model_type": model_type, **BASE, **given})
    assert built(b) == (params, tied, buffers)
    assert b.active == active


@pytest.mark.parametrize(("model_type", "given", *"ptba"), BUILT)
def test_every_layer_of_a_mixture_names_each_of_its_tensors_once(
    model_type: str, given: dict[str, Any], p: int, t: int, b: int, a: int
) -> None:
    tensors = pw.count({"model_type": model_type, **BASE, **given}).tensors
    names = [(x.name, i) for x in tensors for i in (x.layers or [None])]
    assert len(set(names)) == len(names)


def test_the_types_of_this_file_are_in_the_table() -> None:
    assert {row[0] for row in BUILT} | {config["model_type"] for config, *_ in PUBLISHED.values()} <= set(
        TABLE
    )


# ------------------------------------------------------------------ what was published
#
# repository -> the fields of its config that decide the count, the total that the Hub reported, and what of that total
# is stored a second time, so that the config side counts it once.

GLM_4_5 = {
    "model_type": "glm4_moe",
    "vocab_size": 151_552,
    "hidden_size": 5120,
    "intermediate_size": 12_288,
    "moe_intermediate_size": 1536,
    "num_hidden_layers": 92,
    "num_attention_heads": 96,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "n_routed_experts": 160,
    "n_shared_experts": 1,
    "num_experts_per_tok": 8,
    "first_k_dense_replace": 3,
    "attention_bias": True,
    "use_qk_norm": True,
    "num_nextn_predict_layers": 1,
}
DEEPSEEK_V3_2 = {
    "model_type": "deepseek_v32",
    "vocab_size": 129_280,
    "hidden_size": 7168,
    "intermediate_size": 18_432,
    "moe_intermediate_size": 2048,
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 8,
    "first_k_dense_replace": 3,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "index_n_heads": 64,
    "index_head_dim": 128,
    "num_nextn_predict_layers": 1,
}
GLM_5 = {
    "model_type": "glm_moe_dsa",
    "vocab_size": 154_880,
    "hidden_size": 6144,
    "intermediate_size": 12_288,
    "moe_intermediate_size": 2048,
    "num_hidden_layers": 78,
    "num_attention_heads": 64,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 8,
    "first_k_dense_replace": 3,
    "kv_lora_rank": 512,
    "q_lora_rank": 2048,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 192,
    "v_head_dim": 256,
    "index_n_heads": 32,
    "index_head_dim": 128,
    "num_nextn_predict_layers": 1,
}
V4_PRO = {
    "model_type": "deepseek_v4",
    "vocab_size": 129_280,
    "hidden_size": 7168,
    "moe_intermediate_size": 3072,
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 1,
    "head_dim": 512,
    "n_routed_experts": 384,
    "num_experts_per_tok": 6,
    "num_hash_layers": 3,
    "q_lora_rank": 1536,
    "o_lora_rank": 1024,
    "o_groups": 16,
    "index_n_heads": 64,
    "index_head_dim": 128,
    "hc_mult": 4,
    "compress_ratios": [128, 128, *[4, 128] * 29, 4, 0],
    "num_nextn_predict_layers": 1,
    "expert_dtype": "fp4",
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
}
STEP_3_5 = {
    "model_type": "step3p5",
    "vocab_size": 128_896,
    "hidden_size": 4096,
    "intermediate_size": 11_264,
    "moe_intermediate_size": 1280,
    "share_expert_dim": 1280,
    "num_hidden_layers": 45,
    "num_attention_heads": 64,
    "num_attention_groups": 8,
    "head_dim": 128,
    "moe_num_experts": 288,
    "moe_top_k": 8,
    "moe_layers_enum": ",".join(map(str, range(3, 45))),
    "layer_types": ["sliding_attention" if i % 4 else "full_attention" for i in range(48)],
    "attention_other_setting": {
        "attention_type": "sliding_attention",
        "num_attention_heads": 96,
        "num_attention_groups": 8,
        "head_dim": 128,
    },
    "sliding_window": 512,
    "num_nextn_predict_layers": 3,
}
LONGCAT = {
    "model_type": "longcat_flash",
    "vocab_size": 131_072,
    "hidden_size": 6144,
    "ffn_hidden_size": 12_288,
    "expert_ffn_hidden_size": 2048,
    "num_layers": 28,
    "num_attention_heads": 64,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "n_routed_experts": 512,
    "zero_expert_num": 256,
    "moe_topk": 12,
}
MIMO_V2 = {
    "model_type": "mimo_v2_flash",
    "vocab_size": 152_576,
    "hidden_size": 4096,
    "intermediate_size": 16_384,
    "moe_intermediate_size": 2048,
    "num_hidden_layers": 48,
    "num_attention_heads": 64,
    "num_key_value_heads": 4,
    "swa_num_key_value_heads": 8,
    "head_dim": 192,
    "v_head_dim": 128,
    "n_routed_experts": 256,
    "num_experts_per_tok": 8,
    "hybrid_layer_pattern": [0, *[1, 1, 1, 1, 0], *[1, 1, 1, 1, 1, 0] * 7],
    "moe_layer_freq": [0, *[1] * 47],
    "sliding_window": 128,
}
LING = {
    "model_type": "bailing_moe",
    "vocab_size": 126_464,
    "hidden_size": 2048,
    "intermediate_size": 5632,
    "moe_intermediate_size": 1408,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "num_experts": 64,
    "num_shared_experts": 2,
    "num_experts_per_tok": 6,
}
HUNYUAN = {
    "model_type": "hunyuan",
    "vocab_size": 128_167,
    "hidden_size": 4096,
    "intermediate_size": 3072,
    "moe_intermediate_size": [3072] * 32,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "attention_head_dim": 128,
    "num_experts": 64,
    "moe_topk": [8] * 32,
    "num_shared_expert": [1] * 32,
    "use_mixed_mlp_moe": True,
    "use_qk_norm": True,
    "tie_word_embeddings": True,
}
ERNIE = {
    "model_type": "ernie4_5_moe",
    "vocab_size": 103_424,
    "hidden_size": 2560,
    "intermediate_size": 12_288,
    "moe_intermediate_size": 1536,
    "num_hidden_layers": 28,
    "num_attention_heads": 20,
    "num_key_value_heads": 4,
    "moe_num_experts": 64,
    "moe_k": 6,
    "moe_num_shared_experts": 2,
}
MINIMAX_M2 = {
    "model_type": "minimax_m2",
    "vocab_size": 200_064,
    "hidden_size": 3072,
    "intermediate_size": 1536,
    "num_hidden_layers": 62,
    "num_attention_heads": 48,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "num_local_experts": 256,
    "num_experts_per_tok": 8,
}
GRANITE = {
    "model_type": "granitemoe",
    "vocab_size": 49_152,
    "hidden_size": 1024,
    "intermediate_size": 512,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "num_local_experts": 32,
    "num_experts_per_tok": 8,
    "tie_word_embeddings": True,
}
HY3 = {
    "model_type": "hy_v3",
    "vocab_size": 120_832,
    "hidden_size": 4096,
    "intermediate_size": 13_312,
    "moe_intermediate_size": 1536,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "num_experts": 192,
    "num_experts_per_tok": 8,
    "num_shared_experts": 1,
    "num_nextn_predict_layers": 1,
}

ARCTIC = {
    "model_type": "arctic",
    "vocab_size": 32_000,
    "hidden_size": 7168,
    "intermediate_size": 4864,
    "num_hidden_layers": 35,
    "num_attention_heads": 56,
    "num_key_value_heads": 8,
    "num_local_experts": 128,
    "num_experts_per_tok": 2,
    "moe_layer_frequency": 1,
    "parallel_attn_mlp_res": True,
}

PUBLISHED: dict[str, tuple[dict[str, Any], int, int]] = {
    "zai-org/GLM-4.5": (GLM_4_5, 358_337_791_296, 2 * 775_946_240),
    # of the same config; its files hold the tables once
    "zai-org/GLM-4.6": (GLM_4_5, 356_785_898_816, 0),
    "zai-org/GLM-4.5-Air": (
        {
            **GLM_4_5,
            "hidden_size": 4096,
            "intermediate_size": 10_944,
            "moe_intermediate_size": 1408,
            "num_hidden_layers": 46,
            "n_routed_experts": 128,
            "first_k_dense_replace": 1,
            "use_qk_norm": False,
        },
        110_468_824_832,
        2 * 620_756_992,
    ),
    "zai-org/GLM-4.7-Flash": (
        {
            "model_type": "glm4_moe_lite",
            "vocab_size": 154_880,
            "hidden_size": 2048,
            "intermediate_size": 10_240,
            "moe_intermediate_size": 1536,
            "num_hidden_layers": 47,
            "num_attention_heads": 20,
            "n_routed_experts": 64,
            "n_shared_experts": 1,
            "num_experts_per_tok": 4,
            "kv_lora_rank": 512,
            "q_lora_rank": 768,
            "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 192,
            "v_head_dim": 256,
        },
        31_221_488_576,
        2 * 317_194_240,
    ),
    "zai-org/GLM-5.1": (GLM_5, 753_864_139_008, 0),
    # 21 of its 78 layers have an indexer, and its MTP layer has one
    "zai-org/GLM-5.2": (
        {**GLM_5, "index_topk_freq": 4, "index_skip_topk_offset": 3},
        753_329_940_480,
        0,
    ),
    "deepseek-ai/DeepSeek-V4-Pro": (V4_PRO, 1_598_839_674_782, 0),
    "deepseek-ai/deepseek-moe-16b-base": (
        {
            "model_type": "deepseek",
            "vocab_size": 102_400,
            "hidden_size": 2048,
            "intermediate_size": 10_944,
            "moe_intermediate_size": 1408,
            "num_hidden_layers": 28,
            "num_attention_heads": 16,
            "num_key_value_heads": 16,
            "n_routed_experts": 64,
            "n_shared_experts": 2,
            "num_experts_per_tok": 6,
            "first_k_dense_replace": 1,
        },
        16_375_728_128,
        0,
    ),
    "stepfun-ai/Step-3.5-Flash": (STEP_3_5, 199_384_301_376, 3 * 128_896 * 4096),
    "meituan-longcat/LongCat-Flash-Chat": (LONGCAT, 561_862_880_256, 131_072 * 6144),
    "inclusionAI/Ling-lite": (LING, 16_801_974_272, 0),
    "inclusionAI/Ling-mini-2.0": (
        {
            **LING,
            "model_type": "bailing_moe_v2",
            "vocab_size": 157_184,
            "intermediate_size": 5120,
            "moe_intermediate_size": 512,
            "num_hidden_layers": 20,
            "head_dim": 128,
            "num_experts": 256,
            "num_shared_experts": 1,
            "num_experts_per_tok": 8,
            "first_k_dense_replace": 1,
        },
        16_255_643_392,
        0,
    ),
    "baidu/ERNIE-4.5-21B-A3B-Thinking": (ERNIE, 21_825_437_888, 0),
    "baidu/ERNIE-4.5-300B-A47B-Paddle": (
        {
            **ERNIE,
            "hidden_size": 8192,
            "intermediate_size": 28_672,
            "moe_intermediate_size": 3584,
            "num_hidden_layers": 54,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "moe_k": 8,
            "moe_num_shared_experts": 0,
            "moe_layer_start_index": 3,
            "num_nextn_predict_layers": 1,
            "tie_word_embeddings": False,
        },
        300_474_051_776,
        0,
    ),
    "tencent/Hy3-preview": (HY3, 298_786_155_776, 0),
    # the tied head is stored too
    "ibm-granite/granite-3.0-1b-a400m-base": (GRANITE, 1_384_956_928, 49_152 * 1024),
    "allenai/OLMoE-1B-7B-0125-Instruct": (
        {
            "model_type": "olmoe",
            "vocab_size": 50_304,
            "hidden_size": 2048,
            "intermediate_size": 1024,
            "num_hidden_layers": 16,
            "num_attention_heads": 16,
            "num_experts": 64,
            "num_experts_per_tok": 8,
        },
        6_919_161_856,
        0,
    ),
    # no total is known; what transformers builds as hunyuan_v1_moe with the same sizes
    "tencent/Hunyuan-A13B-Instruct": (HUNYUAN, 80_393_183_232, 0),
}


@pytest.mark.parametrize("repo", PUBLISHED)
def test_a_total_of_the_hub_is_what_is_stored_and_what_is_stored_twice(repo: str) -> None:
    config, total, twice = PUBLISHED[repo]
    assert total - pw.count(config).stored == twice


@pytest.mark.parametrize(
    ("config", "total", "twice"),
    [
        (DEEPSEEK_V3_2, 685_396_921_376, 2 * 926_679_040),
        (GLM_5, 753_910_024_032, 0),
        (MINIMAX_M2, 228_703_644_928, 0),
    ],
    ids=["DeepSeek-V3.2", "GLM-5.1-FP8", "MiniMax-M2.5"],
)
def test_a_total_of_8_bit_files_holds_a_scale_for_each_block(
    config: dict[str, Any], total: int, twice: int
) -> None:
    quantization = {"quant_method": "fp8", "weight_block_size": [128, 128]}
    b = pw.count({**config, "quantization_config": quantization})
    assert total - b.total("stored", on={"scale"}) == twice


def test_deepseek_v4_keeps_experts_in_4_bits_and_the_hub_once_counted_two_of_them_as_one() -> None:
    b = pw.count(V4_PRO)
    packed = sum(t.stored for t in b.tensors if t.dtype == "mxfp4")
    eight_bits = sum(t.stored for t in b.tensors if t.dtype == "float8_e4m3fn")
    scales = sum(t.stored for t in b.tensors if t.kind == "scale")
    assert (packed, eight_bits, scales) == (1_572_763_336_704, 23_169_335_296, 49_150_268_416)
    assert b.stored - packed // 2 + scales == 861_608_274_846


def test_step_3_5_in_8_bits_keeps_all_but_its_experts_as_they_are() -> None:
    kept = ["self_attn", "share_expert", "eh_proj", "re:.*layers\\.[0-9]+\\.mlp\\..*"]
    quantization = {"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": kept}
    b = pw.count({**STEP_3_5, "quantization_config": quantization})
    assert b.total("stored", on={"scale"}) + 3 * 128_896 * 4096 == 199_395_913_536


def test_a_module_kept_in_one_layer_is_converted_in_the_others() -> None:
    one = {"quant_method": "fp8", "weight_block_size": [128, 128]}
    all_kept = {**one, "modules_to_not_convert": [f"model.layers.{i}.self_attn.o_proj" for i in range(48)]}
    one_kept = {**one, "modules_to_not_convert": ["model.layers.7.self_attn.o_proj"]}
    counts = [
        pw.count({**MIMO_V2, "quantization_config": q}).total("stored", on={"scale"})
        for q in (one, one_kept, all_kept)
    ]
    # the output map of a layer has 32 × 64 blocks
    assert counts[0] - counts[1] == 2048
    assert counts[0] - counts[2] == 48 * 2048
    stored = {pw.count({**MIMO_V2, "quantization_config": q}).stored for q in (one, one_kept, all_kept)}
    assert stored == {309_766_601_088}


def test_files_that_another_tool_made_of_8_bit_ones_have_no_scales_predicted() -> None:
    mixed = {"quant_method": "fp8", "weight_block_size": [128, 128], "quant_algo": "MIXED_PRECISION"}
    b = pw.count({**V4_PRO, "quantization_config": mixed})
    assert b.total("stored", on={"scale"}) == b.stored
    assert b.weight_bytes is None


def test_a_name_to_keep_is_made_of_whole_words() -> None:
    quantization = {
        "quant_method": "fp8",
        "weight_block_size": [128, 128],
        "modules_to_not_convert": ["gate"],
    }
    b = pw.count({**GLM_5, "quantization_config": quantization})
    assert any(t.name.endswith("gate_proj.weight_scale_inv") for t in b.tensors)


# ------------------------------------------------------------------ what a token uses


def test_experts_that_compute_nothing_make_the_active_parameters_a_range() -> None:
    b = pw.count(LONGCAT)
    low, high = b.total_range("active")
    # from twelve experts that compute nothing to twelve that do: 28 layers of 3 × 6,144 × 2,048
    assert high - low == 12 * 28 * 3 * 6144 * 2048
    # the report says 18.6B to 31.3B, with one table, and the rest cut off
    assert b.total_range("active", off={"embedding"}) == (18_693_794_816, 31_377_370_112)
    assert b.total_range("stored") == (b.stored, b.stored)


def test_experts_that_compute_nothing_can_be_fewer_than_a_token_chooses() -> None:
    b = pw.count({**LONGCAT, "zero_expert_num": 5})
    low, high = b.total_range("active")
    assert high - low == 5 * 28 * 3 * 6144 * 2048
    assert pw.count({**LONGCAT, "zero_expert_num": 0}).total_range("active")[0] == high - 28 * 5 * 6145


def test_hunyuan_takes_each_layers_own_number_of_experts() -> None:
    n = 32
    one = pw.count({**HUNYUAN, "moe_topk": 8, "num_shared_expert": 1, "moe_intermediate_size": 3072})
    assert one.by_role("active") == pw.count(HUNYUAN).by_role("active")
    fewer = pw.count({**HUNYUAN, "moe_topk": [8] * (n - 1) + [2], "num_experts": [64] * (n - 1) + [16]})
    expert = 3 * 4096 * 3072
    assert one.stored - fewer.stored == 48 * expert + 48 * 4096
    assert one.active - fewer.active == 6 * expert + 48 * 4096


def test_arctic_is_ten_billion_dense_and_128_experts_of_3_66_billion() -> None:
    b = pw.count(ARCTIC)
    assert b.by_role("stored")["routed_expert"] == 128 * 3_660_840_960
    assert b.stored - 128 * 3_660_840_960 == 9_996_965_888
    every_second = pw.count({**ARCTIC, "moe_layer_frequency": 2})
    assert [layer.ffn for layer in every_second.layers[:4]] == ["dense", "moe", "dense", "moe"]


def test_the_first_layers_of_hunyuan_may_be_dense() -> None:
    b = pw.count({**HUNYUAN, "moe_layer_num_skipped": 2})
    assert [layer.ffn for layer in b.layers[:4]] == ["dense", "dense", "moe", "moe"]
    assert b.by_role("stored")["mlp"] == 2 * 3 * 4096 * 3072


CLAIMS: list[tuple[str, dict[str, Any], set[str], str]] = [
    ("GLM-4.5", GLM_4_5, {"embedding", "lm_head"}, "32B"),
    ("GLM-5.1", GLM_5, {"embedding", "lm_head"}, "40B"),
    ("DeepSeek-V3.2", DEEPSEEK_V3_2, {"embedding"}, "37B"),
    ("DeepSeek-V4-Pro", V4_PRO, {"embedding"}, "49B"),
    ("MiniMax-M2.5", MINIMAX_M2, {"embedding", "lm_head"}, "10B"),
    ("MiMo-V2-Flash", MIMO_V2, {"embedding"}, "15B"),
    ("Step-3.5-Flash", STEP_3_5, {"embedding"}, "11B"),
    ("Hy3", HY3, set(), "21B"),
    ("Hunyuan-A13B", HUNYUAN, set(), "13B"),
    ("ERNIE-4.5-21B", ERNIE, set(), "3B"),
    ("Arctic", ARCTIC, set(), "17B"),
]


@pytest.mark.parametrize(("name", "config", "off", "printed"), CLAIMS, ids=[c[0] for c in CLAIMS])
def test_what_a_card_says_a_token_uses_is_what_some_convention_gives(
    name: str, config: dict[str, Any], off: set[str], printed: str
) -> None:
    billions = (pw.count(config).total("active", off=off) + 500_000_000) // 1_000_000_000
    assert f"{billions}B" == printed


# ------------------------------------------------------------------ names, layers, prediction layers


def names(config: dict[str, Any], part: str) -> set[str]:
    return {t.name for t in pw.count(config).tensors if part in t.name}


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (GRANITE, "model.layers.{layer}.block_sparse_moe.input_linear.weight"),
        (MINIMAX_M2, "model.layers.{layer}.block_sparse_moe.experts.{expert}.w1.weight"),
        (HY3, "model.layers.{layer}.mlp.router.gate.weight"),
        (HY3, "model.layers.{layer}.mlp.shared_mlp.up_proj.weight"),
        (HUNYUAN, "model.layers.{layer}.mlp.gate.wg.weight"),
        (LING, "model.layers.{layer}.attention.query_key_value.weight"),
        (STEP_3_5, "model.layers.{layer}.moe.gate_proj.weight"),
        (STEP_3_5, "model.layers.{layer}.transformer.shared_head.output.weight"),
        (MIMO_V2, "model.layers.{layer}.self_attn.attention_sink_bias"),
        (MIMO_V2, "model.mtp.layers.{layer}.eh_proj.weight"),
        (LONGCAT, "model.mtp.layers.{layer}.transformer_layer.mlp.up_proj.weight"),
        (LONGCAT, "model.layers.{layer}.self_attn.1.kv_b_proj.weight"),
        (V4_PRO, "layers.{layer}.attn.indexer.compressor.wgate.weight"),
        (V4_PRO, "mtp.{layer}.hc_head_fn"),
        (V4_PRO, "layers.{layer}.ffn.experts.{expert}.w2.scale"),
        (GLM_5, "model.layers.{layer}.self_attn.indexer.weights_proj.weight"),
    ],
)
def test_tensors_are_called_as_files_call_them(config: dict[str, Any], name: str) -> None:
    assert names(config, name) == {name}


def test_a_copy_of_a_table_in_a_prediction_layer_is_a_tie_and_never_takes_over() -> None:
    b = pw.count(GLM_4_5)
    copies = [t for t in b.tensors if t.role == "mtp" and t.tied_to]
    assert [(t.name, t.tied_to) for t in copies] == [
        ("model.layers.{layer}.embed_tokens.weight", "model.embed_tokens.weight"),
        ("model.layers.{layer}.shared_head.head.weight", "lm_head.weight"),
    ]
    assert b.architectural - b.stored == 2 * 775_946_240
    assert b.stored - b.total("stored", off={"embedding"}) == 775_946_240
    # the GLM-4.5 paper counts MTP layers and no table: 355B
    assert b.total("stored", off={"embedding", "lm_head"}) == 355_234_006_336


def test_longcat_needs_queries_as_wide_as_their_two_halves() -> None:
    assert pw.count({**LONGCAT, "qk_head_dim": 192}).stored == pw.count(LONGCAT).stored
    with pytest.raises(pw.ConfigError) as caught:
        pw.count({**LONGCAT, "qk_head_dim": 128})
    assert caught.value.key == "qk_head_dim"


def test_longcat_remembers_two_layers_for_each_of_its_blocks() -> None:
    layers = pw.count(LONGCAT).layers
    assert len(layers) == 56
    assert [(x.mixer, x.latent, x.ffn) for x in layers[:2]] == [("mla", 576, "moe"), ("mla", 576, "dense")]


def test_an_indexer_keeps_a_key_for_every_token_beside_the_latent_vector() -> None:
    layers = pw.count({**GLM_5, "index_topk_freq": 4, "index_skip_topk_offset": 3}).layers
    assert {layer.latent for layer in layers} == {576}
    assert [layer.indexer for layer in layers[:7]] == [128, 128, 128, 0, 0, 0, 128]


def test_deepseek_v4_remembers_a_window_and_one_entry_for_many_tokens() -> None:
    heavy, sparse = pw.count(V4_PRO).layers[1:3]
    for layer, rate, indexer in ((heavy, 128, 0), (sparse, 4, 128)):
        assert (layer.mixer, layer.window, layer.cached) == ("compressed", 128, 512)
        assert (layer.compressed, layer.indexer, layer.rate) == (512, indexer, rate)
    # keys and weights of the 127 tokens that do not fill an entry yet
    assert heavy.state_elements == 2 * 127 * 512
    # twice as wide, as neighbours overlap; the last entry's halves; and the same for the indexer
    assert sparse.state_elements == 2 * 3 * 1024 + 2 * 3 * 256 + 2 * 4 * (512 + 128)
    window = pw.count({**V4_PRO, "compress_ratios": [0] * 62}).layers[0]
    assert (window.mixer, window.window, window.compressed) == ("sliding", 128, 0)


def test_laguna_has_its_own_number_of_heads_in_each_layer() -> None:
    given = {**BASE, **EXPERTS, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 20}
    b = pw.count({"model_type": "laguna", **given, "num_attention_heads_per_layer": [8, 4, 8, 4, 2]})
    queries = {t.shape: tuple(t.layers) for t in b.tensors if t.name.endswith("q_proj.weight")}
    assert queries == {(96, 64): (0, 2), (48, 64): (1, 3), (24, 64): (4,)}
    keys = [t for t in b.tensors if t.name.endswith("k_proj.weight")]
    assert [(t.shape, tuple(t.layers)) for t in keys] == [((24, 64), (0, 1, 2, 3, 4))]


@pytest.mark.parametrize(
    ("model_type", "given", "mixers"),
    [
        ("granitemoe_swa", {**LOCAL, "sliding_window": 7}, "FSSSF"),
        ("mimo_v2_flash", {**ROUTED, "v_head_dim": 14}, "FSSSS"),
        ("mimo_v2_flash", {**ROUTED, "v_head_dim": 14, "hybrid_layer_pattern": [1, 0, 1, 1, 0]}, "SFSSF"),
        ("afmoe", {**EXPERTS, "moe_intermediate_size": 24, "global_attn_every_n_layers": 2}, "SFSFS"),
        ("exaone_moe", {**EXPERTS, "moe_intermediate_size": 24}, "SSSFS"),
        ("flint", {**EXPERTS, "moe_intermediate_size": 24}, "FFSSF"),
        ("kolibri1", {**EXPERTS, "moe_intermediate_size": 24}, "SSSSF"),
        ("beam", {**EXPERTS, "moe_intermediate_size": 24}, "SSSSF"),
        ("dots1", {**ROUTED, "n_shared_experts": 1, "max_window_layers": 3, "sliding_window": 7}, "FFFSS"),
        ("cohere2_moe", {**EXPERTS, "first_k_dense_replace": 1, "sliding_window_pattern": 2}, "FSFSF"),
    ],
)
def test_windows_are_where_the_family_has_them(model_type: str, given: dict[str, Any], mixers: str) -> None:
    layers = pw.count({"model_type": model_type, **BASE, **given}).layers
    assert "".join("S" if layer.mixer == "sliding" else "F" for layer in layers) == mixers
    assert all(layer.window for layer in layers if layer.mixer == "sliding")


def test_mellum_and_k_exaone_keep_their_prediction_layer_beside_the_stack() -> None:
    given = {**BASE, **EXPERTS, "moe_intermediate_size": 24, "num_nextn_predict_layers": 1}
    # a layer: norms 2 × 64, q and o 96 × 64 each, k and v 24 × 64 each, norms of heads 24; fc 64 × 128, three norms
    outer = 2 * 64 + 2 * 96 * 64 + 2 * 24 * 64 + 24 + 64 * 128 + 3 * 64
    for model_type, mlp in (("mellum", 6 * 64 + 6 * 3 * 64 * 24), ("exaone_moe", 3 * 64 * 40)):
        b = pw.count({"model_type": model_type, **given})
        assert b.stored - b.total("stored", off={"mtp"}) == outer + mlp


def test_the_norm_behind_the_experts_of_a_x_k1_is_stored_for_dense_layers_and_read_by_none() -> None:
    b = pw.count({"model_type": "axk1", **BASE, **ROUTED, **LATENT, "n_shared_experts": 1})
    unread = [t for t in b.tensors if t.kind == "unread"]
    assert [(t.name, tuple(t.layers)) for t in unread] == [
        ("model.layers.{layer}.post_mlp_layernorm.weight", (0,))
    ]
    assert b.stored - b.total("stored", off={"unread"}) == 64


def test_glm_4_takes_the_whole_part_of_hidden_size_by_heads_as_the_width_of_a_head() -> None:
    given = {k: v for k, v in BASE.items() if k != "head_dim"} | {"num_attention_heads": 6}
    b = pw.count({"model_type": "glm4_moe", **given, **ROUTED})
    assert b.layers[0].k_dim == 10
    assert built(b) == (202_432, 0, 24)


@pytest.mark.parametrize("cls", ["PhiMoEForCausalLM", "PhimoeForCausalLM"])
def test_phi_3_5_moe_goes_by_its_own_class_and_by_the_one_of_transformers(cls: str) -> None:
    assert pw.count({"architectures": [cls], **BASE, **LOCAL}).model_type == "phimoe"


def test_sarvam_is_known_by_its_class_alone() -> None:
    given = {**BASE, **EXPERTS, "moe_intermediate_size": 24, "num_shared_experts": 1}
    b = pw.count({"architectures": ["SarvamMoEForCausalLM"], **given})
    assert b.model_type == "sarvam_moe"
    assert built(b) == (228_152, 0, 24)


def test_the_same_field_has_a_name_of_its_own_in_step() -> None:
    renamed = {
        **STEP_3_5,
        "num_key_value_heads": 8,
        "n_routed_experts": 288,
        "num_experts_per_tok": 8,
        "share_expert_dims": 1280,
    }
    for key in ("num_attention_groups", "moe_num_experts", "moe_top_k", "share_expert_dim"):
        del renamed[key]
    assert pw.count(renamed).by_role("active") == pw.count(STEP_3_5).by_role("active")


def test_step_3_7_sees_through_a_tower_of_its_own() -> None:
    text = {**BASE, **ROUTED, "share_expert_dim": 26, "num_nextn_predict_layers": 0}
    vision = {"hidden_size": 32, "num_hidden_layers": 3, "image_size": 60, "patch_size": 14, "mlp_ratio": 2.7}
    config = {"model_type": "step3p7", "text_config": text, "vision_config": vision}
    b = pw.count(config)
    assert built(b) == (331_610, 0, 12)
    assert b.active == b.total("active", off={"vision", "projector"})
    tied = pw.count({**config, "tie_word_embeddings": True})
    assert built(tied) == (325_466, 6144, 12)
    # a tie of the text model alone is none
    assert built(pw.count({**config, "text_config": {**text, "tie_word_embeddings": True}})) == (
        331_610,
        0,
        12,
    )


# ------------------------------------------------------------------ what cannot be right


@pytest.mark.parametrize(
    ("config", "given", "key"),
    [
        (HUNYUAN, {"moe_topk": [8] * 31}, "moe_topk"),
        (HUNYUAN, {"moe_topk": [8] * 31 + [0]}, "moe_topk[31]"),
        (HUNYUAN, {"moe_topk": [8] * 31 + [True]}, "moe_topk[31]"),
        (HUNYUAN, {"num_experts": None}, "num_experts"),
        (HUNYUAN, {"use_cla": True}, "use_cla"),
        (GLM_4_5, {"first_k_dense_replace": -1}, "first_k_dense_replace"),
        (GLM_4_5, {"n_routed_experts": 4}, "num_experts_per_tok"),
        (GLM_4_5, {"num_key_value_heads": 7}, "num_key_value_heads"),
        (GLM_5, {"indexer_types": ["full"] * 77}, "indexer_types"),
        (GLM_5, {"indexer_types": ["full"] * 77 + ["some"]}, "indexer_types[77]"),
        (GLM_5, {"index_topk_pattern": "FS"}, "index_topk_pattern"),
        (GLM_5, {"mlp_layer_types": ["dense"] * 3}, "mlp_layer_types"),
        (V4_PRO, {"compress_ratios": [4] * 60}, "compress_ratios"),
        (V4_PRO, {"compress_ratios": [4] * 60 + [8]}, "compress_ratios"),
        (V4_PRO, {"o_groups": 3}, "o_groups"),
        (V4_PRO, {"compress_rates": 4}, "compress_rates"),
        (STEP_3_5, {"moe_layers_enum": "3,x"}, "moe_layers_enum"),
        (STEP_3_5, {"moe_layers_enum": 3}, "moe_layers_enum"),
        (STEP_3_5, {"attention_other_setting": 96}, "attention_other_setting"),
        (MIMO_V2, {"hybrid_layer_pattern": [0, 1]}, "hybrid_layer_pattern"),
        (MIMO_V2, {"moe_layer_freq": [0, 1]}, "moe_layer_freq"),
        (LONGCAT, {"moe_topk": 769}, "num_experts_per_tok"),
        (ERNIE, {"moe_layer_end_index": "last"}, "moe_layer_end_index"),
        (ERNIE, {"moe_k": 0}, "moe_k"),
        (MINIMAX_M2, {"num_local_experts": 0}, "num_local_experts"),
        (LING, {"num_shared_experts": -1}, "num_shared_experts"),
    ],
)
def test_a_value_that_cannot_be_right_is_refused_by_its_key(
    config: dict[str, Any], given: dict[str, Any], key: str
) -> None:
    with pytest.raises(pw.ConfigError) as caught:
        pw.count({**config, **given})
    assert caught.value.key == key
