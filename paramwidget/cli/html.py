"""``paramwidget html MODEL -o page.html``: the interactive view as one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SourceError, shown
from .options import add_convention, add_model
from .output import complain_of_absent, say

if TYPE_CHECKING:
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser("html", help="write the interactive view of a model as one HTML file")
    add_model(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the file to write, or - for standard output"
    )
    add_convention(parser)
    parser.add_argument("--claim", metavar="TEXT", help="the claim that its bridge starts from")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page; nothing is written where the model cannot be counted."""
    from ..counting import count
    from ..roles import out_set

    out_set(options.basis, options.off, options.on)
    b = count(options.model, revision=options.revision)
    complain_of_absent([b], [*options.off, *options.on])
    page = b.to_html(options.basis, options.off, options.on, options.claim)
    if options.output == "-":
        say(page)
        return 0
    path = Path(options.output).expanduser()
    data = page.encode("utf-8", "replace")
    try:
        path.write_bytes(data)
    except OSError as e:
        raise SourceError(
            f"{shown(str(path), 300)} cannot be written: {e.strerror}. Give another file.", local=True
        ) from None
    say(f"{path}: {len(data):,} bytes, {b.model}")
    return 0
