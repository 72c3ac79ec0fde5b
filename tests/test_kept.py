"""What a config lists as not converted: names by whole words, with stars, and patterns."""

from __future__ import annotations

import re
from random import Random

from paramwidget.architectures.kept import Kept
from paramwidget.architectures.patterns import Budget
from paramwidget.tensors import TensorSpec

WORDS = ["a", "b", "ab", "ba", "{layer}", "experts.{expert}"]
LISTED = ["a", "b", "ab", "aba", "c", "0", "1", "experts.0", "*", "a*", "*b", "a*b", "*a*", "", "layer", "{"]


def layers_of(listed: str, name: str) -> set[int] | None:
    return Kept({"ignore": [listed]}, Budget()).layers_of(TensorSpec(name, (4, 4), "mlp", layers=(0, 1)))


def test_a_name_and_a_name_with_stars_fit_whole_words_of_a_tensors_name() -> None:
    random = Random(3)
    kept = 0
    for _ in range(5_000):
        name = ".".join(random.choice(WORDS) for _ in range(random.randint(1, 4)))
        listed = ".".join(random.choice(LISTED) for _ in range(random.randint(1, 3)))
        sign = ".*".join(map(re.escape, listed.split("*")))
        first = name.replace("{layer}", "0").replace("{expert}", "0")
        fits = any(re.fullmatch(rf"(.*\.)?{sign}(\..*)?", of) for of in (name, first))
        if not re.search(r"(?<!experts\.)\b[01]\b", listed):  # those are of one layer
            assert layers_of(listed, name) == (None if fits else set()), (listed, name)
            kept += fits
    assert kept > 250


def test_a_number_in_a_listed_name_is_that_of_a_layer() -> None:
    name = "model.layers.{layer}.mlp.up_proj.weight"
    assert layers_of("model.layers.1.mlp", name) == {1}
    assert layers_of("layers.0.*.up_proj", name) == {0}
    assert layers_of("layers.5.mlp", name) == set()
    assert layers_of(r"re:.*\.1\.mlp", name) == {1}
    assert layers_of(r"re:.*\.mlp", name) is None


def test_one_list_with_names_of_many_lengths_is_searched_for_each() -> None:
    name = "model.layers.{layer}.mlp.up_proj.weight"
    kept = Kept({"ignore": ["mlp.a.b.c.d", "model", "mlp.up_proj"]}, Budget())
    assert kept.layers_of(TensorSpec(name, (4, 4), "mlp", layers=(0, 1))) is None
    kept = Kept({"ignore": ["mlp.a.b.c.d", "model.mlp", "up"]}, Budget())
    assert kept.layers_of(TensorSpec(name, (4, 4), "mlp", layers=(0, 1))) == set()
