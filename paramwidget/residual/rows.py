"""The rows of a residual: what a config predicts, what files hold, and why the two differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..inventory import Declared

MATCHES = "as the config says"
AS_FOUND = "counted as found"
REGROUPED = "named otherwise"
TIED = "tied matrix stored again"
TWICE = "stored twice"
MTP = "MTP layer"
MTP_MISSING = "MTP layer missing"
HEAD_MISSING = "output head missing"
PART_MISSING = "part missing"
SCALES = "scales"
PACKED = "packed"
OLD_BUFFER = "buffer written by older versions"
CONVERTER = "made by llama.cpp's converter"
BUFFER_MISSING = "buffer not stored"
PADDED_VOCABULARY = "padded vocabulary"
CUT_VOCABULARY = "cut vocabulary"
PADDED_WIDTH = "padded width"
BIASES = "biases present"
BIASES_MISSING = "biases absent"
EXTRA = "extra module"
PRUNED = "experts pruned"
MISSING_SHARD = "missing shard"
MISSING_TENSOR = "named by the index, in no file"
COPY = "second copy of the weights"
DECLARED = "declared total"
COUNTED = "counted otherwise"
HYPOTHESIS = "hypothesis"
UNEXPLAINED = "not explained"

#: what a row adds up to: the parameters, the bookkeeping beside them, or a total that somebody states
PARAMETERS, BOOKKEEPING, STATED, ELSEWHERE = "parameters", "scales", "totals", "elsewhere"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a residual.

    name       a tensor, several of one template, or a part of the model
    predicted  what the config implies of it, or what a stated total should be
    found      what the files hold of it, or what the total says
    cause      why; one of the words of this module, or ``hypothesis: ...``
    note       a sentence with the integers that show it
    of         parameters: their ``predicted`` and ``found`` add up to the residual's | scales: bookkeeping, never
               parameters | totals: what the Hub or an index states, against the headers | elsewhere: files that were
               not counted
    """

    name: str
    predicted: int
    found: int
    cause: str
    note: str = ""
    of: str = PARAMETERS

    @property
    def difference(self) -> int:
        """Found less predicted."""
        return self.found - self.predicted


@dataclass(frozen=True, slots=True)
class RoleBytes:
    """Bytes that the files hold of one role, its scales included, and the parameters in them."""

    parameters: int
    nbytes: int

    @property
    def bits(self) -> Fraction | None:
        """Bits per parameter, exactly; None where there is none."""
        return Fraction(8 * self.nbytes, self.parameters) if self.parameters else None


@dataclass(frozen=True, eq=False)
class Residual:
    """Checkpoint less config: every difference as exact integers, each with its cause.

    predicted         parameters that the config implies (the basis *stored*)
    found_parameters  parameters that the headers hold, packed words unpacked; None where no header was read
    found_scales      elements of the quantization's bookkeeping: never parameters
    found_elements    elements of all tensors as stored, packed words as words
    hub_total         what the Hub reports at this commit, where it does
    declared          totals that an index declares
    problems          sentences on files that disagree with each other
    by_role           parameters and bytes of each role
    """

    repo: str
    revision: str | None
    predicted: int
    found_parameters: int | None
    found_scales: int | None
    found_elements: int | None
    hub_total: int | None
    rows: tuple[Row, ...]
    declared: tuple[Declared, ...] = ()
    problems: tuple[str, ...] = ()
    nbytes: int | None = None
    by_role: Mapping[str, RoleBytes] = field(default_factory=dict)

    @property
    def unexplained(self) -> int:
        """Parameters (or elements of a stated total) that no row explains, too many and too few counted alike.

        Two rows that happen to cancel do not explain each other: their sizes are added.
        """
        return sum(abs(row.difference) for row in self.rows if row.cause == UNEXPLAINED)

    @property
    def explained(self) -> bool:
        """Whether every difference has a cause; a hypothesis is one, and says so."""
        return self.unexplained == 0

    @property
    def bits(self) -> Fraction | None:
        """Bits per parameter over all tensors, scales included; None where no header was read."""
        if not self.found_parameters or self.nbytes is None:
            return None
        return Fraction(8 * self.nbytes, self.found_parameters)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: what ``paramwidget check --json`` prints."""
        return {
            "repo": self.repo,
            "revision": self.revision,
            "predicted": self.predicted,
            "found_parameters": self.found_parameters,
            "found_scales": self.found_scales,
            "found_elements": self.found_elements,
            "hub_total": self.hub_total,
            "rows": [
                {
                    "name": r.name,
                    "predicted": r.predicted,
                    "found": r.found,
                    "cause": r.cause,
                    "of": r.of,
                    **({"note": r.note} if r.note else {}),
                }
                for r in self.rows
            ],
            "unexplained": self.unexplained,
            "declared": [{"key": d.key, "value": d.value, "file": d.file} for d in self.declared],
            "problems": list(self.problems),
            "nbytes": self.nbytes,
            "by_role": {
                role: {"parameters": r.parameters, "nbytes": r.nbytes} for role, r in self.by_role.items()
            },
        }

    def to_markdown(self) -> str:
        """The rows as a table in Markdown."""
        from ..render.check import to_markdown

        return to_markdown(self)

    def __str__(self) -> str:
        from ..render.check import to_text

        return to_text(self)

    def __repr__(self) -> str:
        found = "no header read" if self.found_parameters is None else f"{self.found_parameters:,} found"
        return f"<Residual {self.repo}: {self.predicted:,} predicted, {found}, {self.unexplained:,} not explained>"
