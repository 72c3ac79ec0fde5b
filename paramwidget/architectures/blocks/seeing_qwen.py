"""Towers that join neighbouring patches before the text model reads them: Qwen's and GLM's."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear, place
from .towers import GATED, conv, layer, layers, norm, pair, patches, table, times


def qwen2_vision(v: Config, at: str) -> Iterator[TensorSpec]:
    """Qwen2-VL's tower: rotary positions, a width of ``embed_dim`` inside and ``hidden_size``, the text's, outside."""
    hidden = v.embed_dim
    v.divide("embed_dim", "num_heads")
    one = layer(
        hidden,
        times(v, hidden, "mlp_ratio"),
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj"),
    )
    yield from _qwen_patches(v, at, hidden, bias=False)
    yield from layers(one, f"{at}blocks.", v.depth)
    yield from _qwen_merger(v, at, hidden, v.hidden_size)


def qwen2_5_vision(
    v: Config, at: str, *, fused: bool = True, kv_heads: Dim | None = None
) -> Iterator[TensorSpec]:
    """Qwen2.5-VL's tower: gated maps and norms without a bias; ``fused``: q, k and v in one matrix (not in Omni).

    ``kv_heads``: where they are fewer than the heads (EXAONE 4.5).
    """
    hidden, dim = v.hidden_size, v.divide("hidden_size", "num_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        qkv=None if kv_heads is None else hidden + 2 * kv_heads * dim,
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj") if fused else ("attn.q", "attn.k", "attn.v", "attn.proj"),
        mlp=[f"mlp.{n}" for n in GATED],
        norm_bias=False,
    )
    yield from _qwen_patches(v, at, hidden, bias=False)
    yield from layers(one, f"{at}blocks.", v.depth)
    yield from _qwen_merger(v, at, hidden, v.out_hidden_size, norm_bias=False)


def qwen3_vision(v: Config, at: str, *, omni: bool = False, deepstack: bool = True) -> Iterator[TensorSpec]:
    """The tower of Qwen3-VL and Qwen3.5: patches, learned positions, blocks, and a merger into the text width.

    Each layer named in ``deepstack_visual_indexes`` has a merger of its own, but not in Qwen3.5 (``deepstack`` false).
    ``omni``: the names of Qwen3-Omni.
    """
    hidden = v.hidden_size
    v.divide("hidden_size", "num_heads")
    merged = hidden * v.spatial_merge_size * v.spatial_merge_size
    names = ("ln_q", "mlp.0", "mlp.2") if omni else ("norm", "linear_fc1", "linear_fc2")

    def merger(normed: int) -> list[TensorSpec]:
        return [
            *norm(names[0], normed, role="projector"),
            *linear(names[1], merged, merged, role="projector", bias=True),
            *linear(names[2], v.out_hidden_size, merged, role="projector", bias=True),
        ]

    one = layer(
        hidden,
        v.intermediate_size,
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj"),
        mlp=("mlp.linear_fc1", "mlp.linear_fc2"),
    )
    yield from _qwen_patches(v, at, hidden, bias=True)
    yield table(f"{at}pos_embed.weight", v.num_position_embeddings, hidden)
    yield from layers(one, f"{at}blocks.", v.depth)
    yield from place(merger(hidden), f"{at}merger.")
    deep = (deepstack and v.get("deepstack_visual_indexes")) or ()
    if not isinstance(deep, list | tuple):
        raise v.error("deepstack_visual_indexes", deep, "must be a list of layer indices")
    if deep:
        yield from layers(merger(merged), f"{at}{'' if omni else 'deepstack_'}merger_list.", len(deep))


def glm4v_vision(v: Config, at: str) -> Iterator[TensorSpec]:
    """GLM-4.1V's tower: learned positions, gated maps as wide as the text, a convolution that joins patches.

    ``intermediate_size`` is the width inside the merger, not inside the blocks.
    """
    hidden, out, merge = v.hidden_size, v.out_hidden_size, v.spatial_merge_size
    v.divide("hidden_size", "num_heads")
    one = layer(
        hidden,
        out,
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj"),
        mlp=[f"mlp.{n}" for n in GATED],
        bias=v.flag("attention_bias"),
        without_bias=("attn.proj", *(f"mlp.{n}" for n in GATED)),
        norm_bias=False,
    )
    yield from _qwen_patches(v, at, hidden, bias=True)
    yield table(f"{at}embeddings.position_embedding.weight", patches(v), hidden)
    yield from norm(f"{at}post_conv_layernorm", hidden, bias=False)
    yield from layers(one, f"{at}blocks.", v.depth)
    yield from norm(f"{at}post_layernorm", hidden, bias=False)
    yield from _glm_merger(at, hidden, out, merge, v.intermediate_size)


def glm_ocr_vision(v: Config, at: str, width: Dim) -> Iterator[TensorSpec]:
    """GLM-OCR's tower: GLM-4.1V's without learned positions, heads normed, and biases; ``width`` is the merger's."""
    hidden, out, merge, bias = (
        v.hidden_size,
        v.out_hidden_size,
        v.spatial_merge_size,
        v.flag("attention_bias"),
    )
    dim = v.divide("hidden_size", "num_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj"),
        mlp=[f"mlp.{n}" for n in GATED],
        bias=bias,
        norm_bias=False,
    )
    one += [*norm("attn.q_norm", dim, bias=False), *norm("attn.k_norm", dim, bias=False)]
    yield from _qwen_patches(v, at, hidden, bias=True)
    yield from layers(one, f"{at}blocks.", v.depth)
    yield from norm(f"{at}post_layernorm", hidden, bias=False)
    yield from _glm_merger(at, hidden, out, merge, width)


def _glm_merger(at: str, hidden: Dim, out: Dim, merge: Dim, width: Dim) -> Iterator[TensorSpec]:
    """A convolution that joins patches, one map, and a gated one."""
    yield from conv(f"{at}downsample", out, hidden, (merge, merge), role="projector")
    yield from linear(f"{at}merger.proj", out, out, role="projector")
    yield from norm(f"{at}merger.post_projection_norm", out, role="projector")
    for name in GATED[:2]:
        yield from linear(f"{at}merger.{name}", width, out, role="projector")
    yield from linear(f"{at}merger.{GATED[2]}", out, width, role="projector")


def _qwen_patches(v: Config, at: str, hidden: int, *, bias: bool) -> Iterator[TensorSpec]:
    """Patches of pixels and frames: a convolution of three dimensions."""
    kernel = (pair(v, "temporal_patch_size")[0], *pair(v, "patch_size"))
    yield from conv(f"{at}patch_embed.proj", hidden, v.in_channels, kernel, bias=bias)


def _qwen_merger(
    v: Config, at: str, hidden: int, out: int, *, norm_bias: bool = True
) -> Iterator[TensorSpec]:
    """Neighbouring patches side by side, through two maps, into the width of the text."""
    merged = hidden * v.spatial_merge_size * v.spatial_merge_size
    yield from norm(f"{at}merger.ln_q", hidden, role="projector", bias=norm_bias)
    yield from linear(f"{at}merger.mlp.0", merged, merged, role="projector", bias=True)
    yield from linear(f"{at}merger.mlp.2", out, merged, role="projector", bias=True)
