"""Printed numbers, and the conventions under which they come out."""

from __future__ import annotations

from typing import Any

import pytest
from configs import SMALL

import paramwidget as pw
from paramwidget.claims import Claim, headline, printed, readings


def claim(number: str, basis: str = "active", **more: object) -> Claim:
    return Claim(number, number, basis, "a test", **more)  # type: ignore[arg-type]


def fitting(name: str, text: str) -> list[tuple[tuple[str, ...], bool, str | None]]:
    b = pw.count(name)
    c = next(c for c in b.claims if c.text == text)
    return [(r.convention.off, r.cut, r.preset) for r in readings(b, c)]


# ------------------------------------------------------------------ digits


@pytest.mark.parametrize(
    ("text", "digits", "unit"),
    [
        ("5.13B", 513, 10_000_000),
        ("117B", 117, 1_000_000_000),
        ("0.5b", 5, 100_000_000),
        ("494M", 494, 1_000_000),
        ("2.4T", 24, 100_000_000_000),
        ("1.5K", 15, 100),
        ("5,711,982,912", 5_711_982_912, 1),
        ("5.10 B", 510, 10_000_000),
    ],
)
def test_a_printed_number_is_its_digits_and_the_size_of_its_last_place(
    text: str, digits: int, unit: int
) -> None:
    assert printed(text) == (digits, unit)


@pytest.mark.parametrize(
    "text", ["", "B", "5..1B", "-5B", "5e9", "10GB", "five", "∞", "\uff15B", "5.1Q", "1.5", "1.2345K"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(pw.ClaimError, match=r"is no number that can be read|has more places than its unit"):
        printed(text)


def test_a_claim_that_cannot_be_read_cannot_be_made() -> None:
    with pytest.raises(pw.ClaimError):
        claim("many")


def test_a_claim_with_an_unknown_departure_cannot_be_made() -> None:
    with pytest.raises(pw.ConventionError, match="'embedding'"):
        claim("5B", off=("embeding",))


# ------------------------------------------------------------------ fitting


@pytest.mark.parametrize(
    ("number", "count", "fits"),
    [
        ("5.13B", 5_132_849_472, True),
        ("5.13B", 5_125_000_000, True),  # half of the last place rounds up
        ("5.13B", 5_124_999_999, False),
        ("5.13B", 5_134_999_999, True),
        ("5.13B", 5_135_000_000, False),
        ("5.1B", 5_132_849_472, True),
        ("5.7B", 5_132_849_472, False),
        ("117B", 116_829_156_672, True),
        ("5711982912", 5_711_982_912, True),
        ("5711982912", 5_711_982_913, False),
    ],
)
def test_a_claim_fits_a_count_that_rounds_to_its_digits(number: str, count: int, fits: bool) -> None:
    assert claim(number).fits(count) is fits


def test_a_claim_that_only_cut_digits_off_is_told_from_one_that_rounded() -> None:
    # Qwen3-30B-A3B: 3,353,032,704 printed as 3.3B
    assert not claim("3.3B").fits(3_353_032_704)
    assert claim("3.3B").fits_cut(3_353_032_704)
    assert not claim("3.4B").fits_cut(3_353_032_704)


def test_a_count_that_rounds_is_not_called_cut() -> None:
    assert not claim("5.13B").fits_cut(5_132_849_472)


# ------------------------------------------------------------------ readings


def test_5_13b_has_two_readings_and_the_card_decides_for_the_embedding() -> None:
    assert fitting("openai/gpt-oss-120b", "5.13B active") == [
        (("embedding",), False, "gpt_oss_card"),
        (("lm_head",), False, None),
    ]


def test_both_readings_of_5_13b_give_the_same_integer() -> None:
    b = pw.count("openai/gpt-oss-120b")
    c = headline(b)
    assert c is not None
    assert [r.convention.of(b) for r in readings(b, c)] == [5_132_849_472, 5_132_849_472]


def test_the_simplest_reading_of_a_total_is_no_departure() -> None:
    assert fitting("openai/gpt-oss-120b", "117B") == [((), False, None)]


def test_37b_leaves_out_one_table_and_nothing_says_which() -> None:
    assert fitting("deepseek-ai/DeepSeek-V3", "37B active") == [
        (("embedding",), False, None),
        (("lm_head",), False, None),
    ]


def test_671b_leaves_out_the_mtp_layers() -> None:
    assert fitting("deepseek-ai/DeepSeek-V3", "671B") == [(("mtp",), False, None)]


def test_685b_counts_each_name_and_the_scales() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    c = next(c for c in b.claims if c.number == "685B")
    (reading,) = readings(b, c)
    assert (reading.convention.basis, reading.convention.on) == ("architectural", ("scale",))
    assert reading.convention.of(b) == 684_531_386_000


def test_36_7b_with_both_tables_fits_no_usual_convention() -> None:
    # the note's words (both tables in) give 37.55B, its number is one table and a rounding away
    assert fitting("deepseek-ai/DeepSeek-V3", "36.7B active") == []


def test_digits_are_only_said_to_be_cut_where_nothing_rounds() -> None:
    assert fitting("Qwen/Qwen3-30B-A3B", "3.3B active") == [((), True, None)]


def test_95b_counts_the_embedding_table() -> None:
    assert fitting("Qwen/Qwen3.8-2.4T-A95B", "95B active") == [((), False, None)]


def test_3b_of_qwen3_next_leaves_out_both_tables() -> None:
    assert fitting("Qwen/Qwen3-Next-80B-A3B-Instruct", "3B active") == [
        (("embedding", "lm_head"), False, None)
    ]


def test_the_vendors_2_7b_is_a_full_forward_pass() -> None:
    assert fitting("Qwen/Qwen1.5-MoE-A2.7B", "2.7B active") == [((), False, None)]


# what stands in the catalog and fits nothing, with the reason
UNEXPLAINED = {
    ("deepseek-ai/DeepSeek-V3", "36.7B active"): "its words contradict its number",
    ("deepseek-ai/DeepSeek-V4-Pro", "1600B"): "two digits of 1,598,839,674,782",
    ("EleutherAI/pythia-160m", "160M"): "two digits of 162,322,944",
    ("EleutherAI/pythia-410m", "410M"): "two digits of 405,334,016",
    (
        "google-bert/bert-large-uncased",
        "340M",
    ): "the paper's number; the model stores 335,141,888",
    ("ibm-granite/granite-3.0-1b-a400m-base", "400M active"): "one digit of 428,655,616, or of 378,323,968",
    ("meta-llama/Llama-2-70b-hf", "70B"): "a name; the model stores 68,976,648,192",
    ("MiniMaxAI/MiniMax-M2.5", "230B"): "two digits of 228,689,764,864",
    ("nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", "550B"): "two digits of what it stores without MTP",
    ("openai-community/gpt2", "117M"): "the paper's number; the model stores 124,439,808",
    ("Qwen/Qwen2.5-32B", "32.5B"): "the model stores 32,763,876,352",
    ("Qwen/Qwen2.5-32B", "31.0B non-embedding"): "without both tables it stores 31,206,740,992",
}


@pytest.mark.parametrize("name", pw.catalog())
def test_every_reading_of_a_bundled_claim_gives_its_number(name: str) -> None:
    b = pw.count(name)
    for c in b.claims:
        found = readings(b, c)
        assert bool(found) is ((name, c.text) not in UNEXPLAINED), c.text
        for r in found:
            fit = c.fits_cut if r.cut else c.fits
            assert fit(r.convention.of(b)), (c.text, r)


@pytest.mark.parametrize("name", pw.catalog())
def test_what_a_source_says_that_it_leaves_out_is_left_out_in_the_first_reading(name: str) -> None:
    b = pw.count(name)
    for c in b.claims:
        found = readings(b, c)
        if found:
            assert set(c.off) <= set(found[0].convention.off), c.text
            assert set(c.on) <= set(found[0].convention.on), c.text


# ------------------------------------------------------------------ which claim the first sentence speaks of


def test_the_headline_is_the_claim_marked_so() -> None:
    chosen = headline(pw.count("openai/gpt-oss-120b"))
    assert chosen is not None
    assert chosen.text == "5.13B active"


def test_a_model_without_claims_has_no_headline() -> None:
    assert headline(pw.count(SMALL)) is None


@pytest.mark.parametrize("number", [None, 5, "9" * 5000, "9" * 5000 + "B", "\x1b[31m", b"5B"])
def test_a_number_that_is_no_printed_one_is_refused_in_a_few_words(number: Any) -> None:
    with pytest.raises(pw.ClaimError) as e:
        pw.Claim("x", number, "active", "card")
    assert len(str(e.value)) < 150
    assert str(e.value).isprintable()


def test_a_claim_on_no_basis_is_refused() -> None:
    with pytest.raises(pw.ConventionError, match="Unknown basis 'foo'"):
        pw.Claim("5B", "5B", "foo", "card")
