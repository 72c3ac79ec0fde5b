"""What weights take: as files store them, or in another dtype; and how many experts a batch reads."""

from __future__ import annotations

from dataclasses import dataclass

from ..breakdown import Breakdown
from ..tensors import TensorSpec
from .dtypes import DTYPES, SIXTEEN_BITS, size

#: roles whose weights a quantization leaves in 16 bits
KEPT_ROLES = frozenset(
    {
        "embedding",
        "position",
        "per_layer_embedding",
        "lm_head",
        "router",
        "norm",
        "vision",
        "audio",
        "projector",
        "other",
    }
)
#: what a dtype of fewer than 16 bits leaves in 16, in a reader's words
LEFT_IN_16_BITS = "tables, lm_head, routers, norms, biases, convolutions and towers"


@dataclass(frozen=True, slots=True)
class Weighed:
    """The weights of one role, and what a dtype makes of them.

    stored_bytes  as files store them, scales included; None where neither config nor headers say how
    elements      values in all, without scales
    maps          those in linear maps, which a quantization converts
    fixed_bytes   of what no dtype changes: tables of integers
    """

    role: str
    stored_bytes: int | None
    elements: int
    maps: int
    fixed_bytes: int = 0

    def bytes_in(self, dtype: str) -> int:
        """Their size when kept in a dtype; of fewer than 16 bits only the linear maps are."""
        maps = self.maps if DTYPES[dtype] < SIXTEEN_BITS else self.elements
        return size(maps, dtype) + 2 * (self.elements - maps) + self.fixed_bytes


def weigh(b: Breakdown) -> list[Weighed]:
    """The weights of each role, in model order, with what a dtype would convert; a tied matrix once."""
    found = []
    for role in b.roles:
        own = [t for t in b.tensors if t.role == role and not t.tied_to]
        bits = [t.bits() for t in own]
        known = sum(n * t.stored for n, t in zip(bits, own, strict=True) if n is not None)
        values = [t for t in own if t.kind != "scale" and t.dtype != "int64"]
        found.append(
            Weighed(
                role,
                b.stored_bytes.get(role) if None in bits else -(-known // 8),
                sum(t.stored for t in values),
                sum(t.stored for t in values if is_map(t)),
                sum(8 * t.stored for t in own if t.dtype == "int64"),
            )
        )
    return found


def is_map(t: TensorSpec) -> bool:
    """Whether it is the weight of a linear map in a layer, which a quantization converts."""
    return (
        t.role not in KEPT_ROLES
        and t.kind in ("weight", "unread")
        and len(t.shape) == 2
        and (t.name.endswith(".weight") or t.stacked is not None)
        and not any(part in t.name for part in ("embed", "norm", "head."))
    )


def expert_layers(b: Breakdown) -> list[tuple[int, int, int]]:
    """(layers, experts of each, experts that a token uses there), for each group of layers that are alike."""
    seen: dict[tuple[int, int], set[int]] = {}
    for t in b.tensors:
        layers = len(t.layers)
        if t.role == "routed_expert" and layers and t.copies > layers:
            key = (int(t.copies) // layers, int(t.active_copies) // layers)
            seen.setdefault(key, set()).update(t.layers)
    return [(len(layers), count, used) for (count, used), layers in seen.items()]


def touched(experts: int, used: int, batch: int) -> float:
    """How many of a layer's experts a batch reads, expected for uniform routing: E × (1 − (1 − k/E)^B).

    >>> touched(128, 4, 1), round(touched(128, 4, 32), 1)
    (4.0, 81.7)
    """
    if batch == 1:
        return float(used)
    return float(experts * (1 - (1 - used / experts) ** batch))
