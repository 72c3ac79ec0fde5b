"""The command line: ``paramwidget show MODEL``, ``paramwidget models``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from . import __version__
from .errors import AccessDenied, Incomplete, NotFound, ParamWidgetError, SourceError, Unreachable
from .roles import BASES

#: exit status: fine; the config, the name of a type or the usage is wrong; the model could not be read
OK, WRONG, INCOMPLETE = 0, 2, 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 fine, 2 a wrong config or usage, 3 the model could not be read."""
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
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except ParamWidgetError as e:
        print(f"paramwidget: {e}", file=sys.stderr)
        return status_of(e)
    except BrokenPipeError:
        # the reader of a pipe has seen enough; what is still buffered would fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


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
        print(json.dumps(b.to_dict(options.basis, options.off, options.on), ensure_ascii=False, indent=1))
    else:
        print(to_text(b, options.basis, options.off, options.on))
    return OK


def _models(options: argparse.Namespace) -> int:
    from .sources.catalog import catalog

    for name in catalog(" ".join(options.words)):
        print(name)
    return OK


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
