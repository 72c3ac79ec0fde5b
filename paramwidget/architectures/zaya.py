"""ZAYA: attention compressed by convolutions, and one expert a token, chosen by a small network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, by_layer, decoder, experts, linear, vector
from .blocks.base import place
from .blocks.heads import stem


def zaya(c: Config) -> Iterator[Part]:
    """ZAYA1 as transformers keeps it: each layer attends through two convolutions, and routes through an MLP.

    The router may choose no expert at all. Every half is added to the residual with scales and biases of its own.

    Source: modeling_zaya in transformers 5.24.  Implied: both convolutions and their biases, temperatures, the router's
    network and its balancing biases, residual scales.
    Checked: the class's own defaults stored 8,840,488,784 without buffers, buffers 680, residual 0.
    """
    n, hidden = int(c.num_hidden_layers), c.hidden_size
    at = stem(c, "model")
    kinds = (
        c.list_of("layer_types", n, ("hybrid", "hybrid_sliding")) if c.has("layer_types") else ["hybrid"] * n
    )
    full = compressed_attention(c)
    sliding = full
    if "hybrid_sliding" in kinds:
        sliding = full.with_facts(mixer="sliding", window=int(c.sliding_window))
    if n > 1:
        scale = vector("mlp.gate.router_states_scale", c.router_hidden_size, role="router", implied=True)
        yield from place((scale,), f"{at}layers.{{layer}}.", range(1, n))
    yield from decoder(
        c,
        attention=by_layer(kinds, hybrid=full, hybrid_sliding=sliding),
        mlp=routed_by_mlp(c),
        extra=(
            vector("input_hidden_states_scale", hidden, role="other", implied=True),
            vector("input_hidden_states_bias", hidden, role="other", kind="bias", implied=True),
        ),
        output_bias=c.flag("lm_head_bias"),
    )


def compressed_attention(c: Config) -> Block:
    """Attention whose queries and keys pass two short convolutions, and half of whose values are a token late."""
    heads, kv_heads, head_dim, hidden = (
        c.num_attention_heads,
        c.num_key_value_heads,
        c.head_dim,
        c.hidden_size,
    )
    if heads % kv_heads:
        raise c.error(
            "num_key_value_heads", int(kv_heads), f"does not divide num_attention_heads = {int(heads)}"
        )
    q, kv, bias, role = heads * head_dim, kv_heads * head_dim, c.flag("attention_bias"), "attention"
    channels, first, second = q + kv, c.cca_time0, c.cca_time1
    path = "self_attn.qkv_proj"
    late = kv // 2
    tensors = [
        *linear(f"{path}.q_proj", q, hidden, role=role, bias=bias),
        *linear(f"{path}.k_proj", kv, hidden, role=role, bias=bias),
        *linear(f"{path}.v_proj_current", late, hidden, role=role, bias=bias),
        *linear(f"{path}.v_proj_delayed", late, hidden, role=role, bias=bias),
        TensorSpec(f"{path}.conv_qk_depthwise.weight", (channels, 1, first), role, implied=True),
        vector(f"{path}.conv_qk_depthwise.bias", channels, role=role, kind="bias", implied=True),
        TensorSpec(
            f"{path}.conv_qk_grouped.weight",
            (channels, head_dim, second),
            role,
            implied=True,
            note="one group a head",
        ),
        vector(f"{path}.conv_qk_grouped.bias", channels, role=role, kind="bias", implied=True),
        *linear("self_attn.o_proj", hidden, q, role=role, bias=bias),
        vector("self_attn.qk_norm.temp", kv_heads, role=role, implied=True, note="temperature"),
        *_residual_scales("post_attention_residual_scale", c),
    ]
    return Block(
        tuple(tensors),
        {
            "mixer": "full",
            "kv_heads": int(kv_heads),
            "k_dim": int(head_dim),
            "v_dim": int(head_dim),
            "state_elements": int(channels * (first + second - 2) + late),
        },
    )


def routed_by_mlp(c: Config) -> Block:
    """Experts behind a router of several layers, which may also send a token to none."""
    narrow, count, path, role = c.router_hidden_size, c.num_experts, "mlp.gate", "router"
    if c.num_experts_per_tok != 1:
        raise c.error("num_experts_per_tok", int(c.num_experts_per_tok), "is described only where it is 1")
    moe = experts(c, count=count, width=c.moe_intermediate_size, stacked=True)
    router = [
        *linear(f"{path}.down_proj", narrow, c.hidden_size, role=role, bias=True, implied=True),
        vector(f"{path}.router_mlp.norm.weight", narrow, role=role, implied=True),
        *linear(f"{path}.router_mlp.fc1", narrow, narrow, role=role, bias=True, implied=True),
        *linear(f"{path}.router_mlp.fc2", narrow, narrow, role=role, bias=True, implied=True),
        *linear(
            f"{path}.router_mlp.out_proj", count + 1, narrow, role=role, implied=True, note="experts, or none"
        ),
        vector(f"{path}.balancing_biases", count + 1, role=role, kind="buffer", implied=True),
        *_residual_scales("post_mlp_residual_scale", c),
    ]
    routed = (replace(t, active_low=0) for t in moe.tensors if t.role == "routed_expert")
    return Block((*router, *routed), moe.facts)


def _residual_scales(path: str, c: Config) -> list[TensorSpec]:
    """Scales and biases of what a half puts out and of the residual that it is added to."""
    tensors = []
    for part in ("hidden_states", "residual"):
        tensors.append(vector(f"{path}.{part}_scale", c.hidden_size, role="other", implied=True))
        tensors.append(vector(f"{path}.{part}_bias", c.hidden_size, role="other", kind="bias", implied=True))
    return tensors
