"""``paramwidget check MODEL``: what the files hold against what the config says, and why they differ."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .options import add_json, add_model
from .output import as_json, say

if TYPE_CHECKING:
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "check", help="read the headers of the checkpoint and explain every difference"
    )
    configure(parser)
    add_json(parser)
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    parser.set_defaults(run=run)


def configure(parser: argparse.ArgumentParser) -> None:
    """What ``%params check`` takes too."""
    add_model(parser)


def run(options: argparse.Namespace) -> int:
    """Print the residual; 0 where every difference is explained, 1 where one is not."""
    from ..counting import count
    from ..render.check import to_markdown, to_text

    residual = count(options.model, revision=options.revision, check=True).residual
    assert residual is not None
    if options.json:
        say(as_json(residual.to_dict()))
    else:
        say(to_markdown(residual) if options.markdown else to_text(residual))
    return 0 if residual.explained else 1


def answer(options: argparse.Namespace) -> Any:
    """The model in a view that has its check, as a cell shows it."""
    from ..counting import count
    from ..widget import ParamView

    return ParamView(count(options.model, revision=options.revision, check=True))
