"""What draws: an autoencoder between pixels and the codes that a text model reads and writes."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .towers import conv, norm, table


def vq_gan(v: Config, at: str) -> Iterator[TensorSpec]:
    """VQ-GAN: convolutions down to a grid, the nearest of ``num_embeddings`` codes for each cell, and back up."""
    widths, latent = _widths(v), v.latent_channels
    yield from _down(v, f"{at}encoder.", widths, latent * 2 if v.flag("double_latent") else latent)
    yield table(f"{at}quantize.embedding.weight", v.num_embeddings, v.embed_dim)
    yield from conv(f"{at}quant_conv", v.embed_dim, latent, (1, 1))
    yield from conv(f"{at}post_quant_conv", latent, v.embed_dim, (1, 1))
    yield from _up(v, f"{at}decoder.", widths, latent)


def ibq_encoder(v: Config, at: str) -> Iterator[TensorSpec]:
    """The encoder half alone, in stages; codes are chosen by their inner product (Emu 3.5).

    A stage attends where its resolution is one of ``attn_resolutions``.
    """
    widths = _widths(v)
    side, attends, seen = v.resolution, v.get("attn_resolutions") or (), v.base_channels
    yield from conv(f"{at}encoder.conv_in", seen, v.in_channels, (3, 3))
    for i, width in enumerate(widths):
        stage = f"{at}encoder.stages.{i}."
        for j in range(v.num_res_blocks):
            yield from _residual(f"{stage}layers.{j}.resnet.", seen, width)
            if int(side) >> i in attends:
                yield from _attention(f"{stage}layers.{j}.attention.", width)
            seen = width
        if i < len(widths) - 1:
            yield from conv(f"{stage}downsample.conv", width, width, (3, 3))
    yield from _middle(f"{at}encoder.", seen)
    yield from norm(f"{at}encoder.norm_out", seen)
    yield from conv(f"{at}encoder.conv_out", v.latent_channels, seen, (3, 3))
    yield table(f"{at}quantize.embedding.weight", v.codebook_size, v.embed_dim)
    yield from conv(f"{at}quant_conv", v.embed_dim, v.latent_channels, (1, 1))


def _widths(v: Config) -> list[Dim]:
    """The width of each stage."""
    steps = v.get("channel_multiplier") or ()
    many = len(steps) if isinstance(steps, list | tuple) else 0
    widths = [v.base_channels * m for m in v.counts_of("channel_multiplier", many)]
    if not widths:
        raise v.error("channel_multiplier", steps, "must name at least one width")
    return widths


def _down(v: Config, at: str, widths: list[Dim], latent: Dim) -> Iterator[TensorSpec]:
    seen: Dim = v.base_channels
    yield from conv(f"{at}conv_in", seen, v.in_channels, (3, 3))
    for i, width in enumerate(widths):
        for j in range(v.num_res_blocks):
            yield from _residual(f"{at}down.{i}.block.{j}.", seen, width)
            seen = width
            if i == len(widths) - 1:
                yield from _attention(f"{at}down.{i}.attn.{j}.", width)
        if i < len(widths) - 1:
            yield from conv(f"{at}down.{i}.downsample.conv", width, width, (3, 3))
    yield from _middle(at, seen)
    yield from norm(f"{at}norm_out", seen)
    yield from conv(f"{at}conv_out", latent, seen, (3, 3))


def _up(v: Config, at: str, widths: list[Dim], latent: Dim) -> Iterator[TensorSpec]:
    seen = widths[-1]
    yield from conv(f"{at}conv_in", seen, latent, (3, 3))
    yield from _middle(at, seen)
    for i, width in enumerate(reversed(widths)):
        for j in range(v.num_res_blocks + 1):
            yield from _residual(f"{at}up.{i}.block.{j}.", seen, width)
            seen = width
            if i == 0:
                yield from _attention(f"{at}up.{i}.attn.{j}.", width)
        if i < len(widths) - 1:
            yield from conv(f"{at}up.{i}.upsample.conv", width, width, (3, 3))
    yield from norm(f"{at}norm_out", seen)
    yield from conv(f"{at}conv_out", v.out_channels, seen, (3, 3))


def _middle(at: str, width: Dim) -> Iterator[TensorSpec]:
    yield from _residual(f"{at}mid.block_1.", width, width)
    yield from _attention(f"{at}mid.attn_1.", width)
    yield from _residual(f"{at}mid.block_2.", width, width)


def _residual(at: str, inn: Dim, out: Dim) -> Iterator[TensorSpec]:
    """Two convolutions, and one past them where the width changes."""
    yield from norm(f"{at}norm1", inn)
    yield from conv(f"{at}conv1", out, inn, (3, 3))
    yield from norm(f"{at}norm2", out)
    yield from conv(f"{at}conv2", out, out, (3, 3))
    if inn != out:
        yield from conv(f"{at}nin_shortcut", out, inn, (1, 1))


def _attention(at: str, width: Dim) -> Iterator[TensorSpec]:
    yield from norm(f"{at}norm", width)
    for name in ("q", "k", "v", "proj_out"):
        yield from conv(f"{at}{name}", width, width, (1, 1))
