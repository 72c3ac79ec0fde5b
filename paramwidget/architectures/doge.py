"""Doge."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, gated_mlp, gqa, linear, vector


def doge(c: Config) -> Iterator[Part]:
    """Doge: attention that masks itself by what its values say; residuals scaled by a vector each; dense form only.

    Source: modeling_doge in transformers 5.24.  Implied: the mask's maps, q_norm, k_norm, the residuals' vectors.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    if c.flag("is_moe"):
        raise c.error("is_moe", True, "asks for Doge's own kind of experts, which is not described here")
    bias, kv = c.flag("attention_bias"), c.num_key_value_heads
    attention = gqa(c, bias=bias, qk_norm=True).plus(
        vector("self_attn.A", kv, role="attention", implied=True),
        *linear("self_attn.dt_proj", kv, kv * c.head_dim, role="attention", bias=bias, implied=True),
        vector("input_residual", c.hidden_size, role="other", implied=True),
        vector("post_attention_residual", c.hidden_size, role="other", implied=True),
    )
    yield from decoder(c, attention=attention, mlp=gated_mlp(c, bias=c.flag("mlp_bias")))
