"""Models with towers: what transformers builds of small configs and their switches, and what publishers' files hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import paramwidget as pw
from paramwidget.architectures import TABLE

# ------------------------------------------------------------------ what transformers 5.24 builds
#
# Small configs, each with a switch or a size of its own (tests/reference/towers.jsonl): of the model that transformers
# builds on the meta device the parameters, what ties add, and the persistent buffers; then what files hold beside
# it and nothing reads, and what a text token uses.

FILE = Path(__file__).parent / "reference" / "towers.jsonl"
THREE_SLIDE = ["sliding_attention"] * 3 + ["full_attention"]
TEXT: dict[str, Any] = {
    "hidden_size": 48,
    "intermediate_size": 80,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 101,
}
TOWER: dict[str, Any] = {
    "hidden_size": 36,
    "intermediate_size": 50,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "image_size": 30,
    "patch_size": 4,
}
WHISPER: dict[str, Any] = {
    "d_model": 32,
    "encoder_layers": 2,
    "encoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "num_mel_bins": 20,
    "max_source_positions": 30,
}
LLAMA4_VISION: dict[str, Any] = {
    "hidden_size": 36,
    "intermediate_size": 72,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "image_size": 28,
    "patch_size": 7,
    "vision_output_dim": 40,
    "projector_input_dim": 40,
    "projector_output_dim": 40,
}
MLLAMA_VISION: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 60,
    "num_hidden_layers": 2,
    "num_global_layers": 3,
    "attention_heads": 4,
    "image_size": 28,
    "patch_size": 7,
    "vision_output_dim": 96,
    "intermediate_layers_indices": [0, 1],
}
GEMMA4: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 48,
    "intermediate_size": 64,
    "num_hidden_layers": 8,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 10,
    "global_head_dim": 14,
    "vocab_size_per_layer_input": 99,
    "sliding_window": 8,
}

BUILT: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def number(row: int) -> str:
    return f"{BUILT[row]['config']['architectures'][0]}-{row}"


@pytest.mark.parametrize("row", range(len(BUILT)), ids=number)
def test_a_small_model_has_the_parameters_ties_and_buffers_of_transformers(row: int) -> None:
    known = BUILT[row]
    b = pw.count(known["config"])
    params = b.total("stored", off={"buffer", "unread"})
    buffers = b.total("stored", off={"unread"}) - params
    assert (params, b.architectural - b.stored, buffers) == (known["params"], known["tied"], known["buffers"])
    assert b.stored - params - buffers == known["unread"]
    assert b.active == known["active"]


@pytest.mark.parametrize("row", range(len(BUILT)), ids=number)
def test_no_two_tensors_share_a_name(row: int) -> None:
    # a layer's tensor may come in several shapes, each for layers of its own
    places = [(t.name, i) for t in pw.count(BUILT[row]["config"]).tensors for i in (t.layers or (None,))]
    assert len(places) == len(set(places))


# ------------------------------------------------------------------ published files
#
# Totals that the Hub reported, or that a file's index declares; the config in its deciding fields.

QWEN2_5_VISION: dict[str, Any] = {
    "depth": 32,
    "hidden_size": 1280,
    "intermediate_size": 3420,
    "num_heads": 16,
    "in_chans": 3,
    "out_hidden_size": 3584,
    "patch_size": 14,
    "spatial_merge_size": 2,
    "temporal_patch_size": 2,
}
QWEN2_7B: dict[str, Any] = {
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "tie_word_embeddings": False,
}
INTERN_VIT_300M: dict[str, Any] = {
    "model_type": "intern_vit_6b",
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "image_size": 448,
    "patch_size": 14,
    "qk_normalization": False,
    "qkv_bias": True,
    "norm_type": "layer_norm",
}
SIGLIP_SO400M: dict[str, Any] = {
    "model_type": "siglip",
    "hidden_size": 1152,
    "image_size": 980,
    "intermediate_size": 4304,
    "num_attention_heads": 16,
    "num_hidden_layers": 27,
    "patch_size": 14,
}

PUBLISHED: list[tuple[str, dict[str, Any], int]] = [
    (
        "Qwen/Qwen2.5-VL-7B-Instruct",
        {"model_type": "qwen2_5_vl", **QWEN2_7B, "vision_config": QWEN2_5_VISION},
        8_292_166_656,
    ),
    (
        "Qwen/Qwen2.5-VL-3B-Instruct",
        {
            "model_type": "qwen2_5_vl",
            "hidden_size": 2048,
            "intermediate_size": 11008,
            "num_hidden_layers": 36,
            "num_attention_heads": 16,
            "num_key_value_heads": 2,
            "vocab_size": 151936,
            "tie_word_embeddings": True,
            "vision_config": QWEN2_5_VISION | {"out_hidden_size": 2048},
        },
        3_754_622_976,
    ),
    (
        "HuggingFaceTB/SmolVLM-256M-Instruct",
        {
            "model_type": "idefics3",
            "scale_factor": 4,
            "tie_word_embeddings": False,
            "text_config": {
                "model_type": "llama",
                "hidden_size": 576,
                "intermediate_size": 1536,
                "num_hidden_layers": 30,
                "num_attention_heads": 9,
                "num_key_value_heads": 3,
                "vocab_size": 49280,
            },
            "vision_config": {
                "model_type": "idefics3",
                "hidden_size": 768,
                "image_size": 512,
                "patch_size": 16,
            },
        },
        256_484_928,
    ),
    (
        "CohereLabs/command-a-vision-07-2025",
        {
            "model_type": "cohere2_vision",
            "tie_word_embeddings": True,
            "downsample_factor": 2,
            "alignment_intermediate_size": 36864,
            "text_config": {
                "model_type": "cohere2",
                "hidden_size": 12288,
                "intermediate_size": 36864,
                "num_hidden_layers": 64,
                "num_attention_heads": 96,
                "num_key_value_heads": 8,
                "head_dim": 128,
                "vocab_size": 256000,
            },
            "vision_config": {
                "model_type": "siglip_vision_model",
                "hidden_size": 1152,
                "image_size": 512,
                "intermediate_size": 4304,
                "num_attention_heads": 16,
                "num_hidden_layers": 27,
                "patch_size": 16,
                "vision_use_head": False,
            },
        },
        111_867_525_360,
    ),
    (
        "OpenGVLab/InternVL2_5-8B",
        {
            "model_type": "internvl_chat",
            "downsample_ratio": 0.5,
            "vision_config": INTERN_VIT_300M,
            "llm_config": {
                "model_type": "internlm2",
                "hidden_size": 4096,
                "intermediate_size": 14336,
                "num_hidden_layers": 32,
                "num_attention_heads": 32,
                "num_key_value_heads": 8,
                "vocab_size": 92553,
                "bias": False,
                "tie_word_embeddings": False,
            },
        },
        8_075_365_376,
    ),
    (
        "OpenGVLab/InternVL2_5-1B",
        {
            "model_type": "internvl_chat",
            "vision_config": INTERN_VIT_300M,
            "llm_config": {
                "model_type": "qwen2",
                "hidden_size": 896,
                "intermediate_size": 4864,
                "num_hidden_layers": 24,
                "num_attention_heads": 14,
                "num_key_value_heads": 2,
                "vocab_size": 151674,
                "tie_word_embeddings": False,
            },
        },
        938_193_024,
    ),
    (
        "openbmb/MiniCPM-V-2_6",
        {
            "model_type": "minicpmv",
            "version": 2.6,
            "query_num": 64,
            **QWEN2_7B,
            "vocab_size": 151666,
            "vision_config": SIGLIP_SO400M,
        },
        8_099_175_152,
    ),
    (
        "openbmb/MiniCPM-V-4_5",
        {
            "model_type": "minicpmv",
            "version": 4.5,
            "query_num": 64,
            "hidden_size": 4096,
            "intermediate_size": 12288,
            "num_hidden_layers": 36,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "vocab_size": 151748,
            "tie_word_embeddings": False,
            "vision_config": SIGLIP_SO400M,
        },
        8_695_895_280,
    ),
    (
        "allenai/Molmo-7B-D-0924",
        {
            "model_type": "molmo",
            **QWEN2_7B,
            "embedding_size": 152064,
            "intermediate_size": 37888,
            "qkv_bias": True,
            "weight_tying": False,
        },
        8_021_025_280,
    ),
    (
        "deepseek-ai/DeepSeek-OCR",  # the index: 13,344,427,016 bytes, four for each and 257 positions of eight
        {
            "model_type": "DeepseekOCR",
            "tie_word_embeddings": False,
            "language_config": {
                "hidden_size": 1280,
                "intermediate_size": 6848,
                "num_hidden_layers": 12,
                "num_attention_heads": 10,
                "num_key_value_heads": 10,
                "vocab_size": 129280,
                "first_k_dense_replace": 1,
                "moe_intermediate_size": 896,
                "n_routed_experts": 64,
                "n_shared_experts": 2,
                "num_experts_per_tok": 6,
            },
            "projector_config": {"input_dim": 2048, "n_embed": 1280, "projector_type": "linear"},
            "vision_config": {
                "width": {
                    "clip-l-14-224": {
                        "heads": 16,
                        "image_size": 224,
                        "layers": 24,
                        "patch_size": 14,
                        "width": 1024,
                    },
                    "sam_vit_b": {
                        "downsample_channels": [512, 1024],
                        "global_attn_indexes": [2, 5, 8, 11],
                        "heads": 12,
                        "layers": 12,
                        "width": 768,
                    },
                }
            },
        },
        3_336_106_240,
    ),
    (
        "microsoft/Phi-3.5-vision-instruct",
        {
            "model_type": "phi3_v",
            "hidden_size": 3072,
            "intermediate_size": 8192,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 32,
            "vocab_size": 32064,
            "tie_word_embeddings": False,
        },
        4_146_621_440,
    ),
]


@pytest.mark.parametrize(("repo", "config", "total"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_a_published_model_counts_as_its_files(repo: str, config: dict[str, Any], total: int) -> None:
    assert pw.count(config).stored == total


# ------------------------------------------------------------------ what is inside, and where it is read

LLAVA: dict[str, Any] = {
    "model_type": "llava",
    "architectures": ["LlavaForConditionalGeneration"],
    "text_config": TEXT | {"model_type": "llama"},
    "vision_config": TOWER | {"model_type": "clip_vision_model"},
}


def test_a_text_model_inside_has_the_names_it_has_there() -> None:
    names = {t.name for t in pw.count(LLAVA).tensors}
    assert "language_model.model.embed_tokens.weight" in names
    assert "language_model.lm_head.weight" in names
    assert "vision_tower.vision_model.encoder.layers.{layer}.self_attn.q_proj.weight" in names
    assert "multi_modal_projector.linear_1.weight" in names


def test_a_tied_head_inside_is_tied_to_the_table_under_its_name_there() -> None:
    b = pw.count(LLAVA | {"tie_word_embeddings": True})
    head = next(t for t in b.tensors if t.role == "lm_head")
    assert head.tied_to == "language_model.model.embed_tokens.weight"
    assert b.total("active", off={"embedding"}) == b.active


def test_a_text_token_uses_neither_tower_nor_projector() -> None:
    b = pw.count(LLAVA)
    assert b.active == b.total("stored", off={"vision", "projector"})
    assert set(b.by_role("active")) >= {"vision", "projector"}
    assert b.by_role("active")["vision"] == b.by_role("active")["projector"] == 0


def test_the_layers_of_a_model_are_those_of_its_text_model() -> None:
    assert [layer.mixer for layer in pw.count(LLAVA).layers] == ["full"] * 3


def test_sizes_of_a_tower_at_the_top_level_are_not_the_text_models() -> None:
    b = pw.count(LLAVA | {"num_hidden_layers": 33, "hidden_size": 7})
    assert b.stored == pw.count(LLAVA).stored


def test_a_nested_config_may_have_another_name() -> None:
    other = {k: v for k, v in LLAVA.items() if k != "text_config"} | {"language_config": LLAVA["text_config"]}
    assert pw.count(other).stored == pw.count(LLAVA).stored


def test_a_tower_that_a_file_leaves_out_is_that_of_the_class_and_is_listed() -> None:
    b = pw.count({k: v for k, v in LLAVA.items() if k != "vision_config"})
    assert b.by_role()["vision"] == 303_507_456  # CLIP ViT-L/14 at 336 pixels
    assert b.defaulted["vision_config"]["num_hidden_layers"] == 24


def test_a_text_model_that_a_file_leaves_out_is_an_error() -> None:
    with pytest.raises(pw.ConfigError, match="text_config is missing"):
        pw.count({k: v for k, v in LLAVA.items() if k != "text_config"})


def test_an_unknown_text_model_is_refused_by_name() -> None:
    with pytest.raises(pw.UnknownArchitecture, match=r"text_config\.model_type = 'nobody'"):
        pw.count(LLAVA | {"text_config": TEXT | {"model_type": "nobody"}})


def test_an_unknown_tower_is_refused_by_name() -> None:
    with pytest.raises(pw.UnknownArchitecture, match=r"vision_config\.model_type = 'davit'"):
        pw.count(LLAVA | {"vision_config": TOWER | {"model_type": "davit"}})


def test_the_thinker_of_a_speech_model_is_read_where_its_makers_put_it() -> None:
    thinker = {
        "text_config": TEXT | {"model_type": "qwen3_asr_text", "head_dim": 10},
        "audio_config": WHISPER | {"downsample_hidden_size": 10, "output_dim": 48},
    }
    nested = pw.count({"model_type": "qwen3_asr", "thinker_config": thinker})
    flat = pw.count({"model_type": "qwen3_asr", **thinker})
    assert nested.stored == flat.stored
    assert nested.by_role()["embedding"] == 101 * 48


def test_a_null_in_gemma_4_stands_for_no_tower() -> None:
    text = GEMMA4 | {"hidden_size_per_layer_input": 6}
    b = pw.count({"model_type": "gemma4", "text_config": text, "vision_config": None, "audio_config": None})
    assert not {"vision", "audio", "projector"} & set(b.roles)


def test_layers_that_share_a_cache_say_whose_they_read() -> None:
    text = GEMMA4 | {
        "layer_types": THREE_SLIDE * 2,
        "num_kv_shared_layers": 3,
        "hidden_size_per_layer_input": 0,
    }
    layers = pw.count({"model_type": "gemma4", "text_config": text}).layers
    assert [layer.shares_kv_with for layer in layers] == [None] * 5 + [4, 4, 3]
    assert [layer.k_dim for layer in layers] == [10, 10, 10, 14] * 2
    assert [layer.window for layer in layers] == [8, 8, 8, None] * 2


def test_a_sharing_that_leaves_a_kind_of_layer_no_cache_is_an_error() -> None:
    text = GEMMA4 | {
        "layer_types": THREE_SLIDE * 2,
        "num_kv_shared_layers": 6,
        "hidden_size_per_layer_input": 0,
    }
    with pytest.raises(pw.ConfigError, match="num_kv_shared_layers"):
        pw.count({"model_type": "gemma4", "text_config": text})


def test_every_fourth_layer_of_llama_4_sees_all() -> None:
    text = TEXT | {
        "num_hidden_layers": 6,
        "head_dim": 12,
        "num_local_experts": 4,
        "interleave_moe_layer_step": 2,
    }
    layers = pw.count({"model_type": "llama4", "text_config": text, "vision_config": LLAMA4_VISION}).layers
    assert [layer.mixer for layer in layers] == ["chunked"] * 3 + ["full"] + ["chunked"] * 2
    assert [layer.ffn for layer in layers] == ["dense", "moe"] * 3


def test_a_layer_that_attends_to_images_keeps_no_cache_of_the_text() -> None:
    text = TEXT | {"model_type": "mllama_text_model", "cross_attention_layers": [1]}
    b = pw.count(
        {"model_type": "mllama", "text_config": text, "vision_config": MLLAMA_VISION | {"max_num_tiles": 4}}
    )
    assert [layer.mixer for layer in b.layers] == ["full", "none", "full"]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"vision_config": None, "text_config": []}, "text_config"),
        ({"vision_config": "clip"}, "vision_config"),
        (
            {"vision_config": TOWER | {"model_type": "clip_vision_model", "hidden_size": 0}},
            "vision_config.hidden_size",
        ),
        (
            {"vision_config": TOWER | {"model_type": "clip_vision_model", "patch_size": [4]}},
            "vision_config.patch_size",
        ),
        (
            {"vision_config": TOWER | {"model_type": "clip_vision_model", "num_attention_heads": 5}},
            "vision_config.hidden_size",
        ),
        (
            {"text_config": TEXT | {"model_type": "llama", "num_key_value_heads": 3}},
            "text_config.num_key_value_heads",
        ),
        (
            {"text_config": TEXT | {"model_type": "llama", "num_hidden_layers": None}},
            "text_config.num_hidden_layers",
        ),
        ({"vision_feature_layer": []}, "vision_feature_layer"),
    ],
)
def test_a_bad_value_is_refused_by_the_key_that_holds_it(change: dict[str, Any], key: str) -> None:
    with pytest.raises(pw.ConfigError) as error:
        pw.count(LLAVA | change)
    assert error.value.key == key


def test_the_types_tried_here_are_in_the_table() -> None:
    assert {row["config"]["model_type"] for row in BUILT} <= TABLE.keys()
