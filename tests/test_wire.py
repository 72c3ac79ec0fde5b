"""What goes to the browser: plain JSON, small, whole numbers that JavaScript holds exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from configs import SMALL

import paramwidget as pw
from paramwidget.wire import facts, to_wire


def as_json(wire: dict[str, Any]) -> str:
    return json.dumps(wire, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def integers(value: object) -> Iterator[int]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from integers(item)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


KEYS = {
    "schema",
    "model",
    "model_type",
    "architecture",
    "facts",
    "dtype",
    "provenance",
    "tensors",
    "roles",
    "toggles",
    "defaults",
    "layers",
    "presets",
    "claims",
    "headline",
    "defaulted",
    "weight_bytes",
    "words",
    "memory",
}


@pytest.mark.parametrize("name", pw.catalog())
def test_every_bundled_model_goes_to_the_browser_as_json_and_comes_back_the_same(name: str) -> None:
    wire = to_wire(pw.count(name))
    assert set(wire) == KEYS
    assert json.loads(as_json(wire)) == wire


@pytest.mark.parametrize("name", pw.catalog())
def test_every_integer_is_one_that_javascript_holds_exactly(name: str) -> None:
    assert all(0 <= n < 2**53 for n in integers(to_wire(pw.count(name))))


def test_gpt_oss_120b_takes_less_than_20_kb() -> None:
    assert len(as_json(to_wire(pw.count("openai/gpt-oss-120b"))).encode()) < 20_000


def test_the_largest_bundled_model_takes_less_than_80_kb() -> None:
    assert max(len(as_json(to_wire(pw.count(name))).encode()) for name in pw.catalog()) < 80_000


def tensor(name: str, tensor_name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(t for t in to_wire(pw.count(name))["tensors"] if t["name"] == tensor_name)
    return found


def test_a_plain_tensor_has_no_key_that_says_nothing() -> None:
    assert tensor("Qwen/Qwen2.5-0.5B", "model.norm.weight") == {
        "name": "model.norm.weight",
        "shape": [896],
        "symbols": "hidden_size",
        "role": "norm",
        "layers": "",
    }


def test_a_stacked_tensor_names_its_leading_axis() -> None:
    t = tensor("openai/gpt-oss-120b", "model.layers.{layer}.mlp.experts.gate_up_proj")
    assert (t["copies"], t["active_copies"], t["stacked"]) == (4608, 144, [128, "num_local_experts"])
    assert t["layers"] == "0-35"
    assert "active_low" not in t


def test_a_tie_and_an_implied_tensor_say_so() -> None:
    assert tensor("Qwen/Qwen2.5-0.5B", "lm_head.weight")["tied_to"] == "model.embed_tokens.weight"
    assert tensor("openai/gpt-oss-120b", "model.layers.{layer}.self_attn.sinks")["implied"] is True


def test_every_tensor_of_the_breakdown_is_there() -> None:
    for name in ("openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V3"):
        b = pw.count(name)
        assert [t["name"] for t in to_wire(b)["tensors"]] == [t.name for t in b.tensors]


def test_roles_and_toggles_carry_the_words_that_a_reader_sees() -> None:
    wire = to_wire(pw.count("openai/gpt-oss-120b"))
    assert wire["roles"][0] == {"key": "embedding", "label": "embedding"}
    assert [t["key"] for t in wire["toggles"]] == ["embedding", "lm_head", "router", "norm", "bias", "scale"]
    assert all(t["help"] for t in wire["toggles"])


def test_the_defaults_of_each_basis_go_along() -> None:
    assert to_wire(pw.count(SMALL))["defaults"] == {
        "stored": ["scale"],
        "architectural": ["scale"],
        "active": ["encoder", "mtp", "vision", "audio", "projector", "scale", "unread"],
    }


def test_the_claims_go_as_they_were_read_with_what_their_source_says_and_the_headline_its_place() -> None:
    wire = to_wire(pw.count("openai/gpt-oss-120b"))
    assert wire["claims"][wire["headline"]] == {
        "text": "5.13B active",
        "source": "gpt-oss model card, Table 1",
        "url": "https://arxiv.org/abs/2508.10925",
        "quote": "Unembedding parameters are counted towards active, but not embeddings.",
        "off": ["embedding"],
        "basis": "active",
        "low": [513, 2, 10**9],
    }
    v3 = to_wire(pw.count("deepseek-ai/DeepSeek-V3"))
    (hub,) = [c for c in v3["claims"] if c["text"] == "685B on the Hub"]
    assert (hub["basis"], hub["on"]) == ("architectural", ["scale"])


def test_a_preset_says_whether_it_is_documented_for_this_type_of_model() -> None:
    presets = {
        p["key"]: p.get("documented", False) for p in to_wire(pw.count("openai/gpt-oss-120b"))["presets"]
    }
    assert (presets["gpt_oss_card"], presets["full_forward_pass"]) == (True, False)


def test_a_model_without_claims_has_no_headline() -> None:
    wire = to_wire(pw.count(SMALL))
    assert (wire["claims"], wire["headline"]) == ([], None)


def test_a_default_that_was_computed_carries_its_rule() -> None:
    defaulted = {d["key"]: d for d in to_wire(pw.count(SMALL))["defaulted"]}
    assert defaulted["head_dim"] == {
        "key": "head_dim",
        "value": 2,
        "rule": "hidden_size ÷ num_attention_heads",
    }


def test_the_header_says_layers_and_experts() -> None:
    assert facts(pw.count("openai/gpt-oss-120b")) == ["36 layers", "4 of 128 experts"]
    assert facts(pw.count(SMALL)) == ["1 layer"]


def test_a_pinned_revision_is_shown_and_data_has_none() -> None:
    assert to_wire(pw.count("openai/gpt-oss-120b"))["provenance"]["pin"] == "not pinned"
    assert to_wire(pw.count(SMALL))["provenance"]["pin"] == ""


def test_a_run_of_layers_carries_what_it_keeps_and_nothing_that_says_nothing() -> None:
    assert to_wire(pw.count("openai/gpt-oss-120b"))["layers"][1] == {
        "layers": "1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35",
        "mixer": "full",
        "ffn": "moe",
        "kv_heads": 8,
        "k_dim": 64,
        "v_dim": 64,
    }
    sparse = next(
        run for run in to_wire(pw.count("deepseek-ai/DeepSeek-V4-Flash"))["layers"] if "indexer" in run
    )
    assert (sparse["window"], sparse["compressed"], sparse["indexer"], sparse["rate"]) == (128, 512, 128, 4)
    shared = next(
        run for run in to_wire(pw.count("google/gemma-4-E2B-it"))["layers"] if "shares_kv_with" in run
    )
    assert shared["shares_kv_with"] == 13


def test_the_weights_of_each_role_go_along_with_what_a_dtype_converts() -> None:
    sent = to_wire(pw.count("openai/gpt-oss-120b"))["memory"]
    # embedding: 16 bits, and no linear map; experts: MXFP4 with 17 bytes for 32 values, biases in 16 bits
    assert sent["weights"][0] == ["embedding", 1_158_266_880, 579_133_440, 0]
    maps, biases = 36 * 128 * (2880 * 5760 + 2880 * 2880), 36 * 128 * (5760 + 2880)
    assert ["routed_expert", maps * 17 // 32 + 2 * biases, maps + biases, maps] in sent["weights"]
    assert sent["experts"] == [[36, 128, 4]]


def test_the_sentences_go_along_and_both_languages_say_them_from_one_table() -> None:
    from paramwidget.words import WORDS, say

    assert to_wire(pw.count(SMALL))["words"] == WORDS
    assert say("to_digits", "230B", 2, "s") == ", which is 230B to 2 digits"
