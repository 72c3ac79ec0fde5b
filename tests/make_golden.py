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
from paramwidget.bridge import bridge
from paramwidget.compare_wire import to_wire as compare_wire
from paramwidget.conventions import Convention
from paramwidget.presets import presets_for
from paramwidget.render.numbers import both_units, percent, short, times
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

#: what layers keep in every way: windows, chunks, latent vectors with and without an indexer, compressed entries, a
#: cache read by later layers, states, an encoder of fixed and of free length, an image, nothing
MEMORY = (
    "openai/gpt-oss-120b",
    "deepseek-ai/DeepSeek-V3.2",
    "deepseek-ai/DeepSeek-V4-Flash",
    "google/gemma-4-E2B-it",
    "google/gemma-3-4b-it",
    "meta-llama/Llama-4-Scout-17B-16E",
    "meta-llama/Llama-3.2-90B-Vision",
    "Qwen/Qwen3-Next-80B-A3B-Instruct",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "openai/whisper-tiny",
    "MBZUAI/LaMini-Flan-T5-783M",
    "thenlper/gte-small",
)
#: context, batch, dtype of the weights, dtype of the cache, length of the encoder
ASKED = (
    (32_768, 1, None, "bfloat16", None),
    (1, 1, "bfloat16", "float32", None),
    (127, 3, "fp8", "fp8", 7),
    (128, 8, "int4", "int4", 0),
    (129, 64, "mxfp4", "nvfp4", 1),
    (1_000_000, 512, "nvfp4", "mxfp8", 4096),
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


def golden_memory() -> str:
    """What memory() says of a few models: what the wire sends for it, and the answers."""
    lines = []
    for name in MEMORY:
        b = pw.count(name)
        wire = to_wire(b)
        found = {"layers": wire["layers"], "memory": wire["memory"], "cases": [asked(b, *a) for a in ASKED]}
        lines.append(f"{json.dumps(name)}: {compact(found)}")
    sizes = (0, 131_072, 999_999, 10**6, 145_752_064, 10**9, 65_248_815_744, 10**12, 4_892_123_456_789)
    lines.append(f'"bytes": {compact([[n, both_units(n)] for n in sizes])}')
    body = ",\n".join(lines)
    return f"{{\n{body}\n}}\n"


def asked(
    b: Breakdown, context: int, batch: int, weights: str | None, kv: str, encoder: int | None
) -> dict[str, Any]:
    m = pw.memory(b, context, batch, weights, kv, encoder_length=encoder)
    return {
        "asked": {
            "context": context,
            "batch": batch,
            "weightDtype": weights or "",
            "kvDtype": kv,
            "encoderLength": encoder,
        },
        "weights": m.weight_bytes,
        "byRole": list(m.by_role.items()),
        "growth": m.growth,
        "kv": m.kv_bytes,
        "reserved": m.kv_bytes_reserved,
        "state": m.state_bytes,
        "byKind": [
            {
                "kind": k.kind,
                "layers": k.layers,
                "window": k.window or 0,
                "perToken": k.kv_bytes_per_token,
                "kv": k.kv_bytes,
                "reserved": k.kv_bytes_reserved,
                "state": k.state_bytes,
            }
            for k in m.by_kind
        ],
        "experts": [[e.layers, e.experts, e.used, e.touched] for e in m.experts],
    }


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
OTHERS = {"memory": golden_memory, "compare": golden_compare}


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
