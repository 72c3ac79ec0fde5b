"""The dtypes in which weights and caches are kept, and what values take in one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..errors import OptionError, nearest_names, or_list, shown

#: dtype -> bytes of 32 values, with the scales that its format has: an 8-bit one for 32 values in MX, for 16 in NVFP4
DTYPES: dict[str, int] = {
    "float32": 128,
    "bfloat16": 64,
    "float16": 64,
    "fp8": 32,
    "int8": 32,
    "mxfp8": 33,
    "int4": 16,
    "nvfp4": 18,
    "mxfp4": 17,
}
#: what one in 16 bits takes
SIXTEEN_BITS = DTYPES["bfloat16"]

#: other spellings of these
ALIASES = {
    "bf16": "bfloat16",
    "float8_e4m3fn": "fp8",
    "float8_e5m2": "fp8",
    "fp16": "float16",
    "fp32": "float32",
    "half": "float16",
}


def size(n: int | Fraction, dtype: str) -> int:
    """Bytes of ``n`` values in a dtype, rounded up; where a format has no scales of its own, none are in it.

    >>> size(2880 * 2880, "mxfp4"), size(3, "int4")
    (4406400, 2)
    """
    return int(-(-n * DTYPES[dtype] // 32))


def dtype_named(value: Any, name: str) -> str:
    """A key of DTYPES, whatever its spelling; else an OptionError that names them."""
    if isinstance(value, str):
        word = value.strip().lower().removeprefix("torch.")
        word = ALIASES.get(word, word)
        if word in DTYPES:
            return word
    near = nearest_names(value, [*DTYPES, *ALIASES], 2) if isinstance(value, str) else []
    hint = f" Did you mean {or_list(near)}?" if near else ""
    raise OptionError(
        f"{name} = {shown(value)} is not known: it must be {or_list(DTYPES)}.{hint}", name=name, value=value
    )
