"""A table of rows with a picture in the middle: names on the left, exact numbers on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox

from . import marks, page
from .page import words

#: points between a name, a picture and a column
GAP = 9.0
#: points: a picture that would be narrower is left out
LEAST = 36.0
#: heights of text that a swatch takes
SWATCH = 1.45


@dataclass(frozen=True)
class Line:
    """One row: what it is called, whose colour it has, and its cells, the last column last.

    level  how far its name is indented
    free   its name may run on over the picture
    """

    name: str
    cells: Sequence[str] = ()
    role: str | None = None
    bold: bool = False
    soft: bool = False
    level: int = 0
    height: float = 1.0
    free: bool = False


def stacked(lines: Sequence[Line]) -> list[Line]:
    """The same lines with each name above its row, for where names leave no room for a picture."""
    found = []
    for line in lines:
        above = replace(line, cells=(), free=True, height=0.85)
        found += [above, replace(line, name="", role=None, height=0.8), Line("", height=0.25)]
    return found


@dataclass
class Ledger:
    """Lines laid out on axes; ``picture`` gives child axes that lie between names and numbers.

    top      rows that are kept free above the head, for bars over the whole width
    columns  the heads of the number columns
    """

    ax: Axes
    lines: Sequence[Line]
    columns: Sequence[str]
    top: float = 0.0
    bottom: float = 0.0
    at: list[float] = field(default_factory=list)
    left: float = 0.0
    right: float = 0.0

    def __post_init__(self) -> None:
        self.head = self.top + 0.5
        y = self.top + (1.0 if self.columns else 0.0)
        for line in self.lines:
            self.at.append(y + line.height / 2)
            y += line.height
        self.end = y
        self.rows = y + self.bottom
        self.widths = [
            max(
                page.width(text, weight="bold" if line.bold else "normal")
                for line, text in [
                    (Line(""), head),
                    *((n, n.cells[i]) for n in self.lines if len(n.cells) > i),
                ]
            )
            for i, head in enumerate(self.columns)
        ]
        indent = page.size() * SWATCH
        self.left = GAP + max(
            page.width(line.name, weight="bold" if line.bold else "normal")
            + indent * (line.level + bool(line.role))
            for line in self.lines
            if not line.free
        )
        self.right = sum(self.widths) + GAP * len(self.widths)

    def draw(self) -> None:
        """The names, the numbers and the rules."""
        ax = self.ax
        ax.set_axis_off()
        ax.set_xlim(0, 1)
        ax.set_ylim(self.rows, 0)
        ax.set_autoscale_on(False)
        self._cells(self.head, self.columns, soft=True)
        indent = page.size() * SWATCH
        for i, (y, line) in enumerate(zip(self.at, self.lines, strict=True)):
            x = indent * line.level
            if line.role:
                marks.swatch(ax, y, line.role, x)
                x += indent
            self._text(y, x, line.name, "left", line)
            self._cells(y, line.cells, soft=line.soft, bold=line.bold)
            if i == 0 and self.columns:
                self.rule(y - line.height / 2)

    def rule(self, y: float) -> None:
        """A thin line across all columns."""
        self.ax.plot([0, 1], [y, y], color=page.line_colour(), linewidth=0.6, clip_on=False, zorder=0.5)

    def title(self, text: str, said: str) -> None:
        """Over the ledger: what it is, and how it was counted."""
        lines = page.wrapped(said, self.ax)
        pad = page.size(0.6)
        self.ax.set_title(
            text, loc="left", pad=len(lines) * page.size(1.35) + pad + page.size(0.15), **words(weight="bold")
        )
        self.ax.annotate(
            "\n".join(lines),
            (0, 1),
            (0, pad),
            xycoords="axes fraction",
            textcoords="offset points",
            annotation_clip=False,
            **words(ha="left", va="bottom", linespacing=1.15),
        )

    def note(self, text: str, y: float) -> None:
        """A soft line at the left end of a row."""
        self._text(y, 0.0, text, "left", Line("", soft=True))

    def _cells(self, y: float, cells: Sequence[str], *, soft: bool = False, bold: bool = False) -> None:
        x = 0.0
        for cell, width in zip(reversed(cells), reversed(self.widths), strict=False):
            self._text(y, -x, cell, "right", Line("", soft=soft, bold=bold))
            x += width + GAP

    def _text(self, y: float, x: float, text: str, side: str, line: Line) -> None:
        ground = {"facecolor": page.mixed("#fff", 0), "edgecolor": "none", "pad": 1.0}
        if text:
            self.ax.annotate(
                text,
                (0.0 if side == "left" else 1.0, y),
                (x, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                annotation_clip=False,
                bbox=ground if line.free else None,
                **words(
                    ha=side,
                    va="center_baseline",
                    color=page.soft_colour() if line.soft else page.text_colour(),
                    weight="bold" if line.bold else "normal",
                ),
            )

    def picture(
        self,
        label: str,
        top: float,
        bottom: float,
        part: tuple[float, float] = (0.0, 1.0),
        wide: bool = False,
    ) -> Axes:
        """Child axes over some rows, in their units (y grows downwards).

        part  the stretch of the room between names and numbers that it takes; wide: of the whole width instead
        """
        child = self.ax.inset_axes((0.0, 0.0, 1.0, 1.0), label=label, zorder=0)
        child.patch.set_visible(False)
        child.set_ylim(bottom, top)
        child.set_yticks([])
        for spine in child.spines.values():
            spine.set_visible(False)

        def locate(_: object, __: RendererBase | None) -> Bbox:
            box, points = self.ax.bbox, self.ax.figure.dpi / 72
            start, end = (
                (box.x0, box.x1)
                if wide
                else (box.x0 + self.left * points, box.x1 - (self.right + GAP / 2) * points)
            )
            end = max(end, start + 1)
            gap = GAP * points
            a = start + part[0] * (end - start) + (gap if part[0] else 0)
            b = start + part[1] * (end - start)
            # asked before the axes are drawn, and again when their size has changed
            child.set_visible(b - a > LEAST * points)
            row = box.height / self.rows
            found = Bbox([[a, box.y1 - bottom * row], [b, box.y1 - top * row]])
            return found.transformed(self.ax.figure.transSubfigure.inverted())

        child.set_axes_locator(locate)
        return child
