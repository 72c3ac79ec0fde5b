"""``paramwidget memory MODEL``: what a model takes of memory."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .options import add_json, add_model, whole
from .output import as_json, say

if TYPE_CHECKING:
    from ..memory import Memory
    from .options import Commands


def add(commands: Commands) -> None:
    """Register the command."""
    parser = commands.add_parser("memory", help="what weights, cache and states take of memory")
    configure(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def configure(parser: argparse.ArgumentParser) -> None:
    """MODEL and how it is to be used, on the command line and behind ``%params memory``."""
    add_model(parser)
    add_memory(parser)


def add_memory(parser: argparse.ArgumentParser) -> None:
    """--context, --batch, --weight-dtype, --kv-dtype and --encoder-length: how the model is to be used."""
    number: dict[str, Any] = {"type": whole, "metavar": "N"}
    parser.add_argument(
        "--context",
        help="tokens of a sequence: 131072, 1e5, 128k or 128Ki (default: 32768, or the config's positions if fewer)",
        **number,
    )
    parser.add_argument("--batch", default=1, help="sequences at once (default: 1)", **number)
    parser.add_argument(
        "--weight-dtype", metavar="DTYPE", help="keep weights in this dtype (default: as files store them)"
    )
    parser.add_argument(
        "--kv-dtype",
        default="bfloat16",
        metavar="DTYPE",
        help="keep keys and values in this dtype (default: bfloat16)",
    )
    parser.add_argument(
        "--encoder-length",
        help="tokens of the encoder (default: what the model fixes, else the context)",
        **number,
    )


def answer(options: argparse.Namespace) -> Memory:
    """What was asked for."""
    from ..counting import count
    from ..memory import memory

    return memory(
        count(options.model, revision=options.revision),
        context=options.context,
        batch=options.batch,
        weight_dtype=options.weight_dtype,
        kv_dtype=options.kv_dtype,
        encoder_length=options.encoder_length,
    )


def run(options: argparse.Namespace) -> int:
    """Print the tables, or all of it as JSON."""
    m = answer(options)
    say(as_json(m.to_dict()) if options.json else m.to_text())
    return 0
