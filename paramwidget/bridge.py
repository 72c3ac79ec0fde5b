"""How one number becomes another, step by step: each step is a named part with its exact integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .breakdown import Breakdown
from .claims import Claim, as_claims
from .conventions import Convention
from .errors import ClaimError
from .reconcile import reconcile
from .roles import DEFAULT_OUT, ROLES, TOGGLES, out_set, series
from .tensors import BITS


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a bridge: the part, and what it adds or takes away.

    key    a toggle; ``basis:<role>`` where the basis changes; ``bytes:<dtype>`` where bytes become parameters;
           ``printed`` from a printed number that nothing gives to the count that is nearest to it
    """

    key: str
    label: str
    delta: int


def bridge(b: Breakdown, start: Convention | Claim | str, end: Convention | Claim | str) -> list[Step]:
    """The steps from one count to another, whose sum is exactly the difference of the two.

    start, end  conventions, or claims, which stand for the convention that fits them best

    A change of basis is said role by role, then one toggle after another in the order of TOGGLES; only second names of
    matrices (stored to architectural) come after the toggles, so that a part and its copies are two steps. A claim of
    bytes becomes a number of parameters first, dtype by dtype. Steps of 0 are left out, and so
    are two that undo one another (MTP comes in with stored, and out again with its toggle). Raises ClaimError for a
    claim that cannot be read, or whose bytes are not known.

    >>> from paramwidget import count
    >>> [(s.label, s.delta) for s in bridge(count("openai/gpt-oss-120b"), "5.13B active", "5.71B active")]
    [('embedding', 579133440)]
    """
    before, first = _convention(b, start)
    after, last = _convention(b, end)
    steps = [*before, *_between(b, first, last), *(Step(s.key, s.label, -s.delta) for s in reversed(after))]
    undone = {(f"basis:{s.key}", -s.delta) for s in steps} | {
        (s.key.removeprefix("basis:"), -s.delta) for s in steps if s.key.startswith("basis:")
    }
    return [s for s in steps if s.delta and (s.key, s.delta) not in undone]


def _between(b: Breakdown, start: Convention, end: Convention) -> Iterator[Step]:
    if (start.basis, end.basis) == ("architectural", "stored"):
        yield from (Step(s.key, s.label, -s.delta) for s in reversed([*_between(b, end, start)]))
        return
    names_last = (start.basis, end.basis) == ("stored", "architectural")
    if not names_last:
        yield from _basis(b, start.basis, end.basis, start.off, start.on)
    basis = start.basis if names_last else end.basis
    out = set(out_set(basis, start.off, start.on))
    target = out_set(end.basis, end.off, end.on)
    at = sum_without(b, basis, out)
    for key, (label, _) in TOGGLES.items():
        if (key in out) != (key in target):
            out ^= {key}
            now = sum_without(b, basis, out)
            yield Step(key, label, now - at)
            at = now
    if names_last:
        yield from _basis(b, start.basis, end.basis, end.off, end.on)


def _basis(b: Breakdown, old: str, new: str, off: Iterable[str], on: Iterable[str]) -> Iterator[Step]:
    if old == new:
        return
    before, after = b.by_role(old, off, on), b.by_role(new, off, on)
    for role in after:
        label = f"{ROLES[role]}, {new} instead of {old}"
        copies = [t for t in b.tensors if t.role == role and t.tied_to]
        if copies and {old, new} == {"stored", "architectural"}:
            tables = {t.name: ROLES[t.role] for t in b.tensors}
            names = list(dict.fromkeys(tables[t.tied_to] for t in copies if t.tied_to in tables))
            label = f"{ROLES[role]}: {'second names' if role != 'mtp' else 'its copies'} of {series(names)}"
        yield Step(f"basis:{role}", label, after[role] - before[role])


def _convention(b: Breakdown, given: Convention | Claim | str) -> tuple[list[Step], Convention]:
    """The convention that a claim stands for, and the steps that lead to its count in parameters."""
    if isinstance(given, Convention):
        return [], given
    claims = as_claims(given)
    if len(claims) > 1:
        raise ClaimError(
            f"A bridge leads from one number to one other, and {given!r} has {len(claims)}: "
            f"{series([c.text for c in claims])}. Give one of them."
        )
    v = reconcile(b, claims[0])
    if v.nearest is None:
        raise ClaimError(f"{claims[0].text}: {v.note}")
    steps = (
        [] if v.matches else [Step("printed", f"from {claims[0].number} to the nearest count", -(v.gap or 0))]
    )
    if v.claim.bits is not None:
        steps += _bytes(b, v.nearest.convention, v.claim.bits)
    if v.claim.parts or v.claim.times or v.claim.each:
        raise ClaimError(
            f"{v.claim.text} speaks of a part; a bridge leads between counts of the whole model."
        )
    return steps, v.nearest.convention


def _bytes(b: Breakdown, c: Convention, bits: int) -> Iterator[Step]:
    """From bytes to parameters: for each dtype the parameters less their bytes; scales are no parameters at all."""
    out = out_set(c.basis, c.off, c.on) - {"scale"}
    sums: dict[str, list[int]] = {}
    for t in b.tensors:
        n = b.count_of(t, c.basis, out)
        scale = t.kind == "scale"
        if n and not (scale and bits):
            dtype = f"{bits} bits" if bits else f"{t.dtype}{' scales' * scale}"
            both = sums.setdefault(dtype, [0, 0])
            both[0] += n * (bits or BITS[t.dtype or ""])
            both[1] += 0 if scale else n
    for dtype, (held, count) in sums.items():
        each = bits or BITS[dtype.split()[0]]
        size = f"{each // 8} byte{'s' * (each > 8)}" if each >= 8 else f"{each} bits"
        label = (
            f"{dtype}: bytes that are no parameters" if "scales" in dtype else f"{dtype}: {size} a parameter"
        )
        yield Step(f"bytes:{dtype}", label, count - held // 8)


def sum_without(b: Breakdown, basis: str, out: Iterable[str]) -> int:
    """The count with exactly these roles and kinds left out."""
    default, out = DEFAULT_OUT[basis], set(out)
    return b.total(basis, off=out - default, on=default - out)
