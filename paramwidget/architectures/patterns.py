"""Regular expressions that a config brings, matched without going back: a config is data, and must not stop a count.

A pattern is read into steps over the set of places in a name that it can have reached, kept as the bits of an integer.
So ``(a+)+$`` costs as much as ``a+$``; and all patterns of a config share a budget of steps, whatever they are. What
Python's ``re`` reads beyond that (groups that are referred to, looking back, flags) is refused, and so is what is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

#: characters of one pattern, and how deep its groups may lie
LONGEST, DEEPEST = 500, 20
#: steps that all patterns of a config may take together: a fraction of a second; real ones take some thousands
STEPS = 2_000_000

_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": str.isdecimal,
    "w": lambda c: c.isalnum() or c == "_",
    "s": str.isspace,
    "D": lambda c: not c.isdecimal(),
    "W": lambda c: not (c.isalnum() or c == "_"),
    "S": lambda c: not c.isspace(),
}


class PatternError(ValueError):
    """A pattern that is none, that is not read here, or that takes too many steps."""


#: signs that stand for themselves, up to one that is repeated; and what a backslash does to one of them
_WORD = re.compile(r"(?:[^\\.^$*+?{()[|]|\\(?:\W|_))+(?![*+?{])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True)
class Budget:
    """Steps that are left to all patterns of one config."""

    left: int = STEPS

    def spend(self, steps: int = 1) -> None:
        """Count some steps. Raises PatternError when none are left."""
        self.left -= steps
        if self.left < 0:
            raise PatternError("takes too many steps to match")


class _Text:
    """A name, and what matching it may cost."""

    def __init__(self, name: str, budget: Budget) -> None:
        self.name, self.end, self.budget = name, len(name), budget

    @cached_property
    def where(self) -> dict[str, int]:
        """Where each of its characters stands, as bits."""
        where: dict[str, int] = {}
        for i, c in enumerate(self.name):
            where[c] = where.get(c, 0) | 1 << i
        return where


#: the places that are reached from some places
Step = Callable[[_Text, int], int]


class Pattern:
    """One regular expression.

    >>> Pattern(r".*\\.mlp\\.(gate|up)_proj$").match("model.layers.0.mlp.up_proj", Budget())
    True
    >>> Pattern("(a+)+$").match("a" * 50 + "b", Budget())
    False
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise PatternError(f"is longer than {LONGEST} characters")
        reader = _Reader(text)
        self._step = reader.either()
        if reader.at < len(text):
            raise PatternError(f"has an unmatched ) at {reader.at}")
        self._word = max(reader.words, key=len, default="")  # no name without it fits

    def match(self, name: str, budget: Budget) -> bool:
        """Whether it fits the beginning of a name, as ``re.match`` does."""
        return bool(self._reached(name, budget))

    def fullmatch(self, name: str, budget: Budget) -> bool:
        """Whether it fits the whole of a name."""
        return bool(self._reached(name, budget) >> len(name))

    def _reached(self, name: str, budget: Budget) -> int:
        budget.spend()
        return self._step(_Text(name, budget), 1) if self._word in name else 0


class _Reader:
    """Reads a pattern from left to right; ``words`` are those that stand outside of all groups and choices."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.words: list[str] = []

    def either(self) -> Step:
        """Alternatives, up to the end or a closing parenthesis."""
        choices = [self.row()]
        while self.takes("|"):
            choices.append(self.row())
        if len(choices) == 1:
            return choices[0]
        if not self.depth:
            self.words.clear()
        return _any_of(choices)

    def row(self) -> Step:
        """One thing after another."""
        steps = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            steps.append(self.repeated())
        return _in_a_row(steps)

    def repeated(self) -> Step:
        """One thing, and how often."""
        step = self.one()
        if self.at < len(self.text) and self.text[self.at] in "*+?{":
            least, most = self.how_often()
            step = _rest if step is _any and (least, most) == (0, None) else _repeat(step, least, most)
            self.takes("?")  # as few as can be: of what is reached, that is the same
            if self.at < len(self.text) and self.text[self.at] in "*+?{":
                raise PatternError(f"repeats a repetition at {self.at}")
        return step

    def how_often(self) -> tuple[int, int | None]:
        """``*``, ``+``, ``?`` or ``{2,3}``."""
        mark = self.next()
        if mark != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
        close = self.text.find("}", self.at)
        least, comma, most = self.text[self.at : close].partition(",")
        if close < 0 or not (least.isdecimal() and (most.isdecimal() or not most)):
            raise PatternError(f"has a {{ at {self.at - 1} that is no number of repetitions")
        self.at = close + 1
        return int(least), (int(most) if most else None) if comma else int(least)

    def one(self) -> Step:
        """Characters, a class, a place or a group."""
        if found := _WORD.match(self.text, self.at):
            self.at = found.end()
            word = _ESCAPED.sub(r"\1", found.group())
            if not self.depth:
                self.words.append(word)
            return _word(word)
        c = self.next()
        if c == "(":
            return self.group()
        if c == "[":
            return _char(self.bracket())
        if c == ".":
            return _any
        if c == "^":
            return lambda t, at: at & 1
        if c == "$":
            return lambda t, at: at & 1 << t.end
        if c in "*+?{":
            raise PatternError(f"has nothing to repeat at {self.at - 1}")
        if c == "\\":
            known = self.escaped()
            return _char(known) if callable(known) else _word(known)
        return _word(c)

    def group(self) -> Step:
        """What stands in parentheses: a group, or what must or must not follow."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternError(f"has groups deeper than {DEEPEST}")
        ahead = None
        if self.takes("?"):
            kind = self.next()
            if kind not in ":=!":
                raise PatternError(f"has a (?{kind} at {self.at - 3}, which is not read here")
            ahead = None if kind == ":" else kind == "="
        inner = self.either()
        if not self.takes(")"):
            raise PatternError("has an unclosed (")
        self.depth -= 1
        return inner if ahead is None else _ahead(inner, ahead)

    def escaped(self) -> str | Callable[[str], bool]:
        """What follows a backslash: a class, or a sign that stands for itself."""
        c = self.next()
        if c in _CLASSES:
            return _CLASSES[c]
        if c.isalnum():
            raise PatternError(f"has a \\{c} at {self.at - 2}, which is not read here")
        return c

    def bracket(self) -> Callable[[str], bool]:
        """``[a-z_]`` or ``[^.]``."""
        other = self.takes("^")
        tests: list[Callable[[str], bool]] = []
        signs: set[str] = set()
        while not self.takes("]") or not (tests or signs):
            if self.text[self.at - 1 : self.at] == "]" and not (tests or signs):
                low: str | Callable[[str], bool] = "]"  # the first of all is the sign itself
            else:
                c = self.next()
                low = self.escaped() if c == "\\" else c
            if callable(low):
                tests.append(low)
            elif self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 : self.at + 2] not in (
                "",
                "]",
            ):
                self.at += 1
                c = self.next()
                high = self.escaped() if c == "\\" else c
                if callable(high) or high < low:
                    raise PatternError(f"has a range at {self.at} that is none")
                tests.append(lambda c, low=low, high=high: low <= c <= high)  # type: ignore[misc]
            else:
                signs.add(low)
        return lambda c: (c in signs or any(test(c) for test in tests)) != other

    def takes(self, mark: str) -> bool:
        """Whether a mark comes next, which is then passed."""
        found = self.text[self.at : self.at + 1] == mark
        self.at += found
        return found

    def next(self) -> str:
        """The next character."""
        if self.at >= len(self.text):
            raise PatternError("ends too early")
        self.at += 1
        return self.text[self.at - 1]


# ------------------------------------------------------------------ steps


def _word(word: str) -> Step:
    def step(t: _Text, at: int) -> int:
        starts, place = 0, t.name.find(word, (at & -at).bit_length() - 1) if at else -1
        while place >= 0:
            starts |= 1 << place
            place = t.name.find(word, place + 1)
        t.budget.spend(starts.bit_count())
        return (at & starts) << len(word)

    return step


def _any(t: _Text, at: int) -> int:
    return (at & ~(1 << t.end)) << 1


def _rest(t: _Text, at: int) -> int:
    """``.*``: each place from the first on."""
    return ((2 << t.end) - 1) & -(at & -at) if at else 0


def _char(fits: Callable[[str], bool]) -> Step:
    def step(t: _Text, at: int) -> int:
        t.budget.spend(len(t.where))
        reached = 0
        for c, places in t.where.items():
            if at & places and fits(c):
                reached |= at & places
        return reached << 1

    return step


def _in_a_row(steps: list[Step]) -> Step:
    def step(t: _Text, at: int) -> int:
        t.budget.spend(len(steps))
        for one in steps:
            at = one(t, at)
            if not at:
                break
        return at

    return step


def _any_of(choices: list[Step]) -> Step:
    def step(t: _Text, at: int) -> int:
        t.budget.spend(len(choices))
        reached = 0
        for one in choices:
            reached |= one(t, at)
        return reached

    return step


def _repeat(one: Step, least: int, most: int | None) -> Step:
    def step(t: _Text, at: int) -> int:
        for _ in range(least):
            t.budget.spend()
            at = one(t, at)
            if not at:
                return 0
        new, times = at, least
        while new and (most is None or times < most):
            t.budget.spend()
            new = one(t, new) & ~at
            at |= new
            times += 1
        return at

    return step


def _ahead(inner: Step, wanted: bool) -> Step:
    def step(t: _Text, at: int) -> int:
        reached = 0
        while at:
            place = at & -at
            at ^= place
            t.budget.spend()
            if bool(inner(t, place)) == wanted:
                reached |= place
        return reached

    return step
