"""Kosmos-2 and 2.5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, layer_norm, linear, multi_head, plain_mlp
from .blocks.seeing import clip, pix2struct_vision
from .blocks.towers import maps, table
from .nested import renamed, tied_by_either

ATTENTION = [f"self_attn.{n}_proj" for n in ("q", "k", "v", "out")]


def kosmos2(c: Config) -> Iterator[Part]:
    """Kosmos-2: CLIP, learned queries that read it, and a decoder with a norm inside attention and feed-forward.

    Source: modeling_kosmos2 in transformers 5.24.  Implied: all biases and the inner norms; positions are sinusoidal.
    Checked: the class's defaults, 1,664,485,376, residual 0.
    """
    text, vision = tied_by_either(c), c.sub("vision_config")
    if text.flag("add_cross_attention"):
        raise text.error("add_cross_attention", True, "is not described")
    yield from _text(text, inner_norms=("self_attn.inner_attn_ln",))
    yield from clip(vision, "vision_model.model.")
    yield from _queries(c, text, vision)


def kosmos2_5(c: Config) -> Iterator[Part]:
    """Kosmos-2.5: Pix2Struct's tower, and a decoder that knows what is image and what text; no norm inside attention.

    Source: modeling_kosmos2_5 in transformers 5.24.  Implied: all biases, the inner norm, segment_emb.
    Checked: the class's defaults, 1,374,646,272, residual 0.
    """
    text, vision = c.sub("text_config"), c.sub("vision_config")
    segments = TensorSpec(
        "segment_emb.weight", (2, text.embed_dim), "other", implied=True, note="image or text"
    )
    yield from _text(text, extra=[segments])
    yield from pix2struct_vision(vision, "vision_model.", vision.head_dim, vision.max_num_patches)
    yield from _queries(c, text, vision)


def _text(
    text: Config, *, inner_norms: Sequence[str] = (), extra: Sequence[TensorSpec] = ()
) -> Iterator[Part]:
    """The decoder of both, in fairseq's names, with a norm inside the feed-forward."""
    hidden, width, n = text.embed_dim, text.ffn_dim, int(text.layers)
    sizes = {"hidden_size": hidden, "num_hidden_layers": n, "num_attention_heads": text.attention_heads}
    inner = text.layer("text_config", sizes)
    norms = [t for name in inner_norms for t in layer_norm(inner, role="attention")(name)]
    mlp = plain_mlp(inner, "ffn.fc1", "ffn.fc2", width=width, bias=True, implied_bias=True)
    parts = decoder(
        inner,
        attention=multi_head(inner, *ATTENTION).plus(*norms),
        mlp=mlp.plus(*layer_norm(inner, width, role="mlp")("ffn.ffn_layernorm")),
        norm=layer_norm(inner),
        layer_norms=("self_attn_layer_norm", "final_layer_norm"),
        extra=extra,
        final_norm="layer_norm",
    )
    for part in parts:
        yield renamed(part, lambda name: f"text_model.{name}")


def _queries(c: Config, text: Config, vision: Config) -> Iterator[Part]:
    """The learned queries that read the image, at the width of the text."""
    hidden, at = text.embed_dim, "image_to_text_projection."
    yield table(f"{at}latent_query", c.latent_query_num, hidden, role="projector")
    yield from maps((f"{at}dense", hidden, vision.hidden_size))
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        yield from linear(f"{at}x_attn.{name}", hidden, hidden, role="projector", bias=True)
