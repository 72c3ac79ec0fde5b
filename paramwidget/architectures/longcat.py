"""LongCat-Flash."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..layers import LayerRun, LayerSpec
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, experts, gated_mlp, linear, mla, one_layer, place, rms_norm


def longcat_flash(c: Config) -> Iterator[Part]:
    """LongCat-Flash: each layer attends twice and has two dense MLPs, with experts beside them.

    The router may also choose one of ``zero_expert_num`` experts that compute nothing, so that the parameters a token
    uses are a range. Files hold no tensor for those; transformers 5.24 makes room for their gate and up maps too.
    Source: modeling_longcat_flash in transformers 5.24; the MTP layer from the files.
    Implied: router and its correction bias, the MTP layer.
    Checked: meituan-longcat/LongCat-Flash-Chat stored 561,057,573,888 with MTP; the Hub's 561,862,880,256 hold the
    embedding table a second time (805,306,368).
    """
    bias, n = c.flag("attention_bias"), int(c.num_hidden_layers)
    if c.has("qk_head_dim") and c.qk_head_dim != c.qk_nope_head_dim + c.qk_rope_head_dim:
        raise c.error("qk_head_dim", int(c.qk_head_dim), "is not qk_nope_head_dim + qk_rope_head_dim")
    first, second = (mla(c, bias=bias, path=f"self_attn.{i}") for i in (0, 1))
    zero = c.natural("zero_expert_num") if c.has("zero_expert_num") else None
    moe = experts(
        c,
        count=c.n_routed_experts,
        width=c.expert_ffn_hidden_size,
        zero=zero,
        router="router.classifier",
        router_bias=c.get("router_bias") is True,
        correction="mlp.router.e_score_correction_bias",
    )
    dense = [t for i in (0, 1) for t in gated_mlp(c, path=f"mlps.{i}").tensors]
    for part in decoder(
        c,
        attention=first.plus(*second.tensors),
        mlp=moe.plus(*dense),
        layer_norms=("input_layernorm.0", "post_attention_layernorm.0"),
        post_norms=("input_layernorm.1", "post_attention_layernorm.1"),
    ):
        if isinstance(part, TensorSpec):
            yield part
    yield LayerRun(range(0, 2 * n, 2), LayerSpec(0, ffn="moe", **first.facts))
    yield LayerRun(range(1, 2 * n, 2), LayerSpec(0, ffn="dense", **second.facts))
    if c.natural("num_nextn_predict_layers"):
        yield from longcat_mtp(c, mla(c, bias=bias))


def longcat_mtp(c: Config, attention: Block) -> Iterator[TensorSpec]:
    """One prediction layer with a dense MLP, and a second name of the embedding table."""
    hidden, norm = c.hidden_size, rms_norm(c)
    note = "a second name of the embedding table"
    outer = [
        TensorSpec(
            "embed_tokens.weight",
            (c.vocab_size, hidden),
            "mtp",
            tied_to="model.embed_tokens.weight",
            note=note,
        ),
        *norm("norm"),
    ]
    inner = [
        *norm("enorm.m"),
        *norm("hnorm.m"),
        *linear("eh_proj", hidden, 2 * hidden, role="mtp", note="joins the embedding and the hidden state"),
        *one_layer(
            norm,
            ("input_layernorm", "post_attention_layernorm"),
            attention,
            gated_mlp(c, path="transformer_layer.mlp"),
        ),
    ]
    yield from place(outer, "model.mtp.", role="mtp")
    yield from place(inner, "model.mtp.layers.{layer}.", range(1), role="mtp")
