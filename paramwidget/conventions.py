"""Ways to count. The documented ones are in presets.py, and how one becomes another in bridge.py."""

from __future__ import annotations

from dataclasses import dataclass

from .breakdown import Breakdown
from .roles import check_basis, check_toggles, out_set


@dataclass(frozen=True, slots=True)
class Convention:
    """A basis and the departures from its default.

    citation, url  who counts so, and where that is written
    model_types    the types it is documented for
    anywhere       whether it is shown for other types, too
    needs, lacks   toggles that a model must have, or must not have, for it to say anything
    any_of         toggles of which it must have one
    tied           whether the head must, or must not, be tied to the embedding
    """

    key: str
    label: str
    basis: str
    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    citation: str = ""
    url: str = ""
    model_types: tuple[str, ...] = ()
    anywhere: bool = False
    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    tied: bool | None = None

    def __post_init__(self) -> None:
        check_basis(self.basis)
        object.__setattr__(self, "off", check_toggles(self.off))
        object.__setattr__(self, "on", check_toggles(self.on))
        out_set(self.basis, self.off, self.on)

    def of(self, b: Breakdown) -> int:
        """The count of a model under this convention."""
        return b.total(self.basis, self.off, self.on)
