"""State-space models and hybrids: small configs against what transformers builds, published ones against files."""

from __future__ import annotations

from typing import Any

import pytest

import paramwidget as pw
from paramwidget.architectures import TABLE
from paramwidget.layers import FFNS, MIXERS

# ------------------------------------------------------------------ what transformers 5.24 builds
#
# A row: a type, what differs from its config in SMALL, and of the model that transformers builds on the meta device the
# parameters, what ties add, the persistent buffers, and the parameters less the experts that a token does not use. A
# switch is a row where it changes one of them.

SMALL: dict[str, dict[str, Any]] = {
    "mamba": {
        "architectures": ["MambaForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 3,
        "state_size": 5,
    },
    "falcon_mamba": {
        "architectures": ["FalconMambaForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 3,
        "state_size": 5,
    },
    "mamba2": {
        "architectures": ["Mamba2ForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 3,
        "state_size": 6,
        "num_heads": 12,
        "head_dim": 8,
        "n_groups": 4,
    },
    "falcon_h1": {
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 4,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "mamba_d_state": 6,
        "mamba_n_heads": 12,
        "mamba_n_groups": 2,
        "architectures": ["FalconH1ForCausalLM"],
        "mamba_d_ssm": 24,
    },
    "bamba": {
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 4,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "mamba_d_state": 6,
        "mamba_n_heads": 12,
        "mamba_n_groups": 2,
        "architectures": ["BambaForCausalLM"],
        "attn_layer_indices": [1, 3],
    },
    "granitemoehybrid": {
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 4,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "mamba_d_state": 6,
        "mamba_n_heads": 12,
        "mamba_n_groups": 2,
        "architectures": ["GraniteMoeHybridForCausalLM"],
        "layer_types": ["mamba", "attention", "linear_attention", "full_attention"],
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "shared_intermediate_size": 12,
    },
    "jamba": {
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 4,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "mamba_d_state": 6,
        "mamba_n_heads": 12,
        "mamba_n_groups": 2,
        "architectures": ["JambaForCausalLM"],
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "attn_layer_period": 3,
        "attn_layer_offset": 1,
    },
    "zamba": {
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 8,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "mamba_d_state": 6,
        "architectures": ["ZambaForCausalLM"],
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
    },
    "zamba2": {
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "mamba_d_state": 6,
        "architectures": ["Zamba2ForCausalLM"],
        "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid", "hybrid", "mamba"],
        "n_mamba_heads": 4,
    },
    "nemotron_h": {
        "architectures": ["NemotronHForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "ssm_state_size": 6,
        "mamba_num_heads": 8,
        "mamba_head_dim": 10,
        "n_groups": 2,
        "n_routed_experts": 6,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 14,
        "moe_shared_expert_intermediate_size": 18,
        "hybrid_override_pattern": "ME*-M",
    },
    "recurrent_gemma": {
        "architectures": ["RecurrentGemmaForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 20,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
    },
    "rwkv": {
        "architectures": ["RwkvForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 3,
    },
    "xlstm": {
        "architectures": ["xLSTMForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "num_heads": 4,
    },
    "lfm2": {
        "architectures": ["Lfm2ForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 100,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "full_attn_idxs": [1, 3],
        "block_multiple_of": 16,
    },
    "lfm2_moe": {
        "architectures": ["Lfm2MoeForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 4,
        "intermediate_size": 100,
        "moe_intermediate_size": 30,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "layer_types": ["conv", "full_attention", "conv", "full_attention"],
        "num_experts": 6,
        "num_experts_per_tok": 2,
    },
    "lfm3": {
        "architectures": ["Lfm3ForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 10,
        "intermediate_size": 100,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 10,
    },
    "minimax": {
        "architectures": ["MiniMaxForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 4,
        "intermediate_size": 30,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "block_size": 8,
    },
    "kimi_linear": {
        "architectures": ["KimiLinearForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 30,
        "moe_intermediate_size": 14,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "num_experts": 6,
        "num_experts_per_token": 2,
        "num_shared_experts": 1,
        "kv_lora_rank": 12,
        "qk_nope_head_dim": 8,
        "qk_rope_head_dim": 4,
        "v_head_dim": 10,
        "linear_attn_config": {
            "full_attn_layers": [2, 5],
            "kda_layers": [1, 3, 4],
            "head_dim": 6,
            "num_heads": 3,
            "short_conv_kernel_size": 4,
        },
    },
    "olmo_hybrid": {
        "architectures": ["OlmoHybridForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 30,
        "num_attention_heads": 4,
    },
    "zaya": {
        "architectures": ["ZayaForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "num_experts": 5,
        "num_experts_per_tok": 1,
        "moe_intermediate_size": 14,
        "head_dim": 6,
        "router_hidden_size": 9,
    },
    "qwen3_5_text": {
        "architectures": ["Qwen3_5ForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 30,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "linear_key_head_dim": 6,
        "linear_value_head_dim": 7,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
    },
    "qwen3_5": {
        "architectures": ["Qwen3_5ForConditionalGeneration"],
        "text_config": {
            "model_type": "qwen3_5_text",
            "architectures": ["Qwen3_5ForCausalLM"],
            "vocab_size": 40,
            "hidden_size": 48,
            "num_hidden_layers": 5,
            "intermediate_size": 30,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 8,
            "linear_key_head_dim": 6,
            "linear_value_head_dim": 7,
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
        },
        "vision_config": {
            "depth": 2,
            "hidden_size": 16,
            "intermediate_size": 20,
            "num_heads": 2,
            "patch_size": 4,
            "out_hidden_size": 48,
            "num_position_embeddings": 16,
        },
        "tie_word_embeddings": False,
    },
    "bailing_hybrid": {
        "architectures": ["BailingHybridForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 5,
        "intermediate_size": 30,
        "moe_intermediate_size": 14,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "num_experts": 8,
        "num_experts_per_tok": 2,
        "num_shared_experts": 1,
        "kv_lora_rank": 12,
        "qk_nope_head_dim": 8,
        "qk_rope_head_dim": 4,
        "v_head_dim": 10,
        "head_dim": 6,
        "layer_group_size": 3,
        "n_group": 2,
        "topk_group": 1,
    },
    "lara_mini": {
        "architectures": ["LaraMiniForCausalLM"],
        "vocab_size": 40,
        "hidden_size": 48,
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "linear_key_head_dim": 6,
        "linear_value_head_dim": 7,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "num_experts": 5,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 14,
        "shared_expert_intermediate_size": 9,
    },
}

BUILT: list[tuple[str, dict[str, Any], int, int, int, int]] = [
    ("mamba", {}, 51_648, 1_920, 0, 51_648),
    ("mamba", {"conv_kernel": 3}, 51_360, 1_920, 0, 51_360),
    ("mamba", {"expand": 3}, 76_416, 1_920, 0, 76_416),
    ("mamba", {"use_bias": True}, 52_368, 1_920, 0, 52_368),
    ("mamba", {"use_conv_bias": False}, 51_360, 1_920, 0, 51_360),
    ("mamba", {"time_step_rank": 7}, 53_952, 1_920, 0, 53_952),
    ("mamba", {"tie_word_embeddings": False}, 53_568, 0, 0, 53_568),
    ("mamba", {"intermediate_size": 999}, 517_596, 1_920, 0, 517_596),
    ("mamba", {"architectures": ["MambaModel"]}, 51_648, 0, 0, 51_648),
    ("mamba", {"hidden_size": 50}, 56_200, 2_000, 0, 56_200),
    ("falcon_mamba", {}, 51_648, 1_920, 0, 51_648),
    ("falcon_mamba", {"intermediate_size": 999}, 517_596, 1_920, 0, 517_596),
    ("mamba2", {}, 56_700, 0, 0, 56_700),
    ("mamba2", {"conv_kernel": 3}, 56_268, 0, 0, 56_268),
    ("mamba2", {"n_groups": 1}, 50_976, 0, 0, 50_976),
    ("mamba2", {"n_groups": 2}, 52_884, 0, 0, 52_884),
    ("mamba2", {"use_bias": True}, 57_600, 0, 0, 57_600),
    ("mamba2", {"use_conv_bias": False}, 56_268, 0, 0, 56_268),
    ("mamba2", {"tie_word_embeddings": True}, 54_780, 1_920, 0, 54_780),
    ("mamba2", {"architectures": ["Mamba2Model"]}, 54_780, 0, 0, 54_780),
    ("mamba2", {"num_heads": 6, "head_dim": 16}, 55_782, 0, 0, 55_782),
    ("mamba2", {"num_heads": 18, "expand": 3}, 79_218, 0, 0, 79_218),
    ("falcon_h1", {}, 65_280, 0, 0, 65_280),
    ("falcon_h1", {"mamba_n_groups": 1}, 62_736, 0, 0, 62_736),
    ("falcon_h1", {"mamba_d_conv": 3}, 65_088, 0, 0, 65_088),
    ("falcon_h1", {"mamba_conv_bias": False}, 65_088, 0, 0, 65_088),
    ("falcon_h1", {"mamba_proj_bias": True}, 65_616, 0, 0, 65_616),
    ("falcon_h1", {"attention_bias": True}, 65_856, 0, 0, 65_856),
    ("falcon_h1", {"mlp_bias": True}, 65_632, 0, 0, 65_632),
    ("falcon_h1", {"tie_word_embeddings": True}, 63_360, 1_920, 0, 63_360),
    ("falcon_h1", {"num_key_value_heads": None}, 74_496, 0, 0, 74_496),
    ("falcon_h1", {"projectors_bias": True}, 65_472, 0, 0, 65_472),
    ("falcon_h1", {"mamba_rms_norm": True}, 65_376, 0, 0, 65_376),
    ("falcon_h1", {"mamba_d_ssm": None}, 108_192, 0, 0, 108_192),
    ("falcon_h1", {"architectures": ["FalconH1Model"]}, 63_360, 0, 0, 63_360),
    ("bamba", {}, 62_184, 0, 0, 62_184),
    ("bamba", {"mamba_n_groups": 1}, 60_912, 0, 0, 60_912),
    ("bamba", {"mamba_d_conv": 3}, 61_944, 0, 0, 61_944),
    ("bamba", {"mamba_expand": 3}, 76_584, 0, 0, 76_584),
    ("bamba", {"mamba_conv_bias": False}, 61_944, 0, 0, 61_944),
    ("bamba", {"mamba_proj_bias": True}, 62_736, 0, 0, 62_736),
    ("bamba", {"attention_bias": True}, 62_472, 0, 0, 62_472),
    ("bamba", {"mlp_bias": True}, 62_536, 0, 0, 62_536),
    ("bamba", {"tie_word_embeddings": True}, 60_264, 1_920, 0, 60_264),
    ("bamba", {"num_key_value_heads": None}, 66_792, 0, 0, 66_792),
    ("bamba", {"head_dim": 7}, 56_424, 0, 0, 56_424),
    ("bamba", {"attn_layer_indices": None}, 80_928, 0, 0, 80_928),
    ("bamba", {"attn_layer_indices": []}, 80_928, 0, 0, 80_928),
    ("bamba", {"attn_layer_indices": [0]}, 71_556, 0, 0, 71_556),
    ("bamba", {"architectures": ["BambaModel"]}, 60_264, 0, 0, 60_264),
    ("granitemoehybrid", {}, 104_424, 0, 0, 81_384),
    ("granitemoehybrid", {"mamba_n_groups": 1}, 103_152, 0, 0, 80_112),
    ("granitemoehybrid", {"mamba_d_conv": 3}, 104_184, 0, 0, 81_144),
    ("granitemoehybrid", {"mamba_expand": 3}, 118_824, 0, 0, 95_784),
    ("granitemoehybrid", {"mamba_conv_bias": False}, 104_184, 0, 0, 81_144),
    ("granitemoehybrid", {"mamba_proj_bias": True}, 104_976, 0, 0, 81_936),
    ("granitemoehybrid", {"attention_bias": True}, 104_712, 0, 0, 81_672),
    ("granitemoehybrid", {"tie_word_embeddings": True}, 102_504, 1_920, 0, 79_464),
    ("granitemoehybrid", {"num_key_value_heads": None}, 109_032, 0, 0, 85_992),
    ("granitemoehybrid", {"num_local_experts": 0}, 57_576, 0, 0, 57_576),
    ("granitemoehybrid", {"layer_types": None}, 123_168, 0, 0, 100_128),
    ("granitemoehybrid", {"architectures": ["GraniteMoeHybridModel"]}, 102_504, 0, 0, 79_464),
    ("jamba", {}, 90_813, 0, 0, 79_293),
    ("jamba", {"mamba_d_conv": 3}, 90_525, 0, 0, 79_005),
    ("jamba", {"mamba_expand": 3}, 116_013, 0, 0, 104_493),
    ("jamba", {"mamba_conv_bias": False}, 90_525, 0, 0, 79_005),
    ("jamba", {"mamba_proj_bias": True}, 91_533, 0, 0, 80_013),
    ("jamba", {"tie_word_embeddings": True}, 88_893, 1_920, 0, 77_373),
    ("jamba", {"head_dim": 7}, 87_933, 0, 0, 76_413),
    ("jamba", {"num_experts": 1}, 73_149, 0, 0, 73_149),
    ("jamba", {"attn_layer_offset": 0}, 80_910, 0, 0, 69_390),
    ("jamba", {"expert_layer_period": 3}, 81_981, 0, 0, 76_221),
    ("jamba", {"mamba_dt_rank": 5}, 91_971, 0, 0, 80_451),
    ("jamba", {"architectures": ["JambaModel"]}, 88_893, 0, 0, 77_373),
    ("jamba", {"architectures": ["JambaForSequenceClassification"]}, 88_989, 0, 0, 77_469),
    ("jamba", {"expert_layer_period": 1, "expert_layer_offset": 0}, 108_477, 0, 0, 85_437),
    ("zamba", {}, 178_944, 72_480, 0, 178_944),
    ("zamba", {"mamba_d_conv": 3}, 178_176, 72_480, 0, 178_176),
    ("zamba", {"mamba_expand": 3}, 246_144, 72_480, 0, 246_144),
    ("zamba", {"mamba_conv_bias": False}, 178_176, 72_480, 0, 178_176),
    ("zamba", {"mamba_proj_bias": True}, 180_864, 72_480, 0, 180_864),
    ("zamba", {"tie_word_embeddings": False}, 251_424, 0, 0, 251_424),
    ("zamba", {"attention_head_dim": 10}, 160_128, 34_848, 0, 160_128),
    ("zamba", {"attention_hidden_size": 50}, 165_650, 45_892, 0, 165_650),
    ("zamba", {"mamba_dt_rank": 7}, 185_088, 72_480, 0, 185_088),
    ("zamba", {"num_key_value_heads": 2}, 169_728, 54_048, 0, 169_728),
    (
        "zamba",
        {
            "layers_block_type": [
                "mamba",
                "hybrid",
                "mamba",
                "mamba",
                "hybrid",
                "linear_attention",
                "mamba",
                "mamba",
            ]
        },
        176_640,
        37_200,
        0,
        176_640,
    ),
    (
        "zamba",
        {"layers_block_type": ["mamba", "mamba", "mamba", "mamba", "mamba", "mamba", "mamba", "mamba"]},
        136_752,
        1_920,
        0,
        136_752,
    ),
    ("zamba", {"architectures": ["ZambaModel"]}, 178_944, 70_560, 0, 178_944),
    ("zamba", {"architectures": ["ZambaForSequenceClassification"]}, 179_040, 70_560, 0, 179_040),
    ("zamba", {"num_hidden_layers": 12}, 250_944, 143_040, 0, 250_944),
    ("zamba2", {}, 326_544, 453_792, 0, 326_544),
    ("zamba2", {"mamba_d_conv": 3}, 325_896, 453_792, 0, 325_896),
    ("zamba2", {"mamba_expand": 3}, 369_744, 453_792, 0, 369_744),
    ("zamba2", {"mamba_ngroups": 2}, 330_360, 453_792, 0, 330_360),
    ("zamba2", {"add_bias_linear": True}, 328_512, 454_656, 0, 328_512),
    ("zamba2", {"n_mamba_heads": 8}, 327_768, 453_792, 0, 327_768),
    ("zamba2", {"n_mamba_heads": 1}, 325_626, 453_792, 0, 325_626),
    ("zamba2", {"tie_word_embeddings": False}, 780_336, 0, 0, 780_336),
    ("zamba2", {"attention_head_dim": 10}, 307_728, 416_160, 0, 307_728),
    ("zamba2", {"attention_hidden_size": 50}, 313_250, 427_204, 0, 313_250),
    ("zamba2", {"num_key_value_heads": 2}, 317_328, 435_360, 0, 317_328),
    ("zamba2", {"num_mem_blocks": 2}, 386_592, 172_560, 0, 386_592),
    ("zamba2", {"num_mem_blocks": 3}, 446_640, 1_920, 0, 446_640),
    ("zamba2", {"num_mem_blocks": 5}, 446_640, 1_920, 0, 446_640),
    ("zamba2", {"use_shared_attention_adapter": True}, 547_728, 896_160, 0, 547_728),
    ("zamba2", {"adapter_rank": 5}, 167_136, 134_976, 0, 167_136),
    ("zamba2", {"intermediate_size": 30}, 178_800, 158_304, 0, 178_800),
    ("zamba2", {"architectures": ["Zamba2Model"]}, 326_544, 451_872, 0, 326_544),
    ("zamba2", {"architectures": ["Zamba2ForSequenceClassification"]}, 326_640, 451_872, 0, 326_640),
    (
        "zamba2",
        {"num_mem_blocks": 2, "use_shared_attention_adapter": True, "adapter_rank": 3},
        229_776,
        68_016,
        0,
        229_776,
    ),
    (
        "zamba2",
        {"layers_block_type": ["mamba", "mamba", "mamba", "mamba", "mamba", "mamba"]},
        93_696,
        1_920,
        0,
        93_696,
    ),
    ("nemotron_h", {}, 48_096, 0, 6, 42_720),
    ("nemotron_h", {"n_groups": 1}, 46_824, 0, 6, 41_448),
    ("nemotron_h", {"conv_kernel": 3}, 47_888, 0, 6, 42_512),
    ("nemotron_h", {"use_bias": True}, 48_576, 0, 6, 43_200),
    ("nemotron_h", {"use_conv_bias": False}, 47_888, 0, 6, 42_512),
    ("nemotron_h", {"mlp_bias": True}, 48_230, 0, 6, 42_854),
    ("nemotron_h", {"head_dim": 10}, 49_248, 0, 6, 43_872),
    ("nemotron_h", {"moe_latent_size": 11}, 42_936, 0, 6, 41_704),
    ("nemotron_h", {"hybrid_override_pattern": "MMMMM"}, 72_528, 0, 0, 72_528),
    ("nemotron_h", {"hybrid_override_pattern": "----E"}, 21_888, 0, 6, 16_512),
    ("nemotron_h", {"hybrid_override_pattern": "*****"}, 27_168, 0, 0, 27_168),
    ("nemotron_h", {"num_key_value_heads": 4}, 49_632, 0, 6, 44_256),
    ("nemotron_h", {"architectures": ["NemotronHModel"]}, 46_176, 0, 6, 40_800),
    ("nemotron_h", {"mamba_d_conv": 3}, 47_888, 0, 6, 42_512),
    ("nemotron_h", {"n_groups": 4}, 50_640, 0, 6, 45_264),
    (
        "nemotron_h",
        {"num_hidden_layers": 4, "layers_block_type": ["linear_attention", "moe", "full_attention", "mlp"]},
        34_368,
        0,
        6,
        28_992,
    ),
    ("nemotron_h", {"moe_latent_size": 11, "mlp_bias": True}, 43_129, 0, 6, 41_897),
    ("recurrent_gemma", {}, 51_316, 1_920, 0, 51_316),
    ("recurrent_gemma", {"head_dim": 10}, 50_164, 1_920, 0, 50_164),
    ("recurrent_gemma", {"lru_width": 40}, 44_980, 1_920, 0, 44_980),
    ("recurrent_gemma", {"attention_bias": True}, 51_412, 1_920, 0, 51_412),
    ("recurrent_gemma", {"conv1d_width": 3}, 51_124, 1_920, 0, 51_124),
    ("recurrent_gemma", {"block_types": ["attention", "recurrent"]}, 48_052, 1_920, 0, 48_052),
    ("recurrent_gemma", {"block_types": ["recurrent"]}, 52_948, 1_920, 0, 52_948),
    ("recurrent_gemma", {"tie_word_embeddings": False}, 53_236, 0, 0, 53_236),
    ("recurrent_gemma", {"num_key_value_heads": None}, 53_620, 1_920, 0, 53_620),
    ("recurrent_gemma", {"architectures": ["RecurrentGemmaModel"]}, 51_316, 0, 0, 51_316),
    ("rwkv", {}, 95_472, 0, 0, 95_472),
    ("rwkv", {"attention_hidden_size": 40}, 90_816, 0, 0, 90_816),
    ("rwkv", {"intermediate_size": 77}, 62_352, 0, 0, 62_352),
    ("rwkv", {"tie_word_embeddings": True}, 93_552, 1_920, 0, 93_552),
    ("rwkv", {"architectures": ["RwkvModel"]}, 93_552, 0, 0, 93_552),
    ("xlstm", {}, 439_184, 0, 0, 439_184),
    ("xlstm", {"use_bias": True}, 442_768, 0, 0, 442_768),
    ("xlstm", {"qk_dim_factor": 0.25}, 422_800, 0, 0, 422_800),
    ("xlstm", {"qk_dim_factor": 0.3}, 425_872, 0, 0, 425_872),
    ("xlstm", {"v_dim_factor": 0.5}, 389_904, 0, 0, 389_904),
    ("xlstm", {"v_dim_factor": 2.0}, 537_744, 0, 0, 537_744),
    ("xlstm", {"ffn_proj_factor": 2.0}, 340_880, 0, 0, 340_880),
    ("xlstm", {"ffn_proj_factor": 1.3}, 291_728, 0, 0, 291_728),
    ("xlstm", {"ffn_proj_factor": 3.3}, 488_336, 0, 0, 488_336),
    ("xlstm", {"ffn_round_up_to_multiple_of": 1}, 406_160, 0, 0, 406_160),
    ("xlstm", {"ffn_round_up_to_multiple_of": 7}, 407_696, 0, 0, 407_696),
    ("xlstm", {"architectures": ["xLSTMModel"]}, 434_064, 0, 0, 434_064),
    ("xlstm", {"hidden_size": 100}, 282_316, 0, 0, 282_316),
    ("xlstm", {"use_bias": True, "weight_mode": "fused"}, 442_768, 0, 0, 442_768),
    ("lfm2", {}, 102_000, 1_920, 0, 102_000),
    ("lfm2", {"full_attn_idxs": None}, 94_728, 1_920, 0, 94_728),
    ("lfm2", {"full_attn_idxs": [0]}, 104_424, 1_920, 0, 104_424),
    ("lfm2", {"layer_types": ["conv", "conv", "full_attention", "conv", "conv"]}, 104_424, 1_920, 0, 104_424),
    ("lfm2", {"block_ff_dim": 90}, 90_480, 1_920, 0, 90_480),
    ("lfm2", {"block_auto_adjust_ff_dim": False}, 116_400, 1_920, 0, 116_400),
    ("lfm2", {"block_ffn_dim_multiplier": 1.3}, 113_520, 1_920, 0, 113_520),
    ("lfm2", {"block_ffn_dim_multiplier": 2}, 148_080, 1_920, 0, 148_080),
    ("lfm2", {"block_ffn_dim_multiplier": 0.29}, 67_440, 1_920, 0, 67_440),
    ("lfm2", {"block_multiple_of": 7}, 94_800, 1_920, 0, 94_800),
    ("lfm2", {"conv_bias": True}, 102_720, 1_920, 0, 102_720),
    ("lfm2", {"conv_L_cache": 5}, 102_288, 1_920, 0, 102_288),
    ("lfm2", {"tie_embedding": False}, 103_920, 0, 0, 103_920),
    ("lfm2", {"tie_word_embeddings": False}, 103_920, 0, 0, 103_920),
    ("lfm2", {"head_dim": 10}, 99_688, 1_920, 0, 99_688),
    ("lfm2", {"num_key_value_heads": 4}, 106_608, 1_920, 0, 106_608),
    ("lfm2", {"architectures": ["Lfm2Model"]}, 102_000, 0, 0, 102_000),
    ("lfm2_moe", {}, 116_160, 1_920, 12, 81_600),
    ("lfm2_moe", {"num_dense_layers": 0}, 139_776, 1_920, 24, 70_656),
    ("lfm2_moe", {"num_dense_layers": 1}, 127_968, 1_920, 18, 76_128),
    ("lfm2_moe", {"num_dense_layers": 4}, 92_544, 1_920, 0, 92_544),
    ("lfm2_moe", {"num_dense_layers": 9}, 92_544, 1_920, 0, 92_544),
    ("lfm2_moe", {"use_expert_bias": False}, 116_160, 1_920, 0, 81_600),
    ("lfm2_moe", {"conv_bias": True}, 116_640, 1_920, 12, 82_080),
    ("lfm2_moe", {"tie_embedding": False}, 118_080, 0, 12, 83_520),
    ("lfm2_moe", {"num_experts": 3}, 89_952, 1_920, 6, 81_312),
    ("lfm2_moe", {"architectures": ["Lfm2MoeModel"]}, 116_160, 0, 12, 81_600),
    ("lfm3", {}, 229_088, 1_920, 0, 229_088),
    ("lfm3", {"attention_bias": True}, 229_600, 1_920, 0, 229_600),
    ("lfm3", {"use_attention_gate": False}, 228_320, 1_920, 0, 228_320),
    ("lfm3", {"use_sandwich_norm": False}, 228_128, 1_920, 0, 228_128),
    ("lfm3", {"conv_bias": True}, 230_528, 1_920, 0, 230_528),
    ("lfm3", {"conv_L_cache": 3}, 227_936, 1_920, 0, 227_936),
    ("lfm3", {"tie_word_embeddings": False}, 231_008, 0, 0, 231_008),
    (
        "lfm3",
        {"layer_types": ["conv", "conv", "conv", "conv", "conv", "conv", "conv", "conv", "conv", "conv"]},
        243_408,
        1_920,
        0,
        243_408,
    ),
    ("lfm3", {"architectures": ["Lfm3Model"]}, 229_088, 0, 0, 229_088),
    ("lfm3", {"num_hidden_layers": 1}, 26_112, 1_920, 0, 26_112),
    ("lfm3", {"num_hidden_layers": 3}, 70_820, 1_920, 0, 70_820),
    ("minimax", {}, 111_120, 0, 648, 76_560),
    (
        "minimax",
        {"layer_types": ["linear_attention", "linear_attention", "linear_attention", "linear_attention"]},
        120_432,
        0,
        1_296,
        85_872,
    ),
    (
        "minimax",
        {"layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"]},
        101_808,
        0,
        0,
        67_248,
    ),
    (
        "minimax",
        {"layer_types": ["linear_attention", "linear_attention", "full_attention", "linear_attention"]},
        115_776,
        0,
        972,
        81_216,
    ),
    ("minimax", {"head_dim": 10}, 104_960, 0, 648, 70_400),
    ("minimax", {"block_size": 3}, 111_120, 0, 128, 76_560),
    ("minimax", {"tie_word_embeddings": True}, 109_200, 1_920, 648, 74_640),
    ("minimax", {"architectures": ["MiniMaxModel"]}, 109_200, 0, 648, 74_640),
    ("minimax", {"architectures": ["MiniMaxForSequenceClassification"]}, 109_296, 0, 648, 74_736),
    ("minimax", {"architectures": ["MiniMaxForTokenClassification"]}, 109_298, 0, 648, 74_738),
    ("minimax", {"architectures": ["MiniMaxForQuestionAnswering"]}, 109_298, 0, 648, 74_738),
    ("minimax", {"num_hidden_layers": 3}, 81_984, 0, 324, 56_064),
    ("kimi_linear", {}, 91_929, 0, 24, 59_673),
    ("kimi_linear", {"linear_attn_config": {"head_dim": 6, "num_heads": 3}}, 90_696, 0, 24, 58_440),
    (
        "kimi_linear",
        {"linear_attn_config": {"full_attn_layers": [1, 2, 3, 4, 5], "kda_layers": []}},
        95_628,
        0,
        24,
        63_372,
    ),
    ("kimi_linear", {"q_lora_rank": 16}, 90_425, 0, 24, 58_169),
    ("kimi_linear", {"attention_bias": True}, 92_057, 0, 24, 59_801),
    ("kimi_linear", {"first_k_dense_replace": 0}, 102_009, 0, 30, 61_689),
    ("kimi_linear", {"first_k_dense_replace": 3}, 71_769, 0, 12, 55_641),
    ("kimi_linear", {"first_k_dense_replace": 9}, 51_609, 0, 0, 51_609),
    ("kimi_linear", {"num_shared_experts": 2}, 99_993, 0, 24, 67_737),
    (
        "kimi_linear",
        {
            "layer_types": [
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
            ]
        },
        95_628,
        0,
        24,
        63_372,
    ),
    (
        "kimi_linear",
        {"mlp_layer_types": ["sparse", "dense", "sparse", "dense", "dense"]},
        71_769,
        0,
        12,
        55_641,
    ),
    ("kimi_linear", {"num_experts": 8}, 108_441, 0, 32, 60_057),
    ("kimi_linear", {"architectures": ["KimiLinearModel"]}, 90_009, 0, 24, 57_753),
    ("olmo_hybrid", {}, 94_520, 0, 0, 94_520),
    ("olmo_hybrid", {"num_hidden_layers": 2}, 36_842, 0, 0, 36_842),
    ("olmo_hybrid", {"num_hidden_layers": 3}, 56_068, 0, 0, 56_068),
    ("olmo_hybrid", {"num_hidden_layers": 8}, 146_700, 0, 0, 146_700),
    ("olmo_hybrid", {"num_key_value_heads": 2}, 92_192, 0, 0, 92_192),
    ("olmo_hybrid", {"attention_bias": True}, 94_712, 0, 0, 94_712),
    ("olmo_hybrid", {"tie_word_embeddings": True}, 92_600, 1_920, 0, 92_600),
    ("olmo_hybrid", {"linear_num_key_heads": 2}, 137_216, 0, 0, 137_216),
    ("olmo_hybrid", {"linear_num_value_heads": 8}, 138_712, 0, 0, 138_712),
    ("olmo_hybrid", {"linear_key_head_dim": 5}, 68_888, 0, 0, 68_888),
    ("olmo_hybrid", {"linear_value_head_dim": 7}, 68_428, 0, 0, 68_428),
    ("olmo_hybrid", {"linear_conv_kernel_dim": 3}, 93_944, 0, 0, 93_944),
    ("olmo_hybrid", {"head_dim": 10}, 92_968, 0, 0, 92_968),
    (
        "olmo_hybrid",
        {
            "layer_types": [
                "full_attention",
                "linear_attention",
                "full_attention",
                "linear_attention",
                "linear_attention",
            ]
        },
        89_022,
        0,
        0,
        89_022,
    ),
    ("olmo_hybrid", {"architectures": ["OlmoHybridModel"]}, 92_600, 0, 0, 92_600),
    ("olmo_hybrid", {"hidden_size": 52}, 103_028, 0, 0, 103_028),
    ("zaya", {}, 47_916, 1_920, 18, 23_724),
    ("zaya", {"attention_bias": True}, 48_204, 1_920, 18, 24_012),
    ("zaya", {"lm_head_bias": True}, 47_956, 1_920, 18, 23_764),
    ("zaya", {"tie_word_embeddings": False}, 49_836, 0, 18, 25_644),
    ("zaya", {"cca_time0": 3}, 48_024, 1_920, 18, 23_832),
    ("zaya", {"cca_time1": 4}, 49_212, 1_920, 18, 25_020),
    ("zaya", {"num_hidden_layers": 1}, 17_342, 1_920, 6, 9_278),
    ("zaya", {"architectures": ["ZayaModel"]}, 47_916, 0, 18, 23_724),
    ("zaya", {"num_key_value_heads": 4}, 51_954, 1_920, 18, 27_762),
    ("zaya", {"num_key_value_heads": 1}, 45_897, 1_920, 18, 21_705),
    ("qwen3_5_text", {}, 55_292, 0, 0, 55_292),
    ("qwen3_5_text", {"attention_bias": True}, 55_436, 0, 0, 55_436),
    ("qwen3_5_text", {"tie_word_embeddings": True}, 53_372, 1_920, 0, 53_372),
    (
        "qwen3_5_text",
        {
            "layer_types": [
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
            ]
        },
        56_768,
        0,
        0,
        56_768,
    ),
    ("qwen3_5_text", {"full_attention_interval": 2}, 55_661, 0, 0, 55_661),
    ("qwen3_5_text", {"linear_conv_kernel_dim": 3}, 55_084, 0, 0, 55_084),
    ("qwen3_5_text", {"head_dim": 10}, 56_832, 0, 0, 56_832),
    ("qwen3_5_text", {"architectures": ["Qwen3_5ForTokenClassification"]}, 53_470, 0, 0, 53_470),
    ("qwen3_5_text", {"architectures": ["Qwen3_5TextForSequenceClassification"]}, 53_468, 0, 0, 53_468),
    ("qwen3_5", {}, 68_068, 0, 0, 55_292),
    ("qwen3_5", {"tie_word_embeddings": True}, 66_148, 1_920, 0, 53_372),
    ("bailing_hybrid", {}, 104_356, 0, 24, 68_068),
    ("bailing_hybrid", {"q_lora_rank": 16}, 103_604, 0, 24, 67_316),
    ("bailing_hybrid", {"attention_bias": True}, 104_420, 0, 24, 68_132),
    ("bailing_hybrid", {"first_k_dense_replace": 0}, 132_772, 0, 40, 72_292),
    ("bailing_hybrid", {"first_k_dense_replace": 3}, 90_148, 0, 16, 65_956),
    ("bailing_hybrid", {"first_k_dense_replace": 9}, 61_732, 0, 0, 61_732),
    ("bailing_hybrid", {"num_shared_experts": 2}, 110_404, 0, 24, 74_116),
    (
        "bailing_hybrid",
        {
            "layer_types": [
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
            ]
        },
        98_892,
        0,
        24,
        62_604,
    ),
    (
        "bailing_hybrid",
        {"mlp_layer_types": ["sparse", "dense", "sparse", "dense", "dense"]},
        90_148,
        0,
        16,
        65_956,
    ),
    ("bailing_hybrid", {"linear_head_dim": 7}, 109_176, 0, 24, 72_888),
    ("bailing_hybrid", {"linear_num_heads": 3}, 96_936, 0, 24, 60_648),
    ("bailing_hybrid", {"linear_conv_kernel_dim": 2}, 103_780, 0, 24, 67_492),
    ("bailing_hybrid", {"short_conv_kernel_size": 3}, 104_068, 0, 24, 67_780),
    ("bailing_hybrid", {"architectures": ["BailingHybridModel"]}, 102_436, 0, 24, 66_148),
    ("lara_mini", {}, 103_485, 1_920, 0, 67_197),
    ("lara_mini", {"attention_bias": True}, 103_821, 1_920, 0, 67_533),
    ("lara_mini", {"tie_word_embeddings": False}, 105_405, 0, 0, 69_117),
    (
        "lara_mini",
        {
            "layer_types": [
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
                "full_attention",
            ]
        },
        99_984,
        1_920,
        0,
        63_696,
    ),
    ("lara_mini", {"linear_conv_kernel_dim": 3}, 103_329, 1_920, 0, 67_041),
    ("lara_mini", {"architectures": ["LaraMiniModel"]}, 103_485, 0, 0, 67_197),
]


def config(model_type: str, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"model_type": model_type, **SMALL[model_type], **(changes or {})}


def measured(b: pw.Breakdown) -> tuple[int, int, int, int]:
    body = b.total("stored", off={"mtp"})
    params = b.total("stored", off={"mtp", "buffer"})
    active = b.total("active", off={"buffer"})
    return params, b.total("architectural", off={"mtp"}) - body, body - params, active


@pytest.mark.parametrize(("model_type", "changes", "params", "tied", "buffers", "active"), BUILT)
def test_a_small_config_counts_what_transformers_builds_of_it(
    model_type: str, changes: dict[str, Any], params: int, tied: int, buffers: int, active: int
) -> None:
    assert measured(pw.count(config(model_type, changes))) == (params, tied, buffers, active)


@pytest.mark.parametrize("model_type", SMALL)
def test_every_tensor_of_a_file_is_named_once(model_type: str) -> None:
    tensors = pw.count(config(model_type)).tensors
    names = [t.name.replace("{layer}", str(i)) for t in tensors for i in (t.layers or [0])]
    assert len(set(names)) == len(names)
    assert len({(t.role, t.name) for t in tensors}) == len(tensors)


@pytest.mark.parametrize("model_type", SMALL)
def test_every_layer_is_described_once_and_in_order(model_type: str) -> None:
    layers = pw.count(config(model_type)).layers
    given = config(model_type).get("text_config", config(model_type))
    assert [layer.index for layer in layers] == list(range(given["num_hidden_layers"]))
    assert {layer.mixer for layer in layers} <= set(MIXERS)
    assert {layer.ffn for layer in layers} <= set(FFNS)


@pytest.mark.parametrize("model_type", SMALL)
def test_a_tie_names_a_tensor_that_is_there(model_type: str) -> None:
    tensors = pw.count(config(model_type)).tensors
    shapes = {t.name: t.shape for t in tensors}
    assert all(shapes[t.tied_to] == t.shape for t in tensors if t.tied_to)


@pytest.mark.parametrize(
    "model_type", [*SMALL, "gla", "kimi_k3", "minimax_m1", "nemotron-nas", "plamo2", "rwkv5"]
)
def test_an_architecture_says_what_it_was_read_from_and_checked_against(model_type: str) -> None:
    doc = TABLE[model_type].load().__doc__ or ""
    assert "Source: " in doc
    assert "Checked: " in doc


# ------------------------------------------------------------------ what published files hold

NEMOTRON: dict[str, Any] = {
    "model_type": "nemotron_h",
    "architectures": ["NemotronHForCausalLM"],
    "vocab_size": 131072,
    "head_dim": 128,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "ssm_state_size": 128,
    "mamba_head_dim": 64,
    "n_groups": 8,
}
NANO_30B = {
    **NEMOTRON,
    "hidden_size": 2688,
    "intermediate_size": 1856,
    "mamba_num_heads": 64,
    "num_key_value_heads": 2,
    "num_hidden_layers": 52,
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
    "n_routed_experts": 128,
    "num_experts_per_tok": 6,
    "moe_intermediate_size": 1856,
    "moe_shared_expert_intermediate_size": 3712,
}
SUPER_120B = {
    **NEMOTRON,
    "hidden_size": 4096,
    "intermediate_size": 2688,
    "mamba_num_heads": 128,
    "num_key_value_heads": 2,
    "num_hidden_layers": 88,
    "hybrid_override_pattern": "MEMEMEM*" + "EMEMEMEM*" * 2 + "EMEMEMEMEM*" * 4 + "EMEMEMEM*EMEMEMEME",
    "n_routed_experts": 512,
    "num_experts_per_tok": 22,
    "moe_intermediate_size": 2688,
    "moe_latent_size": 1024,
    "moe_shared_expert_intermediate_size": 5376,
    "num_nextn_predict_layers": 1,
    "mtp_hybrid_override_pattern": "*E",
}
LFM2 = {
    "model_type": "lfm2",
    "vocab_size": 65536,
    "num_hidden_layers": 16,
    "num_key_value_heads": 8,
    "full_attn_idxs": [2, 5, 8, 10, 12, 14],
}
QWEN3_5 = {
    "model_type": "qwen3_5_text",
    "vocab_size": 248320,
    "num_hidden_layers": 32,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "mtp_num_hidden_layers": 1,
}
TOWER = {"patch_size": 16, "num_position_embeddings": 2304, "num_heads": 16}

#: a config, what is left out, and the total that the Hub shows for the repository
PUBLISHED: dict[str, tuple[dict[str, Any], set[str], int]] = {
    "state-spaces/mamba-130m-hf": (
        {"model_type": "mamba", "vocab_size": 50280, "hidden_size": 768, "num_hidden_layers": 24},
        set(),
        129_135_360,
    ),
    "tiiuae/falcon-mamba-7b-instruct": (
        {
            "model_type": "falcon_mamba",
            "vocab_size": 65024,
            "hidden_size": 4096,
            "num_hidden_layers": 64,
            "intermediate_size": 8192,
            "expand": 16,
            "tie_word_embeddings": False,
        },
        set(),
        7_272_665_088,
    ),
    "ibm-granite/granite-4.0-h-micro": (
        {
            "model_type": "granitemoehybrid",
            "vocab_size": 100352,
            "hidden_size": 2048,
            "intermediate_size": 8192,
            "shared_intermediate_size": 8192,
            "num_hidden_layers": 40,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_local_experts": 0,
            "mamba_d_state": 128,
            "mamba_n_heads": 64,
            "tie_word_embeddings": True,
            "layer_types": ["attention" if i in (5, 15, 25, 35) else "mamba" for i in range(40)],
        },
        set(),
        3_191_396_096,
    ),
    "nvidia/Nemotron-H-8B-Base-8K": (
        {
            **NEMOTRON,
            "hidden_size": 4096,
            "intermediate_size": 21504,
            "mamba_num_heads": 128,
            "hybrid_override_pattern": "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-",
        },
        set(),
        8_100_852_736,
    ),
    "nvidia/NVIDIA-Nemotron-Nano-9B-v2-Base": (
        {
            **NEMOTRON,
            "hidden_size": 4480,
            "intermediate_size": 15680,
            "mamba_num_heads": 128,
            "mamba_head_dim": 80,
            "num_attention_heads": 40,
            "hybrid_override_pattern": "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-",
        },
        set(),
        8_888_227_328,
    ),
    # the Hub's totals of both leave out the routers' correction biases
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": (NANO_30B, {"buffer"}, 31_577_937_344),
    "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8": (SUPER_120B, {"buffer"}, 123_611_012_096),
    "Zyphra/Zamba2-1.2B-instruct": (
        {
            "model_type": "zamba2",
            "vocab_size": 32000,
            "hidden_size": 2048,
            "intermediate_size": 8192,
            "num_hidden_layers": 38,
            "num_attention_heads": 32,
            "mamba_d_state": 128,
            "n_mamba_heads": 64,
            "use_shared_attention_adapter": True,
            "layers_block_type": ["hybrid" if i in (5, 11, 17, 23, 29, 35) else "mamba" for i in range(38)],
        },
        set(),
        1_215_064_704,
    ),
    "LiquidAI/LFM2-350M": (
        {**LFM2, "hidden_size": 1024, "block_ff_dim": 6656, "num_attention_heads": 16},
        set(),
        354_483_968,
    ),
    "LiquidAI/LFM2-700M": (
        {**LFM2, "hidden_size": 1536, "block_ff_dim": 10240, "num_attention_heads": 24},
        set(),
        742_489_344,
    ),
    "LiquidAI/LFM2-1.2B": (
        {**LFM2, "hidden_size": 2048, "block_ff_dim": 12288, "num_attention_heads": 32},
        set(),
        1_170_340_608,
    ),
    "Qwen/Qwen3.5-4B": (
        {
            "model_type": "qwen3_5",
            "text_config": {**QWEN3_5, "hidden_size": 2560, "intermediate_size": 9216},
            "vision_config": {
                **TOWER,
                "depth": 24,
                "hidden_size": 1024,
                "intermediate_size": 4096,
                "out_hidden_size": 2560,
            },
            "tie_word_embeddings": True,
        },
        set(),
        4_659_865_088,
    ),
    "Qwen/Qwen3.5-9B": (
        {
            "model_type": "qwen3_5",
            "text_config": {**QWEN3_5, "hidden_size": 4096, "intermediate_size": 12288},
            "vision_config": {
                **TOWER,
                "depth": 27,
                "hidden_size": 1152,
                "intermediate_size": 4304,
                "out_hidden_size": 4096,
            },
            "tie_word_embeddings": False,
        },
        set(),
        9_653_104_368,
    ),
    "moonshotai/Kimi-Linear-48B-A3B-Instruct": (
        {
            "model_type": "kimi_linear",
            "vocab_size": 163840,
            "hidden_size": 2304,
            "intermediate_size": 9216,
            "moe_intermediate_size": 1024,
            "num_hidden_layers": 27,
            "num_attention_heads": 32,
            "num_experts": 256,
            "num_experts_per_token": 8,
            "num_shared_experts": 1,
            "kv_lora_rank": 512,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "linear_attn_config": {
                "full_attn_layers": [4, 8, 12, 16, 20, 24, 27],
                "kda_layers": [i for i in range(1, 27) if i % 4],
                "num_heads": 32,
                "head_dim": 128,
                "short_conv_kernel_size": 4,
            },
        },
        set(),
        49_122_681_728,
    ),
}


@pytest.mark.parametrize("repo", PUBLISHED)
def test_a_published_config_counts_what_its_files_hold(repo: str) -> None:
    given, off, total = PUBLISHED[repo]
    assert pw.count(given).total("stored", off=off) == total


KIMI_K3: dict[str, Any] = {
    "model_type": "kimi_k3",
    "architectures": ["KimiK3ForConditionalGeneration"],
    "text_config": {
        "model_type": "kimi_linear",
        "vocab_size": 163840,
        "hidden_size": 7168,
        "intermediate_size": 33792,
        "moe_intermediate_size": 3072,
        "routed_expert_hidden_size": 3584,
        "latent_moe_use_norm": True,
        "num_hidden_layers": 93,
        "num_attention_heads": 96,
        "num_experts": 896,
        "num_experts_per_token": 16,
        "num_shared_experts": 2,
        "first_k_dense_replace": 1,
        "attn_res_block_size": 12,
        "q_lora_rank": 1536,
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "mla_use_output_gate": True,
        "linear_attn_config": {
            "full_attn_layers": [*range(4, 93, 4), 93],
            "kda_layers": [i for i in range(1, 93) if i % 4],
            "num_heads": 96,
            "head_dim": 128,
            "short_conv_kernel_size": 4,
            "use_full_rank_gate": True,
        },
    },
    "vision_config": {
        "vt_hidden_size": 1024,
        "vt_intermediate_size": 4096,
        "vt_num_hidden_layers": 27,
        "vt_num_attention_heads": 12,
        "qkv_hidden_size": 1536,
        "patch_size": 14,
        "init_pos_emb_height": 64,
        "init_pos_emb_width": 64,
        "merge_kernel_size": [2, 2],
        "mm_hidden_size": 1024,
        "text_hidden_size": 7168,
    },
}


def test_kimi_k3_is_its_hub_total_in_every_dtype() -> None:
    b = pw.count(KIMI_K3)
    assert b.stored == 2_779_931_837_184
    # its files hold the routed experts in 4 bits, decays, convolutions and balancing biases in 32, the rest in 16
    assert b.by_role()["routed_expert"] == 2_722_740_830_208
    wide = ("A_log", "dt_bias", "conv1d.weight", "o_norm.weight", "e_score_correction_bias")
    assert sum(t.stored for t in b.tensors if t.name.endswith(wide)) == 11_122_432
    assert [s.mixer for s in b.layers].count("mla") == 24


def test_minimax_m1_is_what_its_index_weighs_with_the_routers_in_32_bits() -> None:
    b = pw.count(
        {
            "model_type": "minimax_m1",
            "architectures": ["MiniMaxM1ForCausalLM"],
            "vocab_size": 200064,
            "hidden_size": 6144,
            "intermediate_size": 9216,
            "num_hidden_layers": 80,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "num_local_experts": 32,
            "num_experts_per_tok": 2,
            "attn_type_list": [0, 0, 0, 0, 0, 0, 0, 1] * 10,
        }
    )
    assert b.stored == 456_089_655_296
    assert 2 * b.stored + 2 * b.by_role()["router"] == 912_210_767_872


def test_the_prediction_layers_of_nemotron_are_numbered_through_and_hold_a_router_of_their_own() -> None:
    b = pw.count(SUPER_120B)
    mtp = {t.name: t for t in b.tensors if t.role == "mtp"}
    assert mtp["mtp.layers.{layer}.eh_proj.weight"].layers == range(1)
    assert mtp["mtp.layers.{layer}.mixer.q_proj.weight"].layers == range(1)
    assert mtp["mtp.layers.{layer}.mixer.experts.{expert}.up_proj.weight"].layers == range(1, 2)
    assert mtp["mtp.layers.{layer}.final_layernorm.weight"].layers == range(1, 2)
    assert sum(t.stored for t in mtp.values()) == 2_942_325_248
    assert pw.count({**SUPER_120B, "num_nextn_predict_layers": 0}).stored == b.stored - 2_942_325_248


def test_nemotron_super_uses_its_twelve_billion() -> None:
    b = pw.count(SUPER_120B)
    assert (b.active, b.total("active", off={"embedding"})) == (12_770_237_440, 12_233_366_528)


# ------------------------------------------------------------------ families outside transformers


def test_a_layer_of_nemotron_nas_may_be_narrow_a_map_or_nothing() -> None:
    def block(attention: dict[str, Any], ffn: dict[str, Any]) -> dict[str, Any]:
        return {"attention": attention, "ffn": ffn}

    b = pw.count(
        {
            "model_type": "nemotron-nas",
            "architectures": ["DeciLMForCausalLM"],
            "vocab_size": 16,
            "hidden_size": 64,
            "num_hidden_layers": 4,
            "num_attention_heads": 8,
            "intermediate_size": None,
            "num_key_value_heads": None,
            "block_configs": [
                block({"n_heads_in_group": 4}, {"ffn_mult": 2.625}),  # 2 kv heads of 8; int(112) up to 256
                block({"no_op": True}, {"ffn_mult": 6.1}),  # int(260.2) up to 512
                block({"replace_with_linear": True}, {"no_op": True}),
                block({"n_heads_in_group": 8}, {"replace_with_linear": True}),
            ],
        }
    )
    attention = 2 * 64 * 64 + 2 * 64 * 16, 64 * 64, 2 * 64 * 64 + 2 * 64 * 8
    ffn = 3 * 64 * 256, 3 * 64 * 512, 64 * 64
    assert b.stored == 2 * 16 * 64 + 64 + sum(attention) + sum(ffn) + 6 * 64
    assert [(s.mixer, s.ffn, s.kv_heads) for s in b.layers] == [
        ("full", "dense", 2),
        ("none", "dense", 0),
        ("none", "none", 0),
        ("full", "dense", 1),
    ]


def test_gla_shares_keys_among_groups_and_rounds_its_mlp_up() -> None:
    given = {
        "model_type": "gla",
        "vocab_size": 10,
        "hidden_size": 64,
        "num_hidden_layers": 1,
        "num_heads": 4,
        "expand_k": 0.5,
        "expand_v": 1,
        "hidden_ratio": 4,
        "intermediate_size": None,
    }
    # q and k of 32, v, output gate and output of 64, forget gate 16 wide with a bias, a norm of 16; MLP 170 up to 256
    mixer = 2 * 32 * 64 + 3 * 64 * 64 + 16 * 64 + 32 * 16 + 32 + 16
    assert pw.count(given).stored == 2 * 640 + 64 + 2 * 64 + mixer + 3 * 64 * 256
    half = mixer - 16 * 64 - 32 * 64 - 16 * 16 - 16
    assert pw.count({**given, "num_kv_heads": 2}).stored == 2 * 640 + 64 + 2 * 64 + half + 3 * 64 * 256
    assert pw.count(given).layers[0].state_elements == 4 * 8 * 16


def test_plamo2_takes_turns_and_keeps_a_scale_for_each_head() -> None:
    b = pw.count(
        {
            "model_type": "plamo2",
            "vocab_size": 10,
            "hidden_size": 32,
            "intermediate_size": 20,
            "num_hidden_layers": 4,
            "num_attention_heads": 4,
            "num_key_value_heads": 1,
            "hidden_size_per_head": 8,
            "mamba_num_heads": 6,
            "mamba_d_state": 5,
            "mamba_d_conv": 3,
            "mamba_step": 2,
        }
    )
    attention = 32 * (32 + 8 + 8) + 32 * 32 + 32 + 8
    scan = 32 * 96 + 48 * 3 + 48 * (64 + 10) + 64 * 6 + 3 * 6 + 64 + 10 + 48 * 32
    assert b.stored == 320 + 32 + 4 * (4 * 32 + 3 * 32 * 20) + 2 * attention + 2 * scan
    assert [s.mixer for s in b.layers] == ["ssm", "sliding", "ssm", "sliding"]
    assert b.layers[0].state_elements == 48 * 5 + 48 * 2


def test_rwkv5_has_heads_a_gate_and_an_mlp_of_three_and_a_half() -> None:
    b = pw.count(
        {
            "model_type": "rwkv5",
            "vocab_size": 10,
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "head_size": 16,
            "intermediate_size": None,
        }
    )
    mixer = 5 * 64 * 64 + 2 * 64 + 4 * 64 + 2 * 64
    channels = 2 * 64 * 224 + 64 * 64 + 2 * 64
    assert b.stored == 2 * 640 + 2 * 128 + 2 * (mixer + channels + 4 * 64)
    assert b.layers[1].state_elements == 4 * 16 * 16 + 2 * 64


# ------------------------------------------------------------------ what a layer remembers


@pytest.mark.parametrize(
    ("model_type", "layer", "mixer", "state"),
    [
        # width × state, and what the convolution still needs of each channel
        ("mamba", 0, "ssm", 96 * 5 + 96 * 3),
        ("mamba2", 0, "ssm", 96 * 6 + (96 + 2 * 4 * 6) * 3),
        ("falcon_h1", 0, "full", 24 * 6 + (24 + 2 * 2 * 6) * 3),
        ("bamba", 0, "ssm", 96 * 6 + (96 + 2 * 2 * 6) * 3),
        ("bamba", 1, "full", 0),
        ("zamba", 2, "full", 96 * 6 + 96 * 3),
        ("zamba", 0, "ssm", 96 * 6 + 96 * 3),
        ("nemotron_h", 1, "none", 0),
        ("recurrent_gemma", 0, "ssm", 48 + 48 * 3),
        ("recurrent_gemma", 2, "sliding", 0),
        ("rwkv", 0, "linear", 5 * 48),
        # four heads of 16 × 32, a normalizer and a maximum
        ("xlstm", 0, "linear", 4 * (16 * 32 + 16 + 1)),
        ("lfm2", 0, "ssm", 48 * 2),
        ("minimax", 1, "linear", 4 * 12 * 12),
        ("kimi_linear", 0, "linear", 3 * 6 * 6 + 3 * 18 * 3),
        ("kimi_linear", 1, "mla", 0),
        ("qwen3_5_text", 0, "linear", 4 * 6 * 7 + (2 * 12 + 28) * 3),
        ("olmo_hybrid", 0, "linear", 4 * 9 * 18 + (2 * 36 + 72) * 3),
        # queries and keys pass two convolutions of two, half of the values is a token late
        ("zaya", 0, "full", (24 + 12) * 2 + 6),
    ],
)
def test_a_layer_says_what_it_must_remember(model_type: str, layer: int, mixer: str, state: int) -> None:
    found = pw.count(config(model_type)).layers[layer]
    assert (found.mixer, found.state_elements) == (mixer, state)


def test_a_layer_with_attention_and_a_scan_keeps_keys_and_a_state() -> None:
    layer = pw.count(config("falcon_h1")).layers[0]
    assert (layer.kv_heads, layer.k_dim) == (2, 12)
    assert layer.state_elements > 0


def test_the_width_of_a_scan_follows_from_its_heads_where_a_file_leaves_it_out() -> None:
    given = config("falcon_h1", {"mamba_d_head": 2})
    counted = pw.count(given).stored
    del given["mamba_d_ssm"]
    assert pw.count(given).stored == counted


def test_windows_are_told_from_layers_that_see_all() -> None:
    assert {s.window for s in pw.count(config("recurrent_gemma")).layers} == {None, 2048}
    lfm3 = pw.count(config("lfm3")).layers
    assert [s.mixer for s in lfm3[:5]] == ["ssm", "ssm", "full", "ssm", "sliding"]


def test_the_shared_blocks_of_zamba2_take_turns_under_further_names() -> None:
    b = pw.count(config("zamba2", {"num_mem_blocks": 2}))
    ties = {t.name: t.tied_to for t in b.tensors if t.tied_to and "self_attn.q_proj" in t.name}
    first = "model.layers.{}.shared_transformer.self_attn.q_proj.weight".format
    assert ties == {first(4): first(1)}  # layers 1, 3 and 4 are hybrid: the third has the first's block


def test_zaya_may_send_a_token_to_no_expert() -> None:
    b = pw.count(config("zaya"))
    low, high = b.total_range("active")
    assert high - low == 3 * 3 * 14 * 48  # one expert in each of three layers


def test_a_list_of_layers_that_no_number_stands_beside_is_the_number_of_layers() -> None:
    given = config("nemotron_h")
    counted = pw.count(given).stored
    del given["num_hidden_layers"]
    assert pw.count(given).stored == counted
    words = {"M": "mamba", "E": "moe", "*": "attention", "-": "mlp"}
    listed = [words[letter] for letter in given.pop("hybrid_override_pattern")]
    assert pw.count({**given, "layers_block_type": listed}).stored == counted


def test_xlstm_goes_by_the_names_of_its_own_library_too() -> None:
    own = {
        "model_type": "xlstm",
        "vocab_size": 50304,
        "embedding_dim": 4096,
        "num_blocks": 32,
        "num_heads": 8,
    }
    assert pw.count(own).stored == 6_865_424_896


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("model_type", "changes", "key"),
    [
        ("mamba", {"state_size": 0}, "state_size"),
        ("mamba2", {"num_heads": 6}, "head_dim"),
        ("falcon_h1", {"mamba_n_heads": 7}, "mamba_n_heads"),
        ("bamba", {"mamba_d_head": 7}, "mamba_d_head"),
        ("bamba", {"attn_layer_indices": "1,3"}, "attn_layer_indices"),
        ("granitemoehybrid", {"layer_types": ["mamba"] * 3}, "layer_types"),
        ("granitemoehybrid", {"layer_types": ["mamba", "mamba", "mamba", "conv"]}, "layer_types[3]"),
        ("jamba", {"attn_layer_offset": 3}, "attn_layer_offset"),
        ("nemotron_h", {"hybrid_override_pattern": "MEX-M"}, "hybrid_override_pattern"),
        ("nemotron_h", {"num_hidden_layers": 6}, "num_hidden_layers"),
        ("nemotron_h", {"n_routed_experts": None}, "n_routed_experts"),
        ("zamba", {"num_hidden_layers": 2}, "num_hidden_layers"),
        ("zamba2", {"layers_block_type": None}, "layers_block_type"),
        ("recurrent_gemma", {"block_types": []}, "block_types"),
        ("recurrent_gemma", {"lru_width": 45}, "num_attention_heads"),
        ("xlstm", {"qk_dim_factor": "half"}, "qk_dim_factor"),
        ("xlstm", {"embedding_dim": 64}, "embedding_dim"),
        ("lfm2", {"full_attn_idxs": [1.5]}, "full_attn_idxs"),
        ("lfm2_moe", {"layer_types": None}, "layer_types"),
        ("kimi_linear", {"linear_attn_config": {"full_attn_layers": [1], "kda_layers": [9]}}, None),
        ("kimi_linear", {"linear_attn_config": None, "linear_num_heads": 0}, "linear_num_heads"),
        ("zaya", {"num_experts_per_tok": 2}, "num_experts_per_tok"),
        ("zaya", {"layer_types": ["hybrid", "hybrid", "hybrid_sliding"]}, "sliding_window"),
        ("olmo_hybrid", {"linear_num_key_heads": 3}, "linear_num_key_heads"),
    ],
)
def test_a_value_that_cannot_be_right_is_refused_by_its_key(
    model_type: str, changes: dict[str, Any], key: str | None
) -> None:
    with pytest.raises(pw.ConfigError) as error:
        pw.count(config(model_type, changes))
    assert key is None or error.value.key == key


def test_layers_of_softmax_attention_in_gla_are_refused() -> None:
    given = {"model_type": "gla", "vocab_size": 10, "hidden_size": 64, "num_hidden_layers": 1, "num_heads": 4}
    with pytest.raises(pw.ConfigError) as error:
        pw.count({**given, "attn": {"layers": [0], "num_heads": 4}})
    assert error.value.key == "attn"


def test_sizes_that_a_trimmed_config_leaves_out_are_not_guessed() -> None:
    given = config("falcon_h1")
    del given["intermediate_size"]
    with pytest.raises(pw.ConfigError) as error:
        pw.count(given)
    assert error.value.key == "intermediate_size"
