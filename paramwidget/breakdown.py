"""What a config implies: every distinct tensor, and the one sum over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import __version__
from .errors import printable
from .layers import LayerRun, LayerSpec
from .roles import BASES, ROLES, TOGGLES, out_set
from .tensors import TensorSpec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from .claims import Claim
    from .conventions import Convention
    from .residual import Residual

SCHEMA = 1

#: what a 64-bit float, and so the browser, holds exactly
MAX_COUNT = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a config was read.

    kind      catalog | hub | local | dict | module
    repo      the repository asked for, if any
    revision  the commit, 40 hex digits; None where it is not pinned
    path      the file that was read, if it is a local one
    fetched   the day of reading (ISO 8601), if it was fetched
    note      a sentence on how it was read
    """

    kind: str
    repo: str | None = None
    revision: str | None = None
    path: str | None = None
    fetched: str | None = None
    note: str = ""

    @property
    def kind_label(self) -> str:
        """The kind in words: ``bundled snapshot``."""
        return {
            "catalog": "bundled snapshot",
            "hub": "Hub",
            "local": "local file",
            "dict": "config given as data",
            "module": "live module",
        }[self.kind]

    @property
    def label(self) -> str:
        """What the reader sees: ``bundled snapshot, not pinned``."""
        return f"{self.kind_label}, {self.pin}" if self.kind in ("catalog", "hub") else self.kind_label

    @property
    def pin(self) -> str:
        """The short revision, or that there is none."""
        return f"@ {self.revision[:12]}" if self.revision else "not pinned"


@dataclass(frozen=True, slots=True)
class Toggle:
    """A toggle that a model has, and what flipping it alone changes on each basis (other toggles at their default)."""

    key: str
    label: str
    help: str
    stored: int
    architectural: int
    active: int


@dataclass(frozen=True, eq=False)
class Breakdown:
    """A model's parameters, by tensor.

    >>> from paramwidget import count
    >>> b = count("openai/gpt-oss-120b")
    >>> b.stored, b.active, b.total("active", off={"embedding"})
    (116829156672, 5711982912, 5132849472)

    model         a label: the repository, the path, or "config"
    architecture  the class that decided the head
    config        the config as it was given
    defaulted     keys that the config leaves out, and the value that was taken for each
    claims        what its card says, with sources
    stored_bytes  bytes of each role, where the tensors' own types are known and no config says them (GGUF)
    residual      what the files hold against this, where their headers were read (``count(..., check=True)``)
    not_predicted why the config does not say the bytes of the weights; empty where it does
    as_found      whether the tensors are those of the files or the module itself, which no config implies
    """

    model: str
    model_type: str
    architecture: str
    tensors: tuple[TensorSpec, ...]
    runs: tuple[LayerRun, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict, repr=False)
    defaulted: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = Provenance("dict")
    claims: tuple[Claim, ...] = ()
    stored_bytes: Mapping[str, int] = field(default_factory=dict, repr=False)
    residual: Residual | None = None
    as_found: bool = False
    not_predicted: str = ""

    # ------------------------------------------------------------------ sums

    @property
    def stored(self) -> int:
        """Parameters in the checkpoint; a tied matrix once, quantization scales not at all."""
        return self.total("stored")

    @property
    def architectural(self) -> int:
        """Parameters that the config declares; a tied matrix under each of its names."""
        return self.total("architectural")

    @property
    def active(self) -> int:
        """Distinct parameters that one decoded text token uses, embedding table and head whole."""
        return self.total("active")

    def total(self, basis: str = "stored", off: Iterable[str] = (), on: Iterable[str] = ()) -> int:
        """The count under one convention: one exact int, the most that a token can use.

        basis    stored | architectural | active
        off, on  departures from that basis's default: toggles also left out, or counted although it leaves them out

        Raises ConventionError for an unknown basis or toggle. A known toggle that the model lacks does nothing.
        """
        return sum(self._counts(basis, out_set(basis, off, on)).values())

    def total_range(
        self, basis: str = "stored", off: Iterable[str] = (), on: Iterable[str] = ()
    ) -> tuple[int, int]:
        """The least and the most; they differ only where routing decides how many experts a token uses."""
        out = out_set(basis, off, on)
        high = sum(self._counts(basis, out).values())
        low = sum(self._counts(basis, out, low=True).values()) if basis == "active" else high
        return low, high

    def by_role(
        self, basis: str = "stored", off: Iterable[str] = (), on: Iterable[str] = ()
    ) -> dict[str, int]:
        """The same count split by role, in model order; the parts add up to ``total``."""
        return self._counts(basis, out_set(basis, off, on))

    def effect(self, key: str, basis: str = "stored", off: Iterable[str] = (), on: Iterable[str] = ()) -> int:
        """What flipping one toggle alone changes, the other departures as they are; never negative.

        It can be 0 for a part that has parameters: a table that the head is tied to hands its matrix over to the head.
        """
        out = out_set(basis, off, on)
        out_set(basis, {key})  # refuses an unknown one
        counted = sum(self._counts(basis, out - {key}).values())
        return counted - sum(self._counts(basis, out | {key}).values())

    def count_of(self, tensor: TensorSpec, basis: str, out: frozenset[str] | set[str]) -> int:
        """What one tensor adds when the roles and kinds in ``out`` are left out."""
        if tensor.role in out or tensor.kind in out:
            return 0
        if tensor.tied_to and basis != "architectural" and not self.takes_over(tensor, out):
            return 0
        return tensor.numel * int(tensor.active_copies if basis == "active" else tensor.copies)

    def _counts(self, basis: str, out: frozenset[str], low: bool = False) -> dict[str, int]:
        counts = {role: 0 for role in ROLES if role in self._sized}
        for role, rows in self._sized.items():
            if role not in out:
                for tensor, stored, active, active_low in rows:
                    if tensor.kind in out:
                        continue
                    if tensor.tied_to and basis != "architectural" and not self.takes_over(tensor, out):
                        continue
                    counts[role] += stored if basis != "active" else active_low if low else active
        return counts

    @cached_property
    def _sized(self) -> dict[str, list[tuple[TensorSpec, int, int, int]]]:
        """role -> (tensor, elements of all copies, of the active ones, of the fewest active ones)."""
        sized: dict[str, list[tuple[TensorSpec, int, int, int]]] = {}
        for t in self.tensors:
            n = t.numel
            row = (t, n * int(t.copies), n * int(t.active_copies), n * int(t.active_low))
            sized.setdefault(t.role, []).append(row)
        return sized

    def takes_over(self, tensor: TensorSpec, out: frozenset[str] | set[str]) -> bool:
        """A head tied to the embedding holds the matrix while the embedding is left out. No other tie trades places."""
        return tensor.role == "lm_head" and "embedding" in out and self._tied_role(tensor) == "embedding"

    def _tied_role(self, tensor: TensorSpec) -> str | None:
        return next((t.role for t in self.tensors if t.name == tensor.tied_to), None)

    # ----------------------------------------------------------------- parts

    @cached_property
    def layers(self) -> tuple[LayerSpec, ...]:
        """Every layer of the stack, in order."""
        return tuple(sorted((s for run in self.runs for s in run.expand()), key=lambda s: s.index))

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that this model has, in model order."""
        return tuple(role for role in ROLES if role in self._sized)

    @cached_property
    def toggles(self) -> tuple[Toggle, ...]:
        """The toggles that this model has parameters for, in canonical order."""
        present = {name for t in self.tensors if t.architectural for name in (t.role, t.kind)}
        return tuple(
            Toggle(key, label, text, *(self.effect(key, basis) for basis in BASES))
            for key, (label, text) in TOGGLES.items()
            if key in present
        )

    @property
    def weight_bytes(self) -> int | None:
        """Bytes of all tensors as the checkpoint stores them, scales included; None where a dtype is not known.

        gpt-oss-120b: 65,248,815,744 (60.8 GiB), with 17 bytes for 32 MXFP4 values.
        """
        bits = 0
        for t in self.tensors:
            if not t.tied_to:
                each = t.bits()
                if each is None:
                    return None
                bits += each * t.stored
        return bits // 8

    # ---------------------------------------------------------------- output

    @property
    def cited(self) -> str:
        """What was counted, and by what.

        ``openai/gpt-oss-120b (bundled snapshot, revision not pinned), paramwidget 0.1.0``
        """
        p = self.provenance
        pinned = f", revision {p.revision or 'not pinned'}" if p.kind in ("catalog", "hub") else ""
        return f"{printable(self.model)} ({p.kind_label}{pinned}), paramwidget {__version__}"

    def to_dict(
        self, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()
    ) -> dict[str, Any]:
        """All of it as plain data, counted with these departures: what ``paramwidget show --json`` prints."""
        from .render.data import to_dict

        return to_dict(self, basis, off, on)

    def citation(self, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
        """One line to cite: exact counts, how they were counted, of what, and by which version of paramwidget.

        >>> from paramwidget import count
        >>> count("openai/gpt-oss-120b").citation("active", off={"embedding"})  # doctest: +ELLIPSIS
        '116,829,156,672 stored, 5,132,849,472 active (lm_head in, embedding out), openai/gpt-oss-120b (bundled ...'
        """
        from .render.citation import citation

        return citation(self, basis, off, on)

    def to_markdown(self, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> str:
        """A table of the parts on every basis, in Markdown."""
        from .render.text import to_markdown

        return to_markdown(self, basis, off, on)

    def to_html(
        self,
        basis: str = "active",
        off: Iterable[str] = (),
        on: Iterable[str] = (),
        claim: str | None = None,
    ) -> str:
        """The interactive view as one self-contained HTML file; see render/page.py."""
        from .render.page import to_page

        return to_page(self, basis, off, on, claim)

    def to_frame(self, basis: str = "active", off: Iterable[str] = (), on: Iterable[str] = ()) -> DataFrame:
        """One row a tensor, as a pandas DataFrame; raises ParamWidgetError where pandas is not installed."""
        from .render.frame import tensor_frame

        return tensor_frame(self, basis, off, on)

    def plot(
        self,
        kind: str = "parts",
        ax: Axes | None = None,
        *,
        basis: str = "active",
        off: Iterable[str] = (),
        on: Iterable[str] = (),
        claim: str | Convention | None = None,
    ) -> Axes:
        """Draw the model for a paper, with matplotlib; fonts and text colour are those of your rcParams.

        kind     parts (each part, stored and active) | bridge (how a printed count becomes the chosen one) |
                 layer (what one layer of each kind is made of) | experts (routed experts stored, and used by a token)
        ax       axes to draw on; None: a figure of its own, 6.5 inches wide and as high as its rows need
        basis, off, on  the convention that is counted, as in ``total``
        claim    where a bridge starts: the text of a claim, the key of a preset, or a Convention; None: the first claim

        Returns the axes; the pictures in them are their ``child_axes``, each with a label. Raises ConventionError for
        an unknown kind, basis or toggle, or a kind that this model has nothing to show for; ClaimError for a claim
        that no simple way of counting gives.

        >>> from paramwidget import count
        >>> ax = count("openai/gpt-oss-120b").plot("bridge")
        >>> ax.figure.savefig("bridge.pdf")  # doctest: +SKIP
        """
        from .render.figures import plot

        return plot(self, kind, ax, basis=basis, off=off, on=on, claim=claim)

    def _repr_html_(self) -> str:
        from .render.html import to_fragment

        return to_fragment(self)

    def __repr__(self) -> str:
        return f"<Breakdown {self.model}: {self.stored:,} stored, {self.active:,} active>"
