"""JetMoE."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, experts, linear, vector


def jetmoe(c: Config) -> Iterator[Part]:
    """JetMoE: the attention is a mixture too: each expert has query and output maps, all share keys and values.

    Source: modeling_jetmoe in transformers 5.24.  Implied: routers and biases.
    Checked: the class's defaults, 4,293,888,000, residual 0.
    """
    count, top_k, hidden = c.num_local_experts, c.num_experts_per_tok, c.hidden_size
    stacked = ("input_linear.weight", "output_linear.weight")
    moe = experts(
        c, count=count, width=c.intermediate_size, path="mlp", router="router.layer", stacked=stacked
    )
    kv_heads, head_dim = c.num_key_value_heads, c.head_dim
    q, role = kv_heads * head_dim, "attention"

    def expert(name: str, out: Dim, inn: Dim) -> TensorSpec:
        t = TensorSpec(f"self_attention.experts.{name}.weight", (out, inn), role, copies=count, stacked=count)
        return replace(t, active_copies=top_k, active_low=int(top_k))

    attention = [
        *linear("self_attention.experts.router.layer", count, hidden, role="router", implied=True),
        expert("input_linear", q, hidden),
        expert("output_linear", hidden, q),
        vector("self_attention.experts.bias", hidden, role=role, kind="bias", implied=True),
        *linear("self_attention.kv_proj", 2 * q, hidden, role=role),
    ]
    facts = {"mixer": "full", "kv_heads": int(kv_heads), "k_dim": int(head_dim), "v_dim": int(head_dim)}
    yield from decoder(
        c,
        attention=Block(tuple(attention), facts),
        mlp=moe.plus(vector("mlp.bias", hidden, role="routed_expert", kind="bias", implied=True)),
    )
