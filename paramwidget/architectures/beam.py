"""Beam."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    decoder,
    dense_or_moe,
    experts,
    full_every,
    gqa,
    moe_from,
    sliding_by_layer,
    vector,
)


def beam(c: Config) -> Iterator[Part]:
    """Beam: gated attention with a bias a head of the gate, four norms a layer, the first three layers dense.

    Source: modeling_beam in transformers 5.24.
    Implied: q_norm, k_norm, the gate and its bias, router and its correction bias.
    Checked: the class's defaults, 501,267,599,808, residual 0.
    """
    n = int(c.num_hidden_layers)
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, gate="gate_proj").plus(
        vector("self_attn.gate_bias", c.num_attention_heads, role="attention", kind="bias", implied=True)
    )
    moe = experts(c, count=c.num_experts, width=c.moe_intermediate_size, correction=True)
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, default=[*full_every(c, 6)[: n - 1], "full_attention"]),
        mlp=dense_or_moe(c, moe_from(c, min(3, n)), moe),
        layer_norms=("input_layernorm", "pre_feedforward_layernorm"),
        post_norms=("post_attention_layernorm", "post_feedforward_layernorm"),
    )
