"""The widget that counts under a convention: what ParamView and CompareView share."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature
from typing import Any

import anywidget
import traitlets

from .errors import OptionError, nearest_names, or_list, shown
from .roles import check_toggles, out_set
from .traits import Basis, Departures, Refused, Toggles


class ConventionWidget(anywidget.AnyWidget):
    """A widget whose convention is chosen in Python or in the browser."""

    basis = Basis("active", help="stored | architectural | active").tag(sync=True)
    off = Toggles(help="Toggles also left out, in canonical order.").tag(sync=True)
    on = Toggles(help="Toggles counted although the basis leaves them out.").tag(sync=True)

    def __init__(
        self, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = (), **kwargs: Any
    ) -> None:
        for name in kwargs:  # traitlets would only warn, and count something else than was meant
            if not self.has_trait(name):
                near = nearest_names(name, signature(type(self)).parameters, 1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise OptionError(f"{type(self).__name__} has no option {shown(name)}.{hint}", name=name)
        off, on = Departures(check_toggles(off)), Departures(check_toggles(on))
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
