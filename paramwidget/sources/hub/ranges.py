"""Bytes of the files of a repository at one commit, by range requests over huggingface_hub's own session.

Redirects are followed here, so that the token stays with the Hub and the addresses it signs stay in this module.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

from ...errors import BadCheckpoint, SourceError, Unreachable
from ..files import Progress
from .errors import asked_for, is_network, not_the_hub, refusal, unreachable
from .patience import Again, Patience, gather, seconds_to_wait
from .signatures import keep_out_of_the_log

T = TypeVar("T")

#: seconds without a byte after which a connection is given up
SILENCE = 20
#: seconds for the whole of an answer to a range of no more than a few megabytes
ANSWER = 60
#: how many redirects one request follows
REDIRECTS = 5
#: from so many files on, a bar is shown if they take long
FILES_WITH_A_BAR = 8
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


class HubFiles:
    """The files of a repository at a commit.

    sizes      path -> bytes, as the Hub lists them
    revision   as it was asked for: errors name it
    progress   told how many headers are read; where it is None, a bar is shown if it takes long
    """

    def __init__(
        self,
        repo: str,
        sha: str,
        sizes: Mapping[str, int],
        *,
        token: str | bool | None = None,
        revision: str | None = None,
        progress: Progress | None = None,
    ) -> None:
        from huggingface_hub.utils import build_hf_headers, get_session

        keep_out_of_the_log()
        self.label, self.sizes, self.sha = repo, sizes, sha
        self.asked = asked_for(repo, revision)
        self.patience = Patience()
        self.progress = progress
        self._session = get_session()
        self._headers = {**build_hf_headers(token=token), "Accept-Encoding": "identity"}
        #: where the storage of a file was found to be: signed, so never shown
        self._stored: dict[str, str] = {}

    def where(self, path: str) -> str:
        return f"{self.label} @ {self.sha[:12]}, {path}"

    def read(self, path: str, begin: int, end: int) -> bytes:
        """The bytes of a file from ``begin`` up to ``end``, never more, however often the connection breaks."""
        got = bytearray()
        for last in self.patience.tries():
            try:
                self._read(path, begin, end, got)
                return bytes(got)
            except Again as again:
                last(again)
        raise AssertionError("the last try raises")

    def gather(self, jobs: Sequence[Callable[[], T]], text: str) -> list[T]:
        from huggingface_hub.utils import tqdm

        hidden = True if self.progress or len(jobs) < FILES_WITH_A_BAR else None
        bars: Any = tqdm  # untyped
        with bars(
            total=len(jobs), desc=f"{self.label}: {text}", unit="file", delay=2, leave=False,
            disable=hidden, name="paramwidget.headers",
        ) as bar:  # fmt: skip

            def told(done: int) -> None:
                bar.update(done - bar.n)
                if self.progress:
                    self.progress(done, len(jobs), text)

            return gather(jobs, self.patience.left(len(jobs)), told, self._too_slow)

    def _too_slow(self, seconds: float) -> SourceError:
        return Unreachable(
            f"{self.asked}: the headers were not there after {seconds:,.0f} seconds, and waiting was given up. "
            f"Try again later. Incomplete."
        )

    def _read(self, path: str, begin: int, end: int, got: bytearray) -> None:
        """Add to what was got of a file; Again where another try may bring more."""
        start = begin + len(got)
        if start >= end:
            return
        try:
            with self._answer(path, start, end) as response:
                skip = self._check(response, path, start)
                deadline = time.monotonic() + max(ANSWER, (end - start) / 50_000)
                for piece in response.iter_bytes():
                    if skip:
                        skip, piece = max(skip - len(piece), 0), piece[skip:]
                    got += piece[: end - begin - len(got)]
                    if len(got) == end - begin:
                        return
                    if time.monotonic() > deadline:
                        raise Unreachable(
                            f"{self.asked}: {path} comes in drips, {len(got):,} bytes in {ANSWER} seconds. "
                            f"Try again later. Incomplete."
                        )
        except (Again, SourceError):
            raise
        except Exception as e:
            if not is_network(e):
                raise not_the_hub(self.label, self.asked, type(e).__name__) from None
            self._stored.pop(path, None)
            raise Again(
                unreachable(self.label, self.asked, f"{path} cannot be read ({type(e).__name__})")
            ) from None
        raise Again(
            Unreachable(
                f"{self.asked}: the answer about {path} ends after {len(got):,} of {end - begin:,} bytes. "
                f"Try again later. Incomplete."
            )
        )

    def _answer(self, path: str, start: int, end: int) -> AbstractContextManager[Any]:
        """The answer of whoever holds the file, its body not yet read."""
        return _Answer(self, path, {**self._headers, "Range": f"bytes={start}-{end - 1}"})

    def _check(self, response: Any, path: str, start: int) -> int:
        """Whether an answer is the range that was asked for; how many bytes of it come before that."""
        size = self.sizes[path]
        if response.headers.get("Content-Type", "").startswith("text/html"):
            raise not_the_hub(self.label, self.asked, f"{path} is a web page")
        if response.status_code == 200:  # ranges are not known there: the file from its start
            length = response.headers.get("Content-Length", "")
            if length.isdigit() and int(length) != size:
                raise self._other_size(path, int(length))
            return start
        found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if found is None or int(found[1]) != start:
            raise not_the_hub(self.label, self.asked, f"another part of {path} than was asked for")
        if found[3] != "*" and int(found[3]) != size:
            raise self._other_size(path, int(found[3]))
        return 0

    def _other_size(self, path: str, size: int) -> BadCheckpoint:
        return BadCheckpoint(
            f"{self.where(path)} has {size:,} bytes where it is stored and {self.sizes[path]:,} in the list of "
            f"files. It was not uploaded to its end, or it is damaged."
        )


class _Answer:
    """An answer, from the Hub or from where it redirects to; closed without reading the rest."""

    def __init__(self, files: HubFiles, path: str, headers: Mapping[str, str]) -> None:
        self.files, self.path, self.headers = files, path, headers
        self.opened: AbstractContextManager[Any] | None = None

    def __enter__(self) -> Any:
        from huggingface_hub import hf_hub_url

        files, path = self.files, self.path
        hub = hf_hub_url(files.label, path, revision=files.sha)
        url = files._stored.get(path, hub)
        for _ in range(REDIRECTS):
            ours = _origin(url) == _origin(hub)
            headers = {
                k: v for k, v in self.headers.items() if ours or k.lower() not in ("authorization", "cookie")
            }
            self.opened = files._session.stream(
                "GET", url, headers=headers, timeout=SILENCE, follow_redirects=False
            )
            response = self.opened.__enter__()
            status = response.status_code
            if status in (301, 302, 303, 307, 308) and response.headers.get("Location"):
                url = urljoin(url, response.headers["Location"])
                self.__exit__()
                if not url.startswith("https://") and (
                    hub.startswith("https://") or not url.startswith("http://")
                ):
                    raise not_the_hub(
                        files.label, files.asked, f"{path} is redirected to an address without TLS"
                    )
                if _origin(url) != _origin(hub):
                    files._stored[path] = url
                continue
            if status in (200, 206):
                return response
            wait = seconds_to_wait(response.headers)
            code = response.headers.get("X-Error-Code", "") if ours else ""
            self.__exit__()
            expired = (
                files._stored.pop(path, None) is not None and not ours and status in (400, 401, 403, 404)
            )
            error = refusal(status, code, files.label, files.asked, path)
            if expired:
                error = Unreachable(
                    f"{files.asked}: the storage of the Hub refuses {path} ({status}). Try again later."
                )
            if status == 416:
                raise BadCheckpoint(
                    f"{files.where(path)} ends before the {files.sizes[path]:,} bytes that the Hub lists."
                )
            if expired or status in (408, 429) or status >= 500:
                raise Again(error, wait)
            raise error
        raise not_the_hub(files.label, files.asked, f"{path} is redirected {REDIRECTS} times")

    def __exit__(self, *about: object) -> None:
        if self.opened is not None:
            opened, self.opened = self.opened, None
            opened.__exit__(None, None, None)


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port
