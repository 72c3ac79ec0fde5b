"""Totals that the Hub reported for a repository's files, explained to the unit from its config.

Files hold more or less than a config declares: an MTP layer or none, scales counted as parameters (until July 2026),
a tied matrix under each of its names, buffers that older versions wrote. Each is a named integer; a total is explained
if the stored count and some of them add up to it exactly.
"""

from __future__ import annotations

import paramwidget as pw
from paramwidget.residual.totals import fewest, parts

__all__ = ["explain", "parts"]


def explain(b: pw.Breakdown, total: int) -> tuple[str, ...] | None:
    """The fewest named parts that turn the stored count into a reported total; None if nothing does."""
    return fewest(total - b.stored, parts(b), most=3)
