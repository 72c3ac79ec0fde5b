"""What a text claims: its numbers, each with the words that belong to it.

The words on both sides of a number, up to the next one, say what it counts. js/src/claims/read.ts is the twin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .claims import Claim, Number
from .errors import ClaimError, shown
from .grammar import EXAMPLES, NEAR, PARTS, READ, digits_of, label_of, normal, number_of, pattern, unit_of
from .roles import BASES, TOGGLES, series
from .words import say

#: a longer text is no claim
LONGEST_TEXT = 400


@dataclass(slots=True)
class _Found:
    """One number in a text, and the words that belong to it."""

    match: re.Match[str]
    number: Number
    high: Number
    end: int
    sized: bool
    start: int = 0
    words: str = ""
    inside: bool = False
    bare: bool = False
    about: str = ""


def readable(text: str | None, bundled: Iterable[Claim] = ()) -> str | None:
    """The text of a claim that a view can show: a bundled one's or one that can be read; None where it is empty.

    Raises ClaimError for anything else.

    >>> readable("5.1B active"), readable("")
    ('5.1B active', None)
    """
    if text is None or text == "":
        return None
    if not isinstance(text, str):
        raise ClaimError(
            f"claim is the text of a claim, such as '5.13B active', or None, and not {shown(text)}."
        )
    if all(c.text != text for c in bundled):
        read(text)
    return text


def read(text: str, names: str = "") -> list[Claim]:
    """The claims that a text makes, one for each number.

    text   as people write it, in upper or lower case, with any kind of blank, dash or thousands separator
    names  of the model and of those who printed the number: in the text they are no words that had to be read

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
    plain = normal(text).strip()
    found = _numbers(plain, text)
    if not found:
        raise _no_claim(plain, text)
    _share_words(plain, found)
    largest = max(f.number.value for f in found)
    found = [
        f for f in found if f.number.value * 1000 >= largest or re.search(r"[^\W\d_]", f.match[1] or f.words)
    ]
    claims = _pairs(plain, found, [_claim(f, plain) for f in found])
    unread = _unread(plain, found, names.lower())
    return [
        replace(
            c,
            text=_said(c, f.match[1] or "", f.about),
            remark=" ".join(filter(None, [say("not_read", ", ".join(words)) if words else "", c.remark])),
        )
        for c, f, words in zip(claims, found, unread, strict=True)
    ]


def _refusal(key: str, text: str, *slots: object) -> ClaimError:
    return ClaimError(say(key, shown(text), EXAMPLES, *slots))


def _no_claim(plain: str, text: str) -> ClaimError:
    """What is the matter with a text that has no number of parameters or bytes."""
    numbers = [(m, pattern("noun").search(plain[m.end() :])) for m in pattern("number").finditer(plain)]
    for m, noun in numbers:
        if not (m[1] or m[2] or _has_unit(m) or noun):
            return _refusal("no_unit" if digits_of(m[3])[0] else "zero", text)
    for _, noun in numbers:
        if noun:
            return _refusal("of_others", text, noun[1] or "percent")
    return _refusal("beyond" if pattern("huge").search(plain) else "no_number", text)


def _unread(plain: str, found: list[_Found], names: str) -> list[list[str]]:
    """The words around each number that nothing reads, and that may say something of it."""
    read = [m.span() for name in READ for m in pattern(name).finditer(plain)]
    unread: list[list[str]] = [[] for _ in found]
    for m in pattern("token").finditer(plain):
        if pattern("harmless").search(m[0]) or m[0] in names:
            continue
        if not any(start < m.end() and m.start() < end for start, end in read):
            unread[max(sum(f.start <= m.start() for f in found) - 1, 0)].append(m[0])
    return [[*dict.fromkeys(words)] for words in unread]


def _numbers(plain: str, text: str) -> list[_Found]:
    """The numbers that are claims: not counts of layers, years and the like."""
    if re.match(r"- ?\.?\d", plain):
        raise _refusal("negative", text)
    matches = _outer(
        plain, [m for m in pattern("number").finditer(plain) if not pattern("noun").search(plain[m.end() :])]
    )
    matches = _beside_names(plain, matches)
    any_unit = any(map(_has_unit, matches))
    found: list[_Found] = []
    skip = False
    for i, m in enumerate(matches):
        if skip:
            skip = False
            continue
        unit, alone, sized = unit_of(m)
        end, high = m.end(), None
        after = matches[i + 1] if i + 1 < len(matches) else None
        if after is not None and not (m[2] or after[1] or after[2]):
            high = _range(plain, m, after)
        if high is not None and after is not None:
            unit, alone, sized = unit_of(after) if unit == 1 and not sized else (unit, alone, sized)
            end, skip = after.end(), True
        elif unit == 1 and not sized and not m[4]:
            digits, places = digits_of(m[3])
            if places or digits < (10**6 if any_unit else 1000):
                continue
        low = number_of(m, unit, sized)
        if not (high or low).digits:
            raise _refusal("zero", low.text)
        found.append(_Found(m, low, high or low, end, sized))
    return found


def _has_unit(m: re.Match[str]) -> bool:
    unit, _, sized = unit_of(m)
    return unit > 1 or sized


def _beside_names(plain: str, matches: list[re.Match[str]]) -> list[re.Match[str]]:
    """Without the 120b of "gpt-oss-120b: 117B": a name is a claim only where nothing else is."""
    others = [m for m in matches if not pattern("name").search(plain[: m.start()])]
    return others if any(map(_has_unit, others)) else matches


def _outer(plain: str, matches: list[re.Match[str]]) -> list[re.Match[str]]:
    """Without the sizes of parts inside a statement: the two 0.9B of "including 0.9B embedding and 0.9B head"."""
    found, start, inner = [], 0, False
    for m in matches:
        last = [*pattern("word").finditer(plain, start, m.start())][-1:]
        after = pattern("word").search(plain, m.end())
        inner = bool(
            last
            and after
            and not last[0][last[0].re.groups]
            and (inner or last[0][1] or last[0][2])
            and pattern("inner").search(plain[last[0].end() : m.start()])
            and after.lastindex in range(5, after.re.groups)
            and pattern("filler").search(plain[m.end() : after.start()])
        )
        start = m.end()
        if not inner:
            found.append(m)
    return found


def _range(plain: str, m: re.Match[str], after: re.Match[str]) -> Number | None:
    """The upper end, where two numbers are a range and not a name such as ``Llama-3.1-8B``."""
    between = plain[m.end() : after.start()]
    joined = pattern("range").search(between) or (
        between == " and " and plain[: m.start()].rstrip("~ ").endswith("between")
    )
    unit, _, sized = unit_of(m)
    upper, _, upper_sized = unit_of(after)
    bare = unit == 1 and not sized
    if not joined or (bare and (upper == 1 or plain[: m.start()].endswith("-"))):
        return None
    if not bare and sized != upper_sized:
        return None
    low = number_of(m, upper if bare else unit, upper_sized)
    high = number_of(after, upper, upper_sized)
    return high if low.value < high.value else None


def _share_words(plain: str, found: list[_Found]) -> None:
    """Give each number the words that belong to it: what stands between two is shared at a comma or a conjunction."""
    start = 0
    for f, after in zip(found, [*found[1:], None], strict=True):
        f.start = start
        f.words = re.sub(r"^.*[0-9][^,;]*[,;]", "", plain[start : f.match.start()])  # "8 activated, 30.5B"
        to = after.match.start() if after else len(plain)
        between = plain[f.end : to]
        if after is None:
            f.words += " | " + between
            continue
        whole = re.match(r" ?\([^()]*\)", between)
        cut = pattern("strong").search(between) or pattern("weak").search(between)
        at = whole.end() if whole else cut.start() if cut else len(between)
        after.inside = between[at:].count("(") > between[at:].count(")")
        f.words += " | " + between[:at]
        start = f.end + at


def _claim(f: _Found, plain: str) -> Claim:
    """What the words of a number say; its text is written when all of them are read."""
    words, prefix = f.words, f.match[1]
    off, on, parts, loose = _statement(words)
    active, total = bool(pattern("active").search(words)), bool(pattern("total").search(words))
    if prefix == "e" or pattern("effective").search(words):
        active, off, loose = True, off | {"per_layer_embedding"}, ("embedding", "lm_head")
    elif prefix == "a" or re.match(r"-\d+e(?![a-z0-9])", plain[f.end :]):
        active = True
    elif total:
        active = False
    elif f.high is not f.number:  # a total is one number
        active = True
    active = active and not f.sized  # bytes are of what is stored
    if re.search(r"[0-9]", words):  # "36 layers, 128 experts" speaks of the model
        parts = []
    f.about = series([label_of(keys.split()[0]) for keys in parts])
    f.bare = not (active or total or off or on or parts or f.sized)
    # words that say what becomes of the tables, and not on which basis, may be meant on any
    tables = ("embedding" in off and loose) or not {"embedding", "lm_head"}.isdisjoint(on)
    return Claim(
        text="",
        number=f.number.text if f.high is f.number else f"{f.number.text}–{f.high.text}",
        basis="active" if active else "stored",
        low=f.number,
        high=f.high,
        bases=BASES if tables and not (active or total or f.sized) else (),
        words_off=tuple(off),
        words_on=tuple(on),
        loose=loose,
        parts=() if off or on or active or total else tuple(dict.fromkeys(_keys(parts))),
        times=int(f.match[2] or 0),
        bits=(_bits(words) or _bits(plain)) if f.sized else None,
        each=_each(words) if not (off or on or active or total or f.sized) else "",
        average=bool(pattern("average").search(words)),
    )


def _bits(plain: str) -> int:
    """Bits of one parameter, where the text names them."""
    found = pattern("bits").search(plain)
    return 0 if not found else 16 if found[3] else int(found[1] or found[2])


def _each(words: str) -> str:
    """``layer`` or ``expert``, where a number is said to be of one."""
    found = pattern("each").search(words)
    return "" if not found else "expert" if found[1] == "expert" else "layer"


def _said(c: Claim, prefix: str, about: str) -> str:
    """The claim in one spelling: ``36.7B active, including embedding and lm_head``."""
    number = f"{c.times}x{c.number}" if c.times else prefix.upper() + c.number
    effective = "per_layer_embedding" in c.words_off and bool(c.loose)
    words = [number]
    if effective and prefix != "e":
        words.append("effective")
    elif c.basis == "active" and not prefix:
        words.append("active")
    if c.parts and c.each != "expert":
        words.append(about)
    if c.each:
        words.append(f"per {c.each}")
    if c.bits:
        words.append(f"at {c.bits} bits")
    said = [" ".join(words)]
    if c.loose and not effective:
        said[0] += " non-embedding"
    elif c.words_off and not effective:
        said.append(f"without {series([label_of(k) for k in c.words_off])}")
    if c.words_on:
        said.append(f"including {series([label_of(k) for k in c.words_on])}")
    return ", ".join(said)


def _statement(words: str) -> tuple[set[str], set[str], list[str], tuple[str, ...]]:
    """What the words leave out, what they count, of which parts alone they speak, and what may be out besides."""
    off: set[str] = set()
    on: set[str] = set()
    parts: list[str] = []
    loose: tuple[str, ...] = ()
    state = ""
    for m in pattern("word").finditer(words):
        out, into, was_out, was_in, *named, stop = m.groups()
        if stop:
            state = ""
        elif out:
            state = "out"
        elif into:
            state = "out" if state == "out" and m[0].startswith("incl") and _joined(words, m) else "in"
        elif was_out:
            off |= {k for k in _keys(parts) if k in TOGGLES}
            parts = []
        elif was_in:
            on |= {k for k in _keys(parts) if k in TOGGLES}
            parts = []
        else:
            keys = next(keys for given, (_, keys) in zip(named, PARTS, strict=True) if given)
            if not state:
                parts.append(keys)
                continue
            toggles = {k for k in keys.split() if k in TOGGLES}
            (off if state == "out" else on).update(toggles)
    if off == {"embedding"} and not on & set(NEAR):
        loose = (
            NEAR if re.search(r"embed\w*ings?(?![a-z])|non", words) and "embedding out" not in words else ()
        )
    return off, on - off, parts, loose


def _keys(parts: list[str]) -> list[str]:
    return " ".join(parts).split()


def _joined(words: str, m: re.Match[str]) -> bool:
    """Whether "not" stands right before "including"."""
    return bool(re.search(r"(?<![a-z])(?:not|without) $", words[: m.start()]))


def _pairs(plain: str, found: list[_Found], claims: list[Claim]) -> list[Claim]:
    """Two numbers whose words do not say which is which: the smaller of ``671B/37B`` is the active one."""
    for i in range(1, len(claims)):
        before, here = claims[i - 1], claims[i]
        if here.parts or here.bits is not None or before.parts or before.bits is not None:
            continue
        small, large = here.high.value, before.high.value
        if (
            found[i].inside
            and not pattern("named").search(found[i].words)
            and "embedding" not in before.loose
        ):
            claims[i] = replace(here, basis=before.basis, bases=before.bases)
        elif found[i].bare and before.basis == "stored" and small < large:
            claims[i] = _smaller(here)
        elif found[i - 1].bare and large < small and _of(plain, found, i):
            claims[i - 1] = _smaller(before)
            if not (here.words_off or here.words_on):
                claims[i] = replace(here, basis="stored", bases=BASES[:2])
    return claims


def _smaller(c: Claim) -> Claim:
    """The one of two numbers that is the active one, though no word says so."""
    return replace(c, basis="active", bases=("active",), remark=say("smaller"))


def _of(plain: str, found: list[_Found], i: int) -> bool:
    """Whether two numbers stand as in ``3B of 80B`` or ``3B/80B``."""
    return bool(
        re.fullmatch(r" (?:out )?of .*| ?/ +", plain[found[i - 1].end : found[i].match.start()] + " ")
    )
