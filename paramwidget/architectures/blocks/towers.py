"""Towers that see: what turns an image into vectors that the text model reads."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...tensors import TensorSpec
from .base import linear, place, vector


def qwen_vision(v: Config, path: str) -> Iterator[TensorSpec]:
    """The vision tower of Qwen3-VL and Qwen3.5: patches, learned positions, blocks, and a merger into the text width.

    Each layer named in ``deepstack_visual_indexes`` has a merger of its own.
    """
    hidden, width, patch = v.hidden_size, v.intermediate_size, v.patch_size
    merged = hidden * v.spatial_merge_size * v.spatial_merge_size
    role = "vision"

    def norm(name: str, size: int) -> list[TensorSpec]:
        return [
            vector(f"{name}.weight", size, role=role),
            vector(f"{name}.bias", size, role=role, kind="bias"),
        ]

    def merger(name: str, normed: int) -> list[TensorSpec]:
        return [
            *norm(f"{name}.norm", normed),
            *linear(f"{name}.linear_fc1", merged, merged, role=role, bias=True),
            *linear(f"{name}.linear_fc2", v.out_hidden_size, merged, role=role, bias=True),
        ]

    yield TensorSpec(
        f"{path}patch_embed.proj.weight", (hidden, v.in_channels, v.temporal_patch_size, patch, patch), role
    )
    yield vector(f"{path}patch_embed.proj.bias", hidden, role=role, kind="bias")
    yield TensorSpec(f"{path}pos_embed.weight", (v.num_position_embeddings, hidden), role)
    block = [
        *norm("norm1", hidden),
        *norm("norm2", hidden),
        *linear("attn.qkv", 3 * hidden, hidden, role=role, bias=True),
        *linear("attn.proj", hidden, hidden, role=role, bias=True),
        *linear("mlp.linear_fc1", width, hidden, role=role, bias=True),
        *linear("mlp.linear_fc2", hidden, width, role=role, bias=True),
    ]
    yield from place(block, f"{path}blocks.{{layer}}.", range(v.depth))
    yield from place(merger("merger", hidden), path, role="projector")
    deep = v.get("deepstack_visual_indexes") or ()
    if not isinstance(deep, list | tuple):
        raise v.error("deepstack_visual_indexes", deep, "must be a list of layer indices")
    if deep:
        yield from place(
            merger("", merged), f"{path}deepstack_merger_list.{{layer}}", range(len(deep)), role="projector"
        )
