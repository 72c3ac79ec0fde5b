"""Doge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, gated_mlp, gqa, linear, vector


def doge(c: Config) -> Iterator[Part]:
    """Doge: attention that masks itself by what its values say; residuals scaled by a vector each.

    With ``is_moe`` each layer also chooses among many experts of one neuron each. They are rows of two tables, found
    by two scores: a grid of ⌊√num_experts⌋ rows and columns, which the dense MLP stands beside as a shared expert.

    Source: modeling_doge in transformers 5.24.  Implied: the mask's maps, q_norm, k_norm, the residuals' vectors.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    bias, kv = c.flag("attention_bias"), c.num_key_value_heads
    attention = gqa(c, bias=bias, qk_norm=True).plus(
        vector("self_attn.A", kv, role="attention", implied=True),
        *linear("self_attn.dt_proj", kv, kv * c.head_dim, role="attention", bias=bias, implied=True),
        vector("input_residual", c.hidden_size, role="other", implied=True),
        vector("post_attention_residual", c.hidden_size, role="other", implied=True),
    )
    role = "shared_expert" if c.flag("is_moe") else "mlp"
    mlp = gated_mlp(c, bias=c.flag("mlp_bias"), role=role)
    yield from decoder(c, attention=attention, mlp=_among_neurons(c, mlp) if c.flag("is_moe") else mlp)


def _among_neurons(c: Config, mlp: Block) -> Block:
    count, top_k = c.num_experts, c.num_experts_per_tok
    side = Dim.field("⌊√num_experts⌋", isqrt(count))
    if top_k > side * side:
        raise c.error(
            "num_experts_per_tok", int(top_k), f"is more than the {side * side} experts of the grid"
        )
    rows = [
        TensorSpec(f"mlp.{name}.weight", (c.hidden_size,), "routed_expert", copies=count, stacked=count)
        for name in ("down_embed", "up_embed")
    ]
    return mlp.plus(
        *linear("mlp.router_gate", side * 2, c.hidden_size, role="router", implied=True),
        *(replace(t, active_copies=top_k, active_low=int(top_k)) for t in rows),
    ).with_facts(ffn="moe")
