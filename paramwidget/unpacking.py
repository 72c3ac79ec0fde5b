"""How many parameters a stored tensor holds: packed words, and the bookkeeping that stands beside them.

The predicted shape against the stored one tells the packing, whatever the method is called; packing_methods.py knows
the methods, for a tensor that nobody predicted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

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
QUANT_STATE = re.compile(r"\.quant_state\.\w+$")
#: the suffixes above, longest first
_ORDER = tuple(sorted((*_DATA, *_SCALES, *_BESIDE), key=len, reverse=True))


def parts(dtypes: Mapping[str, str]) -> dict[str, Part]:
    """What each name (or template) of a checkpoint is of; ``dtypes`` gives the dtype of each.

    A bare ``.scale``, ``.scales`` or ``.biases`` is bookkeeping only beside a weight in words or in 8 bits: elsewhere
    it is a parameter. ``biases`` of MLX are scales, ``bias`` is a parameter.

    >>> found = parts({"a.weight": "U32", "a.scales": "F16", "a.biases": "F16", "a.bias": "F16", "b.scale": "F32"})
    >>> [name for name, part in found.items() if part.role == "scale"]
    ['a.scales', 'a.biases']
    """
    return {name: _part(name, dtypes) for name in dtypes}


def _part(name: str, dtypes: Mapping[str, str]) -> Part:
    state = QUANT_STATE.search(name)
    if state:
        return Part(name[: state.start()], "scale", "quant_state")
    for suffix in _ORDER if name.endswith(_ORDER) else ():
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
