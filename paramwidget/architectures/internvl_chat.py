"""InternVL in the form of its makers."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part
from .blocks.seeing import intern_vit
from .blocks.towers import fraction, maps, norm
from .nested import text_config, text_model


def internvl_chat(c: Config) -> Iterator[Part]:
    """InternVL 1.5 to 3.5: InternViT, patches shuffled into channels, a normed projector, any text model.

    Whether the head is tied is declared inside, in ``llm_config``.

    Source: modeling_internvl_chat and modeling_intern_vit of OpenGVLab/InternVL.  Implied: projector.
    Checked: OpenGVLab/InternVL2_5-8B stored 8,075,365,376, InternVL2_5-1B 938,193,024, Hub the same, residual 0.
    """
    vision, text = c.sub("vision_config", "intern_vit_6b"), text_config(c, own_tie=True)
    down = fraction(c, "downsample_ratio")
    merge = down.denominator // down.numerator
    seen = vision.hidden_size * merge * merge
    yield from intern_vit(vision, "vision_model.")
    yield from norm("mlp1.0", seen, role="projector")
    yield from maps(("mlp1.1", text.hidden_size, seen), ("mlp1.3", text.hidden_size, text.hidden_size))
    yield from text_model(text, "language_model.model.", "language_model.")
