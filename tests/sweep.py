"""Count every config of the reference: exact, a residual, explained, or refused (`python -m tests.sweep`).

The reference are real configs and the defaults of transformers' classes, with what transformers itself counts on the
meta device (tests/reference, made by `make conformance`), and the totals that the Hub reported for repositories.
"""

import json
import math
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import paramwidget as pw

sys.path.insert(0, str(Path(__file__).parent))
from totals import UNEXPLAINED, explain

REFERENCE = Path(__file__).parent / "reference"


@dataclass(frozen=True)
class Row:
    """One config: its name, and what became of it: exact, explained, residual, refused or unmeasured."""

    name: str
    model_type: str
    outcome: str
    detail: str = ""
    how: str = ""


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in (REFERENCE / name).read_text(encoding="utf-8").splitlines()]


def measured(b: pw.Breakdown) -> tuple[int, int, int]:
    """What transformers' model has: parameters, what ties add, persistent buffers; it has no MTP layers."""
    body = b.total("stored", off={"mtp"})
    params = b.total("stored", off={"mtp", "buffer", "unread"})
    unread = body - b.total("stored", off={"mtp", "unread"})
    return params, b.total("architectural", off={"mtp"}) - body, body - params - unread


def judge(name: str, model_type: str, config: dict, row: dict) -> Row:
    how = row.get("how", "")
    try:
        b = pw.count(config)
    except pw.ParamWidgetError as error:
        return Row(name, model_type, "refused", f"{type(error).__name__}: {str(error)[:160]}", how)
    if row["params"] is None:
        return Row(name, model_type, "unmeasured", f"{b.stored:,} stored", how)
    expected = (row["params"], row["tied"], row["buffers"])
    found = measured(b)
    if found == expected:
        return Row(name, model_type, "exact", f"{row['params']:,}", how)
    parts = zip(("parameters", "tied", "buffers"), found, expected, strict=True)
    differs = ", ".join(f"{label} {f - e:+,} against {e:,}" for label, f, e in parts if f != e)
    if reason := explained(config, row, found):
        return Row(name, model_type, "explained", f"{differs}: {reason}", how)
    return Row(name, model_type, "residual", differs, how)


def explained(config: dict, row: dict, found: tuple[int, int, int]) -> str:
    """Why the reference is not the model that the config names, where that accounts for the whole difference."""
    named = (config.get("architectures") or [row["class"]])[0]
    if named in ("LlamaForCausalLMEagle3", "DFlashDraftModel", "Step3p7FlashForCausalLM"):
        return f"transformers has no {named}, and the reference is of {row['class']}"
    if config.get("model_type") in ("t5", "mt5") and config.get("tie_word_embeddings") is False:
        head = config["vocab_size"] * config["d_model"]
        if found == (row["params"] + head, row["tied"] - head, row["buffers"]):
            return "the head of the files, which transformers ties when it builds the class and not when it loads them"
    for unread in ("thinker_config", "_xlstm_config", "dim", "d_inner"):
        if unread in config and passed_over(config, row) == (row["params"], row["tied"], row["buffers"]):
            return f"transformers passes over {unread} and builds the class's defaults, {row['params']:,}"
    if named == "MPTForCausalLM" and measured(pw.count({**config, "architectures": ["MptForCausalLM"]})) == (
        row["params"],
        row["tied"],
        row["buffers"],
    ):
        return "biases and positions of MPTForCausalLM, whose switches transformers does not read"
    if config.get("model_type") == "longcat_flash":
        sizes = ("num_layers", "zero_expert_num", "hidden_size", "expert_ffn_hidden_size")
        room = 2 * math.prod(config[key] for key in sizes)
        if found == (row["params"] - room, row["tied"], row["buffers"]):
            return "gate and up of the experts that compute nothing, for which transformers makes room and no file does"
    return ""


def passed_over(config: dict, row: dict) -> tuple[int, int, int]:
    """What a class builds that knows neither a nesting nor the names of params.json: its defaults, and what it knows.

    The class of xLSTM gives its table the width embedding_dim, and all else hidden_size.
    """
    default = next(r["config"] for r in read("defaults.jsonl") if r["class"] == row["class"])
    vocabulary = {"vocab_size": config["vocab_size"]} if "vocab_size" in config else {}
    params, tied, buffers = measured(pw.count({**default, **vocabulary}))
    narrower = default["hidden_size"] - config["embedding_dim"] if "embedding_dim" in config else 0
    return params - narrower * config.get("vocab_size", 0), tied, buffers


def held(rows: list[Row]) -> tuple[list[str], Counter[str]]:
    """What transformers cannot build, against the totals that the Hub reported of the same repository."""
    totals: dict[str, set[int]] = {}
    for r in read("hub_totals.jsonl"):
        totals.setdefault(r["repo"], set()).add(r["total"])
    configs = {r["repo"]: r["config"] for r in read("models.jsonl")}
    lines, outcomes = [], Counter[str]()
    for row in rows:
        if row.outcome != "unmeasured":
            continue
        b, repo = pw.count(configs[row.name]), row.name.partition("@")[0]
        known = totals.get(repo, set())
        named = [(total, explain(b, total)) for total in sorted(known)]
        if not known:
            outcome, detail = "no total", f"{b.stored:,} stored"
        elif open_ := [total for total, parts in named if parts is None]:
            outcome = "not explained"
            detail = ", ".join(
                f"{t:,}: {t - b.stored:+,} {UNEXPLAINED.get((repo, t), (0, ''))[1]}".rstrip() for t in open_
            )
        elif any(parts for _, parts in named):
            outcome = "explained"
            detail = "; ".join(f"{t:,}: {t - b.stored:+,} {', '.join(p or ())}" for t, p in named)
        else:
            outcome, detail = "equal", f"{b.stored:,}"
        outcomes[outcome] += 1
        lines.append(f"{outcome:13} {row.name:56} {detail}")
    return sorted(lines), outcomes


def real() -> list[Row]:
    """The real configs."""
    return [
        judge(r["repo"], str(r["config"].get("model_type")), r["config"], r) for r in read("models.jsonl")
    ]


def defaults(*kinds: str) -> list[Row]:
    """What transformers' config classes default to, as they save it."""
    rows = [r for r in read("defaults.jsonl") if not kinds or r["kind"] in kinds]
    return [judge(r["class"], r["type"], r["config"], r) for r in rows]


def print_rows(title: str, rows: list[Row]) -> None:
    print(f"== {title}")
    for r in sorted(rows, key=lambda r: (r.outcome, r.model_type, r.name)):
        print(f"{r.outcome:10} {r.model_type:24} {r.name:56} {r.detail}")
    total = Counter(r.outcome for r in rows)
    print(f"-- {title}: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(total.items())) + "\n")


def main() -> int:
    sections = {
        "real configs": real(),
        "class defaults, causal and image-text": defaults("causal", "itt"),
        "class defaults, encoders, sequence-to-sequence, speech": defaults("mlm", "s2s", "speech"),
    }
    for title, rows in sections.items():
        print_rows(title, rows)
    lines, outcomes = held(sections["real configs"])
    print("== what transformers cannot build, against totals that the Hub reported")
    print(*lines, sep="\n")
    print("-- " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes.items())))
    return any(r.outcome == "residual" for rows in sections.values() for r in rows)


if __name__ == "__main__":
    sys.exit(main())
