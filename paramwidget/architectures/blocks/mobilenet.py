"""MobileNetV5 with 300 million parameters, the tower of Gemma 3n: an encoder of timm that its config only names.

Its stages are the definition of ``mobilenetv5_300m_enc`` in timm 1.0. The first block of each changes the width.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...tensors import TensorSpec
from .towers import conv, norm, table

STEM, FUSED = 64, 2048


@dataclass(frozen=True)
class Inverted:
    """A universal inverted residual: a depthwise convolution, wider by ``expand``, another one, and back."""

    start: int
    middle: int
    expand: int


@dataclass(frozen=True)
class Queries:
    """Attention of ``heads`` queries and one key and value, which a convolution may first make coarser."""

    heads: int
    dim: int
    coarser: bool


#: the first stage is edge residuals of one width
EDGES, EDGE = 3, 128

Blocks = tuple[Inverted | Queries, ...]
WIDE: Blocks = (Inverted(5, 0, 4), Inverted(3, 0, 4)) * 2
COARSE: Blocks = (Queries(12, 64, True), Inverted(0, 0, 2)) * 14
FINE: Blocks = (Queries(16, 96, False), Inverted(0, 0, 2)) * 19

#: width and blocks of the stages after it
STAGES: tuple[tuple[int, Blocks], ...] = (
    (256, (Inverted(3, 5, 6), *WIDE)),
    (640, (Inverted(5, 5, 6), *(Inverted(5, 0, 4),) * 7, Inverted(0, 0, 1), *COARSE)),
    (1280, (Inverted(5, 5, 6), *FINE)),
)


def mobilenet_v5(at: str) -> Iterator[TensorSpec]:
    """The encoder: a stem, four stages, and one feed-forward over the last two stages together."""
    yield from conv(f"{at}conv_stem.conv", STEM, 3, (3, 3))
    yield from norm(f"{at}conv_stem.bn", STEM, bias=False)
    seen = STEM
    for i in range(EDGES):
        yield from _edge(f"{at}blocks.0.{i}.", seen, EDGE)
        seen = EDGE
    for stage, (width, blocks) in enumerate(STAGES, start=1):
        for i, block in enumerate(blocks):
            where = f"{at}blocks.{stage}.{i}."
            if isinstance(block, Queries):
                yield from _attention(where, width, block)
            else:
                yield from _inverted(where, seen, width, block)
            yield table(f"{where}layer_scale.gamma", width)
            seen = width
    both = STAGES[-2][0] + STAGES[-1][0]
    yield from _inverted(f"{at}msfa.ffn.", both, FUSED, Inverted(0, 0, 2))
    yield from norm(f"{at}msfa.norm", FUSED, bias=False)


def _edge(at: str, inn: int, out: int) -> Iterator[TensorSpec]:
    """A convolution into four times the width, and one back."""
    yield from conv(f"{at}conv_exp", inn * 4, inn, (3, 3), bias=False)
    yield from norm(f"{at}bn1", inn * 4, bias=False)
    yield from conv(f"{at}conv_pwl", out, inn * 4, (1, 1), bias=False)
    yield from norm(f"{at}bn2", out, bias=False)


def _inverted(at: str, inn: int, out: int, block: Inverted) -> Iterator[TensorSpec]:
    wide = inn * block.expand
    for name, width, before, kernel in (
        ("dw_start", inn, 1, block.start),
        ("pw_exp", wide, inn, 1),
        ("dw_mid", wide, 1, block.middle),
        ("pw_proj", out, wide, 1),
    ):
        if kernel:
            yield from conv(f"{at}{name}.conv", width, before, (kernel, kernel), bias=False)
            yield from norm(f"{at}{name}.bn", width, bias=False)


def _attention(at: str, width: int, block: Queries) -> Iterator[TensorSpec]:
    yield from norm(f"{at}norm", width, bias=False)
    yield from conv(f"{at}attn.query.proj", block.heads * block.dim, width, (1, 1), bias=False)
    for name in ("key", "value"):
        if block.coarser:
            yield from conv(f"{at}attn.{name}.down_conv", width, 1, (3, 3), bias=False)
            yield from norm(f"{at}attn.{name}.norm", width, bias=False)
        yield from conv(f"{at}attn.{name}.proj", block.dim, width, (1, 1), bias=False)
    yield from conv(f"{at}attn.output.proj", width, block.heads * block.dim, (1, 1), bias=False)
