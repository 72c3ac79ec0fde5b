"""Configs that are already in memory: dicts and transformers configs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..breakdown import Provenance
from ..errors import ConfigError, ParamWidgetError, SourceError, shown
from .opened import Opened


def from_mapping(data: Mapping[str, Any], label: str = "config") -> Opened:
    """A config.json as a dict."""
    return Opened(data, _name(data) or label, "the config", Provenance("dict"))


def from_object(source: Any) -> Opened:
    """A transformers config, or whatever else has a ``to_dict()``."""
    name = type(source).__name__
    try:
        data = source.to_dict() if callable(getattr(source, "to_dict", None)) else None
    except ParamWidgetError:
        raise
    except Exception as e:  # to_dict runs whatever code the object has
        raise SourceError(
            f"The config of the {name} cannot be read: it fails with {type(e).__name__}: {e!s:.200}. "
            f"Give its config as a dict."
        ) from None
    if isinstance(data, Mapping):
        return Opened(data, _name(data) or name, name, Provenance("dict", note=f"Read from a {name}."))
    if isinstance(source, list | tuple | set | bytes | int | float | bool) or source is None:
        raise ConfigError(
            f"A {name} is not a config: a config.json is one JSON object. "
            f"Give a dict, a repository id, or the path of a folder or a config.json.",
            value=source,
        )
    raise SourceError(
        f"A {name} does not say which model it is. Give a repository id, a path, a config as a dict or an object "
        f"with to_dict(), or a live module."
    )


def parse(text: str | bytes, where: str) -> Mapping[str, Any]:
    """The JSON object in a config.json; anything else is a ConfigError that says where."""
    try:
        data = json.loads(text, object_pairs_hook=_each_key_once)
    except UnicodeDecodeError as e:
        raise ConfigError(f"{where} is not UTF-8 text: {e.reason} at byte {e.start}.") from None
    except json.JSONDecodeError as e:
        raise ConfigError(f"{where} is not JSON: {e.msg} at line {e.lineno}, column {e.colno}.") from None
    except RecursionError:
        raise ConfigError(f"{where} cannot be read as JSON: it is nested too deep.") from None
    except ValueError as e:
        raise ConfigError(f"{where} cannot be read as JSON: {e}.") from None
    if not isinstance(data, dict):
        raise ConfigError(
            f"{where} holds a JSON {_json_type(data)}, not an object. A config.json is one object of fields.",
            value=data,
        )
    return data


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless it names a key twice with different values: which one is meant cannot be known."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise ValueError(f"{shown(key)} is given twice, as {shown(found[key])} and as {shown(value)}")
        found[key] = value
    return found


def _name(data: Mapping[str, Any]) -> str:
    name = data.get("_name_or_path")
    return name if isinstance(name, str) else ""


def _json_type(data: object) -> str:
    return {list: "list", str: "string", bool: "boolean", type(None): "null"}.get(type(data), "number")
