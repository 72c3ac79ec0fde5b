"""BLIP, BLIP-2, InstructBLIP and GIT: an image read into a text model by BERT's layers."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .bert import BERT_LM, bert_attention, bert_mlp
from .blocks import Block, Part, decoder, layer_norm, linear, multi_head, normed
from .blocks.base import place
from .blocks.encoder import tables
from .blocks.heads import output
from .blocks.seeing import clip
from .blocks.stack import groups
from .blocks.towers import conv, layer, layers, maps, norm, pair, patches, table
from .nested import renamed, text_config, text_model, tied_by_either

WRITTEN = ("attention.output.LayerNorm", "output.LayerNorm")


def blip(c: Config) -> Iterator[Part]:
    """BLIP: a tower, and BERT as a decoder that attends to it in each layer.

    Source: modeling_blip in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, residual 0.
    """
    text, vision = tied_by_either(c), c.sub("vision_config")
    yield from _tower(vision, "vision_model.", Dim.field("three colours", 3), bias=True)
    attention = bert_attention(text)
    if text.flag("is_decoder"):
        cross = _across(text, vision.hidden_size, "crossattention", "self")
        attention = attention.plus(*cross, *layer_norm(text)("crossattention.output.LayerNorm"))
    for part in decoder(
        text,
        attention=attention,
        mlp=bert_mlp(text),
        norm=layer_norm(text),
        layer_norms=(),
        post_norms=WRITTEN,
        base="bert",
        layers="encoder.layer",
        embed="embeddings.word_embeddings",
        extra=[*tables(text, types=None), *layer_norm(text)("embeddings.LayerNorm")],
        final_norm=None,
        top=BERT_LM,
    ):
        yield renamed(part, lambda name: f"text_decoder.{name}")


def blip2(c: Config) -> Iterator[Part]:
    """BLIP-2, InstructBLIP and its video form: learned queries read the tower, one map, any text model.

    The reader is BERT, every ``cross_attention_frequency``-th layer of which attends to the tower. One that also reads
    words has a second feed-forward, and InstructBLIP's has BERT's tables.

    Source: modeling_blip_2, modeling_instructblip and modeling_instructblipvideo in transformers 5.24.
    Implied: all biases but the tower's.
    Checked: the class's defaults, 1,216,944,384 and 1,297,466,112, residual 0.
    """
    vision, text = c.sub("vision_config"), text_config(c, own_tie=True)
    reader = c.sub("qformer_config")
    words = reader.model_type != "blip_2_qformer" or reader.flag("use_qformer_text_input")
    yield table("query_tokens", 1, c.num_query_tokens, reader.hidden_size, role="projector")
    yield from _tower(vision, "vision_model.", Dim.field("three colours", 3), bias=vision.flag("qkv_bias"))
    yield from query_transformer(
        reader, vision.hidden_size, "qformer.", words, old=reader.model_type == "blip_2_qformer"
    )
    yield from maps(("language_projection", text.hidden_size, reader.hidden_size))
    yield from text_model(text, "language_model.model.", "language_model.")


def _tower(v: Config, at: str, colours: Dim, *, bias: bool) -> Iterator[TensorSpec]:
    """Patches with a class token and learned positions; q, k and v in one matrix."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        attention=("self_attn.qkv", "self_attn.projection"),
        without_bias=() if bias else ("self_attn.qkv",),
    )
    yield table(f"{at}embeddings.class_embedding", 1, 1, hidden)
    yield table(f"{at}embeddings.position_embedding", 1, patches(v) + 1, hidden)
    yield from conv(f"{at}embeddings.patch_embedding", hidden, colours, pair(v, "patch_size"))
    yield from layers(one, f"{at}encoder.layers.", v.num_hidden_layers)
    yield from norm(f"{at}post_layernorm", hidden)


def query_transformer(r: Config, seen: Dim, at: str, words: bool, *, old: bool) -> Iterator[TensorSpec]:
    """BERT whose learned queries read what a tower puts out, ``seen`` wide; ``words``: it reads those too."""
    n, hidden, every = int(r.num_hidden_layers), r.hidden_size, int(r.cross_attention_frequency)
    own = [f"attention.{m}" for m in ("attention.query", "attention.key", "attention.value", "output.dense")]
    first = [*multi_head(r, *own).tensors, *layer_norm(r)("attention.output.LayerNorm")]
    cross = _across(r, seen, "crossattention", "attention")
    cross += layer_norm(r)("crossattention.output.LayerNorm")
    rest = list(_half(r, "_query"))
    if words:
        rest += _half(r, "")
    plain, crossed = Block(tuple(first + rest)), Block(tuple(first + cross + rest))
    if not old:
        for name, rows in (("word", r.vocab_size), ("position", r.max_position_embeddings)):
            yield table(f"{at}embeddings.{name}_embeddings.weight", rows, hidden, role="projector")
    yield from norm(f"{at}{'' if old else 'embeddings.'}layernorm", hidden, role="projector")
    for where, tensors in groups([crossed if i % every == 0 else plain for i in range(n)], n):
        yield from place(tensors, f"{at}encoder.layer.{{layer}}.", where, role="projector")


def _half(r: Config, of: str) -> list[TensorSpec]:
    hidden, width = r.hidden_size, r.intermediate_size
    return [
        *linear(f"intermediate{of}.dense", width, hidden, role="projector", bias=True),
        *linear(f"output{of}.dense", hidden, width, role="projector", bias=True),
        *norm(f"output{of}.LayerNorm", hidden, role="projector"),
    ]


def _across(c: Config, seen: int, path: str, inner: str) -> list[TensorSpec]:
    """Attention to what a tower sees."""
    hidden = c.hidden_size
    names = (
        (f"{inner}.query", hidden),
        (f"{inner}.key", seen),
        (f"{inner}.value", seen),
        ("output.dense", hidden),
    )
    return [
        t
        for name, inn in names
        for t in linear(f"{path}.{name}", hidden, inn, role="attention", bias=True, implied_bias=True)
    ]


def git(c: Config) -> Iterator[Part]:
    """GIT: CLIP's tower before BERT as a decoder; a vector for each frame where the config counts frames.

    Source: modeling_git in transformers 5.24.  Implied: all biases; its head is plain and has a bias.
    Checked: the class's defaults, 176,619,066, residual 0.
    """
    at, vision = "" if c.head == "none" else "git.", c.sub("vision_config")
    hidden, seen = c.hidden_size, vision.hidden_size
    yield from clip(vision, f"{at}image_encoder.vision_model.")
    yield from maps((f"{at}visual_projection.visual_projection.0", hidden, seen))
    yield from norm(f"{at}visual_projection.visual_projection.1", hidden, role="projector")
    frames = range(c.num_image_with_embedding if c.has("num_image_with_embedding") else 0)
    frame = TensorSpec("img_temporal_embedding.{layer}", (1, 1, seen), "projector")
    yield from place([frame], at, frames)

    def top(c: Config, table: TensorSpec) -> list[TensorSpec]:
        return output(c, "output", table, bias=True) if c.head == "causal" else []

    yield from decoder(
        c,
        attention=multi_head(
            c, *(f"attention.{m}" for m in ("self.query", "self.key", "self.value", "output.dense"))
        ),
        mlp=bert_mlp(c),
        norm=layer_norm(c),
        layer_norms=(),
        post_norms=WRITTEN,
        base="git",
        layers="encoder.layer",
        embed="embeddings.word_embeddings",
        extra=[*tables(c, types=None), *normed(layer_norm(c), "embeddings.LayerNorm").tensors],
        final_norm=None,
        top=top,
    )
