"""Snowflake Arctic."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, dense_or_moe, experts, gated_mlp, gqa, vector


def arctic(c: Config) -> Iterator[Part]:
    """Arctic: Mixtral's experts, and beside them a dense MLP as wide as the hidden size, with a norm of its own.

    Source: modeling_arctic.py of Snowflake/snowflake-arctic-base.  Implied: router, the norm of the MLP beside.
    Checked: by the card's words, 10B dense and 128 experts of 3.66B: 9,996,965,888 and 128 × 3,660,840,960.
    """
    matrices, path, every = ("w1", "w3", "w2"), "block_sparse_moe", int(c.moe_layer_frequency)
    moe = experts(c, count=c.num_local_experts, width=c.intermediate_size, path=path, matrices=matrices)
    if c.flag("parallel_attn_mlp_res"):
        beside = gated_mlp(c, c.hidden_size, path="residual_mlp", matrices=matrices)
        moe = moe.plus(
            vector("residual_layernorm.weight", c.hidden_size, role="norm", implied=True), *beside.tensors
        )
    layers = [i for i in range(int(c.num_hidden_layers)) if (i + 1) % every == 0]
    dense = gated_mlp(c, path=f"{path}.mlp", matrices=matrices)
    yield from decoder(c, attention=gqa(c), mlp=dense_or_moe(c, layers, moe, dense))
