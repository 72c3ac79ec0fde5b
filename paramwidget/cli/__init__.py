"""The command line: ``paramwidget COMMAND``, each command a module of this folder.

A module offers ``add(commands)``, which registers a parser and sets ``run`` as its default; ``run(options)`` prints
the answer with ``output.say`` and returns the exit status. Its heavy imports are inside ``run``, as every command
starts by importing all of these modules.

Exit status: 0 fine; 1 the claim is not met, or a residual is not explained; 2 the config, the name of a type, the
claim or the usage is wrong; 3 the model could not be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from .. import __version__
from ..errors import AccessDenied, Incomplete, NotFound, ParamWidgetError, SourceError, Unreachable
from .output import Unwritten, complain, discard, flush, prepare

OK, UNMET, WRONG, INCOMPLETE = 0, 1, 2, 3

#: the modules, in the order in which --help lists them
COMMANDS = ("show", "reconcile", "check", "memory", "compare", "html", "models")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    prepare()
    try:
        try:
            return _run(argv)
        finally:
            flush()  # what argparse has printed, too: at exit it would be too late to say anything
    except BrokenPipeError:
        discard(sys.stdout)
        return OK  # the reader of a pipe has seen enough
    except Unwritten as e:
        discard(sys.stdout)
        complain(f"standard output cannot be written: {e}.")
        return WRONG


def _run(argv: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(
        prog="paramwidget", description="Where a model's parameters are, counted exactly from its config."
    )
    parser.add_argument("--version", action="version", version=f"paramwidget {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        import_module(f".{name}", __name__).add(commands)
    options = parser.parse_args(argv)
    try:
        return int(options.run(options))
    except ParamWidgetError as e:
        complain(str(e))
        return status_of(e)


def status_of(error: ParamWidgetError) -> int:
    """3 where the answer is incomplete (not found, no access, unreachable), 2 where the input is wrong."""
    return INCOMPLETE if isinstance(error, SourceError) and not error.local and _incomplete(error) else WRONG


def _incomplete(error: SourceError) -> bool:
    return isinstance(error, NotFound | AccessDenied | Unreachable | Incomplete)
