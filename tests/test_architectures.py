"""The table of architectures: which class and type mean what, each type's exact count, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from configs import SMALL, bundled

import paramwidget as pw
from paramwidget.architectures import TABLE, known
from paramwidget.architectures.blocks.stack import alike
from paramwidget.layers import FFNS, MIXERS
from paramwidget.roles import KINDS, ROLES

# ------------------------------------------------------------------ every type, counted by hand
#
# Two layers, hidden 8, vocabulary 10, four heads of 2 (2 for keys and values), width 12; small enough for a pencil.
# Every row: tables 2 × 80, final norm 8, layer norms 2 × 8 a layer, then:

BASE: dict[str, Any] = {
    "vocab_size": 10,
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 12,
    "tie_word_embeddings": False,
}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 6}
SHARED = {**EXPERTS, "shared_expert_intermediate_size": 7}
HYBRID = {
    **BASE,
    **SHARED,
    "head_dim": 3,
    "full_attention_interval": 2,
    "linear_conv_kernel_dim": 4,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 3,
    "linear_value_head_dim": 5,
    "mtp_num_hidden_layers": 1,
}
TOWER = {
    "hidden_size": 6,
    "intermediate_size": 9,
    "num_heads": 2,
    "patch_size": 2,
    "spatial_merge_size": 2,
    "in_channels": 3,
    "temporal_patch_size": 2,
    "num_position_embeddings": 16,
    "depth": 2,
    "out_hidden_size": 8,
    "deepstack_visual_indexes": [],
}
LATENT = {
    **BASE,
    "kv_lora_rank": 4,
    "qk_nope_head_dim": 3,
    "qk_rope_head_dim": 2,
    "v_head_dim": 5,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 6,
    "n_shared_experts": 2,
    "first_k_dense_replace": 1,
    "moe_layer_freq": 1,
}

# type -> config, stored, active
ROWS: dict[str, tuple[dict[str, Any], int, int]] = {
    # a layer: q and o 64 each, k and v 32 each, MLP 3 × 96
    "llama": (BASE, 1160, 1160),
    "mistral": (BASE, 1160, 1160),
    # the same in fewer matrices: qkv 128, gate_up 192
    "phi3": (BASE, 1160, 1160),
    # + biases of q, k and v: 8 + 4 + 4 a layer
    "qwen2": (BASE, 1192, 1192),
    # heads of 3: q and o 96 each, k and v 48 each, + norms of 3 for queries and for keys
    "qwen3": ({**BASE, "head_dim": 3}, 1364, 1364),
    # a layer: router 4 × 8, four experts of 3 × 8 × 6 in place of the MLP; a token uses two
    "mixtral": (
        {**BASE, "num_local_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 6},
        1800,
        1224,
    ),
    # Qwen2's attention; router 32, experts 4 × 144, shared expert 3 × 8 × 7 and its gate 8
    "qwen2_moe": ({**BASE, **SHARED}, 2184, 1608),
    # Qwen3's attention; router 32, experts 4 × 144
    "qwen3_moe": ({**BASE, **EXPERTS, "head_dim": 3}, 2004, 1428),
    # layer 1 full: q 2 × 96 (gated), o 96, k and v 48 each, norms 6. Layer 0 linear, 12 for keys, 20 for values:
    # qkvz 8 × 52, ba 8 × 8, conv 32 × 4 of 2 × 6 + 20 channels, dt and A 8, norm 5, out 160. MTP: fc 2 × 64, three
    # norms, one whole full layer
    "qwen3_next": (HYBRID, 4281, 2363),
    # the same numbers in four input maps and stacked experts
    "qwen3_5_moe_text": (HYBRID, 4281, 2363),
    # + the tower: patches 144 + 6, positions 96, two blocks of 24 + 126 + 42 + 63 + 60; merger 12 + 600 + 200
    "qwen3_5_moe": (
        {"text_config": HYBRID, "vision_config": TOWER, "tie_word_embeddings": False},
        5969,
        2363,
    ),
    # a layer: q and o 64, k and v 32, biases 8 + 4 + 4 + 8, sinks 4; router 32 + 4; four experts of 96 + 12 + 48 + 8
    "gpt_oss": (
        {**BASE, "head_dim": 2, "num_local_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 6},
        2024,
        1368,
    ),
    # latent attention a layer: q 8 × 20, kv_a 8 × 6 + norm 4, kv_b 4 × 32, o 160; layer 0 dense, layer 1 with router
    # 32, experts 4 × 144, shared 288
    "deepseek_v2": ({**LATENT, "q_lora_rank": None}, 2384, 2096),
    # q in two steps: 24 + norm 3 + 60; + 4 correction biases; MTP: norms 3 × 8, eh_proj 128, one whole layer
    "deepseek_v3": ({**LATENT, "q_lora_rank": 3, "num_nextn_predict_layers": 1}, 3737, 1954),
    # tied table 80, positions 56, final norm 16; a layer: norms 32, qkv 192 + 24, out 64 + 8, MLP 512 + 32 + 8
    "gpt2": ({"vocab_size": 10, "n_embd": 8, "n_layer": 2, "n_head": 4, "n_positions": 7}, 1896, 1896),
}


def test_every_type_counted_here_is_known() -> None:
    assert set(ROWS) <= set(TABLE)


@pytest.mark.parametrize("model_type", ROWS)
def test_the_count_of_a_type_is_what_a_pencil_gives(model_type: str) -> None:
    config, stored, active = ROWS[model_type]
    b = pw.count({"model_type": model_type, **config})
    assert (b.stored, b.active) == (stored, active)


@pytest.mark.parametrize("model_type", ROWS)
def test_every_tensor_of_a_file_is_named_once(model_type: str) -> None:
    # an MTP layer of DeepSeek shares its spelling with the layers before it, and is another layer
    tensors = pw.count({"model_type": model_type, **ROWS[model_type][0]}).tensors
    names = [t.name.replace("{layer}", str(i)) for t in tensors for i in (t.layers or [0])]
    assert len(set(names)) == len(names)
    assert len({(t.role, t.name) for t in tensors}) == len(tensors)


@pytest.mark.parametrize("model_type", ROWS)
def test_every_role_and_kind_is_a_known_word(model_type: str) -> None:
    tensors = pw.count({"model_type": model_type, **ROWS[model_type][0]}).tensors
    assert {t.role for t in tensors} <= set(ROLES)
    assert {t.kind for t in tensors} <= set(KINDS)


@pytest.mark.parametrize("model_type", ROWS)
def test_every_layer_of_the_stack_is_described_once_and_in_order(model_type: str) -> None:
    layers = pw.count({"model_type": model_type, **ROWS[model_type][0]}).layers
    assert [layer.index for layer in layers] == [0, 1]
    assert {layer.mixer for layer in layers} <= set(MIXERS)
    assert {layer.ffn for layer in layers} <= set(FFNS)


@pytest.mark.parametrize("model_type", ROWS)
def test_layers_and_copies_agree(model_type: str) -> None:
    for t in pw.count({"model_type": model_type, **ROWS[model_type][0]}).tensors:
        assert t.copies % max(len(t.layers), 1) == 0, t.name
        assert 0 <= t.active_low <= t.active_copies <= t.copies, t.name
        # only what is in layers, or has many experts, has a name with a place for them
        assert ("{layer}" in t.name) == (len(t.layers) > 0), t.name


@pytest.mark.parametrize("model_type", ROWS)
def test_a_tie_names_a_tensor_that_is_there(model_type: str) -> None:
    tensors = pw.count({"model_type": model_type, **ROWS[model_type][0]}).tensors
    names = {t.name: t.shape for t in tensors}
    for t in tensors:
        if t.tied_to:
            assert names[t.tied_to] == t.shape


@pytest.mark.parametrize("model_type", ROWS)
def test_an_architecture_says_what_it_was_read_from_and_checked_against(model_type: str) -> None:
    doc = TABLE[model_type].load().__doc__ or ""
    assert "Source: model" in doc
    assert "Checked: " in doc


# ------------------------------------------------------------------ the class decides the head


def heads(architectures: list[str] | None, **more: object) -> dict[str, int]:
    config = {**SMALL, **more, "architectures": architectures}
    return {t.name: t.architectural for t in pw.count(config).tensors if t.role == "lm_head"}


def test_a_causal_class_has_a_head_over_the_vocabulary() -> None:
    assert heads(["LlamaForCausalLM"]) == {"lm_head.weight": 32}


def test_without_a_class_it_is_the_causal_one() -> None:
    assert heads(None) == heads([]) == {"lm_head.weight": 32}
    assert pw.count({**SMALL, "architectures": None}).architecture == "LlamaForCausalLM"


def test_a_bare_model_has_no_head_and_no_prefix() -> None:
    b = pw.count({**SMALL, "architectures": ["LlamaModel"]})
    assert b.stored == 180
    assert b.tensors[0].name == "embed_tokens.weight"
    assert heads(["LlamaModel"]) == {}


def test_a_classifier_has_one_row_for_each_label() -> None:
    labels = {"0": "a", "1": "b", "2": "c"}
    assert heads(["LlamaForSequenceClassification"], id2label=labels) == {"score.weight": 12}
    assert heads(["LlamaForSequenceClassification"], num_labels=5) == {"score.weight": 20}


def test_a_classifier_that_names_no_labels_has_two() -> None:
    b = pw.count({**SMALL, "architectures": ["LlamaForSequenceClassification"]})
    assert b.by_role("stored")["lm_head"] == 8
    assert b.defaulted["num_labels"] == 2


def test_a_token_classifier_has_biases_too() -> None:
    assert heads(["LlamaForTokenClassification"], id2label={"0": "a", "1": "b", "2": "c"}) == {
        "score.weight": 12,
        "score.bias": 3,
    }


def test_a_question_answering_class_has_two_outputs() -> None:
    assert heads(["LlamaForQuestionAnswering"]) == {"qa_outputs.weight": 8, "qa_outputs.bias": 2}


def test_a_tied_head_is_a_second_name_of_the_table() -> None:
    b = pw.count({**SMALL, "tie_word_embeddings": True})
    assert (b.stored, b.architectural) == (180, 212)


def test_the_tie_of_a_classifier_means_nothing() -> None:
    config = {**SMALL, "architectures": ["LlamaForSequenceClassification"], "tie_word_embeddings": True}
    assert pw.count(config).stored == pw.count(config).architectural == 188


# ------------------------------------------------------------------ the type


@pytest.mark.parametrize("model_type", ROWS)
def test_without_model_type_the_type_follows_from_the_class(model_type: str) -> None:
    config, stored, _ = ROWS[model_type]
    cls = pw.count({"model_type": model_type, **config}).architecture
    b = pw.count({**config, "architectures": [cls]})
    assert (b.stored, b.architecture) == (stored, cls)


def test_the_types_known_are_those_of_the_table_in_order() -> None:
    assert known() == sorted(TABLE)


def refused(**changes: object) -> pw.UnknownArchitecture:
    with pytest.raises(pw.UnknownArchitecture) as caught:
        pw.count({**SMALL, **changes})
    return caught.value


def test_an_unknown_type_is_refused_by_name_with_the_nearest_ones() -> None:
    error = refused(model_type="qwen4_moe", architectures=["Qwen4MoeForCausalLM"])
    assert (error.name, error.nearest[0]) == ("qwen4_moe", "qwen3_moe")
    assert str(error).startswith(
        "the config: model_type 'qwen4_moe' is not described here. The nearest known: qwen"
    )


def test_an_unknown_type_that_looks_like_none_is_refused_with_where_the_known_ones_are_listed() -> None:
    error = refused(model_type="zzz", architectures=None)
    assert error.nearest == ()
    assert "paramwidget.architectures.known() lists them" in str(error)


def test_the_type_is_read_as_it_is_written() -> None:
    assert refused(model_type="LLAMA").nearest[0] == "llama"


def test_a_known_type_is_accepted() -> None:
    assert pw.count(SMALL).stored == 212


@pytest.mark.parametrize("cls", ["LlamaForSomething", "MyModelling"])
def test_a_class_that_is_none_of_the_types_is_refused(cls: str) -> None:
    error = refused(architectures=[cls])
    assert error.name == cls
    assert f"architectures names {cls!r}, which is not a class of model_type 'llama'" in str(error)
    assert "LlamaForCausalLM" in str(error)


def test_where_type_and_class_disagree_the_class_of_a_known_type_decides() -> None:
    b = pw.count({**SMALL, "architectures": ["Qwen2ForCausalLM"]})
    assert (b.model_type, b.architecture) == ("qwen2", "Qwen2ForCausalLM")
    assert b.stored == 212 + 3 * 4  # Llama's, and the biases of q, k and v


@pytest.mark.parametrize("cls", ["LlamaForCausalLMEagle", "WhateverForCausalLM"])
def test_without_a_type_an_unknown_class_is_refused_with_the_nearest(cls: str) -> None:
    config = {k: v for k, v in SMALL.items() if k != "model_type"}
    with pytest.raises(
        pw.UnknownArchitecture, match=f"the class '{cls}' in architectures is not described"
    ) as caught:
        pw.count({**config, "architectures": [cls]})
    assert caught.value.name == cls


# ------------------------------------------------------------------ what is unusual about a family


def test_gpt_oss_alternates_where_the_config_gives_no_layer_types() -> None:
    config = bundled("openai/gpt-oss-20b")
    given = pw.count(config)
    del config["layer_types"]
    assert [s.mixer for s in pw.count(config).layers] == [s.mixer for s in given.layers]


def test_qwen_moe_layers_follow_the_sparse_step_and_the_list_of_dense_ones() -> None:
    config = {"model_type": "qwen3_moe", **ROWS["qwen3_moe"][0], "num_hidden_layers": 4}
    ffns = lambda **more: [s.ffn for s in pw.count({**config, **more}).layers]  # noqa: E731
    assert ffns() == ["moe"] * 4
    assert ffns(decoder_sparse_step=2) == ["dense", "moe", "dense", "moe"]
    assert ffns(mlp_only_layers=[0, 3]) == ["dense", "moe", "moe", "dense"]


def test_experts_in_every_layer_need_no_dense_width() -> None:
    config = {"model_type": "qwen3_moe", **ROWS["qwen3_moe"][0], "mlp_only_layers": [7]}
    del config["intermediate_size"]
    assert pw.count(config).stored == 2004


@pytest.mark.parametrize(
    ("model_type", "key"),
    [
        ("deepseek_v3", "num_nextn_predict_layers"),
        ("qwen3_next", "mtp_num_hidden_layers"),
        ("qwen3_5_moe_text", "mtp_num_hidden_layers"),
    ],
)
def test_no_prediction_layer_is_counted_where_the_config_declares_none(model_type: str, key: str) -> None:
    config = {"model_type": model_type, **ROWS[model_type][0], key: 0}
    b = pw.count(config)
    assert "mtp" not in b.roles
    assert "mtp" not in [t.key for t in b.toggles]
    assert b.stored == pw.count({**config, key: 1}).total("stored", off={"mtp"})


def test_two_prediction_layers_of_deepseek_are_twice_one() -> None:
    config = {"model_type": "deepseek_v3", **ROWS["deepseek_v3"][0]}
    one, two = (pw.count({**config, "num_nextn_predict_layers": n}).by_role("stored")["mtp"] for n in (1, 2))
    assert two == 2 * one


def test_a_text_model_of_the_vision_class_has_no_tower() -> None:
    config = {"model_type": "qwen3_5_moe", **ROWS["qwen3_5_moe"][0]}
    del config["vision_config"]
    assert pw.count(config).stored == 4281


def test_a_text_config_under_the_name_of_the_whole_is_the_text_model() -> None:
    b = pw.count({"model_type": "qwen3_5_moe", **HYBRID})
    assert (b.model_type, b.stored) == ("qwen3_5_moe_text", 4281)


@pytest.mark.parametrize(
    ("model_type", "text", "mergers"),
    [("qwen3_vl_moe", "qwen3_moe", 2), ("qwen3_5_moe", "qwen3_5_moe_text", 0)],
)
def test_each_deepstack_layer_of_qwen3_vl_has_a_merger_and_qwen3_5_has_no_such_layer(
    model_type: str, text: str, mergers: int
) -> None:
    def projector(layers: list[int]) -> int:
        tower = {**TOWER, "deepstack_visual_indexes": layers}
        config = {"model_type": model_type, "text_config": ROWS[text][0], "vision_config": tower}
        return pw.count(config).by_role("stored")["projector"]

    # norm over the merged 24, then 24 × 24 and 8 × 24 with biases; modular_qwen3_5.py deletes the list
    assert projector([0, 1]) - projector([]) == mergers * (48 + 600 + 200)


def test_dedicated_mtp_tables_of_qwen_are_refused_rather_than_guessed() -> None:
    config = {"model_type": "qwen3_5_moe_text", **HYBRID, "mtp_use_dedicated_embeddings": True}
    with pytest.raises(pw.ConfigError, match="mtp_use_dedicated_embeddings = True is not described"):
        pw.count(config)


def test_an_output_gate_doubles_the_queries_alone() -> None:
    tensors = {t.name: t.numel for t in pw.count({"model_type": "qwen3_next", **HYBRID}).tensors}
    assert tensors["model.layers.{layer}.self_attn.q_proj.weight"] == 192
    assert tensors["model.layers.{layer}.self_attn.o_proj.weight"] == 96


# ------------------------------------------------------------------ what once was counted wrong


def test_num_labels_goes_before_the_names_of_the_labels() -> None:
    names = {"0": "a", "1": "b", "2": "c"}
    config = {**SMALL, "architectures": ["LlamaForSequenceClassification"], "id2label": names}
    width = SMALL["hidden_size"]
    assert pw.count({**config, "num_labels": 5}).by_role()["lm_head"] == 5 * width
    assert pw.count(config).by_role()["lm_head"] == 3 * width


@pytest.mark.parametrize("names", [{}, ["a", "b"], 3])
def test_names_of_labels_that_are_no_object_are_refused(names: object) -> None:
    with pytest.raises(pw.ConfigError, match="id2label"):
        pw.count({**SMALL, "architectures": ["LlamaForSequenceClassification"], "id2label": names})


@pytest.mark.parametrize("cls", ["DeepseekV3Model", "DeepseekV3ForSequenceClassification"])
def test_a_class_without_a_language_head_holds_no_prediction_layers(cls: str) -> None:
    b = pw.count({**bundled("deepseek-ai/DeepSeek-V3"), "architectures": [cls]})
    assert "mtp" not in b.roles
    assert not [t for t in b.tensors if t.tied_to]


def test_a_tie_inside_the_text_config_of_qwen3_5_is_not_the_tie_of_the_whole() -> None:
    config = bundled("Qwen/Qwen3.6-35B-A3B")
    config.pop("tie_word_embeddings", None)
    config["text_config"] = {**config["text_config"], "tie_word_embeddings": True}
    b = pw.count(config)
    assert b.stored == b.architectural == 35_951_822_704


def test_a_quantization_may_stand_in_the_text_config() -> None:
    config = bundled("Qwen/Qwen3.6-35B-A3B")
    fp8 = {"quant_method": "fp8", "weight_block_size": [128, 128]}
    outside = pw.count({**config, "quantization_config": fp8})
    inside = pw.count({**config, "text_config": {**config["text_config"], "quantization_config": fp8}})
    assert inside.weight_bytes == outside.weight_bytes
    assert outside.weight_bytes < pw.count(config).weight_bytes
    unknown = {"quant_method": "compressed-tensors"}
    assert (
        pw.count(
            {**config, "text_config": {**config["text_config"], "quantization_config": unknown}}
        ).weight_bytes
        is None
    )


@pytest.mark.parametrize("value", [5, "fp8", ["x"], True])
def test_a_quantization_that_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(pw.ConfigError, match="quantization_config"):
        pw.count({**SMALL, "quantization_config": value})


# ------------------------------------------------------------------ stacks of layers that all differ


class Key:
    """A key that counts how often it is compared."""

    compared = 0

    def __init__(self, name: int) -> None:
        self.name = name

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        Key.compared += 1
        return isinstance(other, Key) and self.name == other.name


@pytest.mark.parametrize("distinct", [1, 2, 16, 17, 500])
def test_layers_that_are_alike_are_found_in_order_however_many_kinds_there_are(distinct: int) -> None:
    keys = [i % distinct for i in range(1000)]
    assert [tuple(found) for found in alike(keys)] == [
        tuple(range(k, 1000, distinct)) for k in range(distinct)
    ]
    assert [type(found) for found in alike(sorted(keys))] == [range] * distinct


def test_layers_that_all_differ_are_not_compared_each_with_each() -> None:
    alike([Key(i) for i in range(2000)])
    assert Key.compared < 10 * 2000


# ------------------------------------------------------------------ a mixture of no experts


@pytest.mark.parametrize(
    ("model_type", "stored"),
    # counted by transformers 5.24 on the meta device; the text model of Qwen3-VL-MoE has no head
    [("flint", 1176), ("qwen3_vl_moe_text", 1088)],
)
def test_no_experts_make_dense_layers_where_the_class_builds_them_so(model_type: str, stored: int) -> None:
    config = {**BASE, "head_dim": 2, "num_experts": 0, "num_experts_per_tok": 0}
    b = pw.count({**config, "model_type": model_type, "moe_intermediate_size": 6})
    assert (b.stored, b.active) == (stored, stored)
    assert {layer.ffn for layer in b.layers} == {"dense"}
    with pytest.raises(pw.ConfigError, match="num_experts"):
        pw.count({**config, "model_type": model_type, "num_experts": -1})


def test_no_experts_at_all_means_dense_layers() -> None:
    config = {**BASE, **EXPERTS, "model_type": "qwen3_moe", "head_dim": 2, "num_experts": 0}
    b = pw.count(config)
    assert "routed_expert" not in b.roles
    assert b.by_role()["mlp"] == 2 * 3 * 8 * 12  # two layers of gate, up and down


@pytest.mark.parametrize(("key", "value"), [("hidden_act", "xielu"), ("hidden_act", "prelu")])
def test_an_activation_with_parameters_is_refused_where_its_type_does_not_describe_them(
    key: str, value: str
) -> None:
    # transformers 5.24 builds LlamaMLP with act_fn.alpha_p and alpha_n, or with one act_fn.weight
    with pytest.raises(pw.ConfigError, match="activation with parameters") as caught:
        pw.count({**SMALL, key: value})
    assert (caught.value.key, caught.value.value) == (key, value)


def test_an_inner_activation_with_parameters_is_refused_by_its_path() -> None:
    inside = {"model_type": "qwen3_5_moe", "text_config": {**ROWS["qwen3_moe"][0], "hidden_act": "xielu"}}
    with pytest.raises(pw.ConfigError) as caught:
        pw.count(inside)
    assert caught.value.key == "text_config.hidden_act"
