"""Bad input: each is a ParamWidgetError that says where, which key and which value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from configs import SMALL, bundled
from hypothesis import example, given, settings
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.class_defaults import class_defaults
from paramwidget.config import Config
from paramwidget.sources.data import parse


def refused(config: dict[str, Any]) -> pw.ConfigError:
    with pytest.raises(pw.ConfigError) as caught:
        pw.count(config)
    return caught.value


# ------------------------------------------------------------------ dimensions


@pytest.mark.parametrize(
    ("value", "shown", "why"),
    [
        (0, "0", "must be at least 1"),
        (-4, "-4", "must be at least 1"),
        (True, "True", "must be a whole number"),
        (4.0, "4.0", "must be a whole number"),
        (float("nan"), "nan", "must be a whole number"),
        ("4", "'4'", "must be a whole number"),
        ([4], "[4]", "must be a whole number"),
        ({"a": 4}, "{'a': 4}", "must be a whole number"),
        (2**53, "9007199254740992", "is larger than 2^53 − 1"),
    ],
)
def test_a_dimension_that_is_no_whole_number_from_1_on_is_refused(
    value: object, shown: str, why: str
) -> None:
    error = refused({**SMALL, "hidden_size": value})
    assert str(error).startswith(f"the config: hidden_size = {shown} {why}")
    assert error.key == "hidden_size"


def test_a_missing_dimension_is_an_error_and_never_a_default_that_nobody_declared() -> None:
    config = {k: v for k, v in SMALL.items() if k != "hidden_size"}
    error = refused({**config, "hidden_sizes": 4})
    assert str(error).startswith("the config: hidden_size is missing (or n_embd, d_model")
    assert str(error).endswith(
        "and this architecture declares no default for it. The nearest key it has is 'hidden_sizes'. "
        "Add the key to the config."
    )
    assert error.key == "hidden_size"


def test_a_null_dimension_without_a_declared_default_is_an_error_of_its_own() -> None:
    error = refused({**SMALL, "vocab_size": None})
    assert "the config: vocab_size is null, and this architecture declares no default for it" in str(error)
    assert error.key == "vocab_size"


def test_the_error_names_the_spelling_that_the_config_uses() -> None:
    error = refused({**bundled("openai-community/gpt2"), "n_embd": -768})
    assert str(error).startswith("the config: n_embd = -768 must be at least 1")


def test_an_int_of_thousands_of_digits_is_refused_without_being_printed() -> None:
    error = refused({**SMALL, "hidden_size": 10**5000})
    assert "hidden_size = a int too large to print is larger than 2^53 − 1" in str(error)


def test_a_long_value_is_cut_in_the_message() -> None:
    error = refused({**SMALL, "hidden_size": "9" * 10_000})
    assert len(str(error)) < 200


def test_dimensions_whose_product_no_model_has_are_refused() -> None:
    error = refused({**SMALL, "hidden_size": 2**40, "vocab_size": 2**40})
    assert "parameters, more than 2^53 − 1" in str(error)
    assert error.value == 7_253_554_917_710_864_792_420_352


def test_heads_that_do_not_divide_the_width_are_refused() -> None:
    error = refused({**SMALL, "num_attention_heads": 3, "num_key_value_heads": 3})
    assert str(error) == "the config: hidden_size = 4 is not a multiple of num_attention_heads = 3."


def test_key_value_heads_that_do_not_divide_the_heads_are_refused() -> None:
    error = refused({**SMALL, "num_attention_heads": 4, "num_key_value_heads": 3, "head_dim": 2})
    assert str(error) == "the config: num_key_value_heads = 3 does not divide num_attention_heads = 4."


def test_linear_heads_that_do_not_divide_are_refused() -> None:
    error = refused({**bundled("Qwen/Qwen3-Next-80B-A3B-Instruct"), "linear_num_key_heads": 7})
    assert "linear_num_key_heads = 7 does not divide linear_num_value_heads = 32" in str(error)


def test_more_experts_for_a_token_than_there_are_is_refused() -> None:
    error = refused({**bundled("mistralai/Mixtral-8x7B-v0.1"), "num_experts_per_tok": 9})
    assert str(error) == "the config: num_experts_per_tok = 9 is more than the 8 experts there are."


def test_a_hundred_thousand_layers_are_the_most() -> None:
    assert pw.count({**SMALL, "num_hidden_layers": 100_000}).stored == 100_000 * 144 + 68
    error = refused({**SMALL, "num_hidden_layers": 100_001})
    assert str(error) == "the config: num_hidden_layers = 100001 is more than 100,000 layers."


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("deepseek-ai/DeepSeek-V3", "num_nextn_predict_layers"),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", "mtp_num_hidden_layers"),
        ("Qwen/Qwen3.6-35B-A3B", "text_config.mtp_num_hidden_layers"),
        ("Qwen/Qwen3.6-35B-A3B", "vision_config.depth"),
        ("google/gemma-4-E2B-it", "audio_config.num_hidden_layers"),
        ("google/gemma-4-E2B-it", "vision_config.num_hidden_layers"),
    ],
)
def test_as_many_are_the_most_of_a_tower_or_of_what_predicts_ahead(name: str, path: str) -> None:
    config = bundled(name)
    *outer, key = path.split(".")
    inner = config[outer[0]] if outer else config
    inner[key] = 10**9
    error = refused(config)
    assert str(error) == f"the config: {path} = 1000000000 is more than 100,000 layers."


def test_layers_that_are_left_dense_one_by_one_are_looked_up_and_not_searched() -> None:
    config = {**bundled("Qwen/Qwen3-30B-A3B"), "num_hidden_layers": 100_000, "intermediate_size": 6144}
    b = pw.count({**config, "mlp_only_layers": list(range(0, 100_000, 2))})  # minutes, if each were searched
    (router,) = [t for t in b.tensors if t.role == "router"]
    assert tuple(router.layers) == tuple(range(1, 100_000, 2))


def test_a_key_of_a_nested_config_is_named_with_its_path() -> None:
    config = bundled("Qwen/Qwen3.6-35B-A3B")
    config["vision_config"]["depth"] = -1
    error = refused(config)
    assert str(error).startswith("the config: vision_config.depth = -1 must be at least 1")
    assert error.key == "vision_config.depth"


@pytest.mark.parametrize("key", ["text_config", "vision_config"])
def test_a_nested_config_that_is_no_object_is_refused(key: str) -> None:
    error = refused({**bundled("Qwen/Qwen3.6-35B-A3B"), key: [1]})
    assert f"{key} = [1] must be an object" in str(error)


# ------------------------------------------------------------------ flags, lists, words


@pytest.mark.parametrize("value", ["yes", 1, 0, []])
def test_a_flag_that_is_neither_true_nor_false_is_refused(value: object) -> None:
    error = refused({**SMALL, "tie_word_embeddings": value})
    assert f"tie_word_embeddings = {value!r} must be true or false" in str(error)


def test_layer_types_of_the_wrong_length_are_refused() -> None:
    error = refused({**bundled("openai/gpt-oss-20b"), "layer_types": ["full_attention"] * 23})
    assert "has 23 entries; it must have one for each of the 24 layers" in str(error)
    assert error.key == "layer_types"


def test_a_layer_type_that_is_not_known_is_refused_with_the_known_ones() -> None:
    config = bundled("openai/gpt-oss-20b")
    config["layer_types"][5] = "fancy_attention"
    error = refused(config)
    assert "layer_types[5] = 'fancy_attention' is none of full_attention, sliding_attention" in str(error)


def test_layer_types_that_are_no_list_are_refused() -> None:
    error = refused({**bundled("openai/gpt-oss-20b"), "layer_types": "full_attention"})
    assert "layer_types = 'full_attention' must be a list with one entry a layer" in str(error)


def test_dense_layers_that_are_no_list_of_indices_are_refused() -> None:
    error = refused({**bundled("Qwen/Qwen3-30B-A3B"), "mlp_only_layers": "none"})
    assert "mlp_only_layers = 'none' must be a list of layer indices" in str(error)


def test_a_block_size_that_is_not_two_whole_numbers_is_refused() -> None:
    config = bundled("deepseek-ai/DeepSeek-V3")
    config["quantization_config"]["weight_block_size"] = [128, 0]
    error = refused(config)
    assert "quantization_config.weight_block_size = [128, 0] must be two whole numbers" in str(error)


@pytest.mark.parametrize("value", ["LlamaForCausalLM", [1], [None], {"a": 1}, 5])
def test_architectures_that_are_no_list_with_a_class_are_refused(value: object) -> None:
    error = refused({**SMALL, "architectures": value})
    assert f"architectures = {value!r} must be a list with one class name" in str(error)


@pytest.mark.parametrize("value", [["llama"], 7, {"a": "llama"}])
def test_a_model_type_that_is_no_string_is_refused(value: object) -> None:
    error = refused({**SMALL, "model_type": value})
    assert f"model_type = {value!r} must be a string" in str(error)


@pytest.mark.parametrize("empty", [{}, {"architectures": []}, {"architectures": ()}, {"model_type": ""}])
def test_a_config_that_names_neither_type_nor_class_is_refused(empty: dict[str, Any]) -> None:
    error = refused({"hidden_size": 4, **empty})
    assert "neither model_type nor architectures is given" in str(error)
    assert error.key == "model_type"


def test_keys_that_are_no_text_do_not_break_the_message() -> None:
    error = refused({"model_type": "llama", "hidden_size": 8, 1: 2})  # type: ignore[dict-item]
    assert "is missing" in str(error)


# ------------------------------------------------------------------ JSON


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[]", "list"),
        ('"llama"', "string"),
        ("null", "null"),
        ("3", "number"),
        ("1.5", "number"),
        ("true", "boolean"),
    ],
)
def test_a_config_that_is_no_json_object_is_refused_by_its_kind(text: str, kind: str) -> None:
    with pytest.raises(pw.ConfigError, match=rf"^x\.json holds a JSON {kind}, not an object"):
        parse(text, "x.json")


def test_text_that_is_not_json_is_refused_with_the_place() -> None:
    with pytest.raises(pw.ConfigError, match=r"x\.json is not JSON: .* at line 2, column 3"):
        parse('{"a": 1,\n  b: 2}', "x.json")


@pytest.mark.parametrize("text", ["", "   ", "{", '{"a": 1} trailing'])
def test_text_that_is_cut_or_empty_is_refused(text: str) -> None:
    with pytest.raises(pw.ConfigError, match=r"^x\.json is not JSON"):
        parse(text, "x.json")


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(pw.ConfigError, match=r"x\.json is not UTF-8 text: .* at byte 6"):
        parse(b'{"a": \xff}', "x.json")


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parse(b'\xef\xbb\xbf{"a": 1}', "x.json") == {"a": 1}


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_json_nested_without_end_is_refused(text: str) -> None:
    with pytest.raises(pw.ConfigError, match=r"^x\.json cannot be read as JSON"):
        parse(text, "x.json")


def test_an_int_in_json_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(pw.ConfigError, match=r"^x\.json cannot be read as JSON"):
        parse('{"hidden_size": 1' + "0" * 5000 + "}", "x.json")


def test_a_key_given_twice_with_different_values_is_refused() -> None:
    with pytest.raises(pw.ConfigError, match="'hidden_size' is given twice, as 1024 and as 2048"):
        parse('{"hidden_size": 1024, "hidden_size": 2048}', "x.json")


def test_a_key_that_would_move_the_cursor_of_a_terminal_is_shown_and_not_sent() -> None:
    key = "\x1b]0;owned\x07" + "k" * 10_000
    with pytest.raises(pw.ConfigError) as caught:
        parse(json.dumps({key: 1})[:-1] + f', {json.dumps(key)}: "\\u001b[2J"}}', "x\x1b.json")
    text = str(caught.value)
    assert text.isprintable()
    assert text.startswith(r"x\x1b.json cannot be read as JSON: '\x1b]0;owned\x07kkk")
    assert len(text) < 300


@pytest.mark.parametrize("key", ["model_type", "architectures", "hidden_size", "_name_or_path"])
@pytest.mark.parametrize(
    "value",
    [
        "x\x1b" * 500_000,
        10**5000,
        [10**5000],
        ["x" * 1_000_000],
        ["x"] * 100_000,
        {"a": {"b": 10**5000}},
    ],
    ids=["text", "int", "ints", "texts", "many", "object"],
)
def test_a_huge_value_makes_a_short_message_of_one_line(key: str, value: object) -> None:
    try:
        text = pw.count({**SMALL, key: value}).model
    except pw.ParamWidgetError as error:
        text = str(error)
    assert text.isprintable()
    assert len(text) < 5000


def test_a_product_of_thousands_of_digits_is_refused_without_being_printed() -> None:
    config = bundled("deepseek-ai/DeepSeek-V3")
    with pytest.raises(pw.ConfigError) as caught:
        pw.count({**config, "num_hidden_layers": 1, "first_k_dense_replace": 10**5000})
    assert len(str(caught.value)) < 300


def test_a_config_nested_as_no_config_is_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    round_and_round: dict[str, Any] = dict(SMALL)
    round_and_round["text_config"] = round_and_round
    for config in ({**SMALL, "extra": deep}, {**SMALL, "vocab_size": deep}, round_and_round):
        assert str(refused(config)) == "the config is nested more than 100 levels deep; no config is."


def test_a_key_given_twice_with_one_value_is_that_value() -> None:
    assert parse('{"hidden_size": 1024, "hidden_size": 1024}', "x.json") == {"hidden_size": 1024}


def test_not_a_number_in_a_field_that_decides_nothing_is_no_fault() -> None:
    text = json.dumps({**SMALL, "rope_theta": float("nan"), "initializer_range": float("inf")})
    assert "NaN" in text
    assert pw.count(parse(text, "x.json")).stored == 212


def test_not_a_number_in_a_dimension_is_refused() -> None:
    error = refused(dict(parse(json.dumps({**SMALL, "hidden_size": float("nan")}), "x.json")))
    assert "hidden_size = nan must be a whole number" in str(error)


@pytest.mark.parametrize("source", [None, 7, 1.5, True, [1], (1,), b"{}", {1}])
def test_what_is_no_config_at_all_is_refused_by_its_kind(source: object) -> None:
    with pytest.raises(pw.ConfigError, match=f"A {type(source).__name__} is not a config"):
        pw.count(source)


# ------------------------------------------------------------------ defaults


def test_a_missing_key_with_a_declared_default_is_listed_with_its_rule() -> None:
    b = pw.count({k: v for k, v in SMALL.items() if k != "num_key_value_heads"})
    assert b.stored == 212
    assert {key: int(value) for key, value in b.defaulted.items()} == {
        "num_key_value_heads": 2,
        "head_dim": 2,
        "attention_bias": 0,
        "mlp_bias": 0,
        "tie_word_embeddings": 0,
    }
    assert b.defaulted["head_dim"].symbols == "hidden_size ÷ num_attention_heads"


def test_null_asks_for_the_rule_where_there_is_one() -> None:
    b = pw.count({**SMALL, "head_dim": None, "num_key_value_heads": None})
    assert b.stored == 212
    assert (b.defaulted["head_dim"], b.defaulted["num_key_value_heads"]) == (2, 2)


def test_a_null_switch_is_off_whatever_its_class_has() -> None:
    ties = {"class_defaults": {"tie_word_embeddings": True}}
    assert not Config({"tie_word_embeddings": None}, **ties).flag("tie_word_embeddings")
    assert Config({}, **ties).flag("tie_word_embeddings")


def test_null_is_not_the_default_of_the_class() -> None:
    # DeepSeek-V2-Lite says null: its queries are not compressed; the class's default is 1,536
    config = bundled("deepseek-ai/DeepSeek-V2-Lite")
    assert config["q_lora_rank"] is None
    assert pw.count(config).stored == 15_706_484_224


def test_a_config_that_gives_everything_takes_no_default() -> None:
    full = {**SMALL, "head_dim": 2, "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": False}
    assert pw.count(full).defaulted == {}


def test_the_config_given_is_not_changed() -> None:
    config = bundled("Qwen/Qwen3.6-35B-A3B")
    before = json.dumps(config)
    pw.count(config)
    assert json.dumps(config) == before


def test_an_alias_is_the_same_field() -> None:
    c = Config({"n_embd": 768}, {}, "x.json")
    assert (c.hidden_size, c.hidden_size.symbols) == (768, "n_embd")


def test_two_spellings_of_one_field_must_agree() -> None:
    assert Config({"n_embd": 2, "hidden_size": 2}).hidden_size == 2
    with pytest.raises(
        pw.ConfigError, match="n_embd = 1 contradicts hidden_size = 2: two names of one field"
    ):
        _ = Config({"n_embd": 1, "hidden_size": 2}).hidden_size


def test_a_null_spelling_does_not_hide_the_other() -> None:
    assert Config({"hidden_size": None, "n_embd": 768}).hidden_size == 768


# ------------------------------------------------------------------ anything at all

VARIED = [
    bundled(name)
    for name in (
        "openai/gpt-oss-20b",
        "Qwen/Qwen2.5-0.5B",
        "Qwen/Qwen1.5-MoE-A2.7B",
        "deepseek-ai/DeepSeek-V3",
        "Qwen/Qwen3.6-35B-A3B",
        "Qwen/Qwen3-Next-80B-A3B-Instruct",
        "openai-community/gpt2",
        "microsoft/Phi-3-mini-4k-instruct",
        "mistralai/Mixtral-8x7B-v0.1",
    )
]
#: fields that no bundled config gives, and that a count may read all the same
MORE = (
    "id2label",
    "num_labels",
    "sliding_window",
    "use_sliding_window",
    "max_window_layers",
    "layer_types",
    "n_inner",
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def counted_or_refused(config: dict[str, Any]) -> None:
    """An integer, or an error that is meant for the reader; nothing else may come out."""
    said = ""
    try:
        b = pw.count(config)
    except pw.ParamWidgetError as error:
        said = str(error)
    if said:
        assert said.startswith("the config: ")
    else:
        assert all(type(b.total(basis)) is int and b.total(basis) >= 0 for basis in ("stored", "active"))
        json.dumps(b.to_dict())


@settings(max_examples=300)
@given(st.data())
def test_any_value_of_any_field_is_counted_or_refused(data: st.DataObject) -> None:
    config = json.loads(json.dumps(data.draw(st.sampled_from(VARIED))))
    nested = [config, *(value for value in config.values() if isinstance(value, dict))]
    part = data.draw(st.sampled_from(nested))
    key = data.draw(st.sampled_from([*part, *MORE]))
    part[key] = data.draw(json_values)
    counted_or_refused(config)


@settings(max_examples=150)
@given(st.data())
def test_any_field_may_be_missing(data: st.DataObject) -> None:
    config = json.loads(json.dumps(data.draw(st.sampled_from(VARIED))))
    nested = [config, *(value for value in config.values() if isinstance(value, dict))]
    part = data.draw(st.sampled_from(nested))
    for key in data.draw(st.lists(st.sampled_from(list(part)), min_size=1, max_size=3, unique=True)):
        del part[key]
    counted_or_refused(config)


@given(st.binary(max_size=40) | st.text(max_size=40))
@example(b"\x00")
@example("[[[")
def test_any_text_is_an_object_or_refused(text: str | bytes) -> None:
    found: object = {}
    said = "x.json "
    try:
        found = parse(text, "x.json")
    except pw.ConfigError as error:
        said = str(error)
    assert isinstance(found, dict)
    assert said.startswith("x.json ")


# ------------------------------------------------------------------ the short form


DEFAULTS = [
    json.loads(line) for line in (Path(__file__).parent / "reference/defaults.jsonl").read_text().splitlines()
]


def test_a_config_that_only_names_its_type_is_the_default_of_its_class() -> None:
    b = pw.count({"model_type": "gpt_oss"})
    assert (b.stored, b.active) == (116_829_156_672, 5_711_982_912)
    assert {k: b.defaulted[k] for k in ("hidden_size", "num_hidden_layers", "num_local_experts")} == {
        "hidden_size": 2880,
        "num_hidden_layers": 36,
        "num_local_experts": 128,
    }


@pytest.mark.parametrize("row", DEFAULTS, ids=[f"{r['type']}-{r['class']}" for r in DEFAULTS])
def test_the_type_alone_counts_as_its_class_built_at_its_defaults(row: dict[str, Any]) -> None:
    bare = {"model_type": row["config"]["model_type"], "architectures": [row["class"]]}
    try:
        full = pw.count(row["config"]).total("stored", off={"mtp"})
    except pw.UnknownArchitecture:
        with pytest.raises(pw.UnknownArchitecture):
            pw.count(bare)
        return
    except pw.ConfigError:
        with pytest.raises(pw.ConfigError):
            pw.count(bare)
        return
    assert pw.count(bare).total("stored", off={"mtp"}) == full


def test_a_file_without_the_keys_at_their_class_default_counts_as_the_whole() -> None:
    """google/gemma-2-2b-it as its difference from Gemma2Config: hidden_size is 2,304 in both."""
    full = bundled("google/gemma-2-2b-it")
    usual = class_defaults("gemma2")
    short = {k: v for k, v in full.items() if usual.get(k) != v} | {"transformers_version": "4.42.0"}
    assert "hidden_size" in full.keys() - short.keys()
    b = pw.count(short)
    assert b.stored == pw.count(full).stored == 2_614_341_888
    assert b.defaulted["hidden_size"] == 2304


def test_a_file_that_repeats_a_class_default_is_written_in_full_so_a_missing_size_is_an_error() -> None:
    full = bundled("openai/gpt-oss-120b")
    error = refused(
        {k: v for k, v in full.items() if k != "hidden_size"} | {"transformers_version": "4.55.0"}
    )
    assert error.key == "hidden_size"


def test_a_size_that_is_missing_among_sizes_written_by_hand_is_an_error() -> None:
    sizes = {"vocab_size": 8, "intermediate_size": 6, "num_hidden_layers": 1, "num_attention_heads": 2}
    assert refused({"model_type": "llama", **sizes}).key == "hidden_size"
