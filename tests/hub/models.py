"""The files of a model as our own count describes it: every tensor by its name, in the dtypes that its config says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paramwidget.breakdown import Breakdown
from paramwidget.tensors import TensorSpec

from .headers import Tensor, nbytes

#: torch's and configs' spelling -> that of the format
DTYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e8m0fnu": "F8_E8M0",
    "uint8": "U8",
    "int8": "I8",
    "int32": "I32",
    "int64": "I64",
}


def tensors_of(b: Breakdown, *, tied: bool = False) -> list[Tensor]:
    """``(name, dtype, shape)`` of every tensor of a checkpoint, layer after layer.

    tied  whether a matrix that is tied to another is stored too, under its own name
    """
    found: list[tuple[tuple[int, int], Tensor]] = []
    for order, spec in enumerate(b.tensors):
        if spec.tied_to and not tied:
            continue
        dtype = DTYPES[spec.dtype or "bfloat16"]
        for layer, name, shape in _siblings(spec):
            found.append(((-1 if layer is None and not order else layer if layer is not None else 1 << 30, order),
                          (name, dtype, shape)))  # fmt: skip
    return [tensor for _, tensor in sorted(found, key=lambda f: f[0])]


def _siblings(spec: TensorSpec) -> Iterator[tuple[int | None, str, tuple[int, ...]]]:
    layers: Sequence[int | None] = spec.layers or (None,)
    in_file = spec.copies // int(spec.stacked) if spec.stacked else spec.copies
    each = in_file // len(layers)
    assert each * len(layers) == in_file, spec
    shape = tuple(int(d) for d in ((spec.stacked, *spec.shape) if spec.stacked else spec.shape))
    for layer in layers:
        name = spec.name.replace("{layer}", str(layer))
        for expert in range(each):
            yield layer, name.replace("{expert}", str(expert)), shape


def into_shards(tensors: Sequence[Tensor], shards: int) -> list[list[Tensor]]:
    """Tensors in so many files of much the same bytes, none of them empty."""
    total = sum(nbytes(dtype, shape) for _, dtype, shape in tensors)
    found: list[list[Tensor]] = [[]]
    done = 0
    for i, tensor in enumerate(tensors):
        left = shards - len(found)
        if found[-1] and left and (done >= total * len(found) // shards or len(tensors) - i == left):
            found.append([])
        found[-1].append(tensor)
        done += nbytes(tensor[1], tensor[2])
    assert len(found) == shards, len(found)
    return found
