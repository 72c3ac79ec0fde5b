"""CLIP, SigLIP, ViT and Swin: encoders of images, alone or beside one of texts."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..layers import LayerRun, LayerSpec
from .blocks import Part, linear
from .blocks.heads import labels
from .blocks.seeing import clip as clip_tower
from .blocks.seeing import pixtral as pixtral_tower
from .blocks.seeing import siglip as siglip_tower
from .blocks.seeing import siglip2 as siglip2_tower
from .blocks.seeing_swin import swin
from .blocks.towers import QKV, conv, layer, layers, maps, norm, pair, patches, table

#: the roles of an encoder that is the model itself, no tower beside one
BODY = {"attention": "attention", "mlp": "mlp", "norm": "norm"}

#: the head of a class -> its classifiers
CLASSIFIERS = {"image": ("classifier",), "teacher": ("cls_classifier", "distillation_classifier")}


def clip(c: Config) -> Iterator[Part]:
    """CLIP: a tower for images and one for texts, each mapped without a bias into one space.

    Source: modeling_clip in transformers 5.24.
    Checked: openai/clip-vit-base-patch16 stored 149,620,737, residual 0.
    """
    text, vision = c.sub("text_config"), c.sub("vision_config")
    yield from _text(text)
    yield from clip_tower(vision, "vision_model.")
    yield from maps(
        ("visual_projection", c.projection_dim, vision.hidden_size),
        ("text_projection", c.projection_dim, text.hidden_size),
        bias=False,
    )
    yield table("logit_scale", role="other")


def siglip(c: Config) -> Iterator[Part]:
    """SigLIP: no space in between; the text's last position goes through one map.

    Source: modeling_siglip in transformers 5.24.  Checked: the class's defaults, 203,155,970.
    """
    yield from _siglip_text(c)
    yield from siglip_tower(c.sub("vision_config"), "vision_model.")


def siglip2(c: Config) -> Iterator[Part]:
    """SigLIP 2 with images of any shape: patches through a linear map, a square table of positions.

    Source: modeling_siglip2 in transformers 5.24.  Checked: the class's defaults, 203,202,050.
    """
    yield from _siglip_text(c)
    yield from siglip2_tower(c.sub("vision_config"), "vision_model.")


def vit(c: Config) -> Iterator[Part]:
    """ViT: patches, a class token, learned positions; a pooler or a classifier on top.

    Source: modeling_vit in transformers 5.24, names of the Hub files.
    Checked: google/vit-base-patch16-224-in21k stored 86,389,248, residual 0.
    """
    yield from _vit(c, "vit.", "cls_token")


def deit(c: Config) -> Iterator[Part]:
    """DeiT: ViT with a second token, which learned from a teacher; with its teacher it has a classifier for each.

    Source: modeling_deit in transformers 5.24, names of the Hub files.  Implied: distillation_token.
    Checked: the class's defaults, 86,390,784 with the pooler.
    """
    yield from _vit(c, "deit.", "cls_token", "distillation_token")


def donut_swin(c: Config) -> Iterator[Part]:
    """Donut's and Nougat's encoder: Swin; a classifier over the mean of what it puts out.

    Source: modeling_donut_swin in transformers 5.24.  Implied: the tables of distances and their index.
    Checked: the class's defaults, 27,517,818 and 28,812 in buffers.
    """
    yield from swin(c, "" if c.head == "none" else "donut.")
    if c.head != "none":
        yield from linear("classifier", labels(c), c.hidden_size, role="lm_head", bias=True)


def _vit(c: Config, prefix: str, *tokens: str) -> Iterator[Part]:
    """ViT and DeiT, which begin with these learned tokens."""
    hidden, at = c.hidden_size, "" if c.head == "none" else prefix
    c.divide("hidden_size", "num_attention_heads")
    attention = [f"attention.attention.{n}" for n in ("query", "key", "value")]
    one = layer(
        hidden,
        c.intermediate_size,
        norms=("layernorm_before", "layernorm_after"),
        attention=[*attention, "attention.output.dense"],
        mlp=("intermediate.dense", "output.dense"),
        without_bias=() if c.flag("qkv_bias") else attention,
        parts=BODY,
    )
    for token in tokens:
        yield table(f"{at}embeddings.{token}", 1, 1, hidden, role="embedding")
    positions = patches(c) + len(tokens)
    yield table(f"{at}embeddings.position_embeddings", 1, positions, hidden, role="position")
    yield from conv(
        f"{at}embeddings.patch_embeddings.projection",
        hidden,
        c.num_channels,
        pair(c, "patch_size"),
        role="embedding",
    )
    yield from layers(one, f"{at}encoder.layer.", c.num_hidden_layers)
    yield LayerRun(range(c.num_hidden_layers), LayerSpec(0))
    yield from norm(f"{at}layernorm", hidden, role="norm")
    if c.head == "none":
        out = c.pooler_output_size if c.has("pooler_output_size") else hidden
        yield from linear(f"{at}pooler.dense", out, hidden, role="other", bias=True)
    for name in CLASSIFIERS.get(c.head, ()):
        yield from linear(name, labels(c), hidden, role="lm_head", bias=True)


def pixtral(c: Config) -> Iterator[Part]:
    """Pixtral's tower alone.

    Source: modeling_pixtral in transformers 5.24.  Checked: the class's defaults, 403,489,792.
    """
    yield from pixtral_tower(c, "")


def _text(t: Config) -> Iterator[Part]:
    """The text tower of both: learned positions, norms before what they feed."""
    hidden = t.hidden_size
    t.divide("hidden_size", "num_attention_heads")
    at = "text_model."
    yield table(f"{at}embeddings.token_embedding.weight", t.vocab_size, hidden, role="embedding")
    yield table(
        f"{at}embeddings.position_embedding.weight", t.max_position_embeddings, hidden, role="position"
    )
    one = layer(hidden, t.intermediate_size, attention=(*QKV, "self_attn.out_proj"), parts=BODY)
    yield from layers(one, f"{at}encoder.layers.", t.num_hidden_layers)
    yield LayerRun(range(t.num_hidden_layers), LayerSpec(0))
    yield from norm(f"{at}final_layer_norm", hidden, role="norm")


def _siglip_text(c: Config) -> Iterator[Part]:
    text = c.sub("text_config")
    yield from _text(text)
    out = text.projection_size if text.has("projection_size") else text.hidden_size
    yield from linear("text_model.head", out, text.hidden_size, role="other", bias=True)
    yield table("logit_scale", 1, role="other")
    yield table("logit_bias", 1, role="other")
