"""Files of weights on this machine: what to read for a path, and what their headers say."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

from ..breakdown import Provenance
from ..errors import BadCheckpoint, Incomplete, NotFound, SourceError
from ..inventory import Inventory
from . import checkpoint, gguf_files, headers, quantizations
from .files import FolderFiles
from .layout import NOT_WEIGHTS, SHARD
from .opened import Opened

#: a folder of the Hugging Face cache
_CACHE = "models--"


def open_gguf(path: Path) -> Opened:
    """A GGUF file, with the parts that belong to it; what else is in its folder is not looked at."""
    regular(path)
    files = FolderFiles(path.parent, below=0)
    names, missing = gguf_files.parts_of(path.name, files.sizes)
    where = str(path)
    found = replace(gguf_files.inventory(files, names, missing=missing), repo=where)
    return gguf_files.opened(found, path.name, Provenance("local", path=where))


def open_gguf_folder(folder: Path, asked: str = "") -> Opened | None:
    """A folder of GGUF files: one model, or many quantizations of it, of which one is read; None where it has none."""
    files = FolderFiles(folder, label=f"The folder {str(folder)!r}", below=1)
    if not asked and not any(name.lower().endswith(".gguf") for name in files.sizes):
        return None
    found = quantizations.read_gguf(files, asked)
    where = str(folder / found.files[0].path)
    label = f"{folder.resolve().name}/{found.files[0].path}"
    return gguf_files.opened(replace(found, repo=where), label, Provenance("local", path=where))


def open_safetensors(path: Path) -> Opened:
    """A folder of safetensors with no config, counted from names and shapes."""
    where = str(path)
    found = checkpoint.read_checkpoint(FolderFiles(path, label=where))
    opened = Opened({}, path.resolve().name, where, Provenance("local", path=where))
    return headers.from_headers(opened, found)


def held_by(path: Path) -> Inventory:
    """What one safetensors file holds; of a shard, what all of them hold together."""
    regular(path)
    files = FolderFiles(path.parent, label=str(path), below=0)
    shard = SHARD.fullmatch(path.name)

    def belongs(name: str) -> bool:
        other = SHARD.fullmatch(name)
        return bool(shard and other) and (other["stem"], other["total"]) == (shard["stem"], shard["total"])  # type: ignore[index]

    files.sizes = {n: size for n, size in files.sizes.items() if n == path.name or belongs(n)}
    return checkpoint.read_checkpoint(files)


def format_note(folder: Path) -> str:
    """A sentence on weights that lie beside a config and cannot be read, as they have no header."""
    names = [p.name for p in folder.iterdir()]
    if any(name.lower().endswith((".safetensors", ".gguf", ".safetensors.index.json")) for name in names):
        return ""
    pickled = sorted(n for n in names if n.endswith((".bin", ".pt", ".pth")) and not NOT_WEIGHTS.search(n))
    if not pickled:
        return ""
    return (
        f"Its weights are {pickled[0]}{' and others' if len(pickled) > 1 else ''}, a pickle, which has no "
        f"header to read and is never run: counted from the config alone."
    )


def snapshot_of(folder: Path) -> Path | None:
    """The snapshot that a folder of the Hugging Face cache (``models--owner--name``) holds; None for another folder.

    The branch ``main`` names it; without one it must be the only one.
    """
    if not folder.name.startswith(_CACHE) or not (folder / "snapshots").is_dir():
        return None
    main = folder / "refs" / "main"
    commits = sorted(p.name for p in (folder / "snapshots").iterdir() if p.is_dir())
    if main.is_file():
        named = main.read_text("ascii", "replace").strip()
        if named in commits:
            return folder / "snapshots" / named
    if len(commits) == 1:
        return folder / "snapshots" / commits[0]
    raise Incomplete(
        f"The cache folder {str(folder)!r} holds {len(commits)} snapshots, and refs/main names none of "
        f"them. Give the path of one. Incomplete.",
        local=True,
    )


def regular(path: Path) -> None:
    """Refuse what is no file with something in it: a pipe would wait for a writer, a device may never end."""
    shown = str(path)
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise NotFound(f"There is no file {shown!r}. Check the path.", local=True) from None
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(f"{shown!r} is no regular file.", local=True)
    if not found.st_size:
        raise BadCheckpoint(f"{shown!r} is empty. Download it again.", local=True)
