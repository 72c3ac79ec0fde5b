"""Logics-Thinking: two towers of different kinds side by side, before Qwen3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.seeing import siglip
from .blocks.towers import conv, layers, norm, table, two_layers
from .nested import text_model

#: CLIP's ConvNeXt-XXLarge, which the config names as ``convnext-1024``: width and layers of each stage, then what its
#: head puts out
CONVNEXT = (((384, 3), (768, 4), (1536, 30), (3072, 3)), 1024)


def logics(c: Config) -> Iterator[Part]:
    """Logics-Thinking: ConvNeXt and SigLIP 2 without its last layer, two maps, Qwen3.

    Source: the names and the total of the Hub files.  Implied: the ConvNeXt tower's sizes, the vector between rows.
    Checked: Logics-MLLM/Logics-Thinking-8B stored 9,469,118,880; its index says 18,938,237,760 bytes, two for each.
    """
    if c.get("mm_vision_tower") != "convnext-1024,siglip2-384" or c.get("mm_projector_type") != "mlp2x_gelu":
        key = "mm_vision_tower" if c.get("mm_projector_type") == "mlp2x_gelu" else "mm_projector_type"
        raise c.error(key, c.get(key), "is not described; convnext-1024,siglip2-384 and mlp2x_gelu are")
    at, hidden = "model.vision_tower.vision_towers.", c.hidden_size
    yield from _convnext(f"{at}0.vision_tower.")
    second = c.sub("siglip_config", "siglip_vision_model")
    shorter = second.layer("siglip_config", {"num_hidden_layers": int(second.num_hidden_layers) - 1})
    yield from siglip(shorter, f"{at}1.vision_tower.vision_model.", head=False)
    seen = second.hidden_size + CONVNEXT[0][-1][0]
    if c.mm_hidden_size != seen:
        raise c.error("mm_hidden_size", int(c.mm_hidden_size), f"is not that of both towers, {int(seen)}")
    yield from two_layers("model.mm_projector.", c.mm_hidden_size, hidden, names=("0", "2"))
    yield table("model.image_newline", hidden, role="projector")
    yield from text_model(c.flat("qwen3"), "model.")


def _convnext(at: str) -> Iterator[TensorSpec]:
    stages, out = CONVNEXT
    seen = stages[0][0]
    yield from conv(f"{at}stem.0", seen, 3, (4, 4))
    yield from norm(f"{at}stem.1", seen)
    for i, (width, depth) in enumerate(stages):
        if i:
            yield from norm(f"{at}stages.{i}.downsample.0", seen)
            yield from conv(f"{at}stages.{i}.downsample.1", width, seen, (2, 2))
        one = [
            table("weight", width),
            *conv("conv_dw", width, 1, (7, 7)),
            *norm("norm", width),
            *linear("mlp.fc1", width * 4, width, role="vision", bias=True),
            *linear("mlp.fc2", width, width * 4, role="vision", bias=True),
        ]
        yield from layers(one, f"{at}stages.{i}.blocks.", depth)
        seen = width
    yield from norm(f"{at}head.norm", seen)
    yield from linear(f"{at}head.fc", out, seen, role="vision", bias=True)
