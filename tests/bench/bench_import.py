"""How much longer ``import paramwidget`` takes than ``import dataclasses, json``; budget: 15 ms more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parents[2]
RUNS = 31

OURS = "import paramwidget"
PEER = "import dataclasses, json"
COUNT = "import paramwidget; paramwidget.count('openai/gpt-oss-120b')"


def milliseconds(code: str) -> float:
    """From the start of a process to its end."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return 1000 * (perf_counter() - start)


def main() -> None:
    cases = (PEER, OURS, COUNT)
    for code in cases:  # once, so that every file is compiled and in the page cache
        milliseconds(code)
    # taken in turns, so that a busy moment falls on all alike
    turns = [[milliseconds(code) for code in cases] for _ in range(RUNS)]
    peer, ours, count = (median(times) for times in zip(*turns, strict=True))
    print(f"median of {RUNS} processes each")
    print(f"{PEER:60} {peer:7.1f} ms")
    print(f"{OURS:60} {ours:7.1f} ms  {ours - peer:+6.1f} ms  {ours / peer:.2f} ×  (budget: +15 ms)")
    print(f"{COUNT:60} {count:7.1f} ms  {count - peer:+6.1f} ms  {count / peer:.2f} ×")


if __name__ == "__main__":
    main()
