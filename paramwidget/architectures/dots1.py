"""dots.llm1."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, dense_or_moe, gqa, moe_from, sliding_by_layer
from .deepseek import deepseek_experts


def dots1(c: Config) -> Iterator[Part]:
    """dots.llm1: Qwen3's attention under DeepSeek-V3's experts; windows from layer ``max_window_layers`` on.

    Source: modeling_dots1 in transformers 5.24.  Implied: q_norm, k_norm, router and its correction bias.
    Checked: the class with the sizes of rednote-hilab/dots.llm1.base, residual 0.
    """
    n, first = int(c.num_hidden_layers), int(c.natural("max_window_layers"))
    attention = sliding_by_layer(
        c,
        gqa(c, bias=c.flag("attention_bias"), qk_norm=True),
        default=["sliding_attention" if i >= first else "full_attention" for i in range(n)],
    )
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    moe = deepseek_experts(c, correction=True)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, layers, moe))
