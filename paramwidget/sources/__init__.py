"""Where a model can be read from: one entry, open_source, and one file for each kind."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..errors import SourceError
from .opened import Opened

__all__ = ["Opened", "open_source"]


def open_source(source: Any, *, revision: str | None = None, token: str | bool | None = None) -> Opened:
    """Read whatever names a model, or is one.

    A dict or an object with ``to_dict()`` is data; one with ``named_parameters()`` is a live module. A path is a path
    if it says so (``./x``, ``/x``, a suffix) or exists. Any other string is a repository id: bundled models answer at
    once and offline, unless a revision is asked for; the Hub is asked for the rest.
    """
    if isinstance(source, Mapping):
        from .data import from_mapping

        return from_mapping(source)
    if isinstance(source, str | os.PathLike):
        return _named(os.fspath(source), revision, token)
    if callable(getattr(source, "named_parameters", None)):
        from .module import from_module

        return from_module(source)
    from .data import from_object

    return from_object(source)


def _named(name: str, revision: str | None, token: str | bool | None) -> Opened:
    from . import catalog, hub, local

    if not name.strip():
        raise SourceError("The name of the model is empty. Give a repository id, a folder or a config.json.")
    if name.startswith(("https://", "http://")):
        name, revision = hub.from_address(name, revision)
    elif local.is_path(name):
        return local.open_path(name)
    if revision is None:
        found = catalog.lookup(name)
        if found is not None:
            return found
    return hub.open_repo(name, revision, token)
