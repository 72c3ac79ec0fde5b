"""Persimmon."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, layer_norm, multi_head, plain_mlp


def persimmon(c: Config) -> Iterator[Part]:
    """Persimmon: GPT-NeoX's maps, and norms with biases over each head of the queries and keys.

    Source: modeling_persimmon in transformers 5.24.  Implied: all biases.
    Checked: its default config stored 9,397,175,296, transformers 9,397,175,296, residual 0.
    """
    norm = layer_norm(c, c.divide("hidden_size", "num_attention_heads"), role="attention")
    norms = [*norm("self_attn.q_layernorm"), *norm("self_attn.k_layernorm")]
    yield from decoder(
        c,
        attention=multi_head(
            c,
            "self_attn.query_key_value",
            "self_attn.dense",
            extra=norms if c.flag("qk_layernorm") else (),
        ),
        mlp=plain_mlp(c, "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", bias=True, implied_bias=True),
        norm=layer_norm(c),
        final_norm="final_layernorm",
    )
