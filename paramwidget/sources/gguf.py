"""The header of one GGUF file: its key-values and its tensors, from whatever can read bytes at an offset.

Layout (ggml/docs/gguf.md): magic, version, number of tensors and of key-values; the key-values; of each tensor its
name, shape (innermost axis first), type and offset; then, aligned, the data, which is never read.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import NamedTuple

from ..errors import BadCheckpoint, shown
from ..inventory import StoredTensor
from .gguf_types import TYPES

#: reads at most ``length`` bytes at an offset
Read = Callable[[int, int], bytes]

MAGIC = b"GGUF"
VERSIONS = (2, 3)
#: vocabularies of 250,000 tokens with their merges take some 15 MB
MAX_HEADER_BYTES = 100 * 10**6
MAX_TENSORS = 1_000_000
MAX_KEYS = 100_000
MAX_AXES = 4  # GGML_MAX_DIMS
MAX_NESTING = 4
#: a string, or an array, that is longer is not kept: a chat template, a vocabulary
KEPT = 4096
#: what is asked for at once: most headers without a vocabulary are smaller
CHUNK, LARGEST_CHUNK = 2**18, 2**23

_STRING, _ARRAY = 8, 9
_SCALARS: dict[int, str] = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}


class LeftOut(NamedTuple):
    """A value too long to keep: what it is, and how many characters or entries it has."""

    what: str
    length: int


@dataclass(frozen=True, slots=True)
class Header:
    """What one file says of itself; ``tensors`` have their shape outermost axis first, as in Hugging Face's files."""

    version: int
    metadata: Mapping[str, object]
    tensors: tuple[StoredTensor, ...]
    header_bytes: int


def read_header(read: Read, size: int, where: str, *, local: bool = True) -> Header:
    """The header of a file of ``size`` bytes.

    read   gives the bytes at an offset; it is asked for some 100 kB more than the header has
    where  how an error names the file
    local  whether it is on this machine

    Raises BadCheckpoint where the file is not GGUF of version 2 or 3, is cut, or claims what cannot be: a type that is
    not known, a shape that its type or the file's size contradicts, tensors that overlap, a key or a tensor twice.
    """
    return _Parser(read, size, where, local).header()


class _Parser:
    """Reads forward through a file in chunks, and never holds more than one value beyond the chunk at hand."""

    def __init__(self, read: Read, size: int, where: str, local: bool) -> None:
        self.read, self.size, self.where, self.local = read, size, where, local
        self.buffer, self.start, self.at = b"", 0, 0  # the chunk, where it begins, where reading goes on
        self.chunk = CHUNK
        self.order = "<"

    def header(self) -> Header:
        version = self._version()
        n_tensors, n_keys = self._unpack("QQ")
        if n_tensors > MAX_TENSORS or n_keys > MAX_KEYS:
            raise self._bad(
                f"it claims {n_tensors:,} tensors and {n_keys:,} key-values; no model has more than "
                f"{MAX_TENSORS:,} and {MAX_KEYS:,}"
            )
        metadata: dict[str, object] = {}
        for _ in range(n_keys):
            key = self._string("a key")
            if key in metadata:
                raise self._bad(f"the key {shown(key)} is given twice")
            metadata[key] = self._value(self._unpack("I")[0], key)
        found = [self._tensor() for _ in range(n_tensors)]
        tensors = self._placed(found, self._alignment(metadata))
        return Header(version, metadata, tensors, self.at)

    def _version(self) -> int:
        magic = self._take(4)
        if magic != MAGIC:
            raise self._bad(f"it begins with {magic!r}, not with GGUF")
        (version,) = self._unpack("I")
        if version & 0xFFFF == 0:  # the other byte order
            self.order = ">"
            version = int.from_bytes(struct.pack("<I", version), "big")
        if version not in VERSIONS:
            raise self._bad(
                f"it is GGUF version {version}, and only versions 2 and 3 can be read. Convert the model again"
            )
        return int(version)

    def _value(self, kind: int, key: str, depth: int = 0) -> object:
        if kind == _STRING:
            return self._text(key)
        if kind in _SCALARS:
            return self._unpack(_SCALARS[kind])[0]
        if kind != _ARRAY:
            raise self._bad(f"the key {shown(key)} has a value of type {kind}, which GGUF does not have")
        of, count = self._unpack("IQ")
        if depth == MAX_NESTING:
            raise self._bad(f"the key {shown(key)} is nested more than {MAX_NESTING} arrays deep")
        if of in _SCALARS:
            nbytes = count * struct.calcsize(_SCALARS[of])
            if count <= KEPT:
                return list(self._unpack(f"{count}{_SCALARS[of]}"))
            self._skip(nbytes, key)
            return LeftOut("numbers", count)
        if of not in (_STRING, _ARRAY):
            raise self._bad(f"the key {shown(key)} has an array of type {of}, which GGUF does not have")
        self._within(count * (8 if of == _STRING else 12), f"the array {shown(key)} of {count:,} entries")
        if count <= KEPT:
            return [self._value(of, key, depth + 1) for _ in range(count)]
        if of == _STRING:
            self._skip_strings(count, key)
            return LeftOut("strings", count)
        for _ in range(count):
            self._value(of, key, depth + 1)
        return LeftOut("arrays", count)

    def _skip_strings(self, count: int, key: str) -> None:
        """A vocabulary: hundreds of thousands of strings, of which only the lengths are looked at."""
        length_at = struct.Struct(f"{self.order}Q").unpack_from
        while count:
            self._skip(self._unpack("Q")[0], key)
            count -= 1
            buffer, at = self.buffer, self.at - self.start
            last = len(buffer) - 8
            while count and at <= last:
                behind = at + 8 + length_at(buffer, at)[0]
                if behind > last + 8:
                    break
                at, count = behind, count - 1
            self.at = self.start + at

    def _text(self, key: str) -> object:
        (length,) = self._unpack("Q")
        if length > KEPT:
            self._skip(length, key)
            return LeftOut("characters", length)
        return self._take(length).decode("utf-8", "replace")

    def _string(self, what: str) -> str:
        (length,) = self._unpack("Q")
        if not 0 < length < 2**16:
            raise self._bad(f"{what} is {length:,} bytes long")
        raw = self._take(length)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self._bad(f"{what}, {shown(raw)}, is not UTF-8") from None

    def _tensor(self) -> tuple[StoredTensor, int]:
        """One tensor, and where its data begin within the data."""
        name = self._string("the name of a tensor")
        (axes,) = self._unpack("I")
        if axes > MAX_AXES:
            raise self._bad(f"the tensor {shown(name)} has {axes:,} axes; ggml has {MAX_AXES}")
        *inner_first, kind, offset = self._unpack(f"{axes}QIQ")
        shape = tuple(reversed(inner_first))
        known = TYPES.get(kind)
        if known is None:
            raise self._bad(
                f"the tensor {shown(name)} has the type {kind}, which is not known here (llama.cpp and ik_llama.cpp "
                f"define more from time to time), so its size cannot be checked"
            )
        if shape and shape[-1] % known.block:
            raise self._bad(
                f"the tensor {shown(name)} has rows of {shape[-1]:,} elements, and {known.name} stores "
                f"{known.block} at a time"
            )
        if prod(shape) >= 2**63:
            raise self._bad(f"the tensor {shown(name)} claims {_many(prod(shape))} elements")
        return StoredTensor(name, shape, known.name, known.size(shape)), offset

    def _placed(self, found: list[tuple[StoredTensor, int]], alignment: int) -> tuple[StoredTensor, ...]:
        """The tensors, once their names differ and their data lie within the file, one behind the other."""
        names = set[str]()
        data = -(-self.at // alignment) * alignment
        for t, offset in found:
            if t.name in names:
                raise self._bad(f"the tensor {shown(t.name)} is listed twice")
            names.add(t.name)
            if offset % alignment:
                raise self._bad(
                    f"the data of {shown(t.name)} begin at {offset:,}, no multiple of the alignment {alignment}"
                )
        by_offset = sorted((f for f in found if f[0].nbytes), key=lambda f: f[1])
        for (t, offset), (behind, begins) in pairwise(by_offset):
            if offset + t.nbytes > begins:
                raise self._bad(f"the data of {shown(t.name)} and of {shown(behind.name)} overlap")
        if by_offset:
            t, offset = by_offset[-1]
            end = data + offset + t.nbytes
            if end > self.size:
                raise self._bad(
                    f"it is cut: {shown(t.name)} would end at byte {end:,}, and the file has {self.size:,}. "
                    f"Download it again"
                )
        return tuple(t for t, _ in found)

    def _alignment(self, metadata: Mapping[str, object]) -> int:
        alignment = metadata.get("general.alignment", 32)
        if type(alignment) is not int or not 0 < alignment <= 2**20 or alignment & (alignment - 1):
            raise self._bad(f"general.alignment is {shown(alignment)}, not a power of two")
        return alignment

    # ---------------------------------------------------------------- bytes

    def _unpack(self, layout: str) -> tuple[int, ...]:
        layout = self.order + layout
        return struct.unpack(layout, self._take(struct.calcsize(layout)))

    def _take(self, length: int) -> bytes:
        """The next bytes."""
        self._within(length, f"a value of {length:,} bytes")
        begin = self.at - self.start
        if begin + length > len(self.buffer):
            wanted = min(max(length, self.chunk), self.size - self.at)
            self.buffer, self.start, begin = self.read(self.at, wanted), self.at, 0
            self.chunk = min(2 * self.chunk, LARGEST_CHUNK)
            if len(self.buffer) < length:
                raise self._bad(
                    f"it ends at byte {self.at + len(self.buffer):,} within its header, although it has {self.size:,}"
                )
        self.at += length
        return self.buffer[begin : begin + length]

    def _skip(self, length: int, key: str) -> None:
        self._within(length, f"the value of {shown(key)}")
        self.at += length
        if not self.start <= self.at <= self.start + len(self.buffer):
            self.buffer, self.start = b"", self.at

    def _within(self, length: int, what: str) -> None:
        end = self.at + length
        if end > self.size:
            raise self._bad(
                f"it is cut, or no GGUF file: at byte {self.at:,} of {self.size:,} comes {what}. Download it again"
            )
        if end > MAX_HEADER_BYTES:
            raise self._bad(f"its header is longer than {MAX_HEADER_BYTES:,} bytes; no model's is")

    def _bad(self, what: str) -> BadCheckpoint:
        return BadCheckpoint(f"{self.where}: {what}.", local=self.local)


def _many(n: int) -> str:
    return f"{n:,}" if n < 10**30 else "more than 10^30"
