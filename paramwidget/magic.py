"""``%load_ext paramwidget``, ``%params openai/gpt-oss-120b`` and ``%params memory openai/gpt-oss-120b``."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from importlib import import_module
from typing import Any, NoReturn

#: commands whose answer a cell shows: ``%params memory MODEL --context N``, ``%params reconcile MODEL "5.1B active"``
COMMANDS = ("check", "compare", "memory", "reconcile")


def load_ipython_extension(ipython: Any) -> None:
    """Register ``%params MODEL [--basis B] [--off a,b] [--on a,b] [--revision REV]``, and what is in COMMANDS."""
    ipython.register_magic_function(params, "line", "params")


def params(line: str) -> Any:
    """Show a model: ``%params openai/gpt-oss-120b --off embedding``; ``check`` before it holds it against its files."""
    from IPython.core.error import UsageError

    from .cli.options import add_convention, add_model
    from .widget import ParamView

    command = next((name for name in COMMANDS if line.split()[:1] == [name]), None)

    class Parser(ArgumentParser):
        """argparse would print to the cell and end it as a program."""

        def error(self, message: str) -> NoReturn:
            more = "" if command else f"\nor: {' | '.join(f'%params {name} ...' for name in COMMANDS)}"
            raise UsageError(f"{self.format_usage().strip()}{more}\n{message}")

    parser = Parser(prog=f"%params {command}" if command else "%params", add_help=False)
    if command:
        module = import_module(f".cli.{command}", __package__)
        module.configure(parser)
    else:
        add_model(parser)
        add_convention(parser)
    try:
        options = parser.parse_args(shlex.split(line)[bool(command) :])
    except ValueError as e:
        raise UsageError(f"%params {line}: {e}") from None
    if command:
        return module.answer(options)
    return ParamView(
        options.model, basis=options.basis, off=options.off, on=options.on, revision=options.revision
    )
