"""OpenELM."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, gqa, linear, qk_norms
from .blocks.heads import stem


def openelm(c: Config) -> Iterator[Part]:
    """OpenELM: heads and widths grow from layer to layer; q, k and v in one matrix, gate and up in another.

    Source: modeling_openelm of apple/OpenELM-270M.  Implied: widths rounded to ``ffn_dim_divisor``.
    Checked: a config of apple/OpenELM-270M stored 271,527,168, from the modelling code only.
    """
    n = int(c.num_hidden_layers)
    heads = list(zip(c.counts_of("num_query_heads", n), c.counts_of("num_kv_heads", n), strict=True))
    widths = [ffn_width(c, i, m) for i, m in enumerate(c.list_of("ffn_multipliers", n))]
    attention = {pair: openelm_attention(c, *pair) for pair in dict.fromkeys(heads)}
    mlp = {width: openelm_mlp(c, width) for width in dict.fromkeys(widths)}
    yield from decoder(
        c,
        attention=[attention[pair] for pair in heads],
        mlp=[mlp[width] for width in widths],
        layer_norms=("attn_norm", "ffn_norm"),
        base="transformer",
        embed="token_embeddings",
    )
    if not c.flag("share_input_output_layers"):
        # the body has a head of its own too, which the class with a head never asks
        yield TensorSpec(
            f"{stem(c, 'transformer')}classifier.weight", (c.vocab_size, c.hidden_size), "lm_head", "unread"
        )


def openelm_attention(c: Config, heads: Dim, kv_heads: Dim) -> Block:
    """One layer's attention."""
    attention = gqa(c, heads=heads, kv_heads=kv_heads, path="attn", fused="qkv_proj", out="out_proj")
    return (
        attention.plus(*qk_norms((c.head_dim,), path="attn"))
        if c.flag("normalize_qk_projections")
        else attention
    )


def openelm_mlp(c: Config, width: Dim) -> Block:
    """One layer's MLP."""
    up = linear("ffn.proj_1", 2 * width if c.flag("ffn_with_glu") else width, c.hidden_size, role="mlp")
    return Block((*up, *linear("ffn.proj_2", c.hidden_size, width, role="mlp")), {"ffn": "dense"})


def ffn_width(c: Config, layer: int, multiplier: object) -> Dim:
    """The width of one layer's MLP: so many times hidden_size, rounded to a multiple of ``ffn_dim_divisor``."""
    if isinstance(multiplier, bool) or not isinstance(multiplier, int | float) or not 0 < multiplier < 1000:
        raise c.error(f"ffn_multipliers[{layer}]", multiplier, "must be a number above 0 and below 1,000")
    return Dim.field(f"ffn_width[{layer}]", divisible(multiplier * int(c.hidden_size), c.ffn_dim_divisor))


def divisible(width: float, by: int) -> int:
    """The multiple of ``by`` that is nearest to ``width``, but at least one and no more than a tenth below.

    The modelling code rounds in floating point, and so does this: halves fall as they fall there.
    """
    near = max(by, int(width + by / 2) // by * by)
    return near + by if near < 0.9 * width else near
