"""JSON read piece by piece: what is as long as a file is scanned, and only small values are decoded whole.

``json.loads`` of a hostile file of 100 MB takes gigabytes, and of an honest one ten times its bytes.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_SPACE = rb"[ \t\r\n]*+"
_WORDS = {
    "NAME": rb'"([^"\\\x00-\x1f]*+)"',  # what is in a string that has no escapes
    "STRING": rb'("(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*+")',  # any string, with its quotes
    "INTEGER": rb"(0|[1-9][0-9]{0,18})",
    "INTEGERS": rb"(\[[0-9, \t\r\n]*+\])",
    "END": rb"([,}])",  # another member follows, or none
}


def json_pattern(spelled: str) -> re.Pattern[bytes]:
    """A pattern of tokens, between any of which there may be space; words in capitals are groups.

    >>> json_pattern("NAME : INTEGER END").match(b' "a" :12 , "b"').groups()
    (b'a', b'12', b',')
    """
    return re.compile(_SPACE + _SPACE.join(_WORDS.get(w) or w.encode() for w in spelled.split()))


KEY = re.compile(json_pattern("STRING :").pattern + _SPACE)  # up to where its value begins
PAIR = json_pattern("STRING : STRING END")
OPEN = json_pattern(r"\{")
CLOSE = json_pattern(r"\}")
END = json_pattern("END")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that is given twice")
    return found


def _finite(text: str) -> NoReturn:
    raise ValueError(f"{text}, which is no number of JSON")


#: decodes one value where it begins, and says where it ends; no key twice, no NaN
STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_finite)
