"""The dtypes in which weights and caches are kept, and what values take in one."""

from __future__ import annotations

from typing import Any

from ..errors import OptionError, nearest_names, or_list, shown

#: dtype -> the bits of one value, and how many values share one 8-bit scale (0: no scale in the format)
DTYPES: dict[str, tuple[int, int]] = {
    "float32": (32, 0),
    "bfloat16": (16, 0),
    "float16": (16, 0),
    "fp8": (8, 0),
    "int8": (8, 0),
    "mxfp8": (8, 32),
    "int4": (4, 0),
    "nvfp4": (4, 16),
    "mxfp4": (4, 32),
}

#: other spellings of these
ALIASES = {
    "bf16": "bfloat16",
    "float8_e4m3fn": "fp8",
    "float8_e5m2": "fp8",
    "fp16": "float16",
    "fp32": "float32",
    "half": "float16",
}


def size(n: int, dtype: str) -> int:
    """Bytes of ``n`` values in a dtype, with the scales that its format has.

    >>> size(2880 * 2880, "mxfp4"), size(3, "int4")
    (4406400, 2)
    """
    bits, block = DTYPES[dtype]
    return -(-n * bits // 8) + (-(-n // block) if block else 0)


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
