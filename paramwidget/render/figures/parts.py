"""``parts``: what is stored and what a token uses, as bars to one scale and as sizes on a log scale."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from ...breakdown import Breakdown
from ...roles import ROLES, series
from ..colours import IDLE, IDLE_LINE, IDLE_TEXT, Hue
from ..numbers import decimal, short
from ..rows import departures_text, rows
from ..shape import Routing, routing
from . import marks, page
from .ledger import Ledger, Line
from .sizes import sizes

#: rows that the two bars take
STORED, WEDGE, ACTIVE = 1.2, 1.15, 2.1
#: a part below this share of the bar is named outside it
SMALL = 0.02


@dataclass(frozen=True)
class Piece:
    """A stretch of a bar: a role, or what of it lies idle."""

    role: str
    count: int
    idle: bool = False


def draw(b: Breakdown, ax: Axes | None, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> Axes:
    """Two bars, and a row for each part."""
    stored, active = b.by_role("stored", off, on), b.by_role("active", off, on)
    declared = b.by_role("architectural", off, on)
    first = declared if basis == "architectural" else stored
    sparse = any(active[r] < first[r] for r in first) and any(active.values())
    name = "architectural" if basis == "architectural" else "stored"
    share_head = "share" if page.is_narrow(ax) else f"share of {basis}"
    columns = [name, "active", share_head] if sparse else [name, share_head]

    def cells(whole: int, used: int, share: str) -> list[str]:
        return [*(page.count(n, ax) for n in ((whole, used) if sparse else (whole,))), share]

    table = rows(b, basis, off, on)
    tied = {r.role for r in table if not first[r.role] and all(t.tied_to for t in r.tensors)}
    lines = [
        Line(
            r.label,
            cells(first[r.role], active[r.role], "tied" if r.role in tied and not r.left_out else r.share),
            r.role,
            soft=r.left_out,
        )
        for r in table
    ]
    lines.append(Line("total", cells(sum(first.values()), sum(active.values()), ""), bold=True))
    top = (STORED + WEDGE + ACTIVE if sparse else ACTIVE) + 0.3
    said = _said(b, basis, off, on)
    ax = page.sheet(ax, len(lines) + 1 + top + 1, said)
    ledger = Ledger(ax, lines, columns, top, 1)
    ledger.draw()
    ledger.title(b.model, said)
    bars = ledger.picture("bars", 0.0, top, wide=True)
    bars.set_xlim(0, 1)
    bars.set_xticks([])
    _bars(bars, first, active if sparse else first, sparse, routing(b), name)
    picture = ledger.picture("sizes", ledger.head, ledger.end - 1)
    sizes(
        picture,
        [
            (y, line.role or "", first[line.role or ""], active[line.role or ""])
            for y, line in zip(ledger.at[:-1], lines[:-1], strict=True)
        ],
        both=sparse,
    )
    ledger.rule(ledger.end - 1)
    key = f"size, log scale: ● active  ○ {name}" if sparse else "size, log scale"
    # of the picture, so that it goes where the picture has no room
    picture.annotate(
        key,
        (0, ledger.end + 0.5),
        xycoords=(ax.transAxes, "data"),
        annotation_clip=False,
        **page.words(ha="left", va="center_baseline", color=page.soft_colour()),
    )
    return ax


def _said(b: Breakdown, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> str:
    """``116.83B stored, 5.71B active; 4 of 128 experts for a token; embedding out``."""
    counts = {
        x: b.total(x, off, on) for x in (("stored", "active") if basis == "active" else (basis, "active"))
    }
    found = routing(b)
    same = len(set(counts.values())) == 1
    return "; ".join(
        filter(
            None,
            [
                f"{short(counts['active'])}, all active"
                if same
                else ", ".join(f"{short(n)} {x}" for x, n in counts.items()),
                f"{found.text} for a token" if found else "",
                departures_text(b, [basis, "active"], off, on),
            ],
        )
    )


def _bars(
    ax: Axes, first: dict[str, int], active: dict[str, int], sparse: bool, routed: Routing | None, name: str
) -> None:
    whole, used = sum(first.values()), sum(active.values())
    pieces, small = gathered([Piece(role, n) for role, n in active.items() if n])
    if not sparse:
        _bar(ax, pieces, used, ACTIVE / 2, ACTIVE - 0.5, routed, 1.0)
        return
    idle = [Piece(role, first[role] - active[role], True) for role in first if first[role] > active[role]]
    idle.sort(key=lambda p: p.role != "routed_expert")
    _bar(ax, [*pieces, *idle], whole, STORED / 2, STORED - 0.1, routed, 1.0, outer=name)
    y0, y1 = STORED - 0.05, STORED + WEDGE
    wedge = Polygon(
        [(0, y0), (used / whole, y0), (1, y1), (0, y1)],
        closed=True,
        facecolor=page.line_colour(),
        alpha=0.45,
        linewidth=0,
        gid="wedge",
    )
    ax.add_patch(wedge)
    zoom = f"{(2 * whole + used) // (2 * used):,}" if whole >= 10 * used else decimal(whole, used, 2)
    said = f"active, × {zoom}: what one token uses"
    x = _middle(pieces, small, used)
    side = "left" if small and x > 0.55 else "right"
    ax.annotate(
        said,
        (float(side == "right"), STORED + WEDGE / 2),
        (page.size(0.4) * (-1 if side == "right" else 1), 0),
        textcoords="offset points",
        gid="wedge label",
        **page.words(0.92, ha=side, va="center", weight="bold"),
    )
    _bar(ax, pieces, used, STORED + WEDGE + ACTIVE / 2, ACTIVE - 0.2, routed, 1.0)
    if small:
        taken = (page.width(said, 0.92, "bold") + 3 * page.size()) / 72
        _leader(ax, small, x, STORED + WEDGE, (taken, 0.0) if side == "left" else (0.0, taken))


def _bar(
    ax: Axes,
    pieces: list[Piece],
    whole: int,
    y: float,
    height: float,
    routed: Routing | None,
    scale: float,
    outer: str = "",
) -> None:
    """One stacked bar over the whole width."""
    at = 0
    for piece in pieces:
        x0, x1 = at / whole * scale, (at + piece.count) / whole * scale
        at += piece.count
        label = ROLES[piece.role]
        colours = marks.hue(piece.role)
        if outer and not piece.idle:
            forms = [label]
        elif piece.idle:
            idle_experts = piece.role == "routed_expert"
            colours = Hue(IDLE, IDLE_TEXT, "|") if idle_experts else _pale(colours)
            which = f", {routed.idle_text} idle" if idle_experts and routed else ", used by no token"
            forms = [
                f"{outer}: {label}{which}, {short(piece.count)}",
                f"{label}{which}",
                label,
                short(piece.count),
            ]
        else:
            more = f", {routed.per_token}" if piece.role == "routed_expert" and routed else ""
            number = short(piece.count)
            forms = [f"{label}{more}\n{number}", f"{label}\n{number}", number, label]
        marks.stretch(
            ax,
            x0,
            x1,
            y,
            height,
            colours,
            label=forms,
            gid=f"{'idle ' if piece.idle else ''}{piece.role}",
            line=IDLE_LINE if piece.idle and piece.role == "routed_expert" else None,
        )

    at = 0
    for left, right in pairwise(pieces):
        at += left.count
        if min(left.count, right.count) > whole / 100:
            ground = page.mixed("#fff", 0.0)
            ax.plot([at / whole] * 2, [y - height / 2, y + height / 2], color=ground, linewidth=0.8)


def _pale(colours: Hue) -> Hue:
    return Hue(page.mixed(colours.fill, 0.45), "#000", colours.hatch)


def gathered(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The pieces with the small ones side by side, where the first of them stands, so that one label names them."""
    whole = sum(p.count for p in pieces)
    small = [p for p in pieces if p.count < SMALL * whole]
    large = [p for p in pieces if p.count >= SMALL * whole]
    if not small:
        return large, []
    at = next(i for i, p in enumerate(pieces) if p.count < SMALL * whole)
    return [*large[:at], *small, *large[at:]], small


def _middle(pieces: list[Piece], small: list[Piece], whole: int) -> float:
    """Where the small parts are, as a share of the bar."""
    if not small:
        return 0.0
    before = sum(p.count for p in pieces[: pieces.index(small[0])])
    return (before + sum(p.count for p in small) / 2) / whole


def _leader(ax: Axes, small: list[Piece], x: float, y: float, taken: tuple[float, float]) -> None:
    """One line from the small parts to their names, between the bars."""
    together = short(sum(p.count for p in small))
    names = [ROLES[p.role] for p in small]
    forms = [f"{series(names)} {together}", f"{len(names)} small parts {together}"]
    ax.plot([x, x], [y - WEDGE / 2 - 0.35, y + 0.1], color=page.text_colour(), linewidth=0.6, gid="leader")
    ax.add_artist(marks.BesideText(x, taken, y - WEDGE / 2 + 0.1, forms, ax))
