"""Claims as they are printed: digits, rounding, and which of them is the headline."""

from __future__ import annotations

from typing import Any

import pytest
from configs import SMALL
from hypothesis import given
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.claims import Claim, Number, headline
from paramwidget.grammar import printed


def claim(number: str, basis: str = "active", **more: object) -> Claim:
    return Claim(number, number, basis, "a test", **more)  # type: ignore[arg-type]


# ------------------------------------------------------------------ digits


@pytest.mark.parametrize(
    ("text", "digits", "places", "unit"),
    [
        ("5.13B", 513, 2, 10**9),
        ("117B", 117, 0, 10**9),
        ("0.5b", 5, 1, 10**9),
        ("494M", 494, 0, 10**6),
        ("2.4T", 24, 1, 10**12),
        ("1.5K", 15, 1, 10**3),
        ("5,711,982,912", 5_711_982_912, 0, 1),
        ("5.10 B", 510, 2, 10**9),
        ("2,4 T", 24, 1, 10**12),
        ("1.04 万亿", 104, 2, 10**12),
        ("\uff15B", 5, 0, 10**9),
        ("5e9", 5, 0, 10**9),
        ("1.5e9", 15, 0, 10**8),
    ],
)
def test_a_printed_number_is_its_digits_its_places_and_its_unit(
    text: str, digits: int, places: int, unit: int
) -> None:
    n = printed(text)
    assert (n.digits, n.places, n.unit) == (digits, places, unit)


@pytest.mark.parametrize(
    "text", ["", "B", "5..1B", "-5B", "10GB", "five", "∞", "5.1Q", "1.5", "1.2345K", "8x7B", "A3B", "1B 2B"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(pw.ClaimError, match=r"is no number that can be read|has more places than its unit"):
        printed(text)


@given(
    st.integers(0, 10**7),
    st.integers(0, 4),
    st.sampled_from([1, 10**6, 10**9, 2**30]),
    st.integers(0, 10**14),
)
def test_rounding_and_cutting_are_those_of_the_exact_fraction(
    digits: int, places: int, unit: int, count: int
) -> None:
    n = Number("x", digits, places, unit)
    size = 10**places
    for at in (count, *n.rounding, *n.cutting):
        if at >= 0:
            low, high = n.rounding
            assert (low <= at <= high) is ((2 * at * size + unit) // (2 * unit) == digits)
            low, high = n.cutting
            assert (low <= at <= high) is (at * size // unit == digits)


def test_the_trailing_zeros_of_a_whole_number_may_be_no_digits() -> None:
    found = [(n.digits, n.unit) for n in printed("1600B").shorter()]
    assert found == [(160, 10**10), (16, 10**11)]
    assert list(printed("5.10B").shorter()) == []


def test_a_claim_that_cannot_be_read_cannot_be_made() -> None:
    with pytest.raises(pw.ClaimError):
        claim("many")


def test_a_claim_with_an_unknown_departure_cannot_be_made() -> None:
    with pytest.raises(pw.ConventionError, match="'embedding'"):
        claim("5B", off=("embeding",))


@pytest.mark.parametrize("number", [None, 5, "9" * 5000, "9" * 5000 + "B", "\x1b[31m", b"5B"])
def test_a_number_that_is_no_printed_one_is_refused_in_a_few_words(number: Any) -> None:
    with pytest.raises(pw.ClaimError) as e:
        pw.Claim("x", number, "active", "card")
    assert len(str(e.value)) < 150
    assert str(e.value).isprintable()


def test_a_claim_on_no_basis_is_refused() -> None:
    with pytest.raises(pw.ConventionError, match="Unknown basis 'foo'"):
        pw.Claim("5B", "5B", "foo", "card")


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


# ------------------------------------------------------------------ which claim the first sentence speaks of


def test_the_headline_is_the_claim_marked_so() -> None:
    chosen = headline(pw.count("openai/gpt-oss-120b"))
    assert chosen is not None
    assert chosen.text == "5.13B active"


def test_a_model_without_claims_has_no_headline() -> None:
    assert headline(pw.count(SMALL)) is None
