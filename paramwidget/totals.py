"""Every count that the toggles of a model can give on one basis, in one list.

Roles add up independently of one another, and so do the kinds within a role; only a head that is tied to the embedding
depends on whether the embedding is in. So the list is made by doubling, not by counting 2 ** toggles times.
js/src/claims/totals.ts is the twin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .breakdown import Breakdown
from .roles import DEFAULT_OUT, ROLES, TOGGLES

#: (role, kind, how much, whether the head takes it over from the embedding, name)
Row = tuple[str, str, int, bool, str]


#: how the tables of positions in vision towers are named
_POSITIONS = re.compile(r"position|pos_emb")


@dataclass(frozen=True, slots=True)
class Totals:
    """``counts[mask]``, where bit i of the mask says that toggle ``keys[i]`` departs from the default of the basis."""

    basis: str
    keys: tuple[str, ...]
    counts: list[int]

    def mask(self, off: Iterable[str], on: Iterable[str]) -> int:
        """The mask of departures; those that change nothing on this basis, or that the model lacks, are none."""
        out, off, on = DEFAULT_OUT[self.basis], set(off), set(on)
        return sum(1 << i for i, k in enumerate(self.keys) if (k in on if k in out else k in off))

    def departures(self, mask: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """off and on of a mask."""
        keys = [k for i, k in enumerate(self.keys) if mask >> i & 1]
        out = DEFAULT_OUT[self.basis]
        return tuple(k for k in keys if k not in out), tuple(k for k in keys if k in out)


def rows(b: Breakdown, basis: str, low: bool = False, parts: Iterable[str] = (), each: str = "") -> list[Row]:
    """What each tensor adds on a basis; low: the least, where routing decides.

    parts  the roles and kinds of which alone it is asked; a table of positions in one of them is then a part of its own
    each   "layer": the last layer of these parts alone; "expert": one of its experts
    """
    chosen = [t for t in b.tensors if not parts or t.role in parts or t.kind in parts]
    if each:
        chosen = [t for t in chosen if parts or t.role not in DEFAULT_OUT["active"]]
        last = max((t.layers[-1] for t in chosen if t.layers), default=0)
        chosen = [t for t in chosen if last in t.layers and (each == "layer" or t.role == "routed_expert")]
    found = []
    for t in chosen:
        over = False
        if t.tied_to and basis != "architectural":
            over = b.takes_over(t, {"embedding"})
            if not over:
                continue
        copies = t.copies if basis != "active" else t.active_low if low else t.active_copies
        n = int(copies) if not each else 1 if each == "expert" else int(copies) // len(t.layers)
        role = "position" if parts and _POSITIONS.search(t.name) else t.role
        found.append((role, t.kind, t.numel * n, over, t.name))
    return found


def totals(basis: str, given: list[Row], only: Iterable[str] | None = None) -> Totals:
    """All totals of these rows over the toggles that they have, or over those of ``only``."""
    has = {key for role, kind, n, *_ in given if n for key in (role, kind)}
    keys = tuple(k for k in TOGGLES if k in has and (only is None or k in only))
    out = DEFAULT_OUT[basis] if only is None else DEFAULT_OUT[basis] & set(keys)
    roles = [k for k in keys if k in ROLES]
    kinds = [k for k in keys if k not in ROLES]
    counts: list[int] = []
    for departed in range(1 << len(kinds)):
        left = {k for i, k in enumerate(kinds) if (k in out) != bool(departed >> i & 1)}
        left |= {k for k in out if k not in ROLES and k not in kinds}
        sums: dict[str, int] = {}
        over = 0
        for role, kind, n, tied, _ in given:
            if kind not in left:
                if tied:
                    over += n
                else:
                    sums[role] = sums.get(role, 0) + n
        some = [sum(n for role, n in sums.items() if role not in out)]
        for key in roles:
            n = sums.get(key, 0)
            if (
                key == "lm_head" and over and len(some) == 2
            ):  # after the embedding, whose absence hands it the matrix
                some = [some[0], some[1] + over, some[0] - n, some[1] - n]
            else:
                some += [s + n for s in some] if key in out else [s - n for s in some]
        counts += some
    return Totals(basis, keys, counts)
