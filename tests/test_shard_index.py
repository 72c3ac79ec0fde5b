"""The index of a sharded checkpoint: what it says, what it cannot mean, and what the headers say otherwise."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paramwidget.errors import BadCheckpoint
from paramwidget.inventory import StoredTensor
from paramwidget.sources.shard_index import Comparison, ShardIndex, parse_index


def read(text: str | bytes, size: int = 1 << 20) -> tuple[ShardIndex, dict[str, str]]:
    raw = text.encode() if isinstance(text, str) else text
    found: dict[str, str] = {}
    pieces = (raw[i : i + size] for i in range(0, len(raw), size))
    return parse_index(pieces, "model.safetensors.index.json", "m @ 0123", found.__setitem__), found


def written(weight_map: dict[str, str], **metadata: object) -> str:
    return json.dumps({"metadata": metadata, "weight_map": weight_map}, indent=2)


MAP = {
    "a": "model-00001-of-000002.safetensors",
    "b": "model-00002-of-000002.safetensors",
    "ö\n": "x/y.safetensors",
}


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_an_index_is_read_in_pieces_of_any_size(size: int) -> None:
    index, found = read(written(MAP, total_size=12, total_parameters=6, note={"x": [1.5, None]}), size)
    assert found == MAP
    assert index.files == tuple(MAP.values())
    assert [(d.key, d.value, d.file) for d in index.declared] == [
        ("total_size", 12, "model.safetensors.index.json"),
        ("total_parameters", 6, "model.safetensors.index.json"),
    ]
    assert index.problems == ()


@pytest.mark.parametrize(
    "text", ['{"weight_map":{}}', '{"weight_map":{},"metadata":null}', '{"metadata":{},"weight_map":{}}']
)
def test_an_index_may_declare_nothing(text: str) -> None:
    index, found = read(text)
    assert (index.files, index.declared, index.problems, found) == ((), (), (), {})


def test_a_total_that_is_a_float_is_a_number_and_a_problem() -> None:
    # RedPajama-INCITE-7B declares 13731385408.0
    index, _ = read(written(MAP, total_size=13731385408.0))
    assert index.declared[0].value == 13_731_385_408
    assert index.problems == ("model.safetensors.index.json declares total_size as the float 13731385408.0.",)


@pytest.mark.parametrize("value", ["12", [12], -12, 1.5, True])
def test_a_total_that_is_no_number_of_bytes_is_a_problem_and_declares_nothing(value: object) -> None:
    index, _ = read(written(MAP, total_size=value))
    assert index.declared == ()
    assert index.problems[0].startswith("model.safetensors.index.json declares total_size = ")
    assert index.problems[0].endswith("which is no number of bytes.")


@pytest.mark.parametrize(
    "file",
    [
        "../x.safetensors",
        "/etc/passwd",
        "a/../../x",
        "..",
        ".",
        "",
        "a//b",
        "./x",
        "C:\\x",
        "a\\b",
        "x\x00",
        "https://x/y",
    ],
)
def test_a_file_outside_of_the_folder_is_refused(file: str) -> None:
    with pytest.raises(BadCheckpoint) as caught:
        read(written({"a": file}))
    assert "The index m @ 0123 puts 'a' into" in str(caught.value)
    assert "which is not a file below its folder" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is not a JSON object, at byte 0: b'[]'"),
        ("", "is not a JSON object, at byte 0: b''"),
        ("{}", "has no weight_map"),
        ('{"metadata":{}}', "has no weight_map"),
        ('{"weight_map":[]}', "has a weight_map that is not an object of strings, at byte 14"),
        ('{"weight_map":{"a":1}}', "has a weight_map that is not an object of strings, at byte 15"),
        ('{"weight_map":{"a":"x"', "has a weight_map that is not an object of strings, at byte 15"),
        ('{"weight_map":{},"weight_map":{}}', "gives 'weight_map' twice"),
        ('{"weight_map":{}', "is not JSON, at byte 16: b''"),
        ('{"weight_map":{}} {}', "goes on after its end"),
        ('{"metadata":' + "[" * 30_000, "has a value of 'metadata' that is nested too deep"),
        (
            '{"metadata":{"total_size":NaN},"weight_map":{}}',
            "has a value of 'metadata' that cannot be read (NaN",
        ),
        (
            '{"metadata":{"a":1,"a":2},"weight_map":{}}',
            "has a value of 'metadata' that cannot be read (a key that",
        ),
        (
            '{"metadata":"' + "x" * 70_000 + '","weight_map":{}}',
            "has a value of 'metadata' that cannot be read",
        ),
        ('{"weight_map":{"a\\ud800":"x"}}', "holds the text"),
        (b'{"weight_map":{"\xff":"x"}}', "holds the text"),
    ],
)
def test_what_is_no_index_is_refused_with_what_it_is(text: str | bytes, said: str) -> None:
    with pytest.raises(BadCheckpoint) as caught:
        read(text)
    assert str(caught.value).startswith(f"The index m @ 0123 {said}")
    assert str(caught.value).endswith("It cannot say which files belong together.")


def test_an_index_of_more_than_20_megabytes_is_read_in_little_memory() -> None:
    def pieces():  # type: ignore[no-untyped-def]
        yield b'{"metadata": {"total_size": 1}, "weight_map": {'
        for layer in range(250):
            yield b"".join(
                b'"model.layers.%d.mlp.experts.%d.gate_proj.weight_scale_inv": "model-%05d-of-000250.safetensors",\n'
                % (layer, expert, layer)
                for expert in range(1000)
            )
        yield b'"z": "model-00000-of-000250.safetensors"}}'

    count = sent = 0

    def put(name: str, file: str) -> None:
        nonlocal count, sent
        count, sent = count + 1, sent + len(name) + len(file)

    tracemalloc.start()
    start = time.process_time()
    try:
        index = parse_index(pieces(), "i", "i", put)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (count, len(index.files)) == (250_001, 250)
    assert sent > 20_000_000
    assert peak < 3_000_000
    assert time.process_time() - start < 60  # a guard, not a speed


# ------------------------------------------------------------------ held against the headers


def held(name: str, elements: int = 4, file: int = 0) -> StoredTensor:
    return StoredTensor(name, (elements,), "BF16", 2 * elements, file)


def said(tensors: list[StoredTensor], text: str) -> list[str]:
    comparison = Comparison(tensors, {0: "one.safetensors", 1: "two.safetensors"})
    index = parse_index([text.encode()], "i.json", "i", comparison.put)
    return list(comparison.said(index))


BOTH = {"a": "one.safetensors", "b": "two.safetensors"}


def test_an_index_that_is_right_is_not_spoken_of() -> None:
    assert said([held("a"), held("b", file=1)], written(BOTH, total_size=16, total_parameters=8)) == []


def test_a_tensor_that_the_index_does_not_name_is_said() -> None:
    assert said([held("a"), held("b", file=1), held("c")], written(BOTH)) == [
        "'c' is in the files, and not in i.json."
    ]


def test_tensors_that_no_file_has_are_said_and_kept_with_their_file() -> None:
    comparison = Comparison([held("a")], {0: "one.safetensors"})
    index = parse_index([written({**BOTH, "c": "two.safetensors"}).encode()], "i.json", "i", comparison.put)
    assert list(comparison.said(index)) == [
        "2 tensors ('b' and others) are in i.json, and in none of the files that were read."
    ]
    assert comparison.absent == {"b": "two.safetensors", "c": "two.safetensors"}


def test_a_tensor_in_another_file_than_the_index_says_is_said() -> None:
    assert said([held("a", file=1), held("b", file=1)], written(BOTH)) == [
        "i.json puts 'a' into another file than the one that holds it: 'a' into one.safetensors, and "
        "two.safetensors has it."
    ]


def test_a_tensor_that_the_index_names_twice_is_said() -> None:
    text = '{"weight_map":{"a":"one.safetensors","a":"one.safetensors"}}'
    assert said([held("a")], text) == ["i.json names 'a' more than once."]


@pytest.mark.parametrize(
    ("metadata", "sentence"),
    [
        # nvidia/Cosmos-Reason2-8B
        ({"total_size": 0}, "i.json declares total_size 0; the headers hold 16 bytes (-16)."),
        ({"total_size": 32}, "i.json declares total_size 32; the headers hold 16 bytes (+16)."),
        # google/medgemma-27b-it counts its tied head twice
        ({"total_parameters": 12}, "i.json declares total_parameters 12; the headers hold 8 elements (+4)."),
    ],
)
def test_a_total_that_is_wrong_is_said_with_the_difference(
    metadata: dict[str, object], sentence: str
) -> None:
    assert said([held("a"), held("b", file=1)], written(BOTH, **metadata)) == [sentence]


@given(
    st.dictionaries(st.text(max_size=6), st.sampled_from(["a.safetensors", "b/c.safetensors"]), max_size=8)
)
def test_any_names_are_read_as_json_reads_them(weight_map: dict[str, str]) -> None:
    for ascii in (True, False):
        assert read(json.dumps({"weight_map": weight_map}, ensure_ascii=ascii), 5)[1] == weight_map
