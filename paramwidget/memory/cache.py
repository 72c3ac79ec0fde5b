"""What layers keep of a context: keys and values, latent vectors, the keys of indexers, and states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..layers import LayerRun, LayerSpec
from ..words import WORDS
from .dtypes import DTYPES, SIXTEEN_BITS, size

#: the kinds of layers, in the words that a reader sees
KINDS: dict[str, str] = {
    kind: WORDS[kind]
    for kind in (
        "full",
        "sliding",
        "chunked",
        "mla",
        "compressed",
        "shared",
        "linear",
        "ssm",
        "none",
        "cross",
    )
}


@dataclass(frozen=True, slots=True)
class KindMemory:
    """The layers of one kind, and what they keep for the whole batch.

    kind                 a key of KINDS; ``label`` is what a reader sees
    layers               how many there are
    window               tokens that they look back on, where that is not all
    kv_bytes_per_token   of all of them, of one sequence, while they grow; of cross-attention: a token of the encoder
    kv_bytes             of the tokens that they can still see
    kv_bytes_reserved    where an engine allocates the full length in every layer
    state_bytes          of states whose size does not depend on the context
    """

    kind: str
    label: str
    layers: int
    window: int | None
    kv_bytes_per_token: int
    kv_bytes: int
    kv_bytes_reserved: int
    state_bytes: int


class Kept:
    """What the layers keep, of a context and a batch; elements are summed before they become bytes."""

    def __init__(
        self, runs: Iterable[LayerRun], context: int, batch: int, dtype: str, encoder_length: int | None
    ) -> None:
        self.runs = [(len(run.indices), run.like) for run in runs]
        self.context, self.batch, self.dtype = context, batch, dtype
        self.encoder_length = encoder_length

    def bytes(self, *, reserved: bool = False, expanded: bool = False) -> int:
        """Keys and values of all layers: of the tokens they see, or of all; latent vectors or what is made of them."""
        elements = sum(
            n * (self.elements(like, reserved, expanded) + self.across(like)) for n, like in self.runs
        )
        return size(self.batch * elements, self.dtype)

    def elements(self, like: LayerSpec, reserved: bool = False, expanded: bool = False) -> int:
        """What one layer keeps of one sequence."""
        seen = self.context if reserved or not like.window else min(self.context, like.window)
        each = like.expanded if expanded and like.latent and like.cached else like.cached
        return seen * each + self.context // like.rate * (like.indexer + like.compressed)

    def across(self, like: LayerSpec) -> int:
        """What one layer keeps of an encoder."""
        return like.cross * self.encoded(like)

    def encoded(self, like: LayerSpec) -> int:
        """How many tokens of an encoder a layer sees; none where the model has no encoder."""
        if like.cross_tokens == 0:
            return 0
        if self.encoder_length is not None:
            return self.encoder_length
        return self.context if like.cross_tokens is None else like.cross_tokens

    def a_token(self, at: int) -> int:
        """Bytes of the token at a position of one sequence, counted from 1; an entry of several is spread over them."""
        elements: int | Fraction = 0
        for n, like in self.runs:
            each = 0 if like.window and at > like.window else like.cached
            elements += n * (each + Fraction(like.indexer + like.compressed, like.rate))
        return size(elements, self.dtype)

    def growth(self) -> tuple[tuple[int, int], ...]:
        """From how many tokens on one more costs how much."""
        ends = {like.window for _, like in self.runs if like.window and like.cached}
        steps = [(0, self.a_token(1))]
        for end in sorted(ends):
            each = self.a_token(end + 1)
            if each != steps[-1][1]:
                steps.append((end, each))
        return tuple(steps)

    def state_bytes(self) -> int:
        return self.batch * sum(n * self.state(like) for n, like in self.runs)

    def state(self, like: LayerSpec) -> int:
        """Bytes of one layer's state: a recurrence in 32 bits, the rest as the cache, but never in fewer than 16."""
        wide = max(DTYPES[self.dtype], SIXTEEN_BITS) // 32
        return 4 * like.state_float32 + wide * (like.state_elements - like.state_float32)

    def by_kind(self) -> Iterable[KindMemory]:
        """The layers of each kind, in the order in which they first come, and attention to an encoder behind them."""
        groups: dict[tuple[str, int | None], list[tuple[int, LayerSpec]]] = {}
        for n, like in self.runs:
            groups.setdefault((kind_of(like), like.window if like.cached else None), []).append((n, like))
        for (kind, window), own in groups.items():
            if kind == "none" and any(like.cross for _, like in own):
                continue  # layers of cross-attention only
            part = Kept((), self.context, self.batch, self.dtype, 0)
            part.runs = own
            yield KindMemory(
                kind,
                KINDS[kind],
                sum(n for n, _ in own),
                window,
                part.a_token(1),
                part.bytes(),
                part.bytes(reserved=True),
                part.state_bytes(),
            )
        crossed = [(n, like) for n, like in self.runs if like.cross and like.cross_tokens != 0]
        if crossed:
            each = sum(n * like.cross for n, like in crossed)
            whole = size(self.batch * sum(n * self.across(like) for n, like in crossed), self.dtype)
            layers = sum(n for n, _ in crossed)
            length = self.encoded(crossed[0][1])
            yield KindMemory("cross", KINDS["cross"], layers, length, size(each, self.dtype), whole, whole, 0)


def kind_of(like: LayerSpec) -> str:
    """The kind under which a layer is summed up."""
    return "shared" if like.shares_kv_with is not None else like.mixer
