"""``%load_ext paramwidget`` and ``%params openai/gpt-oss-120b``."""

from __future__ import annotations

import shlex
from typing import Any


def load_ipython_extension(ipython: Any) -> None:
    """Register ``%params MODEL [--basis B] [--off a,b] [--on a,b] [--revision REV]``."""
    ipython.register_magic_function(params, "line", "params")


def params(line: str) -> Any:
    """Show a model: ``%params openai/gpt-oss-120b --off embedding``."""
    from .cli import show_options
    from .widget import ParamView

    options = show_options().parse_args(shlex.split(line))
    return ParamView(
        options.model, basis=options.basis, off=options.off, on=options.on, revision=options.revision
    )
