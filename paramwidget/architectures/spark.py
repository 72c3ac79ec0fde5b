"""Spark-X2.5."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, gated_mlp, gqa, linear, sliding_by_layer


def spark2_5(c: Config) -> Iterator[Part]:
    """Spark-X2.5: q, k and v in one matrix, and a gate of one number a head on what attention puts out.

    Source: a description of modeling_spark of XHToken/Spark-X2.5-4B and of the tensors of its GGUF.
    Checked: XHToken/Spark-X2.5-4B stored 4,112,079,360, reported 4,112,079,360, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), fused="q_k_v_proj")
    if c.flag("headwise_attn_output_gate"):
        gate = linear("self_attn.g_proj", c.num_attention_heads, c.hidden_size, role="attention")
        attention = attention.plus(*gate)
    mlp = gated_mlp(c, bias=c.flag("mlp_bias"))
    yield from decoder(c, attention=sliding_by_layer(c, attention), mlp=mlp)
