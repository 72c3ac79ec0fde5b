"""The one sum: bases, departures, ties, ranges, toggles."""

from __future__ import annotations

import pytest
from configs import SMALL
from hypothesis import given
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.breakdown import Breakdown, Provenance
from paramwidget.layers import index_ranges
from paramwidget.roles import BASES, DEFAULT_OUT, TOGGLES, out_set
from paramwidget.tensors import TensorSpec

QWEN, V3, OSS = "Qwen/Qwen2.5-0.5B", "deepseek-ai/DeepSeek-V3", "openai/gpt-oss-120b"
VARIED = (OSS, QWEN, V3, "Qwen/Qwen3.6-35B-A3B", "openai-community/gpt2", "Qwen/Qwen3-Next-80B-A3B-Instruct")


def made_of(*tensors: TensorSpec) -> Breakdown:
    return Breakdown("made", "made", "Made", tensors)


# ------------------------------------------------------------------ departures


def test_a_role_that_is_off_is_left_out() -> None:
    assert pw.count(OSS).total("active", off={"embedding"}) == 5_132_849_472


def test_a_kind_that_is_off_is_left_out_of_every_role() -> None:
    b = pw.count(OSS)
    # a layer: q 4,096, k and v 512 each, o 2,880, router 128, experts 128 × (5,760 + 2,880)
    biases = 36 * (4096 + 2 * 512 + 2880 + 128 + 128 * 8640)
    assert b.stored - b.total("stored", off={"bias"}) == biases == 40_105_728
    assert b.total("stored", off={"bias", "router"}) == b.stored - biases - 36 * 128 * 2880


def test_what_a_basis_leaves_out_is_counted_when_it_is_on() -> None:
    b = pw.count(V3)
    assert b.total("active", on={"mtp"}) == 37_552_297_472 + 688_100_608
    assert b.total("stored", on={"scale"}) == 682_636_487_424 + 41_540_496


def test_a_router_bias_is_both_router_and_bias() -> None:
    b = pw.count(OSS)
    assert b.effect("router", "stored") == 36 * (128 * 2880 + 128)
    assert b.effect("router", "stored", off={"bias"}) == 36 * 128 * 2880


def test_a_departure_that_a_basis_has_already_made_changes_nothing() -> None:
    b = pw.count(V3)
    assert b.total("active", off={"mtp"}) == b.active
    assert b.total("stored", on={"mtp"}) == b.stored


def test_a_known_toggle_that_the_model_lacks_does_nothing() -> None:
    b = pw.count(QWEN)
    assert b.total("active", off={"vision", "mtp", "router"}, on={"audio", "encoder"}) == 494_032_768


def test_one_toggle_may_be_given_as_a_word() -> None:
    assert pw.count(OSS).total("active", off="embedding") == 5_132_849_472


def test_an_unknown_toggle_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(pw.ConventionError, match="Did you mean 'embedding'") as caught:
        pw.count(OSS).total("active", off={"embeding"})
    assert (caught.value.name, caught.value.nearest) == ("embeding", ("embedding",))


@pytest.mark.parametrize("part", ["attention", "mlp", "ssm", "routed_expert", "weight"])
def test_the_body_is_never_a_toggle(part: str) -> None:
    with pytest.raises(pw.ConventionError, match="always counted"):
        pw.count(OSS).total("active", off={part})


def test_a_toggle_that_is_off_and_on_is_an_error() -> None:
    with pytest.raises(pw.ConventionError, match="embedding: both in off and in on"):
        pw.count(OSS).total("active", off={"embedding"}, on={"embedding"})


@pytest.mark.parametrize("basis", ["Active", "total", "", None])
def test_an_unknown_basis_is_an_error_that_names_the_three(basis: str) -> None:
    with pytest.raises(pw.ConventionError, match="one of stored, architectural or active"):
        pw.count(OSS).total(basis)


def test_each_basis_leaves_out_what_the_design_says() -> None:
    assert dict(DEFAULT_OUT) == {
        "stored": {"scale"},
        "architectural": {"scale"},
        "active": {"mtp", "encoder", "vision", "audio", "projector", "scale", "unread"},
    }


def test_departures_survive_a_change_of_basis() -> None:
    assert out_set("stored", {"embedding"}, {"mtp"}) == {"scale", "embedding"}
    assert out_set("active", {"embedding"}, {"mtp"}) == (DEFAULT_OUT["active"] | {"embedding"}) - {"mtp"}


# ------------------------------------------------------------------ ties (Qwen2.5-0.5B: 136,134,656 in the table)


@pytest.mark.parametrize("basis", ["stored", "active"])
def test_a_tied_matrix_counts_once(basis: str) -> None:
    by_role = pw.count(QWEN).by_role(basis)
    assert (by_role["embedding"], by_role["lm_head"]) == (136_134_656, 0)


@pytest.mark.parametrize("basis", ["stored", "active"])
def test_a_tied_head_takes_the_matrix_over_when_the_embedding_is_out(basis: str) -> None:
    b = pw.count(QWEN)
    assert b.total(basis, off={"embedding"}) == 494_032_768
    assert b.by_role(basis, off={"embedding"})["lm_head"] == 136_134_656


@pytest.mark.parametrize("basis", ["stored", "active"])
def test_with_both_tables_out_a_tied_matrix_is_gone(basis: str) -> None:
    assert pw.count(QWEN).total(basis, off={"embedding", "lm_head"}) == 357_898_112


@pytest.mark.parametrize("basis", ["stored", "active"])
def test_leaving_out_a_tied_head_alone_changes_nothing(basis: str) -> None:
    assert pw.count(QWEN).total(basis, off={"lm_head"}) == 494_032_768


def test_architectural_counts_each_name() -> None:
    b = pw.count(QWEN)
    assert b.total("architectural") == 630_167_424
    assert b.total("architectural", off={"embedding"}) == 494_032_768
    assert b.total("architectural", off={"embedding", "lm_head"}) == 357_898_112


def test_an_mtp_copy_never_takes_over() -> None:
    b = pw.count(V3)
    own = 11_610_068_224
    assert b.by_role("stored", off={"embedding"})["mtp"] == own
    assert b.by_role("stored", off={"embedding", "lm_head"})["mtp"] == own
    assert b.by_role("architectural")["mtp"] == own + 2 * 926_679_040


def test_a_head_tied_to_something_else_than_the_embedding_never_takes_over() -> None:
    other = TensorSpec("other.weight", (10,), "position")
    b = made_of(other, TensorSpec("lm_head.weight", (10,), "lm_head", tied_to="other.weight"))
    assert b.total("stored", off={"position"}) == 0


# ------------------------------------------------------------------ effect


def test_the_effect_of_a_toggle_is_what_flipping_it_alone_changes_now() -> None:
    b = pw.count(OSS)
    assert b.effect("embedding", "active") == 579_133_440
    assert b.effect("embedding", "active", off={"embedding"}) == 579_133_440


def test_the_effect_of_a_tied_table_is_0_until_the_other_is_out() -> None:
    b = pw.count(QWEN)
    assert b.effect("embedding", "stored") == 0
    assert b.effect("embedding", "stored", off={"lm_head"}) == 136_134_656
    assert b.effect("lm_head", "stored", off={"embedding"}) == 136_134_656


def test_the_effect_of_an_unknown_toggle_is_an_error() -> None:
    with pytest.raises(pw.ConventionError, match="'embedding'"):
        pw.count(OSS).effect("embeding", "stored")


# ------------------------------------------------------------------ toggles


def test_a_model_has_a_toggle_for_each_part_that_has_parameters_and_no_other() -> None:
    assert [t.key for t in pw.count(OSS).toggles] == [
        "embedding",
        "lm_head",
        "router",
        "norm",
        "bias",
        "scale",
    ]
    assert [t.key for t in pw.count(QWEN).toggles] == ["embedding", "lm_head", "norm", "bias"]
    assert [t.key for t in pw.count(SMALL).toggles] == ["embedding", "lm_head", "norm"]


@pytest.mark.parametrize("name", VARIED)
def test_every_toggle_of_a_model_has_parameters(name: str) -> None:
    b = pw.count(name)
    for toggle in b.toggles:
        parts = [t for t in b.tensors if toggle.key in (t.role, t.kind)]
        assert sum(t.architectural for t in parts) > 0, toggle.key


def test_a_toggle_carries_its_effect_on_each_basis() -> None:
    mtp = next(t for t in pw.count(V3).toggles if t.key == "mtp")
    assert (mtp.stored, mtp.architectural, mtp.active) == (11_610_068_224, 13_463_426_304, 688_100_608)


# ------------------------------------------------------------------ sums that must hold for every convention

toggles = st.lists(st.sampled_from(list(TOGGLES)), unique=True, max_size=8)


@given(st.sampled_from(VARIED), st.sampled_from(BASES), toggles, toggles)
def test_by_role_adds_up_to_the_total(name: str, basis: str, off: list[str], on: list[str]) -> None:
    on = [key for key in on if key not in off]
    b = pw.count(name)
    total = b.total(basis, off, on)
    assert type(total) is int
    assert sum(b.by_role(basis, off, on).values()) == total


@given(st.sampled_from(VARIED), st.sampled_from(BASES), toggles, toggles)
def test_the_counts_of_single_tensors_add_up_to_the_total(
    name: str, basis: str, off: list[str], on: list[str]
) -> None:
    on = [key for key in on if key not in off]
    b = pw.count(name)
    out = out_set(basis, off, on)
    assert sum(b.count_of(t, basis, out) for t in b.tensors) == b.total(basis, off, on)


@given(st.sampled_from(VARIED), st.sampled_from(BASES), toggles, st.sampled_from(list(TOGGLES)))
def test_flipping_a_toggle_changes_the_total_by_its_effect(
    name: str, basis: str, off: list[str], key: str
) -> None:
    b = pw.count(name)
    others = [k for k in off if k != key]
    with_it, without = b.total(basis, others, [key]), b.total(basis, [*others, key])
    assert with_it - without == b.effect(key, basis, others) >= 0


@given(st.sampled_from(VARIED), st.sampled_from(BASES), toggles)
def test_the_order_of_departures_does_not_matter(name: str, basis: str, off: list[str]) -> None:
    b = pw.count(name)
    assert b.total(basis, off) == b.total(basis, reversed(off)) == b.total(basis, set(off))


# ------------------------------------------------------------------ range


def test_the_range_is_one_number_where_routing_decides_nothing() -> None:
    assert pw.count(OSS).total_range("active") == (5_711_982_912, 5_711_982_912)
    assert pw.count(OSS).total_range("active", off={"embedding"}) == (5_132_849_472, 5_132_849_472)


def test_the_range_runs_from_the_fewest_to_the_most_that_a_token_uses() -> None:
    # 12 experts of 5 parameters; a token uses between 1 and 4 of them
    b = made_of(TensorSpec("experts", (5,), "routed_expert", copies=12, active_copies=4, active_low=1))
    assert b.total_range("active") == (5, 20)
    assert b.total("active") == 20
    assert b.total_range("stored") == (60, 60)


# ------------------------------------------------------------------ parts


def test_layers_alternate_between_a_window_and_the_whole_in_gpt_oss() -> None:
    layers = pw.count(OSS).layers
    assert len(layers) == 36
    assert [(s.index, s.mixer, s.window, s.ffn) for s in layers[:3]] == [
        (0, "sliding", 128, "moe"),
        (1, "full", None, "moe"),
        (2, "sliding", 128, "moe"),
    ]


def test_three_of_four_layers_of_qwen3_next_are_linear() -> None:
    mixers = [s.mixer for s in pw.count("Qwen/Qwen3-Next-80B-A3B-Instruct").layers]
    assert mixers == ["linear", "linear", "linear", "full"] * 12


def test_the_first_three_layers_of_deepseek_v3_are_dense() -> None:
    layers = pw.count(V3).layers
    assert [s.ffn for s in layers] == ["dense"] * 3 + ["moe"] * 58
    assert {(s.mixer, s.latent) for s in layers} == {("mla", 576)}


def test_layer_indices_are_written_as_ranges() -> None:
    assert index_ranges((0, 1, 2, 4, 6, 7)) == "0-2,4,6-7"
    assert index_ranges(range(36)) == "0-35"
    assert index_ranges(()) == ""


def test_weight_bytes_are_unknown_where_a_dtype_is() -> None:
    assert pw.count({**SMALL, "dtype": "float32"}).weight_bytes == 212 * 4
    assert pw.count({**SMALL, "dtype": "posit16"}).weight_bytes is None
    assert pw.count(SMALL).weight_bytes is None


def test_a_method_of_quantization_that_is_not_predicted_leaves_the_bytes_open() -> None:
    config = {**SMALL, "dtype": "float16", "quantization_config": {"quant_method": "awq", "bits": 4}}
    b = pw.count(config)
    assert (b.stored, b.weight_bytes) == (212, None)


def test_a_breakdown_prints_as_one_line() -> None:
    assert (
        repr(pw.count(OSS)) == "<Breakdown openai/gpt-oss-120b: 116,829,156,672 stored, 5,711,982,912 active>"
    )


# ------------------------------------------------------------------ provenance


def test_an_unpinned_snapshot_says_so() -> None:
    assert Provenance("catalog", repo="a/b").label == "bundled snapshot, not pinned"


def test_a_pinned_one_names_its_revision() -> None:
    assert (
        Provenance("hub", repo="a/b", revision="0123456789abcdef" + "0" * 24).label == "Hub, @ 0123456789ab"
    )


def test_data_has_nothing_to_pin() -> None:
    assert Provenance("dict").label == "config given as data"
