"""Sizes on a log scale: a filled dot for what is active, a hollow one for what is stored."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from . import marks, page

POWERS = {0: "1", 3: "1K", 6: "1M", 9: "1B", 12: "1T", 15: "1,000T"}


def sizes(ax: Axes, rows: Sequence[tuple[float, str | None, int, int]], *, both: bool) -> None:
    """Dots for (y, role, whole, used); a part of 0 has none. ``both``: the two differ somewhere."""
    counts = [n for _, _, whole, used in rows for n in (whole, used) if n]
    low, high = min(counts, default=1), max(counts, default=10)
    ax.set_xscale("log")
    ax.set_xlim(low / 2.2, high * 2.2)
    ticks = [10**p for p in POWERS if low / 2.2 <= 10**p <= high * 2.2]
    if len(ticks) < 2:
        ticks = [10**p for p in range(16) if low / 2.2 <= 10**p <= high * 2.2]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: named(int(n))))
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0, pad=-page.size(0.6), colors=page.soft_colour(), labelsize=page.size())
    ax.grid(axis="x", color=page.line_colour(), linewidth=0.6)
    ax.set_axisbelow(True)
    radius = page.size(0.62)
    for y, role, whole, used in rows:
        colour = marks.hue(role).fill
        if both and whole and used and whole != used:
            ax.plot(
                [used, whole], [y, y], color=page.text_colour(), linewidth=0.9, gid=f"{role} span", zorder=2
            )
        if both and whole and whole != used:
            ax.plot(
                [whole],
                [y],
                "o",
                ms=radius,
                mfc=page.mixed(colour, 0.0),
                mec=page.text_colour(),
                mew=1.0,
                gid=f"{role} stored",
                zorder=3,
            )
        if used:
            ax.plot(
                [used],
                [y],
                "o",
                ms=radius,
                mfc=colour,
                mec=page.text_colour(),
                mew=0.5,
                gid=f"{role} active",
                zorder=4,
            )


def named(n: int) -> str:
    """``10M`` for a power of ten."""
    for p in (12, 9, 6, 3):
        if n >= 10**p:
            return f"{n // 10**p:,}{'KMBT'[p // 3 - 1]}"
    return str(n)
