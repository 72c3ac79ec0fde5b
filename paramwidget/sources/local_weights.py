"""Files of weights on this machine: what to read for a path, and what their headers say."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ..breakdown import Provenance
from ..errors import BadCheckpoint, NotFound, SourceError, printable
from . import gguf_files, quantizations
from .opened import Opened

#: folders of a model are not deeper than this: quantizations in a folder each
_DEPTH = 2


def open_gguf(path: Path) -> Opened:
    """A GGUF file, with the parts that belong to it."""
    path = Path(os.path.abspath(path))
    folder = path.parent
    here = {p.name: _size(p) for p in folder.iterdir() if p.name.lower().endswith(".gguf") and p.is_file()}
    here.setdefault(path.name, _size(path))
    names, missing = gguf_files.parts_of(path.name, here)
    chosen = quantizations.Quantization("", "", tuple(names), 0, tuple(missing))
    return _opened(folder, chosen, here, path.name, str(path))


def open_gguf_folder(folder: Path, asked: str = "") -> Opened:
    """A folder of GGUF files: one model, or many quantizations of it, of which one is read."""
    sizes = gguf_sizes(folder)
    chosen = quantizations.choose(sizes, asked, f"The folder {printable(str(folder))!r}")
    return _opened(folder, chosen, sizes, f"{folder.resolve().name}/{chosen.name}", str(folder / chosen.name))


def gguf_sizes(folder: Path) -> dict[str, int]:
    """The GGUF files of a folder and of the folders in it, and their bytes."""
    found: dict[str, int] = {}
    for at, folders, names in os.walk(folder):
        depth = len(Path(at).relative_to(folder).parts)
        if depth >= _DEPTH:
            folders.clear()
        for name in names:
            path = Path(at, name)
            if name.lower().endswith(".gguf") and path.is_file():
                found[path.relative_to(folder).as_posix()] = _size(path)
    return found


def _opened(
    folder: Path, chosen: quantizations.Quantization, sizes: Mapping[str, int], label: str, where: str
) -> Opened:
    parts = [gguf_files.Part(str(folder / n), sizes[n], reader(folder / n)) for n in chosen.files]
    shown_path = printable(where)
    found = gguf_files.inventory(parts, repo=shown_path, missing=chosen.missing)
    gguf_files.complete(found)
    if chosen.base:  # a path names one file: what else is in its folder is not looked at
        found = replace(found, others=quantizations.beside(sizes, chosen, found.elements))
    config, held = gguf_files.held(found)
    note = gguf_files.note(found, sum(p.size for p in parts))
    return Opened(
        config,
        label,
        shown_path,
        Provenance("local", path=shown_path, note=note),
        inventory=found,
        held=held,
    )


def reader(path: Path) -> Callable[[int, int], bytes]:
    """Reads bytes of a file at an offset; the file is open only while it is read."""

    def read(offset: int, length: int) -> bytes:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(length)

    return read


def _size(path: Path) -> int:
    """Bytes of a regular file; a pipe would wait for a writer, a device may never end."""
    try:
        found = path.stat()
    except FileNotFoundError:
        raise NotFound(f"There is no file {printable(str(path))!r}. Check the path.", local=True) from None
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(f"{printable(str(path))!r} is no regular file.", local=True)
    if not found.st_size:
        raise BadCheckpoint(f"{printable(str(path))!r} is empty. Download it again.", local=True)
    return found.st_size
