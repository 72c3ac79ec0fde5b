"""The header of a safetensors file: what is read of an honest one, and what each damaged or hostile one is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from hub import framed, header_bytes
from hub.headers import BITS as WRITTEN_BITS
from hub.headers import Tensor, nbytes
from hypothesis import example, given
from hypothesis import strategies as st

from paramwidget.errors import BadCheckpoint
from paramwidget.sources.safetensors import (
    BITS,
    MAX_HEADER_BYTES,
    Header,
    header_length,
    parse_header,
    read_header,
)

ROOT = Path(__file__).parent.parent


def parse(text: str | bytes, data: int = 0) -> Header:
    """The header of a file that has ``data`` bytes behind it."""
    raw = text.encode() if isinstance(text, str) else text
    return parse_header(raw, 8 + len(raw) + data, "m.safetensors")


def refused(text: str | bytes, data: int = 0) -> str:
    with pytest.raises(BadCheckpoint) as caught:
        parse(text, data)
    said = str(caught.value)
    assert said.startswith("The header of m.safetensors ")
    assert said.endswith("The file is damaged, or not what its name says.")
    return said.removeprefix("The header of m.safetensors ")


# ------------------------------------------------------------------ what an honest header says


def test_a_tensor_has_its_name_its_shape_its_dtype_and_its_bytes() -> None:
    text = header_bytes([("a.weight", "BF16", (2, 3)), ("b", "F32", ()), ("c", "F4", (3, 4))])[8:]
    found = parse_header(text, 8 + len(text) + 12 + 4 + 6, "m", file=7)
    assert [tuple(t) for t in found.tensors] == [
        ("a.weight", (2, 3), "BF16", 12, 7),
        ("b", (), "F32", 4, 7),  # of no axis: one element
        ("c", (3, 4), "F4", 6, 7),  # two to a byte
    ]


def test_metadata_is_kept_apart_from_the_tensors() -> None:
    found = parse('{"__metadata__":{"format":"pt","note":"a \\"b\\" \\u00e9"},"a":' + A + "}", 2)
    assert found.metadata == {"format": "pt", "note": 'a "b" é'}
    assert [t.name for t in found.tensors] == ["a"]


A = '{"dtype":"U8","shape":[2],"data_offsets":[0,2]}'


@pytest.mark.parametrize(
    "text",
    [
        '{"a":{"data_offsets":[0,2],"shape":[2],"dtype":"U8"}}',
        '{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2],"more":{"x":[1.5,null]}}}',
        '{ "a" : { "dtype" : "U8" , "shape" : [ 2 ] , "data_offsets" : [ 0 , 2 ] } }  ',
        '{\n "a": {\n  "dtype": "U8",\n  "shape": [\n   2\n  ],\n  "data_offsets": [0, 2]\n }\n}\n',
        '{"\\u0061":{"d\\u0074ype":"U8","shape":[2],"data_offsets":[0,2]}}',
    ],
)
def test_however_json_spells_a_tensor_it_is_the_same(text: str) -> None:
    assert [tuple(t) for t in parse(text, 2).tensors] == [("a", (2,), "U8", 2, 0)]


def test_a_header_without_tensors_is_one() -> None:
    assert parse("{}").tensors == parse('{"__metadata__":{}}  ').tensors == []


def test_tensors_may_lie_in_another_order_than_they_are_named() -> None:
    text = json.dumps(
        {n: {"dtype": "U8", "shape": [2], "data_offsets": [o, o + 2]} for n, o in (("b", 2), ("a", 0))}
    )
    assert [t.name for t in parse(text, 4).tensors] == ["b", "a"]


def test_a_name_may_be_any_text() -> None:
    for name in ("größe.权重", 'a"b\\c', "\x00\n", "🤗"):
        for ascii in (True, False):
            text = json.dumps({name: json.loads(A)}, ensure_ascii=ascii)
            assert parse(text, 2).tensors[0].name == name


def test_an_empty_tensor_takes_no_bytes_wherever_it_lies() -> None:
    text = header_bytes([("a", "F32", (0, 7)), ("b", "U8", (2,)), ("c", "BF16", (3, 0))])[8:]
    assert [t.nbytes for t in parse(text, 2).tensors] == [0, 2, 0]


def test_the_dtypes_of_the_tests_are_those_of_the_package() -> None:
    assert {k: v for k, v in BITS.items() if not k.endswith("FNUZ")} == WRITTEN_BITS


def test_an_unknown_dtype_is_named_and_has_the_bytes_that_the_file_gives_it() -> None:
    new = '"F3_NEW"'
    found = parse(f'{{"a":{tensor("[0,3]", "[8]", new)},"b":{tensor("[3,9]", "[1]", new)}}}', 9)
    assert found.unknown == {"F3_NEW": 2}
    assert [(t.dtype, t.nbytes) for t in found.tensors] == [("F3_NEW", 3), ("F3_NEW", 6)]


def test_a_file_of_this_machine_is_read_no_further_than_its_header(tmp_path: Path) -> None:
    head = header_bytes([("a", "BF16", (1 << 20, 1 << 19))])
    with (tmp_path / "m.safetensors").open("wb") as file:
        file.write(head)
        file.truncate(len(head) + (1 << 40))  # a terabyte that is nowhere
    header, length = read_header(tmp_path / "m.safetensors")
    assert (header.tensors[0].elements, length) == (1 << 39, len(head) - 8)


# ------------------------------------------------------------------ its length


@pytest.mark.parametrize(
    ("first", "size", "said"),
    [
        (
            b"",
            0,
            "m is no safetensors file: it has 0 bytes, and a header alone has more. It was not written to its end",
        ),
        (b"\x07\x00", 2, "m is no safetensors file: it has 2 bytes"),
        (
            b"version https://git-lfs",
            133,
            "m is a Git LFS pointer of 133 bytes, not the file that it points to.",
        ),
        (b"<!DOCTYPE html>", 5000, "m is a web page, not a safetensors file."),
        (
            b"\xff" * 8,
            10**12,
            "m announces a header of 18,446,744,073,709,551,615 bytes; the format allows 100,000,000.",
        ),
        (
            (10**8 + 1).to_bytes(8, "little"),
            10**12,
            "m announces a header of 100,000,001 bytes; the format allows",
        ),
        (
            (100).to_bytes(8, "little"),
            107,
            "m announces a header of 100 bytes and has 107 in all. It was not written",
        ),
        ((0).to_bytes(8, "little"), 107, "m announces a header of 0 bytes and has 107 in all."),
    ],
)
def test_a_length_that_cannot_be_is_refused_before_anything_is_read(
    first: bytes, size: int, said: str
) -> None:
    with pytest.raises(BadCheckpoint) as caught:
        header_length(first, size, "m")
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "length",
    [
        60,  # "<" is byte 60
        60 + 256 * 7,
        60 * 256 + 32,  # " <": 15,392, which is padded to 8 as headers are
        (60 << 16) + (32 << 8) + 32,
    ],
)
def test_a_length_whose_bytes_read_like_a_web_page_is_one(length: int) -> None:
    first = length.to_bytes(8, "little")
    assert first.lstrip().startswith(b"<")
    assert header_length(first, 10**9, "m") == length


def test_a_header_may_be_as_long_as_the_format_allows() -> None:
    assert header_length(MAX_HEADER_BYTES.to_bytes(8, "little"), 10**12, "m") == 100_000_000


# ------------------------------------------------------------------ what it may not be


def tensor(offsets: str = "[0,2]", shape: str = "[2]", dtype: str = '"U8"') -> str:
    return f'{{"dtype":{dtype},"shape":{shape},"data_offsets":{offsets}}}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "does not begin with { but with b'[]'"),
        (" {}", "does not begin with { but with b' {}'"),
        ("{", "is not complete: it ends at byte 1 in the middle of a tensor"),
        (f'{{"a":{tensor()}', "is not complete: it ends at byte"),
        (f'{{"a":{tensor()},}}', "is not made of tensors at byte 53: b'}'"),
        (f'{{"a":{tensor()}}} {{}}', "goes on after its end, with b' {}' at byte 53"),
        (f'{{"a":{tensor()}}}\x00', "goes on after its end"),
        ('{"a":1}', "describes 'a' by 1, not by a dtype, a shape and data_offsets of two"),
        ('{"a":null}', "describes 'a' by None, not by"),
        ('{"a":{}}', "describes 'a' by {}, not by a dtype"),
        (f'{{"a":{tensor(shape="[-2]")}}}', "describes 'a' by {'dtype': 'U8', 'shape': [-2]"),
        (f'{{"a":{tensor(shape="[2.0]")}}}', "describes 'a' by"),
        (f'{{"a":{tensor(shape="[true]")}}}', "describes 'a' by"),
        (f'{{"a":{tensor(shape="[1e400]")}}}', "describes 'a' by"),
        (f'{{"a":{tensor(shape="[NaN]")}}}', "describes 'a' by NaN, which is no number of JSON"),
        (f'{{"a":{tensor(shape="[Infinity]")}}}', "describes 'a' by Infinity, which is no number of JSON"),
        (f'{{"a":{tensor(offsets="[0,-Infinity]")}}}', "describes 'a' by -Infinity, which is no number"),
        (f'{{"a":{tensor(shape="[2,]")}}}', "gives 'a' the shape '[2,]'"),
        (f'{{"a":{tensor(shape="[02]")}}}', "gives 'a' the shape '[02]'"),
        (f'{{"a":{tensor(offsets="[0]")}}}', "describes 'a' by"),
        (f'{{"a":{tensor(offsets="[0,1,2]")}}}', "describes 'a' by"),
        (f'{{"a":{tensor(dtype="8")}}}', "describes 'a' by"),
        (f'{{"a":{tensor(dtype=chr(34) * 2)}}}', "gives 'a' the dtype ''"),
        (f'{{"a":{tensor(dtype=chr(34) + "x" * 65 + chr(34))}}}', "gives 'a' the dtype 'xxx"),
        (
            '{"a":{"dtype":"U8","dtype":"U8","shape":[2],"data_offsets":[0,2]}}',
            "describes 'a' by a key that is given",
        ),
        (f'{{"a":{tensor()},"a":{tensor()}}}', "names 'a' 2 times"),
        (f'{{"a":{tensor()},"\\u0061":{tensor()}}}', "names 'a' 2 times"),
        ('{"__metadata__":{},"__metadata__":{}}', "gives '__metadata__' twice"),
        ('{"__metadata__":{"a":"b","a":"c"}}', "gives 'a' twice in its '__metadata__'"),
        ('{"__metadata__":[]}', "has a '__metadata__' that is not an object of strings"),
        ('{"__metadata__":{"a":1}}', "has a '__metadata__' that is not an object of strings, at byte 17"),
        (f'{{"a\\ud800":{tensor()}}}', "holds the text b'a\\xed\\xa0\\x80', which is not UTF-8"),
        (f'{{"\\x":{tensor()}}}', "holds the text b'\"\\\\x\"', which is no JSON string"),
    ],
)
def test_what_is_no_description_of_tensors_is_refused_with_what_it_is(text: str, said: str) -> None:
    assert refused(text, 2).startswith(said)


def test_bytes_that_are_no_text_are_refused() -> None:
    assert refused(b'{"\xff":' + A.encode() + b"}", 2).startswith(
        "holds the text b'\\xff', which is not UTF-8"
    )


def two(first: tuple[int, int], second: tuple[int, int]) -> str:
    def one(offsets: tuple[int, int]) -> str:
        return tensor(str(list(offsets)), f"[{offsets[1] - offsets[0]}]")

    return f'{{"a":{one(first)},"b":{one(second)}}}'


@pytest.mark.parametrize(
    ("text", "data", "said"),
    [
        (two((0, 4), (2, 6)), 6, "lets 'b' overlap 'a' by 2 bytes"),
        (two((0, 4), (0, 4)), 4, "lets 'b' overlap 'a' by 4 bytes"),
        (two((2, 6), (0, 4)), 6, "lets 'a' overlap 'b' by 2 bytes"),
        (two((0, 4), (6, 8)), 8, "leaves a hole of 2 bytes between 'a' and 'b'"),
        (two((1, 4), (4, 8)), 8, "leaves a hole of 1 bytes between the header and 'a'"),
        (two((0, 4), (4, 8)), 9, "describes 8 bytes of tensors, and the file has 9 behind its header"),
        (
            two((0, 4), (4, 8)),
            7,
            "puts 'b' (U8 [4]) at the bytes 4 to 8, and the file has 7 behind its header; it was not written to",
        ),
        (f'{{"a":{tensor("[0,2]", "[3]")}}}', 2, "gives 'a' (U8 [3]: 3 bytes) the offsets 0 to 2"),
        (f'{{"a":{tensor("[2,0]", "[2]")}}}', 2, "gives 'a' (U8 [2]: 2 bytes) the offsets 2 to 0"),
        (
            f'{{"a":{tensor("[2,0]", "[2]", chr(34) + "NEW" + chr(34))}}}',
            2,
            "gives 'a' (NEW [2]) offsets that end before they begin: 2 to 0",
        ),
        (
            f'{{"a":{tensor("[0,2]", "[3]", chr(34) + "F4" + chr(34))}}}',
            2,
            "gives 'a' 3 elements of 4 bits (F4), which is no whole byte",
        ),
    ],
)
def test_tensors_must_fill_the_file_one_after_the_other(text: str, data: int, said: str) -> None:
    assert refused(text, data).startswith(said)


@pytest.mark.parametrize(
    "shape", ["[4611686018427387904]", "[2147483648,2147483648]", "[1,4611686018427387904,1]"]
)
def test_a_claim_of_2_to_the_62_elements_is_held_against_the_size_of_the_file(shape: str) -> None:
    assert "4,611,686,018,427,387,904 bytes) the offsets 0 to 2" in refused(
        f'{{"a":{tensor(shape=shape)}}}', 2
    )
    full = f'{{"a":{tensor(offsets="[0,4611686018427387904]", shape=shape)}}}'
    assert "and the file has 2 behind its header" in refused(full, 2)


def test_a_claim_of_more_elements_than_an_index_reaches_is_refused() -> None:
    assert "of 2^63 elements or more" in refused(f'{{"a":{tensor(shape="[9223372036854775808]")}}}', 2)
    huge = f"[{','.join(['9223372036854775807'] * 3000)}]"
    assert "of 2^63 elements or more" in refused(f'{{"a":{tensor(shape=huge)}}}', 2)


# ------------------------------------------------------------------ bounded time and memory


def hostile() -> dict[str, bytes]:
    """Headers that cost a parser of whole JSON gigabytes or its stack: 8 MB each."""
    million = 1_000_000
    return {
        "lists in lists": b'{"a":' + b"[" * 8 * million,
        "objects in objects": b'{"a":' + b'{"b":' * (8 * million // 5),
        "empty lists": b'{"a":[' + b"[]," * (8 * million // 3),
        "small numbers": b'{"a":[' + b"1," * (4 * million),
        "a long shape": b'{"a":{"dtype":"U8","shape":['
        + b"1," * (4 * million)
        + b'1],"data_offsets":[0,1]}}',
        "a number of a million digits": b'{"a":{"shape":[' + b"9" * (8 * million),
        "one long name": b'{"' + b"a" * (8 * million),
        "backslashes": b'{"' + b"\\" * (8 * million),
        "space": b"{" + b" " * (8 * million) + b"x",
        "space between": b'{"a"' + b" " * (8 * million) + b"x",
    }


@pytest.mark.parametrize("kind", hostile())
def test_a_hostile_header_is_refused_in_little_time_and_memory(kind: str) -> None:
    text = hostile()[kind]
    tracemalloc.start()
    start = time.process_time()
    try:
        refused(text, 1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - start < 60  # a guard, not a speed
    assert peak < 5 * len(text), f"{peak:,}"


MILLION = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from paramwidget.sources.safetensors import parse_header
n = 1_000_000
text = "{" + ",".join(
    f'"t.{i}.weight":{{"dtype":"F8_E4M3","shape":[16,16],"data_offsets":[{256 * i},{256 * i + 256}]}}' for i in range(n)
) + "}"
text = text.encode()
found = parse_header(text, 8 + len(text) + 256 * n, "m")
print(len(found.tensors), sum(t.elements for t in found.tensors))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does")
def test_a_million_tensors_are_counted_within_two_gigabytes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MILLION],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ},
    )
    assert done.stdout.split() == ["1000000", "256000000"], done.stderr[-500:]


# ------------------------------------------------------------------ whatever the bytes are

TENSORS = st.lists(
    st.tuples(
        st.text(max_size=12).filter(lambda s: s != "__metadata__" and s.isprintable()),
        st.sampled_from([d for d in WRITTEN_BITS if WRITTEN_BITS[d] >= 8]),
        st.lists(st.integers(0, 9), max_size=4).map(tuple),
    ),
    max_size=6,
    unique_by=lambda t: t[0],
)


@given(TENSORS, st.none() | st.dictionaries(st.text(max_size=5), st.text(max_size=9), max_size=3))
def test_what_was_written_is_read(tensors: list[Tensor], metadata: dict[str, str] | None) -> None:
    head = header_bytes(tensors, metadata)
    size = len(head) + sum(nbytes(d, s) for _, d, s in tensors)
    assert header_length(head, size, "m") == len(head) - 8
    found = parse_header(head[8:], size, "m")
    assert [(t.name, t.dtype, t.shape) for t in found.tensors] == tensors
    assert found.metadata == (metadata or {})


def read_naively(text: bytes, data: int) -> list[tuple[str, str, tuple[int, ...]]] | None:
    """The same format by ``json.loads``; None where it is none."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    def number(text: str) -> None:
        raise ValueError

    try:
        if not text.startswith(b"{"):
            return None
        loaded = json.loads(text, object_pairs_hook=once, parse_constant=number)
        metadata = loaded.pop("__metadata__", {})
        if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
            return None
        found, spans = [], []
        for name, about in loaded.items():
            dtype, shape, (begin, end) = about["dtype"], about["shape"], about["data_offsets"]
            if not all(type(n) is int and n >= 0 for n in (*shape, begin, end)) or dtype not in BITS:
                return None
            if nbytes(dtype, shape) != end - begin:
                return None
            name.encode()
            found.append((name, dtype, tuple(shape)))
            spans.append((begin, end))
        at = 0
        for begin, end in sorted(spans):
            if begin != at:
                return None
            at = end
        return found if at == data else None
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError, RecursionError):
        return None


#: what an edit puts in: the words of a header, and what JSON or the format forbids
PIECES = st.sampled_from(
    f'"a"|"b"|"dtype"|"shape"|"data_offsets"|"U8"|[|]|{{|}}|,|:|0|2|4|-|1.0| |\\|"|\x00|é|"__metadata__"|null|NaN|\t|'
    f'[0,2]|{A}|"a":{A}|"b":{{"dtype":"U8"'.split("|")
)


@given(TENSORS, st.lists(st.tuples(st.integers(0, 400), st.integers(0, 6), PIECES), min_size=1, max_size=3))
@example([("a", "U8", (2,))], [(0, 0, " ")])
def test_a_damaged_header_is_read_as_json_reads_it_or_refused(
    tensors: list[Tensor], edits: list[tuple[int, int, str]]
) -> None:
    text = header_bytes(tensors)[8:].decode()
    data = sum(nbytes(d, s) for _, d, s in tensors)
    for at, cut, piece in edits:
        at = at % (len(text) + 1)
        text = text[:at] + piece + text[at + cut :]
    raw = text.encode()
    expected = read_naively(raw, data)
    try:
        found = parse_header(raw, 8 + len(raw) + data, "m")
    except BadCheckpoint:
        assert expected is None
    else:
        assert sum(t.nbytes for t in found.tensors) == data
        if not found.unknown:
            assert expected == [(t.name, t.dtype, t.shape) for t in found.tensors]


@given(st.binary(max_size=200), st.integers(0, 300))
def test_any_bytes_are_a_header_or_a_bad_checkpoint(raw: bytes, data: int) -> None:
    try:
        length = header_length(raw, len(raw) + data, "m")
        found = parse_header(raw[8 : 8 + length], len(raw) + data, "m")
    except BadCheckpoint:
        return
    assert found.tensors == []  # no such bytes are drawn that describe one


def test_padding_is_no_part_of_the_header() -> None:
    head = framed(b'{"a":' + A.encode() + b"}")
    assert len(head) % 8 == 0
    assert parse_header(head[8:], len(head) + 2, "m").tensors[0].name == "a"
