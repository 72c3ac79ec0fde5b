"""InternVL in the form of its makers, and Eagle, which has its projector."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part
from .blocks.seeing import intern_vit, tower
from .blocks.towers import fraction, maps, norm
from .nested import text_config, text_model


def internvl_chat(c: Config) -> Iterator[Part]:
    """InternVL 1.5 to 3.5: InternViT, patches shuffled into channels, a normed projector, any text model.

    Whether the head is tied is declared inside, in ``llm_config``.

    Source: modeling_internvl_chat and modeling_intern_vit of OpenGVLab/InternVL.  Implied: projector.
    Checked: OpenGVLab/InternVL2_5-8B stored 8,075,365,376, InternVL2_5-1B 938,193,024, Hub the same, residual 0.
    """
    vision, text = c.sub("vision_config", "intern_vit_6b"), text_config(c, own_tie=True)
    yield from intern_vit(vision, "vision_model.")
    yield from _shuffled(c, vision, text)
    yield from text_model(text, "language_model.model.", "language_model.")


def eagle3_vl(c: Config) -> Iterator[Part]:
    """Eagle 3 (Block2A): SigLIP 2 before Qwen3, with InternVL's projector. Windows and rotary positions hold nothing.

    The tower has its pooling head, which the model does not read, unless its config says ``vision_use_head`` false.

    Source: modeling_eagle3_vl and modeling_siglip2 of nvidia/Eagle-Block2A-2B-v2.  Implied: projector, pooling head.
    Checked: nvidia/Eagle-Block2A-2B-v2 against transformers' Siglip2VisionModel and Qwen3ForCausalLM of its configs.
    """
    if c.has("mlp_connector_layers") and c.mlp_connector_layers != 2:
        raise c.error("mlp_connector_layers", int(c.mlp_connector_layers), "is not described, only 2")
    for key in ("use_backbone_lora", "use_llm_lora"):
        if c.has(key) and c.natural(key):
            raise c.error(key, int(c.natural(key)), "is not described: the files hold adapters")
    vision, text = c.sub("vision_config"), text_config(c, own_tie=True)
    yield from tower(vision, "vision_model.")
    yield from _shuffled(c, vision, text)
    yield from text_model(text, "language_model.model.", "language_model.")


def _shuffled(c: Config, vision: Config, text: Config) -> Iterator[Part]:
    """The projector: the patches of a square side by side, a norm, two maps."""
    down = fraction(c, "downsample_ratio")
    merge = down.denominator // down.numerator
    seen = vision.hidden_size * merge * merge
    yield from norm("mlp1.0", seen, role="projector")
    yield from maps(("mlp1.1", text.hidden_size, seen), ("mlp1.3", text.hidden_size, text.hidden_size))
