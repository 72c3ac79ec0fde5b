"""How people write claims: ``117B parameters with 5.1B active parameters``, ``35B-A3B``, ``1.04 万亿``, ``60.8 GiB``.

Numbers are found with their units; the words on both sides of a number, up to the next one, say what it counts.
js/src/claims/read.ts is the twin, with the same tables.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from .claims import Claim, Number
from .errors import ClaimError, shown
from .roles import BASES, ROLES, TOGGLES, series

#: a longer text is no claim, and the largest count has 16 digits
LONGEST_TEXT, LONGEST_NUMBER = 400, 40

EXAMPLES = "5.1B active, 117B, 35B-A3B, 29.9B non-embedding, 18.6B-31.3B, 60.8 GiB or 5711982912"

_UNITS = (
    ("万亿|兆|조|trillions?|tn|t", 10**12),
    ("十亿|billions?|milliards?|mrd|bln|bn|b|g", 10**9),
    ("亿|億|억", 10**8),
    ("百万|millions?|mio|mln|mn|m", 10**6),
    ("万|만", 10**4),
    ("thousands?|k", 10**3),
)
_SIZES = "kmgtp"
_UNIT = (
    rf"(?:(?:([{_SIZES}])(i?)b(?:ytes?)?|(kilo|mega|giga|tera)bytes?|(bytes?)|"
    + "|".join(f"({words})" for words, _ in _UNITS)
    + r")(?![a-z0-9]))"
)
_DIGITS = r"\d{1,3}(?: \d{3}){2,}(?!\d)|\d(?:[\d.,'_]*\d)?|\.\d+"
_NUMBER = re.compile(
    rf"(?<![a-z0-9.,_])([ae])?(?:(\d+) ?x ?)?({_DIGITS})(?![\d.,'_]*\d)"
    rf"(?:e\+?(\d\d?)(?![a-z0-9])| ?{_UNIT}|(?![a-z0-9]))"
)

#: what "non-embedding" may leave out besides the table that it names
_NEAR = ("lm_head", "position", "per_layer_embedding")

#: what is counted where it is no claim: "128 experts", "32K context", "15T tokens"
_NOUN = re.compile(
    r" ?-?(?:%|(?:experts?|layers?|blocks?|tokens?|heads?|context|ctx|sequence|vocab\w*|gpus?|bits?|years?|steps?|"
    r"languages?)\b)"
)
#: words -> toggles and roles of a part, the longer ones first
_PARTS = (
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
_OUT = r"excl(?!uded)\w*|without|w/o|minus|not|no|non|ohne|except|非|不含"
_IN = r"incl\w*|with|counting|plus|mit|含"
_WORD = re.compile(
    rf"(?<![a-z_])(?:({_OUT})|({_IN})|(out|excluded)|(in|included)|"
    + "|".join(f"({words})" for words, _ in _PARTS)
    + r")(?![a-z_])|([;.|])"
)
_PART = "|".join(words for words, _ in _PARTS)
#: the size of a part inside a statement, "including 0.9B for the head": it is no claim of its own
_INNER = re.compile(
    rf"((?:\b(?:{_OUT}|{_IN})\b|(?:{_PART})\b,?)(?: and| plus|,)? )[~]?\d[\d.,]* ?[bm]\b"
    rf"(?= (?:of |for |the |shared |output |input )*(?:{_PART})\b)"
)

_ACTIVE = re.compile(r"\b(?:activ|aktiv|live\b|used?s?\b|per[- ]token|per forward|decod|prefill)|激活|活性")
_TOTAL = re.compile(r"\b(?:total|overall|stored|checkpoint|gesamt)|总|總")
_EFFECTIVE = re.compile(r"\beffective")
_AVERAGE = re.compile(r"\b(?:avg|average|averaging|averages|mean)\b")
_BITS = (
    (r"\b(?:bf16|bfloat16|fp16|float16|half|16[- ]?bits?)\b", 16),
    (r"\b(?:fp32|float32|32[- ]?bits?)\b", 32),
    (r"\b(?:fp8|float8\w*|int8|q8|8[- ]?bits?)\b", 8),
    (r"\b(?:fp4|int4|nf4|q4|4[- ]?bits?)\b", 4),
)
_STRONG = re.compile(r"[,;/|(\[+•·&]|: (?=[a-z])|\n")
_WEAK = re.compile(r"\b(?:and|with|but|of|plus|und|mit|while|where)\b|[-:]")
_RANGE = re.compile(r" ?(?:-|~|to|bis|\.\.+) ?~?")


def printed(number: str) -> Number:
    """One printed number with its unit and nothing else: ``"5.13B"``.

    Raises ClaimError for anything else.
    """
    if not isinstance(number, str):
        raise ClaimError(f"{shown(number)} is no number as it is printed. Give it as text, like '5.1B'.")
    if len(number) > LONGEST_NUMBER:
        raise ClaimError(f"{shown(number, 30)} is longer than any count. Write it like 5.1B or 5711982912.")
    found = _NUMBER.fullmatch(_plain(number).strip())
    if not found or found[1] or found[2] or not _unit(found)[1]:
        raise ClaimError(
            f"{shown(number)} is no number that can be read. Write it like 5.1B, 494M, 1.6T or 5711982912."
        )
    unit, _, sized = _unit(found)
    return _number(found, unit, sized)


@dataclass(slots=True)
class _Found:
    """One number in a text, and the words that belong to it."""

    match: re.Match[str]
    number: Number
    high: Number
    end: int
    sized: bool
    words: str = ""
    inside: bool = False
    bare: bool = False


def read(text: str) -> list[Claim]:
    """The claims that a text makes, one for each number.

    text   as people write it, in upper or lower case, with any kind of blank, dash or thousands separator

    Raises ClaimError where no number can be read, saying what can.

    >>> [(c.number, c.basis) for c in read("117B parameters with 5.1B active parameters")]
    [('117B', 'stored'), ('5.1B', 'active')]
    """
    if not isinstance(text, str):
        raise ClaimError(f"{shown(text)} is no claim. Give it as text, like '5.1B active'.")
    if len(text) > LONGEST_TEXT:
        raise ClaimError(
            f"{shown(text, 30)} is longer than a claim. Give the number and its words: {EXAMPLES}."
        )
    plain = _plain(text).strip()
    while (less := _INNER.sub(r"\1", plain)) != plain:
        plain = less
    found = _numbers(plain, text)
    if not found:
        raise ClaimError(f"{shown(text)} has no number that can be read. Write it like {EXAMPLES}.")
    _share_words(plain, found)
    largest = max(f.number.value for f in found)
    found = [
        f for f in found if f.number.value * 1000 >= largest or re.search(r"[^\W\d_]", f.match[1] or f.words)
    ]
    claims = [_claim(f, plain) for f in found]
    return [
        replace(c, text=_said(c, f.match[1] or ""))
        for c, f in zip(_pairs(plain, found, claims), found, strict=True)
    ]


def _plain(text: str) -> str:
    """Lower case, with one kind of blank, dash, tilde, apostrophe and times sign."""
    text = unicodedata.normalize("NFKC", text).lower()
    for pattern, one in (
        (r"[\u2010-\u2015\u2212]", "-"),
        (r"[\u223c\u301c\uff5e\u2248\u2243]", "~"),
        (r"[\u2018\u2019]", "'"),
        (r"[\u00d7\u2715\u22c5]", "x"),
        (r"[\s\u200b\u2060\ufeff]+", " "),
    ):
        text = re.sub(pattern, one, text)
    return text


def _unit(found: re.Match[str]) -> tuple[int, bool, bool]:
    """The size of the unit, whether a number of that kind can stand alone, and whether it is of bytes."""
    size, binary, word, plain, *units = found.groups()[4:]
    if size or word:
        power = _SIZES.index((size or word)[0]) + 1
        return (1024 if binary else 1000) ** power, False, True
    if plain:
        return 1, False, True
    for given, (_, value) in zip(units, _UNITS, strict=True):
        if given:
            return value, True, False
    return 1, bool(found[4]) or _whole(found[3]), False


def _whole(digits: str) -> bool:
    try:
        return _digits(digits)[1] == 0
    except ClaimError:
        return False


def _digits(text: str) -> tuple[int, int]:
    """The digits, and how many of them are places behind the point. ClaimError where the marks make no sense."""
    text = re.sub(r"[ '_]", "", text)
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    elif re.fullmatch(r"[1-9]\d{0,2}(\.\d{3}){2,}(,\d+)?", text):
        text = text.replace(".", "")
    elif not re.fullmatch(r"\d*[.,]?\d+", text):
        raise ClaimError(f"{shown(text)} is no number that can be read: its points and commas make no sense.")
    whole, _, places = text.replace(",", ".").partition(".")
    return int(whole + places), len(places)


def _number(found: re.Match[str], unit: int, sized: bool) -> Number:
    digits, places = _digits(found[3])
    text = _written(digits, places, unit, sized) + (f"e{int(found[4])}" if found[4] else "")
    power = int(found[4] or 0)
    unit *= 10 ** min(places, power)
    places, power = max(places - power, 0), max(power - places, 0)
    number = Number(text, digits, places, unit * 10**power)
    if not number.value < 2**53:
        raise ClaimError(f"{shown(text, 30)} is more than any count, which end at 2^53 − 1.")
    if unit * 10**power < 10**places and digits:
        raise ClaimError(f"{shown(text)} has more places than its unit has.")
    return number


def _numbers(plain: str, text: str) -> list[_Found]:
    """The numbers that are claims: not counts of layers, years and the like."""
    if re.match(r"-\s*\d", plain):
        raise ClaimError(f"{shown(text)} is negative, which no count is. Write it like {EXAMPLES}.")
    matches = [m for m in _NUMBER.finditer(plain) if not _NOUN.match(plain, m.end())]
    any_unit = any(_unit(m)[0] > 1 or _unit(m)[2] for m in matches)
    found: list[_Found] = []
    skip = False
    for i, m in enumerate(matches):
        if skip:
            skip = False
            continue
        unit, alone, sized = _unit(m)
        end, high = m.end(), None
        after = matches[i + 1] if i + 1 < len(matches) else None
        if after is not None and not (m[2] or after[1] or after[2]):
            high = _range(plain, m, after)
        if high is not None and after is not None:
            unit, alone, sized = _unit(after) if unit == 1 and not sized else (unit, alone, sized)
            end, skip = after.end(), True
        elif unit == 1 and not sized and not m[4]:
            digits, places = _digits(m[3])
            if places and not any_unit and len(matches) == 1:
                raise ClaimError(f"{shown(text)} has no unit. Write it like {EXAMPLES}.")
            if places or (any_unit and digits < 10**6):
                continue
        low = _number(m, unit, sized)
        found.append(_Found(m, low, high or low, end, sized))
    return found


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


def _range(plain: str, m: re.Match[str], after: re.Match[str]) -> Number | None:
    """The upper end, where two numbers are a range and not a name such as ``Llama-3.1-8B``."""
    between = plain[m.end() : after.start()]
    joined = _RANGE.fullmatch(between) or (
        between == " and " and plain[: m.start()].rstrip("~ ").endswith("between")
    )
    unit, _, sized = _unit(m)
    upper, _, upper_sized = _unit(after)
    bare = unit == 1 and not sized
    if not joined or (bare and (upper == 1 or plain[: m.start()].endswith("-"))):
        return None
    if not bare and sized != upper_sized:
        return None
    low = _number(m, upper if bare else unit, upper_sized)
    high = _number(after, upper, upper_sized)
    return high if low.value < high.value else None


def _share_words(plain: str, found: list[_Found]) -> None:
    """Give each number the words that belong to it: what stands between two is shared at a comma or a conjunction."""
    start = 0
    for f, after in zip(found, [*found[1:], None], strict=True):
        f.words = plain[start : f.match.start()]
        to = after.match.start() if after else len(plain)
        between = plain[f.end : to]
        if after is None:
            f.words += " | " + between
            continue
        whole = re.match(r" ?\([^()]*\)", between)
        cut = re.compile(_STRONG).search(between) or _WEAK.search(between)
        at = whole.end() if whole else cut.start() if cut else len(between)
        after.inside = between[at:].count("(") > between[at:].count(")")
        f.words += " | " + between[:at]
        start = f.end + at


def _claim(f: _Found, plain: str) -> Claim:
    """What the words of a number say; its text is written when all of them are read."""
    words, prefix = f.words, f.match[1]
    off, on, parts, loose = _statement(words)
    active, total = bool(_ACTIVE.search(words)), bool(_TOTAL.search(words))
    if prefix == "e" or _EFFECTIVE.search(words):
        active, off, loose = True, off | {"per_layer_embedding"}, ("embedding", "lm_head")
    elif prefix == "a" or re.match(r"-\d+e\b", plain[f.end :]):
        active = True
    elif active and total:
        active = False
    f.bare = not (active or total or off or on or parts or f.sized)
    return Claim(
        text="",
        number=f.number.text if f.high is f.number else f"{f.number.text}–{f.high.text}",
        basis="active" if active else "stored",
        low=f.number,
        high=f.high,
        bases=BASES if "embedding" in off and loose and not active and not total else (),
        words_off=tuple(off),
        words_on=tuple(on),
        loose=loose,
        parts=tuple(parts) if not (off or on or active or total) else (),
        times=int(f.match[2] or 0),
        bits=next((n for pattern, n in _BITS if re.search(pattern, plain)), 0) if f.sized else None,
        average=bool(_AVERAGE.search(words)),
    )


def _said(c: Claim, prefix: str) -> str:
    """The claim in one spelling: ``36.7B active, including embedding and lm_head``."""
    number = f"{c.times}x{c.number}" if c.times else prefix.upper() + c.number
    effective = "per_layer_embedding" in c.words_off and bool(c.loose)
    words = [number]
    if effective and prefix != "e":
        words.append("effective")
    elif c.basis == "active" and not prefix:
        words.append("active")
    if c.parts:
        words.append(series([TOGGLES[k][0] if k in TOGGLES else ROLES[k] for k in c.parts]))
    if c.bits:
        words.append(f"at {c.bits} bits")
    said = [" ".join(words)]
    if c.loose and not effective:
        said[0] += " non-embedding"
    elif c.words_off and not effective:
        said.append(f"without {series([TOGGLES[k][0] for k in c.words_off])}")
    if c.words_on:
        said.append(f"including {series([TOGGLES[k][0] for k in c.words_on])}")
    return ", ".join(said)


def _statement(words: str) -> tuple[set[str], set[str], list[str], tuple[str, ...]]:
    """What the words leave out, what they count, of which parts alone they speak, and what may be out besides."""
    off: set[str] = set()
    on: set[str] = set()
    parts: list[str] = []
    loose: tuple[str, ...] = ()
    state = ""
    for m in _WORD.finditer(words):
        out, into, was_out, was_in, *named, stop = m.groups()
        if stop:
            state = ""
        elif out:
            state = "out"
        elif into:
            state = "out" if state == "out" and m[0].startswith("incl") and _joined(words, m) else "in"
        elif was_out:
            off |= set(parts)
            parts = []
        elif was_in:
            on |= set(parts)
            parts = []
        else:
            keys = next(keys for given, (_, keys) in zip(named, _PARTS, strict=True) if given).split()
            if not state:
                parts += keys
                continue
            toggles = {k for k in keys if k in TOGGLES}
            (off if state == "out" else on).update(toggles)
    if off == {"embedding"} and not on & set(_NEAR):
        loose = _NEAR if re.search(r"embed\w*ings?\b|non", words) and "embedding out" not in words else ()
    return off, on - off, parts, loose


def _joined(words: str, m: re.Match[str]) -> bool:
    """Whether "not" stands right before "including"."""
    return bool(re.search(r"\b(?:not|without) $", words[: m.start()]))


def _pairs(plain: str, found: list[_Found], claims: list[Claim]) -> list[Claim]:
    """Two numbers whose words do not say which is which: the smaller of ``671B/37B`` is the active one."""
    for i in range(1, len(claims)):
        before, here = claims[i - 1], claims[i]
        if here.parts or here.bits is not None or before.parts or before.bits is not None:
            continue
        small, large = here.high.value, before.high.value
        if found[i].inside and not _ACTIVE.search(found[i].words) and not _TOTAL.search(found[i].words):
            claims[i] = replace(here, basis=before.basis, bases=before.bases)
        elif found[i].bare and before.basis == "stored" and small < large:
            claims[i] = replace(here, basis="active", bases=("active",))
        elif found[i - 1].bare and here.basis == "stored" and large < small and _of(plain, found, i):
            claims[i - 1] = replace(before, basis="active", bases=("active",))
    return claims


def _of(plain: str, found: list[_Found], i: int) -> bool:
    return bool(re.fullmatch(r" (?:out )?of .*", plain[found[i - 1].end : found[i].match.start()] + " "))
