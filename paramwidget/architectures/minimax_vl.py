"""MiniMax-M3 with its tower."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part
from .blocks.towers import conv, layer, layers, maps, norm, pair
from .nested import text_config, text_model


def minimax_m3_vl(c: Config) -> Iterator[Part]:
    """MiniMax-M3 with its tower: CLIP without positions, two maps, and two more over neighbouring patches.

    Source: modeling_minimax_m3_vl in transformers 5.24, names of the Hub files.
    Checked: the class's defaults, 448,052,008,448.
    """
    vision, text = c.sub("vision_config"), text_config(c)
    out, merge = text.hidden_size, vision.spatial_merge_size
    wide = c.projector_hidden_size
    yield from _tower(vision, "vision_tower.vision_model.")
    yield from maps(
        ("multi_modal_projector.linear_1", wide, vision.hidden_size),
        ("multi_modal_projector.linear_2", out, wide),
        ("patch_merge_mlp.linear_1", wide, out * merge * merge),
        ("patch_merge_mlp.linear_2", out, wide),
    )
    yield from text_model(text, "language_model.model.", "language_model.")


def _tower(v: Config, at: str) -> Iterator[TensorSpec]:
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    kernel = (pair(v, "temporal_patch_size")[0], *pair(v, "patch_size"))
    yield from conv(f"{at}embeddings.patch_embedding", hidden, v.num_channels, kernel, bias=False)
    yield from norm(f"{at}pre_layrnorm", hidden)
    yield from layers(layer(hidden, v.intermediate_size), f"{at}encoder.layers.", v.num_hidden_layers)
