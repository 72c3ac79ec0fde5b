"""How long and how often the Hub is asked: a few times, at most until a deadline, and not before it says."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from ...errors import SourceError

T = TypeVar("T")

#: how often one thing is asked for
TRIES = 5
#: seconds before the second try; each further one waits twice as long
FIRST_WAIT = 0.5
LONGEST_WAIT = 30
#: seconds that the reading of a checkpoint may take, and how many more for each of its files
DEADLINE = 120
DEADLINE_OF_FILE = 1
#: as many connections as a client keeps open
WORKERS = 16


class Again(Exception):
    """Something that may go better the next time; ``error`` is what it is called if it does not."""

    def __init__(self, error: SourceError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.wait = error, wait


class Patience:
    """What is left of the time for one checkpoint, shared by all who read it."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.seconds: float = DEADLINE
        #: when the Hub may be asked again, as it said itself
        self.not_before = 0.0

    def left(self, files: int = 0) -> float:
        """Seconds until the deadline, which is the later the more files there are."""
        self.seconds = max(self.seconds, DEADLINE + files * DEADLINE_OF_FILE)
        return self.start + self.seconds - time.monotonic()

    def tries(self) -> Iterator[Callable[[Again], None]]:
        """One turn for each try; whoever fails calls what it gets, which waits, or raises when it was the last."""
        for number in range(TRIES):
            pause = self.not_before - time.monotonic()
            if pause > 0:
                time.sleep(pause)

            def failed(again: Again, number: int = number) -> None:
                wait = FIRST_WAIT * 2**number if again.wait is None else again.wait
                if number + 1 == TRIES or wait > min(LONGEST_WAIT, self.left()):
                    raise again.error from None
                if again.wait is None:
                    time.sleep(wait)
                else:  # it is meant for everybody who asks
                    self.not_before = max(self.not_before, time.monotonic() + wait)

            yield failed


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """What an answer says of when to ask again: Retry-After as seconds or a date, else the reset of a rate limit.

    >>> seconds_to_wait({"Retry-After": "2"})
    2.0
    """
    after = headers.get("Retry-After", "").strip()
    if after.isdigit():
        return float(after)
    if after:
        try:
            return max(parsedate_to_datetime(after).timestamp() - time.time(), 0.0)
        except (ValueError, OverflowError):
            return None
    from huggingface_hub.utils import parse_ratelimit_headers

    limit = parse_ratelimit_headers(headers)
    return float(limit.reset_in_seconds) if limit is not None and limit.remaining == 0 else None


def gather(
    jobs: Sequence[Callable[[], T]],
    seconds: float,
    told: Callable[[int], None],
    too_slow: Callable[[float], SourceError],
) -> list[T]:
    """What each job returns, in their order, several at once; the first error ends them all.

    told      called with the number of finished jobs, in the thread that waits
    too_slow  makes the error for when they are not finished in time

    The threads are daemons: one that waits for a server which never ends its answer keeps nobody waiting.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    finished: queue.SimpleQueue[tuple[int, Any, BaseException | None]] = queue.SimpleQueue()
    ended = threading.Event()
    for number in range(len(jobs)):
        waiting.put(number)

    def work() -> None:
        while not ended.is_set():
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                finished.put((number, jobs[number](), None))
            except BaseException as e:
                finished.put((number, None, e))
                return

    found: list[Any] = [None] * len(jobs)
    deadline = time.monotonic() + seconds
    try:
        for _ in range(min(WORKERS, len(jobs))):
            threading.Thread(target=work, daemon=True).start()
        for done in range(len(jobs)):
            try:
                number, result, error = finished.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                raise too_slow(seconds) from None
            if error is not None:
                raise error
            found[number] = result
            told(done + 1)
    finally:
        ended.set()
    return found
