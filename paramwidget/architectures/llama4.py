"""Llama 4."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, dense_or_moe, experts, gated_mlp, gqa, shared_expert
from .blocks.seeing_tiles import llama4_vision
from .blocks.towers import maps
from .nested import text_config, text_model


def llama4(c: Config) -> Iterator[Part]:
    """Llama 4 with its tower; the projector is one map without a bias.

    Source: modeling_llama4 in transformers 5.24.
    Checked: meta-llama/Llama-4-Scout-17B-16E stored 108,641,793,536, residual 0.
    """
    vision, text = c.sub("vision_config"), text_config(c, own_tie=True)
    yield from llama4_vision(vision, "vision_model.")
    yield from maps(
        ("multi_modal_projector.linear_1", text.hidden_size, vision.vision_output_dim), bias=False
    )
    yield from text_model(text, "language_model.model.", "language_model.")


def llama4_text(c: Config) -> Iterator[Part]:
    """Llama 4's text model: experts in every ``interleave_moe_layer_step``-th layer, a wider dense MLP in the others.

    A token uses one routed expert and the shared one. Three layers in four attend within a chunk. The norm of
    queries and keys has no weight.

    Source: modeling_llama4 in transformers 5.24.  Implied: router, shared expert.
    Checked: meta-llama/Llama-4-Maverick-17B-128E-Instruct: text 400,711,848,960.
    """
    moe = experts(
        c,
        count=c.num_local_experts,
        width=c.intermediate_size,
        path="feed_forward",
        router="router",
        stacked=True,
        transposed=True,
        shared=shared_expert(c, c.intermediate_size, path="feed_forward.shared_expert"),
    )
    dense = gated_mlp(c, c.intermediate_size_mlp, path="feed_forward")
    yield from decoder(c, attention=_chunks(c), mlp=dense_or_moe(c, _moe_layers(c), moe, dense))


def _moe_layers(c: Config) -> range | list[int]:
    n = int(c.num_hidden_layers)
    named = c.get("moe_layers")
    if named is not None:
        return c.layers_in("moe_layers", named, n)
    step = int(c.interleave_moe_layer_step)
    return range(step - 1, n, step)


def _chunks(c: Config) -> Block | list[Block]:
    """Full attention where ``no_rope_layers`` has a 0, by default in every fourth layer; a chunk in the others."""
    full = gqa(c, bias=c.flag("attention_bias"))
    chunk = c.get("attention_chunk_size")
    n = int(c.num_hidden_layers)
    if chunk is None:
        return full
    chunked = full.with_facts(mixer="chunked", window=chunk)
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, ("full_attention", "chunked_attention"))
        return [chunked if kind == "chunked_attention" else full for kind in kinds]
    rope = c.list_of("no_rope_layers", n) if c.get("no_rope_layers") else None
    every = int(c.natural("no_rope_layer_interval")) if c.has("no_rope_layer_interval") else 4
    return [chunked if (rope[i] if rope else (i + 1) % every) else full for i in range(n)]
