"""The exported page: one file, no request, numbers in plain HTML, and nothing in it that a name could open."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import paramwidget as pw
from paramwidget.cli import main
from paramwidget.sources import catalog

GPT_OSS = "openai/gpt-oss-120b"

#: what a model, a tensor or a claim could be called by somebody who means harm
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
    "=HYPERLINK(1)",
    "{{constructor.constructor('alert(1)')()}}",
]


def state(page: str) -> dict[str, object]:
    found = re.search(r'<script id="pw-state" type="application/json">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


@pytest.mark.parametrize("model", catalog.ids())
def test_the_page_of_every_bundled_model_is_under_150_kb(model: str) -> None:
    assert len(pw.count(model).to_html().encode()) < 150_000


def test_the_numbers_stand_in_plain_html_too() -> None:
    page = re.sub(r"<script.*?</script>|<style>.*?</style>", "", pw.count(GPT_OSS).to_html(), flags=re.S)
    for number in ("116,829,156,672", "5,711,982,912", "579,133,440"):
        assert number in page


def test_the_page_opens_with_the_convention_it_was_exported_with() -> None:
    page = pw.count(GPT_OSS).to_html("active", off={"embedding"}, claim="5.13B active")
    kept = state(page)
    assert (kept["basis"], kept["off"], kept["on"], kept["claim"]) == (
        "active",
        ["embedding"],
        [],
        "5.13B active",
    )
    assert "5,132,849,472" in page


def test_an_unknown_toggle_is_refused_before_anything_is_written() -> None:
    with pytest.raises(pw.ConventionError, match="embedding"):
        pw.count(GPT_OSS).to_html(off={"embeding"})


def test_a_claim_that_cannot_be_read_is_refused_as_the_widget_refuses_it() -> None:
    b = pw.count(GPT_OSS)
    with pytest.raises(pw.ClaimError, match="no number"):
        b.to_html(claim="garbage")
    with pytest.raises(pw.ClaimError, match=r"claim is the text of a claim, .* and not 5"):
        b.to_html(claim=5)  # type: ignore[arg-type]
    assert state(b.to_html(claim=""))["claim"] is None


def test_the_page_names_no_other_host_as_something_to_load() -> None:
    page = pw.count(GPT_OSS).to_html()
    assert re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="', page) == []
    assert "@import" not in page
    assert "url(" not in page
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_becomes_markup(text: str) -> None:
    b = pw.count(GPT_OSS)
    tensors = (replace(b.tensors[0], name=text, note=text), *b.tensors[1:])
    claims = (replace(b.claims[0], source=text, quote=text, url=text), *b.claims[1:])
    page = replace(b, model=text, tensors=tensors, claims=claims).to_html()
    assert page.count("<script") == pw.count(GPT_OSS).to_html().count("<script")
    assert page.count("</script") == page.count("<script")
    assert text not in page or "<" not in text
    data = state(page)["data"]
    assert isinstance(data, dict)
    assert data["model"] == text


def test_the_command_writes_the_page_and_says_how_large_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "page.html"
    assert main(["html", GPT_OSS, "-o", str(file), "--off", "embedding"]) == 0
    assert f"{file}: {file.stat().st_size:,} bytes" in capsys.readouterr().out
    assert file.read_text(encoding="utf-8") == pw.count(GPT_OSS).to_html(off=["embedding"])


def test_a_page_that_cannot_be_written_is_status_2_and_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["html", GPT_OSS, "-o", str(tmp_path)]) == 2
    assert f"'{tmp_path}' cannot be written" in capsys.readouterr().err


def test_nothing_is_written_where_the_model_is_not_known(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert main(["html", str(tmp_path / "none.json"), "-o", str(file)]) == 2
    assert not file.exists()
