"""Conventions, and the bridge from one count or claim to another."""

from __future__ import annotations

from typing import Any

import pytest
from configs import SMALL
from hypothesis import given
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.bridge import bridge
from paramwidget.conventions import Convention
from paramwidget.roles import BASES, TOGGLES

VARIED = ("openai/gpt-oss-120b", "Qwen/Qwen2.5-0.5B", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3.6-35B-A3B")

READER = Convention("reader", "reader", "active")
CARD = Convention("card", "card", "active", off=("embedding",))


def steps(name: str, start: Convention, end: Convention) -> dict[str, int]:
    return {step.key: step.delta for step in bridge(pw.count(name), start, end)}


def test_a_convention_counts_a_model() -> None:
    assert CARD.of(pw.count("openai/gpt-oss-120b")) == 5_132_849_472


def test_a_convention_keeps_its_departures_in_canonical_order() -> None:
    assert Convention("x", "x", "active", off=("norm", "embedding", "norm")).off == ("embedding", "norm")


def test_an_unknown_toggle_in_a_convention_suggests_the_nearest() -> None:
    with pytest.raises(pw.ConventionError, match=r"'embeding'.*Did you mean 'embedding'"):
        Convention("x", "x", "active", off=("embeding",))


def test_an_unknown_basis_in_a_convention_suggests_the_nearest() -> None:
    with pytest.raises(pw.ConventionError, match="Did you mean 'active'"):
        Convention("x", "x", "activ")


def test_a_convention_cannot_both_leave_out_and_count_a_part() -> None:
    with pytest.raises(pw.ConventionError, match="both in off and in on"):
        Convention("x", "x", "active", off=("mtp",), on=("mtp",))


# ------------------------------------------------------------------ the bridge


def test_from_the_card_to_the_reader_is_one_step_of_the_embedding() -> None:
    assert steps("openai/gpt-oss-120b", CARD, READER) == {"embedding": 579_133_440}


def test_with_the_head_out_the_step_is_the_head() -> None:
    head_out = Convention("x", "x", "active", off=("lm_head",))
    assert steps("openai/gpt-oss-120b", head_out, READER) == {"lm_head": 579_133_440}


def test_the_bridge_back_takes_away_what_the_bridge_added() -> None:
    assert steps("openai/gpt-oss-120b", READER, CARD) == {"embedding": -579_133_440}


def test_a_change_of_basis_goes_role_by_role() -> None:
    stored = Convention("x", "x", "stored")
    assert steps("openai/gpt-oss-120b", stored, READER) == {
        "basis:routed_expert": 3_584_424_960 - 114_701_598_720
    }


def test_a_tied_table_goes_only_with_the_second_of_the_two() -> None:
    without = Convention("x", "x", "stored", off=("embedding", "lm_head"))
    assert steps("Qwen/Qwen2.5-0.5B", Convention("x", "x", "stored"), without) == {"lm_head": -136_134_656}


def test_steps_are_labelled_for_a_reader() -> None:
    (step,) = bridge(pw.count("openai/gpt-oss-120b"), CARD, READER)
    assert step.label == "embedding"


def test_what_a_basis_brings_in_and_a_toggle_takes_out_again_is_no_step() -> None:
    # the 37B of DeepSeek-V3's card to its 671B, neither of which has the MTP layer
    v3 = pw.count("deepseek-ai/DeepSeek-V3")
    steps = [(s.label, s.delta) for s in bridge(v3, "37B active", "671B")]
    assert steps == [
        ("routed experts, stored instead of active", 633_474_121_728),
        ("embedding", 926_679_040),
    ]
    assert sum(n for _, n in steps) == 671_026_419_200 - 36_625_618_432


def test_a_bridge_to_itself_has_no_steps() -> None:
    assert bridge(pw.count("openai/gpt-oss-120b"), CARD, CARD) == []


keys = st.lists(st.sampled_from(list(TOGGLES)), unique=True, max_size=6)


@st.composite
def conventions(draw: st.DrawFn) -> Convention:
    off = draw(keys)
    on = [key for key in draw(keys) if key not in off]
    return Convention("drawn", "drawn", draw(st.sampled_from(BASES)), tuple(off), tuple(on))


@given(st.sampled_from(VARIED), conventions(), conventions())
def test_the_steps_of_a_bridge_add_up_to_the_difference_exactly(
    name: str, start: Convention, end: Convention
) -> None:
    b = pw.count(name)
    assert sum(step.delta for step in bridge(b, start, end)) == end.of(b) - start.of(b)


@given(st.sampled_from(VARIED), conventions(), conventions())
def test_no_step_of_a_bridge_is_empty_or_taken_twice(name: str, start: Convention, end: Convention) -> None:
    found = bridge(pw.count(name), start, end)
    assert all(step.delta for step in found)
    assert len({step.key for step in found}) == len(found)


@pytest.mark.parametrize(
    ("name", "start", "end", "expected"),
    [
        ("openai/gpt-oss-120b", "5.13B active", "5.71B active", {"embedding": 579_133_440}),
        (
            "deepseek-ai/DeepSeek-V3",
            "671B",
            "685B",
            {"mtp": 11_610_068_224, "scale": 41_540_496, "basis:mtp": 2 * 926_679_040},
        ),
        ("meta-llama/Llama-3.1-8B", "16 GB", "8.03B", {"bytes:bfloat16": -8_030_261_248}),
        ("meta-llama/Llama-3.1-8B", "16 GB in bf16", "8.03B", {"bytes:16 bits": -8_030_261_248}),
        (
            "Qwen/Qwen3-30B-A3B",
            "30.5B",
            "29.9B non-embedding",
            {"embedding": -311_164_928, "lm_head": -311_164_928},
        ),
        (  # 4.25 bits for each of the experts' weights, half a byte of which is the weight
            "openai/gpt-oss-120b",
            "60.8 GiB",
            "117B",
            {
                "bytes:bfloat16": -2_167_371_072,
                "bytes:mxfp4": 57_330_892_800,
                "bytes:uint8 scales": -3_583_180_800,
            },
        ),
        ("openai/gpt-oss-120b", "5.5B active", "5.71B active", {"printed": 211_982_912}),
    ],
)
def test_a_bridge_leads_from_one_claim_to_another_by_named_parts(
    name: str, start: str, end: str, expected: dict[str, int]
) -> None:
    b = pw.count(name)
    assert {step.key: step.delta for step in bridge(b, start, end)} == expected
    assert {step.key: -step.delta for step in bridge(b, end, start)} == expected


def test_the_copies_of_tables_are_named() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    assert bridge(b, "671B", "685B")[-1].label == "MTP: its copies of embedding and lm_head"
    tied = pw.count("Qwen/Qwen2.5-0.5B")
    (step,) = bridge(tied, Convention("", "", "stored"), Convention("", "", "architectural"))
    assert (step.label, step.delta) == ("lm_head: second names of embedding", 136_134_656)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("117B with 5.1B active", "leads from one number to one other, and .* has 2"),
        ("0.96B attention", "speaks of a part"),
        ("many", "no number that can be read"),
    ],
)
def test_a_bridge_from_what_is_no_count_of_the_model_is_refused(claim: str, why: str) -> None:
    with pytest.raises(pw.ClaimError, match=why):
        bridge(pw.count("openai/gpt-oss-120b"), claim, "117B")


def test_a_bridge_from_bytes_that_are_not_known_is_refused() -> None:
    with pytest.raises(pw.ClaimError, match="The bytes of the weights are not known"):
        bridge(pw.count("openai-community/gpt2"), "500 MB", "124M")


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("keys", [5, None, {"embedding": False}, b"mtp", [[1]], [None], [5], object()])
def test_what_is_no_collection_of_words_is_refused_as_a_convention(keys: Any) -> None:
    b = pw.count(SMALL)
    for departures in ({"off": keys}, {"on": keys}):
        with pytest.raises(pw.ConventionError, match="Known toggles: embedding"):
            b.total("active", **departures)


@pytest.mark.parametrize("basis", [None, 5, [], ["active"], "x\x1b" * 10_000])
def test_what_is_no_basis_is_refused_in_a_few_words(basis: Any) -> None:
    with pytest.raises(
        pw.ConventionError, match=r"^Unknown basis .*one of stored, architectural or active"
    ) as e:
        pw.count(SMALL).total(basis)
    assert len(str(e.value)) < 200
    assert str(e.value).isprintable()
