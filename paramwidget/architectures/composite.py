"""An encoder and a decoder that are each a model of their own type, joined by the decoder's cross-attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..config import Config
from ..errors import UnknownArchitecture, nearest_names, shown
from ..layers import LayerRun
from .blocks import Part, linear
from .blocks.heads import ENDINGS
from .blocks.seeing_swin import swin_tokens
from .blocks.towers import patches
from .nested import renamed

#: how many tokens an encoder of images puts out: its patches, and the learned tokens before them
TOKENS: dict[str, Callable[[Config], int]] = {
    "deit": lambda v: int(patches(v)) + 2,
    "donut-swin": swin_tokens,
    "vit": lambda v: int(patches(v)) + 1,
}


def encoder_decoder(c: Config) -> Iterator[Part]:
    """Any encoder before any decoder that can attend to it; a map between them where their widths differ.

    The two share no table, whatever the whole says. The map is left out where the decoder's attention takes the
    encoder's width (``cross_attention_hidden_size``).

    Source: modeling_encoder_decoder, modeling_vision_encoder_decoder in transformers 5.24.  Implied: enc_to_dec_proj.
    Checked: the classes' defaults, a BERT behind a ViT or a BERT, stored 224,270,394 and 247,363,386, residual 0.
    """
    encoder, decoder = side(c, "encoder", "none"), side(c, "decoder", "causal")
    for part in inside(encoder, "encoder."):
        if not isinstance(part, LayerRun):
            yield replace(part, role="encoder")
    attends, tokens = False, TOKENS[encoder.model_type](encoder) if encoder.model_type in TOKENS else None
    for part in inside(decoder, "decoder."):
        if isinstance(part, LayerRun) and part.like.cross:
            attends = True
            yield LayerRun(part.indices, replace(part.like, cross_tokens=tokens))
        else:
            yield part
    if not attends:
        what = "is of a type, or has no add_cross_attention, so that it cannot read the encoder"
        raise c.error("decoder.model_type", decoder.model_type, what)
    if not decoder.has("cross_attention_hidden_size") and encoder.hidden_size != decoder.hidden_size:
        yield from linear(
            "enc_to_dec_proj",
            decoder.hidden_size,
            encoder.hidden_size,
            role="projector",
            bias=True,
            implied=True,
        )


def side(c: Config, key: str, head: str) -> Config:
    """The config of one side, as the class of its type that has this head reads it."""
    from .table import TABLE  # the table names this file's function

    kind = c.kind_of(key)
    endings = TABLE[kind].endings if kind in TABLE else ()
    ending = next((e for e in sorted(endings, key="ForCausalLM".__ne__) if ENDINGS[e] == head), None)
    if ending is None:
        near = nearest_names(kind, TABLE)
        raise UnknownArchitecture(
            f"{c.where}: {c.path}{key}.model_type = {shown(kind)} is not described here as the {key} of a pair. "
            f"Known near it: {', '.join(near) or 'none'}.",
            name=kind,
            nearest=near,
        )
    own = c.sub(key, kind, declared=TABLE[kind].declared)
    own.architecture, own.head = TABLE[kind].prefix + ending, head
    return own


def inside(own: Config, at: str) -> Iterator[Part]:
    """The parts of a model, each name behind ``at``."""
    from .table import TABLE  # the table names this file's function

    for part in TABLE[own.model_type].load()(own):
        yield renamed(part, lambda name: at + name)
