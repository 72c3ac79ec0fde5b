"""What each layer of the stack does, beside its parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace

MIXERS = ("full", "sliding", "chunked", "mla", "linear", "ssm", "none")
FFNS = ("dense", "moe", "none")


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """One layer: its token mixer, its feed-forward, and what it must remember of a context.

    window          tokens that a sliding or chunked layer looks back on
    kv_heads        key and value heads; k_dim and v_dim are the widths of one head
    latent          elements of the compressed cache a token (MLA), instead of heads
    state_elements  elements of a state whose size does not grow with the context
    shares_kv_with  the layer whose cache this one reads
    """

    index: int
    mixer: str = "full"
    ffn: str = "dense"
    window: int | None = None
    kv_heads: int = 0
    k_dim: int = 0
    v_dim: int = 0
    latent: int = 0
    state_elements: int = 0
    shares_kv_with: int | None = None


@dataclass(frozen=True, slots=True)
class LayerRun:
    """Layers that are alike: one LayerSpec and the indices it stands for, so that cost does not grow with depth."""

    indices: tuple[int, ...] | range
    like: LayerSpec

    def expand(self) -> list[LayerSpec]:
        return [replace(self.like, index=i) for i in self.indices]


def index_ranges(indices: tuple[int, ...] | range) -> str:
    """``(0, 1, 2, 4, 5)`` as ``"0-2,4-5"``."""
    out: list[str] = []
    it = iter(indices)
    first = next(it, None)
    if first is None:
        return ""
    last = first
    for i in it:
        if i == last + 1:
            last = i
            continue
        out.append(str(first) if first == last else f"{first}-{last}")
        first = last = i
    out.append(str(first) if first == last else f"{first}-{last}")
    return ",".join(out)
