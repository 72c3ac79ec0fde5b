"""What memory() says of weights, caches and states, held against published and recomputed figures."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from configs import SMALL, bundled

import paramwidget as pw
from paramwidget.memory.cache import KINDS, kind_of
from paramwidget.memory.dtypes import ALIASES, DTYPES, size
from paramwidget.memory.weights import touched

MIB, GIB = 2**20, 2**30

GEMMA_3_1B: dict[str, Any] = {
    "architectures": ["Gemma3ForCausalLM"],
    "model_type": "gemma3_text",
    "hidden_size": 1152,
    "intermediate_size": 6912,
    "num_hidden_layers": 26,
    "num_attention_heads": 4,
    "num_key_value_heads": 1,
    "head_dim": 256,
    "vocab_size": 262144,
    "sliding_window": 512,
    "sliding_window_pattern": 6,
}


def memory(source: Any, context: int = 32_768, **asked: Any) -> pw.Memory:
    return pw.memory(pw.count(source), context, **asked)


def qwen3(layers: int, kv_heads: int, hidden: int = 2560, heads: int = 32) -> dict[str, Any]:
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": 128,
        "intermediate_size": 9728,
        "vocab_size": 151936,
    }


# ------------------------------------------------------------------ bytes of one more token


@pytest.mark.parametrize(
    ("model", "growth"),
    [
        # 2 × 32 layers × 8 heads × 128 × 2 bytes
        pytest.param("meta-llama/Llama-3.1-8B", [(0, 131_072)], id="Llama-3.1-8B"),
        pytest.param("Qwen/Qwen3-8B", [(0, 147_456)], id="Qwen3-8B"),
        # all 36 layers grow, then the 18 that see all: 2 × 8 × 64 × 2 bytes each
        pytest.param("openai/gpt-oss-120b", [(0, 73_728), (128, 36_864)], id="gpt-oss-120b"),
        # 61 layers × (512 + 64) × 2 bytes; 124,928 doubles the latent vector and forgets the 64 of the positions,
        # 1,748,992 takes 128 heads of 56: https://github.com/LMCache/LMCache/pull/694
        pytest.param("deepseek-ai/DeepSeek-V3", [(0, 70_272)], id="DeepSeek-V3"),
        # 12 of its 48 layers keep keys and values: 2 × 12 × 2 × 256 × 2 bytes
        pytest.param("Qwen/Qwen3-Next-80B-A3B-Instruct", [(0, 24_576)], id="Qwen3-Next"),
        # a quotient of sizes would make its heads 80 wide: https://github.com/LMCache/LMCache/issues/688
        pytest.param(qwen3(36, 8), [(0, 147_456)], id="Qwen3-4B"),
        # 880 KiB while all layers grow, 80 KiB past the window of 1,024: 50 × 16 × 256 and 10 × 4 × 512
        # https://github.com/redhat-performance/configiq/issues/112
        pytest.param("nvidia/Gemma-4-31B-IT-NVFP4", [(0, 880 * 1024), (1024, 80 * 1024)], id="Gemma-4-31B"),
        # no grouped queries: 2 × 32 × 32 × 128 × 2 bytes: https://github.com/jranaraki/vllm-fit/issues/2
        pytest.param("meta-llama/Llama-2-7b-chat-hf", [(0, 524_288)], id="Llama-2-7B"),
        # 2 × 28 × 8 × 128 × 2 bytes: https://github.com/HenriGrimm/Minnow/pull/854
        pytest.param("Qwen/Qwen3-0.6B", [(0, 114_688)], id="Qwen3-0.6B"),
        pytest.param("openai/gpt-oss-20b", [(0, 49_152), (128, 24_576)], id="gpt-oss-20b"),
        # 61 × (512 + 64 + 128): the indexer keeps a key too
        pytest.param("deepseek-ai/DeepSeek-V3.2", [(0, 85_888)], id="DeepSeek-V3.2"),
        # 62 layers of one vector of 512 while the window of 128 fills; 31 with an entry of 512 for 128 tokens,
        # 30 with one of 512 and an indexer's of 128 for 4
        pytest.param(
            "deepseek-ai/DeepSeek-V4-Pro",
            [(0, 2 * (61 * 512 + 31 * 4 + 30 * 160)), (128, 2 * (31 * 4 + 30 * 160))],
            id="DeepSeek-V4-Pro",
        ),
    ],
)
def test_one_more_token_costs_so_many_bytes(model: Any, growth: list[tuple[int, int]]) -> None:
    m = memory(model)
    assert list(m.growth) == growth
    assert m.kv_bytes_per_token == growth[0][1]
    assert m.kv_bytes_per_token_past_windows == growth[-1][1]


def test_a_step_of_growth_is_where_the_cache_grows_more_slowly() -> None:
    at = [memory("openai/gpt-oss-120b", n).kv_bytes or 0 for n in (127, 128, 129)]
    assert (at[1] - at[0], at[2] - at[1]) == (73_728, 36_864)


# ------------------------------------------------------------------ the cache of a context


def test_gemma_3_1b_keeps_139_mib_where_the_formula_without_windows_says_832() -> None:
    # 4 layers of 32,768 tokens and 22 of 512, each token 2 × 256 × 2 bytes
    m = memory(GEMMA_3_1B)
    assert m.kv_bytes == (4 * 32_768 + 22 * 512) * 1024 == 139 * MIB
    assert m.kv_bytes_reserved == 26 * 32_768 * 1024 == 832 * MIB


def test_gpt_oss_20b_needs_6_gib_and_an_engine_without_windows_reserves_12() -> None:
    # https://github.com/alvarobartt/hf-mem/pull/70: 8,192 tokens of 32 sequences
    m = memory("openai/gpt-oss-20b", 8192, batch=32)
    assert m.kv_bytes_reserved == 12 * GIB
    assert m.kv_bytes == 6.09375 * GIB


def test_llama_3_1_405b_keeps_half_a_gib_at_1024_tokens() -> None:
    # a published table has twice as much: https://github.com/huggingface/blog/issues/2345
    m = memory("meta-llama/Meta-Llama-3.1-405B-Instruct-FP8", 1024)
    assert m.kv_bytes == 1024 * 516_096 == 126 * 4 * MIB
    assert memory("meta-llama/Meta-Llama-3.1-405B-Instruct-FP8", 128_000).kv_bytes == 66_060_288_000


def test_thirty_six_layers_of_eight_heads_keep_4_5_gib_at_32k_and_36_gib_at_256k() -> None:
    # https://github.com/Osmantic/ODS/issues/3324
    assert memory("Qwen/Qwen3-8B", 32_768).kv_bytes == 4.5 * GIB
    assert memory("Qwen/Qwen3-8B", 262_144).kv_bytes == 36 * GIB


def test_a_wide_layer_that_sees_all_and_a_narrow_one_that_slides_each_keep_their_own() -> None:
    # gemma-4-12b: 8 layers of 1 head of 512, 40 of 8 heads of 256 and a window of 1,024; past it only the 8 grow
    # https://github.com/tmac1973/llama-toolchest/pull/58, https://github.com/raullenchai/Rapid-MLX/pull/1423
    text = {
        **bundled("google/gemma-4-26B-A4B")["text_config"],
        "architectures": ["Gemma4ForCausalLM"],
        "model_type": "gemma4_text",
        "num_hidden_layers": 48,
        "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 8,
        "num_key_value_heads": 8,
        "num_global_key_value_heads": 1,
        "head_dim": 256,
        "global_head_dim": 512,
        "attention_k_eq_v": True,
        "sliding_window": 1024,
        "enable_moe_block": False,
    }
    m = memory(text, 100_000)
    assert m.kv_bytes_per_token_past_windows == 8 * 2 * 512 * 2 == 16_384
    assert m.kv_bytes == 100_000 * 16_384 + 1024 * 40 * 2 * 8 * 256 * 2


def test_layers_that_read_an_earlier_cache_keep_none() -> None:
    # 15 of the 35 layers of gemma-3n-E4B: https://github.com/unslothai/unsloth/pull/5225
    E4B = {"architectures": ["Gemma3nForCausalLM"], "model_type": "gemma3n_text", "num_kv_shared_layers": 15}
    E4B |= {"num_hidden_layers": 35, "hidden_size": 2048, "num_attention_heads": 8, "vocab_size": 262400}
    E4B |= {"num_key_value_heads": 2, "head_dim": 256, "intermediate_size": 16384, "sliding_window": 512}
    m = memory(E4B)
    assert m.kv_bytes_per_token == 20 * 2 * 2 * 256 * 2
    (shared,) = (k for k in m.by_kind if k.kind == "shared")
    assert (shared.layers, shared.kv_bytes, shared.kv_bytes_reserved) == (15, 0, 0)


def test_a_drafter_that_reads_another_models_cache_keeps_none() -> None:
    text = bundled("google/gemma-4-E2B-it")["text_config"]
    drafter = {**text, "architectures": ["Gemma4ForCausalLM"], "model_type": "gemma4_text"}
    m = memory({**drafter, "num_kv_shared_layers": drafter["num_hidden_layers"]})
    assert (m.kv_bytes, m.kv_bytes_reserved) == (0, 0)


def test_kimi_k3_keeps_latent_vectors_in_24_layers_and_states_in_69() -> None:
    # https://github.com/inference-sim/inference-sim/issues/1635 charged all 93
    from test_cases import KIMI_K3

    m = memory(KIMI_K3)
    assert m.kv_bytes_per_token == 24 * 576 * 2
    assert {k.kind: k.layers for k in m.by_kind} == {"linear": 69, "mla": 24}


def test_an_engine_that_expands_latent_vectors_keeps_71_times_as_much() -> None:
    # 61 layers × 128 heads × (192 + 128): https://github.com/gpustack/gguf-parser-go/issues/8 met both
    m = memory("deepseek-ai/DeepSeek-V3", 65_536)
    assert m.kv_bytes == 65_536 * 70_272
    assert m.kv_bytes_expanded == 65_536 * 61 * 128 * (192 + 128) * 2
    assert memory("Qwen/Qwen3-8B").kv_bytes_expanded is None


def test_an_entry_counts_once_it_is_full() -> None:
    one = [memory("deepseek-ai/DeepSeek-V4-Flash", n).kv_bytes or 0 for n in (131, 132, 255, 256)]
    layers = pw.count("deepseek-ai/DeepSeek-V4-Flash").layers
    four = sum(2 * (s.compressed + s.indexer) for s in layers if s.rate == 4)
    assert one[1] - one[0] == four
    assert one[3] - one[2] == four + sum(2 * s.compressed for s in layers if s.rate == 128)


def test_the_batch_multiplies_what_a_sequence_keeps() -> None:
    one, eight = (memory("Qwen/Qwen3-Next-80B-A3B-Instruct", batch=n) for n in (1, 8))
    assert eight.kv_bytes == 8 * (one.kv_bytes or 0)
    assert eight.state_bytes == 8 * (one.state_bytes or 0)
    assert eight.kv_bytes_per_token == one.kv_bytes_per_token
    assert eight.weight_bytes == one.weight_bytes


@pytest.mark.parametrize("model", pw.catalog())
def test_the_kinds_add_up_and_a_reservation_is_never_less(model: str) -> None:
    m = memory(model, 5000, batch=3)
    assert m.kv_bytes == sum(k.kv_bytes for k in m.by_kind)
    assert m.kv_bytes_reserved == sum(k.kv_bytes_reserved for k in m.by_kind)
    assert m.state_bytes == sum(k.state_bytes for k in m.by_kind)
    assert all(0 <= k.kv_bytes <= k.kv_bytes_reserved for k in m.by_kind)
    assert m.weight_bytes == pw.count(model).weight_bytes
    assert m.weight_bytes is None or m.weight_bytes == sum(n or 0 for n in m.by_role.values())


# ------------------------------------------------------------------ states


def test_qwen3_next_keeps_a_matrix_a_head_in_32_bits_and_three_inputs_of_each_channel() -> None:
    m = memory("Qwen/Qwen3-Next-80B-A3B-Instruct", 1)
    # 32 heads × 128 × 128; a convolution of 4 over 2 × 16 × 128 + 32 × 128 channels
    assert m.state_bytes == 36 * (4 * 32 * 128 * 128 + 2 * 3 * 8192) == 77_266_944


def test_a_cache_dtype_does_not_shrink_states() -> None:
    # https://github.com/asher/gmlx/pull/115
    full, narrow, wide = (
        memory("Qwen/Qwen3-Next-80B-A3B-Instruct", kv_dtype=d) for d in ("bfloat16", "fp8", "float32")
    )
    assert narrow.kv_bytes == (full.kv_bytes or 0) // 2
    assert narrow.state_bytes == full.state_bytes
    assert (wide.state_bytes or 0) - (full.state_bytes or 0) == 36 * 2 * 3 * 8192


def test_a_model_of_states_alone_keeps_no_keys() -> None:
    config = {
        "architectures": ["MambaForCausalLM"],
        "model_type": "mamba",
        "hidden_size": 64,
        "vocab_size": 10,
    }
    m = memory({**config, "num_hidden_layers": 2, "state_size": 16, "conv_kernel": 4, "expand": 2})
    assert (m.kv_bytes, m.kv_bytes_per_token) == (0, 0)
    assert m.state_bytes == 2 * (4 * 128 * 16 + 2 * 128 * 3)


# ------------------------------------------------------------------ encoders


def test_whisper_keeps_1500_frames_for_each_decoder_layer_whatever_the_context() -> None:
    short, long = (memory("openai/whisper-tiny", n) for n in (1, 448))
    (cross,) = (k for k in short.by_kind if k.kind == "cross")
    assert (cross.layers, cross.window, cross.kv_bytes) == (4, 1500, 4 * 1500 * 2 * 384 * 2)
    assert (long.kv_bytes or 0) - (short.kv_bytes or 0) == 447 * 4 * 2 * 384 * 2


def test_an_encoder_decoder_keeps_keys_and_values_of_as_many_tokens_as_its_encoder_read() -> None:
    # T5-large: 24 layers of 16 heads of 64
    each = 24 * 2 * 16 * 64 * 2
    assert memory("MBZUAI/LaMini-Flan-T5-783M", 100).kv_bytes == 200 * each
    assert memory("MBZUAI/LaMini-Flan-T5-783M", 100, encoder_length=7).kv_bytes == 107 * each
    assert memory("MBZUAI/LaMini-Flan-T5-783M", 100, encoder_length=0).kv_bytes == 100 * each


def test_llama_3_2_vision_keeps_the_patches_of_an_image_in_its_layers_of_cross_attention() -> None:
    # 20 of 100 layers; 4 tiles of (560 ÷ 14)² + 1
    m = memory("meta-llama/Llama-3.2-90B-Vision", 1)
    (cross,) = (k for k in m.by_kind if k.kind == "cross")
    assert (cross.layers, cross.window) == (20, 4 * 1601)
    assert cross.kv_bytes == 20 * 6404 * 2 * 8 * 128 * 2
    assert m.kv_bytes_per_token == 80 * 2 * 8 * 128 * 2
    assert memory("meta-llama/Llama-3.2-90B-Vision", 1, encoder_length=0).kv_bytes == m.kv_bytes_per_token


def test_a_decoder_without_its_encoder_keeps_nothing_of_one() -> None:
    whole = bundled("openai/whisper-tiny")
    m = memory({**whole, "architectures": ["WhisperForCausalLM"]}, 10)
    assert m.kv_bytes == 10 * 4 * 2 * 384 * 2
    assert "cross" not in {k.kind for k in m.by_kind}


def test_an_encoder_keeps_nothing() -> None:
    m = memory("google-bert/bert-large-uncased")
    assert (m.kv_bytes, m.state_bytes, m.growth) == (0, 0, ((0, 0),))
    assert "keeps nothing of a context" in m.to_text()
    assert "tokens" not in m.to_text().splitlines()[1]  # no context where there is nothing of it


# ------------------------------------------------------------------ weights


def test_weights_are_as_the_files_store_them() -> None:
    m = memory("openai/gpt-oss-120b")
    # the size of the published files without their headers
    assert m.weight_bytes == 65_248_815_744
    # MXFP4: 17 bytes for 32 values, and biases in 16 bits
    values, biases = 36 * 128 * 3 * 2880 * 2880, 36 * 128 * 3 * 2880
    assert m.by_role["routed_expert"] == values * 17 // 32 + 2 * biases


def test_a_dtype_of_16_bits_or_more_takes_every_weight() -> None:
    b = pw.count("meta-llama/Llama-3.1-8B")
    assert pw.memory(b, weight_dtype="bfloat16").weight_bytes == 2 * 8_030_261_248
    assert pw.memory(b, weight_dtype="float32").weight_bytes == 4 * 8_030_261_248


def test_a_dtype_of_fewer_bits_takes_linear_maps_and_leaves_the_rest_in_16() -> None:
    m = memory("meta-llama/Llama-3.1-8B", weight_dtype="int4")
    maps = 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
    assert m.weight_bytes == maps // 2 + 2 * (8_030_261_248 - maps)
    assert m.by_role["embedding"] == 2 * 128_256 * 4096
    assert "stay in 16 bits" in m.to_text()


def test_a_format_with_scales_has_them() -> None:
    assert size(64, "mxfp4") == 32 + 2
    assert size(64, "nvfp4") == 32 + 4
    assert size(64, "mxfp8") == 64 + 2


def test_another_dtype_drops_the_scales_that_files_hold() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    assert pw.memory(b, weight_dtype="bfloat16").weight_bytes == 2 * b.stored


def test_where_the_config_does_not_say_how_weights_are_stored_a_dtype_gives_a_figure() -> None:
    m = memory(SMALL, 8)
    assert m.weight_bytes is None
    assert m.total_bytes is None
    assert "a weight dtype gives a figure" in m.to_text()
    assert memory(SMALL, 8, weight_dtype="bfloat16").weight_bytes == 2 * 212


def test_the_whole_is_weights_and_cache_and_states() -> None:
    m = memory("Qwen/Qwen3-Next-80B-A3B-Instruct")
    assert m.total_bytes == 162_649_725_440 + 805_306_368 + 77_266_944


# ------------------------------------------------------------------ experts and compute


def test_a_batch_touches_experts_as_uniform_routing_would() -> None:
    (group,) = memory("openai/gpt-oss-120b", batch=32).experts
    assert (group.layers, group.experts, group.used) == (36, 128, 4)
    # 128 × (1 − (31/32)^32)
    assert group.touched == pytest.approx(81.66, abs=0.005)


def test_one_sequence_touches_what_a_token_uses_and_a_large_batch_all() -> None:
    assert touched(128, 4, 1) == 4.0
    assert touched(128, 4, 100_000) == 128.0
    assert touched(8, 8, 3) == 8.0


def test_layers_with_other_experts_are_groups_of_their_own() -> None:
    groups = memory("tencent/Hunyuan-A13B-Instruct").experts
    assert [(g.layers, g.experts, g.used) for g in groups] == [(32, 64, 8)]
    assert memory("Qwen/Qwen3-8B").experts == ()


@pytest.mark.parametrize(
    ("model", "active", "rows", "multiplied"),
    [
        # one row of the embedding; no biases, norms and sinks: 5,132,849,472 − 1,536,768 − 210,240 − 2,304
        ("openai/gpt-oss-120b", 5_711_982_912, 2_880, 5_131_100_160),
        # its table is the head's, and read whole: all but norms and the biases of q, k and v
        ("Qwen/Qwen2.5-0.5B", 494_032_768, 0, 494_032_768 - 49 * 896 - 24 * (896 + 2 * 128)),
        # a row of 35 × 256 of the per-layer embeddings; its table is the head's
        ("google/gemma-4-E2B-it", 4_628_569_379, 35 * 256, None),
    ],
)
def test_of_tables_that_are_looked_up_a_token_reads_rows(
    model: str, active: int, rows: int, multiplied: int | None
) -> None:
    m = memory(model)
    assert (m.active, m.token.rows) == (active, rows)
    tables = {"openai/gpt-oss-120b": 201_088 * 2_880, "google/gemma-4-E2B-it": 262_144 * 35 * 256}
    assert m.read_per_token == active - tables.get(model, 0) + rows
    if multiplied is not None:
        assert m.flops_per_token == 2 * multiplied
    assert "none is latency." in m.to_text()
    assert "without attention to the context" in m.to_text()


def test_the_context_is_by_default_no_longer_than_the_positions_of_the_config() -> None:
    assert pw.memory(pw.count("openai/gpt-oss-120b")).context == 32_768
    small = pw.memory(pw.count({**pw.count("openai/gpt-oss-120b").config, "max_position_embeddings": 4096}))
    assert (small.context, small.positions) == (4096, 4096)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("openai/whisper-tiny", 448),  # of the decoder, not the 1,500 frames of the encoder
        ("openai/clip-vit-base-patch16", 77),  # of the text model
        ("google-bert/bert-large-uncased", 512),
        ("openai-community/gpt2", 1024),
        ("meta-llama/Llama-4-Scout-17B-16E", 10_485_760),
        ("openai/gpt-oss-120b", None),  # its bundled config has only what decides a count
        ({**SMALL, "n_positions": 9}, 9),
        ({**SMALL, "max_position_embeddings": True}, None),
        ({**SMALL, "max_position_embeddings": -1, "seq_length": 5}, 5),
    ],
)
def test_the_positions_are_those_of_the_text_under_any_of_their_names(source: Any, named: int | None) -> None:
    m = pw.memory(pw.count(source))
    assert (m.positions, m.context) == (named, min(32_768, named or 32_768))
    assert m.to_dict()["positions"] == named


def test_a_context_of_more_than_the_positions_is_no_error_and_is_said() -> None:
    assert (
        "449 tokens: more than the 448 positions of the config."
        in memory("openai/whisper-tiny", 449).to_text()
    )
    assert "positions of the config" not in memory("openai/whisper-tiny", 448).to_text()


@pytest.mark.parametrize(
    ("source", "read"),
    [
        # the head is tied, the 448 positions of 384 are not
        ("openai/whisper-tiny", 29_552_256 - 448 * 384 + 384),
        # the head is not tied: a row of the table, and the biases by distance whole
        ("MBZUAI/LaMini-Flan-T5-783M", 474_818_048 - 32_128 * 1024 + 1024),
        # a row each of words, positions and types
        ("thenlper/gte-small", 33_360_000 - (30_522 + 512 + 2 - 3) * 384),
        # 212 without its table of 8 × 4, and a row of that
        (SMALL, 212 - 8 * 4 + 4),
    ],
)
def test_what_a_token_reads_of_other_tables(source: Any, read: int) -> None:
    assert memory(source).read_per_token == memory(source).to_dict()["read_per_token"] == read


def test_a_byte_looks_up_a_row_for_each_hash_of_each_group() -> None:
    b = pw.count({"model_type": "blt", "architectures": ["BltForCausalLM"]})
    # one function over groups of 3 to 8 bytes: 6 rows of 1,024; a row of the encoder's 260 bytes, one of the patcher's
    tables = 6 * 500_002 * 1024 + 260 * 1024 + 260 * 768
    rows = 6 * 1024 + 1024 + 768
    token = pw.memory(b).token
    assert (token.read, token.rows) == (4_633_127_680 - tables + rows, rows)


def test_cross_attention_adds_nothing_to_the_bytes_of_one_more_token() -> None:
    lines = memory("openai/whisper-tiny").to_text().splitlines()
    (cross,) = (line for line in lines if "cross-attention" in line)
    (total,) = (line for line in lines if line.startswith(" total"))
    assert re.search(r"cross-attention to 1,500 tokens of 6,144 bytes +0 ", cross)
    assert total.split()[1] == "6,144"


# ------------------------------------------------------------------ what may be asked


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"context": 0}, "context must be a whole number from 1 to 1,000,000,000, not 0"),
        ({"context": -1}, "not -1"),
        ({"context": 10**9 + 1}, "not 1000000001"),
        ({"context": 2.5}, "not 2.5"),
        ({"context": "8k"}, "not '8k'"),
        ({"context": True}, "not True"),
        ({"batch": 0}, "batch must be a whole number from 1 to 1,000,000"),
        ({"encoder_length": -1}, "encoder_length must be a whole number from 0"),
        (
            {"kv_dtype": "float12"},
            "kv_dtype = 'float12' is not known: it must be float32, bfloat16, float16, fp8",
        ),
        ({"kv_dtype": None}, "kv_dtype = None is not known"),
        ({"weight_dtype": "Q4_K_M"}, "weight_dtype = 'Q4_K_M' is not known"),
        ({"weight_dtype": 4}, "weight_dtype = 4 is not known"),
        ({"context": 10**9, "batch": 10**6}, "more than 2^53 − 1"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(asked: dict[str, Any], named: str) -> None:
    with pytest.raises(pw.OptionError, match=re.escape(named)):
        pw.memory(pw.count("Qwen/Qwen3-8B"), **asked)


def test_a_misspelt_dtype_is_answered_with_the_nearest() -> None:
    with pytest.raises(pw.OptionError, match=r"Did you mean bfloat16") as refused:
        memory("Qwen/Qwen3-8B", kv_dtype="bfloat")
    assert (refused.value.name, refused.value.value) == ("kv_dtype", "bfloat")


@pytest.mark.parametrize(
    ("spelling", "meant"), [*ALIASES.items(), ("torch.bfloat16", "bfloat16"), ("FP8", "fp8")]
)
def test_a_dtype_may_be_spelt_as_torch_or_vllm_do(spelling: str, meant: str) -> None:
    assert memory("Qwen/Qwen3-8B", kv_dtype=spelling).kv_dtype == meant
    assert meant in DTYPES


# ------------------------------------------------------------------ what it says


def test_every_size_in_print_has_its_unit() -> None:
    text = memory("openai/gpt-oss-120b", 131_072).to_text()
    assert "60.8 GiB, 65.25 GB of weights; 4.5 GiB, 4.84 GB of cache and state for 131,072 tokens" in text
    assert "73,728 bytes; 36,864 bytes past 128 tokens" in text
    assert "sliding window of 128" in text


def test_a_memory_is_plain_data_too() -> None:
    m = memory("openai/gpt-oss-120b", 1000, batch=2)
    d = m.to_dict()
    assert json.loads(json.dumps(d)) == d
    assert (d["weight_bytes"], d["kv_bytes"], d["state_bytes"]) == (m.weight_bytes, m.kv_bytes, 0)
    assert d["growth"] == [
        {"from_tokens": 0, "bytes_per_token": 73_728},
        {"from_tokens": 128, "bytes_per_token": 36_864},
    ]
    assert d["by_kind"][0] == {
        "kind": "sliding",
        "label": "sliding window",
        "layers": 18,
        "window": 128,
        "kv_bytes_per_token": 36_864,
        "kv_bytes": 2 * 128 * 36_864,
        "kv_bytes_reserved": 2 * 1000 * 36_864,
        "state_bytes": 0,
    }
    assert d["experts"][0]["touched"] == pytest.approx(128 * (1 - (31 / 32) ** 2))


def test_in_html_a_head_stands_as_the_figures_below_it() -> None:
    html = pw.memory(pw.count("openai/gpt-oss-120b"))._repr_html_()
    found = re.findall(r'<th scope="col" style="[^"]*text-align:(left|right)[^"]*">([^<]*)</th>', html)
    heads = {name: side for side, name in found}
    assert (heads["weights"], heads["kind"]) == ("left", "left")
    assert {heads[name] for name in ("bytes", "layers", "bytes a token", "cache", "reserved", "state")} == {
        "right"
    }


def test_html_needs_neither_script_nor_style_sheet_and_is_escaped() -> None:
    html = pw.memory(pw.count({**bundled("Qwen/Qwen3-8B"), "_name_or_path": "<b>"}))._repr_html_()
    assert not re.search("<script|<style|<svg|aria-|data-", html)
    m = memory("Qwen/Qwen3-8B")
    object.__setattr__(m, "model", "<img src=x>")
    assert "&lt;img" in m._repr_html_()
    assert "147,456" in html


def test_its_repr_is_one_line() -> None:
    assert repr(memory("Qwen/Qwen3-8B")).count("\n") == 0
    assert repr(memory("Qwen/Qwen3-8B")).startswith("<Memory Qwen/Qwen3-8B: 15.3 GiB, 16.38 GB of weights;")


def test_of_layers_that_are_not_described_only_weights_are_known() -> None:
    from dataclasses import replace

    m = pw.memory(replace(pw.count("Qwen/Qwen3-8B"), runs=()))
    assert m.weight_bytes == 16_381_470_720
    assert (m.kv_bytes, m.kv_bytes_reserved, m.kv_bytes_per_token_past_windows, m.state_bytes) == (None,) * 4
    assert (m.by_kind, m.growth, m.known) == ((), (), False)
    assert "not described" in m.to_text()
    assert "<table>" in m._repr_html_()


@pytest.mark.parametrize("model", pw.catalog())
def test_every_kind_has_a_word_and_only_layers_that_attend_keep_keys(model: str) -> None:
    for layer in pw.count(model).layers:
        assert kind_of(layer) in KINDS
        assert layer.cached == 0 or layer.window is None or layer.window > 0
        assert layer.mixer not in ("linear", "ssm", "none") or not (layer.expanded or layer.latent)
        assert 0 <= layer.state_float32 <= layer.state_elements
        assert (layer.rate > 1) == (layer.compressed > 0)
