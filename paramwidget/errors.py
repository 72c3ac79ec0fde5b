"""Every error that paramwidget raises on purpose.

    ParamWidgetError
    ├── UnknownArchitecture    a model_type or class that no family here describes
    ├── ConfigError            a key of the config is missing, or its value cannot be right
    ├── ClaimError             a printed number that cannot be read
    ├── ConventionError        an unknown basis or toggle
    ├── OptionError            an argument that cannot be: a number out of range, an unknown dtype, no axes
    └── SourceError            where the model was to be read from
        ├── NotFound           no such model, revision, folder or file
        ├── AccessDenied       gated or private
        ├── Unreachable        no network, or the Hub does not answer
        ├── BadCheckpoint      a file that is not what its name says
        └── Incomplete         something was read, but not all that the answer needs

Each message says what is wrong, where (repo and revision, file, key) and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable

#: a message that is longer is no help; the longest with known names in it has some 1,500 characters
LONGEST = 2500


class ParamWidgetError(Exception):
    """The base of all errors here; its text is one printable line, meant for the reader.

    Files, the Hub and callers put words into it: what moves a terminal's cursor is shown, never sent.
    """

    def __init__(self, message: str = "") -> None:
        text = printable(message)
        if len(text) > LONGEST:
            text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
        super().__init__(text)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the message, which says what to do, and no frames of this library."""
        return [f"{type(self).__name__}: {self}"]


class UnknownArchitecture(ParamWidgetError):
    """A ``model_type`` or class that is not described here.

    ``name`` is what the config says; ``nearest`` the known names that look most like it.
    """

    def __init__(self, message: str, *, name: str = "", nearest: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.name = name
        self.nearest = tuple(nearest)


class ConfigError(ParamWidgetError):
    """A key of the config that is missing or whose value cannot be right.

    ``key`` is the full path (``vision_config.depth``); ``value`` is what was found, or None.
    """

    def __init__(self, message: str, *, key: str = "", value: object = None) -> None:
        super().__init__(message)
        self.key = key
        self.value = value


class ClaimError(ParamWidgetError):
    """A claim that cannot be read as a number of parameters."""


class ConventionError(ParamWidgetError):
    """An unknown basis or toggle; ``nearest`` holds the known names that look most like it."""

    def __init__(self, message: str, *, name: str = "", nearest: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.name = name
        self.nearest = tuple(nearest)


class OptionError(ParamWidgetError):
    """An option that cannot be: a context of 0, a dtype that is not known. ``name`` is the option's."""

    def __init__(self, message: str, *, name: str = "", value: object = None) -> None:
        super().__init__(message)
        self.name = name
        self.value = value


class SourceError(ParamWidgetError):
    """The model could not be read from where it was said to be; ``local`` if that is on this machine."""

    def __init__(self, message: str, *, local: bool = False) -> None:
        super().__init__(message)
        self.local = local


class NotFound(SourceError):
    """No such model, revision, folder or file."""


class AccessDenied(SourceError):
    """The repository is gated or private, and the token at hand does not open it."""


class Unreachable(SourceError):
    """There is no network, or the Hub does not answer."""


class BadCheckpoint(SourceError):
    """A file that is not what its name says."""


class Incomplete(SourceError):
    """Something was read, but not all that the answer needs."""


def printable(text: str) -> str:
    r"""Text with what does not print, line breaks too, as its escape.

    >>> print(printable("a\x1b[31mb\nc"))
    a\x1b[31mb\nc
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object, limit: int = 80) -> str:
    """A value that somebody else wrote, as a message quotes it: its repr, cut."""
    if isinstance(value, str):
        value = value[: limit + 1]
    elif isinstance(value, dict | list | tuple | set | frozenset) and len(value) > limit:
        return f"a {type(value).__name__} of {len(value):,} entries"
    try:
        text = repr(value)
    except Exception:  # an int of thousands of digits, a list nested as deep, an object that refuses
        return f"a {type(value).__name__} too large to print"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def nearest_names(name: str, known: Iterable[str], limit: int = 5, cutoff: float = 0.6) -> list[str]:
    """The known names that look most like ``name``, best first; upper and lower case are one.

    ``cutoff`` is how much of two names has to agree, from 0 to 1.
    """
    from difflib import get_close_matches  # only an error needs it

    if len(name) > 200:  # like nothing, and slow to compare
        return []
    by_lower = {k.lower(): k for k in known}
    found = get_close_matches(name.lower(), by_lower, n=limit, cutoff=cutoff)
    return [by_lower[f] for f in found]


def or_list(names: Iterable[str]) -> str:
    """``['a', 'b', 'c']`` as the words ``a, b or c``."""
    items = list(names)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} or {items[-1]}"
