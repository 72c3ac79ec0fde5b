"""What turns sound into codes: SEANet's encoder, and a codebook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .towers import conv, norm, table


def wav_tokenizer(a: Config, at: str) -> Iterator[TensorSpec]:
    """WavTokenizer's encoder: convolutions that each halve the pace and double the width, an LSTM, one codebook.

    The codebook was learned as a running mean: all of it is buffers. Activations are modules and take a number.
    """
    encoder, places = f"{at}encoder.layers.", count()
    width, one = a.num_filters, Dim.field("one", 1)
    yield from _conv(a, f"{encoder}{next(places)}.", width, a.audio_channels, a.kernel_size)
    ratios = a.get("upsampling_ratios")
    for ratio in reversed(a.counts_of("upsampling_ratios", len(ratios))):
        for _ in range(a.num_residual_layers):
            yield from _residual(a, f"{encoder}{next(places)}.", width, one)
        next(places)
        yield from _conv(a, f"{encoder}{next(places)}.", 2 * width, width, 2 * ratio)
        width = 2 * width
    lstm = f"{encoder}{next(places)}.lstm."
    for i in range(a.num_lstm_layers):
        for kind in ("ih", "hh"):
            yield table(f"{lstm}weight_{kind}_l{i}", 4 * width, width, role="audio")
            yield TensorSpec(f"{lstm}bias_{kind}_l{i}", (4 * width,), "audio", "bias")
    next(places)
    yield from _conv(a, f"{encoder}{next(places)}.", a.hidden_size, width, a.last_kernel_size)
    book = f"{at}quantizer.codebook."
    for name, shape in (
        ("inited", (one,)),
        ("cluster_size", (a.codebook_size,)),
        ("embed", (a.codebook_size, a.codebook_dim)),
        ("embed_avg", (a.codebook_size, a.codebook_dim)),
    ):
        yield TensorSpec(f"{book}{name}", shape, "audio", "buffer", implied=True)


def _residual(a: Config, at: str, width: Dim, one: Dim) -> Iterator[TensorSpec]:
    """Two convolutions through fewer channels, and one past them."""
    inner = width // a.compress
    yield from _conv(a, f"{at}block.1.", inner, width, a.residual_kernel_size)
    yield from _conv(a, f"{at}block.3.", width, inner, one)
    if a.flag("use_conv_shortcut"):
        yield from _conv(a, f"{at}shortcut.", width, width, one)


def _conv(a: Config, at: str, out: Dim, inn: Dim, kernel: Dim) -> Iterator[TensorSpec]:
    """A convolution normed by its weight, which is then stored as a length and a direction, or by its output."""
    if a.get("norm_type") == "weight_norm":
        stored = f"{at}conv.parametrizations.weight.original"
        yield table(f"{stored}0", out, 1, 1, role="audio")
        yield table(f"{stored}1", out, inn, kernel, role="audio")
        yield TensorSpec(f"{at}conv.bias", (out,), "audio", "bias")
    else:
        yield from conv(f"{at}conv", out, inn, (kernel,), role="audio")
        yield from norm(f"{at}norm", out, role="audio")
