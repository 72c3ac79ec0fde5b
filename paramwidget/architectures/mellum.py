"""Mellum 2."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    moe_from,
    mtp_qwen,
    sliding_by_layer,
)


def mellum(c: Config) -> Iterator[Part]:
    """Mellum 2: Qwen3-MoE with windows, and Qwen's prediction module.

    Source: modeling_mellum in transformers 5.24; the MTP module's names from its conversion table.
    Implied: q_norm, k_norm, router.
    Checked: JetBrains/Mellum2-12B-A2.5B-Base stored 12,149,923,072, residual 0.
    """
    full, n = gqa(c, bias=c.flag("attention_bias"), qk_norm=True), int(c.num_hidden_layers)
    moe, dense = experts(c, count=c.num_experts, width=c.moe_intermediate_size), gated_mlp(c)
    yield from decoder(
        c,
        attention=sliding_by_layer(c, full, default=["full_attention"] * n),
        mlp=dense_or_moe(c, moe_from(c, 0), moe, dense),
    )
    depth = c.natural("num_nextn_predict_layers") if c.has("num_nextn_predict_layers") else 0
    if depth:
        kinds = c.get("mtp_mlp_layer_types") or ["sparse"]
        yield from mtp_qwen(c, full, dense if kinds[0] == "dense" else moe, depth)
