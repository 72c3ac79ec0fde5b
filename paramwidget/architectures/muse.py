"""Muse Glimmer and Muse Spark."""

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
    full_every,
    gated_mlp,
    gqa,
    linear,
    moe_from,
    rms_norm,
    sliding_by_layer,
    vector,
)
from .blocks.heads import stem
from .blocks.towers import conv, layer, layers, maps, norm, stages, table, times
from .nested import text_config, text_model

#: the norms before and behind attention, and before and behind the feed-forward
BEFORE = ("input_layernorm", "pre_feedforward_layernorm")
BEHIND = ("post_attention_layernorm", "post_feedforward_layernorm")


def muse_glimmer(c: Config) -> Iterator[Part]:
    """Muse Glimmer: a tower whose patches are joined, two maps without biases and one into the text, a text model.

    Source: modeling_muse_glimmer in transformers 5.24.  Implied: what joins the patches, which has no parameters.
    Checked: the class's defaults, 29,776,626,688, residual 0.
    """
    at, text = stem(c, "model"), text_config(c)
    yield from _seen(c, at, text)
    yield from text_model(text, f"{at}language_model.")


def muse_spark(c: Config) -> Iterator[Part]:
    """Muse Spark: Muse Glimmer with a text model of experts and a tower that hears raw sound.

    Source: modeling_muse_spark in transformers 5.24.  Its head is never tied.
    Checked: the class's defaults, 822,036,513,792 and 15,872 in buffers, residual 0.
    """
    at, text = stem(c, "model"), text_config(c)
    yield from _seen(c, at, text)
    yield from _heard(c.sub("audio_config"), f"{at}audio_tower.")
    yield from text_model(text, f"{at}language_model.")


def muse_glimmer_text(c: Config) -> Iterator[Part]:
    """Its text model: a gate on what attention puts out, norms before and behind, all attention in each fourth layer.

    Source: modeling_muse_glimmer in transformers 5.24.  Implied: gate_proj of attention.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), gate="gate_proj")
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, full_every(c, 4)),
        mlp=gated_mlp(c),
        layer_norms=BEFORE,
        post_norms=BEHIND,
    )


def muse_spark_text(c: Config) -> Iterator[Part]:
    """Its text model: experts at a width of their own, and a gate a channel on what either part of a layer adds.

    The norm behind attention has no parameters. The layers that see all are counted from the last.

    Source: modeling_muse_spark in transformers 5.24.  Implied: gates, norms and maps around the experts.
    """
    names = ("post_attention_residual_gate.gate", "post_feedforward_residual_gate.gate")
    gates = [vector(name, c.hidden_size, role="norm", implied=True) for name in names]
    behind = rms_norm(c)(BEHIND[1])
    attention = gqa(c, bias=c.flag("attention_bias"), gate="gate_proj").plus(*gates, *behind)
    n = int(c.num_hidden_layers)
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, full_every(c, 4, offset=1 - n % 4)),
        mlp=dense_or_moe(c, moe_from(c, 0), lambda: _experts(c)),
        layer_norms=BEFORE,
        may_tie=False,
    )


def _experts(c: Config) -> Block:
    """Experts between two maps, with a norm before them and one, which all share, behind each."""
    hidden, inner = c.hidden_size, c.moe_hidden_size
    moe = experts(
        c,
        count=c.num_local_experts,
        width=c.moe_intermediate_size,
        inner=inner,
        correction=True,
        stacked=True,
    )
    around = [
        *linear("mlp.pre_expert_proj", inner, hidden, role="mlp", implied=True),
        vector("mlp.pre_expert_norm.weight", inner, role="norm", implied=True),
        vector("mlp.experts.post_expert_norm.weight", inner, role="norm", implied=True),
        *linear("mlp.post_expert_proj", hidden, inner, role="mlp", implied=True),
    ]
    return moe.plus(*around)


def _seen(c: Config, at: str, text: Config) -> Iterator[Part]:
    """The tower, and what maps it into the text."""
    v, tower = c.sub("vision_config"), f"{at}vision_tower."
    hidden, wide, seen = v.hidden_size, c.projector_hidden_size, c.out_hidden_size
    v.divide("hidden_size", "num_attention_heads")
    pixels = 3 * v.patch_temporal * v.patch_size * v.patch_size
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("norm1", "norm2"),
        attention=("attn.q_proj", "attn.k_proj", "attn.v_proj", "attn.proj"),
    )
    yield from linear(f"{tower}patch_embedder.patch_embedding", hidden, pixels, role="vision")
    places = v.pos_emb_height * v.pos_emb_width
    yield table(f"{tower}patch_embedder.position_embedding_table.weight", places, hidden)
    for name in ("ln_pre", "ln_post"):
        yield from norm(f"{tower}{name}", hidden)
    yield from layers(one, f"{tower}layers.", v.num_hidden_layers)
    yield from maps(
        (f"{at}vision_adapter.fc1", wide, seen),
        (f"{at}vision_adapter.fc2", wide, wide),
        (f"{at}vision_projection", text.hidden_size, wide),
        bias=False,
    )


def _heard(a: Config, at: str) -> Iterator[TensorSpec]:
    """ConvNeXt over sound: each stage joins samples, then convolutions of one channel each and two maps."""
    n, inn = stages(a), Dim.field("channels", 1)
    sizes, depths, joined = (
        a.counts_of("hidden_sizes", n),
        a.counts_of("depths", n),
        a.counts_of("patch_sizes", n),
    )
    for i, (hidden, depth, side) in enumerate(zip(sizes, depths, joined, strict=True)):
        patch, width = f"{at}layers.{i}.patch_embedder.", times(a, hidden, "mlp_ratio")
        yield from linear(f"{patch}proj", hidden, inn * side, role="audio", bias=True)
        yield from norm(f"{patch}norm", hidden, role="audio", bias=False)
        one = [
            *conv("conv", hidden, 1, (a.conv_kernel_size,), role="audio"),
            *norm("norm", hidden, role="audio", bias=False),
            *linear("mlp.fc1", width, hidden, role="audio", bias=True),
            *linear("mlp.fc2", hidden, width, role="audio", bias=True),
        ]
        yield from layers(one, f"{at}layers.{i}.conv_blocks.", depth)
        inn = hidden
    yield from norm(f"{at}norm", inn, role="audio", bias=False)
    yield from linear(f"{at}proj", a.out_hidden_size, inn, role="audio", bias=True)
    yield from norm(f"{at}post_proj_norm", a.out_hidden_size, role="audio", bias=False)
