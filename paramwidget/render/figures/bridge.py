"""``bridge``: from a printed count to the one that is chosen, each step a named part with its exact integer."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from ...breakdown import Breakdown
from ...bridge import Step, bridge
from ...claims import Claim, as_claims, headline
from ...conventions import Convention
from ...errors import ClaimError, shown
from ...presets import PRESETS, presets_for
from ...reconcile import reconcile
from ...roles import ROLES, out_set
from ..numbers import exact, short
from ..rows import departures_text, left_out_words, source_word
from . import marks, page
from .ledger import Ledger, Line, stacked

#: names that take more than this share of the width stand above their rows
NAMES = 0.5
#: where the totals are closer than this share of the larger one, the axis shows what lies between them
ZOOM = 0.5


@dataclass(frozen=True)
class Start:
    """Where a bridge starts, and how that is called."""

    at: Convention | Claim
    name: str


def draw(
    b: Breakdown,
    ax: Axes | None,
    basis: str,
    off: tuple[str, ...],
    on: tuple[str, ...],
    claim: str | Convention | None,
) -> Axes:
    """A waterfall: a row for each end and each step."""
    end = Convention("", "", basis, off, on)
    start = start_of(b, claim, end)
    steps = bridge(b, start.at, end)
    last = end.of(b)
    first = last - sum(step.delta for step in steps)
    lines = [
        Line(start.name, [page.count(first, ax)], bold=True),
        *(Line(s.label, [signed(s.delta, page.count(abs(s.delta), ax))], role_of(s)) for s in steps),
        Line(counted(b, basis, off, on), [page.count(last, ax)], bold=True),
    ]
    below, note = 1.3, 0.55
    if max(page.width(line.name, weight="bold") for line in lines) > NAMES * page.room(ax):
        lines = stacked(lines)
        below, note = 2.2, 1.45  # the numbers of the axis stand where names do otherwise
    ax = page.sheet(ax, sum(line.height for line in lines) + 1 + below, said(first, last, steps))
    ledger = Ledger(ax, lines, ["parameters"], 0, below)
    ledger.draw()
    ledger.title(b.model, said(first, last, steps))
    at = [y for y, line in zip(ledger.at, lines, strict=True) if line.cells]
    between = 1 if len(at) == len(lines) else 1.9
    ledger.rule(at[-1] - between + 0.5)
    picture = ledger.picture("steps", 1, ledger.end)
    if _waterfall(picture, at, first, steps):
        ledger.note("the scale does not start at 0", ledger.end + note)
    return ax


def said(first: int, last: int, steps: list[Step]) -> str:
    """``5.13B + 0.58B = 5.71B``: up to three steps one by one, more as what they come to."""
    if not steps:
        return f"{short(first)} either way: no step lies between them"
    terms = [s.delta for s in steps] if len(steps) <= 3 else [last - first]
    more = f", in {len(steps)} steps" if len(steps) > 3 else ""
    return " ".join([short(first), *map(_sign, terms), "=", short(last)]) + more


def _waterfall(ax: Axes, at: list[float], first: int, steps: list[Step]) -> bool:
    """Draws it; returns whether the scale starts elsewhere than at 0."""
    levels = [first]
    for step in steps:
        levels.append(levels[-1] + step.delta)
    low, high = min(levels), max(levels)
    zoomed = bool(steps) and low > ZOOM * high
    reach = (high - low) or high or 1
    left = low - 0.12 * reach if zoomed else 0.0
    ax.set_xlim(left, high + 0.03 * (high - left))
    _ticks(ax)
    grey = marks.hue(None)
    for y, level, name in ((at[0], levels[0], "start"), (at[-1], levels[-1], "end")):
        if zoomed:  # a bar that does not start at 0 would lie about its length
            ax.plot([level], [y], "D", ms=page.size(0.6), color=grey.fill, gid=name, zorder=4)
        else:
            marks.stretch(ax, 0, level, y, 0.62, grey, gid=name)
    for i, step in enumerate(steps):
        y, x0, x1 = at[i + 1], levels[i], levels[i + 1]
        ax.plot(
            [x0, x0],
            [at[i] if zoomed or i else at[i] + 0.31, y],
            color=page.text_colour(),
            linewidth=0.6,
            zorder=3,
        )
        marks.stretch(
            ax, x0, x1, y, 0.62, marks.hue(role_of(step)), gid=f"step {step.key}", hollow=step.delta < 0
        )
        colours = marks.hue(role_of(step))
        if abs(x1 - x0) > 0.06 * (high - left):
            inside = x1 + (-0.014 if step.delta > 0 else 0.014) * (high - left)
            tone = colours.fill if step.delta < 0 else colours.ink
            ax.plot([inside], [y], ">" if step.delta > 0 else "<", ms=page.size(0.5), color=tone, zorder=5)
    if steps:
        x = levels[-1]
        ax.plot(
            [x, x],
            [at[-2], at[-1] - (0 if zoomed else 0.31)],
            color=page.text_colour(),
            linewidth=0.6,
            zorder=3,
        )
    return zoomed


def _ticks(ax: Axes) -> None:
    ax.xaxis.set_minor_locator(NullLocator())
    left, right = ax.get_xlim()
    ticks = [
        t for t in MaxNLocator(nbins=4, steps=[1, 2, 5, 10]).tick_values(left, right) if left <= t <= right
    ]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: tick_name(round(n), round(step))))
    ax.tick_params(axis="x", length=0, pad=page.size(0.2), colors=page.soft_colour(), labelsize=page.size())
    ax.grid(axis="x", color=page.line_colour(), linewidth=0.6)
    ax.set_axisbelow(True)


def tick_name(n: int, step: int) -> str:
    """A round number with the places that its neighbours need: ``5.2B`` on an axis that steps by 0.2B.

    >>> tick_name(5_200_000_000, 200_000_000), tick_name(0, 50_000_000_000), tick_name(680_000_000_000, 5_000_000_000)
    ('5.2B', '0', '680B')
    """
    for unit, letter in ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K")):
        if abs(n) >= unit:
            places = 0
            while step * 10**places % unit and places < 3:
                places += 1
            return f"{n / unit:,.{places}f}{letter}"
    return exact(n)


def start_of(b: Breakdown, claim: str | Convention | None, end: Convention) -> Start:
    """A convention, a preset of that key, a claim of that text, bundled or not; else what the card claims."""
    if isinstance(claim, Convention):
        return Start(claim, claim.label or counted(b, claim.basis, claim.off, claim.on))
    if claim is not None and not isinstance(claim, str):
        raise ClaimError(
            f"A bridge starts at the text of a claim, a preset's key or a Convention, and not {shown(claim)}."
        )
    preset = next((p for p in PRESETS if p.key == claim), None)
    if preset:
        return Start(preset, preset.label)
    if claim is None:
        first = headline(b)
        return of_claim(b, first) if first else _unclaimed(b, end)
    bundled = next((c for c in b.claims if claim in (c.text, c.number)), None)
    found = [bundled] if bundled else as_claims(claim)
    if len(found) > 1:
        raise ClaimError(f"{shown(claim)} has {len(found)} numbers; a bridge starts at one of them.")
    return of_claim(b, found[0])


def of_claim(b: Breakdown, claim: Claim) -> Start:
    """A claim, called by its source and the way of counting that fits it best."""
    name = f"{source_word(claim)}: {claim.text}"
    verdict = reconcile(b, claim)
    if verdict.matches:
        best = verdict.matches[0]
        c = best.convention
        said = departures_text(b, [c.basis], c.off, c.on) if best.preset else left_out_words(b, c)
        name += f", {said}" if said else ""
    return Start(claim, name)


def _unclaimed(b: Breakdown, end: Convention) -> Start:
    """Without a claim: what is stored, or else what is declared, whichever differs."""
    for basis in ("stored", "architectural", "active"):
        c = Convention("", "", basis)
        if c.of(b) != end.of(b):
            return Start(c, basis)
    return Start(Convention("", "", "stored"), "stored")


def counted(b: Breakdown, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> str:
    """A convention in words: the label of the preset that is the same, else its departures."""
    here = out_set(basis, off, on)
    for p in presets_for(b):
        there = out_set(p.basis, p.off, p.on)
        if p.basis == basis and all((t.key in here) == (t.key in there) for t in b.toggles):
            return f"{basis}: {p.label}" if basis not in p.label else p.label
    said = departures_text(b, [basis], off, on)
    return f"{basis}, {said}" if said else basis


def role_of(step: Step) -> str | None:
    """The role whose colour a step has; None for a kind, which lies across the roles."""
    key = step.key.removeprefix("basis:")
    return key if key in ROLES else None


def signed(n: int, shown: str) -> str:
    """``+ 579,133,440``."""
    return f"{'−' if n < 0 else '+'} {shown}"


def _sign(n: int) -> str:
    return f"{'−' if n < 0 else '+'} {short(abs(n))}"
