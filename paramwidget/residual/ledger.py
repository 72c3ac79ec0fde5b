"""What is written down while a checkpoint is compared: rows, bytes by role, packed words, and what was not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from .. import aliases
from ..tensors import TensorSpec
from . import rows as r
from .rows import Row

#: the rows of what is as predicted, by role; every other role is of the model itself
OWN_ROW = {"mtp": "MTP layer", "vision": "vision", "audio": "audio", "projector": "projector"}

#: characters of a row's name and of its note: whoever writes a header may call a tensor anything
LONGEST_NAME, LONGEST_NOTE = 200, 1000


@dataclass(slots=True)
class Ledger:
    """The rows as they are found, and how many bytes and parameters each role has."""

    rows: list[Row] = field(default_factory=list)
    matched: Counter[str] = field(default_factory=Counter)
    parameters: Counter[str] = field(default_factory=Counter)
    nbytes: Counter[str] = field(default_factory=Counter)
    packed: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def add(
        self, name: str, predicted: int, found: int, cause: str, note: str = "", of: str = r.PARAMETERS
    ) -> None:
        self.rows.append(Row(_cut(name, LONGEST_NAME), predicted, found, cause, _cut(note, LONGEST_NOTE), of))

    def hold(self, role: str, parameters: int, nbytes: int) -> None:
        self.parameters[role] += parameters
        self.nbytes[role] += nbytes

    def pack(self, label: str, dtype: str, elements: int, parameters: int) -> None:
        before = self.packed.get((label, dtype), (0, 0))
        self.packed[label, dtype] = (before[0] + elements, before[1] + parameters)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


@dataclass(slots=True)
class Missing:
    """Predicted tensors that no file has."""

    spec: TensorSpec
    predicted: int
    tensors: int
    layers: tuple[int, ...]


def name_of(spec: TensorSpec) -> str:
    """The predicted name; of one layer with its number."""
    layers = tuple(map(int, spec.layers))
    return spec.name.replace("{layer}", str(layers[0])) if len(layers) == 1 else spec.name


def readable(template: str) -> str:
    """A template with words for its numbers, as the roles are read off."""
    if aliases.NUMBER not in template:
        return template
    at = aliases.layer_position(template)
    out: list[str] = []
    for i, piece in enumerate(template.split(aliases.NUMBER)):
        if i:
            out.append(
                "{layer}"
                if i - 1 == at
                else "{expert}"
                if ".experts." in out[-1] or "expert" in out[-1]
                else "{n}"
            )
        out.append(piece)
    return "".join(out)


def packed_rows(packed: Mapping[tuple[str, str], tuple[int, int]]) -> Iterator[Row]:
    """What packed words hold: elements as stored against parameters."""
    for (label, dtype), (elements, parameters) in sorted(packed.items()):
        name = f"*.{label}" if label else "*.weight"
        ratio = Fraction(parameters, elements)
        many = f"{ratio} parameters in each stored element"
        if ratio.denominator > 9:
            many = f"{parameters:,} parameters in {elements:,} stored elements"
        yield Row(f"{name} ({dtype})", parameters, elements, r.PACKED, many, r.STATED)
