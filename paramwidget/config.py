"""Reading a config.json: numbers, switches and lists with their bounds checked, and the configs nested in it.

A key that is neither in the config nor declared by the architecture is an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .class_defaults import class_defaults
from .config_lookup import Lookup
from .config_names import LAYER_COUNTS
from .dim import Dim
from .errors import shown

MAX_LAYERS = 100_000
MAX_INT = 2**53 - 1


class Config(Lookup):
    """A config as its architecture reads it.

    ``c.hidden_size`` is a dimension: a whole number of at least 1, as a Dim that remembers its key.
    ``c.natural(key)`` also takes 0, ``c.flag(key)`` is true or false, ``c.list_of(key, n)`` has an entry a layer,
    ``c.get(key)`` is any value.
    """

    def __getattr__(self, key: str) -> Dim:
        if key.startswith("_"):
            raise AttributeError(key)
        found = self.__dict__[key] = self._int(key, least=1)  # asked once: then it is an attribute
        return found

    def natural(self, key: str) -> Dim:
        """A count that may be 0."""
        return self._int(key, least=0)

    def flag(self, key: str, *, otherwise: bool | None = None) -> bool:
        """A field that is true or false; with ``otherwise``, a key that the file does not give (or null) is that.

        A null without a rule is false, as it is to the modelling code.
        """
        if self._find(key) is None:
            if otherwise is not None:
                return otherwise
            if self._is_null(key) and not callable(self._declared.get(key)):
                return False
        name, value = self._value(key)
        if not isinstance(value, bool):
            raise self.error(name, value, "must be true or false")
        return value

    def list_of(self, key: str, length: int, allowed: Sequence[str] | None = None) -> list[Any]:
        """A list with one entry a layer, its length and its words checked."""
        key, value = self._value(key)
        if not isinstance(value, list | tuple):
            raise self.error(key, value, "must be a list with one entry a layer")
        if len(value) != length:
            what = f"has {len(value)} entries; it must have one for each of the {length} layers"
            raise self.error(key, value, what)
        for i, entry in enumerate(value):
            if allowed is not None and entry not in allowed:
                raise self.error(f"{key}[{i}]", entry, f"is none of {', '.join(allowed)}")
        return list(value)

    def layers_in(self, key: str, value: Any, length: int) -> list[int]:
        """A list of layer indices; those of no layer are left out, as a class leaves them that asks of each layer."""
        if not isinstance(value, list | tuple):
            raise self.error(key, value, "must be a list of layer indices")
        for i in value:
            if type(i) is not int or i < 0:
                raise self.error(key, i, "is no index of a layer")
        return sorted({i for i in value if i < length})

    def counts_of(self, key: str, length: int) -> list[Dim]:
        """A list with one count of at least 1 a layer."""
        counts = self.list_of(key, length)
        for i, value in enumerate(counts):
            if type(value) is not int or not 1 <= value <= MAX_INT:
                raise self.error(f"{key}[{i}]", value, "must be a whole number of at least 1")
        return [Dim.field(f"{key}[{i}]", value) for i, value in enumerate(counts)]

    def per_layer(self, key: str, length: int, least: int = 1) -> list[Dim]:
        """A size that is one number for all layers, or a list with one for each."""
        name, value = self._value(key)
        if not isinstance(value, list | tuple):
            return [self._int(key, least)] * length
        for i, entry in enumerate(self.list_of(key, length)):
            if type(entry) is not int or not least <= entry <= MAX_INT:
                raise self.error(f"{name}[{i}]", entry, f"must be a whole number of at least {least}")
        known = {entry: Dim.field(name, entry) for entry in value}
        return [known[entry] for entry in value]

    def divide(self, key: str, by: str) -> Dim:
        """One field divided by another, which must leave no rest."""
        a: Dim = getattr(self, key)
        b: Dim = getattr(self, by)
        if a % b:
            raise self.error(key, int(a), f"is not a multiple of {self.path}{by} = {int(b)}")
        return a // b

    def scaled(self, key: str, by: int) -> Dim:
        """``by`` times a field that may be a fraction, rounded down as the modelling code's ``int(...)`` does.

        The product is one of floats there too, so that 0.29 × 100 is 28 here as it is in the model.
        """
        name, value = self._value(key)
        if type(value) not in (int, float) or not 0 < value < MAX_LAYERS:
            raise self.error(name, value, "must be a number above 0")
        return Dim.field(f"⌊{getattr(by, 'symbols', by)} × {name}⌋", int(by * value))

    def _int(self, key: str, least: int) -> Dim:
        name, value = self._value(key)
        for other in self._names(key):
            again = self.data.get(other)
            if other != name and again is not None and again != value:
                raise self.error(
                    other, again, f"contradicts {self.path}{name} = {shown(value)}: two names of one field"
                )
        if isinstance(
            value, Dim
        ):  # a rule such as head_dim = hidden_size ÷ num_attention_heads keeps its formula
            return value
        if type(value) is not int:
            raise self.error(name, value, "must be a whole number")
        if value < least:
            raise self.error(name, value, f"must be at least {least}")
        if value > MAX_INT:
            raise self.error(name, value, "is larger than 2^53 − 1, which no model reaches")
        if key in LAYER_COUNTS and value > MAX_LAYERS:
            raise self.error(name, value, f"is more than {MAX_LAYERS:,} layers")
        return Dim.field(name, value)

    # ---------------------------------------------------------------- configs in it

    def sub(
        self,
        key: str,
        model_type: str = "",
        also: tuple[str, ...] = (),
        declared: Mapping[str, Any] | None = None,
    ) -> Config:
        """A nested config: ``vision_config``; ``model_type`` is what it is where neither it nor the class says so.

        One that the file leaves out, or gives as null, is the default of the class around it, where that class has
        one; a few classes also take from there what a given one leaves out (``merged``). Keys in ``also`` are those of
        the whole: whether matrices are tied is declared outside. ``declared`` is what its own architecture declares;
        else the same as here.
        """
        kind = self.kind_of(key, model_type)
        value = self.data.get(key)
        if value is None and key == "text_config" and not self.is_bare:  # it holds the sizes
            raise self.missing(key)
        spec = self._nested(key)
        if value is None:
            left_out = spec["left_out"] if spec and not spec["optional"] else self._declared.get(key)
            if isinstance(left_out, Mapping):
                self.defaulted[self.path + key] = value = {**left_out, "model_type": kind}
        if not isinstance(value, Mapping):
            raise self.error(key, value, "must be an object")
        null = {k for k in also if self._is_null(k) and not self.undecided(k)}
        outer = {k: self.get(k) for k in also if k in null or self.has(k)}
        merged = spec["left_out"] if spec.get("merged") else {}
        c = Config(
            {**value, **outer},
            self._declared if declared is None else declared,
            self.where,
            class_defaults={**(class_defaults(kind) or class_defaults(model_type)), **merged},
            path=f"{self.path}{key}.",
            defaulted=self.defaulted,
        )
        c.model_type, c.architecture, c.head = kind, self.architecture, self.head
        return c

    def flat(self, model_type: str, declared: Mapping[str, Any] | None = None) -> Config:
        """This config read as one of another type: files that are older than the nesting keep its keys at the top."""
        c = Config(
            self.data,
            declared,
            self.where,
            class_defaults={**class_defaults(model_type), **_ties(self._class_defaults)},
            path=self.path,
            defaulted=self.defaulted,
        )
        c.model_type, c.architecture, c.head = model_type, self.architecture, self.head
        return c

    def layer(self, key: str, own: Any) -> Config:
        """This config as one layer sees it: what ``key`` gives the layer of its own goes first."""
        if not isinstance(own, Mapping):
            raise self.error(key, own, "must give each layer an object")
        c = Config(
            {**self.data, **own},
            self._declared,
            self.where,
            class_defaults=self._class_defaults,
            path=self.path,
            defaulted=self.defaulted,
        )
        c._whole = self
        c.model_type, c.architecture, c.head = self.model_type, self.architecture, self.head
        return c

    def kind_of(self, key: str, model_type: str = "") -> str:
        """The model_type of a nested config: its own where the class lets it choose, else the one of the class."""
        value, spec = self.data.get(key), self._nested(key)
        own = value.get("model_type") if isinstance(value, Mapping) else None
        if isinstance(own, str) and own and spec.get("any", True):
            return own
        kind: str = spec.get("model_type") or model_type
        return kind

    def _nested(self, key: str) -> Mapping[str, Any]:
        """What the config class says of a nested config (class_defaults.py)."""
        found: Mapping[str, Any] = self._class_defaults.get("sub_configs", {}).get(key, {})
        return found


def _ties(class_defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Whether a class ties the head, where it says so."""
    tied = class_defaults.get("tie_word_embeddings")
    return {} if tied is None else {"tie_word_embeddings": tied}
