"""The files that a checkpoint is made of, wherever they lie: their sizes, and any bytes of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ..errors import BadCheckpoint, SourceError, shown

T = TypeVar("T")

#: bytes of a file that are read at once
PIECE = 1 << 20
#: files and folders that are looked at below one folder; a repository of the Hub has fewer
MOST_ENTRIES = 200_000
#: told how many of how many parts are read, and what they are
Progress = Callable[[int, int, str], None]


class Files(Protocol):
    """A repository at one commit, or a folder.

    label  what the files belong to: a repository, or the path of a folder
    sizes  path, with / between folders -> bytes
    """

    label: str
    sizes: Mapping[str, int]

    def where(self, path: str) -> str:
        """How an error names a file."""

    def read(self, path: str, begin: int, end: int) -> bytes:
        """The bytes of a file from ``begin`` up to ``end``, all of them, or an error."""

    def pieces(self, path: str) -> Iterator[bytes]:
        """All bytes of a file, in parts as they come."""

    def gather(self, jobs: Sequence[Callable[[], T]], text: str) -> list[T]:
        """What each job returns, in their order; ``text`` is what they do, for whoever is told the progress."""


class FolderFiles:
    """The files of a folder of this machine.

    below  how deep folders are looked into; a model lies at most a few deep
    """

    def __init__(self, folder: Path, *, label: str = "", below: int = 3) -> None:
        self.folder = folder
        self.label = label or str(folder)
        self.sizes: Mapping[str, int] = dict(sorted(_sizes(folder, below)))

    def where(self, path: str) -> str:
        return shown(str(self.folder / path), 300)

    def read(self, path: str, begin: int, end: int) -> bytes:
        try:
            with (self.folder / path).open("rb") as file:
                file.seek(begin)
                found = file.read(end - begin)
        except OSError as e:
            raise SourceError(f"{self.where(path)} cannot be read: {e.strerror}.", local=True) from None
        if len(found) != end - begin:
            raise BadCheckpoint(
                f"{self.where(path)} ends at byte {begin + len(found):,}, and {end:,} were there before. "
                f"It is being written, or it is damaged.",
                local=True,
            )
        return found

    def pieces(self, path: str) -> Iterator[bytes]:
        for begin in range(0, self.sizes[path], PIECE):
            yield self.read(path, begin, min(begin + PIECE, self.sizes[path]))

    def gather(self, jobs: Sequence[Callable[[], T]], text: str) -> list[T]:
        return [job() for job in jobs]


def _sizes(folder: Path, below: int) -> Iterator[tuple[str, int]]:
    """The files of a folder and of those in it. A link may lead back, or to all of the disk: neither is followed far.

    What cannot be looked at below the folder itself is passed over.
    """
    try:
        above: tuple[tuple[int, int], ...] = (_identity(os.stat(folder)),)
        folders = [("", os.listdir(folder), above)]
    except OSError as e:
        raise SourceError(f"{shown(str(folder), 300)} cannot be read: {e.strerror}.", local=True) from None
    looked_at = 0
    while folders:
        prefix, names, above = folders.pop()
        for name in names:
            looked_at += 1
            if looked_at > MOST_ENTRIES:
                raise SourceError(
                    f"{shown(str(folder), 300)} holds more than {MOST_ENTRIES:,} files and folders, so it is no "
                    f"model's. Give the folder of the model.",
                    local=True,
                )
            try:
                about = os.stat(folder / prefix / name)  # the cache of the Hub is made of links
                if stat.S_ISREG(about.st_mode):
                    yield prefix + name, about.st_size
                elif stat.S_ISDIR(about.st_mode) and len(above) <= below and not name.startswith("."):
                    within = (*above, _identity(about))
                    if within[-1] not in above:
                        folders.append((f"{prefix}{name}/", os.listdir(folder / prefix / name), within))
            except OSError:
                continue


def _identity(about: os.stat_result) -> tuple[int, int]:
    return about.st_dev, about.st_ino
