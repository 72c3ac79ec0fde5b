"""Flint."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Block,
    Part,
    decoder,
    dense_or_moe,
    experts,
    gqa,
    moe_every,
    shared_expert,
    sliding_by_layer,
)


def flint(c: Config) -> Iterator[Part]:
    """Flint: Qwen3-MoE with sinks, windows and a shared expert without a gate; the first two layers dense.

    Source: modeling_flint in transformers 5.24, names of the Hub files.  Implied: sinks, q_norm, k_norm, router.
    Checked: the class's defaults, 39,785,287,456, residual 0.
    """
    n = int(c.num_hidden_layers)
    sees_all = [
        "full_attention" if i < 2 or i % 4 == 1 or i == n - 1 else "sliding_attention" for i in range(n)
    ]
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, sinks="softmax_offset")
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, default=sees_all),
        mlp=dense_or_moe(c, moe_every(c, dense_first=2), lambda: flint_experts(c)),
    )


def flint_experts(c: Config) -> Block:
    """Experts, and a shared one without a gate."""
    shared = shared_expert(c, c.shared_expert_intermediate_size, path="mlp.shared_expert")
    return experts(c, count=c.num_experts, width=c.moe_intermediate_size, shared=shared)
