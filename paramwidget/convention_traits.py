"""The traits that say how to count, which every view shares with the browser: basis, off and on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import anywidget
import traitlets

from .errors import ClaimError, ConventionError, or_list, shown
from .roles import check_basis, check_toggles, out_set


class Refused(ConventionError, traitlets.TraitError):
    """What traitlets takes as a refusal: it then undoes all that came with it, also from the browser."""


class ClaimRefused(ClaimError, traitlets.TraitError):
    """The same of a claim."""


class Basis(traitlets.Unicode):  # type: ignore[type-arg]
    """Checked when it is set, not when a hold ends: what is wrong never stands."""

    def validate(self, obj: Any, value: Any) -> str:
        try:
            return check_basis(value)
        except ConventionError as e:
            raise Refused(str(e), name=e.name, nearest=e.nearest) from None


class Toggles(traitlets.List):  # type: ignore[type-arg]
    """Any collection of toggles, kept as a list in canonical order."""

    def validate(self, obj: Any, value: Any) -> list[str]:
        try:
            return list(check_toggles(value))
        except ConventionError as e:
            raise Refused(str(e), name=e.name, nearest=e.nearest) from None


class ClaimText(traitlets.Unicode):  # type: ignore[type-arg]
    """The text of a claim."""

    def validate(self, obj: Any, value: Any) -> str:
        if not isinstance(value, str):
            raise ClaimRefused(
                f"claim is the text of a claim, such as '5.13B active', or None, and not {shown(value)}."
            )
        return value


class ConventionWidget(anywidget.AnyWidget):
    """A widget that counts under a convention, chosen in Python or in the browser."""

    basis = Basis("active", help="stored | architectural | active").tag(sync=True)
    off = Toggles(help="Toggles also left out, in canonical order.").tag(sync=True)
    on = Toggles(help="Toggles counted although the basis leaves them out.").tag(sync=True)

    def __init__(
        self, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = (), **kwargs: Any
    ) -> None:
        off, on = list(check_toggles(off)), list(check_toggles(on))
        out_set(basis, off, on)  # refuses before anything is drawn
        self._settled: dict[str, list[str]] = {"off": [], "on": []}
        super().__init__(basis=basis, off=off, on=on, **kwargs)

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
            raise Refused(f"{or_list(both)}: both in off and in on; it can be counted or left out, not both.")
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
