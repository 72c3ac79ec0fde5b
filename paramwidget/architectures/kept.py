"""The modules that a quantization leaves as they are, by the names and patterns of its config."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import shown
from ..tensors import TensorSpec
from .patterns import Budget, Pattern, PatternError

#: the keys under which methods list such modules; the first that has any is read
KEYS = ("modules_to_not_convert", "ignored_layers", "ignore", "llm_int8_skip_modules")
#: the number of a layer in a name: the first that is a part of its own, unless it is an expert's
_LAYER = re.compile(r"(?<!experts\.)(?<![^.])\d+(?![^.])")
#: what a pattern needs to tell one layer from another
NUMBER = re.compile(r"\d|\\[dDwW]")


class NotPredicted(Exception):
    """Why a config does not say how files store its weights: the rest of a sentence, with the key in it."""


class Kept:
    """What a config lists as not converted.

    >>> kept = Kept({"ignore": ["lm_head", "model.layers.0.mlp", "re:.*q_proj$"]}, Budget())
    >>> t = TensorSpec("model.layers.{layer}.mlp.up_proj.weight", (4, 4), "mlp", layers=(0, 1), copies=2)
    >>> kept.layers_of(t)
    {0}
    """

    def __init__(self, quantization: Mapping[str, Any], budget: Budget) -> None:
        self.key = next((key for key in KEYS if quantization.get(key)), "")
        self._budget = budget
        self._names: dict[str, set[int] | None] = {}
        self._patterns: dict[str, tuple[Pattern, bool]] = {}  # each, and whether it may tell layers apart
        names = quantization.get(self.key)
        for name in names if isinstance(names, list | tuple) else ():
            if isinstance(name, str):
                self._take(name)
        # whole words of a dotted name, with * for anything: the pieces between the stars follow each other in it
        self._globs = {name: f".{name}.".split("*") for name in self._names if "*" in name}
        # the first word of each name, and how many words the longest name has that begins with it
        self._words: dict[str, int] = {}
        for name in self._names.keys() - self._globs.keys():
            first, *more = name.split(".")
            self._words[first] = max(self._words.get(first, 0), 1 + len(more))
        self._has_zero = any("0" in name for name in self._names)

    def _take(self, name: str) -> None:
        if name.startswith("re:"):
            self._patterns[name] = read_pattern(name[3:], self.key), bool(NUMBER.search(name))
            return
        layer = _LAYER.search(name)
        if layer is None:
            self._names[name] = None
            return
        self._names.setdefault(name, set())  # a number that is none of a layer's stands for itself
        each = self._names.setdefault(f"{name[: layer.start()]}{{layer}}{name[layer.end() :]}", set())
        if each is not None:
            each.add(int(layer.group()))

    def layers_of(self, t: TensorSpec) -> set[int] | None:
        """The layers in which a tensor is kept: none, some, or (None) it is kept wherever it is."""
        found: set[int] = set()
        if not (self._names or self._patterns):
            return found
        # what has no 0 in it fits the first of all siblings only where it fits the name of all
        names = (t.name, numbered(t.name, 0)) if self._has_zero else (t.name,)
        for name in self._listed(names):
            layers = self._names[name]
            if layers is None:
                return None
            found |= layers
        module = t.name.removesuffix(".weight")
        first = numbered(module, 0)
        for pattern, is_numbered in self._patterns.values():
            if t.layers and is_numbered:
                found |= {i for i in t.layers if pattern.match(numbered(module, i), self._budget)}
            elif pattern.match(first, self._budget):
                return None
        return found & set(t.layers)

    def _listed(self, names: Sequence[str]) -> Iterator[str]:
        """What the config lists of a tensor that has these names: their words, or with stars."""
        for name in names:
            for run in _runs(name, self._words):
                if run in self._names:
                    yield run
        for glob, pieces in self._globs.items():
            self._budget.spend(len(pieces))
            if any(_in_turn(pieces, f".{name}.") for name in names):
                yield glob


def read_pattern(text: str, key: str) -> Pattern:
    """A pattern of a config. Raises NotPredicted for one that is none."""
    try:
        return Pattern(text)
    except PatternError as error:
        raise NotPredicted(f"the pattern {shown(text)} in quantization_config.{key} {error}") from error


def numbered(name: str, layer: int) -> str:
    """A template as the name of one tensor of the files: in that layer, of the first expert."""
    return name.replace("{layer}", str(layer)).replace("{expert}", "0")


def _runs(name: str, words: Mapping[str, int]) -> Iterator[str]:
    """The parts of a dotted name that a list may name: ``mlp`` and ``mlp.gate`` of ``layers.0.mlp.gate.weight``.

    words  the words with which they begin, and of how many words they are at most
    """
    parts = name.split(".")
    for i, part in enumerate(parts):
        if part in words:
            for j in range(i + 1, min(i + words[part], len(parts)) + 1):
                yield ".".join(parts[i:j])


def _in_turn(pieces: Iterable[str], name: str) -> bool:
    """Whether a name has these pieces, one behind the other: each is taken where it comes first."""
    at = 0
    for piece in pieces:
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def split(t: TensorSpec, kept: Kept) -> Iterator[tuple[TensorSpec, bool]]:
    """A tensor in the layers that are converted, and in those that are kept as they are."""
    layers = kept.layers_of(t)
    if layers is None or not layers or len(layers) == len(t.layers):
        yield t, layers is None or bool(layers)
        return
    for own, is_kept in ((layers, True), (set(t.layers) - layers, False)):
        part, of = len(own), len(t.layers)
        yield (
            replace(
                t,
                layers=tuple(sorted(own)),
                copies=t.copies * part // of,
                active_copies=t.active_copies * part // of,
                active_low=t.active_low * part // of,
            ),
            is_kept,
        )
