"""MiMo-V2-Flash."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Block,
    Part,
    by_layer,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    layer_kinds,
    moe_from,
    mtp_deepseek,
)


def mimo_v2_flash(c: Config) -> Iterator[Part]:
    """MiMo-V2-Flash: windowed layers have sinks and twice the key and value heads; values are narrower than keys.

    Source: modeling_mimo_v2_flash in transformers 5.24, names of the Hub files; the MTP layers from the files.
    Implied: sinks, router and its correction bias, the MTP layers.
    Checked: XiaomiMiMo/MiMo-V2-Flash stored 309,766,601,088 with MTP; the Hub's 309,785,318,400 also hold scales.
    """
    full, sliding = mimo_attention(c, windowed=False), mimo_attention(c, windowed=True)
    moe = experts(c, count=c.n_routed_experts, width=c.moe_intermediate_size, correction=True)
    dense = gated_mlp(c)
    yield from decoder(
        c,
        attention=by_layer(mimo_kinds(c), full_attention=full, sliding_attention=sliding),
        mlp=dense_or_moe(c, moe_from(c, 1), moe, dense),
    )
    yield from mtp_deepseek(
        c,
        sliding,
        dense,
        c.natural("num_nextn_predict_layers"),
        embed=None,
        head=None,
        final_norm="final_layernorm",
        layer_norms=("input_layernorm", "pre_mlp_layernorm"),
        at="model.mtp.layers.",
        first=0,
    )


def mimo_kinds(c: Config) -> list[str]:
    """``layer_types``, or the 0 and 1 of ``hybrid_layer_pattern``; else the first layer and every sixth see all."""
    n = int(c.num_hidden_layers)
    if not c.has("layer_types") and c.has("hybrid_layer_pattern"):
        slides = c.per_layer("hybrid_layer_pattern", n, least=0)
        return ["sliding_attention" if s else "full_attention" for s in slides]
    default = ["full_attention" if i == 0 or (i + 1) % 6 == 0 else "sliding_attention" for i in range(n)]
    return layer_kinds(c, default, ("full_attention", "sliding_attention"))


def mimo_attention(c: Config, windowed: bool) -> Block:
    """Grouped queries; a windowed layer reads fields of its own where the config has them."""

    def own(key: str) -> str:
        return f"swa_{key}" if windowed and c.has(f"swa_{key}") else key

    kv_heads = getattr(c, own("num_key_value_heads"))
    if windowed and not c.has("swa_num_key_value_heads"):
        kv_heads = 2 * kv_heads
    key = "add_swa_attention_sink_bias" if windowed else "add_full_attention_sink_bias"
    block = gqa(
        c,
        bias=c.flag("attention_bias"),
        out_bias=False,
        heads=getattr(c, own("num_attention_heads")),
        head_dim=getattr(c, own("head_dim")),
        kv_heads=kv_heads,
        v_dim=getattr(c, own("v_head_dim")),
        sinks="attention_sink_bias" if c.get(key, windowed) is True else False,
    )
    return block.with_facts(mixer="sliding", window=int(c.sliding_window)) if windowed else block
