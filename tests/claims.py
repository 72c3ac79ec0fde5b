"""Numbers that were printed of models, each with what it fits (`python -m tests.claims`).

tests/reference/claims.jsonl holds them as they were printed, with who printed them, and the reason of each that fits
nothing. As a control, the same numbers times 1.17 are held against the same models: a search that fits everything
would explain nothing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import paramwidget as pw
from paramwidget.claims import Claim, Number
from paramwidget.reading import read
from paramwidget.verdict import Verdict

REFERENCE = Path(__file__).parent / "reference"

#: what the numbers are of; "part" is the size of a component
KINDS = ("total", "active", "non-embedding", "part")


@cache
def rows() -> list[dict[str, Any]]:
    """repo, claim, kind, source, quote; off and on, where the source states them; why, where nothing fits.

    config: another repository, where the config of this one is only at hand in a shortened form.
    """
    return [json.loads(line) for line in (REFERENCE / "claims.jsonl").read_text("utf-8").splitlines()]


@cache
def _configs() -> dict[str, dict[str, Any]]:
    found = (json.loads(line) for line in (REFERENCE / "models.jsonl").read_text("utf-8").splitlines())
    return {r["repo"]: r["config"] for r in found}


@cache
def counted(name: str) -> pw.Breakdown | None:
    """The bundled model, or else the config of the reference; None where its type is not described."""
    try:
        return pw.count(name if name in pw.catalog() else _configs()[name])
    except pw.UnknownArchitecture:
        return None


def model(row: dict[str, Any]) -> pw.Breakdown | None:
    return counted(row.get("config", row["repo"]))


def claims(row: dict[str, Any]) -> list[Claim]:
    """The numbers of a row, with what its source states; none where it has only words."""
    try:
        found = read(row["claim"])
    except pw.ClaimError:
        return []
    return [replace(c, off=tuple(row.get("off", ())), on=tuple(row.get("on", ()))) for c in found]


def verdicts(row: dict[str, Any]) -> list[Verdict]:
    b = model(row)
    return [pw.reconcile(b, c) for c in claims(row)] if b else []


def rated() -> list[dict[str, Any]]:
    """The rows that print a number of a model that is described; words such as "16 experts/token" are no number."""
    return [row for row in rows() if model(row) and claims(row)]


def met(row: dict[str, Any]) -> bool:
    """Whether every number of a row fits: match, ambiguous or truncated."""
    found = verdicts(row)
    return bool(found) and all(v.met for v in found)


def scaled(c: Claim) -> Claim:
    """A claim with its numbers times 1.17, printed with three digits."""

    def times(n: Number) -> Number:
        value = n.value * 117 // 100
        unit = int(10 ** max(len(str(value)) - 3, 0))
        return Number("a control", value // unit, 0, unit)

    low = times(c.low)
    return replace(
        c, number="a control", low=low, high=low if c.high is c.low else times(c.high), off=(), on=()
    )


@cache
def control() -> Counter[str]:
    """The kinds of verdict on the scaled numbers."""
    return Counter(
        pw.reconcile(b, scaled(c)).kind for row in rows() if (b := model(row)) for c in claims(row)
    )


def share(found: list[dict[str, Any]]) -> str:
    n = sum(met(row) for row in found)
    return f"{n} of {len(found)} ({100 * n / len(found):.1f}%)"


def main() -> int:
    for row in rows():
        start = f"{row['repo']:46} "
        if model(row) is None:
            print(f"{start}{row['claim']}: its class is not described")
        for v in verdicts(row):
            print(start + v.text)
        if not claims(row):
            print(f"{start}{row['claim']}: unreadable")
        if "why" in row:
            print(f"{'':47}why: {row['why']}")
    known = rated()
    words = [row for row in rows() if not claims(row)]
    print(
        f"-- {len(rows())} rows, {len(words)} of them words and no number; "
        f"{len(known)} printed numbers of models that are described"
    )
    print(
        "-- verdicts: "
        + ", ".join(f"{n} {k}" for k, n in Counter(v.kind for r in known for v in verdicts(r)).most_common())
    )
    print(f"-- match, ambiguous or truncated: {share(known)}")
    for kind in KINDS:
        print(f"   {kind}: {share([row for row in known if row['kind'] == kind])}")
    n = sum(control().values())
    print(
        "-- control, times 1.17: " + ", ".join(f"{k} {100 * c / n:.0f}%" for k, c in control().most_common())
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
