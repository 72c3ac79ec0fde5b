"""Kolibri."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, experts, full_every, gqa, shared_expert, sliding_by_layer


def kolibri1(c: Config) -> Iterator[Part]:
    """Kolibri: four norms a layer, experts and a shared expert everywhere; every fifth layer sees all.

    Source: modeling_kolibri1 in transformers 5.24, names of the Hub files.
    Implied: q_norm, k_norm, router and its correction bias.
    Checked: the class's defaults, 78,103,055,360, residual 0.
    """
    moe = experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        correction="moe.router.expert_bias",
        shared=shared_expert(c, c.shared_expert_intermediate_size, path="mlp.shared_experts"),
    )
    yield from decoder(
        c,
        attention=sliding_by_layer(c, gqa(c, qk_norm=True), default=full_every(c, 5)),
        mlp=moe,
        post_norms=("post_attn_norm", "post_ffn_norm"),
    )
