"""DeepSeek-V2 and V3: latent attention, many small experts, shared ones, and prediction layers behind the stack."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, dense_or_moe, experts, gated_mlp, mla, mtp_deepseek, shared_expert


def deepseek_v2(c: Config) -> Iterator[Part]:
    """DeepSeek-V2: latent attention; the first layers dense.

    Source: modeling_deepseek_v2 in transformers 5.24.  Implied: router.
    Checked: deepseek-ai/DeepSeek-V2-Lite stored 15,706,484,224, Hub 15,706,484,224, residual 0.
    """
    dense = gated_mlp(c, bias=c.flag("mlp_bias"))
    moe = deepseek_experts(c, correction=False)
    yield from decoder(
        c, attention=mla(c, bias=c.flag("attention_bias")), mlp=dense_or_moe(c, moe_layers(c), moe, dense)
    )


def deepseek_v3(c: Config) -> Iterator[Part]:
    """DeepSeek-V3 and R1: V2 with a correction bias in each router, and MTP layers that name both tables again.

    Source: modeling_deepseek_v3 in transformers 5.24; the MTP layers, which transformers drops, from the files.
    Implied: router and its correction bias, the MTP layer's own tables.
    Checked: deepseek-ai/DeepSeek-V3 stored 671,026,419,200 without MTP, 682,636,487,424 with, scales 41,540,496.
    """
    attention = mla(c, bias=c.flag("attention_bias"))
    moe = deepseek_experts(c, correction=True)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_layers(c), moe))
    yield from mtp_deepseek(c, attention, moe, c.natural("num_nextn_predict_layers"))


def deepseek_experts(c: Config, correction: bool) -> Block:
    """``n_routed_experts`` small experts; the shared ones are one MLP of ``n_shared_experts`` times the width."""
    n_shared = c.natural("n_shared_experts")
    shared = (
        shared_expert(c, c.moe_intermediate_size * n_shared, path="mlp.shared_experts") if n_shared else ()
    )
    return experts(
        c, count=c.n_routed_experts, width=c.moe_intermediate_size, correction=correction, shared=shared
    )


def moe_layers(c: Config) -> list[int] | range:
    """Experts from layer ``first_k_dense_replace`` on, in every ``moe_layer_freq``-th."""
    n, first, every = int(c.num_hidden_layers), int(c.natural("first_k_dense_replace")), int(c.moe_layer_freq)
    return range(first, n) if every == 1 else [i for i in range(first, n) if i % every == 0]
