"""GLM-5-Next: Kimi's delta attention and latent attention under streams that are mixed, with a tower."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, dense_or_moe, kimi_delta, mla, moe_from
from .blocks.heads import stem
from .blocks.seeing_qwen import glm_ocr_vision
from .deepseek import deepseek_experts, indexed
from .deepseek_v4 import hyper_connection
from .glm_moe import indexer_types
from .nested import text_config, text_model


def glm5_next(c: Config) -> Iterator[Part]:
    """GLM-5-Next: the tower of GLM-OCR before the text model.

    Source: modeling_glm5_next in transformers 5.24.
    Checked: the class's defaults, 313,786,889,214 and 12,096 buffers, residual 0.
    """
    at, vision = stem(c, "model"), c.sub("vision_config")
    yield from glm_ocr_vision(vision, f"{at}visual.", vision.projection_intermediate_size)
    yield from text_model(text_config(c), f"{at}language_model.")


def glm5_next_text(c: Config) -> Iterator[Part]:
    """Its text model: delta attention in three layers of four, latent attention without positions in the others.

    There an indexer chooses among keys that are pooled by ``index_kpool``; every half mixes ``hc_mult`` streams.

    Source: modeling_glm5_next in transformers 5.24.
    Implied: router and its correction bias, the indexer's norm and its pooling, the mixing of streams.
    """
    n = int(c.num_hidden_layers)
    delta = _delta(c)
    full = mla(c, bias=c.flag("attention_bias"))
    at = "self_attn.indexer.index_kpool_compress"
    choosing = indexed(c, full).plus(
        TensorSpec(f"{at}_ape", (c.index_kpool, c.index_head_dim), "attention", implied=True),
        TensorSpec(f"{at}_gate", (c.index_head_dim, c.hidden_size), "attention", implied=True),
    )
    delta, full, choosing = (b.plus(*hyper_connection(c, "attn_hc", ".")) for b in (delta, full, choosing))
    kinds = (
        c.list_of("layer_types", n, ("linear_attention", "indexed_attention", "full_attention"))
        if c.has("layer_types")
        else ["indexed_attention" if (i + 1) % 4 == 0 else "linear_attention" for i in range(n)]
    )
    blocks = [
        delta if kind == "linear_attention" else choosing if chosen == "full" else full
        for kind, chosen in zip(kinds, indexer_types(c), strict=True)
    ]
    moe = deepseek_experts(c, correction=True)
    mlp = dense_or_moe(c, moe_from(c, min(n, 3)), moe)
    streams = hyper_connection(c, "ffn_hc", ".")
    added = {id(b): b.plus(*streams) for b in ([mlp] if isinstance(mlp, Block) else mlp)}
    yield from decoder(
        c, attention=blocks, mlp=[added[id(b)] for b in ([mlp] * n if isinstance(mlp, Block) else mlp)]
    )


def _delta(c: Config) -> Block:
    """Kimi's delta attention, its three convolutions in one tensor and the decay in a module of its own."""
    heads, dim, kernel = c.linear_num_heads, c.linear_head_dim, c.linear_conv_kernel_dim
    block = kimi_delta(c, heads, dim, kernel, rates=(heads,))
    tensors = [t for t in block.tensors if "_conv1d." not in t.name]
    for i, t in enumerate(tensors):
        for name in ("f_a_proj", "f_b_proj", "A_log", "dt_bias"):
            if name in t.name:
                tensors[i] = replace(t, name=t.name.replace("self_attn.", "self_attn.forget_gate."))
    conv = TensorSpec("self_attn.conv1d.weight", (heads * dim * 3, 1, kernel), "linear_attention")
    return Block((*tensors, conv), block.facts)
