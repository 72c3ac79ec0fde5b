"""Ovis 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.heads import stem
from .blocks.towers import GATED, conv, layer, layers, norm, pair, patches, table
from .nested import text_config, text_model


def ovis2(c: Config) -> Iterator[Part]:
    """Ovis 2: a tower that scores visual words, and a table that holds a vector for each of them.

    Source: modeling_ovis2 in transformers 5.24.  Implied: norms without a bias, the head of the tower.
    Checked: the class's defaults, 11,778,684,918, residual 0.
    """
    at, v, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    hidden, stride, inner = v.hidden_size, v.hidden_stride, f"{at}vision_tower.transformer."
    v.divide("hidden_size", "num_attention_heads")
    names = [f"attention.{n}" for n in ("q_proj", "k_proj", "v_proj", "out_proj")]
    mlp = [f"ffn.{n}" for n in GATED]
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("rms_norm1", "rms_norm2"),
        attention=names,
        mlp=mlp,
        without_bias=(*(() if v.flag("qkv_bias") else names), *(() if v.flag("mlp_bias") else mlp)),
        norm_bias=False,
    )
    yield from conv(f"{inner}embeddings.patch_embedding", hidden, v.num_channels, pair(v, "patch_size"))
    yield table(f"{inner}embeddings.position_embedding.weight", patches(v), hidden)
    yield from norm(f"{inner}embeddings.rms_norm", hidden, bias=False)
    yield from layers(one, f"{inner}encoder.layers.", v.num_hidden_layers)
    yield from norm(f"{inner}rms_norm", hidden, bias=False)
    words = v.vocab_size - v.num_visual_indicator_tokens
    yield from linear(f"{at}vision_tower.head_linear", words, hidden * stride * stride, role="vision")
    yield from norm(f"{at}vision_tower.head_norm", words)
    yield table(f"{at}visual_embeddings_table.weight", v.vocab_size, c.hidden_size, role="projector")
    for part in text_model(text, f"{at}language_model."):
        if isinstance(part, TensorSpec) and part.role == "lm_head" and not part.tied_to:
            part = replace(part, shape=(c.vocab_size, c.hidden_size))  # its own count of words
        yield part
