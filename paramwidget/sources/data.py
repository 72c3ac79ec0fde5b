"""Configs that are already in memory: dicts, transformers configs, live models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..breakdown import Provenance
from ..errors import ConfigError, SourceError
from .opened import Opened


def from_mapping(data: Mapping[str, Any], label: str = "config") -> Opened:
    """A config.json as a dict."""
    return Opened(data, _name(data) or label, "the config", Provenance("dict"))


def from_object(source: Any) -> Opened:
    """A transformers config (``to_dict()``) or a live model (its ``config``); torch is never imported here."""
    config: Any = getattr(source, "config", None)
    if callable(getattr(config, "to_dict", None)):
        data = config.to_dict()
        note = "Counted from the config of the live model, not from its tensors."
        return Opened(
            data,
            _name(data) or type(source).__name__,
            f"the config of {type(source).__name__}",
            Provenance("module", note=note),
        )
    if callable(getattr(source, "to_dict", None)):
        data = source.to_dict()
        if isinstance(data, Mapping):
            name = type(source).__name__
            return Opened(data, _name(data) or name, name, Provenance("dict", note=f"Read from a {name}."))
    if isinstance(source, list | tuple | set | bytes | int | float | bool) or source is None:
        raise ConfigError(
            f"A {type(source).__name__} is not a config: a config.json is one JSON object. "
            f"Give a dict, a repository id, or the path of a folder or a config.json.",
            value=source,
        )
    raise SourceError(
        f"A {type(source).__name__} does not say which model it is. Give a repository id, a path, a config as a dict, "
        f"or an object with to_dict() or config.to_dict()."
    )


def parse(text: str | bytes, where: str) -> Mapping[str, Any]:
    """The JSON object in a config.json; anything else is a ConfigError that says where."""
    try:
        data = json.loads(text)
    except UnicodeDecodeError as e:
        raise ConfigError(f"{where} is not UTF-8 text: {e.reason} at byte {e.start}.") from None
    except json.JSONDecodeError as e:
        raise ConfigError(f"{where} is not JSON: {e.msg} at line {e.lineno}, column {e.colno}.") from None
    except (RecursionError, ValueError) as e:
        raise ConfigError(f"{where} cannot be read as JSON: {e}.") from None
    if not isinstance(data, dict):
        raise ConfigError(
            f"{where} holds a JSON {_json_type(data)}, not an object. A config.json is one object of fields.",
            value=data,
        )
    return data


def _name(data: Mapping[str, Any]) -> str:
    name = data.get("_name_or_path")
    return name if isinstance(name, str) else ""


def _json_type(data: object) -> str:
    return {list: "list", str: "string", bool: "boolean", type(None): "null"}.get(type(data), "number")
