"""How compressed-tensors stores one linear map: the groups of a config, each with its format and its strategy.

Names and shapes are those of its compressors and of its initialize.py, which also says that a scale has the dtype of
the map before it was quantized.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..config import Config
from ..errors import shown
from ..tensors import TensorSpec
from .kept import NotPredicted, numbered, read_pattern
from .patterns import Budget, Pattern
from .stored import MXFP4_BLOCK, NVFP4_BLOCK, WORD, Scheme, Stored, beside, up, words

#: types whose files were read to keep the shapes of packed weights in 32 bits (compressed-tensors writes 64 elsewhere)
SHORT_SHAPES = ("kimi_k2", "kimi_k25")


def compressed_tensors(c: Config, quantization: Mapping[str, Any], budget: Budget) -> Scheme:
    """How a map is stored by the group that targets it. Raises NotPredicted where that is left open."""
    groups = quantization.get("config_groups")
    if not isinstance(groups, Mapping) or "ignore" not in quantization:
        raise NotPredicted("quantization_config gives no config_groups or no ignore")
    cache = quantization.get("kv_cache_scheme")
    if isinstance(cache, Mapping) and not cache.get("dynamic"):
        raise NotPredicted("quantization_config.kv_cache_scheme keeps scales whose names it does not give")
    rules: list[tuple[list[Target], Scheme]] = []
    for name, group in groups.items():
        scheme = _group(c, group, quantization) if isinstance(group, Mapping) else None
        targets = group.get("targets") if isinstance(group, Mapping) else None
        if scheme is None or not isinstance(targets, list):
            raise NotPredicted(
                f"the form of quantization_config.config_groups.{shown(name)} is not described here"
            )
        key = f"config_groups.{name}.targets"
        found = [read_pattern(t[3:], key) if t.startswith("re:") else t for t in map(str, targets)]
        rules.append((found, scheme))
    rules.sort(key=lambda rule: "Linear" in rule[0])  # those that name modules decide first

    def store(t: TensorSpec) -> Stored:
        return next((scheme(t) for targets, scheme in rules if _targeted(t.name, targets, budget)), [t])

    return store


#: the name of a module, ``Linear`` for every one, or a pattern of names
Target = str | Pattern


def _targeted(name: str, targets: list[Target], budget: Budget) -> bool:
    module = numbered(name.removesuffix(".weight"), 0)
    return any(
        target in ("Linear", module) if isinstance(target, str) else target.match(module, budget)
        for target in targets
    )


def _group(c: Config, group: Mapping[str, Any], quantization: Mapping[str, Any]) -> Scheme | None:
    """The scheme of one group of modules; None for a format, a strategy or a type that is not described here."""
    weights = group.get("weights")
    form = group.get("format") or quantization.get("format")
    if not isinstance(weights, Mapping):
        return None
    inputs = group.get("input_activations")
    if form == "nvfp4-pack-quantized":
        return lambda t: list(_nvfp4(t, isinstance(inputs, Mapping)))
    if form == "mxfp4-pack-quantized":
        return lambda t: list(_mxfp4(t))
    bits, strategy = weights.get("num_bits"), weights.get("strategy")
    size = weights.get("group_size")
    if not (type(bits) is int and 0 < bits <= 8):
        return None
    if form == "pack-quantized" and weights.get("type") == "int" and strategy in ("group", "channel"):
        if strategy == "group" and not (type(size) is int and size > 0):
            return None
        shapes = "int32" if c.model_type in SHORT_SHAPES else None
        return lambda t: list(_pack(t, bits, size if strategy == "group" else None, weights, shapes))
    block = weights.get("block_structure")
    if strategy == "block" and not (
        isinstance(block, list) and len(block) == 2 and all(type(n) is int and n > 0 for n in block)
    ):
        return None
    if (
        form in ("float-quantized", "int-quantized", "naive-quantized")
        and strategy in ("channel", "tensor", "block")
        and bits == 8
    ):
        given = inputs if isinstance(inputs, Mapping) else {}
        static = given.get("dynamic") is False
        if static and given.get("strategy", "tensor") != "tensor":
            return None
        return lambda t: list(_eight_bits(t, weights, static))
    return None


def _pack(
    t: TensorSpec, bits: int, group: int | None, weights: Mapping[str, Any], shapes: str | None
) -> Iterator[TensorSpec]:
    out, inn = t.shape
    base = t.dtype
    yield t.stored_in(f"int{bits}" if int(inn) * bits % WORD == 0 else None)
    columns = 1 if group is None else up(inn, group)
    note = "one scale for each output" if group is None else f"one scale for {group} values"
    yield beside(t, ".weight_scale", (out, columns), base, note)
    yield beside(t, ".weight_shape", (2,), shapes, "the shape before packing")
    if weights.get("symmetric") is False:
        yield beside(t, ".weight_zero_point", (words(out, bits), columns), "int32", "packed zero points")
    if weights.get("actorder") == "group":
        yield beside(t, ".weight_g_idx", (inn,), "int32", "the group of each input")


def _nvfp4(t: TensorSpec, inputs: bool) -> Iterator[TensorSpec]:
    out, inn = t.shape
    yield t.stored_in("nvfp4")
    yield beside(t, ".weight_scale", (out, up(inn, NVFP4_BLOCK)), "float8_e4m3fn", "one scale for 16 values")
    yield beside(t, ".weight_global_scale", (1,), "float32", "one scale for all")
    if inputs:
        yield beside(t, ".input_global_scale", (1,), "float32", "one scale for the inputs")


def _mxfp4(t: TensorSpec) -> Iterator[TensorSpec]:
    out, inn = t.shape
    yield t.stored_in("mxfp4")
    yield beside(t, ".weight_scale", (out, up(inn, MXFP4_BLOCK)), "uint8", "one scale for 32 values")


def _eight_bits(t: TensorSpec, weights: Mapping[str, Any], static: bool) -> Iterator[TensorSpec]:
    """8 bits, with scales in the dtype that the map had, where that is a float of 16 or 32 bits."""
    out, inn = t.shape
    dtype = t.dtype if t.dtype in (None, "bfloat16", "float16", "float32") else "float16"
    shape: tuple[int, ...] = (1,)
    note = "one scale for all"
    if weights["strategy"] == "channel":
        shape, note = (out, 1), "one scale for each output"
    elif weights["strategy"] == "block":
        rows, columns = weights["block_structure"]
        shape, note = (up(out, rows), up(inn, columns)), f"one scale for {rows} × {columns} values"
    yield t.stored_in("float8_e4m3fn" if weights.get("type") == "float" else "int8")
    yield beside(t, ".weight_scale", shape, dtype, note)
    if weights.get("symmetric") is False:
        yield beside(t, ".weight_zero_point", shape, "int8", "zero points")
    if static:
        yield beside(t, ".input_scale", (1,), dtype, "one scale for the inputs")
