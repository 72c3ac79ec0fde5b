"""Safetensors files of which only the header exists: shape-exact, and as small as their header."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import prod

from .repos import File

#: bits of one element (safetensors: the enum Dtype in tensor.rs)
BITS = {
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "BOOL": 8,
    "U8": 8,
    "I8": 8,
    "F8_E4M3": 8,
    "F8_E5M2": 8,
    "F8_E8M0": 8,
    "U16": 16,
    "I16": 16,
    "F16": 16,
    "BF16": 16,
    "U32": 32,
    "I32": 32,
    "F32": 32,
    "U64": 64,
    "I64": 64,
    "F64": 64,
    "C64": 64,
}

Tensor = tuple[str, str, Sequence[int]]


def nbytes(dtype: str, shape: Sequence[int]) -> int:
    bits = prod(shape) * BITS[dtype]
    assert bits % 8 == 0, (dtype, shape)
    return bits // 8


def header_bytes(tensors: Iterable[Tensor], metadata: Mapping[str, str] | None = None) -> bytes:
    """The header as the reference writes it, its length in front, of ``(name, dtype, shape)`` in file order."""
    entries: dict[str, object] = {} if metadata is None else {"__metadata__": dict(metadata)}
    end = 0
    for name, dtype, shape in tensors:
        begin, end = end, end + nbytes(dtype, shape)
        entries[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
    return framed(json.dumps(entries, separators=(",", ":")).encode())


def framed(text: bytes) -> bytes:
    """A header's text padded to eight bytes, as the reference does, with its length in front."""
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def safetensors(tensors: Iterable[Tensor], metadata: Mapping[str, str] | None = None) -> File:
    """The whole file: its header, and as many zeros as the tensors have bytes (never made)."""
    tensors = list(tensors)
    head = header_bytes(tensors, {"format": "pt"} if metadata is None else metadata)
    return File(head, len(head) + sum(nbytes(dtype, shape) for _, dtype, shape in tensors))


def sharded(
    shards: Sequence[Sequence[Tensor]], *, stem: str = "model", digits: int = 5
) -> dict[str, File | bytes]:
    """The files of a sharded checkpoint, with its index: path -> file."""
    width = f"0{digits}d"
    names = [f"{stem}-{i:05d}-of-{len(shards):{width}}.safetensors" for i in range(1, len(shards) + 1)]
    index = {
        "metadata": {"total_size": sum(nbytes(d, s) for shard in shards for _, d, s in shard)},
        "weight_map": {name: file for file, shard in zip(names, shards, strict=True) for name, _, _ in shard},
    }
    files: dict[str, File | bytes] = {
        file: safetensors(shard) for file, shard in zip(names, shards, strict=True)
    }
    return files | {f"{stem}.safetensors.index.json": json.dumps(index, indent=2).encode()}
