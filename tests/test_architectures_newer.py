"""Types that came later: what transformers builds of small configs, and what their makers' own files hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sweep import measured, read

import paramwidget as pw
from paramwidget.architectures import TABLE

# ------------------------------------------------------------------ what transformers 5.24 builds
#
# Configs with a switch or a size of its own (tests/reference/types.jsonl): of the model that transformers builds on the
# meta device the parameters, what ties add, and the persistent buffers.

FILE = Path(__file__).parent / "reference" / "types.jsonl"
BUILT = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "row", BUILT, ids=[f"{r['config']['architectures'][0]}-{i}" for i, r in enumerate(BUILT)]
)
def test_a_config_counts_as_the_model_that_transformers_builds(row: dict[str, Any]) -> None:
    b = pw.count(row["config"])
    assert measured(b) == (row["params"], row["tied"], row["buffers"])
    places = [(t.name, i) for t in b.tensors for i in t.layers or [None]]
    assert len(set(places)) == len(places)
    assert {t.tied_to for t in b.tensors} - {None} <= {t.name for t in b.tensors}


def test_the_types_tried_here_are_in_the_table() -> None:
    types = {row["config"]["model_type"] for row in BUILT}
    assert types <= TABLE.keys()
    assert len(types) >= 50


# ------------------------------------------------------------------ what files hold that transformers does not build

MODELS = {r["repo"]: r["config"] for r in read("models.jsonl")}

#: repository -> parameters, and where the number is from
HELD = {
    # the Hub's count of safetensors, which includes 65,536 codes that the autoencoder used
    "deepseek-ai/Janus-1.3B": 2_089_297_547,
    # total_size of the index: 18,938,237,760 bytes, two for each
    "Logics-MLLM/Logics-Thinking-8B": 9_469_118_880,
    # total_size of the index: 34,148,369,344 bytes, four for each
    "mustafaaljadery/llama3v": 8_537_092_336,
    # fc 4,096 × 12,288; q and o 4,096 × 8,192 and 4,096 × 4,096, k and v 2 × 1,024 × 8,192; MLP 3 × 4,096 × 14,336;
    # four norms; head 32,000 × 4,096; the tables of 32,000 and 128,256 words
    "specforge/LLaMA3.1-8B-EAGLE3-draft": 424_689_664 + 160_256,
    # fc 4,096 × 20,480; five layers of Qwen3-8B's, 192,946,432 each; two norms
    "specforge/Qwen3-8B-DFlash-draft": 83_886_080 + 5 * 192_946_432 + 2 * 4_096,
    # the text model 2,619,640,320, the tower 428,225,600 with its head, the projector
    "Efficient-Large-Model/VILA1.5-3b": 2_619_640_320 + 428_225_600 + 9_216 + (4_608 + 2_560 + 2) * 2_560,
}


@pytest.mark.parametrize("repo", HELD)
def test_a_model_outside_of_transformers_has_the_parameters_of_its_files(repo: str) -> None:
    assert pw.count(MODELS[repo]).stored == HELD[repo]


def test_deepseek_ocr_2_has_every_tensor_that_its_index_names() -> None:
    b = pw.count(MODELS["deepseek-ai/DeepSeek-OCR-2"])
    assert sum(t.copies for t in b.tensors) == 2_707
    assert b.stored == 3_389_119_360


def test_a_draft_has_no_table_of_words_for_it_reads_that_of_its_target() -> None:
    b = pw.count(MODELS["specforge/gpt-oss-120B-EAGLE3-draft"])
    assert "embedding" not in b.by_role("stored")
    assert {t.name: t.numel for t in b.tensors if t.kind == "buffer"} == {"d2t": 32_000, "t2d": 201_088}


def test_a_draft_of_several_layers_is_refused() -> None:
    config = {**MODELS["specforge/gpt-oss-120B-EAGLE3-draft"], "num_hidden_layers": 2}
    with pytest.raises(pw.ConfigError, match="num_hidden_layers = 2 is not described for a draft"):
        pw.count(config)


def test_glm_4_5_air_is_counted_by_its_class_where_its_type_says_another() -> None:
    # without the MTP layer 106,852,245,504, the size that its card gives as 106B
    b = pw.count(MODELS["zai-org/GLM-4.5-Air"])
    assert b.model_type == "glm4_moe"
    assert b.total("stored", off={"mtp", "buffer"}) == 106_852_245_504


def test_step_3_7_flash_is_read_from_the_top_level_too() -> None:
    b = pw.count(MODELS["stepfun-ai/Step-3.7-Flash"])
    assert b.architecture == "Step3p7FlashForCausalLM"
    assert b.total("stored", off={"mtp", "buffer", "vision", "projector"}) > 195 * 10**9


# ------------------------------------------------------------------ params.json

MISTRAL_7B = {
    "dim": 4096,
    "n_layers": 32,
    "head_dim": 128,
    "hidden_dim": 14336,
    "n_heads": 32,
    "n_kv_heads": 8,
    "norm_eps": 1e-05,
    "vocab_size": 32000,
}


def test_a_params_json_of_mistral_counts_as_its_config_json() -> None:
    b = pw.count(MISTRAL_7B)
    assert (b.model_type, b.stored) == ("mistral", 7_241_732_096)
    assert b.tensors[0].symbols == "vocab_size × dim"


def test_a_params_json_of_mixtral_has_its_experts_under_moe() -> None:
    b = pw.count({**MISTRAL_7B, "moe": {"num_experts": 8, "num_experts_per_tok": 2}})
    assert (b.model_type, b.stored, b.active) == ("mixtral", 46_702_792_704, 12_879_925_248)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"hidden_dim": None}, "hidden_dim"),
        ({"vision_encoder": {}}, "vision_encoder"),
        ({"q_lora_rank": 8}, "q_lora_rank"),
    ],
)
def test_a_params_json_that_says_too_little_or_too_much_is_refused_by_the_key(
    change: dict[str, Any], key: str
) -> None:
    with pytest.raises(pw.ConfigError) as caught:
        pw.count({**MISTRAL_7B, **change})
    assert caught.value.key == key


# ------------------------------------------------------------------ what is unusual


def test_a_top_k_that_is_null_over_a_class_with_a_number_is_an_error() -> None:
    config = {**pw.count("mistralai/Mixtral-8x7B-v0.1").config, "num_experts_per_tok": None}
    with pytest.raises(pw.ConfigError, match="num_experts_per_tok is null"):
        pw.count(config)


def test_gemma_4_may_give_each_layer_a_width_of_its_own() -> None:
    text = {
        "model_type": "gemma4_text",
        "hidden_size": 48,
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 101,
        "hidden_size_per_layer_input": 0,
        "use_double_wide_mlp": True,
        "layer_types": ["sliding_attention", "full_attention"] * 3,
        "num_kv_shared_layers": 2,
    }
    listed = pw.count({**text, "intermediate_size": [80] * 4 + [160] * 2})
    assert listed.stored == pw.count({**text, "intermediate_size": 80}).stored
    with pytest.raises(pw.ConfigError, match="6 layers"):
        pw.count({**text, "intermediate_size": [80] * 5})


def test_doge_uses_a_few_rows_of_its_tables_of_experts() -> None:
    config = {
        "model_type": "doge",
        "hidden_size": 64,
        "intermediate_size": 80,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "vocab_size": 101,
        "is_moe": True,
        "num_experts": 1000,
        "num_experts_per_tok": 5,
    }
    b = pw.count(config)
    assert b.by_role("stored")["routed_expert"] == 2 * 2 * 1000 * 64
    assert b.by_role("active")["routed_expert"] == 2 * 2 * 5 * 64
    assert b.by_role("stored")["router"] == 2 * 2 * 31 * 64  # a grid of ⌊√1000⌋ = 31 rows and columns
    with pytest.raises(pw.ConfigError, match="more than the 961 experts"):
        pw.count({**config, "num_experts_per_tok": 962})


def test_a_text_token_passes_the_experts_for_images_by() -> None:
    row = next(r for r in BUILT if r["config"]["model_type"] == "ernie4_5_vl_moe")
    b = pw.count(row["config"])
    seen = [t for t in b.tensors if ".vision_moe." in t.name]
    assert {t.role for t in seen} == {"vision"}
    assert not any(".vision_moe." in t.name for t in b.tensors if t.role in ("router", "routed_expert"))


def test_a_layer_of_mistral_large_4_may_read_the_cache_of_another() -> None:
    row = next(r for r in BUILT if r["config"]["model_type"] == "mistral_large4")
    b = pw.count(row["config"])
    assert [layer.shares_kv_with for layer in b.layers] == [None, None, None, 1, None, None]


def test_a_token_of_x_mod_uses_the_adapter_of_one_language() -> None:
    row = next(r for r in BUILT if r["config"].get("languages") == ["en_XX", "de_DE"])
    adapters = [t for t in pw.count(row["config"]).tensors if ".adapter_modules." in t.name]
    assert sum(t.active for t in adapters) * 2 == sum(t.stored for t in adapters)


def test_a_kind_of_layer_that_mimo_v2_has_not_is_refused_by_its_place() -> None:
    row = next(r for r in read("defaults.jsonl") if r["type"] == "mimo_v2_flash")
    kinds = [*row["config"]["layer_types"][:-1], "chunked_attention"]
    with pytest.raises(
        pw.ConfigError, match=r"'chunked_attention' is none of full_attention, sliding_attention"
    ):
        pw.count(row["config"] | {"layer_types": kinds})


def test_a_decoder_that_cannot_read_an_encoder_is_refused_as_one_of_a_pair() -> None:
    pair = next(row["config"] for row in BUILT if row["config"]["model_type"] == "vision-encoder-decoder")
    alone = {**pair["decoder"], "add_cross_attention": False}
    with pytest.raises(pw.ConfigError, match="cannot read the encoder"):
        pw.count({**pair, "decoder": alone})


@pytest.mark.parametrize(
    ("encoder", "tokens"),
    [
        # as transformers puts out of an image of 50 × 38: ⌈50 ÷ 6⌉ × ⌈38 ÷ 6⌉, of a patch of 3 halved once
        ({"model_type": "donut-swin", "image_size": [50, 38], "patch_size": 3, "embed_dim": 24}, 9 * 7),
        ({"model_type": "vit", "image_size": 40, "patch_size": 7}, 5 * 5 + 1),
        ({"model_type": "deit", "image_size": 40, "patch_size": 7}, 5 * 5 + 2),
    ],
)
def test_a_decoder_of_a_pair_keeps_as_many_tokens_of_an_image_as_its_encoder_puts_out(
    encoder: dict[str, Any], tokens: int
) -> None:
    pair = next(row["config"] for row in BUILT if row["config"]["model_type"] == "vision-encoder-decoder")
    if encoder["model_type"] == "donut-swin":
        encoder = {**encoder, "depths": [1, 2], "num_heads": [2, 3]}
    b = pw.count({**pair, "encoder": encoder})
    assert {layer.cross_tokens for layer in b.layers} == {tokens}
