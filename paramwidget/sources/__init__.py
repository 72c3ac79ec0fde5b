"""Where a model can be read from: one entry, open_source, and one file for each kind."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..errors import SourceError, shown
from .opened import Held, Opened

__all__ = ["Held", "Opened", "open_source"]


def open_source(source: Any, *, revision: str | None = None, token: str | bool | None = None) -> Opened:
    """Read whatever names a model, or is one.

    A dict or an object with ``to_dict()`` is data; one with ``named_parameters()`` is a live module. A path is a path
    if it says so (``./x``, ``/x``, a suffix) or, without a revision, exists. Any other string is a repository id:
    bundled models answer at once and offline, unless a revision is asked for; the Hub is asked for the rest. Only a
    repository has revisions.
    """
    named = isinstance(source, str | os.PathLike)
    if revision is not None and not named:
        raise SourceError(
            f"revision={shown(revision)} is given with a {type(source).__name__}: only a repository has revisions."
        )
    if isinstance(source, Mapping):
        from .data import from_mapping

        return from_mapping(source)
    if named:
        return _named(os.fsdecode(source), revision, token)
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
    elif local.says_path(name):
        if revision is not None:
            raise SourceError(
                f"{shown(name, 300)} is a path, and only a repository has revisions. Leave out the revision "
                f"{shown(revision)}, or give a repository id (owner/name).",
                local=True,
            )
        return local.open_path(name)
    elif revision is None and local.is_folder(name):
        return local.open_path(name)
    if revision is None:
        found = catalog.lookup(name)
        if found is not None:
            return found
    return hub.open_repo(name, revision, token)
