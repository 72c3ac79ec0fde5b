"""Command R and Command A."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    decoder,
    dense_or_moe,
    experts,
    full_every,
    gated_mlp,
    gqa,
    moe_from,
    qk_norms,
    shared_expert,
    sliding_by_layer,
)


def cohere(c: Config) -> Iterator[Part]:
    """Command R: attention and MLP side by side behind one norm; with ``use_qk_norm``, a norm for each head.

    Source: modeling_cohere in transformers 5.24.
    Checked: CohereForAI/c4ai-command-r-v01 stored 34,980,831,232, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"))
    if c.flag("use_qk_norm"):
        norms = qk_norms(
            (c.num_attention_heads, c.head_dim), (c.num_key_value_heads, c.head_dim), implied=False
        )
        attention = attention.plus(*norms)
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), layer_norms=("input_layernorm",))


def cohere2(c: Config) -> Iterator[Part]:
    """Command R7B and Command A: Command R where three layers in four slide.

    Source: modeling_cohere2 in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    pattern = full_every(c, "sliding_window_pattern")
    attention = sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")), default=pattern)
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), layer_norms=("input_layernorm",))


def cohere2_moe(c: Config) -> Iterator[Part]:
    """Command's mixture of experts: Cohere-2 with experts behind the first dense layers, which slide otherwise.

    Source: modeling_cohere2_moe in transformers 5.24.  Implied: router.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    n = int(c.num_hidden_layers)
    first = min(int(c.natural("first_k_dense_replace")), n)
    pattern = (
        []
        if c.has("layer_types")
        else [
            "sliding_attention" if (i + 1 if i < first else i + 1 - first) % int(every) else "full_attention"
            for i in range(n)
            for every in [c.prefix_dense_sliding_window_pattern if i < first else c.sliding_window_pattern]
        ]
    )
    dense = (
        c.prefix_dense_intermediate_size if c.has("prefix_dense_intermediate_size") else c.intermediate_size
    )
    shared = c.intermediate_size * c.natural("num_shared_experts")
    moe = experts(
        c,
        count=c.num_experts,
        width=c.intermediate_size,
        shared=shared_expert(c, shared, path="mlp.shared_experts"),
    )
    yield from decoder(
        c,
        attention=sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")), default=pattern),
        mlp=dense_or_moe(c, moe_from(c, first), moe, gated_mlp(c, dense)),
        layer_norms=("input_layernorm",),
    )
