"""The command line: ``paramwidget show MODEL``, ``paramwidget models``."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from . import __version__
from .errors import AccessDenied, Incomplete, NotFound, ParamWidgetError, SourceError, Unreachable
from .roles import BASES

#: exit status: fine; the config, the name of a type or the usage is wrong; the model could not be read
OK, WRONG, INCOMPLETE = 0, 2, 3


class _Unwritten(Exception):
    """Standard output does not take what is to be printed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 fine, 2 a wrong config or usage, 3 the model could not be read."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may know neither × nor −
    try:
        try:
            return _run(argv)
        finally:
            _flush()  # what argparse has printed, too: at exit it would be too late to say anything
    except BrokenPipeError:
        _discard(sys.stdout)
        return OK  # the reader of a pipe has seen enough
    except _Unwritten as e:
        _discard(sys.stdout)
        _complain(f"standard output cannot be written: {e}.")
        return WRONG


def _run(argv: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(
        prog="paramwidget", description="Where a model's parameters are, counted exactly from its config."
    )
    parser.add_argument("--version", action="version", version=f"paramwidget {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    show = commands.add_parser("show", parents=[show_options()], help="count a model and print its parts")
    show.add_argument("--json", action="store_true", help="print everything as JSON")
    show.set_defaults(run=_show)
    models = commands.add_parser("models", help="list the bundled models, which need no network")
    models.add_argument("words", nargs="*", metavar="WORD", help="only those whose id has every word")
    models.set_defaults(run=_models)
    options = parser.parse_args(argv)
    try:
        return int(options.run(options))
    except ParamWidgetError as e:
        _complain(str(e))
        return status_of(e)


def _say(text: str) -> None:
    if sys.stdout is None:
        raise _Unwritten("it is closed")
    try:
        print(text)
    except BrokenPipeError:
        raise
    except OSError as e:
        raise _Unwritten(e.strerror) from None
    _flush()


def _flush() -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as e:
        raise _Unwritten(e.strerror) from None


def _complain(text: str) -> None:
    if sys.stderr is not None:  # print would take standard output instead
        try:
            print(f"paramwidget: {text}", file=sys.stderr, flush=True)
        except OSError:  # the status still tells
            _discard(sys.stderr)


def _discard(stream: TextIO | None) -> None:
    """What is still buffered would fail again at exit."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def show_options() -> argparse.ArgumentParser:
    """MODEL and how to count it; %params takes the same."""
    options = argparse.ArgumentParser(prog="%params", add_help=False)
    options.add_argument(
        "model", metavar="MODEL", help="a repository id, a folder, a config.json, or - for standard input"
    )
    options.add_argument(
        "--basis", default="active", metavar="BASIS", help=f"{', '.join(BASES)} (default: active)"
    )
    options.add_argument(
        "--off", type=_names, action="extend", default=[], metavar="a,b", help="toggles also left out"
    )
    options.add_argument(
        "--on",
        type=_names,
        action="extend",
        default=[],
        metavar="a,b",
        help="toggles counted although the basis leaves them out",
    )
    options.add_argument("--revision", metavar="REV", help="a branch, tag or commit on the Hub")
    return options


def status_of(error: ParamWidgetError) -> int:
    """3 where the answer is incomplete (not found, no access, unreachable), 2 where the input is wrong."""
    return INCOMPLETE if isinstance(error, SourceError) and not error.local and _incomplete(error) else WRONG


def _incomplete(error: SourceError) -> bool:
    return isinstance(error, NotFound | AccessDenied | Unreachable | Incomplete)


def _show(options: argparse.Namespace) -> int:
    from .counting import count
    from .render.text import to_text
    from .roles import out_set

    out_set(options.basis, options.off, options.on)
    b = count(options.model, revision=options.revision)
    if options.json:
        _say(_as_json(b.to_dict(options.basis, options.off, options.on)))
    else:
        _say(to_text(b, options.basis, options.off, options.on))
    return OK


def _models(options: argparse.Namespace) -> int:
    from .sources.catalog import catalog, ids

    names = catalog(" ".join(options.words))
    if names:
        _say("\n".join(names))
    else:
        _complain(
            f"none of the {len(ids())} bundled models has all of these words in its id. "
            f"`paramwidget models` lists them; any other id is asked of the Hub."
        )
    return OK


def _as_json(data: dict[str, Any]) -> str:
    """JSON for standard output: as it reads best, or with escapes where its encoding lacks a character."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, indent=1)
    return text


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
