"""The header of a GGUF file: what is read, what is left out, and what cannot be."""

from __future__ import annotations

import random
import struct
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from gguf_writer import (
    ARRAY,
    BOOL,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    STRING,
    U8,
    U16,
    U32,
    U64,
    Tensor,
    Typed,
    header,
    string,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from paramwidget import BadCheckpoint
from paramwidget.inventory import StoredTensor
from paramwidget.sources.gguf import MAX_HEADER_BYTES, Header, LeftOut, read_header
from paramwidget.sources.gguf_types import TYPES

ARCH = {"general.architecture": "llama"}


def reader(text: bytes) -> Callable[[int, int], bytes]:
    """A file of which only the header has bytes; what lies behind is read as zeros."""
    return lambda offset, length: text[offset : offset + length].ljust(length, b"\0")


def read(text: bytes, size: int | None = None) -> Header:
    return read_header(reader(text), len(text) if size is None else size, "m.gguf")


def read_back(metadata: Any, tensors: Any = (), **more: Any) -> Header:
    return read(*header(metadata, tensors, **more))


def refused(text: bytes, size: int | None = None) -> str:
    with pytest.raises(BadCheckpoint) as e:
        read(text, size)
    assert str(e.value).startswith("m.gguf: ")
    return str(e.value)


# ------------------------------------------------------------------ what is read


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("order", ["<", ">"])
def test_every_type_of_value_is_read_in_both_byte_orders(version: int, order: str) -> None:
    values = {
        "u8": Typed(U8, 255),
        "i8": Typed(I8, -128),
        "u16": Typed(U16, 65_535),
        "i16": Typed(I16, -2),
        "u32": Typed(U32, 2**32 - 1),
        "i32": Typed(I32, -3),
        "f32": Typed(F32, 0.5),
        "bool": Typed(BOOL, True),
        "string": Typed(STRING, "größer"),
        "u64": Typed(U64, 2**64 - 1),
        "i64": Typed(I64, -(2**63)),
        "f64": Typed(F64, 1e-9),
        "array": Typed(ARRAY, (I16, [1, -1])),
        "strings": Typed(ARRAY, (STRING, ["a", ""])),
        "nested": Typed(ARRAY, (ARRAY, [(U8, [1]), (U8, [])])),
    }
    found = read_back(values, [Tensor("t", (6, 4), "F32")], version=version, order=order)
    assert found.version == version
    assert found.metadata == {
        "u8": 255,
        "i8": -128,
        "u16": 65_535,
        "i16": -2,
        "u32": 4_294_967_295,
        "i32": -3,
        "f32": 0.5,
        "bool": True,
        "string": "größer",
        "u64": 18_446_744_073_709_551_615,
        "i64": -9_223_372_036_854_775_808,
        "f64": 1e-9,
        "array": [1, -1],
        "strings": ["a", ""],
        "nested": [[1], []],
    }
    assert found.tensors == (StoredTensor("t", (4, 6), "F32", 96),)


def test_a_shape_is_turned_round_and_the_bytes_are_those_of_its_type() -> None:
    tensors = [
        Tensor("a", (4096, 14_336), "Q4_K"),
        Tensor("b", (2880, 2880, 32), "MXFP4"),
        Tensor("c", (256,), "IQ4_KS"),
        Tensor("d", (), "F32"),
        Tensor("e", (256, 0), "Q6_K"),
    ]
    assert read_back(ARCH, tensors).tensors == (
        StoredTensor("a", (14_336, 4096), "Q4_K", 33_030_144),  # 58,720,256 × 144 / 256
        StoredTensor("b", (32, 2880, 2880), "MXFP4", 141_004_800),  # 265,420,800 × 17 / 32
        StoredTensor("c", (256,), "IQ4_KS", 140),  # one block and the scale of the row
        StoredTensor("d", (), "F32", 4),
        StoredTensor("e", (0, 256), "Q6_K", 0),
    )


@pytest.mark.parametrize(
    ("name", "hundredths"),
    [  # bits per weight as llama.cpp's quantize prints or its text says, times 100
        ("Q4_0", 450),
        ("Q4_K", 450),
        ("Q5_K", 550),
        ("Q6_K", 656.25),
        ("Q8_0", 850),
        ("IQ2_XXS", 206.25),
        ("IQ1_M", 175),
        ("TQ1_0", 168.75),
        ("MXFP4", 425),
        ("NVFP4", 450),
        ("IQ4_KSS", 400),
        ("IQ3_KT", 312.5),
        ("Q6_0", 650),
    ],
)
def test_a_type_takes_the_bits_that_its_authors_give(name: str, hundredths: float) -> None:
    found = next(t for t in TYPES.values() if t.name == name)
    assert found.nbytes * 800 / found.block == hundredths


def test_a_vocabulary_and_a_chat_template_are_passed_over_and_their_length_kept() -> None:
    tokens = [f"token{i}" for i in range(250_000)]
    scores = Typed(ARRAY, (F32, [0.0] * 250_000))
    metadata = {"tokens": tokens, "scores": scores, "template": "x" * 50_000, "after": 7}
    text, size = header(metadata, [Tensor("t", (32,), "F32")])
    asked: list[int] = []

    def counting(offset: int, length: int) -> bytes:
        asked.append(length)
        return reader(text)(offset, length)

    tracemalloc.start()
    found = read_header(counting, size, "m.gguf")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.metadata == {
        "tokens": LeftOut("strings", 250_000),
        "scores": LeftOut("numbers", 250_000),
        "template": LeftOut("characters", 50_000),
        "after": 7,
    }
    assert found.header_bytes == len(text)
    assert sum(asked) < len(text) + 2**20
    assert len(asked) < 10
    assert peak < 6 * 2**20


def test_what_is_not_utf_8_in_a_value_does_not_stop_the_reading() -> None:
    assert read_back({"name": Typed(STRING, b"\xffa")}).metadata == {"name": "\ufffda"}


def test_the_alignment_that_a_file_declares_is_the_one_that_counts() -> None:
    tensors = [Tensor("a", (3,), "F32"), Tensor("b", (3,), "F32")]
    metadata = {"general.alignment": 64}
    assert len(read_back(metadata, tensors, alignment=64).tensors) == 2
    text, size = header(metadata, tensors, alignment=32)
    assert "the data of 'b' begin at 32, no multiple of the alignment 64" in refused(text, size)


# ------------------------------------------------------------------ what cannot be


def test_what_is_no_gguf_file_says_with_what_it_begins() -> None:
    assert "it begins with b'<htm', not with GGUF" in refused(b"<html>" * 20)
    assert "at byte 0 of 0 comes a value of 4 bytes" in refused(b"")


@pytest.mark.parametrize("version", [1, 4, 0x10000])
def test_another_version_is_named(version: int) -> None:
    text = b"GGUF" + struct.pack("<I", version) + bytes(64)
    assert "and only versions 2 and 3 can be read. Convert the model again." in refused(text)


def test_a_file_that_is_cut_within_its_data_says_where_it_would_end() -> None:
    text, size = header(ARCH, [Tensor("a", (32,), "F32"), Tensor("b", (4096, 4096), "Q8_0")])
    assert refused(text, size - 1) == (
        f"m.gguf: it is cut: 'b' would end at byte {size:,}, and the file has {size - 1:,}. Download it again."
    )


def test_a_file_that_is_cut_anywhere_within_its_header_is_refused() -> None:
    text, _ = header({**ARCH, "a": ["b", "c"], "n": 1}, [Tensor("t", (32,), "F32")])
    for length in range(len(text)):
        assert "Download it again" in refused(text[:length])


def test_a_file_that_ends_before_its_size_is_refused() -> None:
    text, size = header(ARCH, [Tensor("t", (32,), "F32")])
    with pytest.raises(BadCheckpoint, match="it ends at byte 20 within its header, although it has"):
        read_header(lambda offset, length: text[offset : min(offset + length, 20)], size, "m.gguf")


@pytest.mark.parametrize(
    ("tensors", "words"),
    [
        ([Tensor("t", (32,), kind=9999)], "the tensor 't' has the type 9999, which is not known here"),
        ([Tensor("t", (100,), "Q4_0", kind=2)], "'t' has rows of 100 elements, and Q4_0 stores 32 at a time"),
        ([Tensor("t", (1, 1, 1, 1, 1), "F32")], "the tensor 't' has 5 axes; ggml has 4"),
        (
            [Tensor("t", (2**62, 4), "I8", kind=24)],
            "the tensor 't' claims 18,446,744,073,709,551,616 elements",
        ),
        ([Tensor("t", (32,), "F32")] * 2, "the tensor 't' is listed twice"),
        (
            [Tensor("t", (32,), "F32"), Tensor("u", (32,), "F32", offset=96)],
            "the data of 't' and of 'u' overlap",
        ),
        ([Tensor("t", (32,), "F32", offset=31)], "begin at 31, no multiple of the alignment 32"),
        ([Tensor("", (32,), "F32")], "the name of a tensor is 0 bytes long"),
    ],
)
def test_a_tensor_that_cannot_be_is_named(tensors: list[Tensor], words: str) -> None:
    text, size = header(ARCH, tensors)
    assert words in refused(text, min(size, 10**15))


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([("a", 1), ("a", 1)], "the key 'a' is given twice"),
        ([("", 1)], "a key is 0 bytes long"),
        ([("general.alignment", 0)], "general.alignment is 0, not a power of two"),
        ([("general.alignment", 48)], "general.alignment is 48, not a power of two"),
        ([("general.alignment", "32")], "general.alignment is '32', not a power of two"),
    ],
)
def test_a_key_that_cannot_be_is_named(pairs: list[tuple[str, Any]], words: str) -> None:
    text, size = header(pairs, [Tensor("t", (32,), "F32")])
    assert words in refused(text, size)


def test_a_name_that_is_not_utf_8_is_refused() -> None:
    text = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + string(b"\xff\xfe") + struct.pack("<II", U32, 1)
    assert r"a key, b'\xff\xfe', is not UTF-8" in refused(text)


def with_value(raw: bytes) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + string("k") + raw + bytes(200)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (struct.pack("<I", 13), "the key 'k' has a value of type 13, which GGUF does not have"),
        (struct.pack("<IIQ", ARRAY, 99, 1), "the key 'k' has an array of type 99, which GGUF does not have"),
        (struct.pack("<IIQ", ARRAY, U64, 2**61), "comes the value of 'k'"),
        (
            struct.pack("<IIQ", ARRAY, STRING, 2**62),
            "comes the array 'k' of 4,611,686,018,427,387,904 entries",
        ),
        (struct.pack("<IQ", STRING, 2**64 - 1), "comes the value of 'k'"),
        (struct.pack("<I", ARRAY) + struct.pack("<IQ", ARRAY, 1) * 9, "nested more than 4 arrays deep"),
    ],
)
def test_a_value_that_cannot_be_is_refused_before_anything_is_read_for_it(raw: bytes, words: str) -> None:
    assert words in refused(with_value(raw))


def test_a_claim_of_more_tensors_or_keys_than_any_model_has_is_refused() -> None:
    for tensors, keys in ((2**63, 0), (0, 2**63)):
        text = b"GGUF" + struct.pack("<IQQ", 3, tensors, keys) + bytes(99)
        assert "no model has more than 1,000,000 and 100,000" in refused(text)


def test_a_header_is_never_read_beyond_its_bound() -> None:
    text = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + string("k") + struct.pack("<IIQ", ARRAY, U8, 2**40)
    assert f"its header is longer than {MAX_HEADER_BYTES:,} bytes" in refused(text, 2**41)


def test_the_worst_header_of_strings_is_passed_over_in_bounded_time() -> None:
    count = 5_000_000  # empty ones, 40 MB
    text = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + string("k") + struct.pack("<IIQ", ARRAY, STRING, count)
    start = time.process_time()
    assert read(text, len(text) + 8 * count).metadata == {"k": LeftOut("strings", count)}
    assert time.process_time() - start < 60  # a guard, not a speed


def test_a_hundred_thousand_tensors_are_read() -> None:
    tensors = [Tensor(f"t{i}", (32,), "F32") for i in range(100_000)]
    assert len(read_back(ARCH, tensors).tensors) == 100_000


WHOLE, WHOLE_SIZE = header(
    {**ARCH, "n": 5, "a": [1, 2], "s": ["x", "y"], "f": 0.5},
    [Tensor("t", (32, 2), "Q8_0"), Tensor("u", (3,), "F32")],
)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=12))
def test_whatever_stands_in_a_header_it_is_read_or_refused(at: int, damage: bytes) -> None:
    text = WHOLE[:at] + damage + WHOLE[at + len(damage) :]
    try:
        found = read(text, WHOLE_SIZE)
    except BadCheckpoint:
        return
    assert sum(t.nbytes for t in found.tensors) <= WHOLE_SIZE


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_refused_or_read(raw: bytes) -> None:
    try:
        read(b"GGUF\3\0\0\0" + raw)
    except BadCheckpoint:
        return


def test_however_few_bytes_come_at_once_the_header_is_the_same() -> None:
    dice = random.Random(5)
    text, size = header({"tokens": ["ab"] * 5000, "n": 1}, [Tensor("t", (32,), "F32")])

    def short(offset: int, length: int) -> bytes:
        return reader(text)(offset, max(min(length, dice.randint(1, 300)), 64))

    assert read_header(short, size, "m.gguf") == read(text, size)
