"""The options that commands share: the model, its revision, the convention, the form of the answer."""

from __future__ import annotations

import argparse
import re
from decimal import Decimal
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


#: k and M are powers of ten and Ki and Mi powers of two, as GB and GiB are
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_WHOLE = re.compile(r"([+-]?\d[\d_,]*(?:\.\d+)?(?:e\+?\d{1,2})?) ?([kmg]i?)?", re.I)


def whole(text: str) -> int:
    """A whole number as people write it.

    >>> [whole(text) for text in ("131072", "131_072", "131,072", "1e5", "128k", "128Ki", "1M")]
    [131072, 131072, 131072, 100000, 128000, 131072, 1000000]
    """
    found = _WHOLE.fullmatch(text.strip())
    n = Decimal(re.sub("[_,]", "", found[1])) * _UNITS[(found[2] or "").lower()] if found else Decimal("0.5")
    if n != int(n):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number; what can be read is like 131072, 131_072, 1e5, 128k (128,000) or "
            f"128Ki (131,072)"
        )
    return int(n)


def names(text: str) -> tuple[str, ...]:
    """``a, b`` as its names."""
    return tuple(name.strip() for name in text.split(",") if name.strip())
