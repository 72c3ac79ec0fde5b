"""Moshi's text model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, gqa, linear, renamed, sliding_by_layer
from .blocks.base import Block

NAMES = {f"{n}_proj.": f"{n}_proj.linear." for n in "qkvo"}


def moshi(c: Config) -> Iterator[Part]:
    """Moshi's text model: Llama whose gate and up are halves of one map; one row more in the table than in the
    head, which is never tied.

    Source: modeling_moshi in transformers 5.24.
    Checked: the class's defaults as MoshiForCausalLM, 6,839,083,008, residual 0.
    """
    if c.ffn_dim % 2:
        raise c.error("ffn_dim", int(c.ffn_dim), "is not a multiple of 2")
    mlp = Block(
        (
            *linear("mlp.fc1", c.ffn_dim, c.hidden_size, role="mlp"),
            *linear("mlp.fc2", c.hidden_size, c.ffn_dim // 2, role="mlp"),
        ),
        {"ffn": "dense"},
    )
    attention = renamed(gqa(c), NAMES)
    for part in decoder(c, attention=sliding_by_layer(c, attention), mlp=mlp, may_tie=False):
        if isinstance(part, TensorSpec) and part.role == "embedding":
            part = replace(part, shape=(c.vocab_size + 1, c.hidden_size))
        yield part
