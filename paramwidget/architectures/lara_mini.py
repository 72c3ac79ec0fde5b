"""Lara mini: Gated DeltaNet, windows and full attention in turn, experts everywhere."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, by_layer, decoder, experts, gated_deltanet, gqa, renamed, shared_expert

PATTERN = ("linear_attention", "sliding_attention", "linear_attention", "full_attention", "sliding_attention")


def lara_mini(c: Config) -> Iterator[Part]:
    """Lara mini: Qwen3-Next's parts, with one input map to DeltaNet and no gate on the shared expert.

    Source: modeling_lara_mini in transformers 5.24, names of the files.  Implied: q_norm, k_norm, A_log, dt_bias,
    router.
    Checked: the class's own defaults stored 7,281,684,672, residual 0.
    """
    n = int(c.num_hidden_layers)
    kinds = (
        c.list_of("layer_types", n, PATTERN) if c.has("layer_types") else [PATTERN[i % 5] for i in range(n)]
    )
    full = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    mixers = by_layer(
        kinds,
        linear_attention=renamed(gated_deltanet(c, fused=True, single=True), {".norm.": ".out_norm."}),
        full_attention=full,
        sliding_attention=full.with_facts(mixer="sliding", window=int(c.sliding_window)),
    )
    moe = experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        stacked=True,
        shared=shared_expert(c, c.shared_expert_intermediate_size, path="mlp.shared_expert"),
    )
    yield from decoder(c, attention=mixers, mlp=moe)
