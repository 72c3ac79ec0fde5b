"""Models side by side under one convention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .breakdown import Breakdown
from .config_difference import Difference, differences
from .counting import count
from .errors import ConfigError, ConventionError, nearest_names, shown
from .roles import BASES, ROLES, check_toggles, out_set

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

#: more than these in one comparison cannot be read by anybody
MOST = 200


def compare(
    sources: Iterable[Any],
    basis: str = "stored",
    off: Iterable[str] = (),
    on: Iterable[str] = (),
    *,
    revision: str | None = None,
    token: str | bool | None = None,
) -> Comparison:
    """Count several models in one way, to see them side by side.

    sources   whatever ``count`` takes, or Breakdowns: two sizes, a base and its quantized files, two revisions of one
    basis, off, on   the one convention, as in ``Breakdown.total``
    revision, token  as in ``count``, for every repository among the sources; count them first where they differ

    Returns a Comparison. Raises what ``count`` raises, ConventionError for an unknown basis or toggle, ConfigError
    where there is nothing to compare.

    >>> c = compare(["openai/gpt-oss-20b", "openai/gpt-oss-120b"])
    >>> c.totals, [d.field for d in c.differences if d.decides]
    ((20914757184, 116829156672), ['num_hidden_layers', 'num_local_experts'])
    """
    if isinstance(sources, str | bytes | dict | Breakdown) or not isinstance(sources, Iterable):
        raise ConfigError(
            f"compare() takes a list of models, such as ['openai/gpt-oss-20b', 'openai/gpt-oss-120b'], and not "
            f"{shown(sources)}.",
            value=sources,
        )
    off, on = check_toggles(off), check_toggles(on)
    out_set(basis, off, on)
    given = list(sources)
    if not 1 <= len(given) <= MOST:
        raise ConfigError(f"compare() takes from 1 to {MOST} models, and got {len(given)}.", value=len(given))
    counted = [s if isinstance(s, Breakdown) else count(s, revision=revision, token=token) for s in given]
    return Comparison(tuple(counted), basis, off, on)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Breakdowns under one convention; every form of output has them in this order."""

    breakdowns: tuple[Breakdown, ...]
    basis: str = "stored"
    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """A name for each, no two the same: the model, else with what tells it apart from its namesakes."""
        names = [b.model for b in self.breakdowns]
        for tell in (_revision, _quantization, _place):
            words = [tell(b) for b in self.breakdowns]
            for name in {n for n in names if names.count(n) > 1}:
                alike = [i for i, n in enumerate(names) if n == name]
                if len({words[i] for i in alike}) > 1:
                    for i in alike:
                        names[i] = f"{name} {words[i]}".rstrip()
        twice = {n for n in names if names.count(n) > 1}
        return tuple(f"{n} ({names[: i + 1].count(n)})" if n in twice else n for i, n in enumerate(names))

    @cached_property
    def short_labels(self) -> tuple[str, ...]:
        """The labels without the owner of the repository, where all have the same."""
        owners = {label.partition("/")[0] for label in self.labels}
        alike = len(owners) == 1 and len(self.labels) > 1 and all("/" in label for label in self.labels)
        return tuple(label.partition("/")[2] for label in self.labels) if alike else self.labels

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles that any of the models has, in model order."""
        return tuple(role for role in ROLES if any(role in b.roles for b in self.breakdowns))

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The count of each model."""
        return self.totals_of(self.basis)

    def totals_of(self, basis: str) -> tuple[int, ...]:
        """The count of each model on another basis, with the same departures."""
        return tuple(b.total(basis, self.off, self.on) for b in self.breakdowns)

    @cached_property
    def by_role(self) -> dict[str, tuple[int | None, ...]]:
        """role -> its count in each model; None where a model has no such part."""
        parts = [b.by_role(self.basis, self.off, self.on) for b in self.breakdowns]
        return {role: tuple(p.get(role) for p in parts) for role in self.roles}

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The fields of the configs that are not the same everywhere, those that decide what is counted first."""
        return differences(self.breakdowns)

    def under(self, basis: str | None = None, off: Iterable[str] = (), on: Iterable[str] = ()) -> Comparison:
        """The same models under another convention."""
        chosen = self.basis if basis is None else basis
        off, on = check_toggles(off), check_toggles(on)
        out_set(chosen, off, on)
        return replace(self, basis=chosen, off=off, on=on)

    def sort(self, key: str = "-stored") -> Comparison:
        """The same models in another order.

        key   a basis, ``ratio`` (stored / active), ``model`` (its name) or a role; with a leading - the largest first;
              empty: as they are
        """
        name = check_sort(key).removeprefix("-")
        if not name:
            return self
        values: Sequence[Any]
        if name == "model":
            values = [label.lower() for label in self.labels]
        elif name == "ratio":
            pairs = zip(self.totals_of("stored"), self.totals_of("active"), strict=True)
            values = [Fraction(stored, active) if active else 0 for stored, active in pairs]
        elif name in BASES:
            values = self.totals_of(name)
        else:
            values = [-1 if n is None else n for n in self.by_role.get(name, [None] * len(self))]
        sign = -1 if key.startswith("-") and name != "model" else 1
        order = sorted(range(len(values)), key=lambda i: values[i] if name == "model" else sign * values[i])
        if key == "-model":
            order.reverse()
        return replace(self, breakdowns=tuple(self.breakdowns[i] for i in order))

    # ---------------------------------------------------------------- output

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data: what ``paramwidget compare --json`` prints."""
        from .render.comparison import to_dict

        return to_dict(self)

    def to_markdown(self) -> str:
        """A table in Markdown: parts as rows, or models as rows where they are many."""
        from .render.comparison import to_markdown

        return to_markdown(self)

    def to_html(self) -> str:
        """A fragment of HTML, which needs neither a script nor a style sheet."""
        from .render.comparison_html import to_fragment

        return to_fragment(self)

    def to_frame(self) -> DataFrame:
        """One row a model, as a pandas DataFrame; raises ParamWidgetError where pandas is not installed."""
        from .render.frame import model_frame

        return model_frame(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the models for a paper: their sizes, stored and active, and what each is made of; see Breakdown.plot."""
        from .render.figures.comparison import draw

        return draw(self, ax)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __len__(self) -> int:
        return len(self.breakdowns)

    def __repr__(self) -> str:
        some = ", ".join(self.labels[:4]) + (" ..." if len(self) > 4 else "")
        return f"<Comparison of {len(self)} models, {self.basis}: {some}>"


def check_sort(key: str) -> str:
    """What rows can be sorted by, with or without a leading -; else ConventionError with the nearest name."""
    known = ("model", *BASES, "ratio", *ROLES)
    name = key.removeprefix("-") if isinstance(key, str) else ""
    if key != "" and name not in known:
        near = nearest_names(name, known, 1) if name else []
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConventionError(
            f"Models cannot be sorted by {shown(key)}: it is one of model, stored, architectural, active, ratio, or a "
            f"role such as attention; a leading - puts the largest first.{hint}",
            name=name,
            nearest=near,
        )
    return key


def _revision(b: Breakdown) -> str:
    revision = b.provenance.revision
    return f"@ {revision[:7]}" if revision else ""


def _quantization(b: Breakdown) -> str:
    """How its files are quantized, in the config's own word."""
    found = b.config.get("quantization_config")
    inner = b.config.get("text_config")
    if found is None and isinstance(inner, dict):
        found = inner.get("quantization_config")
    if not isinstance(found, dict):
        return "not quantized"
    method = found.get("quant_method") or found.get("quant_algo") or "quantized"
    bits = found.get("bits")
    return f"{method}, {bits} bits" if type(bits) is int else str(method)


def _place(b: Breakdown) -> str:
    return f"({b.provenance.path})" if b.provenance.path else f"({b.provenance.label})"
