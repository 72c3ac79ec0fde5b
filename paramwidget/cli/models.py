"""``paramwidget models WORD ...``: the bundled models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .output import complain, say

if TYPE_CHECKING:
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser("models", help="list the bundled models, which need no network")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only those whose id has every word")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the ids, one a line."""
    from ..sources.catalog import catalog, ids

    found = catalog(" ".join(options.words))
    if found:
        say("\n".join(found))
    else:
        complain(
            f"none of the {len(ids())} bundled models has all of these words in its id. "
            f"`paramwidget models` lists them; any other id is asked of the Hub."
        )
    return 0
