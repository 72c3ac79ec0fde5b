"""Kimi's models that see: MoonViT before DeepSeek-V3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part
from .blocks.seeing_tiles import moonvit
from .blocks.towers import maps, norm
from .nested import text_config, text_model


def kimi_k25(c: Config) -> Iterator[Part]:
    """Kimi K2.5: MoonViT, patches of a square side by side, two maps, DeepSeek-V3's layers.

    Source: modeling_kimi_k25 in transformers 5.24, names of the Hub files.
    Checked: moonshotai/Kimi-K2.5 stored 1,026,879,353,328 and 23,040 correction biases, Hub 1,026,879,376,368.
    """
    vision, text = c.sub("vision_config"), text_config(c)
    yield from moonvit(vision, "vision_tower.")
    # the files say in the tower what it hands on, the class beside it
    seen = vision.mm_hidden_size if vision.has("mm_hidden_size") else c.projection_hidden_size
    yield from norm("mm_projector.pre_norm", seen, role="projector")
    yield from _joined(vision, text, "mm_projector.proj.0", "mm_projector.proj.2")
    yield from text_model(text, "language_model.model.", "language_model.")


def kimi_vl(c: Config) -> Iterator[Part]:
    """Kimi-VL: the same tower, under other names behind it.

    Source: modeling_kimi_vl of moonshotai/Kimi-VL-A3B-Instruct.
    Checked: moonshotai/Kimi-VL-A3B-Instruct stored 16,407,654,384 and 1,664 correction biases; the Hub's
    16,407,657,776 are 1,728 (27 × 64) more.
    """
    vision, text = c.sub("vision_config", "kimi_k25_vision"), text_config(c)
    at = "multi_modal_projector."
    yield from moonvit(vision, "vision_tower.")
    yield from norm(f"{at}pre_norm", vision.hidden_size, role="projector")
    yield from _joined(vision, text, f"{at}linear_1", f"{at}linear_2")
    yield from text_model(text, "language_model.model.", "language_model.")


def _joined(vision: Config, text: Config, first: str, second: str) -> Iterator[Part]:
    high, wide = vision.counts_of("merge_kernel_size", 2)
    seen = vision.hidden_size * high * wide
    yield from maps((first, seen, seen), (second, text.hidden_size, seen))
