"""What a claim fits, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.breakdown import Breakdown
from paramwidget.claims import Claim
from paramwidget.roles import BASES, ROLES, TOGGLES
from paramwidget.tensors import TensorSpec
from paramwidget.totals import rows, totals

OSS, V3, Q30 = "openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3-30B-A3B"


def verdict(name: str, claim: str) -> pw.Verdict:
    return pw.reconcile(pw.count(name), claim)


def found(v: pw.Verdict) -> list[tuple[str, tuple[str, ...], tuple[str, ...], int]]:
    return [(m.convention.basis, m.convention.off, m.convention.on, m.count) for m in v.matches[: v.rivals]]


# ------------------------------------------------------------------ the question of the notebook


def test_5_1b_is_one_table_out_and_the_number_cannot_tell_which() -> None:
    v = verdict(OSS, "5.1B active")
    assert v.kind == "ambiguous"
    assert found(v) == [
        ("active", ("embedding",), (), 5_132_849_472),
        ("active", ("lm_head",), (), 5_132_849_472),
    ]
    assert v.because == "embedding and lm_head are both 579,133,440"
    assert v.decided_by is not None
    assert "but not embeddings" in v.decided_by[0]
    assert v.text == (
        "5.1B active: ambiguous. Embedding out (gpt-oss model card) or lm_head out gives 5,132,849,472 active; "
        "indistinguishable by number, as embedding and lm_head are both 579,133,440."
    )


def test_the_source_of_a_bundled_claim_decides_where_it_says_what_it_counts() -> None:
    b = pw.count(OSS)
    (claim,) = [c for c in b.claims if c.text == "5.13B active"]
    v = pw.reconcile(b, claim)
    assert v.kind == "ambiguous"
    assert v.decided_by == (claim.quote, claim.url)


def test_a_claim_that_says_which_table_is_out_is_not_ambiguous() -> None:
    v = verdict(OSS, "5.13B active, lm_head out")
    assert (v.kind, found(v)) == ("match", [("active", ("lm_head",), (), 5_132_849_472)])


# ------------------------------------------------------------------ the kinds


@pytest.mark.parametrize(
    ("name", "claim", "kind", "off", "on", "count"),
    [
        (OSS, "117B", "match", (), (), 116_829_156_672),
        (OSS, "120B", "match", (), ("scale",), 120_412_337_472),
        (V3, "671B", "match", ("mtp",), (), 671_026_419_200),
        (V3, "685B", "match", (), ("scale",), 684_531_386_000),
        (V3, "685B including MTP", "match", (), ("scale",), 684_531_386_000),
        (V3, "37B active", "ambiguous", ("embedding",), (), 36_625_618_432),
        (Q30, "3.3B active", "truncated", (), (), 3_353_032_704),
        (Q30, "30.5B", "match", (), (), 30_532_122_624),
        (Q30, "29.9B non-embedding", "match", ("embedding", "lm_head"), (), 29_909_792_768),
        ("MiniMaxAI/MiniMax-M2.5", "230B", "match", (), (), 228_689_764_864),
        ("Qwen/Qwen2.5-0.5B", "0.36B non-embedding", "match", ("embedding", "lm_head"), (), 357_898_112),
        ("Qwen/Qwen2.5-0.5B", "630M", "match", (), (), 630_167_424),  # architectural: the tied head again
        (
            "Qwen/Qwen3-Next-80B-A3B-Instruct",
            "3B active",
            "match",
            ("embedding", "lm_head"),
            (),
            3_252_599_552,
        ),
        ("zai-org/GLM-4.5", "355B", "match", ("embedding", "lm_head"), (), 355_234_006_336),
        ("zai-org/GLM-4.5", "32B active", "match", ("embedding", "lm_head"), ("mtp",), 32_482_313_536),
        (
            "meituan-longcat/LongCat-Flash-Chat",
            "31.4B active",
            "ambiguous",
            ("embedding",),
            (),
            31_377_370_112,
        ),
        ("google/gemma-4-E2B-it", "2.3B effective", "match", ("per_layer_embedding",), (), 2_279_759_139),
    ],
)
def test_a_published_number_has_this_verdict(
    name: str, claim: str, kind: str, off: tuple[str, ...], on: tuple[str, ...], count: int
) -> None:
    v = verdict(name, claim)
    m = v.matches[0]
    assert (v.kind, m.convention.off, m.convention.on, m.count) == (kind, off, on, count)
    assert v.nearest == m
    assert v.met


def test_trailing_zeros_of_a_whole_number_may_be_no_digits_and_the_verdict_says_so() -> None:
    assert verdict("MiniMaxAI/MiniMax-M2.5", "230B").text.endswith(
        "The default gives 228,689,764,864 stored, which is 230B to 2 digits."
    )


def test_digits_cut_off_are_said_to_be_cut_off() -> None:
    assert verdict(Q30, "3.3B active").text.endswith(
        "The default (Qwen, activated) gives 3,353,032,704 active, which is 3.3B with digits cut off, not rounded."
    )


@pytest.mark.parametrize("said", ["36.7B active, including", "36.7B including"])
def test_a_claim_whose_words_give_another_number_is_a_contradiction(said: str) -> None:
    """What becomes of the tables is said, so that the basis may be any."""
    v = verdict(V3, f"{said} 0.9B embedding and 0.9B head")
    assert (v.kind, v.matches, v.met) == ("contradiction", (), False)
    assert v.nearest is not None
    assert (v.nearest.count, v.gap, v.gap_percent) == (37_552_297_472, -852_297_472, -2.27)
    assert v.part is None  # without one of the tables it would be 36.63B


def test_a_source_that_states_what_does_not_give_its_number_is_contradicted_too() -> None:
    v = pw.reconcile(pw.count(OSS), Claim("5.7B active", "5.7B", "active", "a test", off=("embedding",)))
    assert (v.kind, v.nearest and v.nearest.count) == ("contradiction", 5_132_849_472)


def test_a_number_that_nothing_gives_has_the_nearest_convention_and_the_gap() -> None:
    v = verdict(OSS, "5.5B active")
    assert v.kind == "none"
    assert v.nearest is not None
    assert (v.nearest.convention.off, v.gap, v.gap_percent) == ((), -211_982_912, -3.71)
    assert v.text == (
        "5.5B active: none. Nearest to the printed digits: the default gives 5,711,982,912 active; "
        "5.5B is 211,982,912 (3.71%) less."
    )


def test_nearest_is_in_printed_digits_and_the_sentence_says_so() -> None:
    # 5,132,849,472 and 4,553,716,032 are both 5B, and as far from 3B; of 5.1B and 4.6B one is nearer to 3.0B
    found = {claim: verdict(OSS, claim) for claim in ("3B active", "3.0B active")}
    assert [v.nearest.count for v in found.values() if v.nearest] == [5_132_849_472, 4_553_716_032]
    assert all("none. Nearest to the printed digits: " in v.text for v in found.values())


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        (OSS, "99B"),  # the scales, 3.6B, are a fifth of the gap
        (OSS, "5.5B active"),  # the scales are not counted, so that they are not what is missing
        (OSS, "3B active"),
        (V3, "711B"),
        ("meituan-longcat/LongCat-Flash-Chat", "18.7B–99.9B active"),
    ],
)
def test_a_part_that_does_not_make_up_for_the_gap_is_not_named(name: str, claim: str) -> None:
    v = verdict(name, claim)
    assert (v.kind, v.part) == ("none", None)
    assert v.text.endswith((" less.", " more."))


def test_a_part_counted_once_more_makes_up_for_a_gap_too() -> None:
    # 30,532,122,624 and the table of 311,164,928 a third time
    v = verdict(Q30, "30,843,287,552")
    assert (v.kind, v.gap) == ("none", 311_164_928)
    assert v.part in (
        ("model.embed_tokens.weight", 311_164_928),
        ("lm_head.weight", 311_164_928),
    )
    assert v.text.endswith(f"To the printed digits, that is the size of {v.part[0]}, 311,164,928.")


def test_the_remark_on_how_it_was_read_comes_first_and_once() -> None:
    v = verdict(V3, "37B actv")
    assert v.text.startswith("37B: none. Not read: actv. Nearest to the printed digits: ")
    assert v.text.count("actv") == 1  # and not again of the active parameters
    assert "Of active parameters: ambiguous. Embedding out" in v.text
    assert "<p><b>37B</b>: none. Not read: actv." in v._repr_html_()
    assert (
        verdict(V3, "671B/37B")
        .verdicts[1]
        .text.startswith(
            "37B active: ambiguous. Read as active, as the smaller of two numbers. Embedding out"
        )
    )


def test_the_models_own_name_and_that_of_a_source_need_not_be_read() -> None:
    assert verdict(OSS, "GPT-OSS by OpenAI, 117B").claim.remark == ""
    assert verdict(V3, "GPT-OSS by OpenAI, 117B").claim.remark == "Not read: gpt-oss, openai."
    assert verdict("Qwen/Qwen3-Next-80B-A3B-Instruct", "3.9B active (NVIDIA)").claim.remark == ""


def test_the_nearest_convention_departs_by_no_part_that_moves_no_printed_digit() -> None:
    # leaving the router and the norms out would come closer by 0.01B, which 5.5B does not see
    v = verdict(OSS, "5.5B active")
    assert v.nearest is not None
    assert v.nearest.departures == 0


@pytest.mark.parametrize("name", [OSS, V3, Q30])
def test_no_verdict_says_that_a_number_is_right(name: str) -> None:
    for claim in ("5.1B active", "671B/37B", "3.3B active", "1B", "36.7B including embedding"):
        assert not {"correct", "right", "wrong", "true"} & set(verdict(name, claim).text.lower().split())


# ------------------------------------------------------------------ classes and order


def test_conventions_that_differ_by_what_moves_no_printed_digit_are_one() -> None:
    # norms (210,240) and router (13,276,800) are not seen by 5.1B, but one by one by 5.13B
    assert len(verdict(OSS, "5.1B active").matches) == 2
    assert verdict(OSS, "117B").rivals == 1


def test_the_documented_convention_comes_first_then_the_fewest_departures() -> None:
    v = verdict("Qwen/Qwen3.6-35B-A3B", "35B")
    assert [m.preset for m in v.matches][:2] == ["without_mtp", ""]
    assert v.matches[1].convention.off == ("embedding",)


def test_few_digits_never_tell_that_something_is_out_which_nobody_leaves_out() -> None:
    # 3.51B is 3,513,432,832 without the embedding and the routers; a script may leave a router out and print all digits
    v = verdict("Qwen/Qwen3-Next-80B-A3B-Instruct", "3.51B active")
    assert (v.kind, v.nearest.count, v.part) == ("none", 3_563_764_480, ("router", 50_331_648))
    assert found(verdict(OSS, "116,815,881,024")) == [("stored", ("router",), (), 116_815_881_024)]


def test_what_is_never_left_out_comes_last() -> None:
    # GLM-4.5 report: 32B; one departure, shared experts out, would give 31.5B
    assert verdict("zai-org/GLM-4.7", "32B active").matches[0].convention.off == ("embedding", "lm_head")


def test_active_words_are_held_against_active_alone() -> None:
    assert {m.convention.basis for m in verdict(OSS, "5.1B active").matches} == {"active"}
    assert verdict(OSS, "5.1B total").kind == "none"


# ------------------------------------------------------------------ sizes, parts, products, ranges


@pytest.mark.parametrize(
    ("name", "claim", "count"),
    [
        ("Qwen/Qwen3.8-2.4T-A95B", "4.89 TB", 4_892_365_451_008),
        ("Qwen/Qwen3.8-2.4T-A95B", "4.84 TB", 4_839_609_395_968),  # without the MTP layer
        (OSS, "60.8 GiB", 65_248_815_744),
        (OSS, "65.2 GB", 65_248_815_744),
        ("meta-llama/Llama-3.1-8B", "16 GB in bfloat16", 16_060_522_496),
        ("meta-llama/Llama-3.1-8B", "8 GB at fp8", 8_030_261_248),
    ],
)
def test_a_size_is_held_against_the_predicted_bytes(name: str, claim: str, count: int) -> None:
    v = verdict(name, claim)
    assert (v.kind, v.matches[0].count) == ("match", count)
    assert f"{count:,} bytes" in v.text


def test_a_size_is_not_compared_where_the_bytes_are_not_known() -> None:
    v = verdict("openai-community/gpt2", "500 MB")
    assert (v.kind, v.nearest, v.gap, v.gap_percent) == ("none", None, None, None)
    assert v.text == "500 MB: none. The bytes of the weights are not known: the config names no dtype."
    assert verdict("openai-community/gpt2", "498 MB in fp32").kind == "match"


def test_the_size_of_a_part_is_held_against_that_part() -> None:
    assert found(verdict(OSS, "0.96B attention")) == [("stored", (), (), 955_805_184)]
    assert found(verdict(OSS, "114.71B MLP")) == [("stored", (), (), 114_714_874_368)]
    assert found(verdict(OSS, "1.16B embedding and unembedding")) == [("stored", (), (), 1_158_266_880)]


def test_8x7b_is_no_sum_but_the_model_with_one_of_its_experts() -> None:
    v = verdict("mistralai/Mixtral-8x7B-v0.1", "8x7B")
    assert (v.kind, v.matches[0].count) == ("match", 7_242_780_672)
    assert "8x7B is no sum" in v.text
    assert "stores 46,702,792,704" in v.text


def test_a_range_is_held_against_both_its_ends() -> None:
    longcat = "meituan-longcat/LongCat-Flash-Chat"
    v = verdict(longcat, "18.7B-31.4B active")
    assert (v.kind, v.matches[0].low, v.matches[0].count) == ("ambiguous", 18_693_794_816, 31_377_370_112)
    assert verdict(longcat, "18.6B–31.3B active").kind == "truncated"
    assert verdict(longcat, "18.7B–99.9B active").kind == "none"
    assert verdict(longcat, "18.7B-31.4B").text == v.text


def test_an_average_fits_every_convention_whose_ends_hold_it() -> None:
    longcat = "meituan-longcat/LongCat-Flash-Chat"
    average = verdict(longcat, "27B active on average")
    assert average.kind == "ambiguous"
    assert (average.matches[0].low, average.matches[0].count) == (19_499_101_184, 32_182_676_480)
    assert average.text.endswith("An average depends on the text; a config has the two ends.")
    assert verdict(longcat, "40B active on average").kind == "none"


def test_a_number_of_one_layer_or_expert_is_held_against_one() -> None:
    # three MTP layers of 329,273,408: MiMo-V2-Flash, README: "0.33B params/block"
    mimo = verdict("XiaomiMiMo/MiMo-V2-Flash", "MTP module 0.33B params/block")
    assert found(mimo) == [("stored", (), (), 329_273_408)]
    # 3 × 4,096 × 14,336, and 3 × 2,880 × 2,880 + 3 × 2,880 with its biases
    assert found(verdict("meta-llama/Llama-3.1-8B", "176.2M feed-forward a layer"))[0][-1] == 176_160_768
    assert found(verdict(OSS, "24.9M per expert"))[0][-1] == 24_891_840
    with pytest.raises(pw.ClaimError, match="speaks of a part"):
        pw.bridge(pw.count(OSS), "24.9M per expert", "117B")


def test_the_table_of_positions_in_a_tower_may_be_left_out() -> None:
    # Gemma 4 model card: vision encoder of about 550M and 150M: 569,550,384 less 2 × 10,240 × 1,152, and 167,365,056
    # less 2 × 10,240 × 768
    large = verdict("nvidia/Gemma-4-31B-IT-NVFP4", "550M vision")
    assert (large.kind, large.matches[0].count, large.matches[0].digits) == ("match", 545_957_424, 2)
    assert verdict("google/gemma-4-E2B-it", "150M vision").matches[0].count == 151_636_416


def test_what_a_part_lacks_is_named_by_its_tensor() -> None:
    v = verdict("deepseek-ai/DeepSeek-V3", "11.5B MTP")
    assert v.part == ("model.layers.{layer}.eh_proj.weight", 102_760_448)


def test_the_very_tensor_that_is_missing_is_named() -> None:
    # a published script's total without the 64 attention sinks of each of 36 layers
    v = verdict(OSS, "116,829,154,368")
    assert (v.kind, v.gap, v.part) == ("none", -2304, ("model.layers.{layer}.self_attn.sinks", 2304))


def test_a_bare_number_that_fits_nothing_stored_is_told_what_it_fits_of_active() -> None:
    v = verdict("deepseek-ai/DeepSeek-V3", "37B")
    assert v.kind == "none"
    assert (
        "Of active parameters: ambiguous. Embedding out or lm_head out gives 36,625,618,432 active" in v.text
    )
    assert "Of active" not in verdict("deepseek-ai/DeepSeek-V3", "99B").text


def test_a_count_that_rounds_to_its_significant_digits_is_not_called_cut_off() -> None:
    v = verdict("Qwen/Qwen3-235B-A22B-Instruct-2507", "2350亿")
    assert (v.kind, v.matches[0].count, v.matches[0].digits) == ("match", 235_093_634_560, 3)
    assert v.text.endswith("which is 2350亿 to 3 digits.")


# ------------------------------------------------------------------ several numbers, and forms of the answer


def test_a_text_with_several_numbers_has_a_verdict_for_each() -> None:
    v = verdict(OSS, "117B parameters with 5.1B active parameters")
    assert [(x.claim.text, x.kind) for x in v.verdicts] == [("117B", "match"), ("5.1B active", "ambiguous")]
    assert v.kind == "ambiguous"
    assert v.text.count("\n") == 1
    assert not verdict(OSS, "117B, 5.5B active").met


def test_a_verdict_is_plain_data_and_one_line_and_a_fragment() -> None:
    v = verdict(OSS, "5.1B active")
    d = v.to_dict()
    assert {"claim", "number", "kind", "text", "matches", "rivals", "nearest", "gap", "gap_percent"} <= set(d)
    assert (d["kind"], d["gap"], d["matches"][0]["off"], d["matches"][0]["total"]) == (
        "ambiguous",
        -32_849_472,
        ["embedding"],
        5_132_849_472,
    )
    assert repr(v).startswith("<Verdict 5.1B active: ambiguous.")
    assert v._repr_html_().startswith("<p><b>5.1B active</b>: ambiguous.")


@pytest.mark.parametrize("claim", [None, 5, "many", ""])
def test_what_is_no_claim_is_refused(claim: Any) -> None:
    with pytest.raises(pw.ClaimError):
        pw.reconcile(pw.count(OSS), claim)


# ------------------------------------------------------------------ the bundled claims

#: what stands in the catalog and fits nothing, with the reason
UNEXPLAINED = {
    (V3, "36.7B active, including 0.9B embedding and 0.9B head"): "its words contradict its number",
    ("openai-community/gpt2", "117M"): "the paper's number; the model stores 124,439,808",
    ("Qwen/Qwen2.5-32B", "32.5B"): "the model stores 32,763,876,352",
    ("Qwen/Qwen2.5-32B", "31.0B non-embedding"): "without both tables it stores 31,206,740,992",
}


@pytest.mark.parametrize("name", pw.catalog())
def test_every_bundled_claim_fits_or_it_is_said_why_not(name: str) -> None:
    b = pw.count(name)
    for c in b.claims:
        v = pw.reconcile(b, c)
        assert v.met is ((name, c.text) not in UNEXPLAINED), v.text
        for m in v.matches:
            if c.bits is None and c.low is c.high and not (m.digits or c.parts or c.times):
                assert m.count == m.convention.of(b)
                assert c.fits_cut(m.count) if m.cut else c.fits(m.count)


# ------------------------------------------------------------------ all totals, and how long they take

NAMES = st.sampled_from(pw.catalog())


@given(NAMES, st.sampled_from(BASES), st.data())
def test_the_list_of_totals_is_what_the_one_sum_gives(name: str, basis: str, data: st.DataObject) -> None:
    b = pw.count(name)
    t = totals(basis, rows(b, basis))
    mask = data.draw(st.integers(0, len(t.counts) - 1))
    off, on = t.departures(mask)
    assert t.counts[mask] == b.total(basis, off, on)
    assert t.mask(off, on) == mask


@given(NAMES, st.sampled_from(BASES), st.data())
def test_a_count_printed_to_the_last_digit_is_met(name: str, basis: str, data: st.DataObject) -> None:
    b = pw.count(name)
    t = totals(basis, rows(b, basis))
    mask = data.draw(st.integers(0, len(t.counts) - 1))
    count = t.counts[mask]
    c = Claim(f"{count}", f"{count}", basis, "a test")
    v = pw.reconcile(b, c)
    assert any(m.count == count for m in v.matches if not m.cut and not m.digits) or v.matches[0].digits


def test_a_model_with_a_part_for_every_toggle_is_searched_whole() -> None:
    """2 ** 16 ways of counting on each basis: a number printed to the last digit is met."""
    kinds = ("weight", "bias", "buffer", "scale", "unread")
    sizes = {(r, k): 10**6 * (7 * i + 3) + 17 * j for i, r in enumerate(ROLES) for j, k in enumerate(kinds)}
    parts = tuple(TensorSpec(f"{r}.{k}", (n,), r, k) for (r, k), n in sizes.items())
    b = Breakdown("all", "x", "X", parts)
    assert {t.key for t in b.toggles} == set(TOGGLES)
    count = b.total("stored", off=("embedding", "router", "norm", "vision"))
    assert count in [m.count for m in pw.reconcile(b, f"{count}").matches]
