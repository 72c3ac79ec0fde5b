"""Ling and Ring (Bailing), and Sarvam, which is built like them."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    decoder,
    dense_or_moe,
    experts,
    gqa,
    moe_from,
    mtp_deepseek,
    qk_norms,
    shared_expert,
)


def bailing_moe(c: Config) -> Iterator[Part]:
    """Ling-lite and Ling-plus: q, k and v in one map; ``norm_head`` scales the rows of the head, a computation only.

    Source: modeling_bailing_moe.py of inclusionAI/Ling-lite.  Implied: router.
    Checked: inclusionAI/Ling-lite stored 16,801,974,272, Hub 16,801,974,272, residual 0.
    """
    yield from bailing(c, qk_norm=c.get("use_qk_norm") is True, correction=False)


def bailing_moe_v2(c: Config) -> Iterator[Part]:
    """Ling-2.0: a norm over each head of queries and keys, a correction bias in each router; MTP layers without tables.

    Source: modeling_bailing_moe_v2.py of inclusionAI/Ling-mini-2.0.  Implied: router and its correction bias.
    Checked: inclusionAI/Ling-mini-2.0 stored 16,255,643,392, Hub 16,255,643,392, residual 0.
    """
    yield from bailing(c, qk_norm=c.flag("use_qk_norm"), correction=True)


def sarvam_moe(c: Config) -> Iterator[Part]:
    """Sarvam-30B: Ling-2.0 in all but the numbers; transformers builds it as GLM-4-MoE.

    Source: modeling_glm4_moe and the checkpoint's names in transformers 5.24.  Implied: router and its correction bias.
    Checked: sarvamai/sarvam-30b stored 32,152,648,064, residual 0.
    """
    yield from bailing(c, qk_norm=c.flag("use_qk_norm"), correction=True)


def bailing(c: Config, *, qk_norm: bool, correction: bool) -> Iterator[Part]:
    """Grouped queries in one map under DeepSeek's experts, under names of their own."""
    bias = next((c.flag(key) for key in ("use_qkv_bias", "attention_bias") if c.has(key)), False)
    attention = gqa(
        c,
        bias=bias,
        out_bias=c.get("use_bias") is True,
        fused="query_key_value",
        out="dense",
        path="attention",
    )
    names = ("query_layernorm", "key_layernorm")
    norms = qk_norms((c.head_dim,), path="attention", names=names) if qk_norm else ()
    width = c.moe_intermediate_size
    moe = experts(
        c,
        count=c.n_routed_experts,
        width=width,
        correction="mlp.gate.expert_bias" if correction else False,
        shared=shared_expert(c, width * c.natural("n_shared_experts"), path="mlp.shared_experts"),
    )
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    attention = attention.plus(*norms)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, layers, moe), embed="word_embeddings")
    depth = c.natural("num_nextn_predict_layers")
    yield from mtp_deepseek(c, attention, moe, depth, embed=None, head=None, final_norm="final_layernorm")
