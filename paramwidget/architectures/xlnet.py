"""XLNet."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, layer_norm, plain_mlp
from .blocks.heads import output


def xlnet(c: Config) -> Iterator[Part]:
    """XLNet: attention by relative positions, a map and three vectors a head for them, two for the segments.

    Source: modeling_xlnet in transformers 5.24.  Implied: all biases, the vectors, mask_emb.
    Checked: the class's defaults, 360,300,800, residual 0.
    """
    hidden, heads, role = c.hidden_size, c.num_attention_heads, "attention"
    dim = c.d_head if c.has("d_head") else c.divide("hidden_size", "num_attention_heads")
    tensors = [TensorSpec(f"rel_attn.{n}", (hidden, heads, dim), role) for n in "qkvor"]
    tensors += (TensorSpec(f"rel_attn.r_{n}_bias", (heads, dim), role, implied=True) for n in "rsw")
    segments = (Dim.field("segments", 2), heads, dim)
    tensors.append(TensorSpec("rel_attn.seg_embed", segments, role, implied=True))
    facts = {"mixer": "full", "kv_heads": int(heads), "k_dim": int(dim), "v_dim": int(dim)}

    def top(c: Config, table: TensorSpec) -> list[TensorSpec]:
        return output(c, "lm_loss", table, bias=True) if c.head == "causal" else []

    yield from decoder(
        c,
        attention=Block(tuple(tensors), facts),
        mlp=plain_mlp(c, "ff.layer_1", "ff.layer_2", width=c.d_inner, bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=(),
        post_norms=("rel_attn.layer_norm", "ff.layer_norm"),
        base="transformer",
        layers="layer",
        embed="word_embedding",
        extra=[TensorSpec("mask_emb", (1, 1, hidden), "embedding", implied=True)],
        final_norm=None,
        top=top,
    )
