"""Conventions, presets, and the bridge from one count to another."""

from __future__ import annotations

from typing import Any

import pytest
from configs import SMALL
from hypothesis import given
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.conventions import Convention, bridge, presets_for
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


# ------------------------------------------------------------------ presets


def test_the_presets_are_these() -> None:
    assert [p.key for p in pw.PRESETS] == [
        "full_forward_pass",
        "gpt_oss_card",
        "active_without_tables",
        "non_embedding",
        "without_mtp",
        "hub_until_2026_07",
    ]


@pytest.mark.parametrize("preset", pw.PRESETS, ids=lambda p: p.key)
def test_every_preset_cites_where_it_is_written(preset: Convention) -> None:
    assert preset.label
    assert preset.citation
    assert preset.url.startswith("https://")


def test_a_model_is_offered_the_presets_that_say_something_about_it() -> None:
    assert [p.key for p in presets_for(pw.count("openai/gpt-oss-120b"))] == [
        "full_forward_pass",
        "gpt_oss_card",
        "active_without_tables",
        "non_embedding",
        "hub_until_2026_07",
    ]
    assert [p.key for p in presets_for(pw.count("Qwen/Qwen2.5-0.5B"))] == [
        "full_forward_pass",
        "non_embedding",
    ]


@pytest.mark.parametrize(
    ("key", "name", "expected"),
    [
        ("full_forward_pass", "mistralai/Mixtral-8x7B-v0.1", 12_879_925_248),  # 12.9B
        ("gpt_oss_card", "openai/gpt-oss-120b", 5_132_849_472),  # 5.13B
        ("active_without_tables", "openai/gpt-oss-120b", 4_553_716_032),
        ("non_embedding", "Qwen/Qwen2.5-0.5B", 357_898_112),  # 0.36B
        ("without_mtp", "deepseek-ai/DeepSeek-V3", 671_026_419_200),  # 671B
        ("hub_until_2026_07", "openai/gpt-oss-120b", 120_412_337_472),  # 120.4B
    ],
)
def test_a_preset_gives_the_number_that_its_source_prints(key: str, name: str, expected: int) -> None:
    assert next(p for p in pw.PRESETS if p.key == key).of(pw.count(name)) == expected


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
