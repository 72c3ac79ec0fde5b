"""Real configs with something wrong in them: a count, or an error that says what; never another one, never long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from configs import bundled

import paramwidget as pw

WRONG: list[Any] = [
    *(None, True, False, 0, -1, 1, 16, 99_999, -(10**9), 10**9, 10**30, 10**400, 0.5, float("nan"), 1e308),
    *("", "x", "10", "null", "full_attention", "\u202e\x1b[31m", "é" * 1000, "re:(a+)+$"),
    *([], [1], [None], [1, -1], [1.5, "a"], [10**9] * 40, [[]], {}, {"0": 1}, {"x": {"y": [{}]}}),
    *([0] * 10**6, ["x"] * 10**5, {str(i): i for i in range(10**4)}),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value in a config; of lists the first few."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value[:4]) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("name", pw.catalog()[::6])
def test_a_config_with_something_wrong_in_it_is_counted_or_refused(name: str) -> None:
    random = Random(name)
    whole = bundled(name)
    paths = list(places(whole))
    for _ in range(25):
        config = deepcopy(whole)
        for path in random.sample(paths, k=random.choice([1, 1, 2])):
            inside = config
            for key in path[:-1]:
                inside = inside[key] if isinstance(inside, dict | list) else {}
            if isinstance(inside, dict):
                inside[path[-1]] = random.choice(WRONG)
        began = time.process_time()
        said = ""
        try:
            b = pw.count(config)
            assert b.stored >= 0
            assert b.weight_bytes is None or b.weight_bytes >= 0
        except pw.ParamWidgetError as error:
            said = str(error)
        assert said.isprintable()
        assert len(said) < 3000
        assert time.process_time() - began < 10


def test_a_list_of_what_is_no_number_is_refused_where_numbers_are_looked_up() -> None:
    config = bundled("deepseek-ai/DeepSeek-V4-Flash")
    with pytest.raises(pw.ConfigError, match="compress_ratios"):
        pw.count({**config, "layer_types": None, "compress_ratios": [{"0": 1}] * 100})


@pytest.mark.parametrize("own", [0.5, "10", [1], True])
def test_a_draft_whose_own_config_is_no_object_is_refused(own: object) -> None:
    config = {
        **bundled("Qwen/Qwen3-8B"),
        "architectures": ["DFlashDraftModel"],
        "num_target_layers": 36,
        "dflash_config": own,
    }
    with pytest.raises(pw.ConfigError, match=r"dflash_config = .* must be an object"):
        pw.count(config)


# ------------------------------------------------------------------ arguments


@pytest.mark.parametrize("value", [None, 5, b"x", [], np.int64(3), "openai/gpt-oss-20b"])
def test_what_is_no_breakdown_has_no_memory(value: Any) -> None:
    with pytest.raises(pw.OptionError, match=r"memory\(\) takes what count\(\) gives"):
        pw.memory(value)


@pytest.mark.parametrize("value", [None, 5, b"x", []])
def test_the_catalog_is_asked_with_words(value: Any) -> None:
    with pytest.raises(pw.OptionError, match=r"catalog\(\) takes the words"):
        pw.catalog(value)


@pytest.mark.parametrize(
    "value", [-1, 0, "8", 1.5, True, np.bool_(True), np.float64(8), np.array([5, 6]), 10**30]
)
@pytest.mark.parametrize("name", ["context", "batch"])
def test_a_size_is_a_whole_number_within_bounds(name: str, value: Any) -> None:
    with pytest.raises(pw.OptionError, match=f"{name} must be a whole number from 1 to"):
        pw.memory(pw.count("openai/gpt-oss-20b"), **{name: value})


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    b = pw.count("openai/gpt-oss-20b")
    m = pw.memory(b, context=np.int64(4096), batch=np.uint8(2))  # type: ignore[arg-type]
    assert m == pw.memory(b, context=4096, batch=2)
    assert type(m.context) is type(m.batch) is int


@pytest.mark.parametrize("ax", [5, "x", [1]])
def test_a_figure_is_drawn_on_axes(ax: Any) -> None:
    with pytest.raises(pw.OptionError, match="ax must be axes of matplotlib"):
        pw.count("openai/gpt-oss-20b").plot("parts", ax=ax)
