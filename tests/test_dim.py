"""Integers that remember where they came from."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paramwidget.dim import Dim, formula

HEADS = Dim.field("num_attention_heads", 64)
WIDTH = Dim.field("head_dim", 128)
HIDDEN = Dim.field("hidden_size", 2880)


def test_a_field_is_an_int_with_its_name() -> None:
    assert HEADS == 64
    assert (HEADS.symbols, HEADS.numbers) == ("num_attention_heads", "64")


def test_a_product_remembers_both_fields() -> None:
    both = HEADS * WIDTH
    assert both == 8192
    assert (both.symbols, both.numbers) == ("num_attention_heads × head_dim", "64 × 128")


def test_a_plain_int_stands_in_the_formula_as_its_digits() -> None:
    assert (2 * HIDDEN).symbols == "2 × hidden_size"
    assert (HIDDEN * 1000).symbols == "hidden_size × 1,000"


def test_a_sum_within_a_product_keeps_its_brackets() -> None:
    assert ((HEADS + 2) * WIDTH).symbols == "(num_attention_heads + 2) × head_dim"
    assert (WIDTH * (HEADS + 2)).symbols == "head_dim × (num_attention_heads + 2)"


def test_what_is_taken_away_keeps_its_brackets() -> None:
    assert (HIDDEN - (HEADS + WIDTH)).symbols == "hidden_size − (num_attention_heads + head_dim)"
    assert (HIDDEN - HEADS - WIDTH).symbols == "hidden_size − num_attention_heads − head_dim"


def test_a_quotient_within_a_product_keeps_its_brackets() -> None:
    assert (WIDTH * (HIDDEN // HEADS)).symbols == "head_dim × (hidden_size ÷ num_attention_heads)"
    assert (HIDDEN // (HEADS * WIDTH)).symbols == "hidden_size ÷ (num_attention_heads × head_dim)"


def test_an_int_on_the_left_is_remembered_too() -> None:
    assert (3000 - HIDDEN).symbols == "3,000 − hidden_size"
    assert (5760 // HIDDEN).symbols == "5,760 ÷ hidden_size"
    assert (1 + HIDDEN).symbols == "1 + hidden_size"


def test_ceil_div_rounds_up_and_says_so() -> None:
    blocks = HIDDEN.ceil_div(128)
    assert blocks == 23
    assert (blocks.symbols, blocks.numbers) == ("⌈hidden_size ÷ 128⌉", "⌈2,880 ÷ 128⌉")
    assert (HEADS * 3).ceil_div(128).symbols == "⌈(num_attention_heads × 3) ÷ 128⌉"


def test_other_operations_give_a_plain_int() -> None:
    assert type(HIDDEN % 7) is int
    assert type(-HIDDEN) is int


def test_a_float_is_not_taken_into_a_formula() -> None:
    assert type(HIDDEN * 0.5) is float
    with pytest.raises(TypeError):
        HIDDEN + "x"  # type: ignore[operator]


def test_it_prints_hashes_and_serialises_as_the_int_it_is() -> None:
    assert (repr(HIDDEN), str(HIDDEN), f"{HIDDEN:,}") == ("2880", "2880", "2,880")
    assert {2880: "found"}[HIDDEN] == "found"
    assert json.dumps([HIDDEN]) == "[2880]"


def test_it_survives_pickling_and_copying_with_its_formula() -> None:
    for again in (pickle.loads(pickle.dumps(HEADS * WIDTH)), copy.deepcopy(HEADS * WIDTH)):
        assert (again, again.symbols) == (8192, "num_attention_heads × head_dim")


def test_a_shape_is_the_product_of_its_dimensions_compound_ones_in_brackets() -> None:
    assert formula((HIDDEN, HEADS * WIDTH)) == "hidden_size × (num_attention_heads × head_dim)"
    assert formula((HIDDEN, HEADS * WIDTH), numbers=True) == "2,880 × (64 × 128)"


def test_one_dimension_needs_no_brackets() -> None:
    assert formula((HEADS * WIDTH,)) == "num_attention_heads × head_dim"


def test_a_scalar_is_one_element() -> None:
    assert formula(()) == "1"


small = st.integers(1, 999)


@given(small, small, small, st.sampled_from("+-*/"), st.sampled_from("+-*/"), st.booleans())
def test_the_numbers_of_a_formula_compute_to_its_value(
    a: int, b: int, c: int, f: str, g: str, left: bool
) -> None:
    apply = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "/": lambda x, y: x // y if y else x,
    }
    x, y, z = (Dim.field(name, n) for name, n in zip("abc", (a, b, c), strict=True))
    dim = apply[g](apply[f](x, y), z) if left else apply[f](x, apply[g](y, z))
    text = dim.numbers.replace("×", "*").replace("÷", "//").replace("−", "-")
    assert eval(text) == int(dim)


def test_a_bare_dimension_is_a_number_without_a_field() -> None:
    five = Dim(5)
    assert (five.symbols, five.numbers) == ("5", "5")
    assert (2 * HIDDEN + Dim(1000)).symbols == "2 × hidden_size + 1,000"
    assert (Dim(6) // 4, five.ceil_div(2).symbols) == (1, "⌈5 ÷ 2⌉")
    for again in (copy.copy(five), copy.deepcopy(five), pickle.loads(pickle.dumps(five))):
        assert (again, again.symbols, type(again)) == (5, "5", Dim)


def test_a_sum_of_thousands_has_a_formula() -> None:
    total = HEADS
    for _ in range(5000):
        total = total + WIDTH
    assert total == 64 + 5000 * 128
    assert total.symbols == "num_attention_heads" + " + head_dim" * 5000
    assert total.numbers == "64" + " + 128" * 5000
