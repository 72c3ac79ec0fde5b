"""What the config says of how files store the weights: dtypes, and the scales that a quantization keeps beside them.

Quantization changes the storage, never the number of parameters: scales are tensors of kind ``scale``, counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec

#: values that share one 8-bit scale in MXFP4 (OCP Microscaling Formats 1.0, section 5.2)
MXFP4_BLOCK = 32


def stored_as(c: Config, tensors: Iterator[TensorSpec]) -> Iterator[TensorSpec]:
    """The tensors with the dtype that the config gives, and with the scales that its quantization adds."""
    dtype = base_dtype(c)
    quantization = c.get("quantization_config")
    scale = scale_rule(c, quantization) if isinstance(quantization, Mapping) else None
    skip = not_converted(quantization) if isinstance(quantization, Mapping) else ()
    known = scale is not None or not isinstance(quantization, Mapping)
    for t in tensors:
        made = scale(t) if scale and not _skipped(t, skip) else None
        if made is None:
            # a method that is not predicted here leaves the dtypes of its weights open
            yield replace(t, dtype=dtype) if known and t.dtype is None else t
        else:
            yield from made


def base_dtype(c: Config) -> str | None:
    """``dtype`` or ``torch_dtype`` of the config, of its text config, or the architecture's declared default."""
    text = c.get("text_config")
    nested = (text.get("dtype") or text.get("torch_dtype")) if isinstance(text, Mapping) else None
    name = nested or c.get("dtype")
    return str(name).removeprefix("torch.") if isinstance(name, str) else None


Scales = Callable[[TensorSpec], list[TensorSpec] | None]


def scale_rule(c: Config, quantization: Mapping[str, Any]) -> Scales | None:
    """How a quantization stores one tensor and its scales; None for a method that is not predicted."""
    method = quantization.get("quant_method")
    if method == "mxfp4":
        return _mxfp4
    block = quantization.get("weight_block_size")
    if method == "fp8" and block is not None:
        if not (
            isinstance(block, list | tuple)
            and len(block) == 2
            and all(type(n) is int and n > 0 for n in block)
        ):
            raise c.error(
                "quantization_config.weight_block_size", block, "must be two whole numbers, rows and columns"
            )
        return lambda t: _fp8_blocks(t, block[0], block[1])
    return None


def _mxfp4(t: TensorSpec) -> list[TensorSpec] | None:
    if t.stacked is None or len(t.shape) != 2:
        return None
    # blocks run along the input: gpt-oss keeps its experts as (in, out), and packs them as (out, in)
    inn, out = t.shape
    blocks = inn.ceil_div(MXFP4_BLOCK) if isinstance(inn, Dim) else -(-inn // MXFP4_BLOCK)
    return [
        replace(t, dtype="mxfp4"),
        replace(
            t,
            name=f"{t.name}_scales",
            shape=(out, blocks),
            kind="scale",
            dtype="uint8",
            implied=True,
            note="one scale for 32 values",
        ),
    ]


#: maps that DeepSeek's files keep in the base dtype; the tables, norms and vectors are no linear maps at all
_KEPT = ("eh_proj", "embed_tokens", "lm_head", "shared_head.head", "mlp.gate.")


def _fp8_blocks(t: TensorSpec, rows: int, columns: int) -> list[TensorSpec] | None:
    if len(t.shape) != 2 or t.kind != "weight" or any(part in t.name for part in _KEPT):
        return None
    if t.role in ("embedding", "position", "lm_head", "router", "norm", "vision", "projector"):
        return None
    blocks = tuple(
        n.ceil_div(size) if isinstance(n, Dim) else -(-n // size)
        for n, size in zip(t.shape, (rows, columns), strict=True)
    )
    return [
        replace(t, dtype="float8_e4m3fn"),
        replace(
            t,
            name=f"{t.name}_scale_inv",
            shape=blocks,
            kind="scale",
            dtype="float32",
            implied=True,
            note=f"one scale for {rows} × {columns} values",
        ),
    ]


def not_converted(quantization: Mapping[str, Any]) -> tuple[str, ...]:
    """The modules that a quantization leaves as they are."""
    for key in ("modules_to_not_convert", "ignored_layers", "ignore"):
        names = quantization.get(key)
        if isinstance(names, list | tuple):
            return tuple(n for n in names if isinstance(n, str))
    return ()


def _skipped(t: TensorSpec, skip: tuple[str, ...]) -> bool:
    return any(fnmatch(t.name, f"*{pattern}*") for pattern in skip)
