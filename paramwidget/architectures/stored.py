"""What schemes of packing share: words, scales beside a weight, and the scheme itself."""

from __future__ import annotations

from collections.abc import Callable

from ..dim import Dim
from ..tensors import TensorSpec

Stored = list[TensorSpec]
Scheme = Callable[[TensorSpec], Stored]

#: bits of one word
WORD = 32
#: values that share a scale in NVFP4 and MXFP4
NVFP4_BLOCK, MXFP4_BLOCK = 16, 32


def beside(t: TensorSpec, suffix: str, shape: tuple[int, ...], dtype: str | None, note: str) -> TensorSpec:
    """A tensor of the bookkeeping of a weight."""
    return t.scale(t.name.removesuffix(".weight") + suffix, shape, dtype, note)


def up(n: int, size: int) -> int:
    """How many of a size hold so many, the last one padded."""
    return n.ceil_div(size) if isinstance(n, Dim) else -(-n // size)


def words(n: int, bits: int) -> int:
    """Words that hold so many values."""
    return up(n * bits, WORD)
