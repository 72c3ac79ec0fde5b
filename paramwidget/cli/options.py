"""The options that commands share: the model, its revision, the convention, the form of the answer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..roles import BASES

if TYPE_CHECKING:
    #: what a command's module adds itself to
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

MODEL = "a repository id, a folder, a config.json, or - for standard input"


def add_model(parser: argparse.ArgumentParser) -> None:
    """MODEL and --revision."""
    parser.add_argument("model", metavar="MODEL", help=MODEL)
    add_revision(parser)


def add_revision(parser: argparse.ArgumentParser) -> None:
    """--revision, wherever MODEL may be a repository id."""
    parser.add_argument("--revision", metavar="REV", help="a branch, tag or commit on the Hub")


def add_convention(parser: argparse.ArgumentParser, default: str = "active") -> None:
    """--basis, --off and --on: how to count."""
    parser.add_argument(
        "--basis", default=default, metavar="BASIS", help=f"{', '.join(BASES)} (default: {default})"
    )
    parser.add_argument(
        "--off", type=names, action="extend", default=[], metavar="a,b", help="toggles also left out"
    )
    parser.add_argument(
        "--on",
        type=names,
        action="extend",
        default=[],
        metavar="a,b",
        help="toggles counted although the basis leaves them out",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def names(text: str) -> tuple[str, ...]:
    """``a, b`` as its names."""
    return tuple(name.strip() for name in text.split(",") if name.strip())
