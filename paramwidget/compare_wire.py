"""What Python gives the browser of a comparison: for each model its tensors summed up as far as a toggle can see.

A toggle sees the role and the kind of a tensor, and what it is tied to. So tensors that agree in these are one row
here, and a model has some ten rows however many tensors it has. js/src/compare-wire.ts is the twin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .breakdown import SCHEMA, Breakdown
from .render.comparison import SIDE_BY_SIDE, value
from .roles import BASES, DEFAULT_OUT, ROLES, TOGGLES
from .wire import facts
from .words import WORDS

if TYPE_CHECKING:
    from .compare import Comparison


def to_wire(c: Comparison) -> dict[str, Any]:
    """The models and how their configs differ; plain JSON, integers below 2^53."""
    few = len(c) <= SIDE_BY_SIDE
    has = {t.key for b in c.breakdowns for t in b.toggles}
    return {
        "schema": SCHEMA,
        "models": [
            {
                "label": label,
                "short": short,
                "facts": facts(b),
                "source": b.provenance.label,
                "bytes": b.weight_bytes,
                "groups": groups(b),
            }
            for label, short, b in zip(c.labels, c.short_labels, c.breakdowns, strict=True)
        ],
        "roles": [{"key": r, "label": ROLES[r]} for r in c.roles],
        "toggles": [
            {"key": key, "label": label, "help": text} for key, (label, text) in TOGGLES.items() if key in has
        ],
        "words": {basis: WORDS[basis] for basis in BASES},
        "defaults": {basis: [k for k in TOGGLES if k in DEFAULT_OUT[basis]] for basis in BASES},
        "differences": [
            {
                "field": d.field,
                "decides": d.decides,
                "values": [value(v) for v in d.values] if d.decides and few else [],
            }
            for d in c.differences
        ],
    }


def groups(b: Breakdown) -> list[dict[str, Any]]:
    """Tensors of one role and kind, tied to one role or none, as one: their elements in all, and the active ones."""
    roles = {t.name: t.role for t in reversed(b.tensors)}
    found: dict[tuple[str, str, str], list[int]] = {}
    for t in b.tensors:
        key = (t.role, t.kind, roles.get(t.tied_to, "") if t.tied_to else "")
        sums = found.setdefault(key, [0, 0])
        sums[0] += t.numel * int(t.copies)
        sums[1] += t.numel * int(t.active_copies)
    return [
        {
            "role": role,
            "kind": kind,
            "elements": elements,
            "active": active,
            **({"tied": tied} if tied else {}),
        }
        for (role, kind, tied), (elements, active) in found.items()
    ]
