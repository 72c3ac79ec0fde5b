"""ERNIE-4.5's mixture of experts."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    correction_bias,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    shared_expert,
)


def ernie4_5_moe(c: Config) -> Iterator[Part]:
    """ERNIE-4.5 MoE: experts in every ``moe_layer_interval``-th layer of a range; the shared ones are one MLP.

    Source: modeling_ernie4_5_moe in transformers 5.24, names of the Hub files.
    Implied: router and its correction bias, a parameter here, stored as one row.
    Checked: baidu/ERNIE-4.5-21B-A3B-Thinking stored 21,825,437,888, Hub 21,825,437,888, residual 0.
    """
    bias, width, count = c.flag("use_bias"), c.moe_intermediate_size, c.moe_num_experts
    moe = experts(
        c,
        count=count,
        width=width,
        top_k=c.moe_k,
        correction=correction_bias("mlp.moe_statics.e_score_correction_bias", count, kind="bias", row=True),
        shared=shared_expert(
            c, width * c.natural("moe_num_shared_experts"), path="mlp.shared_experts", bias=bias
        ),
    )
    n, every = int(c.num_hidden_layers), int(c.moe_layer_interval)
    first, last = c.natural("moe_layer_start_index"), c.get("moe_layer_end_index")
    if type(last) is not int or last < -1:
        raise c.error("moe_layer_end_index", last, "must be a layer's index, or -1 for the last one")
    layers = [i for i in range(first, n if last == -1 else min(n, last + 1)) if (i + 1) % every == 0]
    yield from decoder(
        c,
        attention=gqa(c, bias=bias),
        mlp=dense_or_moe(c, layers, moe, gated_mlp(c, bias=bias)),
        output_bias=bias,
    )
