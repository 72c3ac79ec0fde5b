"""The hyper-parameters of a GGUF file as the config.json that they were made of.

llama.cpp names each after its meaning (``llama.attention.head_count_kv``), and drops what it does not need: whether
there are biases, norms of queries or a head of its own is read off the tensors, which is where llama.cpp finds it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..config import MAX_LAYERS
from ..errors import shown
from ..inventory import Inventory
from .gguf import LeftOut

Config = dict[str, Any]


class NotDescribed(Exception):
    """Why the hyper-parameters give no config; the text goes into a sentence."""


def config_of(inventory: Inventory) -> Config:
    """The config that a GGUF file's hyper-parameters stand for; NotDescribed says why there is none."""
    arch = inventory.metadata.get("general.architecture")
    if not isinstance(arch, str):
        raise NotDescribed("general.architecture is missing")
    from .gguf_families import FAMILIES

    family = FAMILIES.get(arch)
    if family is None:
        raise NotDescribed(
            f"how the hyper-parameters of the architecture {shown(arch)} are to be read is not known here"
        )
    return family(Facts(arch, inventory))


class Facts:
    """What a file says: ``g.number("block_count")`` is ``llama.block_count``; ``g.has("attn_q.bias")``: any layer."""

    def __init__(self, arch: str, inventory: Inventory) -> None:
        self.arch = arch
        self.metadata = inventory.metadata
        self.shapes = {t.name: t.shape for t in inventory.tensors}

    def get(self, key: str, otherwise: Any = None) -> Any:
        return self.metadata.get(f"{self.arch}.{key}", otherwise)

    def number(self, key: str, otherwise: int | None = None) -> int:
        """One number; of a list with one a layer, the one that all layers share."""
        value = self.get(key, otherwise)
        if isinstance(value, list) and value:
            if any(v != value[0] for v in value):
                raise NotDescribed(f"{self.arch}.{key} differs from layer to layer")
            value = value[0]
        if value is None:
            raise NotDescribed(f"{self.arch}.{key} is missing")
        if type(value) is not int:
            raise NotDescribed(f"{self.arch}.{key} = {shown(value)} is no whole number")
        return value

    def maybe(self, key: str) -> int | None:
        """One number, or None where the file does not give it."""
        return None if self.get(key) is None else self.number(key)

    def per_layer(self, key: str) -> list[int]:
        """A number for each layer, be it one for all."""
        value = self.get(key)
        if not isinstance(value, list):
            return [self.number(key)] * self.blocks
        if len(value) != self.blocks or any(type(v) is not int for v in value):
            raise NotDescribed(f"{self.arch}.{key} has no whole number for each of {self.blocks:,} layers")
        return value

    @cached_property
    def blocks(self) -> int:
        """Layers without the ones that predict further tokens, which block_count includes."""
        blocks = self.number("block_count") - self.number("nextn_predict_layers", 0)
        if not 0 < blocks <= MAX_LAYERS:
            raise NotDescribed(f"{self.arch}.block_count stands for {blocks:,} layers")
        return blocks

    @cached_property
    def names(self) -> frozenset[str]:
        """What layers hold, whichever: ``attn_q.bias``."""
        return frozenset(n.split(".", 2)[2] for n in self.shapes if n.startswith("blk.") and n.count(".") > 1)

    def has(self, name: str) -> bool:
        return name in self.names

    def layers_with(self, name: str) -> list[bool]:
        """Of each layer, whether it holds a tensor."""
        return [f"blk.{i}.{name}" in self.shapes for i in range(self.blocks)]

    def width(self, name: str) -> int | None:
        """How many rows a tensor has that any layer holds: what it puts out."""
        found = next(
            (s for n, s in self.shapes.items() if n.startswith("blk.") and n.endswith(f".{name}")), None
        )
        return found[-2] if found and len(found) > 1 else None

    @property
    def vocab(self) -> int | None:
        """Rows of the embedding table; where it is elsewhere, the length of the tokenizer's list."""
        if "token_embd.weight" in self.shapes:
            return self.shapes["token_embd.weight"][0]
        tokens = self.metadata.get("tokenizer.ggml.tokens")
        if isinstance(tokens, LeftOut):
            return tokens.length
        return len(tokens) if isinstance(tokens, list) else self.maybe("vocab_size")


def decoder(g: Facts, model_type: str, cls: str, **more: Any) -> Config:
    """What all decoders share. A file without ``output.weight`` has a tied head: llama.cpp then takes token_embd."""
    heads = g.number("attention.head_count")
    config = {
        "model_type": model_type,
        "architectures": [f"{cls}ForCausalLM"],
        "vocab_size": g.vocab,
        "hidden_size": g.number("embedding_length"),
        "num_hidden_layers": g.blocks,
        "num_attention_heads": heads,
        "head_dim": g.maybe("attention.key_length"),
        "intermediate_size": g.maybe("feed_forward_length"),
        "max_position_embeddings": g.maybe("context_length"),
        "sliding_window": g.maybe("attention.sliding_window"),
        "tie_word_embeddings": "output.weight" not in g.shapes,
        "attention_bias": g.has("attn_q.bias") or g.has("attn_qkv.bias"),
        **more,
    }
    if "num_key_value_heads" not in more:
        config["num_key_value_heads"] = g.number("attention.head_count_kv", heads)
    return {k: v for k, v in config.items() if v is not None}
