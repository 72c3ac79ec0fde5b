"""Swin: windows that attend within themselves, in stages of which each halves both sides and doubles the width."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...tensors import TensorSpec
from .base import linear
from .towers import conv, layer, layers, norm, pair, patches, stages, table, times

QKV = tuple(f"attention.self.{n}" for n in ("query", "key", "value"))


def swin(v: Config, at: str) -> Iterator[TensorSpec]:
    """Swin: each layer has a table of the distances within a window, and a buffer that looks them up."""
    n = stages(v)
    depths, heads = v.counts_of("depths", n), v.counts_of("num_heads", n)
    high, wide = pair(v, "window_size")
    hidden, window = v.embed_dim, high * wide
    yield from conv(
        f"{at}embeddings.patch_embeddings.projection", hidden, v.num_channels, pair(v, "patch_size")
    )
    if v.flag("use_absolute_embeddings"):
        yield table(f"{at}embeddings.position_embeddings", 1, patches(v) + 1, hidden)
    yield from norm(f"{at}embeddings.norm", hidden)
    for i, (depth, own) in enumerate(zip(depths, heads, strict=True)):
        if hidden % own:
            raise v.error(
                f"num_heads[{i}]", int(own), f"does not divide the width of its stage, {int(hidden)}"
            )
        one = layer(
            hidden,
            times(v, hidden, "mlp_ratio"),
            norms=("layernorm_before", "layernorm_after"),
            attention=(*QKV, "attention.output.dense"),
            mlp=("intermediate.dense", "output.dense"),
            without_bias=() if v.flag("qkv_bias") else QKV,
        )
        one.append(table("attention.self.relative_position_bias_table", (2 * high - 1) * (2 * wide - 1), own))
        index = "attention.self.relative_position_index"
        one.append(TensorSpec(index, (window, window), "vision", "buffer", implied=True))
        yield from layers(one, f"{at}encoder.layers.{i}.blocks.", depth)
        if i < n - 1:
            joined, down = 4 * hidden, f"{at}encoder.layers.{i}.downsample."
            yield from linear(f"{down}reduction", 2 * hidden, joined, role="vision")
            yield from norm(f"{down}norm", joined)
            hidden = 2 * hidden


def swin_tokens(v: Config) -> int:
    """How many tokens Swin puts out: patches of a padded image, both sides halved between stages and rounded up."""
    halved = 1 << (stages(v) - 1)
    sides = zip(pair(v, "image_size"), pair(v, "patch_size"), strict=True)
    high, wide = (-(-int(image) // (int(patch) * halved)) for image, patch in sides)
    return high * wide
