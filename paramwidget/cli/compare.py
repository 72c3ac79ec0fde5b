"""``paramwidget compare A B ...``: models side by side under one convention."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .options import MODEL, add_convention, add_json, add_revision
from .output import as_json, complain_of_absent, say

if TYPE_CHECKING:
    from ..compare_view import CompareView
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser("compare", help="count models in one way and print them side by side")
    configure(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def configure(parser: argparse.ArgumentParser) -> None:
    """What is asked: the models, and how to count and to sort them."""
    parser.add_argument("models", metavar="MODEL", nargs="+", help=MODEL)
    add_revision(parser)
    add_convention(parser, default="stored")
    parser.add_argument(
        "--sort",
        metavar="KEY",
        default="",
        help="model, a basis, ratio, or a part such as attention; --sort=-KEY for the largest first",
    )


def answer(options: argparse.Namespace) -> CompareView:
    """The view that %params shows."""
    from ..compare_view import CompareView

    return CompareView(
        options.models,
        options.basis,
        options.off,
        options.on,
        revision=options.revision,
        sort=options.sort,
    )


def run(options: argparse.Namespace) -> int:
    """Print the table, or all of it as JSON."""
    from ..compare import check_sort, compare
    from ..render.comparison import to_text

    check_sort(options.sort)  # before the models are fetched
    c = compare(options.models, options.basis, options.off, options.on, revision=options.revision)
    c = c.sort(options.sort)
    complain_of_absent(c.breakdowns, [*options.off, *options.on])
    say(as_json(c.to_dict()) if options.json else to_text(c))
    return 0
