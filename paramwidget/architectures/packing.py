"""How a quantization that packs its weights stores one linear map, where its config gives the layout exactly.

The weight keeps its name, its shape and its parameters; ``dtype`` says the bits of one. What stands beside it is of
kind ``scale``, with the names and shapes of the method's own code: compressed-tensors (compressed.py),
Model-Optimizer's export, GPTQModel, AutoAWQ, mlx-lm, bitsandbytes (functional.py, QuantState).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..config import Config
from ..errors import shown
from ..tensors import TensorSpec
from .compressed import compressed_tensors
from .kept import NUMBER, Kept, NotPredicted, numbered, read_pattern
from .patterns import Budget
from .stored import NVFP4_BLOCK, WORD, Scheme, Stored, beside, up, words

#: values that share a scale in bitsandbytes, and scales that share one where they are quantized again
BNB_BLOCK, NESTED_BLOCK = 64, 256
#: keys that say that a model has experts: which of their routers a method converts, its config may not say
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")


def packing(
    c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec], kept: Kept, budget: Budget
) -> Scheme:
    """How a map is stored. Raises NotPredicted where the config leaves it open."""
    method = quantization.get("quant_method")
    if any(t.stacked is not None for t in tensors):
        raise NotPredicted(
            "files convert each expert of a stack by itself, under names that the config does not say"
        )
    if method == "compressed-tensors":
        return compressed_tensors(c, quantization, budget)
    if method == "modelopt" and quantization.get("quant_algo") == "NVFP4" and "ignore" in quantization:
        return _modelopt_nvfp4(quantization)
    if method == "bitsandbytes":
        if any(c.get(key) for key in EXPERTS):
            raise NotPredicted("bitsandbytes does not say which routers and experts it converts")
        return _bitsandbytes(c, quantization, tensors)
    if method not in ("gptq", "awq", None):
        raise NotPredicted(
            f"the layout of quantization_config.quant_method {shown(method)} is not described here"
        )
    bits, group = quantization.get("bits"), quantization.get("group_size")
    if not (type(bits) is int and 0 < bits <= 8 and type(group) is int and (group > 0 or group == -1)):
        raise NotPredicted("the quantization gives no bits from 1 to 8, or no group_size")
    if method is None:
        return _mlx_of(c, quantization, tensors, bits, group)
    routers = [t for t in tensors if t.role == "router" and len(t.shape) == 2]
    if any(c.get(key) for key in EXPERTS) and any(
        kept.layers_of(t) not in (None, set(t.layers)) for t in routers
    ):
        raise NotPredicted(
            f"{method} does not say which routers it converts: modules_to_not_convert names none"
        )
    if method == "awq":
        if WORD % bits or str(quantization.get("version", "gemm")).lower() != "gemm":
            raise NotPredicted("only the layout gemm of AWQ is described here, in bits that fill a word")
        return lambda t: _awq(t, bits, group)
    if quantization.get("checkpoint_format", "gptq") not in ("gptq", "gptq_v2"):
        raise NotPredicted("quantization_config.checkpoint_format is another than gptq and gptq_v2")
    if quantization.get("dynamic"):
        return _gptq_by_module(quantization["dynamic"], bits, group, budget)
    return lambda t: _gptq(t, bits, group)


def converts_tables(quantization: Mapping[str, Any]) -> tuple[str, ...]:
    """The tables that are converted too: the embedding and the head by MLX, the head by GPTQ where it is told to."""
    if quantization.get("quant_method") is None:
        return ("embedding", "lm_head")
    is_told = quantization.get("quant_method") == "gptq" and quantization.get("lm_head") is True
    return ("lm_head",) if is_told else ()


# ------------------------------------------------------------------ one method each


def _modelopt_nvfp4(quantization: Mapping[str, Any]) -> Scheme:
    """ModelOpt: two scales of all beside the blocks', and one for the cache of keys and of values if it is in FP8."""
    cache = quantization.get("kv_cache_scheme") or quantization.get("kv_cache_quant_algo")

    def store(t: TensorSpec) -> Stored:
        out, inn = t.shape
        blocks = (out, up(inn, NVFP4_BLOCK))
        found = [
            t.stored_in("nvfp4"),
            beside(t, ".weight_scale", blocks, "float8_e4m3fn", "one scale for 16 values"),
            beside(t, ".weight_scale_2", (), "float32", "one scale for all"),
            beside(t, ".input_scale", (), "float32", "one scale for the inputs"),
        ]
        which = re.search(r"\.([kv])_proj\.weight$", t.name)
        if cache and which:
            found.append(beside(t, f".{which[1]}_scale", (), "float32", "one scale for the cache"))
        return found

    return store


def _gptq_by_module(rules: Any, bits: int, group: int, budget: Budget) -> Scheme:
    """GPTQ with rules for some modules: the first pattern that fits one keeps it (``-:``) or gives it its own bits."""
    if not isinstance(rules, Mapping):
        raise NotPredicted("quantization_config.dynamic is no object of rules")
    found = []
    for text, own in rules.items():
        own = own if isinstance(own, Mapping) else {}
        given = own.get("bits", bits), own.get("group_size", group)
        if (
            not all(type(n) is int for n in given)
            or not 0 < given[0] <= 8
            or not (given[1] > 0 or given[1] == -1)
        ):
            raise NotPredicted(f"quantization_config.dynamic gives {shown(text)} no bits or no group_size")
        if NUMBER.search(str(text)):
            raise NotPredicted(f"quantization_config.dynamic tells layers apart by {shown(text)}")
        pattern = read_pattern(str(text).removeprefix("+:").removeprefix("-:"), "dynamic")
        found.append((pattern, None if str(text).startswith("-:") else given))

    def store(t: TensorSpec) -> Stored:
        module = numbered(t.name.removesuffix(".weight"), 0)
        given = next((own for pattern, own in found if pattern.match(module, budget)), (bits, group))
        return [t] if given is None else _gptq(t, *given)

    return store


def _gptq(t: TensorSpec, bits: int, group: int) -> Stored:
    """GPTQ: inputs come first, and each has the number of its group."""
    out, inn = t.shape
    groups = 1 if group == -1 else up(inn, group)
    whole = int(inn) * bits % WORD == 0 == int(out) * bits % WORD
    return [
        t.stored_in(f"int{bits}" if whole else None),
        beside(t, ".qzeros", (groups, words(out, bits)), "int32", "packed zero points"),
        beside(t, ".scales", (groups, out), "float16", f"one scale for {group} values"),
        beside(t, ".g_idx", (inn,), "int32", "the group of each input"),
    ]


def _awq(t: TensorSpec, bits: int, group: int) -> Stored:
    out, inn = t.shape
    groups = 1 if group == -1 else up(inn, group)
    return [
        t.stored_in(f"int{bits}" if int(out) * bits % WORD == 0 else None),
        beside(t, ".qzeros", (groups, words(out, bits)), "int32", "packed zero points"),
        beside(t, ".scales", (groups, out), "float16", f"one scale for {group} values"),
    ]


def _bitsandbytes(c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec]) -> Scheme:
    """bitsandbytes: a scale for 64 values and a JSON for each map, or in 8 bits a scale for each output.

    With a second quantization the scales are bytes, and have scales of their own for 256; the JSON then has a number
    of any length, so that its bytes stay open.
    """
    if any(t.role in ("vision", "audio", "projector") for t in tensors):
        raise NotPredicted("bitsandbytes converts maps of the towers too, and its config does not say which")
    if quantization.get("load_in_8bit") is True:
        return _int8
    kind, dtype = quantization.get("bnb_4bit_quant_type", "fp4"), c.get("dtype")
    if (
        quantization.get("load_in_4bit") is not True
        or kind not in ("nf4", "fp4")
        or not isinstance(dtype, str)
    ):
        raise NotPredicted(
            "quantization_config does not say what bitsandbytes does: load_in_4bit, its type, dtype"
        )
    twice = bool(quantization.get("bnb_4bit_use_double_quant"))
    return lambda t: _four_bits(t, kind, dtype.removeprefix("torch."), twice)


def _four_bits(t: TensorSpec, kind: str, dtype: str, twice: bool) -> Stored:
    out, inn = t.shape
    state = {"quant_type": kind, "blocksize": BNB_BLOCK, "dtype": dtype, "shape": [int(out), int(inn)]}
    blocks = up(out * inn, BNB_BLOCK)
    found = [
        t.stored_in(kind),
        beside(t, ".weight.absmax", (blocks,), "uint8" if twice else "float32", "one scale for 64 values"),
        beside(t, ".weight.quant_map", (16,), "float32", "the values of four bits"),
    ]
    name, note = f".weight.quant_state.bitsandbytes__{kind}", "what the map was, as JSON"
    if not twice:
        return [*found, beside(t, name, (len(json.dumps(state)),), "uint8", note)]
    return [
        *found,
        beside(
            t, ".weight.nested_absmax", (up(blocks, NESTED_BLOCK),), "float32", "one scale for 256 scales"
        ),
        beside(t, ".weight.nested_quant_map", (256,), "float32", "the values of a byte"),
        beside(t, name, (0,), None, "the JSON beside a map of bitsandbytes has a number of any length"),
    ]


def _int8(t: TensorSpec) -> Stored:
    return [
        t.stored_in("int8"),
        beside(t, ".SCB", (t.shape[0],), "float32", "one scale for each output"),
        beside(t, ".weight_format", (), "uint8", "the order of the values"),
    ]


def _mlx_of(
    c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec], bits: int, group: int
) -> Scheme:
    """MLX: the same for every module but those that the config names, with their own bits or with false."""
    dtype, mode = c.get("dtype"), quantization.get("mode", "affine")
    if mode != "affine" or group < 1:
        raise NotPredicted(f"the mode {shown(mode)} of MLX is not described here")
    named = sorted(k for k, v in quantization.items() if isinstance(v, Mapping | bool) and "." in k)
    if named:
        raise NotPredicted(
            f"MLX stores {len(named):,} modules otherwise, by names of its own: {shown(named[0])} is one"
        )
    if any(t.role == "router" for t in tensors):
        raise NotPredicted("MLX does not say whether it converts the routers")
    return lambda t: _mlx(
        t, bits, group, str(dtype).removeprefix("torch.") if isinstance(dtype, str) else None
    )


def _mlx(t: TensorSpec, bits: int, group: int, dtype: str | None) -> Stored:
    """MLX: a scale and a bias for each group, in the model's dtype."""
    out, inn = t.shape
    if int(inn) % group:
        return [t]
    shape = (out, up(inn, group))
    return [
        t.stored_in(f"int{bits}" if int(inn) * bits % WORD == 0 else None),
        beside(t, ".scales", shape, dtype, f"one scale for {group} values"),
        beside(t, ".biases", shape, dtype, f"one bias for {group} values: no parameter"),
    ]
