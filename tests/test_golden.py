"""The golden files, which the browser's tests read, are what this Python writes."""

from __future__ import annotations

import json

import pytest
from make_golden import FOLDER, MODELS, OTHERS, golden, path


@pytest.mark.parametrize("name", MODELS)
def test_writing_a_golden_file_again_gives_the_same_bytes(name: str) -> None:
    written = path(name).read_bytes().decode("utf-8")
    assert golden(name) == written, "run `python -m tests.make_golden` and look at the difference"


def test_there_is_no_other_golden_file() -> None:
    assert sorted(FOLDER.iterdir()) == sorted([*map(path, MODELS), *(FOLDER / name for name in OTHERS)])


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_of_several_models_is_written_again_as_it_is(name: str) -> None:
    written = (FOLDER / name).read_bytes().decode("utf-8")
    assert OTHERS[name]() == written, "run `python -m tests.make_golden` and look at the difference"


@pytest.mark.parametrize("name", MODELS)
def test_a_golden_file_is_small_and_has_a_few_dozen_cases_of_each_kind(name: str) -> None:
    written = path(name).read_bytes()
    assert len(written) < 60_000
    cases = json.loads(written)
    assert min(len(cases[kind]) for kind in ("totals", "effects", "bridges")) >= 24
    assert min(len(cases[kind]) for kind in ("shorts", "percents")) >= 12
