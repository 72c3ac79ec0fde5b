"""The types that a tensor of a GGUF file can have, and the bytes that its blocks take."""

from __future__ import annotations

from math import prod
from typing import NamedTuple


class GgmlType(NamedTuple):
    """Blocks of ``block`` elements take ``nbytes``; ``row`` bytes more stand in each row, ``tail`` in each tensor."""

    name: str
    block: int
    nbytes: int
    row: int = 0
    tail: int = 0

    def size(self, shape: tuple[int, ...]) -> int:
        """Bytes of a tensor whose rows are its last axis, which must be whole blocks.

        >>> TYPES[12].size((4096, 4096))  # Q4_K: 4.5 bits
        9437184
        """
        rows = prod(shape[:-1])
        width = shape[-1] if shape else 1
        return rows * (width // self.block * self.nbytes + self.row) + self.tail


#: Source: the enum ggml_type and the block structs of llama.cpp; gguf-py 0.19 has the same sizes.
#: Q8_1 and Q8_K are not here: they are made while a model runs, and no file holds them.
_LLAMA_CPP: dict[int, GgmlType] = {
    0: GgmlType("F32", 1, 4),
    1: GgmlType("F16", 1, 2),
    2: GgmlType("Q4_0", 32, 18),
    3: GgmlType("Q4_1", 32, 20),
    6: GgmlType("Q5_0", 32, 22),
    7: GgmlType("Q5_1", 32, 24),
    8: GgmlType("Q8_0", 32, 34),
    10: GgmlType("Q2_K", 256, 84),
    11: GgmlType("Q3_K", 256, 110),
    12: GgmlType("Q4_K", 256, 144),
    13: GgmlType("Q5_K", 256, 176),
    14: GgmlType("Q6_K", 256, 210),
    16: GgmlType("IQ2_XXS", 256, 66),
    17: GgmlType("IQ2_XS", 256, 74),
    18: GgmlType("IQ3_XXS", 256, 98),
    19: GgmlType("IQ1_S", 256, 50),
    20: GgmlType("IQ4_NL", 32, 18),
    21: GgmlType("IQ3_S", 256, 110),
    22: GgmlType("IQ2_S", 256, 82),
    23: GgmlType("IQ4_XS", 256, 136),
    24: GgmlType("I8", 1, 1),
    25: GgmlType("I16", 1, 2),
    26: GgmlType("I32", 1, 4),
    27: GgmlType("I64", 1, 8),
    28: GgmlType("F64", 1, 8),
    29: GgmlType("IQ1_M", 256, 56),
    30: GgmlType("BF16", 1, 2),
    31: GgmlType("Q4_0_4_4", 32, 18),  # removed since: Q4_0 is repacked when it is loaded
    32: GgmlType("Q4_0_4_8", 32, 18),
    33: GgmlType("Q4_0_8_8", 32, 18),
    34: GgmlType("TQ1_0", 256, 54),
    35: GgmlType("TQ2_0", 256, 66),
    39: GgmlType("MXFP4", 32, 17),
    40: GgmlType("NVFP4", 64, 36),
    41: GgmlType("Q1_0", 128, 18),
}
#: Source: ggml.h and the type traits of ik_llama.cpp.  A row of KS, KT, KL and BN begins with its own scale.
_IK_LLAMA_CPP: dict[int, GgmlType] = {
    36: GgmlType("I2_S", 4, 1, tail=32),  # Microsoft's BitNet: one scale for the whole tensor
    133: GgmlType("Q6_0", 32, 26),
    134: GgmlType("IQ1_BN", 64, 13, row=2),
    135: GgmlType("IQ2_BN", 64, 16, row=4),
    137: GgmlType("IQ2_K", 256, 76),
    138: GgmlType("IQ3_K", 256, 110),
    139: GgmlType("IQ4_K", 256, 144),
    140: GgmlType("IQ5_K", 256, 176),
    141: GgmlType("IQ6_K", 256, 212),
    144: GgmlType("IQ4_KS", 256, 136, row=4),
    145: GgmlType("IQ2_KS", 256, 70, row=2),
    146: GgmlType("IQ4_KSS", 256, 128, row=4),
    151: GgmlType("Q8_KV", 32, 32, row=8),
    152: GgmlType("IQ5_KS", 256, 168, row=4),
    153: GgmlType("IQ2_KT", 256, 68, row=4),
    154: GgmlType("IQ3_KT", 256, 100, row=4),
    155: GgmlType("IQ4_KT", 256, 128, row=4),
    156: GgmlType("IQ3_KS", 256, 102, row=2),
    157: GgmlType("IQ2_KL", 256, 86, row=2),
    158: GgmlType("IQ1_KT", 256, 56, row=4),
    219: GgmlType("IQ1_S_R4", 32, 6, row=2),
    229: GgmlType("IQ1_M_R4", 32, 7, row=2),
    398: GgmlType("Q8_KV_R8", 32, 32, row=4),
    399: GgmlType("Q8_K_R8", 256, 258),
}
#: its types whose rows are interleaved, four or eight at a time: as many bytes as the plain ones
_INTERLEAVED = {
    202: (2, "R8"),
    206: (6, "R4"),
    208: (8, "R8"),
    210: (10, "R4"),
    211: (11, "R4"),
    212: (12, "R4"),
    213: (13, "R4"),
    214: (14, "R4"),
    216: (16, "R4"),
    217: (17, "R4"),
    218: (18, "R4"),
    220: (20, "R4"),
    221: (21, "R4"),
    222: (22, "R4"),
    223: (23, "R8"),
    230: (30, "R16"),
    233: (133, "R4"),
    335: (135, "R4"),
    337: (137, "R4"),
    338: (138, "R4"),
    339: (139, "R4"),
    340: (140, "R4"),
    344: (144, "R4"),
    352: (152, "R4"),
}

TYPES: dict[int, GgmlType] = {**_LLAMA_CPP, **_IK_LLAMA_CPP}
TYPES |= {
    n: TYPES[of]._replace(name=f"{TYPES[of].name}_{suffix}") for n, (of, suffix) in _INTERLEAVED.items()
}
