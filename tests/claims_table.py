"""Printed counts of active parameters, and the simplest convention that gives each (`python -m tests.claims_table`).

tests/reference/active_claims.jsonl holds them as they were printed, with who printed them. All sets of departures are
tried, not only the usual ones that `paramwidget.claims.readings` offers: this says what can be reached at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import paramwidget as pw
from paramwidget.claims import Claim, printed, readings

REFERENCE = Path(__file__).parent / "reference"

#: what a card may leave out of active, and what it may count although active leaves it out, the usual ones first
OUT = ("embedding", "lm_head", "per_layer_embedding", "router", "norm", "shared_expert")
IN = ("mtp", "vision", "scale")


def _read(name: str) -> list[dict]:
    return [json.loads(line) for line in (REFERENCE / name).read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True)
class Found:
    """A convention that gives a printed number: its departures, the exact count or the two ends of its range.

    same  other departures, as few, that give the very same integers
    cut   whether digits were cut off, where nothing rounds to the number
    """

    off: tuple[str, ...]
    on: tuple[str, ...]
    exact: tuple[int, ...]
    cut: bool = False
    same: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        words = " or ".join((departures(self.off, self.on), *self.same))
        return f"{words}: {'–'.join(f'{n:,}' for n in self.exact)}" + ", by cutting digits off" * self.cut


def departures(off: tuple[str, ...], on: tuple[str, ...]) -> str:
    return " ".join(["active", *(f"−{key}" for key in off), *(f"+{key}" for key in on)])


@cache
def configs() -> dict[str, dict]:
    return {r["repo"]: r["config"] for r in _read("models.jsonl")}


@cache
def counted(repo: str) -> pw.Breakdown:
    """The bundled model, or else the config of the reference."""
    return pw.count(repo if repo in pw.catalog() else configs()[repo])


def numbers(row: dict) -> list[Claim]:
    """The printed number, or the two ends of a printed range. Raises ClaimError for words."""
    text = row["printed"].removesuffix(" effective").removeprefix("\u223c")
    return [Claim(row["printed"], part, "active", row["source"]) for part in text.split("\u223c")]


def conventions(b: pw.Breakdown) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every (off, on) that a model has parameters for, the fewest departures first."""
    has = {t.key for t in b.toggles}
    keys = [key for key in OUT + IN if key in has]
    for n in range(len(keys) + 1):
        for some in combinations(keys, n):
            yield tuple(k for k in some if k in OUT), tuple(k for k in some if k in IN)


def exact(b: pw.Breakdown, claims: list[Claim], off: tuple[str, ...], on: tuple[str, ...]) -> tuple[int, ...]:
    """The count that stands beside a number, or the range beside a range."""
    return b.total_range("active", off, on) if len(claims) == 2 else (b.total("active", off, on),)


def simplest(row: dict) -> Found | None:
    """The convention with the fewest departures whose exact count rounds to what was printed.

    Only where none does are digits cut off. None: there is no such convention, or the row is no number.
    """
    try:
        claims = numbers(row)
    except pw.ClaimError:
        return None
    b = counted(row["repo"])
    every = [(off, on, exact(b, claims, off, on)) for off, on in conventions(b)]
    for by_cutting in (False, True):
        found = [
            (off, on, counts)
            for off, on, counts in every
            if all(c.fits(n) or (by_cutting and c.fits_cut(n)) for c, n in zip(claims, counts, strict=True))
        ]
        if found:
            off, on, counts = found[0]
            same = tuple(
                departures(o, i)
                for o, i, n in found[1:]
                if n == counts and len(o) + len(i) == len(off) + len(on)
            )
            return Found(off, on, counts, by_cutting, same)
    return None


def stated(row: dict) -> Found | None:
    """What the source says that it counts, if it says so and its number comes out of that."""
    if "states" not in row:
        return None
    claims, off, on = numbers(row), tuple(row["states"]["off"]), tuple(row["states"]["on"])
    counts = exact(counted(row["repo"]), claims, off, on)
    return Found(off, on, counts) if all(c.fits(n) for c, n in zip(claims, counts, strict=True)) else None


def usual(row: dict) -> Found | None:
    """What the widget says of the number, which tries the tables only: fewest departures can be a coincidence."""
    claims, b = numbers(row), counted(row["repo"])
    found = readings(b, claims[0]) if len(claims) == 1 else []
    if not found:
        return None
    c = found[0].convention
    return Found(c.off, c.on, (c.of(b),), found[0].cut)


def nearest(row: dict) -> str:
    """Why there is none: what the conventions give on both sides of the number, or that it is none."""
    try:
        claims = numbers(row)
    except pw.ClaimError:
        return "words, and no number"
    b = counted(row["repo"])
    digits, unit = printed(claims[0].number)
    every = [(exact(b, claims, off, on)[0], off, on) for off, on in conventions(b)]
    below = max((e for e in every if e[0] < digits * unit), default=None)
    above = min((e for e in every if e[0] > digits * unit), default=None)
    sides = [f"{n:,} ({departures(off, on)})" for n, off, on in filter(None, (below, above))]
    return "nearest " + " and ".join(sides)


def rows() -> list[dict]:
    return _read("active_claims.jsonl")


def main() -> int:
    reached = 0
    for row in rows():
        found = simplest(row)
        start = f"{row['repo']:46} {row['printed']:>16}  "
        if found is None:
            print(f"{start}none: {nearest(row)}")
            continue
        reached += 1
        print(start + found.line)
        for label, other in (("as its source states", stated(row)), ("or, more usual,", usual(row))):
            if other and (other.off, other.on, other.cut) != (found.off, found.on, found.cut):
                print(f"{'':64}{label} {other.line}")
    print(f"-- {len(rows())} printed counts of active parameters, {reached} reached")
    return 0


if __name__ == "__main__":
    sys.exit(main())
