"""gpt-oss."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, experts, gqa, sliding_by_layer


def gpt_oss(c: Config) -> Iterator[Part]:
    """gpt-oss: biases everywhere, attention sinks, stacked experts; every other layer slides.

    Source: modeling_gpt_oss in transformers 5.24.  Implied: sinks, router and its bias, expert biases.
    Checked: openai/gpt-oss-120b stored 116,829,156,672, Hub 116,829,156,672, residual 0.
    """
    moe = experts(
        c,
        count=c.num_local_experts,
        width=c.intermediate_size,
        router="router",
        router_bias=True,
        bias=True,
        stacked=True,
        transposed=True,
    )
    n = int(c.num_hidden_layers)
    alternating = ["full_attention" if i % 2 else "sliding_attention" for i in range(n)]
    attention = sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias"), sinks=True), default=alternating)
    yield from decoder(c, attention=attention, mlp=moe)
