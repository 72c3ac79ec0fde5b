"""``%load_ext paramwidget`` and ``%params openai/gpt-oss-120b``."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from typing import Any


def load_ipython_extension(ipython: Any) -> None:
    """Register ``%params [check] MODEL [--basis B] [--off a,b] [--on a,b] [--revision REV]``."""
    ipython.register_magic_function(params, "line", "params")


def params(line: str) -> Any:
    """Show a model: ``%params openai/gpt-oss-120b --off embedding``; with ``check`` before it, held against its files."""
    from IPython.core.error import UsageError

    from .cli.options import add_convention, add_model
    from .counting import count
    from .widget import ParamView

    parser = ArgumentParser(prog="%params", add_help=False)
    add_model(parser)
    add_convention(parser)
    try:
        words = shlex.split(line)
        check = words[:1] == ["check"]
        options = parser.parse_args(words[1:] if check else words)
    except ValueError as e:
        raise UsageError(f"%params {line}: {e}") from None
    except SystemExit:  # argparse would end the kernel's cell as a program
        raise UsageError(parser.format_usage().strip()) from None
    b = count(options.model, revision=options.revision, check=check)
    return ParamView(b, basis=options.basis, off=options.off, on=options.on)
