"""Conformers: encoders whose layers have a convolution beside attention, between two feed-forwards."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear
from .towers import conv, layers, norm, table


def batch_norm(name: str, size: int, role: str) -> list[TensorSpec]:
    """A norm over the batch: a weight and a bias, and in buffers what it has seen so far."""
    seen: tuple[tuple[str, tuple[int, ...]], ...] = (
        ("running_mean", (size,)),
        ("running_var", (size,)),
        ("num_batches_tracked", ()),
    )
    buffers = [TensorSpec(f"{name}.{n}", shape, role, "buffer", implied=True) for n, shape in seen]
    return [*norm(name, size, role=role), *buffers]


def granite(a: Config, at: str, role: str = "audio") -> Iterator[TensorSpec]:
    """Granite Speech's conformer: a table of relative positions in each layer, its guess of the letters halfway up."""
    hidden, out = a.hidden_dim, a.output_dim
    head = a.dim_head if a.has("dim_head") else hidden // a.num_heads
    inner, wide = a.num_heads * head, hidden * a.conv_expansion_factor
    width = hidden * a.feedforward_mult
    layer = [
        *norm("attn.pre_norm", hidden, role=role),
        *linear("attn.to_q", inner, hidden, role=role),
        *linear("attn.to_kv", 2 * inner, hidden, role=role),
        *linear("attn.to_out", hidden, inner, role=role, bias=True),
        table("attn.rel_pos_emb.weight", 2 * a.max_pos_emb + 1, head, role=role),
        *norm("conv.norm", hidden, role=role),
        *conv("conv.up_conv", 2 * wide, hidden, (1,), role=role),
        *conv("conv.depth_conv.conv", wide, 1, (a.conv_kernel_size,), role=role, bias=False),
        *batch_norm("conv.batch_norm", wide, role),
        *conv("conv.down_conv", hidden, wide, (1,), role=role),
        *norm("post_norm", hidden, role=role),
    ]
    for ff in ("ff1", "ff2"):
        layer += norm(f"{ff}.pre_norm", hidden, role=role)
        layer += linear(f"{ff}.up_proj", width, hidden, role=role, bias=True)
        layer += linear(f"{ff}.down_proj", hidden, width, role=role, bias=True)
    yield from linear(f"{at}input_linear", hidden, a.input_dim, role=role, bias=True)
    yield from layers(layer, f"{at}layers.", a.num_layers)
    yield from linear(f"{at}out", out, hidden, role=role, bias=True)
    yield from linear(f"{at}out_mid", hidden, out, role=role, bias=True)


def parakeet(a: Config, at: str, role: str = "audio") -> Iterator[TensorSpec]:
    """Parakeet's conformer: convolutions that halve time and pitch, attention with two biases of the positions."""
    hidden, heads, width = a.hidden_size, a.num_attention_heads, a.intermediate_size
    kernel, channels, bins = a.subsampling_conv_kernel_size, a.subsampling_conv_channels, a.num_mel_bins
    halvings = int(a.subsampling_factor).bit_length() - 1
    under, square = f"{at}subsampling.layers.", (kernel, kernel)
    yield from conv(f"{under}0", channels, 1, square, role=role)
    for i in range(halvings - 1):
        yield from conv(f"{under}{3 * i + 2}", channels, 1, square, role=role)
        yield from conv(f"{under}{3 * i + 3}", channels, channels, (1, 1), role=role)
    left: Dim = bins // a.subsampling_conv_stride**halvings
    yield from linear(f"{at}subsampling.linear", hidden, channels * left, role=role, bias=True)
    bias, conv_bias = a.flag("attention_bias"), a.flag("convolution_bias")
    head = a.head_dim
    layer = [
        *(
            t
            for n in "qkv"
            for t in linear(f"self_attn.{n}_proj", heads * head, hidden, role=role, bias=bias)
        ),
        *linear("self_attn.o_proj", hidden, heads * head, role=role, bias=bias),
        *linear("self_attn.relative_k_proj", heads * head, hidden, role=role),
        *(table(f"self_attn.bias_{n}", heads, head, role=role) for n in "uv"),
        *conv("conv.pointwise_conv1", 2 * hidden, hidden, (1,), role=role, bias=conv_bias),
        *conv("conv.depthwise_conv", hidden, 1, (a.conv_kernel_size,), role=role, bias=conv_bias),
        *batch_norm("conv.norm", hidden, role),
        *conv("conv.pointwise_conv2", hidden, hidden, (1,), role=role, bias=conv_bias),
    ]
    for ff in ("feed_forward1", "feed_forward2"):
        layer += linear(f"{ff}.linear1", width, hidden, role=role, bias=bias)
        layer += linear(f"{ff}.linear2", hidden, width, role=role, bias=bias)
    for name in ("feed_forward1", "self_att", "conv", "feed_forward2", "out"):
        layer += norm(f"norm_{name}", hidden, role=role)
    yield from layers(layer, f"{at}layers.", a.num_hidden_layers)
