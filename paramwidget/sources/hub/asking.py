"""Requests about one repository over huggingface_hub's own session: where they go, how often, how long, what they say.

Redirects are followed here, so that the token stays with the Hub, and the addresses that it signs stay in this module.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from ...errors import SourceError, Unreachable
from .errors import asked_for, is_network, not_the_hub, refusal, unreachable
from .patience import Again, Patience, seconds_to_wait
from .signatures import keep_out_of_the_log

#: seconds without a byte after which a connection is given up
SILENCE = 20
#: seconds that an answer may take, and how many bytes a second are slow but no drip
ANSWER = 30
SLOWEST = 20_000
#: how many redirects one request follows
REDIRECTS = 5
_REDIRECTED = (301, 302, 303, 307, 308)
#: whose bearer is let in: never sent to another host than the Hub
_SECRET = ("authorization", "cookie")


class Asking:
    """Requests about a repository; ``asked`` is how errors name it, with the revision as it was given."""

    def __init__(self, repo: str, revision: str | None, token: str | bool | None, asked: str = "") -> None:
        from huggingface_hub import constants
        from huggingface_hub.utils import build_hf_headers, get_session, validate_repo_id

        validate_repo_id(repo)
        keep_out_of_the_log()
        self.repo, self.asked = repo, asked or asked_for(repo, revision)
        self.patience = Patience()
        self._hub = constants.ENDPOINT.rstrip("/")
        self._session = get_session()
        self._headers = {**build_hf_headers(token=token), "Accept-Encoding": "identity"}
        #: where the storage of a file was found to be: signed, so never shown
        self._stored: dict[str, str] = {}

    def api(self, path: str) -> str:
        """The address of what the API says of the repository."""
        return f"{self._hub}/api/models/{self.repo}{path}"

    def file(self, path: str, sha: str) -> str:
        """The address of a file at a commit."""
        return f"{self._hub}/{self.repo}/resolve/{sha}/{quote(path)}"

    def pieces(
        self, url: str, file: str, begin: int, end: int, check: Callable[[Any, int], int]
    ) -> Iterator[bytes]:
        """The bytes of a part of a file as they come, going on where a connection broke, a few times.

        check  told the answer and where it should begin; returns how many bytes to pass over, or raises
        """
        tries = self.patience.tries()
        while begin < end:
            failed = next(tries)
            try:
                for piece in self._part(url, file, begin, end, check):
                    begin += len(piece)
                    yield piece
                if begin < end:
                    left = end - begin
                    raise Again(self.incomplete(f"the answer about {file} ends {left:,} bytes too early"))
            except Again as again:
                failed(again)

    def whole(self, url: str, most: int) -> bytes:
        """All of an answer of the API, which has at most so many bytes."""
        for failed in self.patience.tries():
            try:
                with self._answer(url, "", {}) as response:
                    found = bytearray()
                    for piece in self._timed(response, most, ""):
                        found += piece
                        if len(found) > most:
                            raise self.incomplete(f"the Hub's answer has more than {most:,} bytes")
                    return bytes(found)
            except Again as again:
                failed(again)
        raise AssertionError("the last try raises")

    def incomplete(self, what: str) -> Unreachable:
        """The error for what did not come in time."""
        return Unreachable(f"{self.asked}: {what}. Try again later. Incomplete.")

    def _part(
        self, url: str, file: str, begin: int, end: int, check: Callable[[Any, int], int]
    ) -> Iterator[bytes]:
        with self._answer(url, file, {"Range": f"bytes={begin}-{end - 1}"}) as response:
            skip, left = check(response, begin), end - begin
            for piece in self._timed(response, left, file):
                if skip:
                    skip, piece = max(skip - len(piece), 0), piece[skip:]
                yield piece[:left]
                left -= len(piece)
                if left <= 0:
                    return

    def _timed(self, response: Any, nbytes: int, file: str) -> Iterator[bytes]:
        """The body of an answer, unless it comes in drips."""
        seconds = ANSWER + nbytes / SLOWEST
        deadline = time.monotonic() + seconds
        for piece in response.iter_bytes():
            yield piece
            if time.monotonic() > deadline:
                what = file or "the answer"
                raise self.incomplete(f"{what} comes in drips and was given up after {seconds:.0f} seconds")

    @contextmanager
    def _answer(self, url: str, file: str, headers: Mapping[str, str]) -> Iterator[Any]:
        """The answer to a request, from the Hub or from where it redirects to; closed with the rest unread."""
        try:
            at = self._stored.get(url, url)
            for _ in range(REDIRECTS):
                with self._session.stream(
                    "GET", at, headers=self._for(at, headers), timeout=SILENCE, follow_redirects=False
                ) as response:
                    to = response.headers.get("Location") if response.status_code in _REDIRECTED else None
                    if not to:
                        self._refuse(response, url, at, file)
                        yield response
                        return
                at = self._redirected(url, urljoin(at, to), file)
            raise not_the_hub(
                self.repo, self.asked, f"{file or 'the answer'} is redirected {REDIRECTS} times"
            )
        except (Again, SourceError):
            raise
        except Exception as e:
            self._stored.pop(url, None)
            name = type(e).__name__
            if not is_network(e):
                raise not_the_hub(self.repo, self.asked, name) from None
            if file:
                raise Again(self.incomplete(f"{file} cannot be read ({name})")) from None
            raise Again(unreachable(self.repo, self.asked, f"the Hub cannot be reached ({name})")) from None

    def _for(self, url: str, headers: Mapping[str, str]) -> dict[str, str]:
        ours = _origin(url) == _origin(self._hub)
        return {k: v for k, v in {**self._headers, **headers}.items() if ours or k.lower() not in _SECRET}

    def _redirected(self, url: str, to: str, file: str) -> str:
        if urlsplit(to).scheme not in ("https", urlsplit(self._hub).scheme):
            raise not_the_hub(
                self.repo, self.asked, f"{file or 'the answer'} is redirected to where no TLS is"
            )
        if file and _origin(to) != _origin(self._hub):
            self._stored[url] = to
        return to

    def _refuse(self, response: Any, url: str, at: str, file: str) -> None:
        """Raise what an answer other than 200 and 206 means, and whether to ask again."""
        status = response.status_code
        if status in (200, 206, 416):
            return
        ours = _origin(at) == _origin(self._hub)
        code = response.headers.get("X-Error-Code", "") if ours else ""
        error = refusal(status, code, self.repo, self.asked, file)
        expired = self._stored.pop(url, None) is not None and status in (400, 401, 403, 404)
        if expired:  # a signed address is good for a while
            error = self.incomplete(f"the storage of the Hub refuses {file} ({status})")
        if expired or status in (408, 429) or status >= 500:
            raise Again(error, seconds_to_wait(response.headers))
        raise error


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port
