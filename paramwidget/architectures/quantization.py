"""What the config says of how files store the weights: dtypes, and the scales that a quantization keeps beside them.

Quantization changes the storage, never the number of parameters: scales are tensors of kind ``scale``, counted apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .packing import converts_tables, packing

#: values that share one 8-bit scale in MXFP4 (OCP Microscaling Formats 1.0, section 5.2)
MXFP4_BLOCK = 32


def stored_as(c: Config, tensors: Iterator[TensorSpec]) -> Iterator[TensorSpec]:
    """The tensors with the dtype that the config gives, and with the scales that its quantization adds."""
    dtype = base_dtype(c)
    quantization = quantization_of(c)
    specs = list(tensors)
    scale = scale_rule(c, quantization, specs) if isinstance(quantization, Mapping) else None
    skip = not_converted(quantization) if isinstance(quantization, Mapping) else []
    known = scale is not None or not isinstance(quantization, Mapping)
    for whole in specs:
        for t, kept in split(whole, skip) if scale else ((whole, False),):
            made = scale(t) if scale and not kept else None
            if made is None:
                # a method that is not predicted here leaves the dtypes of its weights open
                yield replace(t, dtype=dtype) if known and t.dtype is None else t
            else:
                yield from made


def quantization_of(c: Config) -> Mapping[str, Any] | None:
    """``quantization_config`` of the config or of its text config; an empty one is none."""
    text = c.get("text_config")
    nested = text.get("quantization_config") if isinstance(text, Mapping) else None
    found = c.get("quantization_config") or nested or c.get("quantization")  # MLX's name for it
    if found is not None and not isinstance(found, Mapping):
        raise c.error("quantization_config", found, "must be an object")
    return found or None


def base_dtype(c: Config) -> str | None:
    """``dtype`` or ``torch_dtype`` of the config, of its text config, or the architecture's declared default."""
    text = c.get("text_config")
    nested = (text.get("dtype") or text.get("torch_dtype")) if isinstance(text, Mapping) else None
    name = nested or c.get("dtype")
    return str(name).removeprefix("torch.") if isinstance(name, str) else None


Scales = Callable[[TensorSpec], list[TensorSpec] | None]


def scale_rule(c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec]) -> Scales | None:
    """How a quantization stores one tensor and its scales; None for a method that is not predicted."""
    packed = packing(c, quantization, tensors)
    if packed is not None:
        dtype, tables = base_dtype(c), converts_tables(quantization)
        return lambda t: (
            packed(replace(t, dtype=t.dtype or dtype)) if _is_map(t) or (tables and _is_table(t)) else None
        )
    method = quantization.get("quant_method")
    if method == "mxfp4":  # which axis is packed is known of gpt-oss's stacks only
        return _mxfp4 if c.model_type == "gpt_oss" else None
    block = quantization.get("weight_block_size")
    if method == "fp8" and block is not None and not quantization.get("quant_algo"):
        if not (
            isinstance(block, list | tuple)
            and len(block) == 2
            and all(type(n) is int and n > 0 for n in block)
        ):
            raise c.error(
                "quantization_config.weight_block_size", block, "must be two whole numbers, rows and columns"
            )
        # DeepSeek-V4 keeps its experts in 4 bits, and names its scales otherwise
        v4 = c.get("expert_dtype")
        return lambda t: _fp4_expert(t) if v4 == "fp4" and "{expert}" in t.name else _fp8_blocks(t, block, v4)
    return None


def _mxfp4(t: TensorSpec) -> list[TensorSpec] | None:
    if t.stacked is None or len(t.shape) != 2:
        return None
    # blocks run along the input: gpt-oss keeps its experts as (in, out), and packs them as (out, in)
    inn, out = t.shape
    blocks = _ceil_div(inn, MXFP4_BLOCK)
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


#: linear maps that files keep in the base dtype
_KEPT = (
    "compressor.",
    "eh_proj",
    "embed_tokens",
    "ffn.gate.",
    "lm_head",
    "mlp.gate.",
    "shared_head.head",
    "weights_proj",
)


def _is_map(t: TensorSpec) -> bool:
    """Whether it is the weight of a linear map that a quantization converts; a table or a vector is none."""
    return (
        len(t.shape) == 2
        and t.kind == "weight"
        and (t.name.endswith(".weight") or t.stacked is not None)
        and t.role not in ("embedding", "position", "lm_head", "router", "norm", "vision", "projector")
        and not any(part in t.name for part in _KEPT)
    )


def _is_table(t: TensorSpec) -> bool:
    """Whether it is the embedding or the head, which few quantizations convert."""
    return t.role in ("embedding", "lm_head") and t.kind == "weight" and len(t.shape) == 2


def _fp8_blocks(t: TensorSpec, size: Sequence[int], v4: object = None) -> list[TensorSpec] | None:
    if not _is_map(t):
        return None
    rows, columns = size
    blocks = tuple(_ceil_div(n, by) for n, by in zip(t.shape, size, strict=True))
    name = t.name.removesuffix(".weight") + ".scale" if v4 else f"{t.name}_scale_inv"
    return [
        replace(t, dtype="float8_e4m3fn"),
        replace(
            t,
            name=name,
            shape=blocks,
            kind="scale",
            dtype="float8_e8m0fnu" if v4 else "float32",
            implied=True,
            note=f"one scale for {rows} × {columns} values",
        ),
    ]


def _fp4_expert(t: TensorSpec) -> list[TensorSpec] | None:
    if not _is_map(t):
        return None
    out, inn = t.shape
    return [
        replace(t, dtype="mxfp4"),
        replace(
            t,
            name=t.name.removesuffix(".weight") + ".scale",
            shape=(out, _ceil_div(inn, MXFP4_BLOCK)),
            kind="scale",
            dtype="float8_e8m0fnu",
            implied=True,
            note="one scale for 32 values",
        ),
    ]


def _ceil_div(n: int, size: int) -> int:
    return n.ceil_div(size) if isinstance(n, Dim) else -(-n // size)


Skip = tuple[re.Pattern[str], frozenset[int] | None]


def not_converted(quantization: Mapping[str, Any]) -> list[Skip]:
    """The modules that a quantization leaves as they are: a pattern of names, and the layers where it holds, or None.

    A list may name a module of every layer by itself; those are one pattern.
    """
    names: Any = ()
    for key in ("modules_to_not_convert", "ignored_layers", "ignore", "llm_int8_skip_modules"):
        names = names or quantization.get(key)
    where: dict[str, set[int] | None] = {}
    for name in names if isinstance(names, list | tuple) else ():
        if not isinstance(name, str):
            continue
        layer = re.search(r"(?<=layers\.)\d+", name)
        if layer is None:
            where[name] = None
        else:
            each = where.setdefault(f"{name[: layer.start()]}{{layer}}{name[layer.end() :]}", set())
            if each is not None:
                each.add(int(layer.group()))
    return [
        (_name_pattern(name), None if layers is None else frozenset(layers)) for name, layers in where.items()
    ]


def _name_pattern(name: str) -> re.Pattern[str]:
    """Whole words of a dotted name, with ``*`` for anything; ``re:`` begins a regular expression."""
    if name.startswith("re:"):
        try:
            return re.compile(name.removeprefix("re:").replace("$", r"(\.weight)?$"))
        except re.error:
            return re.compile(re.escape(name))
    glob = ".*".join(re.escape(part) for part in name.split("*"))
    return re.compile(rf"(.*\.)?{glob}(\..*)?")


def split(t: TensorSpec, skip: list[Skip]) -> Iterator[tuple[TensorSpec, bool]]:
    """A tensor in the layers that are converted, and in those that are kept as they are."""
    kept: set[int] = set()
    first = t.name.replace("{layer}", "0").replace("{expert}", "0")  # for an expression that asks for digits
    for pattern, layers in skip:
        if pattern.fullmatch(t.name) or pattern.fullmatch(first):
            if layers is None:
                kept = set(t.layers)
                if not kept:
                    yield t, True
                    return
            else:
                kept |= layers & set(t.layers)
    if not kept or len(kept) == len(t.layers):
        yield t, bool(kept)
        return
    for own, is_kept in ((kept, True), (set(t.layers) - kept, False)):
        part, of = len(own), len(t.layers)
        yield (
            replace(
                t,
                layers=tuple(sorted(own)),
                copies=t.copies * part // of,
                active_copies=t.active_copies * part // of,
                active_low=t.active_low * part // of,
            ),
            is_kept,
        )
