"""The rows that every form of output shows: one for each role, and what is said above them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..breakdown import Breakdown
from ..claims import Claim, headline
from ..conventions import Convention
from ..reconcile import reconcile
from ..roles import BASES, DEFAULT_OUT, ROLES, TOGGLES, out_set, series
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


def sentence(b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """``116.83B stored, 5.71B active (model card: 5.13B, one table out)``; js/src/views/Sentence.tsx is the twin.

    Every basis is counted with the same departures, which are said once: ``116.25B stored, 5.13B active with
    embedding out (the model card's 5.13B)``.
    """
    off, on = tuple(off), tuple(on)
    n = {x: b.total(x, off, on) for x in BASES}
    shown = ["stored", "active"]
    if n["architectural"] != n["stored"] or basis == "architectural":
        shown.append("architectural")
    counts = ", ".join(
        "all active" if x == "active" and n["active"] == n["stored"] else f"{short(n[x])} {x}" for x in shown
    )
    departures = departures_text(b, BASES, off, on)
    claim = headline(b)
    return (
        counts
        + (f" with {departures}" if departures else "")
        + (f" ({claim_text(b, claim, off, on)})" if claim else "")
    )


def claim_text(b: Breakdown, claim: Claim, off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """``model card: 5.13B, one table out``: a table is not named where the number cannot tell which.

    ``the model card's 5.13B`` where the departures are those of one that fits it best.
    """
    off, on = tuple(off), tuple(on)
    v = reconcile(b, claim)
    found = v.matches[: v.rivals]
    if any(_same(b, m.convention, off, on) for m in found):
        return f"{_whose(source_word(claim))} {claim.number}"
    phrases = {left_out_words(b, m.convention) for m in found}
    if v.kind == "contradiction":
        said = "which is not what it states"
    elif not found:
        said = "no way of counting fits"
    elif len(phrases) == 1 or found[0].preset:
        said = left_out_words(b, found[0].convention)
    else:
        said = f"{len(found)} equally simple ways of counting fit"
    return f"{source_word(claim)}: {claim.number}" + (f", {said}" if said else "")


def _same(b: Breakdown, c: Convention, off: tuple[str, ...], on: tuple[str, ...]) -> bool:
    """Whether departures count, on the convention's basis, the same parts of this model."""
    mine, theirs = out_set(c.basis, off, on), out_set(c.basis, c.off, c.on)
    return all((t.key in mine) == (t.key in theirs) for t in b.toggles)


def _whose(word: str) -> str:
    """``the model card's``; the name of a site has no article."""
    return ("" if "." in word else "the ") + word + ("'" if word.endswith("s") else "'s")


def source_word(claim: Claim) -> str:
    """``model card`` where that is what the source is, else its own words up to the first comma or colon."""
    if "card" in claim.source.lower().replace(",", " ").split():
        return "model card"
    return claim.source.split(",")[0].split(":")[0].strip() or "claim"


def departures_text(b: Breakdown, bases: Iterable[str], off: Iterable[str], on: Iterable[str]) -> str:
    """``embedding and lm_head out, MTP in``: what differs from a basis's default in parts that the model has."""
    off, on, has = tuple(off), tuple(on), {t.key for t in b.toggles}
    out = {x: out_set(x, off, on) for x in bases}
    left = [TOGGLES[k][0] for k in TOGGLES if k in has and any(k in out[x] - DEFAULT_OUT[x] for x in out)]
    added = [TOGGLES[k][0] for k in TOGGLES if k in has and any(k in DEFAULT_OUT[x] - out[x] for x in out)]
    words = [f"{series(left)} out" if left else "", f"{series(added)} in" if added else ""]
    return ", ".join(w for w in words if w)


def left_out_words(b: Breakdown, c: Convention) -> str:
    """``one table out``: what a convention leaves out beyond its basis, or nothing."""
    has = {t.key for t in b.toggles}
    if {"embedding", "lm_head"} <= has and not c.on and c.off and set(c.off) <= {"embedding", "lm_head"}:
        return "one table out" if len(c.off) == 1 else "both tables out"
    return departures_text(b, [c.basis], c.off, c.on)


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
