"""A breakdown as plain data: what ``paramwidget show --json`` prints."""

from __future__ import annotations

from typing import Any

from ..breakdown import Breakdown
from ..roles import out_set

SCHEMA = 1


def provenance_data(b: Breakdown) -> dict[str, Any]:
    p = b.provenance
    return {
        "kind": p.kind,
        "repo": p.repo,
        "revision": p.revision,
        "path": p.path,
        "fetched": p.fetched,
        "label": p.label,
        "note": p.note,
    }


def to_dict(b: Breakdown) -> dict[str, Any]:
    low, _ = b.total_range("active")
    outs = {basis: out_set(basis) for basis in ("stored", "architectural", "active")}
    return {
        "schema": SCHEMA,
        "model": b.model,
        "model_type": b.model_type,
        "architecture": b.architecture,
        "provenance": provenance_data(b),
        "stored": b.stored,
        "architectural": b.architectural,
        "active": b.active,
        "active_low": low,
        "toggles": [
            {
                "key": t.key,
                "label": t.label,
                "stored": t.stored,
                "architectural": t.architectural,
                "active": t.active,
            }
            for t in b.toggles
        ],
        "defaulted": {
            key: int(v) if type(v) is not bool and isinstance(v, int) else v for key, v in b.defaulted.items()
        },
        "weight_bytes": b.weight_bytes,
        "tensors": [
            {
                "name": t.name,
                "shape": [int(n) for n in t.shape],
                "formula": t.formula,
                "role": t.role,
                "kind": t.kind,
                "layers": list(t.layers),
                "copies": int(t.copies),
                "active_copies": int(t.active_copies),
                "stacked": None if t.stacked is None else int(t.stacked),
                "tied_to": t.tied_to,
                "implied": t.implied,
                "stored": b.count_of(t, "stored", outs["stored"]),
                "architectural": b.count_of(t, "architectural", outs["architectural"]),
                "active": b.count_of(t, "active", outs["active"]),
            }
            for t in b.tensors
        ],
    }
