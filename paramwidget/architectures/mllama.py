"""Llama 3.2 with vision: some layers attend to what the tower sees instead of to the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..dim import Dim
from ..layers import LayerRun, LayerSpec
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, gated_mlp, gqa, linear, vector
from .blocks.base import place
from .blocks.seeing_tiles import mllama_vision
from .nested import text_config, text_model


def mllama(c: Config) -> Iterator[Part]:
    """Llama 3.2 Vision: a tower of two stacks, one map, and a text model with layers of cross-attention.

    Source: modeling_mllama in transformers 5.24.
    Checked: meta-llama/Llama-3.2-90B-Vision stored 88,593,355,323, Hub 88,593,355,323, residual 0.
    """
    text = text_config(c)
    if c.architecture.endswith("ForCausalLM"):  # the text model alone, out of the config of the whole
        yield from text_model(text, "model.")
        return
    vision = c.sub("vision_config")
    yield from mllama_vision(vision, "vision_model.")
    out = linear(
        "multi_modal_projector", text.hidden_size, vision.vision_output_dim, role="projector", bias=True
    )
    yield from place(out, "")
    seen = patches(vision)
    for part in text_model(text, "language_model.model.", "language_model."):
        if isinstance(part, LayerRun) and part.like.cross:
            yield replace(part, like=replace(part.like, cross_tokens=seen))
        else:
            yield part


def patches(vision: Config) -> int:
    """What the layers of cross-attention keep of one image that fills all tiles: its patches and a class a tile."""
    side = int(vision.image_size // vision.patch_size)
    return int(vision.max_num_tiles) * (side * side + 1)


def mllama_text(c: Config) -> Iterator[Part]:
    """Its text model: Llama, with the layers in ``cross_attention_layers`` reading the image, gated from nothing.

    Eight rows of the table stand for images, and the head has none for them, so it is never tied. A text token that
    follows no image passes the cross-attention layers by.

    Source: modeling_mllama in transformers 5.24.  Implied: q_norm, k_norm, the gates, eight rows of the table.
    """
    n = int(c.num_hidden_layers)
    named = c.get("cross_attention_layers")
    crossed = c.layers_in(
        "cross_attention_layers", [3, 8, 13, 18, 23, 28, 33, 38] if named is None else named, n
    )
    plain = gqa(c)
    across = gqa(c, qk_norm=True, path="cross_attn")
    gates = [vector(f"cross_attn_{name}_gate", 1, role="attention", implied=True) for name in ("attn", "mlp")]
    kept = LayerSpec(0, **across.facts).expanded
    cross = Block((*across.tensors, *gates), {"mixer": "none", "cross": kept, "cross_tokens": 0})
    for part in decoder(
        c, attention=[cross if i in crossed else plain for i in range(n)], mlp=gated_mlp(c), may_tie=False
    ):
        if isinstance(part, TensorSpec) and part.role == "embedding":
            yield TensorSpec(
                part.name,
                (c.vocab_size + Dim.field("image tokens", 8), c.hidden_size),
                "embedding",
                note="eight rows more than the head: they stand for images",
            )
        else:
            yield part
