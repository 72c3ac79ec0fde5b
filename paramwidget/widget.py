"""ParamView: the inventory in a notebook cell, with three traits that Python and the browser share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from .breakdown import Breakdown
from .counting import count
from .render.html import to_fragment
from .roles import check_basis, check_toggles, out_set
from .wire import to_wire

_STATIC = Path(__file__).parent / "static"


class ParamView(anywidget.AnyWidget):
    """Where a model's parameters are, and what each counting convention makes of them.

    source     whatever ``count`` takes, or a Breakdown
    basis      stored | architectural | active
    off, on    departures from the basis's default: toggles also left out, or counted although it leaves them out
    claim      the text of the card's claim that the bridge starts from; None for the first

    All four are traits, synced both ways: ``view.observe(f, "off")``, ``view.off = ["embedding"]`` and
    ``ipywidgets.jslink`` work. An unknown basis or toggle raises ConventionError and changes nothing.

    >>> view = ParamView("openai/gpt-oss-120b", off={"embedding"})
    >>> view.off, view.total
    (['embedding'], 5132849472)
    """

    _esm = _STATIC / "widget.js"
    _css = _STATIC / "widget.css"

    data = traitlets.Dict(help="The inventory (see wire.py); set once, by Python.").tag(
        sync=True, echo_update=False
    )
    basis = traitlets.Unicode("active", help="stored | architectural | active").tag(sync=True)
    off = traitlets.List(traitlets.Unicode(), help="Toggles also left out, in canonical order.").tag(
        sync=True
    )
    on = traitlets.List(traitlets.Unicode(), help="Toggles counted although the basis leaves them out.").tag(
        sync=True
    )
    claim = traitlets.Unicode(None, allow_none=True, help="The text of the chosen claim.").tag(sync=True)

    def __init__(
        self,
        source: Any,
        basis: str = "active",
        off: Iterable[str] = (),
        on: Iterable[str] = (),
        claim: str | None = None,
        *,
        revision: str | None = None,
        token: str | bool | None = None,
        **kwargs: Any,
    ) -> None:
        breakdown = source if isinstance(source, Breakdown) else count(source, revision=revision, token=token)
        off, on = list(check_toggles(off)), list(check_toggles(on))
        out_set(basis, off, on)  # refuses before anything is drawn
        self._breakdown = breakdown
        super().__init__(data=to_wire(breakdown), basis=basis, off=off, on=on, claim=claim, **kwargs)

    @property
    def breakdown(self) -> Breakdown:
        """The counted model."""
        return self._breakdown

    @property
    def total(self) -> int:
        """The count under the convention that is now chosen."""
        return self._breakdown.total(self.basis, self.off, self.on)

    @traitlets.validate("basis")
    def _valid_basis(self, proposal: dict[str, Any]) -> str:
        return check_basis(proposal["value"])

    @traitlets.validate("off", "on")
    def _valid_toggles(self, proposal: dict[str, Any]) -> list[str]:
        return list(check_toggles(proposal["value"]))

    @traitlets.observe("off", "on")
    def _one_of_both(self, change: dict[str, Any]) -> None:
        """A toggle is out or in: the one set last wins."""
        other = "on" if change["name"] == "off" else "off"
        kept = [key for key in getattr(self, other) if key not in change["new"]]
        if kept != getattr(self, other):
            setattr(self, other, kept)

    def _repr_html_(self) -> str:
        return to_fragment(self._breakdown, self.basis, self.off, self.on)

    def __repr__(self) -> str:
        return f"<ParamView {self._breakdown.model}: {self.total:,} {self.basis}>"
