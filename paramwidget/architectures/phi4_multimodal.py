"""Phi-4-multimodal."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.heads import stem
from .blocks.seeing import siglip
from .blocks.towers import conv, layers, maps, norm, table
from .llama import phi3


def phi4_multimodal(c: Config) -> Iterator[Part]:
    """Phi-4-multimodal in the form of transformers: Phi-3, SigLIP for images and a Conformer for speech.

    The files of its makers also hold the two adapters (LoRA) that switch with what is read; they are not counted here.

    Source: modeling_phi4_multimodal in transformers 5.24.  Checked: the class's defaults, 5,308,268,992.
    """
    hidden, at = c.hidden_size, f"{stem(c, 'model')}embed_tokens_extend."
    vision, audio = c.sub("vision_config"), c.sub("audio_config")
    seen, heard = vision.hidden_size, audio.hidden_size
    image, speech = f"{at}image_embed.", f"{at}audio_embed."
    yield table(f"{image}global_img_feature_extensor", 1, 1, seen)
    yield table(f"{image}sub_img_feature_extensor", 1, 1, 1, seen)
    yield from siglip(vision, f"{image}img_processor.", head=True)
    yield from maps(
        (f"{image}img_projection_up", hidden, seen), (f"{image}img_projection_down", hidden, hidden)
    )
    yield from _conformer(audio, f"{speech}encoder.")
    wide = heard * audio.downsample_rate
    for name in ("speech", "vision_speech"):
        yield from maps(
            (f"{speech}up_proj_for_{name}", hidden, wide), (f"{speech}down_proj_for_{name}", hidden, hidden)
        )
    yield from phi3(c)


def _conformer(a: Config, at: str) -> Iterator[TensorSpec]:
    """The speech encoder: convolutions that shorten time, then feed-forward, attention, convolution, feed-forward."""
    hidden, width, out = a.hidden_size, a.intermediate_size, a.ext_pw_out_channel
    channels, pitch = a.nemo_conv_channels, a.input_size
    steps = _halvings(a)
    yield from conv(f"{at}embed.conv.0", channels, 1, (3, 3), role="audio")
    for i in range(1, steps):
        yield from conv(f"{at}embed.conv.{3 * i - 1}", channels, 1, (3, 3), role="audio")
        yield from conv(f"{at}embed.conv.{3 * i}", channels, channels, (1, 1), role="audio")
    for _ in range(steps):
        pitch = pitch.ceil_div(2)
    if a.has("nemo_final_size"):  # computed by the class, and written into its files
        pitch = a.nemo_final_size
    yield from linear(f"{at}embed.out", hidden, channels * pitch, role="audio", bias=True)
    for name in ("global_mean", "global_invstd"):
        yield TensorSpec(f"{at}encoder_embedding.{name}", (a.input_size,), "audio", "buffer", implied=True)
    reach = a.bias_max_distance if a.flag("bias_symmetric") else a.bias_max_distance * 2
    yield table(
        f"{at}relative_attention_bias_layer.bias_values.weight", reach, a.num_attention_heads, role="audio"
    )
    one: list[TensorSpec] = []
    for name in ("feed_forward_in", "feed_forward_out"):
        one += [
            *norm(f"{name}.layer_norm", hidden, role="audio"),
            *linear(f"{name}.gate_up_proj", width * 2, hidden, role="audio", bias=True),
            *linear(f"{name}.down_proj", hidden, width, role="audio", bias=True),
        ]
    heads = a.num_attention_heads
    inner = (
        heads * (hidden // heads) if hidden % heads else hidden
    )  # what heads of whole width leave is not read
    for name in ("q_proj", "k_proj", "v_proj"):
        one += linear(f"self_attn.{name}", inner, hidden, role="audio", bias=True)
    one += linear("self_attn.o_proj", hidden, inner, role="audio", bias=True)
    deep = hidden * a.depthwise_multiplier
    one += [
        *norm("conv.layer_norm", hidden, role="audio"),
        table("conv.glu.b1", 1, out, 1, role="audio"),
        table("conv.glu.b2", 1, out, 1, role="audio"),
        *conv("conv.glu.ext_pw_conv_1d", out * 2, hidden, (1,), role="audio"),
        *conv("conv.dw_sep_conv_1d.dw_conv", deep, 1, (a.kernel_size,), role="audio"),
        *conv("conv.dw_sep_conv_1d.pw_conv", a.depthwise_separable_out_channel, deep, (1,), role="audio"),
        *conv("conv.ext_pw_conv_1d", out, hidden, (1,), role="audio"),
        *norm("layer_norm_att", hidden, role="audio"),
        *norm("layer_norm", hidden, role="audio"),
    ]
    yield from layers(one, f"{at}encoders.", a.num_blocks)


def _halvings(a: Config) -> int:
    """How often time is halved: ``time_reduction`` is a power of two."""
    ratio: Dim = a.time_reduction
    steps = int(ratio).bit_length() - 1
    if 1 << steps != ratio or not steps:
        raise a.error("time_reduction", int(ratio), "must be a power of two")
    return steps
