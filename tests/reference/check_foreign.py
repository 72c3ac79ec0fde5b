"""Count the default configs that no architecture here describes by way of transformers: run by `make conformance`.

Each total is held against defaults.jsonl, which oracle.py counts by code of its own.
"""

import sys

from paramwidget.architectures import TABLE
from tests.sweep import judge, print_rows, read


def main() -> int:
    rows = [
        judge(r["class"], r["type"], {"architectures": [r["class"]], **r["config"]}, r)
        for r in read("defaults.jsonl")
        if r["type"] not in TABLE
    ]
    print_rows("not described here, counted from transformers' own models", rows)
    return any(r.outcome != "exact" for r in rows)


if __name__ == "__main__":
    sys.exit(main())
