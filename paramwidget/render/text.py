"""Plain text: a table for the terminal, and the same in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..breakdown import Breakdown
from ..claims import headline
from ..reconcile import reconcile
from ..roles import TOGGLES, out_set
from .numbers import decimal, exact
from .rows import ratios, rows, sentence

COLUMNS = ("part", "stored", "architectural", "active", "share")


def _table(b: Breakdown, basis: str, off: Iterable[str], on: Iterable[str]) -> list[tuple[str, ...]]:
    off, on = tuple(off), tuple(on)
    body = [
        (r.label, exact(r.stored), exact(r.architectural), exact(r.active), r.share)
        for r in rows(b, basis, off, on)
    ]
    totals = tuple(exact(b.total(x, off, on)) for x in ("stored", "architectural", "active"))
    return [*body, ("total", *totals, f"of {basis}")]


def to_markdown(b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """The parts on every basis, under one set of departures; the share is of ``basis``."""
    off, on = tuple(off), tuple(on)
    table = _table(b, basis, off, on)
    head = [
        f"**{escape(b.model)}**: {escape(sentence(b, basis, off, on))}",
        "",
        f"| {' | '.join(COLUMNS)} |",
        "|---|---:|---:|---:|---:|",
    ]
    lines = [f"| {' | '.join(escape(cell) for cell in row)} |" for row in table[:-1]]
    lines.append(f"| {' | '.join(f'**{escape(cell)}**' for cell in table[-1])} |")
    return "\n".join([*head, *lines, "", *(escape(line) for line in notes(b, basis, off, on))])


def to_text(b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
    """The same for a terminal, in columns."""
    off, on = tuple(off), tuple(on)
    table = [COLUMNS, *_table(b, basis, off, on)]
    widths = [max(len(row[i]) for row in table) for i in range(len(COLUMNS))]

    def line(row: tuple[str, ...]) -> str:
        return "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    body = [line(row) for row in table]
    return "\n".join(
        [
            b.model,
            sentence(b, basis, off, on),
            "",
            body[0],
            rule,
            *body[1:-1],
            rule,
            body[-1],
            "",
            *notes(b, basis, off, on),
        ]
    )


def notes(b: Breakdown, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> list[str]:
    """What stands below the table: ratios, what is left out, what the card says, and where the config was read."""
    lines = [" · ".join(f"{name} {value}" for name, value in ratios(b, off, on))]
    out = out_set(basis, off, on)
    present = {t.key for t in b.toggles}
    left = [TOGGLES[key][0] for key in TOGGLES if key in out and key in present]
    if left:
        lines.append(f"Left out of {basis}: {', '.join(left)}.")
    tied = next((t for t in b.tensors if t.role == "lm_head" and t.tied_to), None)
    if tied:
        lines.append(f"{tied.name} is tied to {tied.tied_to}: one matrix, two names, stored once.")
    lines += printed(b)
    if b.weight_bytes is not None:
        holds = (
            "the module holds them" if b.provenance.kind == "module" else "the config says they are stored"
        )
        lines.append(f"Weights as {holds}: {gib(b.weight_bytes)}.")
    elif b.not_predicted:
        lines.append(f"Bytes of the weights: not predicted, as {b.not_predicted}.")
    if b.defaulted:
        lines.append(
            "Not in the config, taken from the class: "
            + "; ".join(_default(k, v) for k, v in b.defaulted.items())
            + "."
        )
    read = "The checkpoint was not read."
    if b.residual is not None:
        from .check import verdict

        read = f"Its files: {verdict(b.residual)}"
    lines.append(f"Source: {b.provenance.label}. {b.provenance.note} {read}".replace("  ", " "))
    return [line for line in lines if line]


def printed(b: Breakdown) -> list[str]:
    """The numbers that were printed of a model, each with its verdict, and the words of the one it is known by."""
    known = headline(b)
    return [
        f"Printed ({c.source}): {reconcile(b, c).text}" + (f" “{c.quote}”" if c is known and c.quote else "")
        for c in b.claims
    ]


def gib(n: int) -> str:
    """Bytes in both units, the exact number too: ``60.8 GiB, 65.25 GB (65,248,815,744 bytes)``."""
    if n < 10**9:
        return f"{exact(n)} bytes"
    return f"{decimal(n, 2**30, 1)} GiB, {decimal(n, 10**9, 2)} GB ({exact(n)} bytes)"


def _default(key: str, value: object) -> str:
    rule = getattr(value, "symbols", None)
    if rule and rule != key and not rule.endswith(f".{key}"):
        return f"{key} = {rule} = {int(value):,}"  # type: ignore[call-overload]
    return f"{key} = {value}"


def escape(text: str) -> str:
    """Text as text in Markdown. An underscore within a word is one already: lm_head stays readable."""
    text = re.sub(r"[\\|`*\[~$]", r"\\\g<0>", text.replace("&", "&amp;").replace("<", "&lt;"))
    text = re.sub(
        r"(?<!\w)@(?=\w)", "@<!-- -->", text
    )  # nothing else keeps GitHub from calling a user of that name
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)
