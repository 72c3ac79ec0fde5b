"""Writes GGUF files for the tests: a header, and data that are a hole in a sparse file.

Layout: ggml/docs/gguf.md, versions 2 and 3.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from paramwidget.sources.gguf_types import TYPES

ALIGNMENT = 32
NUMBER_OF = {t.name: n for n, t in TYPES.items()}

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
LAYOUTS = {
    U8: "B",
    I8: "b",
    U16: "H",
    I16: "h",
    U32: "I",
    I32: "i",
    F32: "f",
    BOOL: "?",
    U64: "Q",
    I64: "q",
    F64: "d",
}


class Typed(NamedTuple):
    """A value of a type that Python's own does not tell."""

    kind: int
    value: Any


class Tensor(NamedTuple):
    """A tensor as ggml has it: the innermost axis first. ``offset`` and ``kind`` only to write what is wrong."""

    name: str
    shape: Sequence[int]
    dtype: str = "BF16"
    offset: int | None = None
    kind: int | None = None


def string(text: str | bytes, order: str = "<") -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack(f"{order}Q", len(raw)) + raw


def value(v: Any, order: str = "<") -> bytes:
    """A value with the number of its type in front."""
    if isinstance(v, Typed):
        if v.kind == ARRAY:
            of, items = v.value
            inside = b"".join(value(Typed(of, i), order)[4:] for i in items)
            return struct.pack(f"{order}IIQ", ARRAY, of, len(items)) + inside
        if v.kind == STRING:
            return struct.pack(f"{order}I", STRING) + string(v.value, order)
        return struct.pack(f"{order}I{LAYOUTS[v.kind]}", v.kind, v.value)
    if isinstance(v, bool):
        return value(Typed(BOOL, v), order)
    if isinstance(v, int):
        return value(Typed(U32 if 0 <= v < 2**32 else I64, v), order)
    if isinstance(v, float):
        return value(Typed(F32, v), order)
    if isinstance(v, str):
        return value(Typed(STRING, v), order)
    of = STRING if v and isinstance(v[0], str) else BOOL if v and isinstance(v[0], bool) else I32
    return value(Typed(ARRAY, (of, list(v))), order)


def nbytes(t: Tensor) -> int:
    return TYPES[NUMBER_OF[t.dtype]].size(tuple(reversed(t.shape)))


def header(
    metadata: Mapping[str, Any] | Iterable[tuple[str, Any]],
    tensors: Sequence[Tensor],
    *,
    version: int = 3,
    order: str = "<",
    alignment: int = ALIGNMENT,
) -> tuple[bytes, int]:
    """The bytes of a header, and of the whole file that it describes."""
    pairs = list(metadata.items()) if isinstance(metadata, Mapping) else list(metadata)
    out = [b"GGUF", struct.pack(f"{order}IQQ", version, len(tensors), len(pairs))]
    out += [string(k, order) + value(v, order) for k, v in pairs]
    at = 0
    for t in tensors:
        kind = NUMBER_OF[t.dtype] if t.kind is None else t.kind
        offset = at if t.offset is None else t.offset
        out.append(string(t.name, order) + struct.pack(f"{order}I{len(t.shape)}Q", len(t.shape), *t.shape))
        out.append(struct.pack(f"{order}IQ", kind, offset))
        at += -(-nbytes(t) // alignment) * alignment
    text = b"".join(out)
    data = -(-len(text) // alignment) * alignment
    return text, data + at if tensors else len(text)


def write(path: Path, metadata: Any, tensors: Sequence[Tensor], **more: Any) -> Path:
    """A file of the size that its header describes, which takes no more room than the header."""
    text, size = header(metadata, tensors, **more)
    with path.open("wb") as file:
        file.write(text)
        file.truncate(size)
    return path
