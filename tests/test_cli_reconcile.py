"""``paramwidget reconcile`` and ``%params reconcile``, as a person or a script runs them."""

from __future__ import annotations

import json

import pytest

import paramwidget as pw
from paramwidget.cli import main
from paramwidget.magic import params


@pytest.mark.parametrize(
    ("name", "claim", "status"),
    [
        ("openai/gpt-oss-120b", "5.1B active", 0),  # ambiguous
        ("openai/gpt-oss-120b", "117B parameters with 5.1B active parameters", 0),
        ("Qwen/Qwen3-30B-A3B", "3.3B active", 0),  # truncated
        ("openai/gpt-oss-120b", "5.5B active", 1),  # none
        ("openai/gpt-oss-120b", "117B, 5.5B active", 1),  # one of the two
        (
            "deepseek-ai/DeepSeek-V3",
            "36.7B active, including 0.9B embedding and 0.9B head",
            1,
        ),  # contradiction
        ("openai-community/gpt2", "500 MB", 1),  # cannot be compared
        ("openai/gpt-oss-120b", "many", 2),
        ("openai/no-such-folder/config.json", "many", 2),  # the claim is read first
    ],
)
def test_the_status_says_whether_every_number_fits(
    name: str, claim: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reconcile", name, claim]) == status
    out, err = capsys.readouterr()
    assert bool(out) is (status < 2)
    assert ("has no number that can be read" in err) is (status == 2)


@pytest.mark.parametrize("claim", [["-5B"], ["-5B", "active"], ["-.5B"], ["-5"], ["--", "-5B"]])
def test_a_negative_claim_is_refused_as_a_claim_and_not_as_an_option(
    claim: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reconcile", "openai/gpt-oss-120b", "--json", *claim]) == 2
    assert "is negative, which no count is" in capsys.readouterr().err
    with pytest.raises(pw.ClaimError, match="is negative"):
        params(f"reconcile openai/gpt-oss-120b {' '.join(claim)}")


def test_words_that_are_not_read_are_named_and_are_no_reason_to_refuse(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        main(["reconcile", "openai/gpt-oss-120b", "117B params of gpt-oss by OpenAI, 5.13B activ, trainable"])
        == 0
    )
    assert (
        capsys.readouterr()
        .out.splitlines()[1]
        .startswith("5.13B active: ambiguous. Not read: trainable. Emb")
    )
    assert main(["reconcile", "openai/gpt-oss-120b", "5.1B actv", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdicts"][0]["remark"] == "Not read: actv."


def test_a_claim_needs_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reconcile", "openai/gpt-oss-120b", "5.1B", "active", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claim"] == "5.1B active"
    assert params("reconcile openai/gpt-oss-120b 5.1B active").claim.text == "5.1B active"


def test_each_number_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["reconcile", "openai/gpt-oss-120b", "117B parameters with 5.1B active parameters"])
    assert capsys.readouterr().out.splitlines() == [
        "117B: match. The default gives 116,829,156,672 stored.",
        "5.1B active: ambiguous. Embedding out (gpt-oss model card) or lm_head out gives 5,132,849,472 active; "
        "indistinguishable by number, as embedding and lm_head are both 579,133,440.",
    ]


def test_the_json_has_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reconcile", "openai/gpt-oss-120b", "5.5B active", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {k: found[k] for k in ("model", "claim", "kind", "met")} == {
        "model": "openai/gpt-oss-120b",
        "claim": "5.5B active",
        "kind": "none",
        "met": False,
    }
    (verdict,) = found["verdicts"]
    assert (verdict["gap"], verdict["gap_percent"], verdict["nearest"]["total"]) == (
        -211_982_912,
        -3.71,
        5_711_982_912,
    )


def test_the_cell_magic_gives_the_verdict() -> None:
    v = params('reconcile openai/gpt-oss-120b "5.1B active"')
    assert isinstance(v, pw.Verdict)
    assert v.kind == "ambiguous"


def test_show_prints_the_bundled_claims_with_their_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "openai/gpt-oss-120b"]) == 0
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Printed (")]
    assert printed[0] == "Printed (model card): 117B: match. The default gives 116,829,156,672 stored."
    assert len(printed) == len(pw.count("openai/gpt-oss-120b").claims)
    assert printed[-1].startswith("Printed (gpt-oss model card, Table 1): 60.8 GiB: match.")
