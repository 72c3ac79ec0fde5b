"""ERNIE-4.5's mixtures of experts, the second of which sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..dim import Dim
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
from .blocks.base import vector
from .blocks.experts import moe_from
from .blocks.heads import stem
from .blocks.towers import layer, layers, maps, norm
from .nested import text_config, text_model


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


def ernie4_5_vl_moe(c: Config) -> Iterator[Part]:
    """ERNIE-4.5-VL: a tower with rotary positions; patches joined in space, then two frames in time.

    Source: modeling_ernie4_5_vl_moe in transformers 5.24.  Implied: the resampler and its biases.
    Checked: the class's defaults, 29,399,294,336, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    hidden, tower, after = vision.hidden_size, f"{at}vision_tower.", f"{at}resampler_model."
    one = layer(
        hidden,
        vision.intermediate_size,
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj"),
        mlp=("mlp.fc1", "mlp.fc2"),
    )
    pixels = vision.in_channels * vision.patch_size * vision.patch_size
    yield from linear(f"{tower}patch_embed.proj", hidden, pixels, role="vision")
    yield from layers(one, f"{tower}blocks.", vision.depth)
    yield from norm(f"{tower}ln", hidden)
    merged = hidden * vision.spatial_merge_size * vision.spatial_merge_size
    for name, seen in (("spatial", merged), ("temporal", merged * vision.temporal_merge_size)):
        own = f"{after}{name}_linear."
        yield from maps((f"{own}fc1", merged, seen), (f"{own}fc2", merged, merged))
        yield from norm(f"{own}ln", merged, role="projector")
    yield from maps((f"{after}mlp", text.hidden_size, merged))
    yield vector(f"{after}after_norm.weight", text.hidden_size, role="projector")
    yield from text_model(text, f"{at}language_model.")


def ernie4_5_vl_moe_text(c: Config) -> Iterator[Part]:
    """Its text model: in each layer with experts those for words, those for images, and shared ones for both.

    A text token passes the experts for images by, and their router.

    Source: modeling_ernie4_5_vl_moe in transformers 5.24.  Implied: routers and their correction biases.
    """
    n, bias, count = int(c.num_hidden_layers), c.flag("use_bias"), c.moe_num_experts
    words, images = (
        c.counts_of("moe_intermediate_size", 2)
        if c.has("moe_intermediate_size")
        else (Dim.field("moe_intermediate_size[0]", 1536), Dim.field("moe_intermediate_size[1]", 512))
    )
    shared = shared_expert(
        c, words * c.natural("moe_num_shared_experts"), path="mlp.shared_experts", bias=bias
    )
    moe = _experts_of(c, "mlp.text_moe", words, count)
    unused = [replace(t, role="vision") for t in _experts_of(c, "mlp.vision_moe", images, count).tensors]
    yield from decoder(
        c,
        attention=gqa(c, bias=bias),
        mlp=dense_or_moe(c, moe_from(c, min(n, 1)), moe.plus(*unused, *shared), gated_mlp(c, bias=bias)),
    )


def _experts_of(c: Config, path: str, width: Dim, count: Dim) -> Block:
    name = f"{path}.gate.moe_statics.e_score_correction_bias"
    return experts(
        c,
        count=count,
        width=width,
        top_k=c.moe_k,
        path=path,
        correction=correction_bias(name, count, kind="bias", row=True),
    )
