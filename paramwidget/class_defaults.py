"""What a config class takes for a key that a file leaves out, as read from transformers.

class_defaults.json is written by ``make conformance``; it has one model_type a line, and only that line is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("class_defaults.json")


@cache
def _text() -> str:
    return _FILE.read_text(encoding="utf-8")


@cache
def class_defaults(model_type: str) -> Mapping[str, Any]:
    """The fields of a type's config class and their defaults; empty for a type that transformers does not have."""
    head = f"\n{json.dumps(model_type)}:"
    start = _text().find(head)
    if start < 0:
        return {}
    line = _text()[start + len(head) : _text().index("\n", start + 1)].rstrip(",")
    found: dict[str, Any] = json.loads(line)
    return found
