"""The files of a repository at one commit: any bytes of them, by range requests, many at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, TypeVar

from ...errors import BadCheckpoint, SourceError
from ..files import Progress
from .asking import Asking
from .errors import not_the_hub
from .patience import gather

T = TypeVar("T")

#: from so many files on, a bar is shown after so many seconds
FILES_WITH_A_BAR, BAR_AFTER = 8, 2
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


class HubFiles:
    """The files of a repository at a commit.

    sizes     path -> bytes, as the Hub lists them
    progress  told how many files are read; where it is None, a bar is shown if it takes long
    """

    def __init__(
        self, asking: Asking, sha: str, sizes: Mapping[str, int], progress: Progress | None = None
    ) -> None:
        self.asking, self.label, self.sha, self.sizes = asking, asking.repo, sha, sizes
        self.progress = progress

    def where(self, path: str) -> str:
        return f"{self.label} @ {self.sha[:12]}, {path}"

    def read(self, path: str, begin: int, end: int) -> bytes:
        """The bytes of a file from ``begin`` up to ``end``, never more."""
        return b"".join(self._pieces(path, begin, end))

    def pieces(self, path: str) -> Iterator[bytes]:
        return self._pieces(path, 0, self.sizes[path])

    def reader(self, path: str) -> Callable[[int, int], bytes]:
        """Reads bytes of a file as an open file would: at an offset, and fewer of them at its end."""
        return lambda offset, length: self.read(path, offset, min(offset + length, self.sizes[path]))

    def gather(self, jobs: Sequence[Callable[[], T]], text: str) -> list[T]:
        with self._bar(len(jobs), text) as bar:

            def told(done: int) -> None:
                if bar is not None:
                    bar.update(done - bar.n)
                if self.progress:
                    self.progress(done, len(jobs), text)

            return gather(jobs, self.asking.patience.left(len(jobs)), told, self._too_slow)

    def _bar(self, jobs: int, text: str) -> AbstractContextManager[Any]:
        """huggingface_hub's own bar, where nobody else is told and many files are read; it shows after a while."""
        if self.progress or jobs < FILES_WITH_A_BAR:
            return nullcontext()
        from huggingface_hub.utils import tqdm

        bar: Any = tqdm  # untyped
        title = f"{self.label}: {text}"
        opened: AbstractContextManager[Any] = bar(
            total=jobs, desc=title, unit="file", delay=BAR_AFTER, leave=False, name="paramwidget.headers"
        )
        return opened

    def _too_slow(self, seconds: float) -> SourceError:
        return self.asking.incomplete(
            f"the headers were not there after {seconds:,.0f} seconds, and waiting was given up"
        )

    def _pieces(self, path: str, begin: int, end: int) -> Iterator[bytes]:
        url = self.asking.file(path, self.sha)
        return self.asking.pieces(url, path, begin, end, partial(self._check, path))

    def _check(self, path: str, response: Any, begin: int) -> int:
        """Whether an answer is the range that was asked for; how many bytes of it come before that."""
        size, headers = self.sizes[path], response.headers
        if response.status_code == 416:
            raise BadCheckpoint(
                f"{self.where(path)} ends before the {size:,} bytes that the Hub lists. It is damaged."
            )
        if headers.get("Content-Type", "").startswith("text/html"):
            raise not_the_hub(self.label, self.asking.asked, f"{path} is a web page")
        if response.status_code == 200:  # ranges are not known there: the file from its start
            length = headers.get("Content-Length", "")
            if length.isdigit() and int(length) != size:
                raise self._other_size(path, int(length))
            return begin
        found = _RANGE.fullmatch(headers.get("Content-Range", ""))
        if found is None or int(found[1]) != begin:
            raise not_the_hub(self.label, self.asking.asked, f"another part of {path} than was asked for")
        if found[3] != "*" and int(found[3]) != size:
            raise self._other_size(path, int(found[3]))
        return 0

    def _other_size(self, path: str, size: int) -> BadCheckpoint:
        return BadCheckpoint(
            f"{self.where(path)} has {size:,} bytes where it is stored and {self.sizes[path]:,} in the list of "
            f"files. It was not uploaded to its end, or it is damaged."
        )
