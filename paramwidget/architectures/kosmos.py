"""Kosmos-2."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, layer_norm, linear, multi_head, plain_mlp
from .blocks.seeing import clip
from .blocks.towers import maps, table
from .nested import renamed, tied_by_either

ATTENTION = [f"self_attn.{n}_proj" for n in ("q", "k", "v", "out")]


def kosmos2(c: Config) -> Iterator[Part]:
    """Kosmos-2: CLIP, learned queries that read it, and a decoder with a norm inside attention and feed-forward.

    Source: modeling_kosmos2 in transformers 5.24.  Implied: all biases and the inner norms; positions are sinusoidal.
    Checked: the class's defaults, 1,664,485,376, residual 0.
    """
    text, vision = tied_by_either(c), c.sub("vision_config")
    hidden, width, n = text.embed_dim, text.ffn_dim, int(text.layers)
    sizes = {"hidden_size": hidden, "num_hidden_layers": n, "num_attention_heads": text.attention_heads}
    inner = text.layer("text_config", sizes)
    if text.flag("add_cross_attention"):
        raise text.error("add_cross_attention", True, "is not described")
    attention = multi_head(inner, *ATTENTION).plus(
        *layer_norm(inner, role="attention")("self_attn.inner_attn_ln")
    )
    mlp = plain_mlp(inner, "ffn.fc1", "ffn.fc2", width=width, bias=True, implied_bias=True)
    parts = decoder(
        inner,
        attention=attention,
        mlp=mlp.plus(*layer_norm(inner, width, role="mlp")("ffn.ffn_layernorm")),
        norm=layer_norm(inner),
        layer_norms=("self_attn_layer_norm", "final_layer_norm"),
        final_norm="layer_norm",
    )
    for part in parts:
        yield renamed(part, lambda name: f"text_model.{name}")
    yield from clip(vision, "vision_model.model.")
    at = "image_to_text_projection."
    yield table(f"{at}latent_query", c.latent_query_num, hidden, role="projector")
    yield from maps((f"{at}dense", hidden, vision.hidden_size))
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        yield from linear(f"{at}x_attn.{name}", hidden, hidden, role="projector", bias=True)
