"""CompareView: models side by side in a notebook cell; what is counted is chosen in the browser."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import traitlets

from .compare import Comparison, check_sort, compare
from .compare_wire import to_wire
from .convention_widget import ConventionWidget
from .errors import ConventionError
from .render.comparison_html import to_fragment
from .traits import Refused

_STATIC = Path(__file__).parent / "static"


class Sort(traitlets.Unicode):  # type: ignore[type-arg]
    """What rows can be sorted by."""

    def validate(self, obj: Any, value: Any) -> str:
        try:
            return check_sort(value)
        except ConventionError as e:
            raise Refused(str(e), name=e.name, nearest=e.nearest) from None


class CompareView(ConventionWidget):
    """Models side by side under one convention that the reader can change; the sums are made in the browser.

    sources        whatever ``compare`` takes, or a Comparison
    basis, off, on  the convention, as in ``ParamView``: traits, synced both ways; that of a Comparison unless given
    sort           what the rows are sorted by, as in ``Comparison.sort``: a trait too

    >>> view = CompareView(["openai/gpt-oss-20b", "openai/gpt-oss-120b"], off={"embedding"})
    >>> view.off, view.totals
    (['embedding'], (20335623744, 116250023232))
    """

    _esm = _STATIC / "compare.js"
    _css = _STATIC / "compare.css"

    data = traitlets.Dict(help="The models (see compare_wire.py); set once, by Python.").tag(
        sync=True, echo_update=False
    )
    sort = Sort("", help="What the rows are sorted by; a leading - is descending.").tag(sync=True)

    def __init__(
        self,
        sources: Iterable[Any] | Comparison,
        basis: str | None = None,
        off: Iterable[str] | None = None,
        on: Iterable[str] | None = None,
        *,
        revision: str | None = None,
        token: str | bool | None = None,
        **kwargs: Any,
    ) -> None:
        given = sources if isinstance(sources, Comparison) else None
        basis = basis if basis is not None else given.basis if given else "stored"
        off = off if off is not None else given.off if given else ()
        on = on if on is not None else given.on if given else ()
        if isinstance(sources, Comparison):
            self._comparison = sources
        else:
            self._comparison = compare(sources, basis, off, on, revision=revision, token=token)
        super().__init__(basis, off, on, data=to_wire(self._comparison), **kwargs)

    @property
    def comparison(self) -> Comparison:
        """The models under the convention and in the order that are now chosen."""
        return self._comparison.under(self.basis, self.off, self.on).sort(self.sort)

    @property
    def totals(self) -> tuple[int, ...]:
        """The count of each model under it, in that order."""
        return self.comparison.totals

    def _repr_html_(self) -> str:
        return to_fragment(self.comparison)

    def __repr__(self) -> str:
        return f"<CompareView of {len(self._comparison)} models, {self.basis}>"
