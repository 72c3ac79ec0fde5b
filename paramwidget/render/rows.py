"""The rows that every form of output shows: one for each role, and what is said above them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..breakdown import Breakdown
from ..claims import headline, readings
from ..conventions import Convention
from ..roles import ROLES, out_set
from ..tensors import TensorSpec
from .numbers import percent, short, times


@dataclass(frozen=True, slots=True)
class Row:
    """One role on every basis under the same departures, and its share of the chosen one."""

    role: str
    label: str
    stored: int
    architectural: int
    active: int
    share: str
    left_out: bool
    tensors: tuple[TensorSpec, ...]


def rows(b: Breakdown, basis: str, off: Iterable[str] = (), on: Iterable[str] = ()) -> list[Row]:
    off, on = tuple(off), tuple(on)
    out = out_set(basis, off, on)
    stored, architectural, active = (
        b.by_role(each, off, on) for each in ("stored", "architectural", "active")
    )
    chosen = {"stored": stored, "architectural": architectural, "active": active}[basis]
    total = sum(chosen.values())
    return [
        Row(
            role,
            ROLES[role],
            stored[role],
            architectural[role],
            active[role],
            "left out" if role in out else percent(chosen[role], total),
            role in out,
            tuple(t for t in b.tensors if t.role == role),
        )
        for role in b.roles
    ]


def sentence(b: Breakdown, off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """``116.83B stored, 5.71B active (model card: 5.13B, one table out)``."""
    stored, active = b.total("stored", off, on), b.total("active", off, on)
    text = f"{short(stored)} stored, {short(active)} active"
    claim = headline(b)
    if claim:
        text += f" (model card: {claim.number}{_wording(b)})"
    return text


def _wording(b: Breakdown) -> str:
    claim = headline(b)
    found = readings(b, claim) if claim else []
    if not found:
        return ", which none of the usual conventions gives"
    cut = ", digits cut off" if found[0].cut else ""
    return left_out_words(found[0].convention) + cut


def left_out_words(c: Convention) -> str:
    """``, one table out``: what a convention leaves out beyond its basis, or nothing."""
    tables = [k for k in c.off if k in ("embedding", "lm_head")]
    others = [k for k in c.off if k not in tables]
    words = [{0: "", 1: "one table", 2: "both tables"}[len(tables)], *(_label(k) for k in others)]
    words = [w for w in words if w]
    return f", {' and '.join(words)} out" if words else ""


def _label(key: str) -> str:
    from ..roles import TOGGLES

    return TOGGLES[key][0]


def ratios(b: Breakdown, off: Iterable[str] = (), on: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The ratios people quote; only those that say something about this model."""
    stored, architectural, active = (b.total(x, off, on) for x in ("stored", "architectural", "active"))
    found = []
    if stored and active and active != stored:
        found.append(("stored / active", times(stored, active)))
        found.append(("active share", percent(active, stored)))
    if stored and architectural != stored:
        found.append(("architectural gap", f"+{percent(architectural - stored, stored)}"))
    return found


def copies(t: TensorSpec, basis: str) -> str:
    """How often a tensor occurs: ``36 × 4 of 128``."""
    layers = max(len(t.layers), 1)
    each, used = int(t.copies) // layers, int(t.active_copies) // layers
    if each == 1:
        return f"{layers:,}"
    per_layer = f"{used:,} of {each:,}" if basis == "active" and used != each else f"{each:,}"
    return per_layer if layers == 1 else f"{layers:,} × {per_layer}"
