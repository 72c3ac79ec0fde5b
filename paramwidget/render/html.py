"""Static HTML for where no widget runs: GitHub, an untrusted notebook, nbconvert.

No script, no style sheet, no svg: JupyterLab's sanitizer drops them. Tables, details, meter and inline styles stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..breakdown import Breakdown
from ..errors import printable
from ..roles import out_set
from .numbers import exact
from .rows import Row, copies, rows, sentence
from .text import notes

CELL = "padding:2px 10px;text-align:right;font-variant-numeric:tabular-nums"
NAME = "padding:2px 10px;text-align:left"


def to_fragment(b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """A table of the parts, each opening to its tensors; every number exact."""
    off, on = tuple(off), tuple(on)
    table = rows(b, basis, off, on)
    total = max(b.total(basis, off, on), 1)
    head = "".join(
        f'<th scope="col" style="{NAME if name == "part" else CELL}">{name}</th>'
        for name in ("part", "stored", "architectural", "active", f"share of {basis}", "")
    )
    body = "".join(_row(b, r, basis, total) for r in table)
    sums = "".join(
        f'<td style="{CELL}"><b>{exact(b.total(x, off, on))}</b></td>'
        for x in ("stored", "architectural", "active")
    )
    tensors = _tensors(b, table, basis, out_set(basis, off, on))
    below = "".join(f"<br>{escape(line)}" for line in notes(b, basis, off, on))
    return (
        f'<div dir="ltr" lang="en"><p><b>{escape(b.model)}</b><br>{escape(sentence(b, basis, off, on))}</p>'
        f'<table><thead><tr>{head}</tr></thead><tbody>{body}<tr><th scope="row" style="{NAME}">total</th>{sums}'
        f"<td></td><td></td></tr></tbody></table>"
        f"<details><summary>all {len(b.tensors)} tensors</summary>{tensors}</details>"
        f"<p><small>{below.removeprefix('<br>')}</small></p></div>"
    )


def _row(b: Breakdown, r: Row, basis: str, total: int) -> str:
    cells = "".join(f'<td style="{CELL}">{exact(n)}</td>' for n in (r.stored, r.architectural, r.active))
    n = {"stored": r.stored, "architectural": r.architectural, "active": r.active}[basis]
    return (
        f'<tr><th scope="row" style="{NAME};font-weight:normal">{escape(r.label)}</th>{cells}'
        f'<td style="{CELL}">{r.share}</td><td><meter min="0" max="{total}" value="{n}"></meter></td></tr>'
    )


def _tensors(b: Breakdown, table: list[Row], basis: str, out: frozenset[str]) -> str:
    lines = []
    for r in table:
        for t in r.tensors:
            extra = "; ".join(
                x for x in (t.note, "implied: the config does not name it" if t.implied else "") if x
            )
            count = b.count_of(t, basis, out)
            lines.append(
                f'<tr><td style="{NAME}"><code>{escape(printable(t.name))}</code></td>'
                f'<td style="{NAME}">{escape(t.formula)}</td>'
                f'<td style="{CELL}">{copies(t, basis)}</td><td style="{CELL}">{exact(count)}</td>'
                f'<td style="{NAME}">{escape(extra)}</td></tr>'
            )
    head = "".join(
        f'<th scope="col" style="{NAME}">{h}</th>' for h in ("tensor", "shape of one", "copies", basis, "")
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
