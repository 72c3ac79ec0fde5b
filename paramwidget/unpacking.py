"""How many parameters a stored tensor holds: packed words, and the bookkeeping that stands beside them.

The predicted shape against the stored one tells the packing, whatever the method is called. Only of a tensor that
nobody predicted the suffixes, the tensors beside it and the config's bits decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

#: bits of one element as stored; what is not listed here is not packed into
WIDTH = {
    **dict.fromkeys(("F64", "I64", "U64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 8),
}
#: dtypes whose elements are words that may hold several values
WORDS = ("U8", "I8", "I16", "U16", "I32", "U32", "I64", "U64")


class Part(NamedTuple):
    """What a stored name is of: the name of the whole weight, and which of its tensors.

    role   data | scale
    label  the suffix, as a reader knows it: ``weight_packed``, ``qzeros``; empty for a plain tensor
    """

    base: str
    role: str
    label: str


#: suffix of the data -> what the name would end in unquantized
_DATA = {
    ".weight_packed": ".weight",
    ".qweight": ".weight",
    ".q_weight": ".weight",
    ".W_q": ".weight",
    ".trellis": ".weight",
    ".Qidxs": ".weight",
    ".codes": ".weight",
    "_blocks": "",
    ".blocks": "",
}
#: suffixes that are bookkeeping wherever they stand
_SCALES = {
    ".weight_scale_inv": ".weight",
    ".weight_scale_2": ".weight",
    ".weight_scale": ".weight",
    ".weight_global_scale": ".weight",
    ".weight_zero_point": ".weight",
    ".weight_g_idx": ".weight",
    ".weight_shape": ".weight",
    ".weight.absmax": ".weight",
    ".weight.nested_absmax": ".weight",
    ".weight.quant_map": ".weight",
    ".weight.nested_quant_map": ".weight",
    ".weight_format": ".weight",
    ".SCB": ".weight",
    ".scale_inv": ".weight",
    ".input_scale": ".weight",
    ".input_global_scale": ".weight",
    ".input_zero_point": ".weight",
    ".output_scale": ".weight",
    ".pre_quant_scale": ".weight",
    ".k_scale": ".weight",
    ".v_scale": ".weight",
    ".qzeros": ".weight",
    ".g_idx": ".weight",
    "_scale_inv": "",
    "_weight_scale": "",
}
#: suffixes that are bookkeeping only beside a tensor with one of these suffixes
_BESIDE = {
    ".scales": (".weight", (".qweight", ".weight", ".codes")),
    ".biases": (".weight", (".scales",)),
    ".scale": (".weight", (".weight",)),
    "_scales": ("", ("_blocks", "")),
    "_scale": ("", ("",)),
    "_bias_scales": ("", ("",)),
    ".q_scale": (".weight", (".q_weight",)),
    ".q_scale_max": (".weight", (".q_weight",)),
    ".q_groups": (".weight", (".q_weight",)),
    ".q_group_map": (".weight", (".q_weight",)),
    ".q_invperm": (".weight", (".q_weight",)),
    ".q_perm": (".weight", (".q_weight",)),
    ".suh": (".weight", (".trellis",)),
    ".svh": (".weight", (".trellis",)),
    ".su": (".weight", (".trellis",)),
    ".sv": (".weight", (".trellis",)),
    ".mcg": (".weight", (".trellis",)),
    ".mul1": (".weight", (".trellis",)),
    ".SU": (".weight", (".Qidxs",)),
    ".SV": (".weight", (".Qidxs",)),
    ".Wscale": (".weight", (".Qidxs",)),
    ".codebooks": (".weight", (".codes",)),
    ".codebook": (".weight", (".codes",)),
    ".meta": (".weight", (".W_q",)),
    ".zero": (".weight", (".W_q",)),
}
_QUANT_STATE = re.compile(r"\.quant_state\.\w+$")
#: the suffixes above, longest first
_ORDER = sorted((*_DATA, *_SCALES, *_BESIDE), key=len, reverse=True)


def parts(dtypes: Mapping[str, str]) -> dict[str, Part]:
    """What each name (or template) of a checkpoint is of; ``dtypes`` gives the dtype of each.

    A bare ``.scale``, ``.scales`` or ``.biases`` is bookkeeping only beside a weight in words or in 8 bits: elsewhere
    it is a parameter. ``biases`` of MLX are scales, ``bias`` is a parameter.

    >>> found = parts({"up.weight": "U32", "up.scales": "BF16", "up.biases": "BF16", "up.bias": "BF16", "norm.scale": "F32"})
    >>> {name: part.role for name, part in found.items()}
    {'up.weight': 'data', 'up.scales': 'scale', 'up.biases': 'scale', 'up.bias': 'data', 'norm.scale': 'data'}
    """
    return {name: _part(name, dtypes) for name in dtypes}


def _part(name: str, dtypes: Mapping[str, str]) -> Part:
    state = _QUANT_STATE.search(name)
    if state:
        return Part(name[: state.start()], "scale", "quant_state")
    for suffix in _ORDER:
        if not name.endswith(suffix):
            continue
        stem, label = name.removesuffix(suffix), suffix[1:]
        if suffix in _DATA:
            return Part(stem + _DATA[suffix], "data", label)
        if suffix in _SCALES:
            return Part(stem + _SCALES[suffix], "scale", label)
        whole, owners = _BESIDE[suffix]
        if any(_quantized(stem + owner, dtypes) for owner in owners):
            return Part(stem + whole, "scale", label)
    return Part(name, "data", "")


def _quantized(owner: str, dtypes: Mapping[str, str]) -> bool:
    dtype = dtypes.get(owner)
    if dtype is None:
        return False
    if owner.endswith(".scales"):  # of MLX: its own weight decides
        return _quantized(owner.removesuffix(".scales") + ".weight", dtypes)
    return dtype in WORDS or dtype.startswith(("F8", "F4", "F6"))


class Unpacked(NamedTuple):
    """Parameters of a stored tensor, and the bits of one (0 where it is not packed)."""

    parameters: int
    bits: int = 0


def against(predicted: Sequence[int], stored: Sequence[int], dtype: str) -> Unpacked | None:
    """The parameters of a stored tensor whose shape is predicted; None where the shapes do not fit each other.

    The words of a packed tensor hold a whole number of bits a value, over the whole tensor or along one axis, whose
    last word may be padded.

    >>> against((4096, 4096), (4096, 512), "I32"), against((4, 8), (4, 8), "BF16"), against((4, 8), (3, 8), "BF16")
    (Unpacked(parameters=16777216, bits=4), Unpacked(parameters=32, bits=0), None)
    """
    whole, held = prod(map(int, predicted)), prod(stored)
    if whole == held:
        return Unpacked(whole)
    width = WIDTH.get(dtype)
    flat = len(stored) == 2 and stored[-1] == 1  # bitsandbytes may keep its bytes in words of any dtype
    if width is None or held > whole or not (flat or dtype in WORDS):
        return None
    for bits in range(1, min(9, width)):
        if held * width == whole * bits:
            return Unpacked(whole, bits)
    shape = tuple(map(int, predicted))
    for bits in range(1, min(9, width)):
        if any(sorted(stored) == sorted(padded) for padded in _padded(shape, bits, width)):
            return Unpacked(whole, bits)
    if flat:
        for bits in range(1, min(9, width)):
            if held == -(-whole * bits // width):
                return Unpacked(whole, bits)
    return None


def _padded(shape: tuple[int, ...], bits: int, width: int) -> Iterator[tuple[int, ...]]:
    """The shape with one axis packed into words, the last of them padded."""
    for axis, size in enumerate(shape):
        yield (*shape[:axis], -(-size * bits // width), *shape[axis + 1 :])


# ------------------------------------------------------------------ what nobody predicted


#: label -> shape and dtype of the tensors beside a weight, itself under ""
Beside = Mapping[str, tuple[tuple[int, ...], str]]


def by_method(label: str, shape: Sequence[int], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """The parameters of a tensor that nobody predicted: by its suffix, the tensors beside it, and the config's bits.

    label   the suffix of the data (``qweight``), empty for a plain name
    beside  the bookkeeping of the same weight: label -> (shape, dtype)
    config  the model's config: its ``quantization_config`` or ``quantization`` gives bits and group size
    """
    held = prod(shape)
    rule = _METHODS.get(label)
    if rule is not None:
        return rule(tuple(shape), dtype, beside, config)
    if not label and dtype in WORDS:
        return _plain_words(tuple(shape), dtype, beside, config)
    return Unpacked(held)


def _pair_or_words(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """compressed-tensors: two values a byte in U8; in I32 the bits of the group whose scales fit."""
    if dtype == "U8":
        return Unpacked(2 * prod(shape), 4)
    width = WIDTH.get(dtype, 32)
    scale = beside.get("weight_scale", ((), ""))[0]
    choices = list(_groups(config)) or [(4, None)]
    for bits, group in choices:
        columns = shape[-1] * width // bits
        if group and len(scale) == len(shape) and scale[-1] == -(-columns // group):
            return Unpacked(prod(shape[:-1]) * columns, bits)
    bits, _ = choices[0]
    return Unpacked(prod(shape[:-1]) * (shape[-1] * width // bits), bits)


def _gptq_or_awq(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """GPTQ packs along the input, whose length g_idx has; AWQ along the output, whose length the scales have."""
    width, held = WIDTH.get(dtype, 32), prod(shape)
    if len(shape) == 2:
        order, scales = beside.get("g_idx"), beside.get("scales")
        if order and order[0]:
            return _exactly(order[0][0] * shape[1], held, width)
        if scales and len(scales[0]) == 2 and scales[0][1] > shape[1]:
            return _exactly(shape[0] * scales[0][1], held, width)
    bits = next((bits for bits, _ in _groups(config)), 4)
    return Unpacked(held * width // bits, bits)


def _exactly(whole: int, held: int, width: int) -> Unpacked:
    return Unpacked(whole, max(1, held * width // whole) if whole else 0)


def _two_a_byte(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    return Unpacked(prod(shape) * WIDTH.get(dtype, 8) // 4, 4)


def _exl2(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """exl2: bits vary by row; the permutation has the length of the input."""
    order = beside.get("q_invperm") or beside.get("q_perm")
    return Unpacked(order[0][0] * shape[-1] if order and order[0] else prod(shape))


def _exl3(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """exl3: tiles of 16 × 16 values, each of ``16 × bits`` 16-bit words."""
    return Unpacked(256 * prod(shape[:-1]), shape[-1] // 16)


def _aqlm(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """AQLM: a code for each group; the codebooks end in the sizes of a group."""
    book = beside.get("codebooks")
    return Unpacked(shape[0] * shape[1] * prod(book[0][-2:]) if book and len(shape) > 1 else prod(shape))


def _hqq(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    bits = next((bits for bits, _ in _groups(config)), 4)
    return Unpacked(prod(shape) * WIDTH.get(dtype, 8) // bits, bits)


def _quip(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """QuIP#: a 16-bit code for eight values."""
    return Unpacked(prod(shape) * WIDTH.get(dtype, 16) // 2, 2)


def _plain_words(shape: tuple[int, ...], dtype: str, beside: Beside, config: Mapping[str, Any]) -> Unpacked:
    """A plain name in words: bitsandbytes, MLX, ModelOpt and DeepSeek-V4, told apart by what stands beside it."""
    held, width = prod(shape), WIDTH[dtype]
    if "absmax" in beside or "weight.absmax" in beside or "quant_state" in beside:
        return Unpacked(2 * held if width == 8 else held * width // 4, 4)
    scale = next((beside[k] for k in ("weight_scale", "scales", "scale") if k in beside), None)
    if scale is None or "SCB" in beside or not shape:
        return Unpacked(held)
    columns, of = shape[-1], scale[0][-1] if scale[0] else 0
    if width == 8:  # one scale for 16 or 32 values, two values a byte
        packed = any(columns * 2 == of * group for group in (16, 32))
        return Unpacked(2 * held, 4) if packed else Unpacked(held)
    for bits, group in (*_groups(config), *((bits, 64) for bits in (4, 8, 6, 3, 5, 2))):
        if group and of * group * bits == columns * width:
            return Unpacked(prod(shape[:-1]) * of * group, bits)
    return Unpacked(held)


Method = Callable[[tuple[int, ...], str, Beside, Mapping[str, Any]], Unpacked]
_METHODS: dict[str, Method] = {
    "weight_packed": _pair_or_words,
    "qweight": _gptq_or_awq,
    "blocks": _two_a_byte,
    "q_weight": _exl2,
    "trellis": _exl3,
    "codes": _aqlm,
    "W_q": _hqq,
    "Qidxs": _quip,
}


def _groups(config: Mapping[str, Any]) -> Iterator[tuple[int, int | None]]:
    """Bits and group size wherever a quantization config gives them, groups of their own first."""
    for section in _sections(config):
        groups = section.get("config_groups")
        for group in groups.values() if isinstance(groups, Mapping) else ():
            weights = group.get("weights") if isinstance(group, Mapping) else None
            if isinstance(weights, Mapping) and _is_bits(weights.get("num_bits")):
                yield weights["num_bits"], _whole(weights.get("group_size"))
        for own in section.values():  # MLX names modules with sizes of their own
            if isinstance(own, Mapping) and _is_bits(own.get("bits")):
                yield own["bits"], _whole(own.get("group_size"))
        for key in ("bits", "w_bit", "wbits", "nbits"):
            if _is_bits(section.get(key)):
                yield section[key], _whole(section.get("group_size") or section.get("q_group_size"))


def _sections(config: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    text = config.get("text_config")
    for holder in (config, text if isinstance(text, Mapping) else {}):
        for key in ("quantization_config", "quantization", "compression_config"):
            section = holder.get(key)
            if isinstance(section, Mapping):
                yield section


def _is_bits(value: object) -> bool:
    return type(value) is int and 0 < value <= 8


def _whole(value: object) -> int | None:
    return value if type(value) is int and value > 0 else None
