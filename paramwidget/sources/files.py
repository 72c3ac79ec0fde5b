"""The files that a checkpoint is made of, wherever they lie: their sizes, and any bytes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ..errors import BadCheckpoint, SourceError, shown

T = TypeVar("T")

#: bytes of a file that are read at once
PIECE = 1 << 20
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


def _sizes(folder: Path, below: int, prefix: str = "") -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    try:
        entries = list(folder.iterdir())
    except OSError as e:
        raise SourceError(f"{shown(str(folder), 300)} cannot be read: {e.strerror}.", local=True) from None
    for path in entries:
        if path.is_dir():
            if below and not path.name.startswith("."):
                found += _sizes(path, below - 1, f"{prefix}{path.name}/")
        elif path.is_file():  # the cache of the Hub is made of links
            found.append((f"{prefix}{path.name}", path.stat().st_size))
    return found
