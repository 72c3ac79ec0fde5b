"""What each set of departures from a default costs, and which of them a claim leaves open.

js/src/claims/verdict.ts is the twin.
"""

from __future__ import annotations

from collections.abc import Iterable

from .claims import Claim, Number
from .conventions import Convention
from .roles import DEFAULT_OUT, TOGGLES
from .totals import Totals

#: what a departure costs: what is known to be left out or counted at will; all else is a last resort
_CHEAP = (
    "embedding",
    "lm_head",
    "position",
    "per_layer_embedding",
    "encoder",
    "mtp",
    "vision",
    "audio",
    "projector",
)
_COST = {key: 1 if key in _CHEAP or key == "scale" else 4 for key in TOGGLES}
#: digits from which on a number can tell that something is out which nobody is known to leave out; of three digits
#: alone, one in a hundred fits any convention
_MANY = 5
#: what a claim that states its convention may still leave open
_OPEN = {*_CHEAP, "scale"} - {"embedding", "lm_head"}


class Space:
    """The counts of one basis, with what each set of departures costs, and which are documented."""

    def __init__(self, c: Claim, presets: Iterable[Convention], high: Totals, low: Totals) -> None:
        self.high, self.low, self.basis = high, low, high.basis
        out = DEFAULT_OUT[self.basis]
        self.frozen = self.fixed = self.dear = 0
        costs = [0]
        for i, key in enumerate(high.keys):
            bit, cost = 1 << i, _COST[key]
            if key in c.words_off or key in c.words_on:
                self.frozen |= bit
                self.fixed |= bit if (key in c.words_off) != (key in out) else 0
                cost = 0
            elif key in c.loose:
                cost = 0
            elif (c.words_off or c.words_on) and key not in _OPEN:
                self.frozen |= bit
            elif cost > 1 and not (c.parts or c.each):
                self.dear |= bit
            costs += [n + cost for n in costs]
        self.costs = costs
        self.presets = {high.mask(p.off, p.on): p for p in reversed([*presets]) if p.basis == self.basis}

    def allows(self, mask: int, number: Number) -> bool:
        """Whether it is what the words say, and nothing that so few digits cannot tell."""
        few = mask & self.dear and len(str(number.digits)) < _MANY and mask not in self.presets
        return mask & self.frozen == self.fixed and not few
