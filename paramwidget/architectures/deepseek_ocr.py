"""DeepSeek-OCR: SAM before a second encoder, before the first DeepSeek-MoE."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part
from .blocks.seeing import sam
from .blocks.towers import conv, layer, layers, maps, norm, patches, table
from .nested import renamed, text_config, text_model

#: SAM's names in transformers -> in these files
NAMES = (
    ("neck.conv1.", "neck.0."),
    ("neck.layer_norm1.", "neck.1."),
    ("neck.conv2.", "neck.2."),
    ("neck.layer_norm2.", "neck.3."),
    ("layers.", "blocks."),
    (".layer_norm", ".norm"),
    ("patch_embed.projection", "patch_embed.proj"),
)


def deepseek_ocr(c: Config) -> Iterator[Part]:
    """DeepSeek-OCR: SAM, shortened by convolutions, through CLIP; both side by side through one map.

    Source: deepencoder of deepseek-ai/DeepSeek-OCR; names, from the files.  Implied: SAM's sizes but three, separators.
    Checked: deepseek-ai/DeepSeek-OCR stored 3,336,106,240; its index says 13,344,427,016 bytes, which is four for each
    and 257 positions of eight.
    """
    widths, text = c.sub("vision_config").sub("width"), text_config(c, "deepseek")
    yield from _sam(widths.sub("sam_vit_b"))
    clip = widths.sub("clip-l-14-224")
    hidden, at = clip.width, "model.vision_model."
    one = layer(hidden, hidden * 4, attention=("self_attn.qkv_proj", "self_attn.out_proj"))
    yield table(f"{at}embeddings.class_embedding", hidden)
    yield from conv(
        f"{at}embeddings.patch_embedding", hidden, 3, (clip.patch_size, clip.patch_size), bias=False
    )
    yield table(f"{at}embeddings.position_embedding.weight", patches(clip) + 1, hidden)
    yield from norm(f"{at}pre_layrnorm", hidden)
    yield from layers(one, f"{at}transformer.layers.", clip.layers)
    projector = c.sub("projector_config")
    if projector.get("projector_type") != "linear":
        raise projector.error(
            "projector_type", projector.get("projector_type"), "is not described; linear is"
        )
    yield from maps(("model.projector.layers", projector.n_embed, projector.input_dim))
    for name in ("image_newline", "view_seperator"):
        yield TensorSpec(f"model.{name}", (projector.n_embed,), "projector")
    yield from text_model(text, "model.")


def _sam(s: Config) -> Iterator[Part]:
    """SAM's tower, and two convolutions that halve its grid."""
    sizes = {"hidden_size": s.width, "num_hidden_layers": s.layers, "num_attention_heads": s.heads}

    def name(of: str) -> str:
        for ours, theirs in NAMES:
            of = of.replace(ours, theirs)
        return f"model.sam_model.{of}"

    v = s.flat("sam_vision_model").layer("sam_vit_b", sizes)
    for t in sam(v, ""):
        yield renamed(t, name)
    first, second = s.counts_of("downsample_channels", 2)
    yield from conv("model.sam_model.net_2", first, v.output_channels, (3, 3), bias=False)
    yield from conv("model.sam_model.net_3", second, first, (3, 3), bias=False)
