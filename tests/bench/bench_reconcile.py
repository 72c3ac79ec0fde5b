"""How long a verdict takes, against counting the model that it is about; budget: 50 ms for any bundled model."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import paramwidget as pw
from paramwidget.sources import catalog

RUNS = 11
CLAIMS = ("8B", "5.1B active", "4.9B non-embedding", "671B/37B", "60.8 GiB", "1B")


def milliseconds(call: Callable[[], object]) -> float:
    def once() -> float:
        start = perf_counter()
        call()
        return 1000 * (perf_counter() - start)

    return median(once() for _ in range(RUNS))


def main() -> None:
    most = max(pw.catalog(), key=lambda name: len(pw.count(name).toggles))
    print(f"median of {RUNS} runs; the last column is the ratio to counting the same model from its config")
    for name in ("openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V3", most):
        b, config = pw.count(name), catalog.read(name)["config"]
        peer = milliseconds(lambda config=config: pw.count(config))  # type: ignore[misc]
        for claim in CLAIMS:
            took = milliseconds(lambda b=b, claim=claim: pw.reconcile(b, claim))  # type: ignore[misc]
            print(f"{name:32} {claim:20} {took:7.2f} ms {took / peer:8.1f} ×")


if __name__ == "__main__":
    main()
