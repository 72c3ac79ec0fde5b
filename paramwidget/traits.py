"""The kinds of traits that a view has: each refuses what is wrong when it is set, and then changes nothing."""

from __future__ import annotations

from typing import Any, NoReturn

import traitlets

from .errors import ClaimError, ConventionError, nearest_names, printable, shown
from .roles import check_basis, check_toggles

#: the views of the widget, in the order of their tabs; js/src/views/list.tsx has the same
VIEWS = ("bridge", "parts", "layers", "table", "check", "memory")


class Refused(ConventionError, traitlets.TraitError):
    """What traitlets takes as a refusal: it then undoes all that came with it, also from the browser."""


class ClaimRefused(ClaimError, traitlets.TraitError):
    """The same of a claim."""


class Departures(list[str]):
    """A list that is set and never changed in place: what is changed in place no trait can notice.

    >>> Departures(["embedding"]) == ["embedding"]
    True
    """

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(
            "A change in place would go unnoticed. Set the whole list: view.off = [*view.off, 'embedding']."
        )

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse


class Basis(traitlets.Unicode):  # type: ignore[type-arg]
    """Checked when it is set, not when a hold ends: what is wrong never stands."""

    def validate(self, obj: Any, value: Any) -> str:
        try:
            return check_basis(value)
        except ConventionError as e:
            raise Refused(str(e), name=e.name, nearest=e.nearest) from None


class Toggles(traitlets.List):  # type: ignore[type-arg]
    """Any collection of toggles, kept in canonical order."""

    def validate(self, obj: Any, value: Any) -> Departures:
        try:
            return Departures(check_toggles(value))
        except ConventionError as e:
            raise Refused(str(e), name=e.name, nearest=e.nearest) from None


class TextOrNone(traitlets.Unicode):  # type: ignore[type-arg]
    """A text or None, which is the empty text to the browser: a box of text that is linked to it can be emptied."""

    def __init__(self, help: str) -> None:
        super().__init__(None, allow_none=True, help=help)
        self.tag(sync=True, to_json=lambda value, widget: value or "")


class ClaimText(TextOrNone):
    """A claim as it is written; what no number can be read from is refused."""

    def validate(self, obj: Any, value: Any) -> str | None:
        try:
            return obj.readable_claim(value)  # type: ignore[no-any-return]
        except ClaimError as e:
            raise ClaimRefused(str(e)) from None


class ViewName(traitlets.Unicode):  # type: ignore[type-arg]
    """The key of a view."""

    def validate(self, obj: Any, value: Any) -> str:
        if value not in VIEWS:
            near = nearest_names(value, VIEWS, 1) if isinstance(value, str) else []
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise Refused(f"view is one of {', '.join(VIEWS)}, and not {shown(value)}.{hint}", nearest=near)
        return str(value)


class Part(TextOrNone):
    """A role or the name of a tensor that the model has, as the browser has the name: printable."""

    def validate(self, obj: Any, value: Any) -> str | None:
        if value == "":
            return None
        name = printable(value) if isinstance(value, str) else ""
        if name not in obj.part_names():
            near = nearest_names(value, obj.part_names(), 1) if isinstance(value, str) else []
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise Refused(
                f"selected is a role of the model, the name of one of its tensors, or None, and not {shown(value)}."
                f"{hint}",
                nearest=near,
            )
        return name
