"""Florence-2."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.heads import output, stem
from .blocks.towers import conv, maps, norm, stages, table, times
from .nested import text_config, text_model


def florence2(c: Config) -> Iterator[Part]:
    """Florence-2: DaViT, one map, BART.

    Source: modeling_florence2 in transformers 5.24.  Implied: all biases, the tables of cosines, a buffer.
    Checked: the class's defaults, 497,761,280 and 102,400 of buffer, residual 0.
    """
    at, v, text = stem(c, "model"), c.sub("vision_config"), text_config(c, "bart", own_tie=True)
    *_, last = v.counts_of("embed_dim", stages(v))
    out, joint = v.projection_dim, f"{at}multi_modal_projector."
    yield from davit(v, f"{at}vision_tower.")
    yield from maps((f"{joint}image_projection", out, last), bias=False)
    yield from norm(f"{joint}image_proj_norm", out, role="projector")
    for name, width in (("row", last // 2), ("column", last - last // 2)):
        rows = v.max_position_embeddings
        yield table(f"{joint}image_position_embed.{name}_embeddings.weight", rows, width, role="projector")
    cosines = (v.max_temporal_embeddings, last)
    yield TensorSpec(f"{joint}visual_temporal_embed.pos_idx_to_embed", cosines, "projector", "buffer")
    inner = f"{at}language_model."
    for part in text_model(text, inner):
        if not isinstance(part, TensorSpec) or part.role != "lm_head":
            yield part
    if c.head != "none":  # a head of the whole's, which alone says whether it is tied
        shared = TensorSpec(f"{inner}shared.weight", (text.vocab_size, text.hidden_size), "embedding")
        yield from output(c, "lm_head", shared)


def davit(v: Config, at: str) -> Iterator[TensorSpec]:
    """DaViT: each stage shrinks the grid by a convolution; its blocks come in pairs, over places and over channels."""
    n, inn = stages(v), v.in_channels
    sizes, depths, sides = v.counts_of("embed_dim", n), v.counts_of("depths", n), v.counts_of("patch_size", n)
    before = v.list_of("patch_prenorm", n)
    for i, (hidden, depth, side) in enumerate(zip(sizes, depths, sides, strict=True)):
        yield from conv(f"{at}convs.{i}.conv", hidden, inn, (side, side))
        yield from norm(f"{at}convs.{i}.norm", inn if before[i] else hidden)
        for block in range(depth):
            for kind, mixer in (("spatial", "window"), ("channel", "channel")):
                yield from _block(v, f"{at}blocks.{i}.{block}.{kind}_block.", f"{mixer}_attn.", hidden)
        inn = hidden


def _block(v: Config, at: str, mixer: str, hidden: Dim) -> Iterator[TensorSpec]:
    """Attention and a feed-forward, before each of which a convolution looks at the neighbours."""
    width = times(v, hidden, "mlp_ratio")
    for i in (1, 2):
        yield from conv(f"{at}conv{i}", hidden, Dim.field("channels a group", 1), (3, 3))
        yield from norm(f"{at}norm{i}", hidden)
    yield from linear(f"{at}{mixer}qkv", 3 * hidden, hidden, role="vision", bias=v.flag("qkv_bias"))
    yield from linear(f"{at}{mixer}proj", hidden, hidden, role="vision", bias=True)
    yield from linear(f"{at}ffn.fc1", width, hidden, role="vision", bias=True)
    yield from linear(f"{at}ffn.fc2", hidden, width, role="vision", bias=True)
