"""PP-FormulaNet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part
from .blocks.heads import output, stem
from .blocks.seeing_tiles import sam
from .blocks.seq2seq import fairseq_stack
from .blocks.towers import conv, maps, patches


def pp_formulanet(c: Config) -> Iterator[Part]:
    """PP-FormulaNet: SAM's tower, two convolutions that each halve both sides, and mBART's decoder.

    Source: modeling_pp_formulanet in transformers 5.24.  Implied: all biases, two rows before the positions.
    Checked: the class's defaults, 180,897,536, residual 0.
    """
    text, v, at = c.sub("text_config"), c.sub("vision_config"), stem(c, "model")
    joint, encoder = f"{at}encoder.multi_modal_projector.", "encoder"
    for t in sam(v, f"{at}encoder."):
        yield replace(t, role=encoder)
    between, wide = v.post_conv_mid_channels, v.post_conv_out_channels
    yield from conv(f"{joint}conv1", between, v.post_conv_in_channels, (3, 3), role=encoder, bias=False)
    yield from conv(f"{joint}conv2", wide, between, (3, 3), role=encoder, bias=False)
    yield from maps(
        (f"{joint}linear_1", wide, wide), (f"{joint}linear_2", v.decoder_hidden_size, wide), role=encoder
    )
    words = TensorSpec(f"{at}decoder.embed_tokens.weight", (text.vocab_size, text.hidden_size), "embedding")
    yield words
    yield from fairseq_stack(
        text,
        "decoder",
        at,
        positions=text.max_position_embeddings + 2,
        embed_norm=True,
        final_norm=True,
        cross_tokens=int(patches(v)) // 16,
    )
    if c.head == "causal":
        yield from output(text, "lm_head", words, tied=False)
