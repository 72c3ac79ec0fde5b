"""``layer``: what one layer is made of, for each kind of layer that the model has."""

from __future__ import annotations

from matplotlib.axes import Axes

from ...breakdown import Breakdown
from ...errors import ConventionError
from ...roles import ROLES, out_set
from ..numbers import decimal, percent, short
from ..rows import departures_text
from ..shape import LayerKind, layer_kinds
from . import marks, page
from .ledger import Ledger, Line

#: with more kinds than this, each is one row
IN_FULL = 6


def draw(b: Breakdown, ax: Axes | None, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> Axes:
    """A bar for each kind of layer, and its parts below it."""
    kinds = layer_kinds(b, out_set(basis, off, on))
    if not kinds:
        raise ConventionError(f"{b.model} has no layers to draw: none of its tensors is in one.")
    active = basis == "active"
    sparse = active and any(k.active != k.stored for k in kinds)
    columns = (
        ["stored", "active", "share" if page.is_narrow(ax) else "share of active"]
        if sparse
        else ["parameters", "share"]
    )
    lines: list[Line] = []
    heads: list[int] = []
    in_full = len(kinds) <= IN_FULL
    for kind in kinds:
        whole = [page.count(n, ax) for n in ((kind.stored, kind.active) if sparse else (kind.stored,))]
        if in_full:
            lines.append(Line(title_of(kind), bold=True, free=True))
        heads.append(len(lines))
        name = "one layer" if in_full else title_of(kind)
        lines.append(Line(name, [*whole, ""], bold=not in_full, height=1.2))
        if in_full:
            lines += [_line(kind, role, sparse, ax) for role in kind.parts]
            lines.append(Line("", height=0.3))
    shown = list(dict.fromkeys(role for kind in kinds for role in kind.parts))
    below = 0.0 if in_full else 0.2 + marks.legend_rows(shown, ax)
    departures = departures_text(b, [basis], off, on)
    said = "; ".join(filter(None, [_said(kinds, sparse), departures]))
    ax = page.sheet(ax, sum(line.height for line in lines) + 1 + below, said)
    ledger = Ledger(ax, lines, columns, 0, below)
    ledger.draw()
    ledger.title(b.model, said)
    _bars(ledger, kinds, heads, sparse)
    if below:
        marks.legend(ax, ledger.end + 0.6, shown)
    return ax


def title_of(kind: LayerKind) -> str:
    """``layers 0–31: full attention, dense``."""
    return f"{kind.name}: {kind.does}" if kind.does else kind.name


def _line(kind: LayerKind, role: str, sparse: bool, ax: Axes | None) -> Line:
    stored, active = kind.parts[role]
    share = percent(active, kind.active) if sparse else percent(stored, kind.stored)
    numbers = (stored, active) if sparse else (stored,)
    cells = [*(page.count(n, ax) for n in numbers), share]
    return Line(ROLES[role], cells, role)


def _said(kinds: tuple[LayerKind, ...], sparse: bool) -> str:
    """What is drawn, and, where there is one kind, the largest part of it: ``MLP 176.2M of 218.1M``."""
    if len(kinds) > 1:
        return f"one layer of each of {len(kinds)} kinds"
    [kind] = kinds
    role, (stored, active) = max(kind.parts.items(), key=lambda part: part[1][sparse])
    return (
        f"one of {len(kind.layers):,} layers: {ROLES[role]} {_short(active if sparse else stored)} of "
        + _short(kind.active if sparse else kind.stored)
    )


def _short(n: int) -> str:
    return f"{decimal(n, 10**6, 1)}M" if 10**6 <= n < 10**9 else short(n)


def _bars(ledger: Ledger, kinds: tuple[LayerKind, ...], heads: list[int], sparse: bool) -> None:
    """One bar a kind, its parts in order, each kind to its own scale: the numbers beside it say how large it is."""
    ax = ledger.picture("layers", 1, ledger.end)
    ax.set_xlim(0, 1)
    ax.set_xticks([])
    in_full = len(kinds) <= IN_FULL
    for kind, head in zip(kinds, heads, strict=True):
        sizes = {role: both[sparse] for role, both in kind.parts.items()}
        whole, at = sum(sizes.values()) or 1, 0
        for i, (role, n) in enumerate(sizes.items()):
            x0, x1 = at / whole, (at + n) / whole
            at += n
            if not n:
                continue
            marks.stretch(
                ax,
                x0,
                x1,
                ledger.at[head],
                0.8,
                marks.hue(role),
                label=[ROLES[role], percent(n, whole)],
                gid=f"{head} {role}",
            )
            if in_full:
                y = ledger.at[head + 1 + i]
                ax.plot([0, 1], [y, y], color=page.line_colour(), linewidth=0.6, zorder=0.5)
                marks.stretch(ax, x0, x1, y, 0.34, marks.hue(role), gid=f"{head} {role} row", bare=True)
