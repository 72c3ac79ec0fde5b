"""ParamView: the inventory in a notebook cell, with three traits that Python and the browser share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from .breakdown import Breakdown
from .counting import count
from .errors import ClaimError, ConventionError, or_list, shown
from .kernel import answer, checked
from .render.html import to_fragment
from .residual import Residual
from .roles import check_basis, check_toggles, out_set
from .wire import to_wire


class _Refused(ConventionError, traitlets.TraitError):
    """What traitlets takes as a refusal: it then undoes all that came with it, also from the browser."""


class _ClaimRefused(ClaimError, traitlets.TraitError):
    """The same of a claim."""


class _Basis(traitlets.Unicode):  # type: ignore[type-arg]
    """Checked when it is set, not when a hold ends: what is wrong never stands."""

    def validate(self, obj: Any, value: Any) -> str:
        try:
            return check_basis(value)
        except ConventionError as e:
            raise _Refused(str(e), name=e.name, nearest=e.nearest) from None


class _Toggles(traitlets.List):  # type: ignore[type-arg]
    """Any collection of toggles, kept as a list in canonical order."""

    def validate(self, obj: Any, value: Any) -> list[str]:
        try:
            return list(check_toggles(value))
        except ConventionError as e:
            raise _Refused(str(e), name=e.name, nearest=e.nearest) from None


class _ClaimText(traitlets.Unicode):  # type: ignore[type-arg]
    def validate(self, obj: Any, value: Any) -> str:
        if not isinstance(value, str):
            raise _ClaimRefused(
                f"claim is the text of a claim, such as '5.13B active', or None, and not {shown(value)}."
            )
        return value


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
    basis = _Basis("active", help="stored | architectural | active").tag(sync=True)
    off = _Toggles(help="Toggles also left out, in canonical order.").tag(sync=True)
    on = _Toggles(help="Toggles counted although the basis leaves them out.").tag(sync=True)
    claim = _ClaimText(None, allow_none=True, help="The text of the chosen claim.").tag(sync=True)

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
        self._settled: dict[str, list[str]] = {"off": [], "on": []}
        self.token = token
        super().__init__(data=to_wire(breakdown), basis=basis, off=off, on=on, claim=claim, **kwargs)
        self.on_msg(answer)

    def check(self) -> Residual:
        """Read the headers of the model's files, at one commit with its config, and put the residual in place."""
        self.show(checked(self._breakdown, self.token))
        assert self._breakdown.residual is not None
        return self._breakdown.residual

    def show(self, breakdown: Breakdown) -> None:
        """Put another breakdown in place; the convention stays."""
        self._breakdown = breakdown
        self.data = to_wire(breakdown)

    @property
    def breakdown(self) -> Breakdown:
        """The counted model."""
        return self._breakdown

    @property
    def total(self) -> int:
        """The count under the convention that is now chosen."""
        return self._breakdown.total(self.basis, self.off, self.on)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """What the browser sends; where it is refused, the browser is told what still holds."""
        try:
            super().set_state(sync_data)
        except traitlets.TraitError:
            self.send_state([key for key in sync_data if key in self.keys])
            raise

    @traitlets.validate("off", "on")
    def _not_both_at_once(self, proposal: dict[str, Any]) -> list[str]:
        """Where both are set in one hold neither is the last, so a toggle in both is refused as at the beginning."""
        both = [key for key in self.off if key in self.on]
        if both and all(getattr(self, name) != old for name, old in self._settled.items()):
            raise _Refused(
                f"{or_list(both)}: both in off and in on; it can be counted or left out, not both."
            )
        value: list[str] = proposal["value"]
        return value

    @traitlets.observe("off", "on")
    def _one_of_both(self, change: dict[str, Any]) -> None:
        """A toggle is out or in: the one set last wins."""
        self._settled[change["name"]] = change["new"]
        other = "on" if change["name"] == "off" else "off"
        kept = [key for key in getattr(self, other) if key not in change["new"]]
        if kept != getattr(self, other):
            setattr(self, other, kept)

    def _repr_html_(self) -> str:
        return to_fragment(self._breakdown, self.basis, self.off, self.on)

    def __repr__(self) -> str:
        return f"<ParamView {self._breakdown.model}: {self.total:,} {self.basis}>"
