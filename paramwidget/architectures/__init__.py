"""From a config to its tensors: the table of known architectures.

A model_type maps to one function in one family file, imported only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..config import Config
from ..errors import ConfigError, UnknownArchitecture, nearest_names, or_list
from ..layers import LayerRun
from ..tensors import TensorSpec
from .blocks.heads import ENDINGS

TRANSFORMERS = "5.24"


def _kv_heads(c: Config) -> Any:
    return c.num_attention_heads


def _head_dim(c: Config) -> Any:
    return c.divide("hidden_size", "num_attention_heads")


#: what a class's config takes where a file leaves the key out; read from transformers 5.24
_COMMON: dict[str, Any] = {"tie_word_embeddings": False, "num_labels": 2}
_HEADS = {**_COMMON, "num_key_value_heads": _kv_heads, "head_dim": _head_dim}
_LLAMA = {**_HEADS, "attention_bias": False, "mlp_bias": False}
_QWEN = {**_HEADS, "max_window_layers": 28}
_QWEN_MOE = {**_QWEN, "decoder_sparse_step": 1, "qkv_bias": True, "attention_bias": False}
_HYBRID = {**_QWEN_MOE, "head_dim": 256, "full_attention_interval": 4}
_DEEPSEEK = {**_COMMON, "attention_bias": False, "mlp_bias": False, "moe_layer_freq": 1}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table.

    prefix    how the names of its classes begin: ``GptOss`` in ``GptOssForCausalLM``
    where     the family file and its function
    defaults  what a config may leave out; a function of the config is a rule
    """

    prefix: str
    where: str
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Callable[[Config], Iterator[TensorSpec | LayerRun]]:
        module, name = self.where.split(":")
        function: Callable[[Config], Iterator[TensorSpec | LayerRun]] = getattr(
            import_module(f"{__name__}.{module}"), name
        )
        return function


TABLE: dict[str, Entry] = {
    "deepseek_v2": Entry("DeepseekV2", "deepseek:deepseek_v2", {**_DEEPSEEK, "first_k_dense_replace": 0}),
    "deepseek_v3": Entry("DeepseekV3", "deepseek:deepseek_v3", {**_DEEPSEEK, "num_nextn_predict_layers": 0}),
    "gpt2": Entry(
        "GPT2",
        "gpt2:gpt2",
        {**_COMMON, "tie_word_embeddings": True, "intermediate_size": lambda c: 4 * c.hidden_size},
    ),
    "gpt_oss": Entry("GptOss", "gpt_oss:gpt_oss", {**_HEADS, "attention_bias": True, "dtype": "bfloat16"}),
    "llama": Entry("Llama", "llama:llama", _LLAMA),
    "mistral": Entry("Mistral", "llama:mistral", {**_HEADS, "num_key_value_heads": 8}),
    "mixtral": Entry("Mixtral", "mixtral:mixtral", {**_HEADS, "num_key_value_heads": 8}),
    "phi3": Entry("Phi3", "llama:phi3", _HEADS),
    "qwen2": Entry("Qwen2", "llama:qwen2", _QWEN),
    "qwen2_moe": Entry("Qwen2Moe", "qwen_moe:qwen2_moe", _QWEN_MOE),
    "qwen3": Entry("Qwen3", "llama:qwen3", {**_QWEN, "head_dim": 128, "attention_bias": False}),
    "qwen3_5_moe": Entry("Qwen3_5Moe", "qwen_moe:qwen3_5_moe", {**_HYBRID, "mtp_num_hidden_layers": 0}),
    "qwen3_5_moe_text": Entry(
        "Qwen3_5Moe", "qwen_moe:qwen3_5_moe_text", {**_HYBRID, "mtp_num_hidden_layers": 0}
    ),
    "qwen3_moe": Entry("Qwen3Moe", "qwen_moe:qwen3_moe", _QWEN_MOE),
    "qwen3_next": Entry("Qwen3Next", "qwen_moe:qwen3_next", {**_HYBRID, "mtp_num_hidden_layers": 1}),
}


def known() -> list[str]:
    """The model types that are described here."""
    return sorted(TABLE)


def resolve(data: Mapping[str, Any], where: str) -> tuple[str, str, str, Entry]:
    """The model_type of a config, its class, the head of that class, and its row of the table.

    Without ``model_type`` the type follows from the class in ``architectures``; without a class, it is the causal one.
    Raises UnknownArchitecture for a type or class that is not known, ConfigError where the config names neither.
    """
    model_type, cls = data.get("model_type"), _class_of(data, where)
    if model_type is not None and not isinstance(model_type, str):
        raise ConfigError(
            f"{where}: model_type = {model_type!r} must be a string.", key="model_type", value=model_type
        )
    if not model_type and not cls:
        raise ConfigError(
            f"{where}: neither model_type nor architectures is given, so nothing says what the numbers mean. "
            f'Add one of them, for example "architectures": ["LlamaForCausalLM"].',
            key="model_type",
        )
    prefix, ending = _split(cls)
    if not model_type:
        model_type = next((t for t, e in TABLE.items() if e.prefix == prefix), None)
        if model_type is None or not ending:
            raise _unknown_class(cls, where)
    elif model_type not in TABLE:
        raise _unknown_type(model_type, where)
    entry = TABLE[model_type]
    if not cls:
        ending = "ForConditionalGeneration" if "text_config" in data else "ForCausalLM"
        cls = "GPT2LMHeadModel" if model_type == "gpt2" else entry.prefix + ending
    elif not ending or prefix != entry.prefix:
        raise UnknownArchitecture(
            f"{where}: architectures names {cls!r}, which is not a class of model_type {model_type!r} that is "
            f"described here (known: {or_list(entry.prefix + e for e in ENDINGS)}). Its tensors may differ, so nothing "
            f"is guessed. If the class only changes behaviour, not tensors, give one of the known names.",
            name=cls,
            nearest=nearest_names(cls, [entry.prefix + e for e in ENDINGS], 3),
        )
    return model_type, cls, ENDINGS[ending], entry


def _class_of(data: Mapping[str, Any], where: str) -> str:
    names = data.get("architectures")
    if names is None or names == [] or names == ():
        return ""
    if not isinstance(names, list | tuple) or not isinstance(names[0], str):
        raise ConfigError(
            f"{where}: architectures = {names!r} must be a list with one class name.",
            key="architectures",
            value=names,
        )
    return names[0]


def _split(cls: str) -> tuple[str, str]:
    """``LlamaForCausalLM`` as ``("Llama", "ForCausalLM")``; an ending that is not known as ""."""
    for ending in ENDINGS:
        if cls.endswith(ending):
            return cls[: -len(ending)], ending
    return cls, ""


def _unknown_type(model_type: str, where: str) -> UnknownArchitecture:
    near = nearest_names(model_type, TABLE)
    hint = f"The nearest known: {', '.join(near)}. " if near else ""
    return UnknownArchitecture(
        f"{where}: model_type {model_type!r} is not described here. {hint}Known: {', '.join(known())}. "
        f"If its tensors are those of a known type, count the config with that model_type and its class; "
        f"else add it as CONTRIBUTING.md shows.",
        name=model_type,
        nearest=near,
    )


def _unknown_class(cls: str, where: str) -> UnknownArchitecture:
    classes = [e.prefix + ending for e in TABLE.values() for ending in ("ForCausalLM", "Model")]
    near = nearest_names(cls, classes)
    hint = f"The nearest known: {', '.join(near)}. " if near else ""
    return UnknownArchitecture(
        f"{where}: there is no model_type, and the class {cls!r} in architectures is not described here. {hint}"
        f"Add the model_type of a known architecture ({', '.join(known())}).",
        name=cls,
        nearest=near,
    )
