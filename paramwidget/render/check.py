"""A residual for a reader: a table of what is predicted, found and why, for the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..errors import printable
from ..residual.rows import (
    AS_FOUND,
    BOOKKEEPING,
    ELSEWHERE,
    MATCHES,
    PACKED,
    PARAMETERS,
    STATED,
    UNEXPLAINED,
    Residual,
    Row,
)
from ..roles import ROLES
from .numbers import exact
from .text import escape, gib

COLUMNS = ("what", "predicted", "found", "difference", "cause")


def to_text(residual: Residual) -> str:
    """The verdict first, then the parameters row by row, then what was counted apart and what others state."""
    out = [printable(title(residual)), verdict(residual), ""]
    table = [COLUMNS, *_cells(residual)]
    widths = [max(len(row[i]) for row in table) for i in range(len(COLUMNS))]
    lines = [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(row[1:4], widths[1:4], strict=True)),
                row[4],
            ]
        )
        for row in table
    ]
    rule = "─" * min(sum(widths) + 8, 118)
    body = [lines[0], rule, *lines[1:-1], rule, lines[-1].rstrip()]
    return "\n".join([*out, *body, "", *map(printable, notes(residual))])


def to_markdown(residual: Residual) -> str:
    """The same as a Markdown table."""
    cells = list(_cells(residual))
    head = [
        f"**{escape(title(residual))}**: {escape(verdict(residual))}",
        "",
        f"| {' | '.join(COLUMNS)} |",
        "|---|---:|---:|---:|---|",
    ]
    lines = [f"| {' | '.join(escape(cell) for cell in row)} |" for row in cells[:-1]]
    lines.append(f"| {' | '.join(f'**{escape(cell)}**' if cell else '' for cell in cells[-1])} |")
    return "\n".join([*head, *lines, "", *(f"- {escape(line)}" for line in notes(residual))])


def title(residual: Residual) -> str:
    """The repository and its commit."""
    return residual.repo + (f" @ {residual.revision[:12]}" if residual.revision else "")


def verdict(residual: Residual) -> str:
    """One sentence: whether the files hold what the config says, and if not, whether it is known why."""
    if residual.found_parameters is None:
        guess = next((row for row in residual.rows if row.name == "Hub total"), None)
        if guess is None:
            return "No header was read and the Hub states no total, so nothing is compared."
        return f"No header was read. The Hub's total of {exact(guess.found)}: {guess.cause}."
    n = residual.unexplained
    if n:
        return f"{exact(n)} {'is' if n == 1 else 'are'} not explained."
    differing = [r for r in residual.rows if r.of == PARAMETERS and r.difference]
    if not differing and any(r.cause == AS_FOUND for r in residual.rows):
        return (
            "Counted from the tensors as they are: there is no config here that they could be held against."
        )
    if not differing:
        return "The files hold exactly the parameters that the config says."
    return "Every difference between the config and the files is explained."


def _cells(residual: Residual) -> Iterator[tuple[str, ...]]:
    for row in residual.rows:
        if row.of == PARAMETERS:
            cause = row.cause + (f": {row.note}" if row.note else "")
            yield (
                printable(row.name),
                exact(row.predicted),
                exact(row.found),
                _signed(row.difference),
                printable(cause),
            )
    found = residual.found_parameters
    if found is None:
        yield ("parameters", exact(residual.predicted), "", "", "")
    else:
        yield ("parameters", exact(residual.predicted), exact(found), _signed(found - residual.predicted), "")


def notes(residual: Residual) -> Iterator[str]:
    """What was counted apart, what others state, what lies elsewhere, the bits, and what is wrong with the files."""
    for row in residual.rows:
        if row.of == BOOKKEEPING:
            yield f"{row.name}: {exact(row.found)} elements; {row.note}."
    for row in residual.rows:
        if row.of == STATED:
            yield _stated(row)
    if residual.nbytes is not None:
        bits = residual.bits
        yield f"Files hold {gib(residual.nbytes)}: {_bits(bits)} bits per parameter{_by_role(residual)}."
    for row in residual.rows:
        if row.of == ELSEWHERE:
            yield f"{row.name}: {row.cause}, {row.note}."
    yield from residual.problems


def _stated(row: Row) -> str:
    if row.cause == MATCHES:
        return f"{row.name}: {exact(row.found)}, {row.note}."
    if row.cause == PACKED:
        return f"{row.name}: {exact(row.found)} elements stored for {exact(row.predicted)} parameters: {row.note}."
    if row.cause == UNEXPLAINED:
        return f"{row.name}: {exact(row.found)}, not explained: {row.note}."
    return f"{row.name}: {exact(row.found)}, {row.cause}: {row.note}."


def _by_role(residual: Residual) -> str:
    """``; routed experts 4.25, attention 16.00`` where roles differ."""
    each = {role: r.bits for role, r in residual.by_role.items() if r.bits is not None}
    if len({_bits(b) for b in each.values()}) < 2:
        return ""
    return "; " + ", ".join(f"{ROLES.get(role, role)} {_bits(b)}" for role, b in each.items())


def _bits(bits: Fraction | None) -> str:
    """Two places, rounded on integers."""
    if bits is None:
        return "0"
    hundredths = (200 * bits.numerator + bits.denominator) // (2 * bits.denominator)
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _signed(n: int) -> str:
    return "0" if n == 0 else f"{'+' if n > 0 else '−'}{abs(n):,}"
