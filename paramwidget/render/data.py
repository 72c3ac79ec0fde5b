"""A breakdown as plain data: what ``paramwidget show --json`` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..breakdown import SCHEMA, Breakdown
from ..roles import BASES, check_toggles, out_set


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


def to_dict(
    b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()
) -> dict[str, Any]:
    """Every count is made with the departures in ``off`` and ``on``; a toggle's figure is what flipping it changes."""
    off, on = check_toggles(off), check_toggles(on)
    low, _ = b.total_range("active", off, on)
    outs = {each: out_set(each, off, on) for each in BASES}
    return {
        "schema": SCHEMA,
        "model": b.model,
        "model_type": b.model_type,
        "architecture": b.architecture,
        "provenance": provenance_data(b),
        "basis": basis,
        "off": list(off),
        "on": list(on),
        "total": b.total(basis, off, on),
        "stored": b.total("stored", off, on),
        "architectural": b.total("architectural", off, on),
        "active": b.total("active", off, on),
        "active_low": low,
        "toggles": [
            {
                "key": t.key,
                "label": t.label,
                **{each: b.effect(t.key, each, off, on) for each in BASES},
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
