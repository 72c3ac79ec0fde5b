"""Solar Open."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, gqa
from .deepseek import deepseek_experts


def solar_open(c: Config) -> Iterator[Part]:
    """Solar Open: grouped queries and DeepSeek-V3's experts, in every layer.

    Source: modeling_solar_open in transformers 5.24.  Implied: router and its correction bias.
    Checked: upstage/Solar-Open-100B stored 102,651,793,408, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=False)
    yield from decoder(c, attention=attention, mlp=deepseek_experts(c, correction=True))
