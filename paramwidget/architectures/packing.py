"""How a quantization that packs its weights stores one linear map, where its config gives the layout exactly.

The weight keeps its name, its shape and its parameters; ``dtype`` says the bits of one. What stands beside it is of
kind ``scale``, with the names and shapes of the method's own code: compressed-tensors (its compressors and
initialize.py), Model-Optimizer's export, GPTQModel, AutoAWQ, mlx-lm, bitsandbytes (functional.py, QuantState).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec

Stored = list[TensorSpec]
Scheme = Callable[[TensorSpec], Stored]

#: bits of one word
WORD = 32
#: values that share a scale in NVFP4 and MXFP4
NVFP4_BLOCK, MXFP4_BLOCK = 16, 32
#: and in bitsandbytes
BNB_BLOCK = 64
#: keys that say that a model has experts: which of their routers a method converts, its config does not say
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
#: types whose files were read to keep the shapes of packed weights in 32 bits (compressed-tensors writes 64 elsewhere)
SHORT_SHAPES = ("kimi_k2", "kimi_k25")


def packing(c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec]) -> Scheme | None:
    """How a map is stored; None where the config leaves it open."""
    method = quantization.get("quant_method")
    if any(t.stacked is not None for t in tensors):  # files convert each expert by itself; which, is not said
        return None
    if method == "compressed-tensors":
        return _compressed_tensors(c, quantization)
    if method == "modelopt" and quantization.get("quant_algo") == "NVFP4" and "ignore" in quantization:
        return _modelopt_nvfp4(quantization)
    if any(c.get(key) for key in EXPERTS):
        return None
    if method == "bitsandbytes":
        return _bitsandbytes(c, quantization, tensors)
    bits, group = quantization.get("bits"), quantization.get("group_size")
    if not (type(bits) is int and 0 < bits <= 8 and type(group) is int and (group > 0 or group == -1)):
        return None
    if method == "gptq":
        return lambda t: _gptq(t, bits, group)
    if method == "awq" and WORD % bits == 0 and str(quantization.get("version", "gemm")).lower() == "gemm":
        return lambda t: _awq(t, bits, group)
    if method is None and quantization.get("mode", "affine") == "affine" and group > 0:
        dtype = c.get("dtype")
        name = str(dtype).removeprefix("torch.") if isinstance(dtype, str) else None
        return lambda t: _mlx(t, bits, group, name)
    return None


def converts_tables(quantization: Mapping[str, Any]) -> bool:
    """Whether the embedding and the head are converted too, as MLX does."""
    return quantization.get("quant_method") is None


def _beside(t: TensorSpec, suffix: str, shape: tuple[int, ...], dtype: str | None, note: str) -> TensorSpec:
    name = t.name.removesuffix(".weight") + suffix
    return replace(t, name=name, shape=shape, kind="scale", dtype=dtype, implied=True, note=note)


def _up(n: int, size: int) -> int:
    return n.ceil_div(size) if isinstance(n, Dim) else -(-n // size)


def _words(n: int, bits: int) -> int:
    """Words that hold so many values."""
    return _up(n * bits, WORD)


# ------------------------------------------------------------------ compressed-tensors


def _compressed_tensors(c: Config, quantization: Mapping[str, Any]) -> Scheme | None:
    groups = quantization.get("config_groups")
    if not isinstance(groups, Mapping) or "ignore" not in quantization:
        return None
    rules: list[tuple[list[Target], Scheme]] = []
    for group in groups.values():
        scheme = _group(c, group, quantization) if isinstance(group, Mapping) else None
        targets = group.get("targets") if isinstance(group, Mapping) else None
        if scheme is None or not isinstance(targets, list):
            return None
        try:
            rules.append(([_target(str(t)) for t in targets], scheme))
        except re.error:  # what it means is not known, and so not what is packed
            return None
    rules.sort(key=lambda rule: "Linear" in rule[0])  # those that name modules decide first

    def store(t: TensorSpec) -> Stored:
        return next((scheme(t) for targets, scheme in rules if _targeted(t.name, targets)), [t])

    return store


#: the name of a module, ``Linear`` for every one, or a pattern of names
Target = str | re.Pattern[str]


# What could take for ever to match: a repeated group, a repetition by number, a look around, a back-reference.
_ENDLESS = re.compile(r"\)[*+{]|(?<!\\)\{|\(\?(?!:)|\\[1-9]")
_MOST_REPETITIONS, _LONGEST = 4, 200


def _target(text: str) -> Target:
    """A name, or the pattern of one: a config is data, so only patterns that are quick to match are run."""
    if not text.startswith("re:"):
        return text
    pattern = text[3:]
    repeated = len(re.findall(r"(?<!\\)[*+]", pattern))
    if len(pattern) > _LONGEST or repeated > _MOST_REPETITIONS or _ENDLESS.search(pattern):
        raise re.error(f"{pattern[:40]!r} may take long to match")
    return re.compile(pattern)


def _targeted(name: str, targets: list[Target]) -> bool:
    module = name.removesuffix(".weight").replace("{layer}", "0").replace("{expert}", "0")
    return any(
        target in ("Linear", module) if isinstance(target, str) else target.match(module)
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
    if form in ("float-quantized", "int-quantized", "naive-quantized") and strategy in ("channel", "tensor"):
        static = isinstance(inputs, Mapping) and inputs.get("dynamic") is False
        dtype = "float8_e4m3fn" if weights.get("type") == "float" else "int8"
        return lambda t: list(_eight_bits(t, strategy, dtype, static)) if bits == 8 else [t]
    return None


def _pack(
    t: TensorSpec, bits: int, group: int | None, weights: Mapping[str, Any], shapes: str | None
) -> Iterator[TensorSpec]:
    out, inn = t.shape
    base = t.dtype
    yield replace(t, dtype=f"int{bits}" if int(inn) * bits % WORD == 0 else None)
    columns = 1 if group is None else _up(inn, group)
    note = "one scale for each output" if group is None else f"one scale for {group} values"
    yield _beside(t, ".weight_scale", (out, columns), base, note)
    yield _beside(t, ".weight_shape", (2,), shapes, "the shape before packing")
    if weights.get("symmetric") is False:
        yield _beside(t, ".weight_zero_point", (_words(out, bits), columns), "int32", "packed zero points")
    if weights.get("actorder") == "group":
        yield _beside(t, ".weight_g_idx", (inn,), "int32", "the group of each input")


def _nvfp4(t: TensorSpec, inputs: bool) -> Iterator[TensorSpec]:
    out, inn = t.shape
    yield replace(t, dtype="nvfp4")
    yield _beside(
        t, ".weight_scale", (out, _up(inn, NVFP4_BLOCK)), "float8_e4m3fn", "one scale for 16 values"
    )
    yield _beside(t, ".weight_global_scale", (1,), "float32", "one scale for all")
    if inputs:
        yield _beside(t, ".input_global_scale", (1,), "float32", "one scale for the inputs")


def _mxfp4(t: TensorSpec) -> Iterator[TensorSpec]:
    out, inn = t.shape
    yield replace(t, dtype="mxfp4")
    yield _beside(t, ".weight_scale", (out, _up(inn, MXFP4_BLOCK)), "uint8", "one scale for 32 values")


def _eight_bits(t: TensorSpec, strategy: str, dtype: str, static: bool) -> Iterator[TensorSpec]:
    out, _ = t.shape
    yield replace(t, dtype=dtype)
    shape, note = (
        ((out, 1), "one scale for each output") if strategy == "channel" else ((1,), "one scale for all")
    )
    yield _beside(t, ".weight_scale", shape, None, note)
    if static:
        yield _beside(t, ".input_scale", (1,), None, "one scale for the inputs")


# ------------------------------------------------------------------ one method each


def _modelopt_nvfp4(quantization: Mapping[str, Any]) -> Scheme:
    """ModelOpt: two scales of all beside the blocks', and one for the cache of keys and of values if it is in FP8."""
    cache = quantization.get("kv_cache_scheme") or quantization.get("kv_cache_quant_algo")

    def store(t: TensorSpec) -> Stored:
        out, inn = t.shape
        blocks = (out, _up(inn, NVFP4_BLOCK))
        found = [
            replace(t, dtype="nvfp4"),
            _beside(t, ".weight_scale", blocks, "float8_e4m3fn", "one scale for 16 values"),
            _beside(t, ".weight_scale_2", (), "float32", "one scale for all"),
            _beside(t, ".input_scale", (), "float32", "one scale for the inputs"),
        ]
        which = re.search(r"\.([kv])_proj\.weight$", t.name)
        if cache and which:
            found.append(_beside(t, f".{which[1]}_scale", (), "float32", "one scale for the cache"))
        return found

    return store


def _gptq(t: TensorSpec, bits: int, group: int) -> Stored:
    """GPTQ: inputs come first, and each has the number of its group."""
    out, inn = t.shape
    groups = 1 if group == -1 else _up(inn, group)
    whole = int(inn) * bits % WORD == 0 == int(out) * bits % WORD
    return [
        replace(t, dtype=f"int{bits}" if whole else None),
        _beside(t, ".qzeros", (groups, _words(out, bits)), "int32", "packed zero points"),
        _beside(t, ".scales", (groups, out), "float16", f"one scale for {group} values"),
        _beside(t, ".g_idx", (inn,), "int32", "the group of each input"),
    ]


def _awq(t: TensorSpec, bits: int, group: int) -> Stored:
    out, inn = t.shape
    groups = 1 if group == -1 else _up(inn, group)
    return [
        replace(t, dtype=f"int{bits}" if int(out) * bits % WORD == 0 else None),
        _beside(t, ".qzeros", (groups, _words(out, bits)), "int32", "packed zero points"),
        _beside(t, ".scales", (groups, out), "float16", f"one scale for {group} values"),
    ]


def _bitsandbytes(c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec]) -> Scheme | None:
    """bitsandbytes: a scale for 64 values and a JSON for each map, or in 8 bits a scale for each output.

    Open are the towers of a model that sees or hears, whose maps it converts too, and a second quantization of the
    scales, whose JSON has a number of any length.
    """
    if any(t.role in ("vision", "audio", "projector") for t in tensors):
        return None
    if quantization.get("load_in_8bit") is True:
        return _int8
    kind, dtype = quantization.get("bnb_4bit_quant_type", "fp4"), c.get("dtype")
    if quantization.get("load_in_4bit") is not True or quantization.get("bnb_4bit_use_double_quant"):
        return None
    if kind not in ("nf4", "fp4") or not isinstance(dtype, str):
        return None
    return lambda t: _four_bits(t, kind, dtype.removeprefix("torch."))


def _four_bits(t: TensorSpec, kind: str, dtype: str) -> Stored:
    out, inn = t.shape
    state = {"quant_type": kind, "blocksize": BNB_BLOCK, "dtype": dtype, "shape": [int(out), int(inn)]}
    note = "what the map was, as JSON"
    return [
        replace(t, dtype=kind),
        _beside(t, ".weight.absmax", (_up(out * inn, BNB_BLOCK),), "float32", "one scale for 64 values"),
        _beside(t, ".weight.quant_map", (16,), "float32", "the values of four bits"),
        _beside(t, f".weight.quant_state.bitsandbytes__{kind}", (len(json.dumps(state)),), "uint8", note),
    ]


def _int8(t: TensorSpec) -> Stored:
    return [
        replace(t, dtype="int8"),
        _beside(t, ".SCB", (t.shape[0],), "float32", "one scale for each output"),
        _beside(t, ".weight_format", (), "uint8", "the order of the values"),
    ]


def _mlx(t: TensorSpec, bits: int, group: int, dtype: str | None) -> Stored:
    """MLX: a scale and a bias for each group, in the model's dtype."""
    out, inn = t.shape
    if int(inn) % group:
        return [t]
    shape = (out, _up(inn, group))
    return [
        replace(t, dtype=f"int{bits}" if int(inn) * bits % WORD == 0 else None),
        _beside(t, ".scales", shape, dtype, f"one scale for {group} values"),
        _beside(t, ".biases", shape, dtype, f"one bias for {group} values: no parameter"),
    ]
