"""Write tests/golden: what Python counts and prints, for the browser's sums to be held against.

Run as ``python -m tests.make_golden`` after a change of the wire, of a sum or of a bundled config.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import paramwidget as pw
from paramwidget.breakdown import Breakdown
from paramwidget.compare_wire import to_wire as compare_wire
from paramwidget.conventions import Convention, bridge, presets_for
from paramwidget.render.numbers import percent, short, times
from paramwidget.roles import BASES, TOGGLES
from paramwidget.wire import to_wire

FOLDER = Path(__file__).parent / "golden"

#: experts in a stack, a tie, MTP copies with scales, towers, learned positions, a hybrid
MODELS = (
    "openai/gpt-oss-120b",
    "Qwen/Qwen2.5-0.5B",
    "deepseek-ai/DeepSeek-V3",
    "Qwen/Qwen3.6-35B-A3B",
    "openai-community/gpt2",
    "Qwen/Qwen3-Next-80B-A3B-Instruct",
)
DRAWN = 24
#: two sizes, a tie beside MTP copies and a tower, an encoder-decoder
COMPARED = (
    ("openai/gpt-oss-20b", "openai/gpt-oss-120b"),
    ("Qwen/Qwen2.5-0.5B", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3.6-35B-A3B", "openai/whisper-tiny"),
)

#: what the formats turn at: the change of unit, the last digit, a share of nearly nothing and of nearly all
NUMBERS = (
    0,
    1,
    999,
    2304,
    999_999,
    1_000_000,
    199_999_999,
    200_000_000,
    579_133_440,
    999_994_999_999,
    999_995_000_000,
)
SHARES = (
    (0, 5),
    (5, 5),
    (1, 3),
    (2304, 5_711_982_912),
    (96, 100_000),
    (94, 100_000),
    (99_999, 100_000),
    (6, 5),
)


def path(name: str) -> Path:
    return FOLDER / f"{name.replace('/', '--')}.json"


def golden(name: str) -> str:
    """The golden file of one model, as text: one key a line, so that a change can be read."""
    b = pw.count(name)
    drawn = conventions(b)
    counts = sorted({n for basis in BASES for n in (b.total(basis), *b.by_role(basis).values())})
    found = {
        "wire": to_wire(b),
        "totals": [
            {**plain(c), "total": c.of(b), "by_role": {k: n for k, n in by_role(b, c).items() if n}}
            for c in drawn
        ],
        "effects": [
            {**plain(c), "key": t.key, "effect": b.effect(t.key, c.basis, c.off, c.on)}
            for c in drawn[:10]
            for t in b.toggles
        ],
        "bridges": [
            {
                "from": plain(start),
                "to": plain(end),
                "steps": [{"key": s.key, "delta": s.delta} for s in bridge(b, start, end)],
            }
            for start, end in itertools.pairwise(drawn)
        ],
        "shorts": [[n, short(n)] for n in sorted({*NUMBERS, *counts})],
        "percents": [[*share, percent(*share)] for share in (*SHARES, *((n, b.stored) for n in counts))],
        "times": [[b.stored, b.active, times(b.stored, b.active)]],
    }
    lines = ",\n".join(f"{json.dumps(key)}: {compact(value)}" for key, value in found.items())
    return f"{{\n{lines}\n}}\n"


def conventions(b: Breakdown) -> list[Convention]:
    """The three defaults, the presets, and departures drawn at random, the same in each run."""
    chosen = [Convention("", "", basis) for basis in BASES] + presets_for(b)
    bits = random.Random(b.model).getrandbits
    present = {t.key for t in b.toggles}
    for _ in range(DRAWN):
        off, on = [], []
        for key in TOGGLES:
            # a toggle of the model departs half of the time, one that it lacks now and then
            if bits(1) if key in present else not bits(3):
                (on if bits(1) else off).append(key)
        chosen.append(Convention("", "", BASES[bits(8) % 3], tuple(off), tuple(on)))
    return chosen


def golden_compare() -> str:
    """Comparisons: what the browser is given, and the parts of each model under conventions."""
    found = []
    for names in COMPARED:
        c = pw.compare(names)
        drawn = [Convention("", "", basis) for basis in BASES] + conventions(c.breakdowns[-1])[-DRAWN:]
        found.append(
            {
                "wire": compare_wire(c),
                "by_role": [
                    {
                        **plain(d),
                        "models": [{role: n for role, n in by_role(b, d).items() if n} for b in c.breakdowns],
                    }
                    for d in drawn
                ],
            }
        )
    return "[\n" + ",\n".join(compact(each) for each in found) + "\n]\n"


#: files that are not of one model: name -> what writes it
OTHERS = {"compare": golden_compare}


def by_role(b: Breakdown, c: Convention) -> dict[str, int]:
    return b.by_role(c.basis, c.off, c.on)


def plain(c: Convention) -> dict[str, Any]:
    return {"basis": c.basis, "off": list(c.off), "on": list(c.on)}


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in set(FOLDER.glob("*.json")) - {path(name) for name in (*MODELS, *OTHERS)}:
        old.unlink()
    for name in MODELS:
        path(name).write_text(golden(name), encoding="utf-8")
    for name, write in OTHERS.items():
        path(name).write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
