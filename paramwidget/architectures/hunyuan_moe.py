"""Hunyuan's mixtures of experts: A13B and Large, and Hy3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blocks import (
    Block,
    Part,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    moe_from,
    mtp_deepseek,
    qk_norms,
    shared_expert,
)


def hunyuan(c: Config) -> Iterator[Part]:
    """Hunyuan-A13B: sizes of experts may differ from layer to layer, each given as a number or as a list.

    Source: modeling_hunyuan.py of tencent/Hunyuan-A13B-Instruct.  Implied: router.
    Checked: tencent/Hunyuan-A13B-Instruct against hunyuan_v1_moe of transformers 5.24 with the same sizes, residual 0.
    """
    for key in ("use_cla", "use_mla"):
        if c.get(key) is True:
            raise c.error(key, True, "is not described")
    n = int(c.num_hidden_layers)
    own = "moe_intermediate_size" if c.has("moe_intermediate_size") else "intermediate_size"
    shared = c.per_layer("num_shared_expert", n, least=0) if c.flag("use_mixed_mlp_moe") else [0] * n
    sizes = list(
        zip(
            c.per_layer("num_experts", n),
            c.per_layer("num_experts_per_tok", n),
            c.per_layer(own, n),
            shared,
            strict=True,
        )
    )
    first = int(c.natural("moe_layer_num_skipped")) if max(count for count, *_ in sizes) > 1 else n
    kinds = {key: hunyuan_experts(c, *key) for key in dict.fromkeys(sizes[first:])}
    dense = gated_mlp(c, bias=c.flag("mlp_bias"))
    yield from decoder(
        c,
        attention=hunyuan_attention(c, c.flag("use_qk_norm")),
        mlp=[dense if i < first else kinds[key] for i, key in enumerate(sizes)],
    )


def hunyuan_v1_moe(c: Config) -> Iterator[Part]:
    """Hunyuan-A13B as transformers saves it: one size for all layers, and one shared expert.

    Source: modeling_hunyuan_v1_moe in transformers 5.24.  Implied: query_layernorm, key_layernorm, router.
    """
    n = int(c.num_hidden_layers)
    if isinstance(c.get("num_experts"), list | tuple):
        raise c.error("num_experts", c.get("num_experts"), "must be one number: transformers builds no other")
    moe = {
        top_k: hunyuan_experts(c, c.num_experts, top_k, c.intermediate_size, 1)
        for top_k in c.per_layer("num_experts_per_tok", n)
    }
    yield from decoder(
        c,
        attention=hunyuan_attention(c, True),
        mlp=[moe[top_k] for top_k in c.per_layer("num_experts_per_tok", n)],
    )


def hy_v3(c: Config) -> Iterator[Part]:
    """Hy3: DeepSeek-V3's experts under grouped queries; its MTP layer uses the main tables.

    Source: modeling_hy_v3 in transformers 5.24, names of the Hub files; the MTP layer, which transformers drops, from
    the card (3.8B).  Implied: q_norm, k_norm, router and its correction bias.
    Checked: tencent/Hy3-preview stored 298,786,155,776 with MTP, Hub 298,786,155,776, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    width, bias = c.moe_intermediate_size, c.flag("mlp_bias")
    always = width * c.natural("num_shared_experts") or c.intermediate_size  # as the modelling code has it
    moe = experts(
        c,
        count=c.num_experts,
        width=width,
        router="router.gate",
        correction="mlp.expert_bias",
        shared=shared_expert(c, always, path="mlp.shared_mlp", bias=bias),
    )
    yield from decoder(
        c, attention=attention, mlp=dense_or_moe(c, moe_from(c, 1), moe, gated_mlp(c, bias=bias))
    )
    yield from mtp_deepseek(
        c,
        attention,
        moe,
        c.natural("num_nextn_predict_layers"),
        embed=None,
        head=None,
        final_norm="final_layernorm",
    )


def hunyuan_attention(c: Config, normed: bool) -> Block:
    """Grouped queries, each head normed under a name of its own; the config may call the width attention_head_dim."""
    head_dim = c.attention_head_dim if c.has("attention_head_dim") else c.head_dim
    attention = gqa(c, bias=c.flag("attention_bias"), head_dim=head_dim)
    norms = qk_norms((head_dim,), names=("query_layernorm", "key_layernorm")) if normed else ()
    return attention.plus(*norms)


def hunyuan_experts(c: Config, count: Dim, top_k: Dim, width: Dim, shared: int) -> Block:
    """The experts of a layer; the shared ones are one MLP of ``shared`` times the width."""
    bias = c.get("mlp_bias") is True
    return experts(
        c,
        count=count,
        width=width,
        top_k=top_k,
        router="gate.wg",
        bias=bias,
        shared=shared_expert(c, width * shared, path="mlp.shared_mlp", bias=bias),
    )
