"""``%load_ext paramwidget``, ``%params openai/gpt-oss-120b`` and ``%params compare A B``."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from typing import Any


def load_ipython_extension(ipython: Any) -> None:
    """Register ``%params [check] MODEL [--basis B] [--off a,b] [--on a,b] [--revision REV]``, and ``compare``."""
    ipython.register_magic_function(params, "line", "params")


def params(line: str) -> Any:
    """Show a model: ``%params openai/gpt-oss-120b --off embedding``.

    ``check`` before it holds it against its files; ``compare A B`` shows several.
    """
    from IPython.core.error import UsageError

    try:
        words = shlex.split(line)
    except ValueError as e:
        raise UsageError(f"%params {line}: {e}") from None
    if words[:1] == ["compare"]:
        return _compare(words[1:])
    check = words[:1] == ["check"]
    return _show(words[1:] if check else words, check)


def _show(words: list[str], check: bool) -> Any:
    from .cli.options import add_convention, add_model
    from .counting import count
    from .widget import ParamView

    parser = ArgumentParser(prog="%params", add_help=False)
    add_model(parser)
    add_convention(parser)
    o = _parsed(parser, words)
    b = count(o.model, revision=o.revision, check=check)
    return ParamView(b, basis=o.basis, off=o.off, on=o.on)


def _compare(words: list[str]) -> Any:
    from .cli.compare import add_models
    from .compare_view import CompareView

    parser = ArgumentParser(prog="%params compare", add_help=False)
    add_models(parser)
    o = _parsed(parser, words)
    return CompareView(o.models, basis=o.basis, off=o.off, on=o.on, revision=o.revision, sort=o.sort)


def _parsed(parser: ArgumentParser, words: list[str]) -> Any:
    from IPython.core.error import UsageError

    try:
        return parser.parse_args(words)
    except SystemExit:  # argparse would end the kernel's cell as a program
        raise UsageError(parser.format_usage().strip()) from None
