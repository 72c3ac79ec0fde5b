"""DBRX."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, experts, gqa


def dbrx(c: Config) -> Iterator[Part]:
    """DBRX: attention and experts described by configs of their own; norms without biases, q, k and v in one map.

    Files hold the experts of a layer below each other, as (experts × width, hidden_size), the down map transposed.
    Source: modeling_dbrx in transformers 5.24.  Implied: router.
    Checked: databricks/dbrx-base stored 131,596,523,520, residual 0.
    """
    attn, ffn = c.sub("attn_config", "dbrx_attention"), c.sub("ffn_config", "dbrx_ffn")
    attention = gqa(
        c,
        kv_heads=attn.kv_n_heads,
        head_dim=c.divide("hidden_size", "num_attention_heads"),
        fused="Wqkv",
        out="out_proj",
        path="norm_attn_norm.attn",
    )
    moe = experts(
        c,
        count=ffn.moe_num_experts,
        width=ffn.ffn_hidden_size,
        top_k=ffn.moe_top_k,
        path="ffn",
        router="router.layer",
        stacked=("experts.mlp.w1", "experts.mlp.v1", "experts.mlp.w2"),
    )
    yield from decoder(
        c,
        attention=attention,
        mlp=moe,
        layer_norms=("norm_attn_norm.norm_1", "norm_attn_norm.norm_2"),
        base="transformer",
        layers="blocks",
        embed="wte",
        final_norm="norm_f",
    )
