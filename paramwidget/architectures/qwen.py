"""Qwen, the first generation."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, gated_mlp, gqa


def qwen(c: Config) -> Iterator[Part]:
    """Qwen-7B to 72B: q, k and v in one matrix with a bias; ``intermediate_size`` is both halves of the gated MLP.

    ``no_bias`` is of the other maps.

    Source: modeling_qwen of Qwen/Qwen-7B; tensor names of Qwen/Qwen-72B.  Implied: the bias of c_attn.
    Checked: Qwen/Qwen-7B stored 7,721,324,544, Hub 7,721,324,544, residual 0.
    """
    bias = not c.flag("no_bias")
    attention = gqa(
        c,
        bias=True,
        implied_bias=True,
        out_bias=bias,
        kv_heads=c.num_attention_heads,
        path="attn",
        fused="c_attn",
        out="c_proj",
    )
    yield from decoder(
        c,
        attention=attention,
        mlp=gated_mlp(c, c.intermediate_size // 2, bias=bias, matrices=("w1", "w2", "c_proj")),
        layer_norms=("ln_1", "ln_2"),
        base="transformer",
        layers="h",
        embed="wte",
        final_norm="ln_f",
    )
