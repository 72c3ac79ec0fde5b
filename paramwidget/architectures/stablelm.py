"""StableLM."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Part, decoder, gated_mlp, gqa, layer_norm


def stablelm(c: Config) -> Iterator[Part]:
    """StableLM: norms with a bias; with ``qk_layernorm`` one for each head; with a parallel residual one a layer.

    Source: modeling_stablelm in transformers 5.24.
    Checked: stabilityai/stablelm-2-zephyr-1_6b stored 1,644,515,328, residual 0.
    """
    head_dim = c.divide("hidden_size", "num_attention_heads")
    attention = gqa(c, head_dim=head_dim, bias=c.flag("use_qkv_bias"), out_bias=False)
    if c.flag("qk_layernorm"):
        attention = attention.plus(
            norm_a_head("q_layernorm", c.num_attention_heads, head_dim),
            norm_a_head("k_layernorm", c.num_key_value_heads, head_dim),
        )
    norms = ("input_layernorm", "post_attention_layernorm")
    yield from decoder(
        c,
        attention=attention,
        mlp=gated_mlp(c),
        norm=layer_norm(c),
        layer_norms=norms[:1] if c.flag("use_parallel_residual") else norms,
    )


def norm_a_head(name: str, heads: Dim, head_dim: Dim) -> TensorSpec:
    """As many norms as heads, without a bias, numbered in the files."""
    path = f"self_attn.{name}.norms.{{head}}.weight"
    return TensorSpec(path, (head_dim,), "attention", copies=heads, active_copies=heads)
