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
from paramwidget.grammar import grammar
from paramwidget.presets import presets_for
from paramwidget.reading import read
from paramwidget.render.numbers import both_units, percent, short, times
from paramwidget.roles import BASES, TOGGLES
from paramwidget.wire import to_wire
from paramwidget.words import WORDS

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
        "wire": {key: value for key, value in to_wire(b).items() if key != "words"},
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
        "citations": [{**plain(c), "text": b.citation(c.basis, c.off, c.on)} for c in drawn[:10]],
        "times": [[b.stored, b.active, times(b.stored, b.active)]],
    }
    lines = ",\n".join(f"{json.dumps(key)}: {compact(value)}" for key, value in found.items())
    return f"{{\n{lines}\n}}\n"


#: claims of all forms; what a claim means does not depend on the model, what it fits does
CLAIMS = (
    "5.1B active",
    "5.13B active",
    "117B parameters with 5.1B active parameters",
    "5.5B active",
    "35B-A3B",
    "A22B",
    "29.9B non-embedding",
    "0.36B (non-embedding)",
    "0.49B",
    "630M",
    "671B/37B",
    "671B | 37B | 128K",
    "36.7B active, including 0.9B embedding and 0.9B head",
    "36.7B including 0.9B embedding and 0.9B head",
    "3.6B including embeddings",
    "685B",
    "684.5B",
    "36.6B active without lm_head",
    "2,4 T",
    "1.04 万亿",
    "671 亿",
    "95 G",
    "120B",
    "100M",
    "117M",
    "124 439 808",
    "85,056,000 non-embedding",
    "18.6B-31.3B active (avg ~27B)",
    "60.8 GiB",
    "65 GB",
    "689 GB",
    "988 MB in bfloat16",
    "16 GB at 4 bit",
    "8x7B",
    "128x1.9B",
    "E4B",
    "0.96B attention",
    "1.16B embedding and unembedding",
    "114.71B MLP",
    "11.6B MTP",
    "80B total, 3B activated; 79B (non-embedding)",
    "total 80B, 3.9B active (3.3B excluding embeddings)",
    "3B of 80B",
    "37B activated (of 671B)",
    "2.3B effective (5.1B with embeddings)",
    "685B including MTP",
    "Qwen3-Next-80B-A3B",
    "36B",
    "35B without vision",
    "116829156672",
    "5.711982912e9 active",
    "总参数量 2.8T; 激活参数量 104B; 视觉编码器参数量 401M",
    "400M vision encoder",
    "1T",
    "1B",
    "685B incl. MTP; 671B excl. MTP",
    "117B,5.1B active",
    "gpt-oss-120b | 117B | 5.1B | 131K",
    "5.1B/117B",
    "5.1B out of 117B parameters active per token",
    "305亿参数\uff0c33亿激活",
    "1万亿参数 激活320亿",
    "5.13B active (w/ unembedding, embedding not counted)",
    "117 Milliarden",
    "671 млрд",
    "671 tỷ",
    "1.17 × 10¹¹",
    "\u200f117\u200fB",
    "½B",
    "2350亿",
    "100B",
    "18.6B-31.3B",
    "24.9M per expert",
    "176.2M feed-forward a layer",
    "114.7B experts",
    "8 experts, 8 activated, 46.7B, 12.9B activated",
    "37B",
    "90M vision",
    "5..1B",
    "5.1",
    "-5B",
    "- .5B",
    "many",
    "",
    "36 layers",
    "32K context, 80% of 36 layers",
    "50%",
    "128 experts",
    "0",
    "0.0B active",
    "1e400B",
    "99999T",
    "5.12345678901234567890B",
    "5.1B actv",
    "117B trainable parameters, 5.1B per tokn",
    "GPT-OSS by OpenAI: about 117B params (dense: 5.1Bx)",
    "117B in the Qwen/Qwen3-30B-A3B family, unlike 235B",
    "5B-3B",
    "3B active",
    "3.0B active",
    "3.51B active",
    "17B-a16 xyz",
)


def reconciled() -> str:
    """What each claim says, and what it fits in each model: one claim a line."""
    lines = []
    for text in CLAIMS:
        try:
            claims = read(text, MODELS[0])
        except pw.ClaimError as e:
            lines.append(compact({"text": text, "claims": None, "why": str(e)}))
            continue
        models = {name: [verdict(pw.reconcile(pw.count(name), c)) for c in claims] for name in MODELS}
        lines.append(compact({"text": text, "claims": [c.text for c in claims], "verdicts": models}))
    known = {
        name: [verdict(pw.reconcile(pw.count(name), c)) for c in pw.count(name).claims] for name in MODELS
    }
    typed = ",\n".join(lines)
    return f'{{"typed": [\n{typed}\n],\n"bundled": {compact(known)},\n"names": {compact(MODELS[0])}}}\n'


def verdict(v: pw.Verdict) -> list[Any]:
    """Kind, words, rivals, gap and decision, and the matches in their order."""
    found = [[m.convention.basis, m.convention.off, m.convention.on, m.count, m.preset] for m in v.matches]
    return [v.kind, v.text, v.rivals, v.gap, v.decided_by and v.decided_by[0], found]


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


def by_role(b: Breakdown, c: Convention) -> dict[str, int]:
    return b.by_role(c.basis, c.off, c.on)


def plain(c: Convention) -> dict[str, Any]:
    return {"basis": c.basis, "off": list(c.off), "on": list(c.on)}


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


#: file -> what writes it; the grammar and the words are what the browser's own tests read claims by
OTHERS = {
    "memory.json": golden_memory,
    "reconcile.json": reconciled,
    "compare.json": golden_compare,
    "words.json": lambda: f"{json.dumps(WORDS, ensure_ascii=False, indent=1)}\n",
    "grammar.json": lambda: f"{json.dumps(grammar(), ensure_ascii=False, indent=1)}\n",
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    written = {path(name): golden(name) for name in MODELS} | {
        FOLDER / name: f() for name, f in OTHERS.items()
    }
    for old in set(FOLDER.glob("*.json")) - set(written):
        old.unlink()
    for file, text in written.items():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
