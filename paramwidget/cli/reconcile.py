"""``paramwidget reconcile MODEL "5.1B active"``: what a printed number fits."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from .options import add_json, add_model
from .output import as_json, say

if TYPE_CHECKING:
    from ..breakdown import Breakdown
    from ..verdict import Verdict
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser("reconcile", help="say what a printed number fits")
    configure(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def configure(parser: argparse.ArgumentParser) -> None:
    """MODEL and CLAIM, on the command line and behind ``%params reconcile``."""
    add_model(parser)
    parser.add_argument(
        "claim",
        nargs="+",
        metavar="CLAIM",
        help="as it was printed, with quotes or without: 5.1B active, 35B-A3B, 60.8 GiB",
    )
    # "-5B" is no option, as "-5" is none: reading it says what is the matter with it
    parser._negative_number_matcher = re.compile(r"-\.?\d")


def answer(options: argparse.Namespace) -> Verdict:
    """What was asked for."""
    return _reconciled(options)[1]


def run(options: argparse.Namespace) -> int:
    """Print the verdicts; 1 if a number fits nothing or contradicts its own words."""
    b, verdict = _reconciled(options)
    if options.json:
        say(
            as_json(
                {
                    "model": b.model,
                    "repo": b.provenance.repo,
                    "revision": b.provenance.revision,
                    "claim": " ".join(options.claim),
                    "kind": verdict.kind,
                    "met": verdict.met,
                    "verdicts": [v.to_dict() for v in verdict.verdicts],
                }
            )
        )
    else:
        say(verdict.text)
    return 0 if verdict.met else 1


def _reconciled(options: argparse.Namespace) -> tuple[Breakdown, Verdict]:
    from ..claims import as_claims
    from ..counting import count
    from ..reconcile import reconcile

    claim = " ".join(options.claim)
    as_claims(claim)  # one that cannot be read needs no model
    b = count(options.model, revision=options.revision)
    return b, reconcile(b, claim)
