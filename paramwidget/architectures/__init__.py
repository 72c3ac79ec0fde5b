"""From a config to its architecture: which row of the table describes it, and which class it is of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..config_names import is_params_json
from ..errors import ConfigError, UnknownArchitecture, nearest_names, or_list, shown
from .blocks.heads import ENDINGS
from .table import TABLE, Entry

__all__ = ["TABLE", "Entry", "known", "resolve"]


def known() -> list[str]:
    """The model types that are described here."""
    return sorted(TABLE)


def resolve(data: Mapping[str, Any], where: str) -> tuple[str, str, str, Entry]:
    """The model_type of a config, its class, the head of that class, and its row of the table.

    Without ``model_type`` the type follows from the class in ``architectures``; without a class, it is the causal one.
    Where the two disagree and the class is one of another known type, the class decides: it is what is built.
    Raises UnknownArchitecture for a type or class that is not known, ConfigError where the config names neither.
    """
    model_type, cls = data.get("model_type"), _class_of(data, where)
    if not model_type and not cls and is_params_json(data):
        model_type = _type_of_params(data, where)
    if model_type is not None and not isinstance(model_type, str):
        raise ConfigError(
            f"{where}: model_type = {shown(model_type)} must be a string.", key="model_type", value=model_type
        )
    if not model_type and not cls:
        raise ConfigError(
            f"{where}: neither model_type nor architectures is given, so nothing says what the numbers mean. "
            f'Add one of them, for example "architectures": ["LlamaForCausalLM"].',
            key="model_type",
        )
    if not model_type:
        model_type = next((t for t, e in TABLE.items() if cls in e.classes), None)
        model_type = model_type or next((t for t, e in TABLE.items() if e.ending(cls)), None)
        if model_type is None:
            raise _unknown_class(cls, where)
    elif model_type not in TABLE:
        raise _unknown_type(model_type, where)
    text = TABLE.get(f"{model_type}_text")
    bare = "num_hidden_layers" in data and data.get("text_config") is data.get("vision_config") is None
    if text and bare and (not cls or text.ending(cls)):
        model_type += "_text"  # a text config under the name of the whole
    entry = TABLE[model_type]
    cls = cls or entry.classes[0]
    ending = entry.ending(cls)
    if ending is None and (named := next((t for t, e in TABLE.items() if cls in e.classes), None)):
        model_type, entry = named, TABLE[named]  # the class says what the tensors are
        ending = entry.ending(cls)
    if ending is None:
        raise UnknownArchitecture(
            f"{where}: architectures names {shown(cls)}, which is not a class of model_type {shown(model_type)} "
            f"that is described here (known: {or_list(entry.classes)}). Its tensors may differ, so nothing is guessed. "
            f"If the class only changes behaviour, not tensors, give one of the known names.",
            name=cls,
            nearest=nearest_names(cls, entry.classes, 3),
        )
    return model_type, cls, ENDINGS[ending], entry


def _type_of_params(data: Mapping[str, Any], where: str) -> str:
    """What a params.json is of, which names no type: Mistral, whose tensors are Llama's too, or Mixtral.

    Refused where it holds what neither has (a tower, latent attention), or leaves the width of the MLP to a rule
    (Meta's ``ffn_dim_multiplier``).
    """
    if data.get("hidden_dim") is None:
        raise ConfigError(
            f"{where}: hidden_dim is missing in a params.json that names no model_type. Count the config.json of the "
            f"same repository.",
            key="hidden_dim",
        )
    for key in ("q_lora_rank", "kv_lora_rank", "vision_encoder", "multimodal"):
        if data.get(key) is not None:
            raise ConfigError(
                f"{where}: {key} = {shown(data[key])} in a params.json is more than a decoder of Mistral or Mixtral, "
                f"and the file names no model_type. Count the config.json of the same repository.",
                key=key,
                value=data[key],
            )
    return "mixtral" if data.get("moe") is not None else "mistral"


def _class_of(data: Mapping[str, Any], where: str) -> str:
    names = data.get("architectures")
    if names is None or names == [] or names == ():
        return ""
    if not isinstance(names, list | tuple) or not isinstance(names[0], str):
        raise ConfigError(
            f"{where}: architectures = {shown(names)} must be a list with one class name.",
            key="architectures",
            value=names,
        )
    return names[0]


def _unknown_type(model_type: str, where: str) -> UnknownArchitecture:
    near = nearest_names(model_type, TABLE)
    hint = f"The nearest known: {', '.join(near)}. " if near else ""
    return UnknownArchitecture(
        f"{where}: model_type {shown(model_type)} is not described here. {hint}{len(TABLE)} types are: "
        f"paramwidget.architectures.known() lists them. "
        f"If its tensors are those of a known type, count the config with that model_type and its class; "
        f"else add it as CONTRIBUTING.md shows.",
        name=model_type,
        nearest=near,
    )


def _unknown_class(cls: str, where: str) -> UnknownArchitecture:
    near = nearest_names(cls, [name for e in TABLE.values() for name in e.classes])
    hint = f"The nearest known: {', '.join(near)}. " if near else ""
    return UnknownArchitecture(
        f"{where}: there is no model_type, and the class {shown(cls)} in architectures is not described here. {hint}"
        f"Add the model_type of a known architecture; paramwidget.architectures.known() lists them.",
        name=cls,
        nearest=near,
    )
