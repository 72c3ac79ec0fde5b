"""DeepSeek's mixtures of experts: many small experts, shared ones, and from V2 on latent attention."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    linear,
    mla,
    moe_from,
    mtp_deepseek,
    qk_norms,
    rms_norm,
    shared_expert,
    vector,
)


def deepseek(c: Config) -> Iterator[Part]:
    """DeepSeek-MoE, the first: grouped queries; the first layers dense.

    Source: modeling_deepseek.py of deepseek-ai/deepseek-moe-16b-base.  Implied: router.
    Checked: by hand for deepseek-moe-16b-base, 16,375,728,128.
    """
    attention = gqa(c, bias=c.flag("attention_bias"))
    moe = deepseek_experts(c, correction=False)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_layers(c), moe))


def deepseek_v2(c: Config) -> Iterator[Part]:
    """DeepSeek-V2: latent attention; the first layers dense.

    Source: modeling_deepseek_v2 in transformers 5.24.  Implied: router.
    Checked: deepseek-ai/DeepSeek-V2-Lite stored 15,706,484,224, Hub 15,706,484,224, residual 0.
    """
    dense = gated_mlp(c, bias=c.flag("mlp_bias"))
    moe = deepseek_experts(c, correction=False, bias=c.flag("mlp_bias"))
    yield from decoder(
        c, attention=mla(c, bias=c.flag("attention_bias")), mlp=dense_or_moe(c, moe_layers(c), moe, dense)
    )


def deepseek_v3(c: Config) -> Iterator[Part]:
    """DeepSeek-V3, R1, Kimi-K2: V2 with a correction bias in each router, and MTP layers that name both tables again.

    Source: modeling_deepseek_v3 in transformers 5.24; the MTP layers, which transformers drops, from the files.
    Implied: router and its correction bias, the MTP layer's own tables.
    Checked: deepseek-ai/DeepSeek-V3 stored 671,026,419,200 without MTP, 682,636,487,424 with, scales 41,540,496.
    """
    if c.flag("group_query_attention", otherwise=False):
        yield from _grouped_v3(c)
        return
    attention = mla(c, bias=c.flag("attention_bias"))
    moe = deepseek_experts(c, correction=True)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_layers(c), moe))
    yield from mtp_deepseek(c, attention, moe, c.natural("num_nextn_predict_layers"))


def _grouped_v3(c: Config) -> Iterator[Part]:
    """DeepSeek-V3 trained with Megatron's keys: grouped queries, whose heads may be normed, and a bias in each router.

    Source: modeling_deepseek and configuration_deepseek of jianzhnie/Kimi2-PCL.  Implied: router, correction bias.
    Checked: the shapes that the repository lists of its model: q, k and v 8,704 × 7,168, norms of 128.
    """
    if c.natural("num_nextn_predict_layers"):
        raise c.error(
            "num_nextn_predict_layers", int(c.natural("num_nextn_predict_layers")), "is not described"
        )
    attention = gqa(c, bias=c.flag("attention_bias"), kv_heads=c.num_query_groups, head_dim=c.kv_channels)
    if c.flag("qk_layernorm", otherwise=False):
        attention = attention.plus(*qk_norms((c.kv_channels,), names=("q_layernorm", "k_layernorm")))
    moe = deepseek_experts(
        c,
        correction=c.get("topk_method") == "noaux_tc",
        router_bias=c.flag("moe_router_enable_expert_bias", otherwise=False),
    )
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_layers(c), moe))


def deepseek_v32(c: Config) -> Iterator[Part]:
    """DeepSeek-V3.2: V3 with an indexer in each layer, which chooses the keys that a query sees.

    Source: modeling_deepseek_v32 in transformers 5.24; the MTP layers, which transformers drops, from the files.
    Implied: router and its correction bias, the indexer's norm, the MTP layer's own tables.
    Checked: deepseek-ai/DeepSeek-V3.2 stored 683,501,971,712 with MTP; the Hub's 685,396,921,376 also hold both tables
    a second time (2 × 926,679,040) and scales 41,591,584.
    """
    attention = indexed(c, mla(c, bias=c.flag("attention_bias")))
    moe = deepseek_experts(c, correction=True)
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, layers, moe))
    yield from mtp_deepseek(c, attention, moe, c.natural("num_nextn_predict_layers"))


def axk1(c: Config) -> Iterator[Part]:
    """A.X-K1: DeepSeek-V3 with a norm of what the experts put out; files hold that norm for the dense layers too.

    Source: modeling_axk1 in transformers 5.24, names of the Hub files.
    Implied: router and its correction bias, the norm, which no token reads in dense layers.
    Checked: the class's defaults, 518,983,052,288, residual 0.
    """
    name, moe = "post_mlp_layernorm.weight", deepseek_experts(c, correction=True)
    moe = moe.plus(vector(name, c.hidden_size, role="norm", implied=True))
    dense = gated_mlp(c).plus(
        vector(name, c.hidden_size, role="norm", kind="unread", implied=True, note="stored, used by no token")
    )
    every = int(c.moe_layer_freq)
    layers = moe_from(c, int(c.natural("first_k_dense_replace")), every)
    yield from decoder(
        c, attention=mla(c, bias=c.flag("attention_bias")), mlp=dense_or_moe(c, layers, moe, dense)
    )


def axk2(c: Config) -> Iterator[Part]:
    """A.X-K2: latent attention with DeepSeek's indexer; queries and a gate of the output come from one map.

    Norms have gates of low rank: the first of each layer, and the second where the layer has experts.
    Source: modeling_axk2 in transformers 5.24.  Implied: router and its correction bias, the indexer's norm.
    Checked: the class's defaults, 20,314,494,976 and 6,016 of buffer, residual 0.
    """
    heads, latent, role = c.num_attention_heads, c.q_lora_rank, "attention"
    width: Dim = c.qk_nope_head_dim + c.natural("qk_rope_head_dim") + c.v_head_dim
    plain = mla(c, bias=c.flag("attention_bias"))
    kept = Block(tuple(t for t in plain.tensors if ".q_b_proj." not in t.name), plain.facts)
    both = linear("self_attn.q_gate_proj", heads * width, 2 * latent, role=role)
    moe = deepseek_experts(c, correction=True).plus(*_gated_norm(c, "post_attention_layernorm"))
    dense = gated_mlp(c).plus(*rms_norm(c)("post_attention_layernorm"))
    layers = moe_from(c, int(c.natural("first_k_dense_replace")), int(c.moe_layer_freq))
    yield from decoder(
        c,
        attention=indexed(c, kept).plus(*both, *_gated_norm(c, "input_layernorm")),
        mlp=dense_or_moe(c, layers, moe, dense),
        layer_norms=(),
    )


def _gated_norm(c: Config, name: str) -> list[TensorSpec]:
    """A norm, and two maps through ``gated_norm_rank`` that gate it."""
    hidden, rank, role = c.hidden_size, c.gated_norm_rank, "norm"
    return [
        *rms_norm(c)(f"{name}.norm"),
        *linear(f"{name}.mlp.fc1", rank, hidden, role=role),
        *linear(f"{name}.mlp.fc2", hidden, rank, role=role),
    ]


def deepseek_experts(c: Config, *, correction: bool, bias: bool = False, router_bias: bool = False) -> Block:
    """``n_routed_experts`` small experts; the shared ones are one MLP of ``n_shared_experts`` times the width.

    ``bias``: of the shared ones.
    """
    n_shared = c.natural("n_shared_experts") if c.has("n_shared_experts") else 0
    width = c.moe_intermediate_size
    return experts(
        c,
        count=c.n_routed_experts,
        width=width,
        router_bias=router_bias,
        correction=correction,
        shared=shared_expert(c, width * n_shared, path="mlp.shared_experts", bias=bias),
    )


def indexed(
    c: Config, attention: Block, path: str = "self_attn.indexer", *, read: Dim | None = None
) -> Block:
    """Attention with DeepSeek's indexer: queries from the latent vector, one key a token, one weight a head.

    ``read`` is the width of what its queries are made of, where that is not the latent vector.

    The keys are kept for all tokens, beside the latent vectors.
    """
    width, heads, hidden = c.index_head_dim, c.index_n_heads, c.hidden_size
    role = "attention"
    return attention.with_facts(indexer=int(width)).plus(
        *linear(f"{path}.wq_b", heads * width, c.q_lora_rank if read is None else read, role=role),
        *linear(f"{path}.wk", width, hidden, role=role),
        vector(f"{path}.k_norm.weight", width, role=role, implied=True),
        vector(f"{path}.k_norm.bias", width, role=role, kind="bias", implied=True),
        *linear(f"{path}.weights_proj", heads, hidden, role=role),
    )


def moe_layers(c: Config) -> list[int] | range:
    """Experts from layer ``first_k_dense_replace`` on, in every ``moe_layer_freq``-th."""
    n, first, every = int(c.num_hidden_layers), int(c.natural("first_k_dense_replace")), int(c.moe_layer_freq)
    return range(first, n) if every == 1 else [i for i in range(first, n) if i % every == 0]
