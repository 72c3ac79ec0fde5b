"""Checkpoints as their makers lay them out: every tensor of a model with its real name, shape and dtype.

A layout starts from what a config implies and stores it as a scheme does (GPTQ, AWQ, NVFP4, MLX ...), by the shapes
that the scheme's own code makes. What a repository holds beside it is added by hand, in the test that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod

from hub.headers import BITS

import paramwidget as pw
from paramwidget.inventory import Inventory, StoredTensor, WeightFile
from paramwidget.tensors import TensorSpec

#: name, dtype as the header spells it, shape
Tensor = tuple[str, str, tuple[int, ...]]
#: how a scheme stores one linear map of (name without .weight, rows, columns); None: as it is
Scheme = Callable[[str, int, int], Iterable[Tensor]]

DTYPES = {
    "bfloat16": "BF16",
    "float16": "F16",
    "float32": "F32",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e8m0fnu": "F8_E8M0",
    "uint8": "U8",
    "int64": "I64",
}


def each(t: TensorSpec) -> Iterator[str]:
    """The names of a predicted tensor's siblings in the files."""
    layers: Sequence[int | None] = [int(i) for i in t.layers] or [None]
    experts = int(t.copies) // len(layers) // int(t.stacked or 1)
    for layer in layers:
        for expert in range(experts):
            yield t.name.replace("{layer}", str(layer)).replace("{expert}", str(expert))


def in_file(t: TensorSpec) -> tuple[int, ...]:
    shape = tuple(map(int, t.shape))
    return shape if t.stacked is None else (int(t.stacked), *shape)


def plain(
    b: pw.Breakdown,
    *,
    tied: bool = False,
    without: Callable[[TensorSpec], bool] = lambda t: False,
    dtype: str = "BF16",
) -> list[Tensor]:
    """Every tensor that the config implies but for scales; with ``tied`` also those that are second names."""
    return [
        (name, DTYPES.get(t.dtype or "", dtype), in_file(t))
        for t in b.tensors
        if t.kind != "scale" and not without(t) and (tied or not t.tied_to)
        for name in each(t)
    ]


def with_scales(b: pw.Breakdown, *, tied: bool = False) -> list[Tensor]:
    """All of it as the config says that it is stored; MXFP4 in the words that gpt-oss has."""
    found: list[Tensor] = []
    for t in b.tensors:
        if t.tied_to and not tied:
            continue
        for name in each(t):
            shape = in_file(t)
            if t.dtype == "mxfp4" and t.stacked is not None:
                experts, inn, out = shape
                found.append((f"{name}_blocks", "U8", (experts, out, inn // 32, 16)))
            elif t.dtype == "mxfp4":
                found.append((name, "I8", (*shape[:-1], shape[-1] // 2)))
            else:
                found.append((name, DTYPES.get(t.dtype or "", "BF16"), shape))
    return found


def quantized(
    tensors: Iterable[Tensor], scheme: Scheme, keep: Callable[[str], bool] = lambda name: False
) -> list[Tensor]:
    """Every linear map (a matrix called ``.weight``) in a scheme, but for those that are kept."""
    found: list[Tensor] = []
    for name, dtype, shape in tensors:
        if name.endswith(".weight") and len(shape) == 2 and not keep(name):
            found += scheme(name.removesuffix(".weight"), *shape)
        else:
            found.append((name, dtype, shape))
    return found


def tables(name: str) -> bool:
    """What most schemes keep: the tables, the router, and the norms, which are vectors anyway."""
    return (
        "embed_tokens" in name
        or "lm_head" in name
        or name.endswith(("mlp.gate.weight", "shared_expert_gate.weight"))
    )


# ------------------------------------------------------------------ schemes


def gptq(bits: int = 4, group: int = 128, bias: bool = False) -> Scheme:
    """GPTQModel: packed along the input, which comes first (its qlinear/__init__.py, lines 837 to 861)."""

    def store(name: str, out: int, inn: int) -> Iterator[Tensor]:
        groups = -(-inn // group)
        yield f"{name}.qweight", "I32", (-(-inn * bits // 32), out)
        yield f"{name}.qzeros", "I32", (groups, -(-out * bits // 32))
        yield f"{name}.scales", "F16", (groups, out)
        yield f"{name}.g_idx", "I32", (inn,)
        if bias:
            yield f"{name}.bias", "F16", (out,)

    return store


def awq(bits: int = 4, group: int = 128) -> Scheme:
    """AutoAWQ, gemm: packed along the output, no g_idx (its modules/linear/gemm.py, lines 134 to 160)."""

    def store(name: str, out: int, inn: int) -> Iterator[Tensor]:
        yield f"{name}.qweight", "I32", (inn, out * bits // 32)
        yield f"{name}.qzeros", "I32", (inn // group, out * bits // 32)
        yield f"{name}.scales", "F16", (inn // group, out)

    return store


def pack_quantized(bits: int = 4, group: int = 32, zeros: bool = False) -> Scheme:
    """compressed-tensors: words of 32 bits along the input (its pack_quantized/base.py)."""

    def store(name: str, out: int, inn: int) -> Iterator[Tensor]:
        yield f"{name}.weight_packed", "I32", (out, -(-inn * bits // 32))
        yield f"{name}.weight_scale", "BF16", (out, inn // group)
        yield f"{name}.weight_shape", "I32", (2,)
        if zeros:
            yield f"{name}.weight_zero_point", "I32", (-(-out * bits // 32), inn // group)

    return store


def nvfp4(kv: bool = False) -> Scheme:
    """ModelOpt: two values a byte, a scale for 16 of them, and two for all (headers of nvidia/Qwen3-8B-NVFP4)."""

    def store(name: str, out: int, inn: int) -> Iterator[Tensor]:
        yield f"{name}.weight", "U8", (out, inn // 2)
        yield f"{name}.weight_scale", "F8_E4M3", (out, inn // 16)
        yield f"{name}.weight_scale_2", "F32", ()
        yield f"{name}.input_scale", "F32", ()
        if kv and name.endswith(("k_proj", "v_proj")):
            yield f"{name}.{name[-6]}_scale", "F32", ()

    return store


def nf4(state: int) -> Scheme:
    """bitsandbytes, without double quantization; ``state`` is the bytes of the JSON beside each (functional.py)."""

    def store(name: str, out: int, inn: int) -> Iterator[Tensor]:
        yield f"{name}.weight", "U8", (out * inn // 2, 1)
        yield f"{name}.weight.absmax", "F32", (out * inn // 64,)
        yield f"{name}.weight.quant_map", "F32", (16,)
        yield f"{name}.weight.quant_state.bitsandbytes__nf4", "U8", (state,)

    return store


def int8(name: str, out: int, inn: int) -> Iterator[Tensor]:
    """bitsandbytes, 8 bits: a scale for each output (nn/modules.py, lines 817 to 835)."""
    yield f"{name}.weight", "I8", (out, inn)
    yield f"{name}.SCB", "F32", (out,)
    yield f"{name}.weight_format", "U8", ()


def mlx(bits: int = 4, group: int = 64, dtype: str = "BF16") -> Scheme:
    """MLX: words along the input, a scale and a bias for each group; the tables are quantized too (mlx-lm utils.py)."""

    def store(name: str, out: int, inn: int) -> Iterator[Tensor]:
        yield f"{name}.weight", "U32", (out, inn * bits // 32)
        yield f"{name}.scales", dtype, (out, inn // group)
        yield f"{name}.biases", dtype, (out, inn // group)

    return store


# ------------------------------------------------------------------ inventories


def inventory(
    tensors: Iterable[Tensor],
    files: Sequence[str] = ("model.safetensors",),
    *,
    format: str = "safetensors",
    **about: object,
) -> Inventory:
    """What reading such headers gives."""
    held = tuple(
        StoredTensor(name, shape, dtype, prod(shape) * BITS.get(dtype, 16) // 8)
        for name, dtype, shape in tensors
    )
    return Inventory(format, held, tuple(WeightFile(path, 0) for path in files), **about)  # type: ignore[arg-type]


def elements(tensors: Iterable[Tensor]) -> int:
    return sum(prod(shape) for _, _, shape in tensors)


def nbytes(tensors: Iterable[Tensor]) -> int:
    return sum(prod(shape) * BITS[dtype] // 8 for _, dtype, shape in tensors)


def changed(b: pw.Breakdown, **config: object) -> Mapping[str, object]:
    return {**b.config, **config}
