"""How people write numbers and their words: the tables and patterns, which the browser gets with the data.

reading.py applies them to a text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from .claims import Number
from .errors import ClaimError, shown
from .roles import ROLES, TOGGLES
from .words import say

#: characters, blanks and commas included; the largest count that there can be has 16 digits
LONGEST_NUMBER = 40

EXAMPLES = "5.1B active, 117B, 35B-A3B, 29.9B non-embedding, 18.6B-31.3B, 60.8 GiB or 5711982912"

_UNITS = (
    ("万亿|兆|조|trillions?|billionen|трлн|bio|tn|t", 10**12, "T"),
    ("十亿|billions?|mill?iard\\w*|млрд|tỷ|mrd|bln|bn|md|b|g", 10**9, "B"),
    ("亿|億|억", 10**8, "亿"),
    ("百万|million(?:s|en)?|млн|mio|mln|mn|m", 10**6, "M"),
    ("万|만", 10**4, "万"),
    ("thousands?|k", 10**3, "K"),
)
_SIZES = "kmgtp"

#: one spelling of marks, and none of what only steers the direction of writing
_MARKS = (
    (r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0f\ufeff]", ""),
    (r"[\u2010-\u2015\u2212]", "-"),
    (r"[\u223c\u301c\u2248\u2243]", "~"),
    (r"[\u2018\u2019]", "'"),
    (r"[\u00d7\u2715\u22c5]", "x"),
    (r"\s+", " "),
)

#: words -> toggles and roles of a part, the longer ones first
PARTS = (
    (r"per[- ]layer embed\w*|ple", "per_layer_embedding"),
    (r"lm[_ ]head|unembed\w*|output (?:layer|embed\w*)|(?:output )?head", "lm_head"),
    (r"(?:word |input |token )?embed(?:dings?)?|词嵌入|嵌入", "embedding"),
    (r"tables", "embedding lm_head"),
    (r"positions?|positional embed\w*", "position"),
    (r"mtp(?: layers?| modules?)?|multi-token prediction|nextn", "mtp"),
    (r"vision(?: encoder| tower)?|vit|视觉编码器?", "vision"),
    (r"audio(?: encoder| tower)?", "audio"),
    (r"projector", "projector"),
    (r"encoder(?!-)", "encoder"),
    (r"shared experts?", "shared_expert"),
    (r"(?:routed )?experts?", "routed_expert"),
    (r"routers?|gates?", "router"),
    (r"attention|attn", "attention linear_attention ssm"),
    (r"mlps?|ffn|feed-?forward", "mlp routed_expert shared_expert router"),
    (r"(?:layer)?norms?", "norm"),
    (r"bias(?:es)?", "bias"),
    (r"buffers?", "buffer"),
    (r"scales?", "scale"),
)
#: the patterns of words that are read
READ = ("number", "word", "active", "total", "effective", "average", "bits", "each")
#: what "non-embedding" may leave out besides the table that it names
NEAR = ("lm_head", "position", "per_layer_embedding")


def _any(*words: str) -> str:
    return "|".join(f"({w})" for w in words)


#: the end of a word in a script that puts blanks between words: no letter follows
_END = r"(?![a-z0-9\u00c0-\u1fff\u2044])"
#: what stands between words
_GAPS = r" ,;:|()\[\]{}<>\"'“”„«»=~!?*#`+&†‡•·、。《》「」"
#: words that say nothing of what is counted, so that nobody need know that they are not read
_HARMLESS = (
    "param.*|параметр.*|パラメー?ター?|매개변수|[参參数數量模型约約大的个個为為共有其中每]+",
    "(?:num|n)_param.*|weights?|mod[eè]l.*|tensors?|elements?|sum|types?|units?|dense",
    "sizes?|sized|numbers?|counts?|figures?|amount|scale|large|moe|mixture|sparse|hybrid|state-of-the-art|strong",
    "layers?|blocks?|tokens?|context|ctx|length|sequence|vocab.*|gpus?|bits?|years?|steps?|languages?",
    "billions?|millions?|trillions?|thousands?|[kmgt]i?b|bytes?|precision|dtype|format|disk|v?ram|memory",
    "base|instruct|chat|version|series|family|trained|input|given|time|being|runtime|inference|pass|downloads?",
    "cards?|papers?|reports?|reported|readme|table|repo|hub|hf|hugging|face|blog",
    "a|an|the|this|that|these|those|it|its|we|our|they|them|their|you|i|there|here|one|two|both|all|any|some|other",
    "is|are|was|were|be|been|has|have|had|having|does|do|can|may|will|comes?|contains?|holds?|makes?|needs?",
    "of|for|on|at|by|to|from|as|and|or|but|if|so|then|than|per|each|every|into|across|during|when|while|where",
    "which|whose|who|what|how|many|only|just|also|about|around|approx.*|circa|ca|roughly|nearly|almost|some",
    "between|up|over|under|more|less|least|most|via|using|according|says?|said|claims?|claimed|called|named|towards",
    "der|die|das|hat|ist|und|von|davon|pro|etwa|rund|ungefähr|insgesamt|de|la|le|les|et|el",
)
#: the patterns of the browser, too, so nothing that reads otherwise there: no named groups, and boundaries in ASCII
_PATTERNS = {
    # prefix, times, digits, exponent, then the unit: of bytes (size, binary; word; bytes), or one of _UNITS
    "number": r"(?<![a-z0-9_\u2044])(?<!\d[.,])([ae])?(?:([1-9]\d*) ?x ?(?!10\^))?"
    r"(\d{1,3}(?: \d{3}){2,}(?!\d)|\d(?:[\d.,'_]*\d)?|\.\d+)(?![\d.,'_]*\d)"
    rf"(?:(?:e\+?| ?x ?10\^)(\d\d?){_END}| ?(?:(?:([{_SIZES}])(i?)b(?:ytes?)?|(kilo|mega|giga|tera)bytes?|(bytes?)|"
    rf"{_any(*(words for words, *_ in _UNITS))}){_END})|{_END})",
    # what is counted where it is no claim: "32K context", "15T tokens"
    "noun": r"^ ?-?(?:%|(layers?|blocks?|tokens?|context|ctx|sequence|vocab\w*|gpus?|bits?|years?|steps?|"
    r"languages?)(?![a-z]))",
    # an exponent past all counts, also where a unit follows that none can have: "1e400B"
    "huge": r"\d(?:e\+?| ?x ?10\^)(?:1[6-9]|[2-9]\d|\d{3})",
    # the number in the name of a model: "gpt-oss-120b"
    "name": r"(?<![a-z0-9])[a-z][\w.-]*-$",
    "each": r"(?:(?<![a-z])(?:per|an?|each|every) |/ ?)(layer|block|expert)(?![a-z])",
    # left out, counted, "MTP out", "MTP in", the parts, and where a statement ends
    "word": r"(?<![a-z_])(?:"
    r"(ex[ck]l(?!uded)\w*\.?|without|w/o|minus|not(?! counted| included)|no|non|ohne|except|非|不含)|"
    r"(in[ck]l(?!uded)\w*\.?|with|w/|counting|plus|mit|含)|"
    r"(out|excluded|not counted|not included)|(in|included|counted)|"
    rf"{_any(*(words for words, _ in PARTS))})"
    r"(?![a-z_])|([;|]|\.(?= ))",
    "active": r"(?<![a-z])(?:activ|aktiv|(?:live|use[ds]?)(?![a-z])|per[- ]token|per forward|decod|prefill)|激活|活性",
    "total": r"(?<![a-z])(?:total|overall|stored|checkpoint|gesamt)|总|總",
    # in brackets behind another number: what says that this one is not of the same kind
    "named": r"(?<![a-z])(?:activ|total|(?:of|from) +~? *\||out of)|激活|总",
    "effective": r"(?<![a-z])effective",
    "average": r"(?<![a-z])(?:avg|averag\w*|mean)(?![a-z])",
    "bits": r"(?<![a-z0-9])(?:(?:bf|fp|bfloat|float|int|nf|q)(4|8|16|32)|(4|8|16|32)[- ]?bits?|(half))(?![a-z0-9])",
    "strong": r"[,;|(\[+•·&]|(?<!w)/|: (?=[a-z])| (?=激活|活性|总|總)",
    "weak": r"(?<![a-z])(?:and|with|but|of|plus|und|mit|while|where)(?![a-z])|[-:]",
    "range": r"^ ?(?:-|~|to|bis|\.\.+) ?~?$",
    # the size of a part inside a statement, "including 0.9B for the head", is no claim of its own
    "inner": r"^,?(?: and| plus)? ~?$",
    "filler": r"^ (?:(?:of|for|the|shared|output|input) )*$",
    # what may be a word that nothing above reads; "Qwen/Qwen3-30B-A3B" is one
    "token": rf"[^/._{_GAPS}-](?:[^/{_GAPS}]*[^/._{_GAPS}-])?(?:/[a-z][^/{_GAPS}]*\d[^/{_GAPS}]*)?",
    # one letter, no letter, a name
    "harmless": r"^(?:[a-z]|[^a-z\u00c0-\u1fff\u2c00-\ud7ff\uf900-\uffff]*|\D.*\d.*|"
    rf"{'|'.join(_HARMLESS)})$",
}


@cache
def pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


def grammar() -> dict[str, Any]:
    """The tables and patterns as the browser gets them, so that each rule is written once."""
    return {
        **_PATTERNS,
        "examples": EXAMPLES,
        "parts": [[keys, label_of(keys.split()[0])] for _, keys in PARTS],
        "marks": [list(mark) for mark in _MARKS],
        "units": [[size, letter] for _, size, letter in _UNITS],
        "read": [*READ],
    }


def label_of(key: str) -> str:
    """The words of a toggle or a role."""
    return TOGGLES[key][0] if key in TOGGLES else ROLES[key]


def printed(number: str) -> Number:
    """One printed number with its unit and nothing else: ``"5.13B"``.

    Raises ClaimError for anything else.
    """
    if not isinstance(number, str):
        raise ClaimError(f"{shown(number)} is no number as it is printed. Give it as text, like '5.1B'.")
    if len(number) > LONGEST_NUMBER:
        raise ClaimError(f"{shown(number, 30)} is longer than any count. Write it like 5.1B or 5711982912.")
    found = pattern("number").fullmatch(normal(number).strip())
    if not found or found[1] or found[2] or not unit_of(found)[1]:
        raise ClaimError(
            f"{shown(number)} is no number that can be read. Write it like 5.1B, 494M, 1.6T or 5711982912."
        )
    unit, _, sized = unit_of(found)
    return number_of(found, unit, sized)


def normal(text: str) -> str:
    """Lower case, with one kind of blank, dash, tilde, apostrophe and times sign, and without marks of direction."""
    text = re.sub(r"(?<=10)(?=[\u2070-\u2079\u00b2\u00b3\u00b9])", "^", text)
    text = unicodedata.normalize("NFKC", text).lower()
    for written, one in _MARKS:
        text = re.sub(written, one, text)
    return text


def unit_of(found: re.Match[str]) -> tuple[int, bool, bool]:
    """The size of the unit, whether a number of that kind can stand alone, and whether it is of bytes."""
    size, binary, word, plain, *units = found.groups()[4:]
    if size or word:
        power = _SIZES.index((size or word)[0]) + 1
        return (1024 if binary else 1000) ** power, False, True
    if plain:
        return 1, False, True
    for given, (_, value, _) in zip(units, _UNITS, strict=True):
        if given:
            return value, True, False
    return 1, bool(found[4]) or _whole(found[3]), False


def _whole(digits: str) -> bool:
    try:
        return digits_of(digits)[1] == 0
    except ClaimError:
        return False


def digits_of(text: str) -> tuple[int, int]:
    """The digits, and how many of them are places behind the point. ClaimError where the marks make no sense."""
    text = re.sub(r"[ '_]", "", text)
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    elif re.fullmatch(r"[1-9]\d{0,2}(\.\d{3}){2,}(,\d+)?", text):
        text = text.replace(".", "")
    elif not re.fullmatch(r"\d*[.,]?\d+", text):
        raise ClaimError(say("no_sense", shown(text)))
    whole, _, places = text.replace(",", ".").partition(".")
    return int(whole + places), len(places)


def number_of(found: re.Match[str], unit: int, sized: bool) -> Number:
    digits, places = digits_of(found[3])
    text = _written(digits, places, unit, sized) + (f"e{int(found[4])}" if found[4] else "")
    power = int(found[4] or 0)
    unit *= int(10 ** max(power - places, 0))
    places = max(places - power, 0)
    number = Number(text, digits, places, unit)
    if digits and unit < 10**places:
        raise ClaimError(say("too_fine", shown(text)))
    if not number.value < 2**53:
        raise ClaimError(say("beyond", shown(text)))
    return number


def _written(digits: int, places: int, unit: int, sized: bool) -> str:
    """Digits and unit in one spelling: ``2.4T`` for ``2,4 Trillion``."""
    if unit == 1 and not sized and not places:
        return f"{digits:,}"
    text = str(digits).zfill(places + 1)
    whole = f"{text[:-places]}.{text[-places:]}" if places else text
    if sized:
        binary = unit & (unit - 1) == 0
        power = next(n for n in range(6) if (1024 if binary else 1000) ** n == unit)
        return f"{whole} {_SIZES[power - 1].upper()}{'i' * binary}B" if power else f"{whole} bytes"
    return whole + {1: "", 10**12: "T", 10**9: "B", 10**8: "亿", 10**6: "M", 10**4: "万", 10**3: "K"}[unit]
