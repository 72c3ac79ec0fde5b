"""MoonViT-3D, the tower of Kimi K3."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...tensors import TensorSpec
from .base import linear, place, vector


def moonvit3d(v: Config, tower: str, projector: str) -> Iterator[TensorSpec]:
    """Patches with learned positions, blocks without biases, and a projector of two maps that a norm ends."""
    for key, known in (
        ("mlp_type", "mlp2"),
        ("merge_type", "sd2_tpool"),
        ("mm_projector_type", "patchmergerv2"),
    ):
        if v.get(key, known) != known:
            raise v.error(key, v.get(key), f"is described only where it is {known!r}")
    hidden, width, patch, role = v.vt_hidden_size, v.vt_intermediate_size, v.patch_size, "vision"
    qkv = v.qkv_hidden_size if v.has("qkv_hidden_size") else hidden
    attn_bias, bias = v.get("attn_bias") is True, v.get("linear_bias") is True
    with_bias = v.get("norm_type", "rmsnorm") == "layernorm"

    def norm(name: str) -> list[TensorSpec]:
        found = [vector(f"{name}.weight", hidden, role=role)]
        if with_bias:
            found.append(vector(f"{name}.bias", hidden, role=role, kind="bias"))
        return found

    yield TensorSpec(f"{tower}patch_embed.proj.weight", (hidden, 3, patch, patch), role)
    if v.get("patch_embed_proj_bias") is True:
        yield vector(f"{tower}patch_embed.proj.bias", hidden, role=role, kind="bias")
    yield TensorSpec(
        f"{tower}patch_embed.pos_emb.weight", (v.init_pos_emb_height, v.init_pos_emb_width, hidden), role
    )
    block = [
        *norm("norm0"),
        *linear("wqkv", 3 * qkv, hidden, role=role, bias=attn_bias),
        *linear("wo", hidden, qkv, role=role, bias=attn_bias),
        *norm("norm1"),
        *linear("mlp.fc0", width, hidden, role=role, bias=bias),
        *linear("mlp.fc1", hidden, width, role=role, bias=bias),
    ]
    yield from place(block, f"{tower}encoder.blocks.{{layer}}.", range(v.vt_num_hidden_layers))
    yield from norm(f"{tower}encoder.final_layernorm")
    merge = v.get("merge_kernel_size")
    if (
        not isinstance(merge, list | tuple)
        or len(merge) != 2
        or any(type(n) is not int or n < 1 for n in merge)
    ):
        raise v.error("merge_kernel_size", merge, "must be two whole numbers")
    seen = v.mm_hidden_size if v.has("mm_hidden_size") else hidden
    merged = seen * (merge[0] * merge[1])
    yield from linear(f"{projector}proj.0", merged, merged, role="projector")
    yield from linear(f"{projector}proj.2", v.text_hidden_size, merged, role="projector")
    yield vector(f"{projector}post_norm.weight", v.text_hidden_size, role="projector")
