"""Hunyuan 4: latent attention with sinks and a gate, keys that layers choose together, mixed streams; with a tower."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, dense_or_moe, linear, mla, moe_from, vector
from .blocks.base import place
from .blocks.heads import stem
from .blocks.towers import QKV, conv, layer, layers, norm, pair, table
from .deepseek import deepseek_experts, indexed
from .deepseek_v4 import hyper
from .nested import text_config, text_model


def hy_v4(c: Config) -> Iterator[Part]:
    """Hunyuan 4: DeepSeek-V3.2 whose indexer serves four layers, a sink and a gate for each head, ``hc_mult`` streams.

    Source: modeling_hy_v4 in transformers 5.24.
    Implied: router and its correction bias, sinks, the gate, the indexer's norm, the mixing of streams.
    Checked: the class's defaults, 58,278,193,133 and 8,448 buffers, residual 0.
    """
    n, heads = int(c.num_hidden_layers), c.num_attention_heads
    kinds = (
        c.list_of("indexer_types", n, ("full", "shared"))
        if c.has("indexer_types")
        else ["full" if i == 0 or i % 4 == 1 else "shared" for i in range(n)]
    )
    shared = mla(c, bias=c.flag("attention_bias")).plus(
        vector("self_attn.sinks", heads, role="attention", implied=True, note="one learned logit a head"),
        *linear("self_attn.gate_proj", heads * c.v_head_dim, c.hidden_size, role="attention", implied=True),
        *_streams(c, "attn_hc"),
    )
    full, moe = indexed(c, shared), deepseek_experts(c, correction=True)
    mlp = dense_or_moe(c, moe_from(c, min(n, 1)), moe)
    blocks = [mlp] * n if isinstance(mlp, Block) else mlp
    with_streams = {id(b): b.plus(*_streams(c, "ffn_hc")) for b in blocks}
    at = stem(c, "model")
    yield from place(hyper("hc_head.hc", c.hc_mult, c.hc_mult * c.hidden_size, 1), at)
    yield from decoder(
        c,
        attention=[full if kind == "full" else shared for kind in kinds],
        mlp=[with_streams[id(b)] for b in blocks],
    )


def _streams(c: Config, name: str) -> list[TensorSpec]:
    """Reads the streams into one and writes the result back, without mixing them among each other."""
    return hyper(name, 2 * c.hc_mult, c.hc_mult * c.hidden_size, 2, joint=".")


def hy_v4_vl(c: Config) -> Iterator[Part]:
    """Hunyuan 4 with its tower: a grid of positions, patches joined by a convolution, a vector between the rows.

    Source: modeling_hy_v4_vl in transformers 5.24.  Implied: the merger.
    Checked: the class's defaults, 771,142,515,869 and 19,712 buffers, residual 0.
    """
    at, v = stem(c, "model"), c.sub("vision_config")
    hidden, out, merge, tower = v.hidden_size, v.out_hidden_size, v.spatial_merge_size, f"{at}vision_tower."
    v.divide("hidden_size", "num_attention_heads")
    side = v.max_image_size // v.patch_size
    yield from conv(f"{tower}embeddings.patch_embedding", hidden, v.num_channels, pair(v, "patch_size"))
    yield table(f"{tower}embeddings.position_embedding.weight", side * side + 1, hidden)
    one = layer(hidden, v.intermediate_size, attention=(*QKV, "self_attn.o_proj"))
    yield from layers(one, f"{tower}layers.", v.num_hidden_layers)
    merger = f"{tower}patch_merger."
    yield table(f"{merger}image_newline", out, role="projector")
    yield from norm(f"{merger}before_rms", hidden, role="projector", bias=False)
    merged = hidden * merge * merge
    yield from conv(f"{merger}proj_conv", merged, hidden, (merge, merge), role="projector")
    yield from conv(f"{merger}proj_out", out, merged, (1, 1), role="projector")
    yield from text_model(text_config(c), f"{at}language_model.")
