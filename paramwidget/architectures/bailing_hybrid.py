"""Ling 3: Kimi Delta Attention, and gated latent attention at the end of each group of layers."""

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
    kimi_delta,
    linear,
    mla,
    renamed,
    rms_norm,
    shared_expert,
    together,
)
from .blocks.base import place
from .kimi_linear import sparse_layers


def bailing_hybrid(c: Config) -> Iterator[Part]:
    """Ling 3 (bailing_hybrid): KDA with whole maps for its gates, latent attention with one gate a head, experts.

    Source: modeling_bailing_hybrid in transformers 5.24, names of the files; the MTP layer, which transformers drops,
    from the modelling file published with the weights.  Implied: A_log, dt_bias, o_norm, output gates, router and its
    balancing bias.
    Checked: the class's own defaults stored 124,414,191,072 without MTP and buffers, buffers 20,480, residual 0.
    """
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, ("full_attention", "linear_attention"))
    else:
        group = int(c.layer_group_size)
        kinds = ["linear_attention" if (i + 1) % group else "full_attention" for i in range(n)]
    path = "attention"
    # what transformers has written has sizes of its own for these, and in head_dim that of the positions
    heads = c.linear_num_heads if c.has("linear_num_heads") else c.num_attention_heads
    delta = kimi_delta(
        c,
        heads,
        c.linear_head_dim if c.has("linear_head_dim") else c.head_dim,
        c.linear_conv_kernel_dim if c.has("linear_conv_kernel_dim") else c.short_conv_kernel_size,
        rates=(heads,),
        low_rank_decay=False,
        low_rank_gate=False,
        path=path,
    )
    gate = linear(
        f"{path}.g_proj",
        c.num_attention_heads,
        c.hidden_size,
        role="attention",
        implied=True,
        note="one gate a head",
    )
    latent = renamed(mla(c, bias=c.flag("attention_bias"), path=path), {"o_proj": "dense"})
    full = together(latent, Block(tuple(gate)))
    n_shared = c.natural("n_shared_experts")
    moe = experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        correction="mlp.gate.expert_bias",
        shared=shared_expert(c, c.moe_intermediate_size * n_shared, path="mlp.shared_experts"),
    )
    yield from decoder(
        c,
        attention=by_layer(kinds, full_attention=full, linear_attention=delta),
        mlp=dense_or_moe(c, sparse_layers(c), moe),
        embed="word_embeddings",
        may_tie=False,
    )
    norm, hidden, depth = rms_norm(c), c.hidden_size, int(c.natural("num_nextn_predict_layers"))
    ahead = [
        *(t for name in ("enorm", "hnorm") for t in norm(name)),
        *linear("eh_proj", hidden, 2 * hidden, role="mtp", note="joins the embedding and the hidden state"),
        *norm("input_layernorm"),
        *full.tensors,
        *norm("post_attention_layernorm"),
        *moe.tensors,
        *norm("final_layernorm"),
    ]
    yield from place(ahead, "model.layers.{layer}.", range(n, n + depth), role="mtp")
