"""ParamView: the inventory in a notebook cell, with six traits that Python and the browser share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets

from .breakdown import SCHEMA, Breakdown
from .convention_widget import ConventionWidget
from .counting import count
from .errors import SourceError, printable
from .kernel import answer, bundled, checked
from .more import More, shared
from .reading import readable
from .render.html import to_fragment
from .residual import Residual
from .traits import ClaimText, Part, ViewName
from .wire import to_wire
from .words import WORDS

_STATIC = Path(__file__).parent / "static"


class ParamView(ConventionWidget):
    """Where a model's parameters are, and what each counting convention makes of them.

    source     whatever ``count`` takes, or a Breakdown; None for a picker of the bundled models
    basis      stored | architectural | active
    off, on    departures from the basis's default: toggles also left out, or counted although it leaves them out
    claim      a claim, bundled or your own ("5.1B active"), that the bridge starts from; None for the first bundled
    view       bridge | parts | layers | table | check | memory
    selected   a role or the name of a tensor, marked in every view; None for none

    All but ``source`` are traits, synced both ways: ``view.observe(f, "off")``, ``view.off = ["embedding"]`` and
    ``ipywidgets.jslink`` work. An unknown basis or toggle raises ConventionError, an unreadable claim ClaimError, an
    unknown view or part traitlets.TraitError; each changes nothing.

    >>> view = ParamView("openai/gpt-oss-120b", off={"embedding"})
    >>> view.off, view.total
    (['embedding'], 5132849472)
    """

    _esm = _STATIC / "widget.js"
    _css = _STATIC / "widget.css"

    data = traitlets.Dict(help="The inventory (see wire.py); set by Python alone.").tag(
        sync=True, echo_update=False
    )
    more = traitlets.Instance(More, allow_none=True, help="The second module; set by Python alone.").tag(
        sync=True, echo_update=False, **ipywidgets.widget_serialization
    )
    claim = ClaimText(help="The text of the chosen claim.")
    view = ViewName("bridge", help="The view that is open.").tag(sync=True)
    selected = Part(help="The role or tensor that is marked.")

    def __init__(
        self,
        source: Any = None,
        basis: str = "active",
        off: Iterable[str] = (),
        on: Iterable[str] = (),
        claim: str | None = None,
        *,
        view: str = "bridge",
        selected: str | None = None,
        revision: str | None = None,
        token: str | bool | None = None,
        **kwargs: Any,
    ) -> None:
        counted = source if isinstance(source, Breakdown) or source is None else None
        self._breakdown = (
            counted if counted or source is None else count(source, revision=revision, token=token)
        )
        self.token = token
        data = (
            to_wire(self._breakdown)
            if self._breakdown
            else {"schema": SCHEMA, "words": WORDS, "catalog": bundled()}
        )
        super().__init__(
            basis, off, on, data=data, more=shared(), claim=claim, view=view, selected=selected, **kwargs
        )
        self.on_msg(answer)

    def open(
        self, source: Any = None, *, revision: str | None = None, token: str | bool | None = None
    ) -> Breakdown | None:
        """Count another model and show it in this place; where that fails, the present one stays.

        Takes what ``count`` takes, and raises what it raises. The convention and the view stay; the claim and the
        selected part belong to the model that goes. (Without a source it is ipywidgets' own: it opens the comm.)

        >>> view = ParamView("openai/gpt-oss-20b")
        >>> view.open("openai/gpt-oss-120b").active
        5711982912
        """
        if source is None:
            super().open()
            return None
        token = self.token if token is None else token
        found = source if isinstance(source, Breakdown) else count(source, revision=revision, token=token)
        self.token = token
        self.show(found)
        return found

    def check(self) -> Residual:
        """Read the headers of the model's files, at one commit with its config, and put the residual in place."""
        self.show(checked(self.breakdown, self.token))
        assert self.breakdown.residual is not None
        return self.breakdown.residual

    def show(self, breakdown: Breakdown) -> None:
        """Put another breakdown in place; the convention stays, and with the same model the rest too."""
        other = self._breakdown is None or _read_from(self._breakdown) != _read_from(breakdown)
        self._breakdown = breakdown
        with self.hold_sync():
            if other:
                self.claim = None
            if other or self.selected not in self.part_names():
                self.selected = None
            self.data = to_wire(breakdown)

    @property
    def breakdown(self) -> Breakdown:
        """The counted model; SourceError where none is chosen yet."""
        if self._breakdown is None:
            raise SourceError(
                "No model is chosen yet: pick one in the view, or call view.open('owner/name')."
            )
        return self._breakdown

    @property
    def total(self) -> int:
        """The count under the convention that is now chosen."""
        return self.breakdown.total(self.basis, self.off, self.on)

    def part_names(self) -> list[str]:
        """What can be selected: the roles of the model and the names of its tensors, as the browser has them."""
        b = self._breakdown
        return [*b.roles, *(printable(t.name) for t in b.tensors)] if b else []

    def readable_claim(self, text: str | None) -> str | None:
        """The claim that a text is, None where it is empty; ClaimError where nothing can be read from it."""
        return readable(text, self._breakdown.claims if self._breakdown else ())

    def _repr_html_(self) -> str:
        if self._breakdown is None:
            return "<p>No model is chosen yet: run the cell and pick one.</p>"
        return to_fragment(self._breakdown, self.basis, self.off, self.on)

    def __repr__(self) -> str:
        if self._breakdown is None:
            return "<ParamView of no model yet>"
        return f"<ParamView {self._breakdown.model}: {self.total:,} {self.basis}>"


def _read_from(b: Breakdown) -> tuple[object, ...]:
    """What makes two breakdowns one model: where they were read; data that was read nowhere, by its tensors."""
    p = b.provenance
    return b.model, p.repo or p.path or b.tensors
