"""Configs that several tests count."""

from __future__ import annotations

from typing import Any

from paramwidget.sources import catalog

#: the lesson's twelve numbers of Llama-3.1-8B, with no model_type
TWELVE: dict[str, Any] = {
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "rope_theta": 500000.0,
    "rms_norm_eps": 1e-05,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "architectures": ["LlamaForCausalLM"],
}

#: a Llama small enough to count by hand: 212 parameters
SMALL: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 8,
    "hidden_size": 4,
    "intermediate_size": 6,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
}


def bundled(name: str) -> dict[str, Any]:
    """The config of a bundled model, to be changed at will."""
    config: dict[str, Any] = catalog.read(name)["config"]
    return config
