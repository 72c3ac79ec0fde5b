"""Every printed count of active parameters is reached by a convention, or it is said why not."""

from __future__ import annotations

import pytest
from claims_table import counted, nearest, rows, simplest, stated

import paramwidget as pw
from paramwidget.claims import Claim

#: (repo, as printed) -> why no convention gives it
UNREACHED = {
    ("deepseek-ai/DeepSeek-V3", "36.7B"): "its words contradict its number: with both tables it is "
    "37,552,297,472, without one 36,625,618,432, which is 36.6B; another source says that it was corrected to that",
    ("google/gemma-4-26B-A4B-it", "3.8B"): "the config at hand is a short one, without attention_k_eq_v and "
    "num_global_key_value_heads; the whole one of google/gemma-4-26B-A4B gives 3,822,530,590",
    (
        "ibm-granite/granite-3.0-1b-a400m-base",
        "400M",
    ): "428,655,616, or 378,323,968 without the table, which is "
    "tied: to 400M they round only at one digit, and three are printed",
    (
        "inclusionAI/Ling-plus",
        "28.8B",
    ): "29,004,170,496 with both tables, 28,324,300,032 with one; no departures "
    "come closer than 28,972,941,312",
    (
        "meituan-longcat/LongCat-Flash-Chat",
        "\u223c27B",
    ): "an average over what the router chose for real text; "
    "a config has only the least and the most, which are the row 18.6B\u223c31.3B",
    ("moonshotai/Kimi-K3", "16 experts/token + shared (of 896 routed)"): "words, and no number",
}

ROWS = rows()


def key(row: dict) -> tuple[str, str]:
    return row["repo"], row["printed"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['repo']} {row['printed']}")
def test_a_printed_count_is_reached_or_it_is_said_why_not(row: dict) -> None:
    assert (simplest(row) is None) is (key(row) in UNREACHED), nearest(row)


def test_at_least_nine_in_ten_are_reached() -> None:
    assert 10 * sum(simplest(row) is not None for row in ROWS) >= 9 * len(ROWS)


def test_no_reason_is_left_over() -> None:
    assert set(UNREACHED) <= {key(row) for row in ROWS}


@pytest.mark.parametrize(
    "row", [r for r in ROWS if "states" in r], ids=lambda row: f"{row['repo']} {row['printed']}"
)
def test_what_a_source_says_that_it_counts_gives_its_number(row: dict) -> None:
    assert stated(row) is not None


def test_a_row_says_who_printed_it_and_is_there_once() -> None:
    assert all(row["source"] for row in ROWS)
    found = [(*key(row), row["source"]) for row in ROWS]
    assert len(set(found)) == len(found)


def test_the_whole_config_of_gemma_4_26b_gives_what_its_card_prints() -> None:
    active = counted("google/gemma-4-26B-A4B").active
    assert active == 3_822_530_590
    assert Claim("3.8B", "3.8B", "active", "card").fits(active)


def test_a_range_is_held_against_both_its_ends() -> None:
    longcat = {"repo": "meituan-longcat/LongCat-Flash-Chat", "source": "a test"}
    found = simplest({**longcat, "printed": "18.7B\u223c31.4B"})
    assert found is not None
    assert (found.off, found.on, found.cut) == (("embedding",), (), False)
    assert found.exact == counted(longcat["repo"]).total_range("active", off={"embedding"})
    assert simplest({**longcat, "printed": "18.7B\u223c99.9B"}) is None


def test_a_count_that_rounds_comes_before_one_that_is_cut() -> None:
    assert pw.count("Qwen/Qwen3-30B-A3B").active == 3_353_032_704  # 3.4B, or 3.3B by cutting digits off
    found = simplest({"repo": "Qwen/Qwen3-30B-A3B", "printed": "3.3B", "source": "a test"})
    assert found is not None
    assert (found.off, found.cut) == (("router",), False)
