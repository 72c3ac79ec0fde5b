"""``%load_ext paramwidget`` and ``%params openai/gpt-oss-120b``."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from typing import Any


def load_ipython_extension(ipython: Any) -> None:
    """Register ``%params MODEL [--basis B] [--off a,b] [--on a,b] [--revision REV]``."""
    ipython.register_magic_function(params, "line", "params")


def params(line: str) -> Any:
    """Show a model: ``%params openai/gpt-oss-120b --off embedding``."""
    from IPython.core.error import UsageError

    from .cli.options import add_convention, add_model
    from .widget import ParamView

    parser = ArgumentParser(prog="%params", add_help=False)
    add_model(parser)
    add_convention(parser)
    try:
        options = parser.parse_args(shlex.split(line))
    except ValueError as e:
        raise UsageError(f"%params {line}: {e}") from None
    except SystemExit:  # argparse would end the kernel's cell as a program
        raise UsageError(parser.format_usage().strip()) from None
    return ParamView(
        options.model, basis=options.basis, off=options.off, on=options.on, revision=options.revision
    )
