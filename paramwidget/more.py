"""The view's second module, which a notebook saves once: a hidden model that all views of a kernel refer to.

A notebook saves a widget's own module with each widget, so that holds only what the first sight needs. What is needed
once a reader asks for it (js/src/more.ts: reading a typed claim, layers, memory, the check, the picker, pictures) is
here; js/src/later.ts brings it to a view.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets

from .grammar import grammar

_FILE = Path(__file__).parent / "static" / "more.js"


@cache
def content() -> dict[str, Any]:
    """The text of the module, and the tables by which it reads claims."""
    return {"text": _FILE.read_text(encoding="utf-8"), "grammar": grammar()}


class More(ipywidgets.Widget):  # type: ignore[misc]
    """Holds the module's text; it has no view of its own."""

    text = traitlets.Unicode(help="An ES module.").tag(sync=True)
    grammar = traitlets.Dict(help="The tables of grammar.py.").tag(sync=True)


_shared: More | None = None


def shared() -> More:
    """The one of this kernel; a new one where it was closed, as by ``Widget.close_all()``."""
    global _shared
    if _shared is None or _shared.comm is None:
        _shared = More(**content())
    return _shared
