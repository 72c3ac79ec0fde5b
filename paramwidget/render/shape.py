"""The shape of a model in a few words: how its experts are chosen, and what its layers are."""

from __future__ import annotations

from dataclasses import dataclass

from ..breakdown import Breakdown
from ..layers import index_ranges


@dataclass(frozen=True, slots=True)
class Routing:
    """The experts of one layer: how many a token uses, of how many; ``layers`` that are so."""

    used: int
    low: int
    all: int
    layers: int

    @property
    def per_token(self) -> str:
        """``4 of 128``."""
        at_most = "at most " if self.low != self.used else ""
        return f"{at_most}{self.used:,} of {self.all:,}"

    @property
    def text(self) -> str:
        """``4 of 128 experts``."""
        return f"{self.per_token} experts"

    @property
    def idle_text(self) -> str:
        """``124 of 128``."""
        return f"{self.all - self.used:,} of {self.all:,}"


def routings(b: Breakdown) -> tuple[Routing, ...]:
    """Each way of routing that layers of the stack have, the most frequent first."""
    seen: dict[tuple[int, int, int], set[int]] = {}
    for t in b.tensors:
        if t.role == "routed_expert" and t.kind == "weight":
            layers = max(len(t.layers), 1)
            key = (int(t.active_copies) // layers, int(t.active_low) // layers, int(t.copies) // layers)
            seen.setdefault(key, set()).update(t.layers)
    found = [Routing(*key, layers=len(layers)) for key, layers in seen.items()]
    return tuple(sorted(found, key=lambda r: -r.layers))


def routing(b: Breakdown) -> Routing | None:
    """The one way of routing, if all layers with experts have the same."""
    found = routings(b)
    return found[0] if len(found) == 1 else None


#: the tables and whole towers are no part of a layer of the stack
_IN_A_LAYER = (
    "attention",
    "linear_attention",
    "ssm",
    "mlp",
    "router",
    "routed_expert",
    "shared_expert",
    "norm",
    "other",
)

#: mixer or feed-forward -> the words for it
MIXERS = {
    "full": "full attention",
    "sliding": "sliding window",
    "chunked": "chunked attention",
    "mla": "latent attention",
    "linear": "linear attention",
    "ssm": "state space",
    "none": "",
}
FFNS = {"dense": "dense MLP", "moe": "experts", "none": ""}


@dataclass(frozen=True, slots=True)
class LayerKind:
    """Layers that are made of the same parts, and the parts of one of them: role -> (stored, active)."""

    layers: tuple[int, ...]
    does: str
    parts: dict[str, tuple[int, int]]

    @property
    def stored(self) -> int:
        """Parameters of one such layer."""
        return sum(stored for stored, _ in self.parts.values())

    @property
    def active(self) -> int:
        """Those that one token uses."""
        return sum(active for _, active in self.parts.values())

    @property
    def name(self) -> str:
        """``layers 0-2``; past three stretches ``36 layers``."""
        spans = index_ranges(self.layers)
        if spans.count(",") > 2:
            return f"{len(self.layers):,} layers"
        return (
            f"{'layer' if len(self.layers) == 1 else 'layers'} {spans.replace('-', '–').replace(',', ', ')}"
        )


def layer_kinds(b: Breakdown, out: frozenset[str] | set[str]) -> tuple[LayerKind, ...]:
    """The kinds of layers of the stack, in order of their first one; tables, towers and MTP modules apart.

    out  roles and kinds of tensors that are not counted

    >>> from paramwidget import count
    >>> [kind] = layer_kinds(count("meta-llama/Llama-3.1-8B"), frozenset())
    >>> kind.stored, kind.parts["mlp"]
    (218112000, (176160768, 176160768))
    """
    parts: dict[int, dict[str, list[int]]] = {}
    for t in b.tensors:
        if t.role not in _IN_A_LAYER or t.role in out or t.kind in out or not t.layers or t.tied_to:
            continue
        layers = len(t.layers)
        stored, active = t.numel * int(t.copies) // layers, t.numel * int(t.active_copies) // layers
        for layer in t.layers:
            both = parts.setdefault(layer, {}).setdefault(t.role, [0, 0])
            both[0] += stored
            both[1] += active if t.kind != "unread" else 0
    kinds: dict[tuple[tuple[str, int, int], ...], list[int]] = {}
    for layer in sorted(parts):
        kinds.setdefault(tuple(sorted((r, n[0], n[1]) for r, n in parts[layer].items())), []).append(layer)
    does = {layer.index: (layer.mixer, layer.ffn) for layer in b.layers}
    return tuple(
        LayerKind(
            tuple(layers),
            _does([does[i] for i in layers if i in does]),
            {r: (n[0], n[1]) for r in _IN_A_LAYER for n in [parts[layers[0]].get(r)] if n},
        )
        for layers in kinds.values()
    )


def _does(layers: list[tuple[str, str]]) -> str:
    """``sliding window or full attention, experts``: what layers do that are made of the same parts."""
    mixers = dict.fromkeys(MIXERS.get(mixer, mixer) for mixer, _ in layers)
    ffns = dict.fromkeys(FFNS.get(ffn, ffn) for _, ffn in layers)
    return ", ".join(filter(None, [" or ".join(filter(None, mixers)), " or ".join(filter(None, ffns))]))
