"""Command R and Command A."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, full_every, gated_mlp, gqa, qk_norms, sliding_by_layer


def cohere(c: Config) -> Iterator[Part]:
    """Command R: attention and MLP side by side behind one norm; with ``use_qk_norm``, a norm for each head.

    Source: modeling_cohere in transformers 5.24.
    Checked: CohereForAI/c4ai-command-r-v01 stored 34,980,831,232, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"))
    if c.flag("use_qk_norm"):
        norms = qk_norms(
            (c.num_attention_heads, c.head_dim), (c.num_key_value_heads, c.head_dim), implied=False
        )
        attention = attention.plus(*norms)
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), layer_norms=("input_layernorm",))


def cohere2(c: Config) -> Iterator[Part]:
    """Command R7B and Command A: Command R where three layers in four slide.

    Source: modeling_cohere2 in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    pattern = full_every(c, "sliding_window_pattern")
    attention = sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")), default=pattern)
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), layer_norms=("input_layernorm",))
