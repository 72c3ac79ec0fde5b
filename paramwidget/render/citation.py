"""The line to cite: exact counts, how they were counted, of what, and by what; js/src/citation.ts is the twin."""

from __future__ import annotations

from collections.abc import Iterable

from ..breakdown import Breakdown
from ..roles import DEFAULT_OUT, out_set
from .numbers import exact
from .rows import departures_text

#: the two matrices that cards leave out without saying which
TABLES = ("embedding", "lm_head")


def citation(b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """Counts on every basis that says something, each with what departs from it, and what was counted.

    Where one table is out, it is said that the other is in: the number alone would not tell which. The basis that is
    asked for has its departures beside it; the others are as their basis counts by default.
    """
    off, on = tuple(off), tuple(on)
    has = {t.key for t in b.toggles}
    out = (out_set(basis, off, on) - DEFAULT_OUT[basis]) & has
    kept = [key for key in TABLES if key in has and key not in out]
    one = f"{kept[0]} in" if len(kept) == 1 and out.intersection(TABLES) else ""
    said = ", ".join(text for text in (one, departures_text(b, [basis], off, on)) if text)
    total = {
        x: b.total(x, off, on) if x == basis else b.total(x) for x in ("stored", "active", "architectural")
    }
    if basis != "architectural" and total["architectural"] == total["stored"]:
        del total["architectural"]
    counts = (f"{exact(n)} {x}" + (f" ({said})" if x == basis and said else "") for x, n in total.items())
    return f"{', '.join(counts)}, {b.cited}"
