"""Models side by side: a row each, with its sizes on a log scale and what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes

from ...roles import ROLES
from ..comparison import counted_text
from ..numbers import percent, short, times
from . import marks, page
from .ledger import Ledger, Line, stacked
from .sizes import sizes

if TYPE_CHECKING:
    from ...compare import Comparison

#: the share of the picture that the sizes take
SIZES = 0.4
#: names that take more than this share of the width stand above their rows
NAMES = 0.25


def draw(c: Comparison, ax: Axes | None) -> Axes:
    """A row for each model."""
    stored, active = c.totals_of("stored"), c.totals_of("active")
    first = c.totals_of("architectural") if c.basis == "architectural" else stored
    name = "architectural" if c.basis == "architectural" else "stored"
    sparse = any(a != s for a, s in zip(active, first, strict=True))
    columns = [name, "active", "ratio"] if sparse else ["parameters"]
    cells = [
        [short(s), short(a), times(s, a) if a else "–"] if sparse else [short(s)]
        for s, a in zip(first, active, strict=True)
    ]
    names = _names(c)
    over = max(page.width(n) for n in names) > NAMES * page.room(ax)
    lines = [Line(label, numbers) for label, numbers in zip(names, cells, strict=True)]
    if over:
        lines = stacked(lines)
    shown = [role for role, counts in c.by_role.items() if any(counts)]
    rows = marks.legend_rows(shown, ax)
    ax = page.sheet(ax, sum(line.height for line in lines) + 2 + rows + 0.3, counted_text(c))
    ledger = Ledger(ax, lines, columns, 0, 1 + rows + 0.3)
    at = [y for y, line in zip(ledger.at, lines, strict=True) if line.cells]
    ledger.draw()
    ledger.title(" and ".join(names) if len(c) <= 2 else f"{len(c)} models", counted_text(c))
    left = ledger.picture("sizes", ledger.head, ledger.end, (0, SIZES))
    sizes(left, [(y, None, s, a) for y, s, a in zip(at, first, active, strict=True)], both=sparse)
    right = ledger.picture("parts", ledger.head, ledger.end, (SIZES, 1))
    _shares(right, at, c, page.is_narrow(ax))
    ledger.rule(ledger.end)
    left.annotate(
        f"● active  ○ {name}, log scale" if sparse else "size, log scale",
        (0, 0),
        (0, -page.size(0.35)),
        xycoords="axes fraction",
        textcoords="offset points",
        annotation_clip=False,
        **page.words(0.92, ha="left", va="top", color=page.soft_colour()),
    )
    marks.legend(ax, ledger.end + 1.55, shown)
    return ax


def _names(c: Comparison) -> tuple[str, ...]:
    """The models without the owners of their repositories, unless two then have one name."""
    bare = tuple(label.partition("/")[2] or label for label in c.labels)
    return bare if len(set(bare)) == len(bare) else c.labels


def _shares(ax: Axes, at: list[float], c: Comparison, narrow: bool) -> None:
    """What each is made of, as shares of its own total."""
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.5, 1], ["" if narrow else "0%", f"share of {c.basis}", "" if narrow else "100%"])
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0, pad=-page.size(0.6), colors=page.soft_colour(), labelsize=page.size())
    first, *_, last = ax.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    for i, y in enumerate(at):
        before = 0
        total = c.totals[i] or 1
        for role, counts in c.by_role.items():
            n = counts[i] or 0
            if n:
                forms = [f"{ROLES[role]} {percent(n, total)}", percent(n, total)] if len(c) <= 8 else []
                marks.stretch(
                    ax,
                    before / total,
                    (before + n) / total,
                    y,
                    0.74,
                    marks.hue(role),
                    label=forms,
                    gid=f"{i} {role}",
                )
                before += n
