"""What a command prints: standard output that may be closed, and complaints that must not get into it."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from ..breakdown import Breakdown


class Unwritten(Exception):
    """Standard output does not take what is to be printed."""


def prepare() -> None:
    """Print with escapes what a terminal's encoding lacks: it may know neither × nor −."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Print the answer; Unwritten where standard output does not take it."""
    if sys.stdout is None:
        raise Unwritten("it is closed")
    try:
        print(text)
    except BrokenPipeError:
        raise
    except OSError as e:
        raise Unwritten(e.strerror) from None
    flush()


def flush() -> None:
    """Send what is buffered now, while a failure can still be told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as e:
        raise Unwritten(e.strerror) from None


def complain(text: str) -> None:
    """One line for the reader, on standard error."""
    if sys.stderr is not None:  # print would take standard output instead
        try:
            print(f"paramwidget: {text}", file=sys.stderr, flush=True)
        except OSError:  # the status still tells
            discard(sys.stderr)


def complain_of_absent(models: Sequence[Breakdown], toggles: Iterable[str]) -> None:
    """Name the parts that were to be left out or counted, and that none of these models has."""
    absent = sorted({*toggles} - {t.key for b in models for t in b.toggles})
    if absent:
        who = models[0].model if len(models) == 1 else "these models"
        complain(f"no part of {who}, so nothing changes: {', '.join(absent)}")


def discard(stream: TextIO | None) -> None:
    """Drop what is still buffered, which would fail again at exit."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def as_json(data: dict[str, Any]) -> str:
    """JSON for standard output: as it reads best, or with escapes where its encoding lacks a character.

    So it is where a name has characters that do not print: a terminal obeys them.
    """
    text = json.dumps(data, ensure_ascii=False, indent=1)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, indent=1)
    return text if text.replace("\n", "").isprintable() else json.dumps(data, indent=1)
