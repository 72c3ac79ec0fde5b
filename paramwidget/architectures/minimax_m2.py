"""MiniMax-M2 and the text model of M3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Block,
    Part,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    linear,
    moe_from,
    qk_norms,
    shared_expert,
    vector,
)


def minimax_m2(c: Config) -> Iterator[Part]:
    """MiniMax-M2: experts in every layer; queries and keys normed over all heads at once.

    Its config declares prediction layers (``use_mtp``, ``num_mtp_modules``); no published file holds any.
    Source: modeling_minimax_m2 in transformers 5.24, names of the Hub files.
    Implied: router and its correction bias.
    Checked: MiniMaxAI/MiniMax-M2.5 stored 228,689,764,864, scales 13,880,064, Hub 228,703,644,928, residual 0.
    """
    norms = qk_norms((c.num_attention_heads * c.head_dim,), (c.num_key_value_heads * c.head_dim,))
    yield from decoder(c, attention=gqa(c).plus(*norms), mlp=minimax_experts(c))


def minimax_m3_text(c: Config) -> Iterator[Part]:
    """The text model of MiniMax-M3: a shared expert, dense layers of their own width, an indexer in sparse layers.

    Source: modeling_minimax_m3_vl in transformers 5.24, names of the Hub files.
    Implied: q_norm, k_norm, router and its correction bias.
    Checked: the class's defaults, 447,186,441,216, residual 0.
    """
    full = gqa(c, qk_norm=True)
    sparse = chooses_blocks(c, full)
    attention = [sparse if kind == "minimax_m3_sparse" else full for kind in attention_kinds(c)]
    shared = shared_expert(c, c.natural("shared_intermediate_size"), path="block_sparse_moe.shared_experts")
    yield from decoder(
        c,
        attention=attention,
        mlp=dense_or_moe(
            c,
            moe_from(c, 0),
            minimax_experts(c).plus(*shared),
            gated_mlp(c, c.dense_intermediate_size),
        ),
    )


def attention_kinds(c: Config) -> list[str]:
    """Which layers choose the blocks they see: ``layer_types``, or the 0 and 1 of ``sparse_attention_config``."""
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        return c.list_of("layer_types", n, ("full_attention", "minimax_m3_sparse"))
    if not c.has("sparse_attention_config"):
        return ["full_attention"] * n
    given = c.sub("sparse_attention_config")
    if not given.has("sparse_attention_freq"):
        return ["full_attention"] * n
    return ["minimax_m3_sparse" if x else "full_attention" for x in given.list_of("sparse_attention_freq", n)]


def chooses_blocks(c: Config, attention: Block) -> Block:
    """Attention with an indexer: a few heads of queries and one of keys, both normed."""
    given = c.sub("sparse_attention_config") if c.has("sparse_attention_config") else c
    heads = given.sparse_num_index_heads if given.has("sparse_num_index_heads") else c.index_n_heads
    width = given.sparse_index_dim if given.has("sparse_index_dim") else c.index_head_dim
    role, path = "attention", "self_attn.index"
    return attention.with_facts(indexer=int(width)).plus(
        *linear(f"{path}_q_proj", heads * width, c.hidden_size, role=role),
        *linear(f"{path}_k_proj", width, c.hidden_size, role=role),
        vector(f"{path}_q_norm.weight", width, role=role, implied=True),
        vector(f"{path}_k_norm.weight", width, role=role, implied=True),
    )


def minimax_experts(c: Config) -> Block:
    """Mixtral's experts with DeepSeek's correction bias beside the router."""
    return experts(
        c,
        count=c.num_local_experts,
        width=c.intermediate_size,
        path="block_sparse_moe",
        correction="block_sparse_moe.e_score_correction_bias",
        matrices=("w1", "w3", "w2"),
    )
