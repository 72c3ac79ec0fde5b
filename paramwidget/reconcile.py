"""What a claim fits: every convention that a model has, held against the printed digits.

Departures from the default of a basis cost something, most where nobody is known to count so; a documented convention
comes first, then the cheapest, then the closest. js/src/claims/verdict.ts is the twin, held to it by golden files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .breakdown import Breakdown
from .claims import Claim, Number, as_claims
from .conventions import Convention
from .departures import Space
from .presets import documented
from .roles import KINDS, ROLES, TOGGLES, out_set, series
from .totals import Row, Totals, rows, totals
from .verdict import Match, Verdict, together
from .words import say

#: cutting digits off, and each trailing zero that is taken as no digit
_CUT, _ZERO = 2, 2
#: more than any count
_NO_END = 2**63
#: matches that are told; more are no help
_MOST = 12


def reconcile(b: Breakdown, claim: Claim | str) -> Verdict:
    """Hold a claim against every way of counting a model.

    claim   the text of a claim, which may have several numbers, or one Claim

    Returns a Verdict; that of a text with several numbers is the least favourable, with one verdict for each in
    ``verdicts``. Raises ClaimError for a text in which no number can be read.

    >>> from paramwidget import count
    >>> print(reconcile(count("openai/gpt-oss-120b"), "5.1B active").kind)
    ambiguous
    """
    names = " ".join([b.model, *(c.source for c in b.claims)])
    return together([_Search(b, c).verdict() for c in as_claims(claim, names)])


@dataclass(frozen=True, slots=True)
class _Form:
    """One way of reading the printed digits: rounded, cut off, or with fewer of them."""

    low: Number
    high: Number
    cut: bool
    digits: int
    cost: int

    def bounds(self, averaged: bool) -> tuple[int, int, int, int]:
        """Where the least that a token uses must lie, and where the most; an average lies between the two."""
        if averaged:
            return 0, self.high.value, self.high.value, _NO_END
        low, high = (
            (self.low.cutting, self.high.cutting) if self.cut else (self.low.rounding, self.high.rounding)
        )
        return (*(low if self.low is not self.high else (0, _NO_END)), *high)


def _forms(c: Claim) -> Iterator[_Form]:
    yield _Form(c.low, c.high, False, 0, 0)
    if c.high is c.low:
        for n, short in enumerate(c.low.shorter(), start=1):
            yield _Form(short, short, False, len(str(short.digits)), n * _ZERO)
    yield _Form(c.low, c.high, True, 0, _CUT)


class _Search:
    """One claim and one model: all counts, and which of them fit."""

    def __init__(self, b: Breakdown, c: Claim) -> None:
        self.b, self.c = b, c
        self.presets = documented(b) if not (c.parts or c.each or c.times or c.bits is not None) else []
        self.spaces = list(self._spaces())
        #: an average over what a router chose, which lies somewhere between the two ends
        self.averaged = c.average and any(s.low.counts != s.high.counts for s in self.spaces)

    def verdict(self) -> Verdict:
        """The answer; see Verdict for the kinds."""
        c = self.c
        if not self.spaces:
            return Verdict(c, "none", note=say("no_bytes"))
        stated, found = self._stated(), self._matches()
        if stated and not any(_same(m.convention, stated) for m in found):
            return self._missed("contradiction", self._at(stated))
        if not found:
            states = stated or c.words_off or c.words_on
            return self._missed(
                "contradiction" if states else "none", self._nearest(), self._note() or self._of_active()
            )
        if stated:
            found.sort(key=lambda m: not _same(m.convention, stated))
        first = found[0]
        rivals = [m for m in found if m.cost <= first.cost and (m.cut, m.digits) == (first.cut, first.digits)]
        many = len(rivals) > 1 or self.averaged  # which of many texts gives an average, no number tells
        kind = "truncated" if first.cut else "ambiguous" if many else "match"
        return Verdict(
            c,
            kind,
            tuple([*rivals, *(m for m in found if m not in rivals)][:_MOST]),
            first,
            len(rivals),
            because=self._because(rivals),
            decided_by=self._decided(first, stated) if len(rivals) > 1 else None,
            note=self._note(),
        )

    def _of_active(self) -> str:
        """What a bare number would fit if it were meant as active, where it fits nothing that is stored."""
        c = self.c
        if c.basis != "stored" or c.parts or c.each or c.bits is not None or c.words_off or c.words_on:
            return ""
        v = _Search(self.b, replace(c, basis="active", bases=("active",), remark="")).verdict()
        return f"Of active parameters: {v.kind}. {v.sentence}" if v.met else ""

    def _missed(self, kind: str, nearest: Match, note: str = "") -> Verdict:
        return Verdict(self.c, kind, (), nearest, part=self._part(nearest), note=note)

    def _part(self, m: Match) -> tuple[str, int] | None:
        """The part without which, or with which once more, a count that does not fit the printed digits would."""
        least, most = self.c.high.rounding
        if least <= m.count <= most:  # of a range, the other end does not fit
            return None
        less, gap = m.count > most, abs(self.c.high.value - m.count)
        out = out_set(m.convention.basis, m.convention.off, m.convention.on)
        if self.c.bits is not None:
            out = frozenset(m.convention.off)  # bytes are of scales, too
        sizes: dict[str, int] = {}
        for role, kind_of, n, _, name in self._rows(m.convention.basis) or ():
            if less and out & {role, kind_of}:  # it is not counted, so it cannot be what is missing
                continue
            label = ROLES[role] if kind_of == "weight" else KINDS[kind_of]
            size = n if self.c.bits is None else n // 8
            if self.c.parts or size == gap:  # of a part its tensors, and the very tensor that is missing
                label = name
            sizes[label] = sizes.get(label, 0) + size
        part = min(sizes.items(), key=lambda item: abs(item[1] - gap), default=("", 0))
        return part if least <= m.count + (-part[1] if less else part[1]) <= most else None

    # ---------------------------------------------------------------- counts

    def _spaces(self) -> Iterator[Space]:
        """The counts on each basis that the claim may mean; a basis that says nothing new is left out."""
        c, seen = self.c, []
        for basis in c.bases:
            given = self._rows(basis)
            if given is None:
                return
            only = ("mtp",) if c.bits is not None else ("embedding", "lm_head") if c.times else None
            high = totals(basis, given, only)
            if c.bits is not None:
                high = Totals(basis, high.keys, [n // 8 for n in high.counts])
            low = high
            if (
                basis == "active"
                and c.bits is None
                and any(t.active_low != t.active_copies for t in self.b.tensors)
            ):
                low = totals(basis, self._rows(basis, low=True) or [], only)
            if high.counts not in seen:
                seen.append(high.counts)
                yield Space(c, self.presets, high, low)

    def _rows(self, basis: str, low: bool = False) -> list[Row] | None:
        """What the claim speaks of: some parts alone, one of its experts, bits; None where bytes are not known."""
        c, b = self.c, self.b
        given: list[Row]
        if c.bits:
            given = [
                (r, k, n * c.bits, tied, name)
                for r, k, n, tied, name in rows(b, basis, parts=c.parts)
                if k != "scale" and not tied
            ]
        elif c.bits is not None:
            each = [t for t in b.tensors if not c.parts or t.role in c.parts or t.kind in c.parts]
            if any(t.bits() is None for t in each):
                return None
            each = [t for t in each if basis == "architectural" or not t.tied_to]
            given = [(t.role, t.kind, t.numel * int(t.copies) * (t.bits() or 0), False, t.name) for t in each]
        else:
            given = rows(b, basis, low, c.parts, c.each)
        if c.times:
            given = [
                (r, k, n // c.times if r == "routed_expert" else n, tied, name)
                for r, k, n, tied, name in given
            ]
        return given

    # -------------------------------------------------------------- matching

    def _matches(self) -> list[Match]:
        """The best convention of each class that fits, best first."""
        found: list[Match] = []
        fitted: set[tuple[int, int]] = set()
        for form in _forms(self.c):
            nodes: dict[tuple[int, int], Any] = {}
            a, b, least, most = form.bounds(self.averaged)
            for i, s in enumerate(self.spaces):
                for mask, n in enumerate(s.high.counts):
                    if least <= n <= most and a <= s.low.counts[mask] <= b and s.allows(mask, form.high):
                        nodes[i, mask] = self._rank(i, mask, n)
            for at in fitted & nodes.keys():  # what rounds is not called cut off
                del nodes[at]
            fitted |= nodes.keys()
            classes = 0
            for at in sorted(nodes, key=nodes.__getitem__):
                if at in nodes and classes < _MOST:
                    self._take(nodes, at)
                    found.append(self._match(self.spaces[at[0]], at[1], form))
                    classes += 1
        found.sort(
            key=lambda m: (m.usual, not m.preset, m.cost, m.cut, m.digits, abs(m.count - self.c.high.value))
        )
        return _distinct(found)

    def _rank(self, i: int, mask: int, n: int) -> tuple[bool, int, int, int, int]:
        s = self.spaces[i]
        return mask not in s.presets, s.costs[mask], abs(n - self.c.high.value), i, mask

    def _take(self, nodes: dict[tuple[int, int], Any], at: tuple[int, int]) -> None:
        """Remove one, and all that differ from it only by toggles, or a basis, that move no printed digit."""
        i, mask = at
        s = self.spaces[i].high
        still = [key for bit, key in enumerate(s.keys) if (i, mask ^ 1 << bit) in nodes]
        like = [(i, mask)]
        for j, other in enumerate(self.spaces):
            same = other.high.mask(*s.departures(mask))
            if j != i and (j, same) in nodes:
                like.append((j, same))
        for j, start in like:
            free = sum(1 << bit for bit, key in enumerate(self.spaces[j].high.keys) if key in still)
            for k, m in [at for at in nodes if at[0] == j and (at[1] ^ start) & ~free == 0]:
                del nodes[k, m]

    def _nearest(self) -> Match:
        """The convention nearest to the number, in printed digits first, then the cheapest, then the closest."""
        number = self.c.high
        size = max(number.unit // 10**number.places, 1)
        goal = number.value // size
        near: list[tuple[int, tuple[bool, int, int, int, int]]] = []
        for i, s in enumerate(self.spaces):
            apart = [abs((2 * n + size) // (2 * size) - goal) for n in s.high.counts]
            allowed = [mask for mask in range(len(apart)) if s.allows(mask, number)]
            least = min(apart[mask] for mask in allowed)
            near += [(least, self._rank(i, m, s.high.counts[m])) for m in allowed if apart[m] == least]
        *_, i, mask = min(near)[1]
        return self._match(self.spaces[i], mask, None)

    def _match(self, s: Space, mask: int, form: _Form | None) -> Match:
        off, on = s.high.departures(mask)
        preset = s.presets.get(mask)
        sized = self.c.bits is not None and not mask and "mtp" in s.high.keys and not self.c.parts
        label = preset.label if preset else "MTP in" if sized else ""
        return Match(
            Convention(
                preset.key if preset else "",
                label,
                s.high.basis,
                off,
                on,
                preset.citation if preset else "",
                preset.url if preset else "",
            ),
            s.high.counts[mask],
            s.low.counts[mask],
            mask.bit_count(),
            s.costs[mask] + (form.cost if form else 0),
            form.cost if form else 0,
            preset.key if preset else "",
            form.cut if form else False,
            form.digits if form else 0,
        )

    # ------------------------------------------------------- what is stated

    def _stated(self) -> Convention | None:
        """The convention that the source states elsewhere than in the text."""
        c = self.c
        return Convention("", "", c.basis, c.off, c.on) if c.off or c.on else None

    def _at(self, stated: Convention) -> Match:
        s = next((s for s in self.spaces if s.basis == stated.basis), self.spaces[0])
        return self._match(s, s.high.mask(stated.off, stated.on), None)

    def _decided(self, first: Match, stated: Convention | None) -> tuple[str, str] | None:
        """The words that tell rivals apart: of the source that states it, else of the preset."""
        if stated:
            return self.c.quote, self.c.url
        return (first.convention.citation, first.convention.url) if first.preset else None

    def _because(self, rivals: list[Match]) -> str:
        """``embedding and lm_head are both 579,133,440``: the single parts by which rivals of one count differ."""
        if len({(m.count, m.convention.basis) for m in rivals}) != 1 or len(rivals) < 2:
            return ""
        s = next(s for s in self.spaces if s.basis == rivals[0].convention.basis).high
        masks = [s.mask(m.convention.off, m.convention.on) for m in rivals]
        common = masks[0]
        for mask in masks:
            common &= mask
        own = [mask & ~common for mask in masks]
        sizes = {abs(s.counts[common] - s.counts[mask]) for mask in masks}
        if any(bits.bit_count() != 1 for bits in own) or len(sizes) != 1:
            return ""
        parts = [TOGGLES[s.keys[bits.bit_length() - 1]][0] for bits in own]
        return f"{series(parts)} are {'both' if len(parts) == 2 else 'each'} {sizes.pop():,}"

    def _note(self) -> str:
        """What an average is, and what ``8x7B`` is: its experts share all else, so it is no product."""
        c, b = self.c, self.b
        if self.averaged:
            return say("no_average")
        if not c.times:
            return ""
        return say("no_sum", c.times, c.number, f"{b.stored:,}")


def _same(a: Convention, b: Convention) -> bool:
    return (a.basis, a.off, a.on) == (b.basis, b.off, b.on)


def _distinct(found: Iterable[Match]) -> list[Match]:
    """Each convention once, in the form in which it fits best."""
    seen: dict[tuple[object, ...], Match] = {}
    for m in found:
        seen.setdefault((m.convention.basis, m.convention.off, m.convention.on), m)
    return list(seen.values())
