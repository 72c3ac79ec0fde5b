"""Dense decoders: what transformers builds of small configs and their switches, and what publishers' own code does."""

from __future__ import annotations

from typing import Any

import pytest

import paramwidget as pw
from paramwidget.architectures import TABLE

# ------------------------------------------------------------------ what transformers 5.24 builds
#
# Every row: a type, what differs from BASE, and of the model that transformers builds on the meta device the
# parameters, what ties add, and the persistent buffers. A switch is a row where it changes the count.

BASE: dict[str, Any] = {
    "vocab_size": 130,
    "hidden_size": 48,
    "intermediate_size": 72,
    "num_hidden_layers": 6,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}

BUILT: list[tuple[str, dict[str, Any], int, int, int]] = [
    ("granite", {}, 116_784, 0, 0),
    ("granite", {"attention_bias": True}, 117_648, 0, 0),
    ("granite", {"mlp_bias": True}, 117_936, 0, 0),
    ("granite", {"tie_word_embeddings": True}, 110_544, 6_240, 0),
    ("granite", {"head_dim": 16}, 130_608, 0, 0),
    ("smollm3", {}, 110_544, 6_240, 0),
    ("smollm3", {"attention_bias": True}, 111_408, 6_240, 0),
    ("smollm3", {"mlp_bias": True}, 111_696, 6_240, 0),
    ("smollm3", {"head_dim": 16}, 124_368, 6_240, 0),
    ("seed_oss", {}, 523_824, 0, 0),
    ("seed_oss", {"attention_bias": False}, 517_680, 0, 0),
    ("seed_oss", {"attention_out_bias": True}, 524_112, 0, 0),
    ("seed_oss", {"mlp_bias": True}, 524_976, 0, 0),
    ("seed_oss", {"head_dim": 16}, 131_376, 0, 0),
    ("arcee", {}, 96_048, 0, 0),
    ("arcee", {"attention_bias": True}, 96_912, 0, 0),
    ("arcee", {"mlp_bias": True}, 96_768, 0, 0),
    ("arcee", {"head_dim": 16}, 109_872, 0, 0),
    ("helium", {}, 384_048, 0, 0),
    ("helium", {"attention_bias": True}, 390_192, 0, 0),
    ("helium", {"mlp_bias": True}, 385_200, 0, 0),
    ("helium", {"head_dim": 16}, 126_000, 0, 0),
    ("ministral", {"head_dim": 12}, 116_784, 0, 0),
    ("ministral", {"head_dim": 16}, 130_608, 0, 0),
    ("ministral3", {}, 517_680, 0, 0),
    ("ministral3", {"head_dim": 16}, 130_608, 0, 0),
    ("exaone4", {}, 116_928, 0, 0),
    ("exaone4", {"head_dim": 16}, 130_800, 0, 0),
    ("exaone", {}, 116_784, 0, 0),
    ("exaone", {"attention_bias": True}, 117_648, 0, 0),
    ("exaone", {"mlp_bias": True}, 117_936, 0, 0),
    ("exaone", {"head_dim": 16}, 130_608, 0, 0),
    ("apertus", {}, 96_204, 0, 12),
    ("apertus", {"attention_bias": True}, 97_068, 0, 12),
    ("apertus", {"head_dim": 16}, 110_076, 0, 12),
    ("apertus", {"num_key_value_heads": None}, 110_028, 0, 12),
    ("apertus", {"hidden_act": "silu"}, 96_192, 0, 0),
    ("apertus1p5_text", {}, 96_204, 0, 12),
    ("apertus1p5_text", {"attention_bias": True}, 97_068, 0, 12),
    ("apertus1p5_text", {"head_dim": 16}, 110_076, 0, 12),
    ("apertus1p5_text", {"num_key_value_heads": None}, 110_028, 0, 12),
    ("olmo", {}, 116_160, 0, 0),
    ("olmo", {"attention_bias": True}, 117_024, 0, 0),
    ("olmo", {"head_dim": 16}, 129_984, 0, 0),
    ("olmo2", {}, 117_216, 0, 0),
    ("olmo2", {"attention_bias": True}, 118_080, 0, 0),
    ("olmo2", {"head_dim": 16}, 131_184, 0, 0),
    ("olmo2", {"num_labels": 5, "architectures": ["Olmo2Model"]}, 110_976, 0, 0),
    ("olmo3", {}, 117_216, 0, 0),
    ("olmo3", {"attention_bias": True}, 118_080, 0, 0),
    ("olmo3", {"head_dim": 16}, 131_184, 0, 0),
    ("cohere", {}, 110_256, 6_240, 0),
    ("cohere", {"attention_bias": True}, 111_120, 6_240, 0),
    ("cohere", {"use_qk_norm": True}, 110_688, 6_240, 0),
    ("cohere", {"use_qk_norm": None}, 110_256, 6_240, 0),
    ("cohere", {"head_dim": 16}, 124_080, 6_240, 0),
    ("cohere", {"num_labels": 5, "architectures": ["CohereModel"]}, 110_256, 0, 0),
    ("cohere2", {}, 110_256, 6_240, 0),
    ("cohere2", {"attention_bias": True}, 111_120, 6_240, 0),
    ("cohere2", {"head_dim": 16}, 124_080, 6_240, 0),
    ("stablelm", {}, 117_408, 0, 0),
    ("stablelm", {"qk_layernorm": True}, 117_840, 0, 0),
    ("stablelm", {"use_parallel_residual": True}, 116_832, 0, 0),
    ("stablelm", {"use_qkv_bias": True}, 117_984, 0, 0),
    ("starcoder2", {}, 92_016, 6_240, 0),
    ("starcoder2", {"use_bias": False}, 90_432, 6_240, 0),
    ("starcoder2", {"head_dim": 16}, 106_032, 6_240, 0),
    ("glm", {}, 523_824, 0, 0),
    ("glm", {"attention_bias": False}, 517_680, 0, 0),
    ("glm", {"head_dim": 16}, 131_376, 0, 0),
    ("glm4", {}, 524_400, 0, 0),
    ("glm4", {"attention_bias": False}, 518_256, 0, 0),
    ("glm4", {"head_dim": 16}, 131_952, 0, 0),
    ("nemotron", {"head_dim": 12}, 96_672, 0, 0),
    ("nemotron", {"head_dim": 12, "attention_bias": True}, 97_536, 0, 0),
    ("nemotron", {"head_dim": 12, "mlp_bias": True}, 97_392, 0, 0),
    ("nemotron", {"head_dim": 16}, 110_496, 0, 0),
    ("phi", {}, 97_810, 0, 0),
    ("phi", {"qk_layernorm": True}, 98_098, 0, 0),
    ("phi", {"tie_word_embeddings": True}, 91_570, 6_240, 0),
    ("phi", {"head_dim": 16}, 111_826, 0, 0),
    ("phi", {"num_key_value_heads": None}, 111_922, 0, 0),
    ("phi", {"qk_layernorm": True, "tie_word_embeddings": True}, 91_858, 6_240, 0),
    ("phi", {"num_labels": 5, "architectures": ["PhiForSequenceClassification"]}, 91_680, 0, 0),
    ("bitnet", {}, 117_504, 0, 0),
    ("bitnet", {"attention_bias": True}, 118_368, 0, 0),
    ("bitnet", {"head_dim": 16}, 131_328, 0, 0),
    ("hunyuan_v1_dense", {"head_dim": 12}, 116_928, 0, 0),
    ("hunyuan_v1_dense", {"head_dim": 12, "attention_bias": True}, 117_792, 0, 0),
    ("hunyuan_v1_dense", {"head_dim": 16}, 130_800, 0, 0),
    ("hunyuan_v1_dense", {"num_key_value_heads": None, "head_dim": 12}, 130_752, 0, 0),
    ("ernie4_5", {}, 511_440, 6_240, 0),
    ("ernie4_5", {"use_bias": True}, 519_024, 6_240, 0),
    ("ernie4_5", {"head_dim": 16}, 124_368, 6_240, 0),
    ("gemma", {}, 953_808, 6_240, 0),
    ("gemma", {"attention_bias": True}, 966_384, 6_240, 0),
    ("gemma", {"tie_word_embeddings": False}, 960_048, 0, 0),
    ("gemma", {"head_dim": 16}, 124_368, 6_240, 0),
    ("gemma2", {}, 954_384, 6_240, 0),
    ("gemma2", {"attention_bias": True}, 966_960, 6_240, 0),
    ("gemma2", {"head_dim": 16}, 124_944, 6_240, 0),
    ("gemma3_text", {}, 957_456, 6_240, 0),
    ("gemma3_text", {"attention_bias": True}, 970_032, 6_240, 0),
    ("gemma3_text", {"head_dim": 16}, 125_136, 6_240, 0),
    ("gemma3_text", {"num_labels": 5, "architectures": ["Gemma3TextModel"]}, 957_456, 0, 0),
    (
        "gemma3_text",
        {"num_labels": 5, "architectures": ["Gemma3TextForSequenceClassification"]},
        957_696,
        0,
        0,
    ),
    ("internlm3", {}, 517_680, 0, 0),
    ("internlm3", {"head_dim": 16}, 130_608, 0, 0),
    (
        "minicpm3",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": 20,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
        },
        110_928,
        6_240,
        0,
    ),
    (
        "minicpm3",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": 20,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
            "attention_bias": True,
        },
        111_444,
        6_240,
        0,
    ),
    (
        "minicpm3",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": 20,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
            "mlp_bias": True,
        },
        112_080,
        6_240,
        0,
    ),
    (
        "minicpm3",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": None,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
        },
        115_800,
        6_240,
        0,
    ),
    (
        "minicpm3",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": 20,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": None,
        },
        108_048,
        6_240,
        0,
    ),
    ("diffllama", {}, 117_072, 0, 0),
    ("diffllama", {"attention_bias": True}, 117_936, 0, 0),
    ("diffllama", {"head_dim": 16}, 130_992, 0, 0),
    ("diffllama", {"num_key_value_heads": None}, 130_896, 0, 0),
    ("persimmon", {}, 112_656, 0, 0),
    ("persimmon", {"qk_layernorm": False}, 112_368, 0, 0),
    ("vaultgemma", {}, 953_808, 6_240, 0),
    ("vaultgemma", {"attention_bias": True}, 966_384, 6_240, 0),
    ("vaultgemma", {"head_dim": 16}, 124_368, 6_240, 0),
    (
        "youtu",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": 20,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
        },
        110_928,
        6_240,
        0,
    ),
    (
        "youtu",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": 20,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
            "attention_bias": True,
        },
        111_444,
        6_240,
        0,
    ),
    (
        "youtu",
        {
            "num_key_value_heads": 4,
            "q_lora_rank": None,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 10,
            "qk_rope_head_dim": 6,
            "v_head_dim": 14,
        },
        115_800,
        6_240,
        0,
    ),
    ("cwm", {}, 517_680, 0, 0),
    ("cwm", {"mlp_bias": True}, 518_832, 0, 0),
    ("cwm", {"head_dim": 16}, 130_608, 0, 0),
    ("hyperclovax", {}, 117_360, 0, 0),
    ("hyperclovax", {"attention_bias": True}, 118_224, 0, 0),
    ("hyperclovax", {"mlp_bias": True}, 118_512, 0, 0),
    ("hyperclovax", {"use_post_norm": False}, 116_784, 0, 0),
    ("hyperclovax", {"head_dim": 16}, 131_184, 0, 0),
    ("iquestcoder", {}, 517_680, 0, 0),
    ("iquestcoder", {"attention_bias": True}, 524_112, 0, 0),
    ("iquestcoder", {"mlp_bias": True}, 518_832, 0, 0),
    ("iquestcoder", {"head_dim": 16}, 130_608, 0, 0),
    ("jais2", {}, 98_256, 0, 0),
    ("jais2", {"attention_bias": False}, 97_392, 0, 0),
    ("jais2", {"mlp_bias": False}, 97_536, 0, 0),
    ("jais2", {"head_dim": 16}, 112_272, 0, 0),
    ("jais2", {"num_key_value_heads": None}, 112_368, 0, 0),
    ("nanochat", {}, 95_424, 0, 0),
    ("nanochat", {"attention_bias": True}, 96_288, 0, 0),
    ("nanochat", {"head_dim": 16}, 109_248, 0, 0),
    ("granite_swa", {}, 110_568, 6_240, 0),
    ("granite_swa", {"attention_bias": True}, 111_432, 6_240, 0),
    ("granite_swa", {"mlp_bias": True}, 111_720, 6_240, 0),
    ("granite_swa", {"head_dim": 16}, 124_392, 6_240, 0),
    ("doge", {}, 117_804, 0, 0),
    ("doge", {"attention_bias": True}, 118_680, 0, 0),
    ("doge", {"mlp_bias": True}, 118_956, 0, 0),
    ("doge", {"head_dim": 16}, 131_772, 0, 0),
    ("doge", {"num_key_value_heads": None}, 132_504, 0, 0),
]


def label(value: object) -> str | None:
    return ", ".join(value) if isinstance(value, dict) else value if isinstance(value, str) else None


@pytest.mark.parametrize(("model_type", "given", "params", "tied", "buffers"), BUILT, ids=label)
def test_a_small_config_counts_what_transformers_builds(
    model_type: str, given: dict[str, Any], params: int, tied: int, buffers: int
) -> None:
    b = pw.count({"model_type": model_type, **BASE, **given})
    assert b.total("stored", off={"buffer"}) == params
    assert b.architectural - b.stored == tied
    assert b.stored - params == buffers
    assert b.active == b.stored


@pytest.mark.parametrize("model_type", sorted({row[0] for row in BUILT}))
def test_every_tensor_of_a_dense_decoder_has_a_name_of_its_own(model_type: str) -> None:
    b = pw.count({"model_type": model_type, **BASE})
    names = [t.name for t in b.tensors]
    assert len(names) == len(set(names))
    assert all(t.layers for t in b.tensors if "{layer}" in t.name)


# ------------------------------------------------------------------ families outside transformers

QWEN_7B = {
    "architectures": ["QWenLMHeadModel"],
    "model_type": "qwen",
    "vocab_size": 151936,
    "hidden_size": 4096,
    "intermediate_size": 22016,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "kv_channels": 128,
    "no_bias": True,
}
CHATGLM3 = {
    "architectures": ["ChatGLMModel"],
    "model_type": "chatglm",
    "add_qkv_bias": True,
    "ffn_hidden_size": 13696,
    "hidden_size": 4096,
    "kv_channels": 128,
    "multi_query_attention": True,
    "multi_query_group_num": 2,
    "num_attention_heads": 32,
    "num_layers": 28,
    "padded_vocab_size": 65024,
}
GLM_4_9B = {**CHATGLM3, "num_layers": 40, "padded_vocab_size": 151552}
INTERNLM2_7B = {
    "architectures": ["InternLM2ForCausalLM"],
    "model_type": "internlm2",
    "bias": False,
    "vocab_size": 92544,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
}
PHI_3_SMALL = {
    "architectures": ["Phi3SmallForCausalLM"],
    "model_type": "phi3small",
    "ff_intermediate_size": 14336,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "vocab_size": 100352,
}
PHI_2 = {
    "architectures": ["PhiForCausalLM"],
    "model_type": "phi-msft",
    "n_embd": 2560,
    "n_head": 32,
    "n_head_kv": None,
    "n_inner": None,
    "n_layer": 32,
    "vocab_size": 51200,
}
EXAONE_2_4B = {
    "model_type": "exaone",
    "hidden_size": 2560,
    "intermediate_size": 7168,
    "num_layers": 30,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 80,
    "vocab_size": 102400,
    "tie_word_embeddings": True,
}
MIMO_7B = {
    "architectures": ["MiMoForCausalLM"],
    "model_type": "mimo",
    "vocab_size": 151680,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "num_nextn_predict_layers": 1,
}
YI_34B = {
    "architectures": ["YiForCausalLM"],
    "model_type": "Yi",
    "vocab_size": 64000,
    "hidden_size": 7168,
    "intermediate_size": 20480,
    "num_hidden_layers": 60,
    "num_attention_heads": 56,
    "num_key_value_heads": 8,
}
OPENELM_270M = {
    "architectures": ["OpenELMForCausalLM"],
    "model_type": "openelm",
    "ffn_dim_divisor": 256,
    "ffn_multipliers": [
        0.5,
        0.73,
        0.97,
        1.2,
        1.43,
        1.67,
        1.9,
        2.13,
        2.37,
        2.6,
        2.83,
        3.07,
        3.3,
        3.53,
        3.77,
        4.0,
    ],
    "ffn_with_glu": True,
    "head_dim": 64,
    "model_dim": 1280,
    "normalize_qk_projections": True,
    "num_kv_heads": [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5],
    "num_query_heads": [12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
    "num_transformer_layers": 16,
    "share_input_output_layers": True,
    "vocab_size": 32000,
}
PANGU_7B = {
    "architectures": ["PanguEmbeddedForCausalLM"],
    "model_type": "PanguEmbedded",
    "bias": True,
    "vocab_size": 153376,
    "hidden_size": 4096,
    "intermediate_size": 12800,
    "num_hidden_layers": 34,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
}
SPARK_4B = {
    "architectures": ["Spark2_5ForCausalLM"],
    "model_type": "spark2_5",
    "attention_bias": False,
    "head_dim": 256,
    "headwise_attn_output_gate": True,
    "hidden_size": 2560,
    "intermediate_size": 10240,
    "layer_types": ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"] * 9,
    "mlp_bias": False,
    "num_attention_heads": 16,
    "num_hidden_layers": 36,
    "num_key_value_heads": 4,
    "sliding_window": 512,
    "tie_word_embeddings": True,
    "vocab_size": 131072,
}

# repository -> its config, and the total that the Hub reports or that its files' bytes give
PUBLISHED: dict[str, tuple[dict[str, Any], int]] = {
    "Qwen/Qwen-7B": (QWEN_7B, 7_721_324_544),
    # 144,575,840,256 bytes of bfloat16
    "Qwen/Qwen-72B": (
        {
            **QWEN_7B,
            "vocab_size": 152064,
            "hidden_size": 8192,
            "intermediate_size": 49152,
            "num_hidden_layers": 80,
            "num_attention_heads": 64,
        },
        72_287_920_128,
    ),
    # 12,487,168,064 bytes of float16, the buffer of 32 among them
    "THUDM/chatglm3-6b-32k": (CHATGLM3, 6_243_584_032),
    "zai-org/glm-4-9b": (GLM_4_9B, 9_399_951_392),
    "internlm/internlm2_5-7b-chat": (INTERNLM2_7B, 7_737_708_544),
    "microsoft/Phi-3-small-8k-instruct": (PHI_3_SMALL, 7_392_274_432),
    "microsoft/phi-2": (PHI_2, 2_779_683_840),
    "LGAI-EXAONE/EXAONE-3.5-2.4B-Instruct": (EXAONE_2_4B, 2_405_327_360),
    # 15,666,819,072 bytes of bfloat16, MTP among them
    "jj8127/mimo_kor": (MIMO_7B, 7_833_409_536),
    "01-ai/Yi-34B": (YI_34B, 34_388_917_248),
    # 16,061,784,576 bytes: bfloat16, and 34 × 64 frequencies of float32 that older versions wrote
    "openpangu/openPangu-Embedded-7B": (PANGU_7B, (16_061_784_576 - 34 * 64 * 4) // 2),
    "XHToken/Spark-X2.5-4B": (SPARK_4B, 4_112_079_360),
}


@pytest.mark.parametrize("repo", PUBLISHED)
def test_a_family_outside_transformers_counts_what_its_files_hold(repo: str) -> None:
    config, total = PUBLISHED[repo]
    b = pw.count(config)
    assert b.stored == total
    assert len({t.name for t in b.tensors}) == len(b.tensors)


def sizes(
    vocab: int, hidden: int, width: int, layers: int, heads: int, kv: int, **more: Any
) -> dict[str, Any]:
    return {
        "vocab_size": vocab,
        "hidden_size": hidden,
        "intermediate_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        **more,
    }


# repository -> its type, its sizes, and the total that the Hub or a library reports
REPORTED: dict[str, tuple[str, dict[str, Any], int]] = {
    "google/codegemma-2b": ("gemma", sizes(256000, 2048, 16384, 18, 8, 1, head_dim=256), 2_506_172_416),
    "google/gemma-2-9b-it": ("gemma2", sizes(256000, 3584, 14336, 42, 16, 8, head_dim=256), 9_241_705_984),
    "google/gemma-3-1b-pt": ("gemma3_text", sizes(262144, 1152, 6912, 26, 4, 1, head_dim=256), 999_885_952),
    "google/gemma-3-270m": ("gemma3_text", sizes(262144, 640, 2048, 18, 4, 1, head_dim=256), 268_098_176),
    "google/vaultgemma-1b": ("vaultgemma", sizes(256000, 1152, 6912, 26, 4, 4, head_dim=256), 1_038_741_120),
    "allenai/OLMo-2-0425-1B": ("olmo2", sizes(100352, 2048, 8192, 16, 16, 16), 1_484_916_736),
    "microsoft/bitnet-b1.58-2B-4T-bf16": (
        "bitnet",
        sizes(128256, 2560, 6912, 30, 20, 5, tie_word_embeddings=True),
        2_412_820_480,
    ),
    "LGAI-EXAONE/EXAONE-4.0.1-32B": (
        "exaone4",
        sizes(102400, 5120, 27392, 64, 40, 8, head_dim=128, sliding_window_pattern="LLLG"),
        32_003_216_384,
    ),
    "LGAI-EXAONE/EXAONE-4.0-1.2B": (
        "exaone4",
        sizes(102400, 2048, 4096, 30, 32, 8, sliding_window=None, tie_word_embeddings=True),
        1_279_391_488,
    ),
    "openbmb/MiniCPM4-0.5B": ("minicpm", sizes(73448, 1024, 4096, 24, 16, 2), 433_873_920),
    "openbmb/MiniCPM4.1-8B": (
        "minicpm",
        sizes(73448, 4096, 16384, 32, 32, 2, tie_word_embeddings=False),
        8_185_253_888,
    ),
    "ibm-granite/granite-4.1-3b": (
        "granite",
        sizes(100352, 2560, 8192, 40, 40, 8, tie_word_embeddings=True),
        3_402_836_480,
    ),
    "zai-org/glm-4-9b-chat-hf": ("glm", sizes(151552, 4096, 13696, 40, 32, 2), 9_399_951_360),
    "HuggingFaceTB/SmolLM3-3B-Base": ("smollm3", sizes(128256, 2048, 11008, 36, 16, 4), 3_075_098_624),
    "CohereLabs/aya-expanse-8b": ("cohere", sizes(256000, 4096, 14336, 32, 32, 8), 8_028_033_024),
    "CohereForAI/c4ai-command-r-plus-08-2024": (
        "cohere",
        sizes(256000, 12288, 33792, 64, 96, 8, use_qk_norm=True),
        103_810_674_688,
    ),
    "CohereLabs/c4ai-command-r7b-12-2024": ("cohere2", sizes(256000, 4096, 14336, 32, 32, 8), 8_028_033_024),
    "bigcode/starcoder2-3b": ("starcoder2", sizes(49152, 3072, 12288, 30, 24, 2), 3_030_371_328),
}


@pytest.mark.parametrize("repo", REPORTED)
def test_a_repository_counts_what_was_reported_of_it(repo: str) -> None:
    model_type, given, total = REPORTED[repo]
    assert pw.count({"model_type": model_type, **given}).stored == total


def test_the_other_families_outside_transformers_count_what_their_code_builds() -> None:
    llama_7b = {
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
    }
    # a layer: 4 × 4,096² + 3 × 4,096 × 11,008 + 2 × 4,096 = 202,383,360; a final norm of 4,096; two tables
    body = 32 * 202_383_360 + 4096
    assert (
        pw.count({"model_type": "baichuan", **llama_7b, "vocab_size": 125696}).stored
        == body + 2 * 125696 * 4096
    )
    assert (
        pw.count({"model_type": "xverse", **llama_7b, "vocab_size": 100534}).stored
        == body + 2 * 100534 * 4096
    )
    assert (
        pw.count({"model_type": "aquila", **llama_7b, "vocab_size": 100008}).stored
        == body + 2 * 100008 * 4096
    )
    assert (
        pw.count({"model_type": "skywork", **llama_7b, "vocab_size": 65519}).stored == body + 2 * 65519 * 4096
    )
    # + four biases of 4,096 a layer
    internlm = {"model_type": "internlm", **llama_7b, "vocab_size": 103168, "bias": True}
    assert pw.count(internlm).stored == body + 32 * 4 * 4096 + 2 * 103168 * 4096
    # + a bias in each of 65 norms
    orion = {"model_type": "orion", **llama_7b, "vocab_size": 84608}
    assert pw.count(orion).stored == body + 65 * 4096 + 2 * 84608 * 4096


def test_qwen_names_no_bias_of_the_other_maps_with_no_bias_false() -> None:
    # c_proj of attention 4,096; w1 and w2 11,008 each, c_proj of the MLP 4,096
    biased = pw.count({**QWEN_7B, "no_bias": False}).stored - pw.count(QWEN_7B).stored
    assert biased == 32 * (4096 + 2 * 11008 + 4096)


def test_chatglm_with_as_many_key_heads_as_query_heads_has_three_times_the_hidden_size() -> None:
    shapes = {
        t.name: tuple(map(int, t.shape))
        for t in pw.count({**CHATGLM3, "multi_query_attention": False}).tensors
    }
    name = "transformer.encoder.layers.{layer}.self_attention.query_key_value"
    assert shapes[f"{name}.weight"] == (3 * 4096, 4096)


def test_chatglm_may_go_without_a_last_norm_and_with_biases_in_every_norm() -> None:
    b = pw.count(CHATGLM3)
    assert b.stored - pw.count({**CHATGLM3, "post_layer_norm": False}).stored == 4096
    assert pw.count({**CHATGLM3, "rmsnorm": False}).stored - b.stored == (2 * 28 + 1) * 4096


def test_a_reward_model_has_one_score_in_place_of_the_head() -> None:
    reward = pw.count({**INTERNLM2_7B, "architectures": ["InternLM2ForRewardModel"]})
    assert reward.stored == 7_737_708_544 - 92544 * 4096 + 4096


def test_mimo_keeps_its_prediction_layer_beside_the_stack() -> None:
    b = pw.count(MIMO_7B)
    # a layer of 192,943,104: q, o 2 × 16,777,216, k, v 2 × 4,194,304, biases 6,144, MLP 3 × 45,088,768, norms 8,192;
    # the join 2 × 16,777,216; three norms of 4,096
    assert b.by_role("stored")["mtp"] == 177_223_680 + 33_554_432 + 12_288
    assert b.active == b.total("stored", off={"mtp"}) == 7_622_619_136
    assert "model.mtp_layers.{layer}.input_proj.weight" in {t.name for t in b.tensors}


def test_minicpm_of_experts_uses_two_of_eight() -> None:
    config = {
        "model_type": "minicpm",
        "hidden_size": 2304,
        "intermediate_size": 5760,
        "num_attention_heads": 36,
        "num_key_value_heads": 36,
        "num_hidden_layers": 40,
        "vocab_size": 122753,
        "num_experts": 8,
        "num_experts_per_tok": 2,
    }
    b = pw.count(config)
    # 40 × (4 × 2,304² + router 8 × 2,304 + 8 × 3 × 2,304 × 5,760 + 2 × 2,304) + 2,304 + 122,753 × 2,304
    assert b.stored == 13_873_291_776
    assert b.stored - b.active == 40 * 6 * 3 * 2304 * 5760
    assert b.layers[0].ffn == "moe"


# ------------------------------------------------------------------ OpenELM's lists


def test_openelm_grows_from_layer_to_layer() -> None:
    b = pw.count(OPENELM_270M)
    assert b.stored == 271_527_168
    assert [layer.kv_heads for layer in b.layers] == OPENELM_270M["num_kv_heads"]
    widths = {t.layers[0]: int(t.shape[1]) for t in b.tensors if t.name.endswith("ffn.proj_2.weight")}
    # 0.73 × 1,280 = 934.4 rounds up to 1,024, 0.97 × 1,280 = 1,241.6 to 1,280, 1.9 × 1,280 = 2,432 up to 2,560
    assert [widths[i] for i in (0, 1, 2, 6, 15)] == [768, 1024, 1280, 2560, 5120]


def test_openelm_never_rounds_a_width_down_by_more_than_a_tenth() -> None:
    # 300 rounds to 256, less than nine tenths of it: 512
    one = {**OPENELM_270M, "num_transformer_layers": 1, "num_kv_heads": [2], "num_query_heads": [4]}
    b = pw.count({**one, "model_dim": 300, "ffn_multipliers": [1.0]})
    assert next(int(t.shape[1]) for t in b.tensors if t.name.endswith("ffn.proj_2.weight")) == 512


def test_openelm_with_tables_apart_holds_two_heads_and_asks_one() -> None:
    apart = pw.count({**OPENELM_270M, "share_input_output_layers": False})
    assert apart.stored == 271_527_168 + 2 * 32000 * 1280
    assert apart.active == 271_527_168 + 32000 * 1280


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"num_kv_heads": [3] * 15}, "num_kv_heads"),
        ({"num_kv_heads": [0, *[3] * 15]}, "num_kv_heads[0]"),
        ({"num_query_heads": [12.0] * 16}, "num_query_heads[0]"),
        ({"ffn_multipliers": 4.0}, "ffn_multipliers"),
        ({"ffn_multipliers": [*[1] * 15, -1]}, "ffn_multipliers[15]"),
        ({"ffn_multipliers": [*[1] * 15, True]}, "ffn_multipliers[15]"),
        ({"ffn_multipliers": [[1]] * 16}, "ffn_multipliers[0]"),
        ({"num_query_heads": [13] * 16}, "num_key_value_heads"),
    ],
)
def test_openelm_refuses_a_list_that_cannot_be_right(given: dict[str, Any], key: str) -> None:
    with pytest.raises(pw.ConfigError) as error:
        pw.count({**OPENELM_270M, **given})
    assert error.value.key == key


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("model_type", "given", "names"),
    [
        ("gemma2", {}, ["model.layers.{layer}.pre_feedforward_layernorm.weight"]),
        ("olmo2", {}, ["model.layers.{layer}.self_attn.k_norm.weight", "model.norm.weight"]),
        (
            "phi",
            {},
            ["lm_head.bias", "model.layers.{layer}.self_attn.dense.bias", "model.final_layernorm.bias"],
        ),
        (
            "stablelm",
            {"qk_layernorm": True},
            ["model.layers.{layer}.self_attn.q_layernorm.norms.{head}.weight"],
        ),
        (
            "exaone",
            {},
            ["transformer.h.{layer}.attn.attention.q_proj.weight", "transformer.h.{layer}.mlp.c_fc_0.weight"],
        ),
        ("apertus", {}, ["model.layers.{layer}.mlp.act_fn.alpha_p", "model.layers.{layer}.mlp.act_fn.beta"]),
        (
            "ministral3",
            {"architectures": ["Ministral3ForQuestionAnswering"]},
            ["model.norm.weight", "qa_outputs.bias"],
        ),
        (
            "arcee",
            {"architectures": ["ArceeForQuestionAnswering"]},
            ["transformer.norm.weight", "qa_outputs.bias"],
        ),
        ("olmo2", {"architectures": ["Olmo2Model"]}, ["layers.{layer}.mlp.up_proj.weight"]),
        ("internlm2", {"bias": False}, ["model.layers.{layer}.attention.wqkv.weight", "output.weight"]),
        ("baichuan", {}, ["model.layers.{layer}.self_attn.W_pack.weight"]),
    ],
)
def test_tensors_are_called_as_files_call_them(
    model_type: str, given: dict[str, Any], names: list[str]
) -> None:
    found = {t.name for t in pw.count({"model_type": model_type, **BASE, **given}).tensors}
    assert set(names) <= found


def test_phi_2_was_first_published_with_its_last_norm_beside_the_head() -> None:
    b = pw.count(PHI_2)
    last = [t.name for t in b.tensors if not t.layers]
    assert last == [
        "transformer.embd.wte.weight",
        "lm_head.ln.weight",
        "lm_head.ln.bias",
        "lm_head.linear.weight",
        "lm_head.linear.bias",
    ]


# ------------------------------------------------------------------ what layers remember


@pytest.mark.parametrize(
    ("model_type", "given", "mixers"),
    [
        ("gemma2", {}, "SFSFSF"),
        ("gemma3_text", {}, "SSSSSF"),
        ("gemma3_text", {"sliding_window_pattern": 2}, "SFSFSF"),
        ("vaultgemma", {}, "SFSFSF"),
        ("cohere2", {}, "SSSFSS"),
        ("cohere2", {"sliding_window_pattern": 3}, "SSFSSF"),
        ("olmo3", {}, "SSSFSS"),
        ("exaone4", {}, "SSSFSS"),
        ("exaone4", {"sliding_window_pattern": "LG"}, "SFSFSF"),
        ("exaone4", {"sliding_window": None}, "FFFFFF"),
        ("cwm", {}, "FSSSFS"),
        ("granite_swa", {}, "FSSSFS"),
        ("ministral", {}, "SSSSSS"),
        ("ministral3", {}, "FFFFFF"),
        ("smollm3", {"sliding_window": 8}, "FFFFFF"),
        (
            "smollm3",
            {"sliding_window": 8, "use_sliding_window": True, "layer_types": ["sliding_attention"] * 6},
            "SSSSSS",
        ),
        ("starcoder2", {}, "FFFFFF"),
        ("starcoder2", {"sliding_window": 8}, "SSSSSS"),
        ("olmo3", {"layer_types": ["full_attention", "sliding_attention"] * 3}, "FSFSFS"),
    ],
)
def test_windows_are_where_the_family_has_them(model_type: str, given: dict[str, Any], mixers: str) -> None:
    layers = pw.count({"model_type": model_type, **BASE, **given}).layers
    assert "".join("S" if layer.mixer == "sliding" else "F" for layer in layers) == mixers
    assert all((layer.window is None) == (layer.mixer == "full") for layer in layers)


def test_latent_attention_remembers_one_vector_a_token() -> None:
    layer = pw.count({"model_type": "minicpm3", **BASE, "num_key_value_heads": 4}).layers[0]
    assert (layer.mixer, layer.latent) == ("mla", 256 + 32)


def test_chatglm_remembers_the_groups_that_its_queries_share() -> None:
    assert {(layer.kv_heads, layer.k_dim) for layer in pw.count(CHATGLM3).layers} == {(2, 128)}


# ------------------------------------------------------------------ classes and refusals


def test_exaone_goes_by_its_own_class_and_by_the_one_that_transformers_builds() -> None:
    counts = {
        pw.count({**EXAONE_2_4B, "architectures": [cls]}).stored
        for cls in ("ExaoneForCausalLM", "LlamaForCausalLM")
    }
    assert counts == {2_405_327_360}


def test_a_class_alone_is_the_type_that_it_is_named_after() -> None:
    assert pw.count({"architectures": ["LlamaForCausalLM"], **BASE}).model_type == "llama"
    assert pw.count({"architectures": ["PhiForCausalLM"], **BASE}).model_type == "phi"


def test_internlm3_takes_the_biases_of_its_files_and_of_transformers() -> None:
    own = {"qkv_bias": True, "bias": False, "head_dim": 12}
    plain = pw.count({"model_type": "internlm3", **BASE, "head_dim": 12}).stored
    assert pw.count({"model_type": "internlm3", **BASE, **own}).stored - plain == 6 * (48 + 24 + 24)
    both = pw.count({"model_type": "internlm3", **BASE, **own, "bias": True}).stored
    assert both - plain == 6 * (48 + 24 + 24 + 48 + 72 + 72 + 48)


@pytest.mark.parametrize(
    ("model_type", "given", "key"),
    [
        ("granite", {"num_key_value_heads": 3}, "num_key_value_heads"),
        ("gemma2", {"head_dim": 0}, "head_dim"),
        ("gemma3_text", {"sliding_window_pattern": 0}, "sliding_window_pattern"),
        ("cohere2", {"sliding_window_pattern": "four"}, "sliding_window_pattern"),
        ("exaone4", {"sliding_window_pattern": 0}, "sliding_window_pattern"),
        ("olmo3", {"layer_types": ["full_attention"] * 5}, "layer_types"),
        ("stablelm", {"num_attention_heads": 5, "num_key_value_heads": 5}, "hidden_size"),
        ("stablelm", {"qk_layernorm": "yes"}, "qk_layernorm"),
        ("cohere", {"use_qk_norm": "yes"}, "use_qk_norm"),
        ("phi", {"intermediate_size": None}, "intermediate_size"),
        ("exaone4", {"sliding_window_pattern": ""}, "sliding_window_pattern"),
        ("mimo", {"num_nextn_predict_layers": -1}, "num_nextn_predict_layers"),
        ("minicpm", {"num_experts": 8}, "num_experts_per_tok"),
        ("chatglm", {"multi_query_attention": True, "multi_query_group_num": 0}, "multi_query_group_num"),
    ],
)
def test_a_value_that_cannot_be_right_is_refused_by_its_key(
    model_type: str, given: dict[str, Any], key: str
) -> None:
    with pytest.raises(pw.ConfigError) as error:
        pw.count({"model_type": model_type, **BASE, **given})
    assert error.value.key == key


def test_the_types_of_this_file_are_in_the_table() -> None:
    outside = {config["model_type"] for config, _ in PUBLISHED.values()}
    assert {row[0] for row in BUILT} | outside <= set(TABLE)
