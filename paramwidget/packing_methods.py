"""The methods of quantization, each by the suffix of its data: what packed words hold that nobody predicted.

Where a config is known, the predicted shape tells it (unpacking.py); this is for what no architecture describes. The
layouts were read in GPTQModel, AutoAWQ, compressed-tensors, bitsandbytes, Model-Optimizer, mlx-lm, exllamav2 and 3,
AQLM, HQQ and QuIP#.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

from .unpacking import WIDTH, WORDS, Unpacked

#: label -> shape and dtype of the tensors beside a weight, itself under ""
Beside = Mapping[str, tuple[tuple[int, ...], str]]


def by_method(
    label: str, shape: Sequence[int], dtype: str, beside: Beside, config: Mapping[str, Any]
) -> Unpacked:
    """The parameters of a tensor that nobody predicted: by its suffix, the tensors beside it, and the config's bits.

    label   the suffix of the data (``qweight``), empty for a plain name
    beside  the bookkeeping of the same weight: label -> (shape, dtype)
    config  the model's config: its ``quantization_config`` or ``quantization`` gives bits and group size
    """
    held = prod(shape)
    if not held:
        return Unpacked(0)
    rule = _METHODS.get(label) if shape else None
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
