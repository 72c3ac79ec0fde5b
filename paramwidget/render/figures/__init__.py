"""A breakdown as a matplotlib figure for a paper: ``b.plot("parts")``, ``"bridge"``, ``"layer"``, ``"experts"``.

Every figure is a ledger: one row for each part with its name, a picture and the exact integer, so that labels cannot
run into each other however unequal the parts are. matplotlib is imported when a figure is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from ...errors import ConventionError, OptionError, nearest_names, or_list, shown
from ...roles import check_toggles, out_set

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...breakdown import Breakdown
    from ...conventions import Convention

#: kind -> what it shows; each is a module here with a function draw()
KINDS: dict[str, str] = {
    "bridge": "how a printed count becomes the one that is chosen, step by step",
    "parts": "each part, stored and active",
    "layer": "what one layer of each kind is made of",
    "experts": "the routed experts that are stored against those that a token uses",
}


def plot(
    b: Breakdown,
    kind: str = "parts",
    ax: Axes | None = None,
    *,
    basis: str = "active",
    off: Iterable[str] = (),
    on: Iterable[str] = (),
    claim: str | Convention | None = None,
) -> Axes:
    """Draw one kind of figure; see Breakdown.plot."""
    if not isinstance(kind, str) or kind not in KINDS:
        near = nearest_names(kind, KINDS, 1) if isinstance(kind, str) else []
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConventionError(
            f"Unknown kind of figure {shown(kind)}: it is one of {or_list(tuple(KINDS))}.{hint}",
            name=kind if isinstance(kind, str) else "",
            nearest=near,
        )
    if ax is not None and not hasattr(ax, "transData"):
        raise OptionError(
            f"ax must be axes of matplotlib, as plt.subplots() gives them, not {shown(ax)}.",
            name="ax",
            value=ax,
        )
    off, on = check_toggles(off), check_toggles(on)
    out_set(basis, off, on)
    if kind == "bridge":
        from .bridge import draw

        return draw(b, ax, basis, off, on, claim)
    drawn: Axes = import_module(f".{kind}", __name__).draw(b, ax, basis, off, on)
    return drawn
