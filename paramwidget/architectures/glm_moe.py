"""GLM-4.5 to GLM-5: many experts, the first layers dense, and prediction layers behind the stack."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, dense_or_moe, gqa, mla, moe_from, mtp_deepseek
from .deepseek import deepseek_experts, indexed


def glm4_moe(c: Config) -> Iterator[Part]:
    """GLM-4.5 to 4.7: grouped queries under DeepSeek-V3's experts; MTP layers that name both tables again.

    Source: modeling_glm4_moe in transformers 5.24; the MTP layers, which transformers drops, from the files.
    Implied: router and its correction bias, q_norm, k_norm, the MTP layer's own tables.
    Checked: zai-org/GLM-4.5 and 4.7 stored 356,785,898,816; the Hub's 358,337,791,296 hold both tables a second time
    (2 × 775,946,240). GLM-4.6, of the same config, does not: Hub 356,785,898,816, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=False, qk_norm=c.flag("use_qk_norm"))
    moe = deepseek_experts(c, correction=True)
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, layers, moe))
    yield from mtp_deepseek(c, attention, moe, c.natural("num_nextn_predict_layers"))


def glm4_moe_lite(c: Config) -> Iterator[Part]:
    """GLM-4.7-Flash: DeepSeek-V3's latent attention and experts in a small model.

    Source: modeling_glm4_moe_lite in transformers 5.24; the MTP layer, which transformers drops, from the files.
    Implied: router and its correction bias, the MTP layer and its own tables.
    Checked: zai-org/GLM-4.7-Flash stored 30,587,100,096 with MTP; the Hub's 31,221,488,576 hold both tables a second
    time (2 × 317,194,240).
    """
    attention = mla(c, bias=c.flag("attention_bias"))
    moe = deepseek_experts(c, correction=True)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_from(c, 1), moe))
    yield from mtp_deepseek(c, attention, moe, c.natural("num_nextn_predict_layers"))


def glm_moe_dsa(c: Config) -> Iterator[Part]:
    """GLM-5: DeepSeek-V3.2 with an indexer that later layers may share; its MTP layers use the main tables.

    Source: modeling_glm_moe_dsa in transformers 5.24; the MTP layers, which transformers drops, from the files.
    Implied: router and its correction bias, which layers have an indexer, the indexer's norm.
    Checked: zai-org/GLM-5.1 stored 753,864,139,008 with MTP, Hub 753,864,139,008; zai-org/GLM-5.1-FP8 with scales
    45,885,024 more, Hub 753,910,024,032; residual 0.
    """
    attention = mla(c, bias=c.flag("attention_bias"))
    with_indexer = indexed(c, attention)
    moe = deepseek_experts(c, correction=True)
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    yield from decoder(
        c,
        attention=[with_indexer if kind == "full" else attention for kind in indexer_types(c)],
        mlp=dense_or_moe(c, layers, moe),
    )
    yield from mtp_deepseek(
        c, with_indexer, moe, c.natural("num_nextn_predict_layers"), embed=None, head=None
    )


def indexer_types(c: Config) -> list[str]:
    """Which layers choose their keys themselves and which share the choice of a layer before.

    A list, or a pattern of F and S, or every ``index_topk_freq``-th from ``index_skip_topk_offset`` on.
    """
    n = int(c.num_hidden_layers)
    if c.has("indexer_types"):
        return c.list_of("indexer_types", n, ("full", "shared"))
    pattern = c.get("index_topk_pattern")
    if isinstance(pattern, str):
        if len(pattern) != n or set(pattern) - set("FS"):
            raise c.error("index_topk_pattern", pattern, f"must be {n} letters F or S")
        return ["full" if letter == "F" else "shared" for letter in pattern]
    if pattern is not None:
        return c.list_of("index_topk_pattern", n, ("full", "shared"))
    every, first = c.get("index_topk_freq", 1), c.get("index_skip_topk_offset", 2)
    if type(every) is not int or type(first) is not int:
        raise c.error("index_topk_freq", every, "and index_skip_topk_offset must be whole numbers")
    return ["shared" if max(i - first + 1, 0) % max(every, 1) else "full" for i in range(n)]
