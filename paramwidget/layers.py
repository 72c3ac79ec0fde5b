"""What each layer of the stack does, beside its parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace

MIXERS = ("full", "sliding", "chunked", "mla", "compressed", "linear", "ssm", "none")
FFNS = ("dense", "moe", "none")

#: the mixers that keep keys and values of the context
ATTENDING = frozenset({"full", "sliding", "chunked", "mla", "compressed"})


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """One layer: its token mixer, its feed-forward, and what it must remember of a context.

    window          tokens that a sliding, chunked or compressed layer looks back on
    kv_heads        key and value heads; k_dim and v_dim are the widths of one head (0 where keys serve as values)
    latent          elements of the compressed cache a token (MLA), instead of heads
    indexer         elements of the keys by which a layer chooses what it sees, an entry
    compressed      elements of an entry that stands for ``rate`` tokens, beside the window
    rate            tokens that an entry of ``compressed`` and of ``indexer`` stands for
    cross           elements of the keys and values of one token of an encoder, or of a patch of an image
    cross_tokens    how many of these there are, where their number is fixed
    state_elements  elements of a state whose size does not grow with the context
    state_float32   how many of them are kept in 32 bits: a recurrence adds up, and 16 bits would lose it
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
    indexer: int = 0
    compressed: int = 0
    rate: int = 1
    cross: int = 0
    cross_tokens: int | None = None
    state_elements: int = 0
    state_float32: int = 0
    shares_kv_with: int | None = None

    @property
    def cached(self) -> int:
        """Elements that one token adds while the layer grows, beside what an indexer keeps."""
        if self.mixer not in ATTENDING or self.shares_kv_with is not None:
            return 0
        return self.latent or self.expanded

    @property
    def expanded(self) -> int:
        """Elements of the keys and values of one token, head by head."""
        return self.kv_heads * (self.k_dim + self.v_dim)


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
