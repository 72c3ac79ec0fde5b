"""The figure that a drawing is put on, and the sizes and colours of its text.

Nothing here changes rcParams: fonts and text colour are those that the user's style sets.
"""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

#: inches; the text width of most papers
WIDTH = 6.5
#: the height of a row, in heights of its text
LEADING = 1.75
#: inches around the drawing
MARGIN = 0.08

#: text stays text: embedded as TrueType in PDF (journals refuse Type 3), as itself in SVG
SAVING = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}


class PaperFigure(Figure):
    """A figure whose saved files hold real text, whatever rcParams says."""

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """As matplotlib's own."""
        with mpl.rc_context(SAVING):
            super().savefig(fname, **kwargs)


def sheet(ax: Axes | None, rows: float, *, titled: bool = True) -> Axes:
    """The axes to draw on: the given ones, or a figure of its own that is as high as so many rows."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    above = 2 * size() * LEADING / 72 if titled else 0.0
    height = rows * size() * LEADING / 72 + above + 2 * MARGIN
    figure = pyplot.figure(FigureClass=PaperFigure, figsize=(WIDTH, height))
    return figure.add_axes(
        (MARGIN / WIDTH, MARGIN / height, 1 - 2 * MARGIN / WIDTH, 1 - (2 * MARGIN + above) / height)
    )


def size(scale: float = 1.0) -> float:
    """Points: 8 where the user's text has matplotlib's 10."""
    return float(mpl.rcParams["font.size"]) * 0.8 * scale


def text_colour() -> str:
    """The user's own."""
    return str(to_hex(mpl.rcParams["text.color"]))


def soft_colour() -> str:
    """What is said beside the point: text mixed with the ground."""
    return mixed(text_colour(), 0.62)


def line_colour() -> str:
    """Rules and grid."""
    return mixed(text_colour(), 0.2)


def mixed(colour: str, share: float) -> str:
    """A colour over the ground, so strong."""
    ground = mpl.rcParams["axes.facecolor"]
    ground = "#fff" if ground in ("none", "inherit") else ground
    pairs = zip(to_rgb(colour), to_rgb(ground), strict=True)
    return str(to_hex([share * a + (1 - share) * b for a, b in pairs]))


def width(text: str, scale: float = 1.0, weight: str = "normal") -> float:
    """How wide a line of text is, in points."""
    if not text.strip():
        return 0.0
    box = TextPath((0, 0), text, size=size(scale), prop=FontProperties(weight=weight)).get_extents()
    return float(box.x1)


def words(scale: float = 1.0, **more: Any) -> dict[str, Any]:
    """What every text has: our names may hold $ and _, which are no mathematics."""
    return {
        "fontsize": size(scale),
        "color": text_colour(),
        "parse_math": False,
        "usetex": False,
        **more,
    }
