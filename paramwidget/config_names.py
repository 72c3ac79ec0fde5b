"""The names of fields in a config.json: the spellings of one field, and which fields are sizes or counts of layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: the name used here -> other spellings of the same field
ALIASES: dict[str, tuple[str, ...]] = {
    "hidden_size": ("n_embd", "d_model", "n_embed", "model_dim", "vt_hidden_size"),
    "num_hidden_layers": (
        "n_layer",
        "n_layers",
        "num_layers",
        "num_transformer_layers",
        "vt_num_hidden_layers",
    ),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "attention_heads", "vt_num_attention_heads"),
    "intermediate_size": (
        "n_inner",
        "ffn_dim",
        "d_ff",
        "dff",
        "ffn_hidden_size",
        "ff_intermediate_size",
        "vt_intermediate_size",
    ),
    "head_dim": ("kv_channels",),
    "vocab_size": ("padded_vocab_size", "n_words", "n_token"),
    "max_position_embeddings": ("n_positions", "n_ctx"),
    "in_channels": ("in_chans",),
    "num_key_value_heads": ("n_head_kv", "num_kv_heads", "num_attention_groups"),
    "num_experts": ("num_local_experts",),
    "num_local_experts": ("num_experts",),
    "num_experts_per_tok": (
        "experts_per_token",
        "num_experts_per_token",
        "top_k_experts",
        "moe_topk",
        "moe_top_k",
        "moe_router_topk",
    ),
    "n_routed_experts": ("moe_num_experts", "num_experts"),
    "n_shared_experts": ("num_shared_experts",),
    "num_nextn_predict_layers": ("num_mtp_layers",),
    "share_expert_dim": ("share_expert_dims",),
    "pos_emb_height": ("init_pos_emb_height",),
    "pos_emb_width": ("init_pos_emb_width",),
    "vision_feature_layer": ("vision_feature_layers",),
    "dtype": ("torch_dtype",),
    "layer_types": ("layers_block_type",),
    "mamba_conv_bias": ("use_conv_bias",),
    "mamba_d_conv": ("conv_kernel",),
    "mamba_d_state": ("state_size", "ssm_state_size"),
    "mamba_dt_rank": ("time_step_rank",),
    "mamba_expand": ("expand",),
    "mamba_n_groups": ("mamba_ngroups", "n_groups"),
    "mamba_n_heads": ("mamba_num_heads", "n_mamba_heads"),
    "tie_word_embeddings": ("tie_embedding",),
}

#: the names of params.json, which Mistral and Meta publish beside config.json or instead of it; read only where
#: ``dim`` and ``n_layers`` show that a file is one: elsewhere ``dim`` is anything
PARAMS_JSON: dict[str, tuple[str, ...]] = {
    "hidden_size": ("dim",),
    "intermediate_size": ("hidden_dim",),
    "num_key_value_heads": ("n_kv_heads",),
    "tie_word_embeddings": ("tied_embeddings",),
}

#: all spellings of a field that has more than one, in the order in which they are looked for
SPELLINGS = {key: (key, *others) for key, others in ALIASES.items()}
PARAMS_JSON_SPELLINGS = {
    **SPELLINGS,
    **{key: (*SPELLINGS.get(key, (key,)), *others) for key, others in PARAMS_JSON.items()},
}

#: the sizes that a config.json gives, unless it is written in the short form (Config._is_short)
ALWAYS_GIVEN = frozenset(
    {
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "vocab_size",
        "num_experts",
        "num_local_experts",
        "n_routed_experts",
        "num_experts_per_tok",
        "moe_intermediate_size",
        "encoder_layers",
        "encoder_attention_heads",
        "encoder_ffn_dim",
        "decoder_layers",
        "decoder_attention_heads",
        "decoder_ffn_dim",
        "dim",
        "hidden_dim",
        "embedding_size",
    }
)

#: what a config may say without giving a size or a switch
NAMES = frozenset({"architectures", "dtype", "model_type", "torch_dtype", "transformers_version"})

#: fields that count layers of the stack, of a tower or of an MTP module; a list may be made of each
LAYER_COUNTS = frozenset(
    {
        "num_hidden_layers",
        "num_layers",
        "layers",
        "depth",
        "encoder_layers",
        "decoder_layers",
        "num_decoder_layers",
        "num_hidden_groups",
        "inner_group_num",
        "num_global_layers",
        "vt_num_hidden_layers",
        "conf_num_hidden_layers",
        "num_blocks",
        "num_res_blocks",
        "num_nextn_predict_layers",
        "mtp_num_hidden_layers",
        "num_mtp_modules",
        "num_mtp_layers",
        "num_code_groups",
        "resampler_depth",
        "altup_num_inputs",
        "num_mem_blocks",
        "merger_times",
        "enc_res2net_scale",
    }
)


def is_params_json(data: Mapping[str, Any]) -> bool:
    """Whether a config has the names of a params.json."""
    return "dim" in data and "n_layers" in data and "hidden_size" not in data
