"""One breakdown, three static forms: text, Markdown and HTML list the same rows, and what a model says of itself
stays text in each."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from configs import SMALL

import paramwidget as pw
from paramwidget.breakdown import Breakdown
from paramwidget.render.html import to_fragment
from paramwidget.render.numbers import decimal, exact, percent, short, times
from paramwidget.render.rows import ratios, sentence
from paramwidget.render.text import to_markdown, to_text

OSS = "openai/gpt-oss-120b"
EVERY_FORM = (OSS, "Qwen/Qwen2.5-0.5B", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3.6-35B-A3B")
HOSTILE = "<script>alert(1)</script>|**x**"


class Reader(HTMLParser):
    """The tags of a fragment, its text, and the rows of its first table."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.tables: list[list[list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.tables and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += data


def html_rows(b: Breakdown, **how: object) -> list[list[str]]:
    """Part and the three exact counts, from the table's body."""
    return [row[:4] for row in Reader(to_fragment(b, **how)).tables[0][1:]]  # type: ignore[arg-type]


def markdown_rows(b: Breakdown, **how: object) -> list[list[str]]:
    lines = [line for line in to_markdown(b, **how).splitlines() if line.startswith("|")]  # type: ignore[arg-type]
    return [
        [cell.strip(" *").replace("\\", "") for cell in line.strip("|").split("|")][:4] for line in lines[2:]
    ]


def text_rows(b: Breakdown, **how: object) -> list[list[str]]:
    lines = to_text(b, **how).splitlines()  # type: ignore[arg-type]
    first, last = (i for i, line in enumerate(lines) if line.startswith("─"))
    return [re.split(r"  +", line.strip())[:4] for line in (*lines[first + 1 : last], lines[last + 1])]


# ------------------------------------------------------------------ the same rows


@pytest.mark.parametrize("name", EVERY_FORM)
def test_all_forms_list_the_same_rows(name: str) -> None:
    b = pw.count(name)
    assert text_rows(b) == markdown_rows(b) == html_rows(b)


def test_all_forms_follow_departures() -> None:
    b = pw.count(OSS)
    how = {"basis": "active", "off": ("embedding",), "on": ("scale",)}
    rows = html_rows(b, **how)
    assert text_rows(b, **how) == markdown_rows(b, **how) == rows
    assert rows[0] == ["embedding", "0", "0", "0"]


def test_the_rows_are_the_roles_in_model_order_and_a_total() -> None:
    assert text_rows(pw.count(OSS)) == [
        ["embedding", "579,133,440", "579,133,440", "579,133,440"],
        ["attention", "955,805,184", "955,805,184", "955,805,184"],
        ["router", "13,275,648", "13,275,648", "13,275,648"],
        ["routed experts", "114,701,598,720", "114,701,598,720", "3,584,424,960"],
        ["norms", "210,240", "210,240", "210,240"],
        ["lm_head", "579,133,440", "579,133,440", "579,133,440"],
        ["total", "116,829,156,672", "116,829,156,672", "5,711,982,912"],
    ]


@pytest.mark.parametrize("form", [to_text, to_markdown, to_fragment], ids=["text", "markdown", "html"])
def test_every_form_says_the_sentence_what_is_left_out_and_the_source(form: object) -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    said = form(b)  # type: ignore[operator]
    assert "682.64B stored, 37.55B active" in said
    assert "Left out of active: MTP, scales." in said
    assert "bundled snapshot, not pinned" in said


@pytest.mark.parametrize("form", [to_text, to_markdown, to_fragment], ids=["text", "markdown", "html"])
def test_every_form_says_which_defaults_were_taken(form: object) -> None:
    said = form(pw.count(SMALL))  # type: ignore[operator]
    assert "hidden" in said
    assert "÷" in said


# ------------------------------------------------------------------ HTML for a sanitizer


@pytest.mark.parametrize("name", EVERY_FORM)
def test_the_html_holds_nothing_that_a_sanitizer_drops(name: str) -> None:
    reader = Reader(pw.count(name)._repr_html_())
    assert {tag for tag, _ in reader.tags} <= {
        "div",
        "p",
        "b",
        "br",
        "small",
        "code",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "meter",
    }
    attributes = {key for _, attrs in reader.tags for key in attrs}
    assert attributes <= {"style", "scope", "min", "max", "value", "dir", "lang"}


def test_the_html_is_english_from_left_to_right_wherever_it_stands() -> None:
    compared = pw.compare([OSS, "openai/gpt-oss-20b"])._repr_html_()
    for html in (pw.count(OSS)._repr_html_(), compared):
        assert html.startswith('<div dir="ltr" lang="en">')


def test_every_tensor_is_in_the_html_with_its_shape() -> None:
    b = pw.count(OSS)
    text = Reader(b._repr_html_()).text
    for t in b.tensors:
        assert t.name in text
        assert t.formula in text


def test_the_tensors_of_the_html_follow_the_toggles_as_the_parts_do() -> None:
    reader = Reader(to_fragment(pw.count("Qwen/Qwen2.5-0.5B"), "stored", ("embedding",)))
    counts = {row[0]: row[3] for row in reader.tables[1][1:]}
    assert (counts["model.embed_tokens.weight"], counts["lm_head.weight"]) == ("0", "136,134,656")


def test_copies_say_how_many_of_how_many_experts() -> None:
    reader = Reader(to_fragment(pw.count(OSS)))
    copies = {row[0]: row[2] for row in reader.tables[1][1:]}
    assert copies["model.layers.{layer}.mlp.experts.gate_up_proj"] == "36 × 4 of 128"
    assert copies["model.embed_tokens.weight"] == "1"


# ------------------------------------------------------------------ what a model says of itself


def test_a_hostile_name_is_text_in_the_html() -> None:
    html = pw.count({**SMALL, "_name_or_path": HOSTILE})._repr_html_()
    assert "<script" not in html
    assert HOSTILE in Reader(html).text


def test_a_hostile_name_is_text_in_markdown() -> None:
    first = pw.count({**SMALL, "_name_or_path": HOSTILE}).to_markdown().splitlines()[0]
    assert first.startswith(r"**&lt;script>alert(1)&lt;/script>\|\*\*x\*\***: ")


def test_a_name_cannot_begin_a_line_of_its_own() -> None:
    b = pw.count({**SMALL, "_name_or_path": "x\n\n# heading\n| a | b |"})
    assert not re.search(r"^(#|\| a \|)", b.to_markdown(), re.MULTILINE)


def test_an_escape_sequence_does_not_reach_a_terminal() -> None:
    assert "\x1b" not in to_text(pw.count({**SMALL, "_name_or_path": "\x1b[31mred"}))


@pytest.mark.parametrize("mark", ["[link](http://x)", "`code`", "_a_", "a\\b"])
def test_marks_of_markdown_are_escaped(mark: str) -> None:
    first = pw.count({**SMALL, "_name_or_path": mark}).to_markdown().splitlines()[0]
    plain = re.sub(r"\\(.)", r"\1", first)
    assert plain.startswith(f"**{mark}**: ")
    assert first != plain


def test_the_underscore_of_a_word_stays_readable_in_markdown() -> None:
    assert "| lm_head |" in pw.count(OSS).to_markdown()


# ------------------------------------------------------------------ sentences and ratios


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (OSS, "116.83B stored, 5.71B active (model card: 5.13B, one table out)"),
        ("mistralai/Mixtral-8x7B-v0.1", "46.70B stored, 12.88B active ("),
        ("Qwen/Qwen1.5-MoE-A2.7B", "14.32B stored, 2.69B active ("),
    ],
)
def test_the_sentence_of_a_model(name: str, said: str) -> None:
    assert sentence(pw.count(name)).startswith(said)


@pytest.mark.parametrize(
    ("basis", "off", "on", "said"),
    [
        (
            "active",
            ("embedding",),
            (),
            "116.25B stored, 5.13B active with embedding out (the model card's 5.13B)",
        ),
        (
            "stored",
            ("lm_head",),
            (),
            "116.25B stored, 5.13B active with lm_head out (the model card's 5.13B)",
        ),
        (
            "active",
            ("router",),
            (),
            "116.82B stored, 5.70B active with router out (model card: 5.13B, one table out)",
        ),
    ],
)
def test_the_sentence_counts_every_basis_with_the_departures_and_says_them_once(
    basis: str, off: tuple[str, ...], on: tuple[str, ...], said: str
) -> None:
    assert sentence(pw.count(OSS), basis, off, on) == said


def test_the_sentence_says_a_departure_that_only_another_basis_has() -> None:
    b = pw.count("deepseek-ai/DeepSeek-V3")
    assert sentence(b, "active", ("mtp",)).startswith("671.03B stored, 37.55B active with MTP out")
    assert sentence(b, "stored", (), ("mtp",)).startswith("682.64B stored, ")
    assert " with MTP in" in sentence(b, "stored", (), ("mtp",))


def test_the_sentence_of_a_dense_model_says_that_all_is_active() -> None:
    assert sentence(pw.count("Qwen/Qwen2.5-0.5B")).startswith(
        "0.49B stored, all active, 0.63B architectural ("
    )


def test_the_ratios_people_quote() -> None:
    assert ratios(pw.count(OSS)) == [("stored / active", "20.5 ×"), ("active share", "4.9%")]
    assert ratios(pw.count("Qwen/Qwen2.5-0.5B")) == [("architectural gap", "+27.6%")]
    assert ratios(pw.count("HuggingFaceTB/SmolLM2-135M")) == [("architectural gap", "+21.0%")]
    assert ratios(pw.count("Qwen/Qwen1.5-MoE-A2.7B"))[0] == ("stored / active", "5.32 ×")
    assert ratios(pw.count("mistralai/Mixtral-8x7B-v0.1"))[0] == ("stored / active", "3.63 ×")
    assert ratios(pw.count("Qwen/Qwen3-8B")) == []


def test_bytes_are_given_in_both_units_and_exactly() -> None:
    said = to_text(pw.count(OSS))
    assert "60.8 GiB, 65.25 GB (65,248,815,744 bytes)" in said
    assert "4,892.37 GB" in to_text(pw.count("Qwen/Qwen3.8-2.4T-A95B"))


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("n", "shown"),
    [
        (116_829_156_672, "116.83B"),
        (579_133_440, "0.58B"),
        (200_000_000, "0.20B"),
        (199_999_999, "200.0M"),
        (13_275_648, "13.3M"),
        (999_999, "999,999"),
        (2304, "2,304"),
        (0, "0"),
        (2_446_182_725_504, "2.45T"),
        (999_994_999_999, "999.99B"),
        (999_995_000_000, "1.00T"),
    ],
)
def test_a_short_number(n: int, shown: str) -> None:
    assert short(n) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (628, 1000, "62.8%"),
        (0, 1000, "0%"),
        (5, 0, "0%"),
        (1000, 1000, "100%"),
        (9999, 10_000, "> 99.9%"),
        (1, 1000, "0.1%"),
        (96, 100_000, "0.1%"),
        (94, 100_000, "0.09%"),
        (2304, 5_711_982_912, "0.00004%"),
        (276, 1000, "27.6%"),
        (1500, 1000, "150.0%"),
    ],
)
def test_a_share_is_never_0_of_something_nor_all_of_what_is_not(part: int, whole: int, shown: str) -> None:
    assert percent(part, whole) == shown


@pytest.mark.parametrize(("a", "b", "shown"), [(205, 10, "20.5 ×"), (532, 100, "5.32 ×"), (10, 1, "10.0 ×")])
def test_a_ratio_has_three_digits(a: int, b: int, shown: str) -> None:
    assert times(a, b) == shown


def test_a_half_rounds_upwards_without_leaving_the_integers() -> None:
    assert decimal(1_005_000_000, 10**9, 2) == "1.01"
    assert decimal(2**60 + 1, 2**60, 1) == "1.0"


def test_an_exact_number_has_a_real_minus() -> None:
    assert exact(-1234) == "−1,234"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("@user/@team", "@<!-- -->user/@<!-- -->team"),
        ("a $x$ b", r"a \$x\$ b"),
        ("~~gone~~", r"\~\~gone\~\~"),
        ("&#60;b&gt; &amp;", "&amp;#60;b&amp;gt; &amp;amp;"),
    ],
)
def test_what_github_and_jupyter_add_to_markdown_is_escaped_too(name: str, written: str) -> None:
    first = pw.count({**SMALL, "_name_or_path": name}).to_markdown().splitlines()[0]
    assert first.startswith(f"**{written}**: ")
