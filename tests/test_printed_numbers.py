"""Every printed number of the table fits, or it is said why not; and numbers that nobody printed do not."""

from __future__ import annotations

import claims as table
import pytest

ROWS = table.rows()
KNOWN = [row for row in ROWS if table.model(row)]


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: f"{row['repo']} {row['claim']}")
def test_a_printed_number_fits_or_it_is_said_why_not(row: dict) -> None:
    assert table.met(row) is ("why" not in row), [v.text for v in table.verdicts(row)]


def test_of_all_printed_numbers_nineteen_in_twenty_fit() -> None:
    assert 100 * sum(map(table.met, table.rated())) >= 95 * len(table.rated())


def test_the_rows_that_print_no_number_are_few_and_say_so() -> None:
    assert [row["why"] for row in ROWS if not table.claims(row)] == ["words, and no number"]


def test_nearly_all_numbers_times_1_17_fit_nothing() -> None:
    kinds = table.control()
    assert 100 * (kinds["none"] + kinds["contradiction"]) >= 95 * sum(kinds.values())


def test_a_row_says_who_printed_it_and_is_there_once() -> None:
    assert all(row["source"] and row["kind"] in table.KINDS for row in ROWS)
    keys = [(row["repo"], row["claim"], row["source"], row["quote"]) for row in ROWS]
    assert len(set(keys)) == len(keys)


def test_another_config_stands_in_only_where_there_is_one_of_the_repository_too() -> None:
    for row in ROWS:
        if "config" in row:
            assert table.counted(row["repo"]) is not None
            assert table.counted(row["config"]) is not None
