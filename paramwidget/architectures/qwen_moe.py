"""Qwen's mixtures of experts, plain and hybrid."""

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
    gated_deltanet,
    gated_mlp,
    gqa,
    moe_every,
    mtp_qwen,
    qwen3_vision,
    shared_expert,
)
from .llama import qwen_windows


def qwen2_moe(c: Config) -> Iterator[Part]:
    """Qwen1.5-MoE and Qwen2-MoE: Qwen2's attention, a shared expert and a gate for it in each layer.

    Source: modeling_qwen2_moe in transformers 5.24.  Implied: q, k and v biases, router, shared_expert_gate.
    Checked: Qwen/Qwen1.5-MoE-A2.7B stored 14,315,784,192, Hub 14,315,784,192, residual 0.
    """
    attention = gqa(c, bias=c.flag("qkv_bias"), implied_bias=not c.has("qkv_bias"), out_bias=False)
    yield from decoder(
        c,
        attention=qwen_windows(c, attention),
        mlp=dense_or_moe(c, moe_every(c), lambda: qwen_experts(c, shared=True)),
    )


def qwen3_moe(c: Config) -> Iterator[Part]:
    """Qwen3-MoE: Qwen3's attention, no shared expert.

    Source: modeling_qwen3_moe in transformers 5.24.  Implied: q_norm, k_norm, router.
    Checked: Qwen/Qwen3-30B-A3B stored 30,532,122,624, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_every(c), lambda: qwen_experts(c)))


def qwen3_next(c: Config) -> Iterator[Part]:
    """Qwen3-Next: three layers of Gated DeltaNet for each one of gated attention; experts everywhere; one MTP layer.

    Source: modeling_qwen3_next in transformers 5.24; the MTP module, which transformers drops, from the files.
    Implied: q_norm, k_norm, A_log, dt_bias, router, shared_expert_gate, the MTP layer.
    Checked: Qwen/Qwen3-Next-80B-A3B-Instruct stored 81,324,862,720 with MTP, Hub 81,324,862,720, residual 0.
    """
    full = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, gated=True)
    moe = qwen_experts(c, shared=True) if c.natural("num_experts") else gated_mlp(c)
    yield from decoder(
        c,
        attention=hybrid(c, full, gated_deltanet(c, fused=True)),
        mlp=dense_or_moe(c, moe_every(c), moe),
    )
    yield from mtp_qwen(c, full, moe, c.natural("mtp_num_hidden_layers"))


def qwen3_5_moe_text(c: Config) -> Iterator[Part]:
    """The text model of Qwen3.5-MoE: Qwen3-Next with four input maps to DeltaNet and stacked experts.

    Source: modeling_qwen3_5_moe in transformers 5.24; the MTP module, which transformers drops, from the files.
    Implied: q_norm, k_norm, A_log, dt_bias, router, shared_expert_gate.
    Checked: Qwen/Qwen3.8-2.4T-A95B stored 2,419,804,697,984 without MTP, residual 0.
    """
    yield from qwen3_5_stack(c, "model", qwen_experts(c, shared=True, stacked=True))


def qwen3_5_moe(c: Config) -> Iterator[Part]:
    """Qwen3.5-MoE with its vision tower.

    Source: modeling_qwen3_5_moe in transformers 5.24.
    Checked: Qwen/Qwen3.6-35B-A3B stored 35,951,822,704 with vision and MTP, Hub 35,951,822,704, residual 0.
    """
    text = c.sub("text_config", "qwen3_5_moe_text", also=("tie_word_embeddings",))
    if c.is_bare or c.has("vision_config"):
        yield from qwen3_vision(
            c.sub("vision_config", "qwen3_5_moe_vision"), "model.visual.", deepstack=False
        )
    yield from qwen3_5_stack(text, "model.language_model", qwen_experts(text, shared=True, stacked=True))


def qwen3_5_stack(c: Config, base: str, mlp: Block) -> Iterator[Part]:
    """The text model of Qwen3.5, dense or with experts, and its MTP module."""
    if c.get("mtp_use_dedicated_embeddings") is True:
        raise c.error(
            "mtp_use_dedicated_embeddings", True, "is not described: no published file has such tables"
        )
    full = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, gated=True)
    yield from decoder(c, attention=hybrid(c, full, gated_deltanet(c, fused=False)), mlp=mlp, base=base)
    yield from mtp_qwen(c, full, mlp, c.natural("mtp_num_hidden_layers"))


def qwen_experts(c: Config, *, shared: bool = False, stacked: bool = False) -> Block:
    """Qwen's experts; the shared one is scaled by a gate of its own."""
    always = (
        shared_expert(
            c, c.shared_expert_intermediate_size, path="mlp.shared_expert", gate="mlp.shared_expert_gate"
        )
        if shared
        else ()
    )
    return experts(c, count=c.num_experts, width=c.moe_intermediate_size, stacked=stacked, shared=always)


def hybrid(c: Config, full: Block, linear: Block) -> list[Block]:
    """Full attention in every ``full_attention_interval``-th layer, or where ``layer_types`` says so."""
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, ("linear_attention", "full_attention"))
    else:
        every = int(c.full_attention_interval)
        kinds = ["linear_attention" if (i + 1) % every else "full_attention" for i in range(n)]
    return by_layer(kinds, full_attention=full, linear_attention=linear)
