"""Granite's mixtures of experts without state-space layers."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, experts, full_every, gqa, shared_expert, sliding_by_layer


def granitemoe(c: Config) -> Iterator[Part]:
    """Granite-3 MoE, and its sibling with a shared expert: experts in every layer, stacked in files.

    Source: modeling_granitemoe and modeling_granitemoeshared in transformers 5.24.  Implied: router.
    Checked: ibm-granite/granite-3.1-1b-a400m-instruct stored 1,334,628,352, residual 0.  The Hub's 1,384,956,928 for
    granite-3.0-1b-a400m-base hold the tied head a second time: 49,152 × 1,024 more.
    """
    moe = experts(
        c,
        count=c.num_local_experts,
        width=c.intermediate_size,
        path="block_sparse_moe",
        router="router.layer",
        stacked=("input_linear.weight", "output_linear.weight"),
        shared=granite_shared(c),
    )
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=moe)


def granitemoe_swa(c: Config) -> Iterator[Part]:
    """Granite MoE with windows and attention sinks; the first layer of four sees all.

    Source: modeling_granitemoe_swa in transformers 5.24.  Implied: sinks, router.
    """
    moe = experts(
        c,
        count=c.num_local_experts,
        width=c.intermediate_size,
        path="block_sparse_moe",
        router="router",
        stacked=True,
        shared=granite_shared(c),
    )
    attention = gqa(c, bias=c.flag("attention_bias"), sinks=True)
    yield from decoder(
        c, attention=sliding_by_layer(c, attention, default=full_every(c, 4, offset=0)), mlp=moe
    )


def granite_shared(c: Config) -> tuple[TensorSpec, ...]:
    """The shared expert, gate and up in one map, where ``shared_intermediate_size`` is more than 0."""
    if not c.has("shared_intermediate_size"):
        return ()
    width = c.natural("shared_intermediate_size")
    return shared_expert(c, width, path="shared_mlp", matrices=("input_linear", "output_linear"))
