"""Patterns that a config brings: read as ``re`` reads them, and never slow."""

from __future__ import annotations

import re
import subprocess
import sys
from random import Random

import pytest

from paramwidget.architectures.patterns import Budget, Pattern, PatternError

ATOMS = [
    *("a", "b", ".", r"\.", "0", "[ab]", "[^a]", "[a-c]", "[]a]", "[a-]", r"\d", r"\w", r"\S"),
    *("(a|b)", "(?:ab|c)", "(a|)", "(a*)", "(b?c+)", "(?=a)", "(?!b)"),
    *("ab", "bca", r"a\.b", r"c\]", "(ab|ca|abc)"),
]
TIMES = ["", "", "", "*", "+", "?", "{1,2}", "{2}", "*?", "{1,}"]


def test_a_pattern_fits_what_re_says_that_it_fits() -> None:
    random = Random(5)
    for _ in range(4000):
        text = "".join(random.choice(ATOMS) + random.choice(TIMES) for _ in range(random.randint(1, 6)))
        text = random.choice(["", "^"]) + text + random.choice(["", "$", "|a"])
        ours, theirs = Pattern(text), re.compile(text)
        for _ in range(4):
            name = "".join(random.choice("abc.0]-") for _ in range(random.randint(0, 9)))
            assert ours.match(name, Budget()) == bool(theirs.match(name)), (text, name)
            assert ours.fullmatch(name, Budget()) == bool(theirs.fullmatch(name)), (text, name)


@pytest.mark.parametrize(
    "text",
    [
        "(",
        ")",
        "a)",
        "*",
        "a**",
        "[",
        "[z-a]",
        "a{x}",
        "a{",
        r"(a)\1",
        "(?<=a)b",
        "(?i)a",
        r"\bq",
        "\\",
        "(?P<n>a)",
    ],
)
def test_what_is_not_read_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        Pattern(text)


EVIL = [
    "(.*)*$",
    "(a+)+$",
    "(a|aa)+$",
    "(?:[a-z.]+)*[0-9]",
    "(.+.+)+x",
    ".*.*.*.*.*.*.*.*x",
    ".?" * 200 + "zz",
    "(.|.)" * 80 + "zz",
    "(.|a?)" * 60 + "zz",
    "((.{1,99}){1,99}){1,99}z",
    "(){999999999}z",
    "(((.*)*)*)*z",
    "(?=(.*)*z)x",
    "(?!(.*(?!.*(?!.*z)).*)*)x",
    "(" * 200 + ")" * 200,
    "x" * 100_000,
]


def test_no_pattern_hangs_a_count() -> None:
    """Each in the three places that a config has for one, in a process of its own, with a hundred of them at once."""
    code = f"""
import paramwidget as pw
sizes = {{"vocab_size": 8, "hidden_size": 4, "intermediate_size": 6, "num_hidden_layers": 64,
         "num_attention_heads": 2, "tie_word_embeddings": True}}
base = {{"architectures": ["LlamaForCausalLM"], **sizes}}
group = {{"weights": {{"num_bits": 8, "type": "float", "strategy": "tensor"}}, "targets": ["Linear"]}}
ct = {{"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": [],
      "config_groups": {{"group_0": group}}}}
gptq = {{"quant_method": "gptq", "bits": 4, "group_size": 128}}
evil = {EVIL!r}
for texts in [*([e] for e in evil), [f"{{e}}({{i}})?" for e in evil[:12] for i in range(100)], ["*a" * 5000]]:
    for q in (
        {{**ct, "ignore": ["re:" + t for t in texts]}},
        {{**ct, "ignore": ["*" + t for t in texts]}},
        {{**ct, "config_groups": {{"g": {{**group, "targets": ["re:" + t for t in texts]}}}}}},
        {{**gptq, "dynamic": {{"-:" + t: {{}} for t in texts}}}},
    ):
        assert pw.count({{**base, "quantization_config": q}}).stored == 64 * (136 + 8) + 36, q
print("counted")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "counted\n", done.stderr[-2000:]
