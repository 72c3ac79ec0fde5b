"""NLLB-MoE."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, dense_or_moe, experts, layer_norm, multi_head, plain_mlp, renamed
from .blocks.base import place
from .blocks.heads import output
from .blocks.seq2seq import across, attention_names, side_table
from .blocks.stack import groups, runs


def nllb_moe(c: Config) -> Iterator[Part]:
    """NLLB-MoE: M2M-100 with experts in every fourth layer of each side, of which a token uses two.

    Source: modeling_nllb_moe in transformers 5.24.  Implied: router, all biases; positions are sinusoidal.
    Checked: the class's defaults, 6,880,712,704, residual 0.
    """
    at, shape = "" if c.head == "none" else "model.", (c.vocab_size, c.hidden_size)
    shared = TensorSpec(f"{at}shared.weight", shape, "embedding")
    tie = shared if c.flag("tie_word_embeddings") else None
    yield shared
    for side, role in (("encoder", "encoder"), ("decoder", None)):
        yield side_table(c, f"{at}{side}.embed_tokens.weight", shape, tie)
        yield from _stack(c, side, at, role)
    if c.head == "causal":
        yield from output(c, "lm_head", shared)


def _stack(c: Config, side: str, at: str, role: str | None) -> Iterator[Part]:
    n, norm, step = int(getattr(c, f"{side}_layers")), layer_norm(c), int(c.natural(f"{side}_sparse_step"))
    how: dict[str, Any] = {"heads": f"{side}_attention_heads"}
    attention = multi_head(c, *attention_names("self_attn"), **how)
    layer = [*attention.tensors, *norm("self_attn_layer_norm")]
    if side == "decoder":
        layer += multi_head(c, *attention_names("cross_attention"), **how).tensors
        layer += norm("cross_attention_layer_norm")
    layer += norm("ff_layer_norm")
    width = getattr(c, f"{side}_ffn_dim")
    dense = plain_mlp(c, "ffn.fc1", "ffn.fc2", width=width, bias=True, implied_bias=True)
    chosen = [i for i in range(n) if step and (i + 1) % step == 0]
    mlp = dense_or_moe(c, chosen, lambda: _experts(c, width), dense, depth=n)
    yield from place(norm("layer_norm"), f"{at}{side}.", role=role)
    each = f"{at}{side}.layers.{{layer}}."
    yield from place(layer, each, range(n), role=role)
    for where, own in groups(mlp, n):
        yield from place(own, each, where, role=role)
    if side == "decoder":
        yield from runs(across(attention), mlp, n)


def _experts(c: Config, width: Dim) -> Block:
    block = experts(
        c,
        count=c.num_experts,
        width=width,
        top_k=Dim.field("two", 2),
        path="ffn",
        router="router.classifier",
        router_bias=c.flag("router_bias"),
        matrices=("fc1", "fc2"),
        bias=True,
    )
    return renamed(block, {"experts.{expert}": "experts.expert_{expert}"})
