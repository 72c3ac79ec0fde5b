"""One distinct tensor of a model, and how often it occurs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import prod

from .dim import formula

#: bits that one stored element of a weight takes; MXFP4's block scales are tensors of their own
BITS: dict[str, int] = {
    "float64": 64,
    "int64": 64,
    "float32": 32,
    "float16": 16,
    "bfloat16": 16,
    "float8_e4m3fn": 8,
    "float8_e5m2": 8,
    "float8_e8m0fnu": 8,
    "uint8": 8,
    "int32": 32,
    "int8": 8,
    **{f"int{bits}": bits for bits in range(1, 8)},
    "mxfp4": 4,
    "nvfp4": 4,
    "nf4": 4,
    "fp4": 4,
}


@dataclass(frozen=True, slots=True, init=False)
class TensorSpec:
    """Equal siblings over layers and experts are one spec.

    name           as Hub files spell it: ``model.layers.{layer}.mlp.experts.{expert}.up_proj.weight``
    shape          the dimensions of ONE sibling, each an int that knows its formula
    role, kind     the part it belongs to, and what it is (see roles.py)
    layers         the indices of the layers that hold it; empty where it is in none
    copies         siblings in all, over layers and experts (36 × 128)
    active_copies  how many of them one token uses at the most (36 × 4)
    active_low     the least, where routing decides; else the same
    stacked        the leading axis of the file's tensor where a file holds a layer's experts as one
    tied_to        the name of the tensor that this is a second name of
    implied        true of a tensor that the config does not name
    dtype          how a file stores it, where the config says so
    rows_read      of a table, the rows that one token looks up in it
    """

    name: str
    shape: tuple[int, ...]
    role: str
    kind: str
    layers: tuple[int, ...] | range
    copies: int
    active_copies: int
    active_low: int
    stacked: int | None
    tied_to: str | None
    implied: bool
    dtype: str | None
    note: str
    rows_read: int

    def __init__(
        self,
        name: str,
        shape: tuple[int, ...],
        role: str,
        kind: str = "weight",
        layers: tuple[int, ...] | range = (),
        copies: int = 1,
        active_copies: int = 1,
        active_low: int = -1,
        stacked: int | None = None,
        tied_to: str | None = None,
        implied: bool = False,
        dtype: str | None = None,
        note: str = "",
        rows_read: int = 1,
    ) -> None:
        # straight into the slots: a count makes hundreds of these, and what dataclass writes takes twice the time
        _name(self, name)
        _shape(self, shape)
        _role(self, role)
        _kind(self, kind)
        _layers(self, layers)
        _copies(self, copies)
        _active_copies(self, active_copies)
        _active_low(self, active_copies if active_low < 0 else active_low)
        _stacked(self, stacked)
        _tied_to(self, tied_to)
        _implied(self, implied)
        _dtype(self, dtype)
        _note(self, note)
        _rows_read(self, rows_read)

    def known_as(self, name: str, tied_to: str | None, dtype: str | None) -> TensorSpec:
        """The same tensor under another name or in another dtype.

        It is what ``dataclasses.replace`` does, spelled out, here and below: that takes thrice the time, and every
        tensor passes here.
        """
        return TensorSpec(
            name,
            self.shape,
            self.role,
            self.kind,
            self.layers,
            self.copies,
            self.active_copies,
            self.active_low,
            self.stacked,
            tied_to,
            self.implied,
            dtype,
            self.note,
            self.rows_read,
        )

    def stored_in(self, dtype: str | None) -> TensorSpec:
        """The same tensor in another dtype."""
        return self.known_as(self.name, self.tied_to, dtype)

    def scale(self, name: str, shape: tuple[int, ...], dtype: str | None, note: str) -> TensorSpec:
        """What a quantization keeps beside this tensor, in the same layers and experts."""
        return TensorSpec(
            name,
            shape,
            self.role,
            "scale",
            self.layers,
            self.copies,
            self.active_copies,
            self.active_low,
            self.stacked,
            self.tied_to,
            True,
            dtype,
            note,
        )

    @property
    def numel(self) -> int:
        """Elements of one sibling."""
        return prod(map(int, self.shape))

    @property
    def formula(self) -> str:
        """The shape in fields and in numbers: ``hidden_size × (2 × intermediate_size) = 2,880 × (2 × 2,880)``."""
        symbols, numbers = self.symbols, self.numbers
        return symbols if symbols == numbers else f"{symbols} = {numbers}"

    @property
    def symbols(self) -> str:
        return formula(self.shape)

    @property
    def numbers(self) -> str:
        return formula(self.shape, numbers=True)

    @property
    def architectural(self) -> int:
        """Parameters under this name, ties counted."""
        return self.numel * int(self.copies)

    @property
    def stored(self) -> int:
        """Parameters this adds to a file: none where it is a second name."""
        return 0 if self.tied_to else self.numel * int(self.copies)

    @property
    def active(self) -> int:
        """Parameters of it that one token uses at the most, before any toggle."""
        return 0 if self.tied_to else self.numel * int(self.active_copies)

    def bits(self) -> int | None:
        """Bits of one stored element; None where the dtype is not known."""
        return BITS.get(self.dtype or "")


#: what writes each field of a new tensor; to all others it is frozen
(
    _name,
    _shape,
    _role,
    _kind,
    _layers,
    _copies,
    _active_copies,
    _active_low,
    _stacked,
    _tied_to,
    _implied,
    _dtype,
    _note,
    _rows_read,
) = (getattr(TensorSpec, field.name).__set__ for field in fields(TensorSpec))
