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

from ..numbers import exact, short

#: inches; the text width of most papers
WIDTH = 6.5
#: the height of a row, in heights of its text
LEADING = 1.75
#: a drawing that is not so many letters wide has short numbers
NARROW = 50
#: inches around the drawing
MARGIN = 0.08

#: a screen's renderer rounds each letter to pixels, and a line of small letters gets so much longer
HINTING = 1.03

#: text stays text: embedded as TrueType in PDF (journals refuse Type 3), as itself in SVG
SAVING: Any = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}


class PaperFigure(Figure):
    """A figure whose saved files hold real text, whatever rcParams says."""

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """As matplotlib's own."""
        with mpl.rc_context(SAVING):
            super().savefig(fname, **kwargs)


def sheet(ax: Axes | None, rows: float, said: str) -> Axes:
    """The axes to draw on: the given ones, or a figure of its own that is as high as so many rows and the title.

    said  the line below the name of the model, which may take several
    """
    if ax is not None:
        return ax
    from matplotlib import pyplot

    line = size() * LEADING / 72
    above = line + len(wrapped(said, None)) * size(1.35) / 72
    wide, height = sheet_width(), rows * line + above + 2 * MARGIN
    figure = pyplot.figure(FigureClass=PaperFigure, figsize=(wide, height))
    return figure.add_axes(
        (MARGIN / wide, MARGIN / height, 1 - 2 * MARGIN / wide, 1 - (2 * MARGIN + above) / height)
    )


def sheet_width() -> float:
    """Inches of a figure of its own: more where the user's text is larger than usual."""
    return WIDTH * max(1.0, size() / 8)


def room(ax: Axes | None) -> float:
    """Points across the drawing."""
    return ax.bbox.width * 72 / ax.figure.dpi if ax is not None else 72 * (sheet_width() - 2 * MARGIN)


def is_narrow(ax: Axes | None) -> bool:
    """Whether names, a picture and all digits do not fit side by side, as in one column of two."""
    return room(ax) < NARROW * size()


def count(n: int, ax: Axes | None) -> str:
    """All digits of a count, or a short form where there is no room for them."""
    return short(n) if is_narrow(ax) else exact(n)


def wrapped(text: str, ax: Axes | None) -> list[str]:
    """Lines that fit on the axes, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer) <= room(ax):
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


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
    r, g, b = (share * a + (1 - share) * b for a, b in pairs)
    return str(to_hex((r, g, b)))


def width(text: str, scale: float = 1.0, weight: str = "normal") -> float:
    """How wide a line of text is, in points."""
    if not text.strip():
        return 0.0
    box = TextPath((0, 0), text, size=size(scale), prop=FontProperties(weight=weight)).get_extents()
    return float(box.x1) * HINTING


def words(scale: float = 1.0, **more: Any) -> dict[str, Any]:
    """What every text has: our names may hold $ and _, which are no mathematics."""
    return {
        "fontsize": size(scale),
        "color": text_colour(),
        "parse_math": False,
        "usetex": False,
        **more,
    }
