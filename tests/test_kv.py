"""What layers keep of a context, held against the caches of small models that transformers builds.

The reference (tests/reference/kv.jsonl) is made by ``make conformance``: of each layer the elements of keys and values
after 12 and after 23 tokens, of an encoder's, of states and of what waits to be compressed.
"""

from __future__ import annotations

from typing import Any

import pytest
from sweep import read

import paramwidget as pw
from paramwidget.architectures import TABLE
from paramwidget.layers import LayerSpec

PROMPTS = (12, 23)
SMALL = {(r["type"], r["variant"]): r["config"] for r in read("active.jsonl")}
ROWS = {":".join((r["type"], r.get("variant") or r["class"])): r for r in read("kv.jsonl")}
KNOWN = {name: r for name, r in ROWS.items() if r["type"] in TABLE}

#: classes that keep just the inputs of a convolution that are read again; the others keep as many as it is wide
EXACT_INPUTS = ("recurrent_gemma", "zaya")
#: classes of transformers that keep nothing and read the whole text again, though their attention could
WITHOUT_CACHE = ("openai-gpt",)
#: tokens of a prompt that the class itself puts before a text
OWN_PROMPT = {"cpmant": 32}
#: recurrences that transformers keeps as wide as the model is
AS_WIDE_AS_THE_MODEL = ("xlstm",)


def config_of(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = row.get("config") or SMALL[row["type"], row["variant"]]
    return found


def keys_and_values(layer: LayerSpec, tokens: int) -> int:
    """What transformers keeps behind a prompt: of a window all but the next token's own place."""
    seen = min(tokens, layer.window - 1) if layer.window else tokens
    return seen * layer.cached + tokens // layer.rate * (layer.indexer + layer.compressed)


def test_the_reference_covers_every_way_of_keeping() -> None:
    kinds = {s.mixer for r in KNOWN.values() for s in pw.count(config_of(r)).layers}
    assert kinds >= {"full", "sliding", "chunked", "mla", "compressed", "linear", "ssm", "none"}
    assert len({r["type"] for r in KNOWN.values()}) >= 120
    found = {key for r in KNOWN.values() for layer in r["layers"] for key in layer}
    assert found == {"kv", "cross", "carried", "inputs", "waiting", "shifted"}


@pytest.mark.parametrize("name", KNOWN)
def test_a_layer_keeps_what_the_cache_of_transformers_holds(name: str) -> None:
    row = ROWS[name]
    layers = pw.count(config_of(row)).layers
    held = row["layers"] or [{}] * len(layers)
    held += [{}] * (len(layers) - len(held))
    assert len(held) == len(layers)
    for layer, kept in zip(layers, held, strict=True):
        if row["type"] in WITHOUT_CACHE:
            assert kept == {}
            continue
        at = f"{name}, layer {layer.index}"
        own = OWN_PROMPT.get(row["type"], 0)
        assert [keys_and_values(layer, own + n) for n in PROMPTS] == kept.get("kv", [0, 0]), at
        elements, tokens = kept.get("cross", (0, 0))
        assert layer.cross * tokens == elements, at
        assert layer.cross_tokens in (None, tokens) or (name.startswith("mllama") and tokens == 7), at
        carried, dtype = kept.get("carried", (0, ""))
        channels, columns = kept.get("inputs", (0, 1))
        again = columns if row["type"] in EXACT_INPUTS else columns - 1
        rest = channels * again + kept.get("waiting", 0) + kept.get("shifted", 0)
        assert layer.state_elements == carried + rest, at
        if row["type"] not in AS_WIDE_AS_THE_MODEL:
            assert layer.state_float32 == (carried if dtype == "float32" else 0), at


def test_a_state_in_16_bits_is_one_that_adds_nothing_up_or_is_kept_so_everywhere() -> None:
    narrow = {
        r["type"] for r in KNOWN.values() for x in r["layers"] if x.get("carried", [0, ""])[1] == "bfloat16"
    }
    # lightning attention; the values of one token before
    assert narrow - set(AS_WIDE_AS_THE_MODEL) == {"minimax", "zaya"}
