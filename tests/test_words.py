"""The sentences of both languages: each is used, and each that is used is there."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from paramwidget.roles import BASES
from paramwidget.words import WORDS, say

ROOT = Path(__file__).parents[1]
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for folder, ending in (("js/src", "ts*"), ("paramwidget", "py"))
    for path in (ROOT / folder).rglob(f"*.{ending}")
    if path.name != "words.py"
}


def test_every_sentence_that_is_said_is_in_the_table() -> None:
    said = {key for text in SOURCES.values() for key in re.findall(r'\b(?:say|tell)\(\s*"(\w+)"', text)}
    assert len(said) > 50
    assert said - set(WORDS) == set()
    assert set(BASES) <= set(WORDS)


@pytest.mark.parametrize("key", WORDS)
def test_the_sentence_is_said_somewhere(key: str) -> None:
    assert any(f'"{key}"' in text or re.search(rf"\b{key}:", text) for text in SOURCES.values())


@pytest.mark.parametrize("key", WORDS)
def test_the_slots_are_numbered_from_0_without_a_gap(key: str) -> None:
    slots = {name for _, name, _, _ in string.Formatter().parse(WORDS[key]) if name is not None}
    assert slots == {str(i) for i in range(len(slots))}


@pytest.mark.parametrize("key", WORDS)
def test_the_sentence_is_given_as_many_words_as_it_has_slots(key: str) -> None:
    slots = set(re.findall(r"\{(\d)\}", WORDS[key]))
    for path, text in SOURCES.items():
        for m in re.finditer(rf'\b(?:say|tell)\(\s*"{key}"', text):
            assert _arguments(text[m.end() :]) == len(slots), path.name


def test_what_is_in_a_slot_is_not_taken_for_a_slot() -> None:
    assert say("same_matrix", "{0}") == "same matrix as {0}, counted once"


def _arguments(rest: str) -> int:
    """How many arguments follow the first, up to the bracket that closes the call."""
    depth, count, quote, last = 0, 0, "", ""
    for c in rest:
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'`":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return count - (last == ",")
            depth -= 1
        elif c == "," and depth == 0:
            count += 1
        last = last if c.isspace() else c
    raise AssertionError("the call does not end")
