"""Where a model can be read from: one entry, open_source, and one file for each kind."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import SourceError, shown
from .files import Progress
from .opened import Held, Opened

__all__ = ["Held", "Opened", "Progress", "open_checkpoint", "open_source"]


def open_source(source: Any, *, revision: str | None = None, token: str | bool | None = None) -> Opened:
    """Read whatever names a model, or is one.

    A dict or an object with ``to_dict()`` is data; one with ``named_parameters()`` is a live module. A path is a path
    if it says so (``./x``, ``/x``, a suffix) or, without a revision, exists. Any other string is a repository id:
    bundled models answer at once and offline, unless a revision is asked for; the Hub is asked for the rest. Behind it
    ``:Q4_K_M`` or ``/folder/file.gguf`` names one of its GGUF files. Only a repository has revisions.
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


#: ``owner/name:Q4_K_M`` as llama.cpp names a quantization, ``owner/name/folder/file.gguf``
_QUANTIZED = re.compile(
    r"(?P<repo>[\w.-]+/[\w.-]+)(?::(?P<tag>[\w.-]+)|/(?P<file>[^:]+\.gguf))", re.IGNORECASE
)


def quantized(name: str, *, address: bool = False) -> tuple[str, str] | None:
    """The repository and which of its GGUF files, where a name says both and is not the path of one of this machine.

    address  the name is of a page's address, so it is no path whatever there is here

    >>> quantized("ggml-org/gpt-oss-20b-GGUF:MXFP4")
    ('ggml-org/gpt-oss-20b-GGUF', 'MXFP4')
    """
    found = _QUANTIZED.fullmatch(name)
    if not found:
        return None
    if address:
        return found["repo"], found["tag"] or found["file"]
    if found["repo"].startswith(".") or os.path.exists(name):
        return None
    if os.path.isdir(found["repo"] if found["tag"] else name.partition("/")[0]):
        return None
    return found["repo"], found["tag"] or found["file"]


def _named(name: str, revision: str | None, token: str | bool | None) -> Opened:
    from . import catalog, local

    if not name.strip():
        raise SourceError("The name of the model is empty. Give a repository id, a folder or a config.json.")
    address = name.startswith(("https://", "http://"))
    if address:
        from .hub import from_address

        name, revision = from_address(name, revision)
    one = quantized(name, address=address)
    if one:
        from .hub import open_gguf

        return open_gguf(*one, revision, token)
    if address:
        pass
    elif local.says_path(name):
        if revision is not None:
            raise SourceError(
                f"{shown(name, 300)} is a path, and only a repository has revisions. Leave out the revision "
                f"{shown(revision)}, or give a repository id (owner/name).",
                local=True,
            )
        return local.open_path(name)
    elif revision is None and local.is_folder(name.partition(":")[0]):
        return local.open_path(name)
    if revision is None:
        found = catalog.lookup(name)
        if found is not None:
            return found
    from .hub import open_repo

    return open_repo(name, revision, token)


def open_checkpoint(
    source: Any,
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    progress: Progress | None = None,
) -> Opened:
    """What open_source reads, with the inventory of the files that belong to it, all at one commit.

    Of a bundled model the Hub is asked too: its snapshot may be of another commit than the files. Raises SourceError
    for a source that has no files.
    """
    named = isinstance(source, str | os.PathLike)
    name = os.fsdecode(source) if named else ""
    if named and not name.startswith(("https://", "http://")):
        from . import local

        if quantized(name):
            return open_source(name, revision=revision, token=token)
        if local.says_path(name) or (revision is None and local.is_folder(name)):
            return _with_folder(open_source(name, revision=revision, token=token), name)
    if not named or not name.strip():
        opened = open_source(source, revision=revision, token=token)
        if opened.inventory is None:
            raise SourceError(
                f"{opened.where}: there are no files to check it against. Give a repository id or a folder."
            )
        return opened
    from . import hub

    if name.startswith(("https://", "http://")):
        repo, named_revision = hub.from_address(name, revision)
        if quantized(repo, address=True):
            return open_source(name, revision=revision, token=token)
        name, revision = repo, named_revision
    inventory = hub.read_inventory(name, revision, token, progress)
    return replace(hub.open_with(inventory, name, revision, token), inventory=inventory)


def _with_folder(opened: Opened, name: str) -> Opened:
    """A local config with the weights that lie beside it."""
    if opened.inventory is not None:
        return opened
    if name == "-":
        raise SourceError(
            "Standard input has no files to check against. Give a repository id or a folder.", local=True
        )
    from pathlib import Path

    from .checkpoint import read_checkpoint
    from .files import FolderFiles
    from .local_weights import snapshot_of

    path = Path(name).expanduser()
    folder = (snapshot_of(path) or path) if path.is_dir() else path.parent
    return replace(opened, inventory=read_checkpoint(FolderFiles(folder)))
