"""One distinct tensor: its shape with a formula, and how often it occurs."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest

import paramwidget as pw
from paramwidget.tensors import TensorSpec


def tensor(model: str, name: str) -> TensorSpec:
    return next(t for t in pw.count(model).tensors if t.name == name)


GATE_UP = "model.layers.{layer}.mlp.experts.gate_up_proj"


def test_the_stacked_experts_of_gpt_oss_are_one_spec_with_36_times_128_copies() -> None:
    t = tensor("openai/gpt-oss-120b", GATE_UP)
    assert (t.shape, t.numel) == ((2880, 5760), 16_588_800)
    assert (t.copies, t.active_copies, t.active_low, t.stacked) == (36 * 128, 36 * 4, 36 * 4, 128)


def test_a_shape_explains_itself_in_fields_and_in_numbers() -> None:
    t = tensor("openai/gpt-oss-120b", GATE_UP)
    assert t.formula == "hidden_size × (2 × intermediate_size) = 2,880 × (2 × 2,880)"


def test_the_leading_axis_of_a_stack_knows_its_field() -> None:
    t = tensor("openai/gpt-oss-120b", GATE_UP)
    assert t.stacked is not None
    assert t.stacked.symbols == "num_local_experts"  # type: ignore[attr-defined]


def test_the_formula_uses_the_spelling_of_the_config() -> None:
    t = tensor("openai-community/gpt2", "transformer.h.{layer}.attn.c_attn.weight")
    assert t.formula == "n_embd × (3 × n_embd) = 768 × (3 × 768)"


def test_a_shape_of_digits_alone_is_not_said_twice() -> None:
    assert TensorSpec("x", (2, 3), "other").formula == "2 × 3"


def test_experts_in_files_of_their_own_have_a_name_for_each() -> None:
    t = tensor(
        "mistralai/Mixtral-8x7B-v0.1", "model.layers.{layer}.block_sparse_moe.experts.{expert}.w1.weight"
    )
    assert (t.copies, t.active_copies, t.stacked) == (32 * 8, 32 * 2, None)


def test_the_sinks_of_gpt_oss_are_implied_and_the_query_matrix_is_not() -> None:
    assert tensor("openai/gpt-oss-120b", "model.layers.{layer}.self_attn.sinks").implied
    assert not tensor("openai/gpt-oss-120b", "model.layers.{layer}.self_attn.q_proj.weight").implied


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen/Qwen2.5-0.5B", "model.layers.{layer}.self_attn.q_proj.bias"),
        ("Qwen/Qwen3-8B", "model.layers.{layer}.self_attn.q_norm.weight"),
        ("Qwen/Qwen1.5-MoE-A2.7B", "model.layers.{layer}.mlp.shared_expert_gate.weight"),
        ("mistralai/Mixtral-8x7B-v0.1", "model.layers.{layer}.block_sparse_moe.gate.weight"),
        ("openai/gpt-oss-120b", "model.layers.{layer}.mlp.experts.gate_up_proj_bias"),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", "model.layers.{layer}.linear_attn.A_log"),
    ],
)
def test_what_no_config_names_is_implied(model: str, name: str) -> None:
    assert tensor(model, name).implied


def test_a_tied_head_names_the_table_and_adds_nothing_to_a_file() -> None:
    t = tensor("Qwen/Qwen2.5-0.5B", "lm_head.weight")
    assert t.tied_to == "model.embed_tokens.weight"
    assert (t.stored, t.active, t.architectural) == (0, 0, 136_134_656)


def test_the_mtp_layer_of_deepseek_names_both_tables_again() -> None:
    ties = {t.name: t.tied_to for t in pw.count("deepseek-ai/DeepSeek-V3").tensors if t.tied_to}
    assert ties == {
        "model.layers.{layer}.embed_tokens.weight": "model.embed_tokens.weight",
        "model.layers.{layer}.shared_head.head.weight": "lm_head.weight",
    }


def test_layers_are_the_indices_that_hold_the_tensor() -> None:
    dense = tensor("deepseek-ai/DeepSeek-V3", "model.layers.{layer}.mlp.gate_proj.weight")
    routed = tensor("deepseek-ai/DeepSeek-V3", "model.layers.{layer}.mlp.experts.{expert}.gate_proj.weight")
    assert (tuple(dense.layers), routed.layers[0], routed.layers[-1], len(routed.layers)) == (
        (0, 1, 2),
        3,
        60,
        58,
    )


def test_active_low_is_active_unless_said_otherwise() -> None:
    assert TensorSpec("x", (4,), "mlp", copies=8, active_copies=2).active_low == 2
    assert TensorSpec("x", (4,), "mlp", copies=8, active_copies=2, active_low=0).active_low == 0


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [
        ("bfloat16", 16),
        ("float32", 32),
        ("float8_e4m3fn", 8),
        ("mxfp4", 4),
        ("posit16", None),
        ("int3", 3),
        (None, None),
    ],
)
def test_an_unknown_dtype_has_no_size_rather_than_a_guessed_one(dtype: str | None, bits: int | None) -> None:
    assert TensorSpec("x", (4,), "mlp", dtype=dtype).bits() == bits


def test_a_spec_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TensorSpec("x", (4,), "mlp").role = "norm"  # type: ignore[misc]


def test_mxfp4_scales_are_one_byte_for_32_values() -> None:
    t = tensor("openai/gpt-oss-120b", f"{GATE_UP}_scales")
    assert (t.kind, t.dtype, t.shape) == ("scale", "uint8", (5760, 90))
    assert t.formula == "(2 × intermediate_size) × ⌈hidden_size ÷ 32⌉ = (2 × 2,880) × ⌈2,880 ÷ 32⌉"


def test_fp8_scales_are_one_for_each_block_of_128_by_128() -> None:
    t = tensor(
        "deepseek-ai/DeepSeek-V3", "model.layers.{layer}.self_attn.kv_a_proj_with_mqa.weight_scale_inv"
    )
    # kv_a maps 7,168 to 512 + 64: 4.5 blocks of rows are 5
    assert (t.kind, t.dtype, t.shape) == ("scale", "float32", (5, 56))


def test_a_tensor_under_another_name_keeps_all_else() -> None:
    t = TensorSpec(
        "a", (2, 3), "router", "bias", (1, 2), 8, 4, 2, 4, "b", implied=True, dtype="int8", note="why"
    )
    assert t.known_as("c", "d", "int4") == replace(t, name="c", tied_to="d", dtype="int4")
    assert t.known_as("a", "b", "int8") == t


def test_each_field_of_a_tensor_is_what_was_given_for_it_and_stays_so() -> None:
    names = [f.name for f in dataclasses.fields(TensorSpec)]
    given = {name: i + 1 for i, name in enumerate(names)}
    t = TensorSpec(**given)  # type: ignore[arg-type]
    assert {name: getattr(t, name) for name in names} == given
    assert t == replace(t) == TensorSpec(*given.values())  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        t.copies = 2  # type: ignore[misc]


def test_a_scale_is_in_the_same_layers_and_experts_as_its_weight() -> None:
    t = TensorSpec("a.weight", (4, 8), "mlp", layers=(0, 1), copies=2, active_copies=2, note="note")
    assert t.scale("a.scale", (1, 2), "float32", "one for 16") == replace(
        t, name="a.scale", shape=(1, 2), kind="scale", dtype="float32", implied=True, note="one for 16"
    )
    assert t.stored_in("int8") == replace(t, dtype="int8")
