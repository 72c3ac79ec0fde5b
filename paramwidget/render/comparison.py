"""Models side by side as text: tables for the terminal and in Markdown, and plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..breakdown import SCHEMA
from ..roles import BASES, ROLES, TOGGLES, series
from .data import provenance_data
from .numbers import decimal, exact, percent, times
from .rows import departures_text
from .text import escape

if TYPE_CHECKING:
    from ..compare import Comparison

#: with more models than this, each is a row
SIDE_BY_SIDE = 4
#: characters of a value in a table; a list may have hundreds
LONGEST_VALUE = 40
#: fields named in a sentence
MOST_FIELDS = 12

#: what columns are where models are rows: name -> the roles in it
GROUPS: dict[str, tuple[str, ...]] = {
    "tables": ("embedding", "lm_head", "position", "per_layer_embedding"),
    "mixers": ("attention", "linear_attention", "ssm"),
    "MLP": ("mlp",),
    "experts": ("routed_expert", "shared_expert", "router"),
    "towers": ("encoder", "vision", "audio", "projector"),
    "MTP": ("mtp",),
    "rest": ("norm", "other"),
}


@dataclass(frozen=True, slots=True)
class Table:
    """Head and rows; the first column is text, and the last ``summary`` rows are sums."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    summary: int = 0


def table(c: Comparison) -> Table:
    """Parts as rows while models can stand side by side, else models as rows."""
    return _parts(c) if len(c) <= SIDE_BY_SIDE else _models(c)


def _parts(c: Comparison) -> Table:
    head = ["part"]
    for label in c.short_labels:
        head += [label, "share"]
    rows = []
    for role, counts in c.by_role.items():
        if any(counts):
            row = [ROLES[role]]
            for n, total in zip(counts, c.totals, strict=True):
                row += ["–", ""] if n is None else [exact(n), percent(n, total)]
            rows.append(tuple(row))
    sums = [("total", c.totals)] + [(f"total {x}", c.totals_of(x)) for x in BASES if x != c.basis]
    declared = c.totals_of("architectural") != c.totals_of("stored")
    for name, counts in sums:
        if name != "total architectural" or declared:
            label = f"total {c.basis}" if name == "total" else name
            rows.append((label, *(cell for n in counts for cell in (exact(n), ""))))
    ratio = [(times(s, a) if a else "–", "") for s, a in _stored_active(c)]
    rows.append(("stored / active", *(cell for pair in ratio for cell in pair)))
    sizes = [b.weight_bytes for b in c.breakdowns]
    if any(sizes):
        cells = [("–" if n is None else f"{decimal(n, 10**9, 2)} GB", "") for n in sizes]
        rows.append(("weights as stored", *(cell for pair in cells for cell in pair)))
    return Table(tuple(head), tuple(rows), summary=len(rows) - sum(any(n) for n in c.by_role.values()))


def fields(c: Comparison) -> Table | None:
    """The fields that decide what is counted, a column a model; None where nothing differs, or models are many."""
    found = [d for d in c.differences if d.decides]
    if not found or len(c) > SIDE_BY_SIDE:
        return None
    return Table(("config field", *c.short_labels), tuple((d.field, *map(value, d.values)) for d in found))


def _models(c: Comparison) -> Table:
    groups = {
        name: [sum(c.by_role[r][i] or 0 for r in roles if r in c.by_role) for i in range(len(c))]
        for name, roles in GROUPS.items()
    }
    shown = {name: counts for name, counts in groups.items() if any(counts)}
    declared = ["architectural"] if c.basis == "architectural" else []
    head = ["model", *declared, "stored", "active", "ratio", *shown]
    rows = []
    for i, (stored, active) in enumerate(_stored_active(c)):
        first = [exact(c.totals[i])] if declared else []
        ratio = times(stored, active) if active else "–"
        shares = [percent(counts[i], c.totals[i]) for counts in shown.values()]
        rows.append((c.short_labels[i], *first, exact(stored), exact(active), ratio, *shares))
    return Table(tuple(head), tuple(rows))


def _stored_active(c: Comparison) -> list[tuple[int, int]]:
    return list(zip(c.totals_of("stored"), c.totals_of("active"), strict=True))


def sentence(c: Comparison) -> str:
    """How they were counted: ``2 models, stored, embedding out``."""
    return f"{len(c)} model{'s' * (len(c) != 1)}, {counted_text(c)}"


def counted_text(c: Comparison) -> str:
    """``stored, embedding out``."""
    said = departures(c)
    return f"{c.basis}, {said}" if said else c.basis


def departures(c: Comparison) -> str:
    """What differs from the basis's default in parts that any of the models has."""
    has = {t.key for b in c.breakdowns for t in b.toggles}
    for b in c.breakdowns:
        if {t.key for t in b.toggles} >= has & {*c.off, *c.on}:
            return departures_text(b, [c.basis], c.off, c.on)
    left, added = ([TOGGLES[k][0] for k in keys if k in has] for keys in (c.off, c.on))
    return ", ".join(f"{series(names)} {way}" for names, way in ((left, "out"), (added, "in")) if names)


def notes(c: Comparison) -> list[str]:
    """What stands below: what else the configs differ in, and where each was read."""
    lines = []
    found = [d.field for d in c.differences if d.decides]
    if len(c) > 1 and not found:
        lines.append("The configs differ in nothing that decides what is counted.")
    if len(c) > SIDE_BY_SIDE and found:
        lines.append(f"The configs differ in {_some(found)}.")
    rest = [d.field for d in c.differences if not d.decides]
    if rest:
        lines.append(f"Also different, but deciding nothing that is counted: {_some(rest)}.")
    return lines + _sources(c)


def _some(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - MOST_FIELDS
    return ", ".join(names[:MOST_FIELDS]) + (f" and {more} more" if more > 0 else "")


def _sources(c: Comparison) -> list[str]:
    labels = [b.provenance.label for b in c.breakdowns]
    if len(set(labels)) == 1:
        return [f"Source of each: {labels[0]}. No checkpoint was read."]
    pairs = "; ".join(f"{n}: {label}" for n, label in zip(c.short_labels, labels, strict=True))
    return [f"Sources: {pairs}. No checkpoint was read."]


def value(v: Any) -> str:
    """A value of a config as a cell shows it."""
    if isinstance(v, list | tuple) and len(v) > 4:
        return f"{len(v)} entries: {', '.join(map(str, v[:2]))} …"[: LONGEST_VALUE + 10]
    text = exact(v) if type(v) is int else str(v)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def to_markdown(c: Comparison) -> str:
    """The table, and what the configs differ in."""
    t = table(c)
    lines = [f"**{escape(sentence(c))}**", "", *_markdown(t.head, t.rows, t.summary)]
    differing = fields(c)
    if differing:
        lines += ["", *_markdown(differing.head, differing.rows, 0)]
    return "\n".join([*lines, "", *(escape(line) for line in notes(c))])


def _markdown(head: tuple[str, ...], rows: Any, summary: int) -> list[str]:
    lines = [f"| {' | '.join(map(escape, head))} |", f"|---|{'---:|' * (len(head) - 1)}"]
    for i, row in enumerate(rows):
        cells = [escape(cell) for cell in row]
        if i >= len(rows) - summary:
            cells = [f"**{cell}**" if cell else "" for cell in cells]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def to_text(c: Comparison) -> str:
    """The same for a terminal, in columns."""
    lines = [sentence(c), "", *_columns(table(c))]
    differing = fields(c)
    if differing:
        lines += ["", *_columns(differing)]
    return "\n".join([*lines, "", *notes(c)])


def _columns(t: Table) -> list[str]:
    widths = [max(len(row[i]) for row in (t.head, *t.rows)) for i in range(len(t.head))]

    def line(row: tuple[str, ...]) -> str:
        rest = (cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))
        return "  ".join([row[0].ljust(widths[0]), *rest]).rstrip()

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    body = [line(row) for row in t.rows]
    at = len(body) - t.summary
    return [line(t.head), rule, *body[:at], *([rule] if t.summary else []), *body[at:]]


def to_dict(c: Comparison) -> dict[str, Any]:
    """Exact counts of each model under the one convention, and what differs."""
    return {
        "schema": SCHEMA,
        "basis": c.basis,
        "off": list(c.off),
        "on": list(c.on),
        "models": [
            {
                "label": label,
                "model": b.model,
                "model_type": b.model_type,
                "architecture": b.architecture,
                "provenance": provenance_data(b),
                "total": total,
                **{basis: b.total(basis, c.off, c.on) for basis in BASES},
                "active_low": b.total_range("active", c.off, c.on)[0],
                "by_role": b.by_role(c.basis, c.off, c.on),
                "weight_bytes": b.weight_bytes,
            }
            for label, b, total in zip(c.labels, c.breakdowns, c.totals, strict=True)
        ],
        "differences": [
            {"field": d.field, "decides": d.decides, "values": [_plain(v) for v in d.values]}
            for d in c.differences
        ],
    }


def _plain(v: Any) -> Any:
    from ..config_difference import ABSENT

    return None if v is ABSENT else v
