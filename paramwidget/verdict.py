"""What is said of a claim: the kind of verdict, the conventions that fit, and the words.

It never says that a number is right: it says what fits. js/src/claims/words.ts is the twin of the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .claims import Claim
from .conventions import Convention
from .roles import TOGGLES, series
from .words import say

#: from the least favourable
KINDS = ("contradiction", "none", "ambiguous", "truncated", "match")


@dataclass(frozen=True, slots=True)
class Match:
    """A convention and what it gives.

    count       the exact count; bytes for a claim of bytes
    low         the least that a token can use, where routing decides; else the same
    departures  how many toggles depart from the default of the basis
    cost        what they and the reading of the digits cost; less is more usual
    slack       what the reading of the digits alone costs: nothing if they are rounded
    preset      the key of the preset that documents it for this type of model, or ""
    cut         whether it fits only by cutting digits off
    digits      0, or the significant digits where trailing zeros were taken as none
    """

    convention: Convention
    count: int
    low: int
    departures: int
    cost: int
    slack: int = 0
    preset: str = ""
    cut: bool = False
    digits: int = 0

    @property
    def usual(self) -> int:
        """The cost, where the departures of a documented convention cost nothing."""
        return self.slack if self.preset else self.cost

    @property
    def words(self) -> str:
        """``embedding out (gpt-oss model card)``: what it leaves out and counts, and who counts so."""
        c = self.convention
        parts = [
            f"{series([TOGGLES[k][0] for k in keys])} {way}"
            for keys, way in ((c.off, "out"), (c.on, "in"))
            if keys
        ]
        if not parts and c.label and not self.preset:
            return c.label
        return (", ".join(parts) or "the default") + (f" ({c.label})" if self.preset else "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a claim fits.

    kind         match | ambiguous (equally good ways, which the number alone cannot tell apart) | truncated (only with
                 digits cut off) | contradiction (what the claim states gives another number) | none
    matches      the best convention of each class that fits, best first; the first ``rivals`` of them are equally good.
                 Conventions that differ only by toggles that move no printed digit are one class.
    nearest      the first match, or the convention that comes nearest; None where nothing can be compared
    gap          the printed number less the exact count of ``nearest``; gap_percent of that count
    part         the part whose size makes up for the gap to the printed digits, where nothing fits: (label, size)
    because      why rivals are equal: ``embedding and lm_head are both 579,133,440``
    decided_by   the words that tell rivals apart, and where they stand: of the source, else of a preset
    text         all of it as a sentence
    verdicts     one for each number of the text, this one where it has only one
    """

    claim: Claim
    kind: str
    matches: tuple[Match, ...] = ()
    nearest: Match | None = None
    rivals: int = 0
    part: tuple[str, int] | None = None
    because: str = ""
    decided_by: tuple[str, str] | None = None
    note: str = ""
    several: tuple[Verdict, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return self.several or (self,)

    @property
    def met(self) -> bool:
        """Whether every number fits: it is a match, ambiguous or truncated."""
        return all(v.kind in ("match", "ambiguous", "truncated") for v in self.verdicts)

    @property
    def gap(self) -> int | None:
        return self.claim.high.value - self.nearest.count if self.nearest else None

    @property
    def gap_percent(self) -> float | None:
        """In hundredths of a percent, rounded half up."""
        if not self.nearest or not self.nearest.count or self.gap is None:
            return None
        parts = (20_000 * abs(self.gap) + self.nearest.count) // (2 * self.nearest.count)
        return parts / 100 if self.gap >= 0 else -parts / 100

    @property
    def text(self) -> str:
        return "\n".join(f"{v.claim.text}: {v.kind}. {v.sentence}" for v in self.verdicts)

    @property
    def sentence(self) -> str:
        """Of one number what follows its kind."""
        return " ".join(filter(None, [self.claim.remark, _sentence(self)]))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data: what ``paramwidget reconcile --json`` prints of one number."""
        return {
            "claim": self.claim.text,
            "number": self.claim.number,
            "kind": self.kind,
            "text": self.text,
            "remark": self.claim.remark,
            "matches": [_match(m) for m in self.matches],
            "rivals": self.rivals,
            "nearest": _match(self.nearest) if self.nearest else None,
            "gap": self.gap,
            "gap_percent": self.gap_percent,
            "part": {"label": self.part[0], "size": self.part[1]} if self.part else None,
            "because": self.because,
            "decided_by": {"text": self.decided_by[0], "url": self.decided_by[1]}
            if self.decided_by
            else None,
            **({"verdicts": [v.to_dict() for v in self.several]} if self.several else {}),
        }

    def __repr__(self) -> str:
        return f"<Verdict {self.text}>"

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><b>{escape(v.claim.text)}</b>: {v.kind}. {escape(v.sentence)}</p>" for v in self.verdicts
        )


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of a text: its only one, or the least favourable with all of them in it."""
    if len(verdicts) == 1:
        return verdicts[0]
    v = min(verdicts, key=lambda v: KINDS.index(v.kind))
    return Verdict(
        v.claim,
        v.kind,
        v.matches,
        v.nearest,
        v.rivals,
        v.part,
        v.because,
        v.decided_by,
        v.note,
        tuple(verdicts),
    )


def _match(m: Match) -> dict[str, Any]:
    c = m.convention
    return {
        "basis": c.basis,
        "off": list(c.off),
        "on": list(c.on),
        "total": m.count,
        "low": m.low,
        "departures": m.departures,
        "preset": m.preset,
        "cut": m.cut,
        "digits": m.digits,
        "words": m.words,
    }


def _sentence(v: Verdict) -> str:
    if not v.nearest:
        return v.note
    if v.kind in ("none", "contradiction"):
        return " ".join(filter(None, [_missed(v, v.nearest), v.note]))
    first, rivals = v.matches[0], v.matches[: v.rivals]
    tail = say("to_digits", v.claim.number, first.digits, "s" * (first.digits > 1)) if first.digits else ""
    if first.cut:
        tail = say("cut_off", v.claim.number)
    if len(rivals) == 1:
        said = f"{_upper(first.words)} gives {_amount(v, first)}{tail}."
    elif len({(m.count, m.convention.basis) for m in rivals}) == 1:
        said = f"{_upper(' or '.join(m.words for m in rivals))} gives {_amount(v, first)}{tail}{_cannot(v)}."
    else:
        said = f"{_upper(', '.join(f'{m.words} gives {_amount(v, m)}' for m in rivals))}{tail}{_cannot(v)}."
    return " ".join(filter(None, [said, v.note]))


def _cannot(v: Verdict) -> str:
    return say("indistinguishable") + (f", as {v.because}" if v.because else "")


def _missed(v: Verdict, m: Match) -> str:
    gap = v.gap or 0
    share = f" ({abs(v.gap_percent):.2f}%)" if v.gap_percent is not None else ""
    way = f"{abs(gap):,}{share} {'more' if gap > 0 else 'less'}" if gap else "that very number"
    start = say("closest", m.words)
    if v.kind == "contradiction":
        start = f"As it states, {m.words}" if m.departures else "What it states"
    part = say("that_size", v.part[0], f"{v.part[1]:,}") if v.part else ""
    return f"{start} gives {_amount(v, m)}; {v.claim.number} is {way}.{part}"


def _amount(v: Verdict, m: Match) -> str:
    """``5,132,849,472 active``."""
    if v.claim.bits is not None:
        return f"{m.count:,} bytes" + (" with all copies" if m.convention.basis == "architectural" else "")
    ranged = m.low != m.count and (v.claim.low is not v.claim.high or v.claim.average)
    number = f"{m.low:,}–{m.count:,}" if ranged else f"{m.count:,}"
    return f"{number} {m.convention.basis}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:] if not text.startswith("lm_head") else text
