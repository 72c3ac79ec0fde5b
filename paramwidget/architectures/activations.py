"""Activations that have parameters, which the text of a config makes part of every layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ConfigError

#: name -> the types that describe what it adds
LEARNED: dict[str, tuple[str, ...]] = {"prelu": (), "xielu": ("apertus", "apertus1p5_text")}


def refuse_learned(data: Mapping[str, Any], model_type: str, where: str, path: str = "") -> None:
    """Refuse a config that asks for an activation with parameters where the type does not describe them.

    transformers 5.24 builds ``xielu`` with two parameters and two buffers, ``prelu`` with one parameter, wherever an
    activation is named; only Apertus was published with one.
    """
    for key, value in data.items():
        if isinstance(value, str):
            if value in LEARNED and "act" in key and model_type not in LEARNED[value]:
                raise ConfigError(
                    f"{where}: {path}{key} = {value!r} is an activation with parameters of its own, which "
                    f"model_type {model_type!r} is not described with. Give an activation without parameters.",
                    key=path + key,
                    value=value,
                )
        elif isinstance(value, Mapping):
            inner = value.get("model_type")
            refuse_learned(value, inner if isinstance(inner, str) else "", where, f"{path}{key}.")
