"""ParamView: the inventory in a notebook cell, with three traits that Python and the browser share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import traitlets

from .breakdown import Breakdown
from .convention_traits import ClaimText, ConventionWidget
from .counting import count
from .render.html import to_fragment
from .wire import to_wire

_STATIC = Path(__file__).parent / "static"


class ParamView(ConventionWidget):
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
    claim = ClaimText(None, allow_none=True, help="The text of the chosen claim.").tag(sync=True)

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
        self._breakdown = breakdown
        super().__init__(basis, off, on, data=to_wire(breakdown), claim=claim, **kwargs)

    @property
    def breakdown(self) -> Breakdown:
        """The counted model."""
        return self._breakdown

    @property
    def total(self) -> int:
        """The count under the convention that is now chosen."""
        return self._breakdown.total(self.basis, self.off, self.on)

    def _repr_html_(self) -> str:
        return to_fragment(self._breakdown, self.basis, self.off, self.on)

    def __repr__(self) -> str:
        return f"<ParamView {self._breakdown.model}: {self.total:,} {self.basis}>"
