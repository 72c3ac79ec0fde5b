"""Phi-3-vision and Phi-3.5-vision."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part
from .blocks.heads import stem
from .blocks.seeing import clip
from .blocks.towers import maps, table
from .llama import phi3


def phi3_v(c: Config) -> Iterator[Part]:
    """Phi-3-vision: Phi-3, CLIP, and four neighbouring patches side by side through two maps.

    The tower's sizes are in its code, not in the config: CLIP ViT-L/14 at 336 pixels.

    Source: image_embedding_phi3_v of microsoft/Phi-3.5-vision-instruct.  Implied: tower, separators, projector.
    Checked: microsoft/Phi-3.5-vision-instruct stored 4,146,621,440, Hub 4,146,621,440, residual 0.
    """
    hidden, at = c.hidden_size, f"{stem(c, 'model')}vision_embed_tokens."
    vision = c.sub("vision_config", "clip_vision_model")
    seen = vision.hidden_size * 4
    yield from clip(vision, f"{at}img_processor.vision_model.")
    yield table(f"{at}glb_GN", 1, 1, seen, role="projector")
    yield table(f"{at}sub_GN", 1, 1, 1, seen, role="projector")
    yield from maps((f"{at}img_projection.0", hidden, seen), (f"{at}img_projection.2", hidden, hidden))
    yield from phi3(c)
