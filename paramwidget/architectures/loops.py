"""Decoders that run some of their layers several times for one token, with a cache for each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..config import Config
from ..layers import LayerRun
from .blocks import (
    Block,
    Part,
    decoder,
    full_every,
    gated_mlp,
    gqa,
    no_norm,
    sliding_by_layer,
    vector,
)
from .blocks.heads import stem


def dory(c: Config) -> Iterator[Part]:
    """Dory: a decoder on the unit sphere, whose norms have no parameters and whose layers in the middle run in loops.

    Scales stand where others norm: of queries and keys, of the gates, of what a layer adds and of the logits. Files
    list attention and MLP as layers of their own. Each loop keeps a cache, unless the last one alone does.

    Source: modeling_dory in transformers 5.24.  Implied: all scales, the gate of attention.
    Checked: the class's defaults, 3,975,229,440, residual 0.
    """
    c = _in_pairs(c)
    every = c.num_attention_heads * c.head_dim
    scales = [
        vector(f"self_attn.{name}", every, role="attention", implied=True) for name in ("sqk", "s_gate")
    ]
    rates = [vector(f"lambda_{i}", c.hidden_size, role="norm", implied=True) for i in (1, 2)]
    attention = gqa(c, bias=c.flag("attention_bias"), gate="gate_proj").plus(*scales, *rates)
    mlp = gated_mlp(c, bias=c.flag("mlp_bias"))
    mlp = mlp.plus(
        *(vector(f"mlp.suv_{n}", c.intermediate_size, role="mlp", implied=True) for n in ("gate", "up"))
    )
    layers = sliding_by_layer(c, _looped(c, attention), full_every(c, 4))
    yield from decoder(c, attention=layers, mlp=mlp, norm=no_norm, final_norm=None)
    if c.head == "causal":
        yield vector("lm_head.logit_scale", c.vocab_size, role="lm_head", implied=True)


def _in_pairs(c: Config) -> Config:
    """The config where a layer is attention and MLP; files list them apart, and count both."""
    kinds = c.get("layer_types")
    if not isinstance(kinds, list | tuple) or "mlp" not in kinds:
        return c
    counts = ("num_hidden_layers", "n_input_layers", "n_output_layers", "n_recurrent_layers")
    half: dict[str, Any] = {key: c.natural(key) // 2 for key in counts if c.has(key)}
    return c.layer("layer_types", {**half, "layer_types": list(kinds[::2])})


def _looped(c: Config, attention: Block) -> list[Block]:
    """Attention of each layer: those between the first and the last ones keep a cache for each loop."""
    n, first, last = int(c.num_hidden_layers), int(c.n_input_layers), int(c.n_output_layers)
    between = int(c.natural("n_recurrent_layers")) if c.has("n_recurrent_layers") else n - first - last
    if first + between + last != n:
        raise c.error("n_recurrent_layers", between, f"and the layers around it are not the {n} layers")
    times = int(c.n_recurrent_loops) if c.get("recurrent_kv_cache_mode") == "per_loop" else 1
    looped = several(attention, times)
    return [*[attention] * first, *[looped] * between, *[attention] * last]


def hrm_text(c: Config) -> Iterator[Part]:
    """HRM-Text: two stacks of as many layers, a fast one that runs ``L_cycles`` times for each run of the slow one.

    No norm has parameters. A layer of the two stacks together keeps a cache for each time that either runs.

    Source: modeling_hrm_text in transformers 5.24.  Implied: the gate of attention, z_L_init.
    Checked: the class's defaults, 1,447,822,848, residual 0.
    """
    depth = "num_layers_per_stack" if c.has("num_layers_per_stack") else "num_hidden_layers"
    each = c.layer(depth, {"num_hidden_layers": getattr(c, depth)})
    bias, every = c.flag("attention_bias"), c.num_attention_heads * c.head_dim
    attention = gqa(each, bias=bias, kv_heads=c.num_attention_heads, gate="gate_proj")
    if bias:
        attention = attention.plus(vector("self_attn.gate_proj.bias", every, role="attention", kind="bias"))
    mlp = gated_mlp(each, bias=c.flag("mlp_bias"))
    at = stem(c, "model")
    yield vector(
        f"{at}z_L_init", c.hidden_size, role="other", implied=True, note="where the fast stack begins"
    )
    for name in ("L_module", "H_module"):
        for part in decoder(
            each,
            attention=several(attention, int(c.H_cycles) * (int(c.L_cycles) + 1)),
            mlp=mlp,
            norm=no_norm,
            layers=f"{name}.layers",
            final_norm=None,
        ):
            both = isinstance(part, LayerRun) or "layers" not in part.name
            if not both or name == "H_module":
                yield part


def several(attention: Block, times: int) -> Block:
    """Attention that runs several times for a token and keeps its keys and values each time."""
    return attention.with_facts(kv_heads=attention.facts["kv_heads"] * times)
