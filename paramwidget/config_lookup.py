"""What a key of a config.json stands for: what the file gives, else a declared default, the class's, or a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .config_names import (
    ALIASES,
    ALWAYS_GIVEN,
    NAMES,
    PARAMS_JSON_SPELLINGS,
    SPELLINGS,
    is_params_json,
)
from .errors import ConfigError, nearest_names, shown


class Lookup:
    """The values of a config by their keys, in whatever spelling the file has.

    A key that the file leaves out takes what the architecture declares, else the default of its config class, else a
    rule (RULES); what was taken is listed in ``defaulted``. A null asks for the rule. Without any of them it is a
    ConfigError: never a guess. The sizes that make a model what it is (ALWAYS_GIVEN) may be left out only where the
    config is its difference from the class: nested configs are, and a whole file in the short form.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        declared: Mapping[str, Any] | None = None,
        where: str = "the config",
        *,
        class_defaults: Mapping[str, Any] | None = None,
        path: str = "",
        defaulted: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self._spellings = PARAMS_JSON_SPELLINGS if is_params_json(data) else SPELLINGS
        self.where = where
        self.path = path
        self.model_type = ""
        self.architecture = ""  # the class, as the config names it or as it follows from the type
        self.head = "none"  # what the class puts on top (architectures/blocks/heads.py)
        self.defaulted: dict[str, Any] = {} if defaulted is None else defaulted
        self._declared = declared or {}
        self._class_defaults = class_defaults or {}
        self._whole: Lookup | None = None  # what this is one layer's view of

    def get(self, key: str, fallback: Any = None) -> Any:
        """The value of a field, whatever it is; null and a key that nobody gives are the fallback."""
        found = self._find(key)
        if found is None and not self._is_null(key):
            found = key, self._default(key)
        return fallback if found is None or found[1] is None else found[1]

    def has(self, key: str) -> bool:
        """Whether the field has a value that is not null, given or by default."""
        return self.get(key) is not None

    def undecided(self, key: str) -> bool:
        """Whether no one says a value, the config class included: it declares null itself (DeepSeek-V2's top-k).

        A null written over a class that has a value is not that, but an error where a number is read.
        """
        names = self._names(key)
        says = [self._class_defaults[n] for n in names if n in self._class_defaults]
        return bool(says) and says[0] is None and key not in self._declared and self._find(key) is None

    @property
    def is_bare(self) -> bool:
        """Whether a config only names its type, so that all else is as the class has it."""
        return "model_type" in self.data and all(v is None or k in NAMES for k, v in self.data.items())

    def error(self, key: str, value: object, what: str) -> ConfigError:
        """A ConfigError about one key of this config."""
        given = "null" if value is None else shown(value)
        return ConfigError(
            f"{self.where}: {self.path}{key} = {given} {what}.", key=self.path + key, value=value
        )

    def missing(self, key: str) -> ConfigError:
        """A ConfigError about a key that is not there, or null."""
        names = self._names(key)
        null = next((n for n in names if n in self.data), None)
        if null:
            return ConfigError(
                f"{self.where}: {self.path}{null} is null, and this architecture declares no default for it. "
                f"Give it a value.",
                key=self.path + null,
            )
        also = f" (or {', '.join(names[1:])})" if names[1:] else ""
        near = nearest_names(key, (k for k in self.data if isinstance(k, str)), 1)
        hint = f" The nearest key it has is {shown(near[0])}." if near else ""
        return ConfigError(
            f"{self.where}: {self.path}{key} is missing{also}, and this architecture declares no default for it.{hint}"
            f" Add the key to the config.",
            key=self.path + key,
        )

    # ---------------------------------------------------------------- inside

    def _names(self, key: str) -> tuple[str, ...]:
        """The spellings of a field."""
        return self._spellings.get(key) or (key,)

    def _find(self, key: str) -> tuple[str, Any] | None:
        """The spelling that the config uses, and its value, unless that is null."""
        for name in self._names(key):
            value = self.data.get(name)
            if value is not None:
                return name, value
        return None

    def _is_null(self, key: str) -> bool:
        """Whether the config has the key and says null: that is not the same as leaving it out."""
        return any(name in self.data for name in self._names(key))

    @property
    def _is_short(self) -> bool:
        """Whether a whole config is written as its difference from its class, so that a size left out is the class's.

        Such a file names its type, and none of its keys has the value that the class has. One that gives sizes must
        also have been saved by transformers, with a version in it: in what is written by hand, a size that is missing
        was forgotten.
        """
        if self._whole is not None:
            return self._whole._is_short
        if "model_type" not in self.data or any(self.data.get(k) == v for k, v in self._written_in_full()):
            return False
        sizes = {name for key in ALWAYS_GIVEN for name in (key, *ALIASES.get(key, ()))}
        return "transformers_version" in self.data or not sizes & self.data.keys()

    def _written_in_full(self) -> Iterator[tuple[str, Any]]:
        """Keys at the class's defaults, which only a file written in full repeats; any file may say what is tied."""
        yield from {"use_cache": True, "initializer_range": 0.02}.items()  # so in nearly every class
        yield from (
            (k, v) for k, v in self._class_defaults.items() if v is not None and k != "tie_word_embeddings"
        )

    def _default(self, key: str) -> Any:
        """What a key that the file leaves out stands for; None where nobody says, or where the class says null."""
        value = self._declared.get(key)
        if callable(value):
            value = value(self)
        if value is None and (self.path or key not in ALWAYS_GIVEN or self._is_short):
            names = self._names(key)
            value = next((self._class_defaults[n] for n in names if n in self._class_defaults), None)
        if value is not None:
            self.defaulted[self.path + key] = value
        return value

    def _value(self, key: str) -> tuple[str, Any]:
        """The spelling and the value of a field: given, by default, or by rule."""
        found = self._find(key)
        if found is not None:
            return found
        value = None if self._is_null(key) else self._default(key)
        if value is None:
            rule = self._declared.get(key) or RULES.get(key)
            if not callable(rule):
                raise self.missing(key)
            value = rule(self)
            if value is None:
                raise self.missing(key)
            self.defaulted[self.path + key] = value
        return key, value


#: what config classes compute for a field that is null or left out, whatever the family
RULES: dict[str, Callable[[Any], Any]] = {
    "num_key_value_heads": lambda c: c.num_attention_heads,
    "head_dim": lambda c: c.divide("hidden_size", "num_attention_heads"),
    "num_decoder_layers": lambda c: c.num_hidden_layers,
    "num_labels": lambda c: 2,
}
