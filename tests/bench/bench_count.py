"""How long ``count(config)`` takes, warm: over the catalog, for gpt-oss-120b, and as a model grows.

Budgets: 0.5 ms median over the catalog and none over 3 ms; gpt-oss-120b under 1 ms; ten times the layers and experts
of DeepSeek-V3 in at most 1.3 × the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from time import perf_counter
from typing import Any

import paramwidget as pw
from paramwidget.sources import catalog

RUNS = 51


def times(config: Mapping[str, Any], runs: int = RUNS) -> list[float]:
    """Milliseconds of single runs, after one that warms up."""
    pw.count(config)
    found = []
    for _ in range(runs):
        start = perf_counter()
        pw.count(config)
        found.append(1000 * (perf_counter() - start))
    return found


def milliseconds(config: Mapping[str, Any]) -> float:
    return median(times(config))


def growth(config: Mapping[str, Any]) -> float:
    """The time for ten times the layers and experts, as a ratio; taken in turns, so that noise falls on both."""
    large = {
        **config,
        "num_hidden_layers": 10 * config["num_hidden_layers"],
        "n_routed_experts": 10 * config["n_routed_experts"],
    }
    pairs = [(times(large, 1)[0], times(config, 1)[0]) for _ in range(4 * RUNS)]
    return median(a for a, _ in pairs) / median(b for _, b in pairs)


def main() -> None:
    configs = {name: catalog.read(name)["config"] for name in pw.catalog()}
    found = {name: milliseconds(config) for name, config in configs.items()}
    worst = max(found, key=lambda name: found[name])
    print(f"median of {RUNS} runs each, over {len(found)} bundled models")
    print(f"{'the median model':44} {median(found.values()):7.3f} ms  (budget: 0.5 ms)")
    print(f"{f'the slowest, {worst}':44} {found[worst]:7.3f} ms  (budget: 3 ms)")
    print(f"{'openai/gpt-oss-120b':44} {found['openai/gpt-oss-120b']:7.3f} ms  (budget: 1 ms)")
    ratio = growth(configs["deepseek-ai/DeepSeek-V3"])
    print(f"{'DeepSeek-V3, 10 × layers and experts':44} {ratio:7.2f} ×   (budget: 1.3 ×)")


if __name__ == "__main__":
    main()
