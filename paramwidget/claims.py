"""Numbers that somebody printed, and the conventions under which they come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from .breakdown import Breakdown
from .conventions import PRESETS, Convention, presets_for
from .errors import ClaimError, shown
from .roles import check_basis, check_toggles

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}

#: characters, blanks and commas included; the largest count that there can be has 16 digits
LONGEST_NUMBER = 40

#: what cards leave out without saying so: the two tables, and the MTP layers
_USUAL = ("embedding", "lm_head", "mtp")


@dataclass(frozen=True, slots=True)
class Claim:
    """A number as it was printed, and where.

    text     as the reader sees it: ``5.13B active``
    number   the digits that were printed: ``5.13B``
    basis    what the words name: active, or stored for "total"
    off, on  the departures that the source states, if it states them
    source   who printed it, and url where
    quote    the words that say what was counted, if there are any
    """

    text: str
    number: str
    basis: str
    source: str
    url: str = ""
    quote: str = ""
    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    headline: bool = False

    def __post_init__(self) -> None:
        printed(self.number)
        check_basis(self.basis)
        object.__setattr__(self, "off", check_toggles(self.off))
        object.__setattr__(self, "on", check_toggles(self.on))

    def fits(self, count: int) -> bool:
        """Whether an exact count rounds to the printed digits."""
        digits, unit = printed(self.number)
        return (2 * count + unit) // (2 * unit) == digits

    def fits_cut(self, count: int) -> bool:
        """Whether it only does by cutting digits off (3.353B printed as 3.3B)."""
        digits, unit = printed(self.number)
        return count // unit == digits and not self.fits(count)


def printed(number: str) -> tuple[int, int]:
    """The printed digits as an int, and the size of their last place: ``"5.13B"`` is 513 of 10,000,000.

    Raises ClaimError for what is no number with at most one of the units K, M, B and T, or has more places than its
    unit.
    """
    if not isinstance(number, str):
        raise ClaimError(f"{shown(number)} is no number as it is printed. Give it as text, like '5.1B'.")
    if len(number) > LONGEST_NUMBER:
        raise ClaimError(f"{shown(number, 30)} is longer than any count. Write it like 5.1B or 5711982912.")
    text = number.strip().replace(",", "")
    unit = text[-1:].upper() if text[-1:].isalpha() else ""
    whole, _, places = text.removesuffix(text[-1:] if unit else "").strip().partition(".")
    if unit not in _UNITS or not (whole + places).isdecimal() or not (whole + places).isascii():
        raise ClaimError(
            f"{shown(number)} is no number that can be read. Write it like 5.1B, 494M, 1.6T or 5711982912."
        )
    size, rest = divmod(_UNITS[unit], 10 ** len(places))
    if rest:
        raise ClaimError(f"{shown(number)} has more places than its unit has.")
    return int(whole + places), size


@dataclass(frozen=True, slots=True)
class Reading:
    """A convention under which a claim comes out; ``preset`` is its key where it is a documented one."""

    convention: Convention
    cut: bool = False
    preset: str | None = None


def readings(b: Breakdown, claim: Claim) -> list[Reading]:
    """The simplest conventions under which the exact count rounds to what was printed.

    Tried are the tables and the MTP layers, in and out, on the basis that the claim names, and what the source says
    that it leaves out. The documented one comes first, then the fewest departures, then the closest. More than one:
    the number alone cannot tell. None: nothing as simple fits. Only where nothing rounds to it are digits cut off.
    """
    documented = _documented(b, claim.basis)
    digits, unit = printed(claim.number)
    for cut in (False, True):
        fit = claim.fits_cut if cut else claim.fits
        found = [c for c in _candidates(b, claim) if fit(c.of(b))]
        if not found:
            continue
        found.sort(key=lambda c: (_departures(c), abs(c.of(b) - digits * unit)))
        # what the source states, else what is documented for the family, else the simplest
        first = (
            next((c for c in found if (claim.off or claim.on) and _keeps(c, claim)), None)
            or next((c for c in found if (c.off, c.on) in documented), None)
            or found[0]
        )
        stated = bool(claim.off or claim.on) or (first.off, first.on) in documented
        # beside a stated one stands only what gives the very same integer
        alike = [
            c
            for c in found
            if c is not first
            and _departures(c) == _departures(first)
            and (not stated or c.of(b) == first.of(b))
        ]
        return [Reading(c, cut, documented.get((c.off, c.on))) for c in (first, *alike)]
    return []


def _departures(c: Convention) -> int:
    return len(c.off) + len(c.on)


def _keeps(c: Convention, claim: Claim) -> bool:
    """Whether a convention departs at least as the source says."""
    return set(claim.off) <= set(c.off) and set(claim.on) <= set(c.on)


def _candidates(b: Breakdown, claim: Claim) -> Iterator[Convention]:
    has = {t.key for t in b.toggles}
    usual = [key for key in _USUAL if key in has and not (claim.basis == "active" and key == "mtp")]
    seen = set()
    for n in range(len(usual) + 1):
        for off in combinations(usual, n):
            seen.add(off)
            yield Convention("", "", claim.basis, off)
    if claim.on or claim.off not in seen:
        yield Convention("", "", claim.basis, claim.off, claim.on)


def _documented(b: Breakdown, basis: str) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    """Departures (off, on) -> the preset that documents them for this very family."""
    return {(p.off, p.on): p.key for p in presets_for(b) if p.basis == basis and p.model_types}


def decided_by(claim: Claim, found: list[Reading]) -> tuple[str, str] | None:
    """The words that tell apart the readings of one number, and where they stand; None where nothing does.

    They are the source's own, if it states what it leaves out; else those of the preset that documents the first.
    """
    if len(found) < 2:
        return None
    if claim.off or claim.on:
        return claim.quote, claim.url
    preset = next((p for p in PRESETS if p.key == found[0].preset), None)
    return (preset.citation, preset.url) if preset else None


def headline(b: Breakdown) -> Claim | None:
    """The claim that the first sentence speaks of: the one marked so, else the first of active parameters, else any."""
    marked = [c for c in b.claims if c.headline]
    active = [c for c in b.claims if c.basis == "active"]
    return next(iter(marked or active or b.claims), None)
