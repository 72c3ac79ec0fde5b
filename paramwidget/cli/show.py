"""``paramwidget show MODEL``: a model's parts and totals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .options import add_convention, add_json, add_model
from .output import as_json, complain_of_absent, say

if TYPE_CHECKING:
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser("show", help="count a model and print its parts")
    add_model(parser)
    add_convention(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the parts, or all of it as JSON."""
    from ..counting import count
    from ..render.text import to_text
    from ..roles import out_set

    out_set(options.basis, options.off, options.on)
    b = count(options.model, revision=options.revision)
    complain_of_absent([b], [*options.off, *options.on])
    if options.json:
        say(as_json(b.to_dict(options.basis, options.off, options.on)))
    else:
        say(to_text(b, options.basis, options.off, options.on))
    return 0
