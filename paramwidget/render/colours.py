"""The colour of each role, in figures and in the browser: js/src/theme.css is the twin, held equal by a test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hue:
    """A fill, the colour of text on it, and the hatch that still tells it apart in grey.

    The hatch says the family (tables dotted, mixers slanted, feed-forward plain, towers crossed), the luminance says
    which of the family.
    """

    fill: str
    ink: str
    hatch: str = ""


#: role -> its hue, in the light theme
HUES: dict[str, Hue] = {
    "embedding": Hue("#1f7f6d", "#fff", "...."),
    "position": Hue("#6aa632", "#000", "...."),
    "per_layer_embedding": Hue("#b9d98b", "#000", ".."),
    "encoder": Hue("#5b4a99", "#fff", "xxx"),
    "attention": Hue("#d08a0a", "#000", "////"),
    "linear_attention": Hue("#f0c96b", "#000", "////"),
    "ssm": Hue("#8a5a00", "#fff", "////"),
    "mlp": Hue("#4f8fcb", "#000"),
    "router": Hue("#a8326b", "#fff", "|||"),
    "routed_expert": Hue("#1f4e79", "#fff"),
    "shared_expert": Hue("#8fbfe8", "#000"),
    "norm": Hue("#6b6b6b", "#fff", "---"),
    "lm_head": Hue("#93d3c4", "#000", "...."),
    "mtp": Hue("#a78bd0", "#000", "\\\\\\\\"),
    "vision": Hue("#b24a3a", "#fff", "xxx"),
    "audio": Hue("#e29a85", "#000", "xxx"),
    "projector": Hue("#6f6f28", "#fff", "+++"),
    "other": Hue("#9c9c9c", "#000", "---"),
}

#: experts that lie idle for a given token: fill, line, text
IDLE, IDLE_LINE, IDLE_TEXT = "#d9e3ed", "#b3c6d9", "#173a5a"
#: totals, and whatever belongs to no role
TOTAL = "#4a4a4a"
