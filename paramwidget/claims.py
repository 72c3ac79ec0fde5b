"""Numbers that somebody printed, as they were printed: their digits, and what their words say of them.

reading.py makes them of text; reconcile.py compares them with the exact counts. js/src/claims holds the twins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import ClaimError, shown
from .roles import BASES, check_basis, check_toggles

if TYPE_CHECKING:
    from .breakdown import Breakdown


@dataclass(frozen=True, slots=True)
class Number:
    """Printed digits: ``digits`` / 10 ** ``places`` × ``unit``; ``5.13B`` is 513 / 100 × 10 ** 9.

    >>> n = Number("5.13B", 513, 2, 10**9)
    >>> n.rounding, n.value
    ((5125000000, 5134999999), 5130000000)
    """

    text: str
    digits: int
    places: int
    unit: int

    @property
    def value(self) -> int:
        """The number as an integer; a fraction of a byte in GiB is dropped."""
        return self.digits * self.unit // int(10**self.places)

    @property
    def rounding(self) -> tuple[int, int]:
        """The least and the most that round to the digits, half up."""
        size = 2 * 10**self.places
        return -((1 - 2 * self.digits) * self.unit // size), -((-1 - 2 * self.digits) * self.unit // size) - 1

    @property
    def cutting(self) -> tuple[int, int]:
        """The least and the most that become the digits when what follows is cut off."""
        size = 10**self.places
        return -(-self.digits * self.unit // size), -((-1 - self.digits) * self.unit // size) - 1

    def shorter(self) -> Iterator[Number]:
        """The number with the trailing zeros of a whole number taken as no digits: 230B as 23 × 10B."""
        digits, unit = self.digits, self.unit
        while not self.places and digits >= 10 and digits % 10 == 0:
            digits, unit = digits // 10, unit * 10
            yield Number(self.text, digits, 0, unit)


@dataclass(frozen=True, slots=True)
class Claim:
    """A number as it was printed, and where.

    text       the words of this one number, as the reader sees them: ``5.13B active``
    number     the digits that were printed: ``5.13B``, or ``18.6B–31.3B``
    basis      what the words name: active, or stored for "total" and where they name nothing
    source     who printed it, and url where
    quote      the words that say what was counted, if there are any
    off, on    the departures that the source states elsewhere than in the text
    headline   whether the first sentence speaks of it

    What follows is read from the text (reading.py) and needs no giving:

    low, high            the printed digits; they differ only in a range
    bases                the bases on which it may be meant
    words_off, words_on  what the words leave out and count: ``non-embedding``, ``including the head``
    loose                toggles that may be out beside these: non-embedding is said of one table and of both
    parts                the roles of which alone it speaks: ``0.96B attention``
    times                the 8 of ``8x7B``
    each                 "layer" or "expert", where it is of one alone
    bits                 of a claim of bytes: of one parameter, 0 as the checkpoint stores it; None: no bytes
    average              whether it is an average over what a router chose
    remark               how it was read, where its reader may not expect it: which words were not, and why it is active
    """

    text: str
    number: str
    basis: str
    source: str = ""
    url: str = ""
    quote: str = ""
    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    headline: bool = False
    low: Number = None  # type: ignore[assignment]
    high: Number = None  # type: ignore[assignment]
    bases: tuple[str, ...] = ()
    words_off: tuple[str, ...] = ()
    words_on: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    times: int = 0
    each: str = ""
    bits: int | None = None
    average: bool = False
    remark: str = ""

    def __post_init__(self) -> None:
        check_basis(self.basis)
        put = object.__setattr__
        for name in ("off", "on", "words_off", "words_on"):
            put(self, name, check_toggles(getattr(self, name)))
        if self.low is None:
            from .grammar import printed

            put(self, "low", printed(self.number))
        if self.high is None:
            put(self, "high", self.low)
        if not self.bases:
            put(self, "bases", BASES[:2] if self.basis == "stored" else (self.basis,))

    def fits(self, count: int) -> bool:
        """Whether an exact count rounds to the printed digits.

        >>> Claim("5.13B active", "5.13B", "active").fits(5_132_849_472)
        True
        """
        low, high = self.low.rounding
        return low <= count <= high

    def fits_cut(self, count: int) -> bool:
        """Whether it only does by cutting digits off (3.353B printed as 3.3B)."""
        low, high = self.low.cutting
        return low <= count <= high and not self.fits(count)


def headline(b: Breakdown) -> Claim | None:
    """The claim that the first sentence speaks of: the one marked so, else the first of active parameters, else any."""
    marked = [c for c in b.claims if c.headline]
    active = [c for c in b.claims if c.basis == "active"]
    return next(iter(marked or active or b.claims), None)


def as_claims(claim: Claim | str, names: str = "") -> list[Claim]:
    """A claim, or the claims of a text; ClaimError where it is neither."""
    if isinstance(claim, Claim):
        return [claim]
    if not isinstance(claim, str):
        raise ClaimError(f"{shown(claim)} is no claim. Give it as text, like '5.1B active'.")
    from .reading import read

    return read(claim, names)
