"""What is drawn: stretches of a bar, labels that fit them, swatches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.offsetbox import AnnotationBbox, DrawingArea
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, ScaledTranslation, Transform

from ...roles import ROLES
from ..colours import HUES, TOTAL, Hue
from .page import mixed, room, size, width, words

#: points of blank on either side of a label in its stretch
PAD = 3.0
#: points: a stretch of a bar is at least so wide, so that what is there can be seen
HAIR = 0.7


class FittedText(Text):
    """A label within a stretch of a bar: the first of its forms that fits, or nothing; decided when it is drawn."""

    def __init__(self, x0: float, x1: float, y: float, forms: Sequence[str], **kwargs: Any) -> None:
        super().__init__(x0, y, forms[0], **kwargs)
        self.span, self.forms = (x0, x1), tuple(forms)
        self.set_in_layout(False)

    def fit(self, renderer: RendererBase) -> None:
        """Choose the form."""
        a, b = (self.get_transform().transform((x, 0.0))[0] for x in self.span)
        free = abs(b - a) - 2 * PAD * float(renderer.points_to_pixels(1.0))  # type: ignore[arg-type]
        for form in self.forms:
            self.set_text(form)
            if super().get_window_extent(renderer).width <= free:
                return
        self.set_text("")

    def draw(self, renderer: RendererBase) -> None:
        self.fit(renderer)
        super().draw(renderer)


class BesideText(Text):
    """A label on the right of a point of the axes, else on its left: the first form that has room there.

    taken  inches that something else takes at the left and at the right end of the row
    """

    def __init__(
        self, x: float, taken: tuple[float, float], y: float, forms: Sequence[str], ax: Axes
    ) -> None:
        super().__init__(x, y, forms[0], **words(0.92, va="center"))
        self.forms, self.taken, self.within = tuple(forms), taken, ax
        self.set_transform(ax.transData)
        self.set_gid("leader label")
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        box, dpi = self.within.bbox, self.within.figure.dpi
        x = self.within.transData.transform((self.get_position()[0], 0))[0]
        pad, (left, right) = PAD * dpi / 72, self.taken
        for form in self.forms:
            self.set_text(form)
            places: tuple[tuple[Literal["left", "right"], float], ...] = (
                ("left", box.x1 - right * dpi - x),
                ("right", x - box.x0 - left * dpi),
            )
            for side, free in places:
                self.set_horizontalalignment(side)
                self.set_transform(
                    self.within.transData + Affine2D().translate(pad if side == "left" else -pad, 0)
                )
                if self.get_window_extent(renderer).width + 2 * pad <= free:
                    super().draw(renderer)
                    return
        self.set_text("")


def hue(role: str | None) -> Hue:
    """The colours of a role; those of a total where there is none."""
    return HUES.get(role, HUES["other"]) if role else Hue(TOTAL, "#fff")


def stretch(
    ax: Axes,
    x0: float,
    x1: float,
    y: float,
    height: float,
    colours: Hue,
    *,
    label: Sequence[str] = (),
    gid: str = "",
    hollow: bool = False,
    bare: bool = False,
    line: str | None = None,
    transform: Transform | None = None,
) -> Rectangle:
    """A stretch of a bar between two x, centred on a row, with its hatch and a label where one fits.

    hollow  only the outline and the hatch: it takes away
    bare    without the hatch
    line    the colour of outline and hatch, where they are not to be quiet
    """
    where: dict[str, Any] = {} if transform is None else {"transform": transform}
    box = (min(x0, x1), y - height / 2), abs(x1 - x0), height
    face = mixed(colours.fill, 0.16) if hollow else colours.fill
    bar = Rectangle(*box, facecolor=face, edgecolor=line or colours.fill, linewidth=HAIR, gid=gid, **where)
    ax.add_patch(bar)
    if colours.hatch and not bare:
        tone = line or (colours.fill if hollow else mpl.colors.to_rgba(colours.ink, 0.24))
        with mpl.rc_context({"hatch.linewidth": 0.5}):
            hatch = Rectangle(
                *box,
                fill=False,
                hatch=colours.hatch,
                edgecolor=tone,
                linewidth=0,
                gid=f"{gid} hatch",
                **where,
            )
        hatch.set_clip_path(bar)
        ax.add_patch(hatch)
    if any(label):
        text = FittedText(
            min(x0, x1),
            max(x0, x1),
            y,
            [form for form in label if form],
            **words(0.92, color=colours.ink, ha="left", va="center", linespacing=1.15),
        )
        text.set_transform(ax.transData + ScaledTranslation(PAD / 72, 0, ax.figure.dpi_scale_trans))
        text.set_gid(f"{gid} label")
        ax.add_artist(text)
    return bar


def swatch(ax: Axes, y: float, role: str, left: float = 0.0) -> None:
    """The small square before a name, ``left`` points from the edge."""
    side = size(0.9)
    colours = hue(role)
    area = DrawingArea(side, side, 0, 0)
    patch = Rectangle((0, 0), side, side, facecolor=colours.fill, edgecolor=colours.fill, linewidth=0.6)
    area.add_artist(patch)
    if colours.hatch:
        with mpl.rc_context({"hatch.linewidth": 0.5}):
            area.add_artist(
                Rectangle(
                    (0, 0),
                    side,
                    side,
                    fill=False,
                    hatch=colours.hatch,
                    edgecolor=mpl.colors.to_rgba(colours.ink, 0.24),
                    linewidth=0,
                )
            )
    box = AnnotationBbox(
        area,
        (0, y),
        xybox=(left, 0),
        xycoords=("axes fraction", "data"),
        boxcoords="offset points",
        box_alignment=(0, 0.5),
        frameon=False,
        pad=0,
        annotation_clip=False,
    )
    box.set_gid(f"swatch {role}")
    ax.add_artist(box)


def legend(ax: Axes, y: float, roles: Sequence[str]) -> None:
    """Swatches with their names in a row, from the left; a second row where one is full."""
    for role, x, row in _flow(roles, ax):
        swatch(ax, y + row, role, x)
        ax.annotate(
            ROLES[role],
            (0, y + row),
            (x + size(1.45), 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            annotation_clip=False,
            **words(ha="left", va="center_baseline"),
        )


def legend_rows(roles: Sequence[str], ax: Axes | None) -> int:
    """How many rows a legend takes, on these axes or on a figure of its own."""
    return 1 + max((row for _, _, row in _flow(roles, ax)), default=0)


def _flow(roles: Sequence[str], ax: Axes | None) -> list[tuple[str, float, int]]:
    """(role, points from the left, row)."""
    found, x, row = [], 0.0, 0
    for role in roles:
        wide = size(1.45) + width(ROLES[role])
        if x and x + wide > room(ax):
            x, row = 0.0, row + 1
        found.append((role, x, row))
        x += wide + size(1.2)
    return found
