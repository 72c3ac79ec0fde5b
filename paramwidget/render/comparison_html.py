"""Models side by side as static HTML; what a sanitizer drops is not used (see html.py)."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..roles import ROLES
from .colours import HUES
from .comparison import SIDE_BY_SIDE, Table, fields, notes, sentence, table
from .html import CELL, NAME
from .numbers import percent

if TYPE_CHECKING:
    from ..compare import Comparison

_BAR = "display:inline-block;height:12px;vertical-align:middle"


def to_fragment(c: Comparison) -> str:
    """The table, a bar of parts for each model where models are rows, and what the configs differ in."""
    bars = [_bar(c, i) for i in range(len(c))] if len(c) > SIDE_BY_SIDE else None
    differing = fields(c)
    below = "<br>".join(escape(line) for line in notes(c))
    more = f"<p>What the configs differ in</p>{_table(differing)}" if differing else ""
    key = f"<p><small>{_key(c)}</small></p>" if bars else ""
    return (
        f'<div dir="ltr" lang="en"><p><b>{escape(sentence(c))}</b></p>{_table(table(c), bars)}{key}{more}'
        f"<p><small>{below}</small></p></div>"
    )


def _table(t: Table, bars: list[str] | None = None) -> str:
    names = [*t.head, "parts"] if bars else list(t.head)
    head = "".join(
        f'<th scope="col" style="{CELL if i else NAME}">{escape(n)}</th>' for i, n in enumerate(names)
    )
    body = "".join(
        _row(row, bars[i] if bars else "", i >= len(t.rows) - t.summary) for i, row in enumerate(t.rows)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(row: tuple[str, ...], bar: str, bold: bool) -> str:
    weight = "bold" if bold else "normal"
    cells = "".join(f'<td style="{CELL};font-weight:{weight}">{escape(cell)}</td>' for cell in row[1:])
    drawn = f'<td style="{NAME};white-space:nowrap">{bar}</td>' if bar else ""
    return f'<tr><th scope="row" style="{NAME};font-weight:{weight}">{escape(row[0])}</th>{cells}{drawn}</tr>'


def _bar(c: Comparison, i: int) -> str:
    """160 pixels of what a model is made of; the title says it in words."""
    total = c.totals[i] or 1
    parts = [(role, counts[i] or 0) for role, counts in c.by_role.items() if counts[i]]
    return "".join(
        f'<span style="{_BAR};width:{160 * n / total:.2f}px;background-color:{HUES[role].fill}" '
        f'title="{escape(ROLES[role])} {percent(n, total)}"></span>'
        for role, n in parts
    )


def _key(c: Comparison) -> str:
    """Which colour is which part."""
    return " &nbsp;".join(
        f'<span style="{_BAR};width:12px;background-color:{HUES[role].fill}"></span> {escape(ROLES[role])}'
        for role, counts in c.by_role.items()
        if any(counts)
    )
