"""Phi-3.5-MoE."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, experts, gqa, layer_norm, sliding_by_layer


def phimoe(c: Config) -> Iterator[Part]:
    """Phi-3.5-MoE: Mixtral's experts under norms with biases; a bias of the head where the config asks for it.

    Source: modeling_phimoe in transformers 5.24, names of the Hub files.  Implied: router, biases of norms.
    Checked: microsoft/Phi-3.5-MoE-instruct stored 41,873,153,344, residual 0.
    """
    moe = experts(
        c,
        count=c.num_local_experts,
        width=c.intermediate_size,
        path="block_sparse_moe",
        matrices=("w1", "w3", "w2"),
    )
    attention = sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")))
    yield from decoder(
        c, attention=attention, mlp=moe, norm=layer_norm(c), output_bias=c.flag("lm_head_bias")
    )
