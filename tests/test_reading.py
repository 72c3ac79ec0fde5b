"""Claims as people write them."""

from __future__ import annotations

import re
from typing import Any

import claims
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paramwidget as pw
from paramwidget.claims import Claim
from paramwidget.reading import read


def said(text: str) -> list[tuple[str, str]]:
    """Each number in one spelling, and its basis."""
    return [(c.text, c.basis) for c in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5.1B active", [("5.1B active", "active")]),
        ("117B", [("117B", "stored")]),
        ("117B parameters with 5.1B active parameters", [("117B", "stored"), ("5.1B active", "active")]),
        ("35B-A3B", [("35B", "stored"), ("A3B", "active")]),
        ("Qwen/Qwen3-30B-A3B", [("30B", "stored"), ("A3B", "active")]),
        ("A22B", [("A22B", "active")]),
        ("29.9B non-embedding", [("29.9B non-embedding", "stored")]),
        ("6.53B (non-embedding)", [("6.53B non-embedding", "stored")]),
        ("5.1B excluding embeddings", [("5.1B non-embedding", "stored")]),
        ("0.6B", [("0.6B", "stored")]),
        (".5b", [("0.5B", "stored")]),
        ("671B/37B", [("671B", "stored"), ("37B active", "active")]),
        ("DeepSeek-R1 | 671B | 37B | 128K", [("671B", "stored"), ("37B active", "active")]),
        ("V4-Flash | 284B | 13B | 1M", [("284B", "stored"), ("13B active", "active")]),
        ("1.6T", [("1.6T", "stored")]),
        ("2,4 T", [("2.4T", "stored")]),
        ("95 G", [("95B", "stored")]),
        ("1.04 万亿", [("1.04T", "stored")]),
        ("671亿参数", [("671亿", "stored")]),
        ("494M", [("494M", "stored")]),
        ("1,542M", [("1542M", "stored")]),
        ("350 million parameters", [("350M", "stored")]),
        ("18.6B-31.3B", [("18.6B–31.3B active", "active")]),  # a total is one number
        ("18.6B-31.3B total", [("18.6B–31.3B", "stored")]),
        ("activates 18.6B\u223c31.3B parameters", [("18.6B–31.3B active", "active")]),
        ("between 18.6 and 31.3B active", [("18.6B–31.3B active", "active")]),
        ("18.6–31.3B", [("18.6B–31.3B active", "active")]),
        ("4.89 TB", [("4.89 TB", "stored")]),
        ("60.8 GiB", [("60.8 GiB", "stored")]),
        ("16 GB in bfloat16", [("16 GB at 16 bits", "stored")]),
        ("8x7B", [("8x7B", "stored")]),
        ("16 × 3.8B", [("16x3.8B", "stored")]),
        ("E4B", [("E4B", "active")]),
        ("2.3B effective", [("2.3B effective", "active")]),
        ("5711982912", [("5,711,982,912", "stored")]),
        ("5 711 982 912", [("5,711,982,912", "stored")]),
        ("5.711.982.912", [("5,711,982,912", "stored")]),
        ("5'711'982'912", [("5,711,982,912", "stored")]),
        ("5\u202f711\u202f982\u202f912 params", [("5,711,982,912", "stored")]),
        ("~3.5B active", [("3.5B active", "active")]),
        ("approximately 3.5 billion activated", [("3.5B active", "active")]),
        ("Llama-4-Scout-17B-16E", [("17B active", "active")]),
        ("Llama-3.1-8B", [("8B", "stored")]),
        ("Mistral-Large-3-675B-Instruct-2512", [("675B", "stored")]),
        ("117B, 36 layers, 128 experts, 131,072 tokens of context", [("117B", "stored")]),
        ("17B (Activated) 109B (Total)", [("17B active", "active"), ("109B", "stored")]),
        ("Params (Total / Activated) | 424B / 47B", [("424B", "stored"), ("47B active", "active")]),
        ("1.43B activated of 16.26B total params", [("1.43B active", "active"), ("16.26B", "stored")]),
        ("3B of 80B", [("3B active", "active"), ("80B", "stored")]),
        ("37B activated (of 671B)", [("37B active", "active"), ("671B", "stored")]),
        (
            "2.3B effective (5.1B with embeddings)",
            [("2.3B effective", "active"), ("5.1B, including embedding", "stored")],
        ),
        (
            "Mixtral has 46.7B total parameters, but it only uses 12.9B parameters per token",
            [("46.7B", "stored"), ("12.9B active", "active")],
        ),
        (
            "only 13 billion active parameters (out of a total of 80 billion)",
            [("13B active", "active"), ("80B", "stored")],
        ),
        (
            "12B active parameters and a total of 52B parameters across all experts",
            [("12B active", "active"), ("52B", "stored")],
        ),
        (
            "235B in total and 22B activated; Number of Paramaters (Non-Embedding): 234B",
            [("235B", "stored"), ("22B active", "active"), ("234B non-embedding", "stored")],
        ),
        (
            "31.6B total and 3.2B active parameters per forward pass (3.6B including embeddings)",
            [("31.6B", "stored"), ("3.2B active", "active"), ("3.6B active, including embedding", "active")],
        ),
        ("总参数量 2.8T; 激活参数量 104B", [("2.8T", "stored"), ("104B active", "active")]),
        ("0.96B attention", [("0.96B attention", "stored")]),
        ("视觉编码器参数量 401M", [("401M vision", "stored")]),
        ("8B prefill, 16B decode", [("8B active", "active"), ("16B active", "active")]),
        # two numbers that say which is which by their order, a slash or "of"
        ("5.1B/117B", [("5.1B active", "active"), ("117B", "stored")]),
        ("5.1B / 117B", [("5.1B active", "active"), ("117B", "stored")]),
        ("5.1B out of 117B parameters active per token", [("5.1B active", "active"), ("117B", "stored")]),
        ("117B,5.1B active", [("117B", "stored"), ("5.1B active", "active")]),
        ("305亿参数\uff0c33亿激活", [("305亿", "stored"), ("33亿 active", "active")]),
        ("1万亿参数 激活320亿", [("1T", "stored"), ("320亿 active", "active")]),
        # the name of a model beside its numbers, and counts of other things before them
        ("gpt-oss-120b | 117B | 5.1B | 131K", [("117B", "stored"), ("5.1B active", "active")]),
        ("Qwen3-30B-A3B: 30.5B", [("30.5B", "stored")]),
        ("128 experts, 8 activated, 30.5B, 3.3B activated", [("30.5B", "stored"), ("3.3B active", "active")]),
        # abbreviations, and spellings of other languages
        ("685B incl. MTP", [("685B, including MTP", "stored")]),
        ("671B excl. MTP", [("671B, without MTP", "stored")]),
        ("5.1B w/ embeddings", [("5.1B, including embedding", "stored")]),
        ("5.13B active, embedding not counted", [("5.13B active non-embedding", "active")]),
        ("117 Milliarden Parameter", [("117B", "stored")]),
        ("117 miliardi", [("117B", "stored")]),
        ("671 млрд", [("671B", "stored")]),
        ("671 tỷ", [("671B", "stored")]),
        ("1,04 Bio.", [("1.04T", "stored")]),
        ("1.17 × 10¹¹", [("1.17e11", "stored")]),
        ("117 x 10^9 parameters", [("117e9", "stored")]),
        # what only steers the direction of writing
        ("\u200f117\u200fB\u200e", [("117B", "stored")]),
        # of one layer, of one expert, of all experts
        ("0.33B MTP params/block", [("0.33B MTP per layer", "stored")]),
        ("176.2M feed-forward a layer", [("176.2M MLP per layer", "stored")]),
        ("24.9M per expert", [("24.9M per expert", "stored")]),
        ("114.7B experts", [("114.7B routed experts", "stored")]),
    ],
)
def test_a_claim_is_read_as_it_is_meant(text: str, expected: list[tuple[str, str]]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "36.7B active, including 0.9B embedding and 0.9B head",
        "Activation parameters: 36.7B (including 0.9B for Embedding and 0.9B for the output Head)",
    ],
)
def test_the_sizes_of_parts_inside_a_statement_are_no_claims(text: str) -> None:
    (c,) = read(text)
    assert (c.number, c.basis, c.words_on) == ("36.7B", "active", ("embedding", "lm_head"))


def test_a_statement_with_but_not_leaves_out_what_follows() -> None:
    (c,) = read("355B: we include the parameters of MTP layers but not word embeddings and the output layer")
    assert (c.words_on, c.words_off) == (("mtp",), ("embedding", "lm_head"))


@pytest.mark.parametrize(
    ("text", "off", "on"),
    [
        ("5.13B active, embedding out", ("embedding",), ()),
        ("5.13B active without lm_head", ("lm_head",), ()),
        ("49B active, MTP excluded", ("mtp",), ()),
        ("82B with MTP", (), ("mtp",)),
        ("671B w/o MTP", ("mtp",), ()),
        ("35B without the vision encoder", ("vision",), ()),
    ],
)
def test_what_is_left_out_and_counted_is_read(text: str, off: tuple[str, ...], on: tuple[str, ...]) -> None:
    (c,) = read(text)
    assert (c.words_off, c.words_on) == (off, on)


def test_non_embedding_alone_is_meant_on_any_basis() -> None:
    assert read("29.9B non-embedding")[0].bases == ("stored", "architectural", "active")
    assert read("2.24B active, non-embedding")[0].bases == ("active",)


@pytest.mark.parametrize(
    ("text", "bits"),
    [("16 GB", 0), ("16 GB in bf16", 16), ("8 GB at fp8", 8), ("4.5 GB, 4-bit", 4), ("32GB FP32", 32)],
)
def test_a_size_says_the_bits_of_a_parameter_if_it_says_them(text: str, bits: int) -> None:
    (c,) = read(text)
    assert c.bits == bits


def test_each_size_has_the_bits_that_stand_beside_it() -> None:
    assert [c.bits for c in read("16 GB in bf16, 4 GB in 4-bit")] == [16, 4]


def test_gb_and_gib_are_never_confused() -> None:
    assert [read(t)[0].low.value for t in ("60.8 GB", "60.8 GiB")] == [60_800_000_000, 65_283_502_899]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no number that can be read"),
        ("many", "has no number that can be read"),
        ("16 experts/token + shared (of 896 routed)", "has no unit"),
        ("128 experts", "has no unit"),
        ("5.1", "has no unit"),
        ("999", "has no unit"),
        ("36 layers", "'36 layers' counts layers, not parameters"),
        ("32K context", "counts context, not parameters"),
        ("50%", "counts percent, not parameters"),
        ("0", "'0' is zero, which no count is"),
        ("0.0 active", "is zero, which no count is"),
        ("117B, 0B MTP", "'0B' is zero, which no count is"),
        ("1e400B", "'1e400B' is more than any count"),
        ("1e400", "is more than any count"),
        ("1e16", "is more than any count"),
        ("1e10B", "has no number that can be read"),
        ("5.1Q", "has no number that can be read"),
        ("671Bя", "has no number that can be read"),
        ("½B", "has no number that can be read"),
        ("0x75B", "has no number that can be read"),
        ("5..1B", "its points and commas make no sense"),
        ("1.2.3B", "its points and commas make no sense"),
        ("-5B", "is negative"),
        ("99999T", "is more than any count"),
        ("5.1234567890123B", "has more places than its unit"),
        ("5B " * 200, "is longer than a claim"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_can(text: str, why: str) -> None:
    with pytest.raises(pw.ClaimError, match=why) as e:
        read(text)
    assert e.value.args[0].isprintable()


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("5.1B actv", ["actv"]),
        ("5.1B act.", ["act"]),
        ("5.1B nonembedding, sans head", ["nonembedding, sans"]),
        ("117B trainable, 5.1B per tokn", ["trainable", "tokn"]),
        ("117B, 5.1Bx active", ["5.1bx"]),
        ("about 117B dense-ish; roughly 5.1B live parameters", ["dense-ish", ""]),
        # what says nothing of the count, and names
        ("~117B params. (total), approx. 5.1B of them used per token!", ["", ""]),
        ("The model has 117 billion parameters in 36 layers with 128 experts.", [""]),
        ("DeepSeek-R1 | 671B | 37B | 128K", ["", ""]),
        ("Qwen/Qwen3-30B-A3B: 30.5B", [""]),
        ("\u201cgpt-oss\u201d by *OpenAI*: 117B", [""]),
        ("总参数量 2.8T; 激活参数量 104B; 视觉编码器参数量 401M", ["", "", ""]),
        ("117 Milliarden Parameter, davon 5,1 Milliarden aktiv", ["", ""]),
        ("117 B \U0001f600 → 5.1 B active", ["", ""]),
    ],
)
def test_the_words_that_are_not_read_are_named_beside_their_number(text: str, unread: list[str]) -> None:
    found = read(text, "openai/gpt-oss-120b")
    said = [re.match(r"Not read: (.*?)\.(?: |$)", c.remark) for c in found]
    assert [m[1] if m else "" for m in said] == unread


@pytest.mark.parametrize("row", claims.rows(), ids=lambda row: f"{row['repo']}: {row['claim']}")
def test_no_word_of_a_printed_claim_is_said_to_be_unread(row: dict[str, Any]) -> None:
    assert not [c.remark for c in claims.claims(row) if "Not read" in c.remark]


def test_no_word_of_a_bundled_claim_is_said_to_be_unread() -> None:
    assert not [c.remark for name in pw.catalog() for c in pw.count(name).claims if c.remark]


@pytest.mark.parametrize("text", ["671B/37B", "671B | 37B", "3B of 80B", "5B-3B"])
def test_what_is_active_without_a_word_that_says_so_is_said_to_be_the_smaller_number(text: str) -> None:
    assert [c.remark for c in read(text) if c.basis == "active"] == [
        "Read as active, as the smaller of two numbers."
    ]
    assert [c.remark for c in read(text) if c.basis == "stored"] == [""]


def test_what_words_say_is_active_needs_no_reason() -> None:
    assert [c.remark for c in read("671B total, 37B active; 35B-A3B; 18.6B-31.3B")] == [""] * 5


@pytest.mark.parametrize("text", [None, 5, 5.1, b"5B", ["5B"]])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(pw.ClaimError, match="is no claim"):
        read(text)  # type: ignore[arg-type]


WORDS = (
    "5.1B 117B 671B 12 . 1.5e9 1,234,567 A E 8x 16E / - – ~ to and of with ( ) , ; | ' _ × + % e 0 active total "
    "non-embedding including excluding in out embedding head MTP vision experts 亿 万亿 GB GiB bf16 4-bit"
)
PIECES = st.sampled_from(WORDS.split())


@given(st.lists(PIECES, max_size=14), st.sampled_from(["", " ", "\u00a0"]))
def test_no_text_of_claims_does_anything_but_read_or_refuse(pieces: list[str], gap: str) -> None:
    check(gap.join(pieces))


@given(st.text(max_size=60))
def test_no_text_at_all_does_anything_but_read_or_refuse(text: str) -> None:
    check(text)


def check(text: str) -> None:
    try:
        found = read(text)
    except pw.ClaimError:
        return
    assert found
    for c in found:
        assert isinstance(c, Claim)
        assert 0 <= c.low.value <= c.high.value < 2**53
        assert c.text
        assert c.bases


@given(st.integers(1, 9999), st.integers(0, 2), st.sampled_from(["B", "M", "T", " b", " billion", "G"]))
def test_spelling_does_not_change_a_number(digits: int, places: int, unit: str) -> None:
    plain = f"{digits / 10**places:.{places}f}"
    (a,) = read(f"{plain}{unit} active")
    (b,) = read(f"ABOUT {plain.replace('.', ',')} {unit.upper()} Activated")
    assert (a.low, a.basis) == (b.low, b.basis)
