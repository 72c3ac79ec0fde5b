"""AFMoE (Arcee Trinity)."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    correction_bias,
    decoder,
    dense_or_moe,
    experts,
    full_every,
    gqa,
    shared_expert,
    sliding_by_layer,
)


def afmoe(c: Config) -> Iterator[Part]:
    """AFMoE: gated attention, four norms a layer, the first layers dense; every fourth layer sees all.

    Source: modeling_afmoe in transformers 5.24.
    Implied: q_norm, k_norm, the attention's gate, router and its correction bias, a parameter here.
    Checked: the class's defaults, 19,232,600,000, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, gate="gate_proj")
    width, n = c.moe_intermediate_size, int(c.num_hidden_layers)
    moe = experts(
        c,
        count=c.num_experts,
        width=width,
        router="router.gate",
        correction=correction_bias("mlp.expert_bias", c.num_experts, kind="bias"),
        shared=shared_expert(c, width * c.natural("num_shared_experts"), path="mlp.shared_experts"),
    )
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, default=full_every(c, "global_attn_every_n_layers")),
        mlp=dense_or_moe(c, range(min(n, c.natural("num_dense_layers")), n), moe),
        layer_norms=("input_layernorm", "pre_mlp_layernorm"),
        post_norms=("post_attention_layernorm", "post_mlp_layernorm"),
    )
