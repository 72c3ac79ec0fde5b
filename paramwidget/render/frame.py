"""Tables as pandas DataFrames, where pandas is installed; it is no dependency."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import ParamWidgetError
from .data import to_dict

if TYPE_CHECKING:
    from pandas import DataFrame

    from ..breakdown import Breakdown
    from ..compare import Comparison


def pandas() -> Any:
    """The module; raises ParamWidgetError where it is not installed."""
    try:
        return import_module("pandas")
    except ImportError:
        raise ParamWidgetError(
            "to_frame() needs pandas, which is not installed: pip install pandas. "
            "to_dict() gives the same numbers without it."
        ) from None


def tensor_frame(
    b: Breakdown, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()
) -> DataFrame:
    """One row a tensor, counted on each basis with the departures; the index is the tensor's name."""
    pd = pandas()
    rows = to_dict(b, basis, off, on)["tensors"]
    for row in rows:
        row["layers"] = len(row["layers"])
        row["shape"] = tuple(row["shape"])
    frame: DataFrame = pd.DataFrame(rows).set_index("name")
    frame["stacked"] = frame["stacked"].astype("Int64")  # else None would make floats of the others
    return frame


def model_frame(c: Comparison) -> DataFrame:
    """One row a model: its totals on each basis, and the count of each role; the index is its label."""
    pd = pandas()
    rows = [
        {
            "model": label,
            "model_type": b.model_type,
            "stored": b.total("stored", c.off, c.on),
            "architectural": b.total("architectural", c.off, c.on),
            "active": b.total("active", c.off, c.on),
            **{role: c.by_role[role][i] or 0 for role in c.roles},
        }
        for i, (label, b) in enumerate(zip(c.labels, c.breakdowns, strict=True))
    ]
    frame: DataFrame = pd.DataFrame(rows).set_index("model")
    return frame
