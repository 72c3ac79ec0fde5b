"""Reading the JSON in front of a safetensors file one tensor after the other, with no more memory than it has bytes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from ..errors import BadCheckpoint, shown
from ..inventory import StoredTensor
from .json_tokens import CLOSE, END, KEY, OPEN, PAIR, STRICT, json_pattern

#: bytes in front of a header
PREFIX = 8
#: the most bytes that the description of one tensor may have
MAX_ENTRY_BYTES = 1 << 16

#: bits of one element, of every dtype that the format has; others are named and taken as the file lays them out
BITS: Mapping[str, int] = {
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 8),
    **dict.fromkeys(("F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 16),
    **dict.fromkeys(("U32", "I32", "F32"), 32),
    **dict.fromkeys(("U64", "I64", "F64", "C64"), 64),
}

#: a tensor as every writer spells it
_TENSOR = json_pattern(
    r'NAME : \{ "dtype" : NAME , "shape" : INTEGERS , "data_offsets" : \[ INTEGER , INTEGER \] \} END'
)
_REST = re.compile(rb"[ \t\r\n]*+\Z")


class Header(NamedTuple):
    """What a header says.

    tensors   in the order of the header
    metadata  its ``__metadata__``
    unknown   how many tensors have each dtype that the format does not name; their bytes are those of the offsets
    """

    tensors: list[StoredTensor]
    metadata: dict[str, str]
    unknown: Mapping[str, int]


class Parser:
    """One header while it is read."""

    def __init__(self, text: bytes, size: int, where: str, file: int) -> None:
        self.text, self.where, self.file = text, where, file
        self.data = size - PREFIX - len(text)
        self.tensors: list[StoredTensor] = []
        self.begins: list[int] = []
        self.metadata: dict[str, str] | None = None
        self.unknown: Counter[str] = Counter()
        #: (dtype, shape) as written -> (dtype, shape, bytes): equal siblings share them
        self.kinds: dict[tuple[bytes, bytes], tuple[str, tuple[int, ...], int | None]] = {}

    def header(self) -> Header:
        text = self.text
        opened = OPEN.match(text) if text.startswith(b"{") else None
        if opened is None:
            self.bad(f"does not begin with {{ but with {shown(text[:20])}")
        at = opened.end()
        closed = CLOSE.match(text, at)
        end = b"}" if closed else b","
        at = closed.end() if closed else at
        while end == b",":
            found = _TENSOR.match(text, at)
            if found is None or found[1] == b"__metadata__":
                at, end = self.other(at)
                continue
            name, dtype, shape, first, last, end = found.groups()
            self.tensor(name, dtype, shape, int(first), int(last))
            at = found.end()
        if not _REST.match(text, at):
            self.bad(f"goes on after its end, with {shown(text[at : at + 20])} at byte {at:,}")
        self.check_names()
        self.check_layout()
        return Header(self.tensors, self.metadata or {}, self.unknown)

    def tensor(self, name: bytes, dtype: bytes, shape: bytes, begin: int, end: int) -> None:
        kind = self.kinds.get((dtype, shape))
        if kind is None:
            kind = self.kinds[dtype, shape] = self.kind(self.decoded(name), dtype, shape)
        label, dims, nbytes = kind
        if nbytes is None:  # of a dtype that is not known here: what the file says
            self.unknown[label] += 1
            nbytes = end - begin
        if not 0 <= begin <= end <= self.data or end - begin != nbytes:
            self.bad_offsets(name, kind, begin, end)
        self.begins.append(begin)
        self.tensors.append(StoredTensor(self.decoded(name), dims, label, nbytes, self.file))

    def kind(self, name: str, dtype: bytes, shape: bytes) -> tuple[str, tuple[int, ...], int | None]:
        """Dtype, dimensions and bytes of tensors that are described alike."""
        label = self.decoded(dtype)
        if not label or len(label) > 64:
            self.bad(f"gives {shown(name)} the dtype {shown(label)}")
        if len(shape) > MAX_ENTRY_BYTES:
            self.bad(f"gives {shown(name)} a shape of {len(shape):,} bytes")
        try:
            dims = tuple(json.loads(shape))
        except ValueError:
            self.bad(f"gives {shown(name)} the shape {shown(shape.decode())}")
        elements = 0 if 0 in dims else 1
        for d in dims:
            elements *= d
            if elements >= 1 << 63:
                self.bad(f"gives {shown(name)} the shape {shown(list(dims))}, of 2^63 elements or more")
        bits = BITS.get(label)
        if bits is None:
            return label, dims, None
        if elements * bits % 8:
            self.bad(
                f"gives {shown(name)} {elements:,} elements of {bits} bits ({label}), which is no whole byte"
            )
        return label, dims, elements * bits // 8

    def other(self, at: int) -> tuple[int, bytes]:
        """What is not spelled as usual: ``__metadata__``, keys in another order, escapes; where it ends, and how."""
        key = KEY.match(self.text, at)
        if key is None:
            self.malformed(at)
        name: str = self.string(key[1])
        at = key.end()
        if name == "__metadata__":
            if self.metadata is not None:
                self.bad("gives '__metadata__' twice")
            at = self.pairs(at)
        else:
            at = self.described(name, at)
        following = END.match(self.text, at)
        if following is None:
            self.malformed(at)
        return following.end(), following[1]

    def pairs(self, at: int) -> int:
        """Read ``__metadata__``: a JSON object of strings."""
        self.metadata = {}
        opened = OPEN.match(self.text, at)
        if opened is None:
            self.bad("has a '__metadata__' that is not an object of strings")
        closed = CLOSE.match(self.text, opened.end())
        if closed:
            return closed.end()
        at, end = opened.end(), b","
        while end == b",":
            found = PAIR.match(self.text, at)
            if found is None:
                self.bad(f"has a '__metadata__' that is not an object of strings, at byte {at:,}")
            key = self.string(found[1])
            if key in self.metadata:
                self.bad(f"gives {shown(key)} twice in its '__metadata__'")
            self.metadata[key] = self.string(found[2])
            at, end = found.end(), found[3]
        return at

    def described(self, name: str, at: int) -> int:
        """A tensor whose description is any JSON object with the three keys."""
        part = self.text[at : at + MAX_ENTRY_BYTES].decode("utf-8", "surrogateescape")
        try:
            value, length = STRICT.raw_decode(part)
        except json.JSONDecodeError as e:
            self.malformed(at + len(part[: e.pos].encode("utf-8", "surrogateescape")))
        except RecursionError:
            self.bad(f"describes {shown(name)} by values that are nested too deep")
        except ValueError as e:
            self.bad(f"describes {shown(name)} by {e}")
        described: dict[str, Any] = value if isinstance(value, dict) else {}
        dtype, shape, offsets = (described.get(key) for key in ("dtype", "shape", "data_offsets"))
        if not (
            isinstance(dtype, str) and _integers(shape) and _integers(offsets) and len(offsets or ()) == 2
        ):
            self.bad(
                f"describes {shown(name)} by {shown(value)}, "
                f"not by a dtype, a shape and data_offsets of two (whole numbers from 0 on)"
            )
        self.tensor(
            name.encode("utf-8", "surrogatepass"),
            dtype.encode("utf-8", "surrogateescape"),
            json.dumps(shape, separators=(",", ":")).encode(),
            *(offsets or ()),
        )
        return at + len(part[:length].encode("utf-8", "surrogateescape"))

    def check_names(self) -> None:
        if len({t.name for t in self.tensors}) < len(self.tensors):
            name, times = Counter(t.name for t in self.tensors).most_common(1)[0]
            self.bad(f"names {shown(name)} {times} times")

    def check_layout(self) -> None:
        """The tensors must fill the file behind the header, one after the other."""
        order: Any = range(len(self.tensors))
        if any(a > b for a, b in zip(self.begins, self.begins[1:], strict=False)):
            order = sorted(order, key=lambda i: (self.begins[i], self.tensors[i].nbytes))
        end, before = 0, "the header"
        for i in order:
            begin, name = self.begins[i], shown(self.tensors[i].name)
            if begin < end:
                self.bad(f"lets {name} overlap {before} by {end - begin:,} bytes")
            if begin > end:
                self.bad(f"leaves a hole of {begin - end:,} bytes between {before} and {name}")
            end, before = begin + self.tensors[i].nbytes, name
        if end < self.data:
            self.bad(f"describes {end:,} bytes of tensors, and the file has {self.data:,} behind its header")

    def bad_offsets(
        self, name: bytes, kind: tuple[str, tuple[int, ...], int | None], begin: int, end: int
    ) -> NoReturn:
        label, dims, nbytes = kind
        what = f"{shown(self.decoded(name))} ({label} {shown(list(dims))}"
        if nbytes is not None and end - begin != nbytes:
            self.bad(f"gives {what}: {nbytes:,} bytes) the offsets {begin:,} to {end:,}")
        if end < begin:
            self.bad(f"gives {what}) offsets that end before they begin: {begin:,} to {end:,}")
        self.bad(
            f"puts {what}) at the bytes {begin:,} to {end:,}, and the file has {self.data:,} behind its header; "
            f"it was not written to its end"
        )

    def decoded(self, name: bytes) -> str:
        try:
            return name.decode()
        except UnicodeDecodeError as e:
            self.bad(f"holds the text {shown(name)}, which is not UTF-8 ({e.reason})")

    def string(self, quoted: bytes) -> str:
        try:
            found: str = json.loads(self.decoded(quoted))
        except ValueError as e:
            self.bad(f"holds the text {shown(quoted)}, which is no JSON string ({e})")
        if not found.isascii():
            self.decoded(found.encode("utf-8", "surrogatepass"))  # half of a pair is no text
        return found

    def malformed(self, at: int) -> NoReturn:
        if at >= len(self.text):
            self.bad(f"is not complete: it ends at byte {at:,} in the middle of a tensor")
        self.bad(f"is not made of tensors at byte {at:,}: {shown(self.text[at : at + 40])}")

    def bad(self, what: str) -> NoReturn:
        raise BadCheckpoint(
            f"The header of {self.where} {what}. The file is damaged, or not what its name says."
        )


def _integers(value: object) -> bool:
    return isinstance(value, list) and all(type(v) is int and v >= 0 for v in value)
