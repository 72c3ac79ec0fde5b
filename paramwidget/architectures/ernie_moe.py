"""ERNIE-4.5's mixture of experts."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    correction_bias,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    linear,
    one_layer,
    place,
    rms_norm,
    shared_expert,
)


def ernie4_5_moe(c: Config) -> Iterator[Part]:
    """ERNIE-4.5 MoE: experts in every ``moe_layer_interval``-th layer of a range; the shared ones are one MLP.

    Source: modeling_ernie4_5_moe in transformers 5.24, names of the Hub files; the MTP layers from the files.
    Implied: router and its correction bias, a parameter here, stored as one row.
    Checked: baidu/ERNIE-4.5-21B-A3B-Thinking stored 21,825,437,888, Hub 21,825,437,888, and
    baidu/ERNIE-4.5-300B-A47B-Paddle stored 300,474,051,776 with MTP, Hub 300,474,051,776, residual 0.
    """
    bias, width, count = c.flag("use_bias"), c.moe_intermediate_size, c.moe_num_experts
    moe = experts(
        c,
        count=count,
        width=width,
        top_k=c.moe_k,
        correction=correction_bias("mlp.moe_statics.e_score_correction_bias", count, kind="bias", row=True),
        shared=shared_expert(
            c, width * c.natural("moe_num_shared_experts"), path="mlp.shared_experts", bias=bias
        ),
    )
    n, every = int(c.num_hidden_layers), int(c.moe_layer_interval)
    first, last = c.natural("moe_layer_start_index"), c.get("moe_layer_end_index")
    if type(last) is not int or last < -1:
        raise c.error("moe_layer_end_index", last, "must be a layer's index, or -1 for the last one")
    layers = [i for i in range(first, n if last == -1 else min(n, last + 1)) if (i + 1) % every == 0]
    yield from decoder(
        c,
        attention=gqa(c, bias=bias),
        mlp=dense_or_moe(c, layers, moe, gated_mlp(c, bias=bias)),
        output_bias=bias,
    )
    yield from ernie_mtp(c, gqa(c, bias=bias), gated_mlp(c, bias=bias), bias)


def ernie_mtp(c: Config, attention: Block, mlp: Block, bias: bool) -> Iterator[TensorSpec]:
    """Prediction layers with a dense MLP, their parts in modules of their own beside the layers."""
    where, hidden, norm = range(c.natural("num_nextn_predict_layers")), c.hidden_size, rms_norm(c)
    note = "joins the embedding and the hidden state"
    joint = linear("model.mtp_linear_proj.{layer}", hidden, 2 * hidden, role="mtp", bias=bias, note=note)
    for name in ("model.mtp_emb_norm.{layer}", "model.mtp_hidden_norm.{layer}"):
        joint += norm(name)
    inner = one_layer(norm, ("input_layernorm", "post_attention_layernorm"), attention, mlp)
    yield from place(joint, "", where, role="mtp")
    yield from place(inner, "model.mtp_block.{layer}.", where, role="mtp")
