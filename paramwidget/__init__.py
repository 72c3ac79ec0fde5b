"""paramwidget: where a model's parameters are, and under which convention a printed count is right.

>>> import paramwidget as pw
>>> b = pw.count("openai/gpt-oss-120b")
>>> b.total("active"), b.total("active", off={"embedding"})
(5711982912, 5132849472)

Names resolve on first use, so that importing the package loads nothing heavy.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .breakdown import Breakdown as Breakdown
    from .breakdown import Provenance as Provenance
    from .breakdown import Toggle as Toggle
    from .bridge import bridge as bridge
    from .claims import Claim as Claim
    from .compare import Comparison as Comparison
    from .compare import compare as compare
    from .compare_view import CompareView as CompareView
    from .conventions import Convention as Convention
    from .counting import count as count
    from .dim import Dim as Dim
    from .errors import AccessDenied as AccessDenied
    from .errors import BadCheckpoint as BadCheckpoint
    from .errors import ClaimError as ClaimError
    from .errors import ConfigError as ConfigError
    from .errors import ConventionError as ConventionError
    from .errors import Incomplete as Incomplete
    from .errors import NotFound as NotFound
    from .errors import OptionError as OptionError
    from .errors import ParamWidgetError as ParamWidgetError
    from .errors import SourceError as SourceError
    from .errors import UnknownArchitecture as UnknownArchitecture
    from .errors import Unreachable as Unreachable
    from .layers import LayerSpec as LayerSpec
    from .magic import load_ipython_extension as load_ipython_extension
    from .memory import Memory as Memory
    from .memory import memory as memory
    from .presets import PRESETS as PRESETS
    from .reconcile import reconcile as reconcile
    from .roles import TOGGLES as TOGGLES
    from .sources.catalog import catalog as catalog
    from .tensors import TensorSpec as TensorSpec
    from .verdict import Verdict as Verdict
    from .widget import ParamView as ParamView

__version__ = "0.1.0"

_WHERE = {
    "breakdown": ("Breakdown", "Provenance", "Toggle"),
    "bridge": ("bridge",),
    "claims": ("Claim",),
    "compare": ("Comparison", "compare"),
    "compare_view": ("CompareView",),
    "conventions": ("Convention",),
    "counting": ("count",),
    "dim": ("Dim",),
    "errors": (
        "AccessDenied",
        "BadCheckpoint",
        "ClaimError",
        "ConfigError",
        "ConventionError",
        "Incomplete",
        "NotFound",
        "OptionError",
        "ParamWidgetError",
        "SourceError",
        "UnknownArchitecture",
        "Unreachable",
    ),
    "layers": ("LayerSpec",),
    "magic": ("load_ipython_extension",),
    "memory": ("Memory", "memory"),
    "presets": ("PRESETS",),
    "reconcile": ("reconcile",),
    "roles": ("TOGGLES",),
    "sources.catalog": ("catalog",),
    "tensors": ("TensorSpec",),
    "verdict": ("Verdict",),
    "widget": ("ParamView",),
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        """A public name stays what it is: importing the data folder ``catalog`` would set it over ``catalog()``."""
        if name not in _MODULE_OF or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
