"""Laguna."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    correction_bias,
    decoder,
    dense_or_moe,
    experts,
    gqa,
    moe_from,
    shared_expert,
    sliding_by_layer,
)


def laguna(c: Config) -> Iterator[Part]:
    """Laguna: layers differ in the number of query heads; a gate of one number a head (or one an element).

    Source: modeling_laguna in transformers 5.24, names of the Hub files.
    Implied: q_norm, k_norm, the gate, router and its correction bias, a parameter here.
    Checked: poolside/Laguna-S-2.1-FP8 stored 117,561,977,600, poolside/Laguna-XS.2-FP8 33,442,617,088, residual 0.
    """
    n = int(c.num_hidden_layers)
    own = c.has("num_attention_heads_per_layer")
    heads = c.counts_of("num_attention_heads_per_layer", n) if own else [c.num_attention_heads] * n
    by_heads = {
        h: gqa(
            c,
            heads=h,
            bias=c.flag("attention_bias"),
            qk_norm=True,
            gate="g_proj",
            gate_per_head=c.get("gating") in (True, "per-head"),
        )
        for h in {int(h): h for h in heads}.values()  # each number once
    }
    moe = experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        correction=correction_bias("mlp.experts.e_score_correction_bias", c.num_experts, kind="bias"),
        shared=shared_expert(c, c.shared_expert_intermediate_size, path="mlp.shared_expert"),
    )
    yield from decoder(
        c,
        attention=sliding_by_layer(c, [by_heads[h] for h in heads], default=["full_attention"] * n),
        mlp=dense_or_moe(c, moe_from(c, 1), moe),
    )
