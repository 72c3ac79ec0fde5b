"""``experts``: the routed experts that are stored against those that a token uses, and what stands beside them."""

from __future__ import annotations

from math import ceil

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from ...breakdown import Breakdown
from ...errors import ConventionError
from ...roles import ROLES
from ..colours import HUES, IDLE, IDLE_LINE
from ..numbers import percent, times
from ..rows import departures_text
from ..shape import Routing, routings
from . import marks, page
from .ledger import Ledger, Line

#: experts drawn in one row of cells
ACROSS = 64
#: the parts of a mixture of experts
ROLES_SHOWN = ("routed_expert", "shared_expert", "router")


def draw(b: Breakdown, ax: Axes | None, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> Axes:
    """A cell for each expert of a layer, and a row for each part."""
    found = routings(b)
    if not found:
        raise ConventionError(f"{b.model} has no routed experts. Its parts are drawn by plot('parts').")
    stored, active = b.by_role("stored", off, on), b.by_role("active", off, on)
    rows: list[tuple[str, str | None, int, int]] = [
        (ROLES[r], r, stored[r], active[r]) for r in ROLES_SHOWN if r in stored
    ]
    others = [r for r in stored if r not in ROLES_SHOWN]
    rows.append(("everything else", None, sum(stored[r] for r in others), sum(active[r] for r in others)))
    whole, used = sum(stored.values()), sum(active.values())
    columns = ["stored", "active"] if page.is_narrow(ax) else ["stored", "share", "active", "share"]
    lines = [Line(name, _cells_of((s, a), (whole, used), ax), role) for name, role, s, a in rows]
    lines.append(Line("total", _cells_of((whole, used), (0, 0), ax), bold=True))
    deep = ceil(found[0].all / ACROSS)
    top = 0.75 * deep + 0.9
    departures = departures_text(b, ["stored", "active"], off, on)
    said = "; ".join(filter(None, [_said(found), departures]))
    ax = page.sheet(ax, top + len(lines) + 2, said)
    ledger = Ledger(ax, lines, columns, top, 1)
    ledger.draw()
    ledger.title(b.model, said)
    cells = ledger.picture("cells", 0.1, top - 0.9, wide=True)
    _cells(cells, found[0], deep)
    _key(ledger, found[0], top - 0.45)
    _bars(ledger.picture("bars", ledger.head + 0.5, ledger.end), ledger.at, rows, whole, used)
    ledger.rule(ledger.end - 1)
    routed = stored["routed_expert"]
    if active["routed_expert"]:
        ratio = times(routed, active["routed_expert"])
        ledger.note(f"stored / active: routed experts {ratio}, all {times(whole, used)}", ledger.end + 0.5)
    return ax


def _cells_of(counts: tuple[int, int], totals: tuple[int, int], ax: Axes | None) -> list[str]:
    """A count and its share, stored and active; without shares where there is no room, and for the totals."""
    cells = []
    for n, total in zip(counts, totals, strict=True):
        cells.append(page.count(n, ax))
        if not page.is_narrow(ax):
            cells.append(percent(n, total) if total else "")
    return cells


def _said(found: tuple[Routing, ...]) -> str:
    """``36 layers, in each a token uses 4 of 128 experts``."""
    return "; ".join(f"{r.layers:,} layers, in each a token uses {r.text}" for r in found[:3])


def _cells(ax: Axes, routed: Routing, deep: int) -> None:
    """One cell an expert, those that a token uses filled; which ones they are changes with the token."""
    across = min(routed.all, ACROSS)
    ax.set_xlim(0, across)
    ax.set_ylim(deep, 0)
    ax.set_xticks([])
    boxes = [Rectangle((i % across + 0.08, i // across + 0.08), 0.84, 0.84) for i in range(routed.all)]
    for gid, some, face, edge in (
        ("used", boxes[: routed.used], HUES["routed_expert"].fill, HUES["routed_expert"].fill),
        ("idle", boxes[routed.used :], IDLE, IDLE_LINE),
    ):
        cells = PatchCollection(some, facecolor=face, edgecolor=edge, linewidth=0.6, gid=gid)
        ax.add_collection(cells, autolim=False)


def _key(ledger: Ledger, routed: Routing, y: float) -> None:
    which = "at most " if routed.low != routed.used else ""
    ledger.note(f"{routed.all:,} experts of one layer, {which}{routed.used:,} of them in use (dark)", y)


def _bars(
    ax: Axes, at: list[float], rows: list[tuple[str, str | None, int, int]], whole: int, used: int
) -> None:
    """Stored and active as lengths to one scale: what is filled is in use, what is pale lies idle."""
    ax.set_xlim(0, whole)
    ax.set_xticks([])
    for y, (name, role, stored, active) in zip(at, [*rows, ("total", None, whole, used)], strict=True):
        colours = marks.hue(role)
        if stored > active:
            box = Rectangle(
                (0, y - 0.3),
                stored,
                0.6,
                facecolor=IDLE,
                edgecolor=IDLE_LINE,
                linewidth=0.6,
                gid=f"{name} stored",
            )
            ax.add_patch(box)
        if active:
            marks.stretch(ax, 0, active, y, 0.6, colours, gid=f"{name} active")
