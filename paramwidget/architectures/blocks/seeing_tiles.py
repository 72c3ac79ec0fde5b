"""Towers that see large images: in tiles, in windows, or in tables of two sides."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear, place
from .towers import QKV, conv, layer, layers, norm, pair, patches, table, times


def llama4_vision(v: Config, at: str) -> Iterator[TensorSpec]:
    """Llama 4's tower: a class token behind the patches, learned positions, an adapter that joins patches."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    high, wide = pair(v, "patch_size")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("input_layernorm", "post_attention_layernorm"),
        attention=(*QKV, "self_attn.o_proj"),
    )
    yield table(f"{at}class_embedding", hidden)
    yield table(f"{at}positional_embedding_vlm", patches(v) + 1, hidden)
    yield from linear(f"{at}patch_embedding.linear", hidden, v.num_channels * high * wide, role="vision")
    yield from norm(f"{at}layernorm_pre", hidden)
    yield from norm(f"{at}layernorm_post", hidden)
    yield from layers(one, f"{at}model.layers.", v.num_hidden_layers)
    out = v.projector_output_dim
    yield from linear(
        f"{at}vision_adapter.mlp.fc1", v.projector_input_dim, v.intermediate_size, role="vision"
    )
    yield from linear(f"{at}vision_adapter.mlp.fc2", out, out, role="vision")


def mllama_vision(v: Config, at: str) -> Iterator[TensorSpec]:
    """Llama 3.2's tower: a stack, then a gated one over all tiles; tables for each layout of tiles."""
    hidden, tiles = v.hidden_size, v.max_num_tiles
    if hidden % v.attention_heads:
        raise v.error("hidden_size", int(hidden), f"is not a multiple of {int(v.attention_heads)} heads")
    # no layout, and each of the supported ones: by default the eight that fit into four tiles
    ratios = v.get("supported_aspect_ratios")
    if ratios is not None and not isinstance(ratios, list | tuple):
        raise v.error("supported_aspect_ratios", ratios, "must be a list")
    layouts = Dim.field("aspect ratios", 1 + (8 if ratios is None else len(ratios)))
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("input_layernorm", "post_attention_layernorm"),
        attention=(*QKV, "self_attn.o_proj"),
        without_bias=(*QKV, "self_attn.o_proj"),
    )
    positions = patches(v) + 1
    yield from conv(f"{at}patch_embedding", hidden, v.num_channels, pair(v, "patch_size"), bias=False)
    yield table(f"{at}class_embedding", hidden)
    gated = f"{at}gated_positional_embedding."
    yield table(f"{gated}gate", 1)
    yield table(f"{gated}embedding", positions, hidden)
    yield table(f"{gated}tile_embedding.weight", layouts, tiles * positions * hidden)
    for name in ("pre", "post"):
        yield table(f"{at}{name}_tile_positional_embedding.embedding.weight", layouts, tiles * hidden)
        yield table(f"{at}{name}_tile_positional_embedding.gate", 1)
        yield from norm(f"{at}layernorm_{name}", hidden)
    yield from layers(one, f"{at}transformer.layers.", v.num_hidden_layers)
    gates = [table("gate_attn", 1), table("gate_ffn", 1)]
    yield from layers([*one, *gates], f"{at}global_transformer.layers.", v.num_global_layers)


def moonvit(v: Config, at: str) -> Iterator[TensorSpec]:
    """MoonViT, Kimi's tower: a square table of positions beside rotary ones, q, k and v in one matrix."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("norm0", "norm1"),
        attention=("wqkv", "wo"),
        mlp=("mlp.fc0", "mlp.fc1"),
    )
    yield from conv(f"{at}patch_embed.proj", hidden, 3, pair(v, "patch_size"))
    yield table(f"{at}patch_embed.pos_emb.weight", v.pos_emb_height, v.pos_emb_width, hidden)
    yield from layers(one, f"{at}encoder.blocks.", v.num_hidden_layers)
    yield from norm(f"{at}encoder.final_layernorm", hidden)


def sam(v: Config, at: str) -> Iterator[TensorSpec]:
    """SAM's tower: layers that attend within a window, but those in ``global_attn_indexes``; then a neck.

    Each layer has a table for every distance it can see, so a layer that sees all has a longer one.
    """
    hidden, n = v.hidden_size, int(v.num_hidden_layers)
    dim = v.divide("hidden_size", "num_attention_heads")
    high, wide = (a // b for a, b in zip(pair(v, "image_size"), pair(v, "patch_size"), strict=True))
    width = v.mlp_dim if v.has("mlp_dim") else times(v, hidden, "mlp_ratio")
    one = layer(
        hidden,
        width,
        attention=("attn.qkv", "attn.proj"),
        mlp=("mlp.lin1", "mlp.lin2"),
        without_bias=() if v.flag("qkv_bias") else ("attn.qkv",),
    )
    yield from conv(f"{at}patch_embed.projection", hidden, v.num_channels, pair(v, "patch_size"))
    if v.flag("use_abs_pos"):
        yield table(f"{at}pos_embed", 1, high, wide, hidden)
    yield from layers(one, f"{at}layers.", n)
    if v.flag("use_rel_pos"):
        everywhere = v.layers_in("global_attn_indexes", v.get("global_attn_indexes"), n)
        windowed = tuple(sorted(frozenset(range(n)).difference(everywhere)))
        window = v.natural("window_size")
        whole = (2 * high - 1, 2 * wide - 1)
        for where, (h, w) in (
            (tuple(everywhere), whole),
            (windowed, (2 * window - 1, 2 * window - 1) if window else whole),
        ):
            tables = [table("attn.rel_pos_h", h, dim), table("attn.rel_pos_w", w, dim)]
            yield from place(tables, f"{at}layers.{{layer}}.", where)
    yield from sam_neck(v, f"{at}neck.")


def sam_neck(v: Config, at: str) -> Iterator[TensorSpec]:
    """Two convolutions, each normed over its channels."""
    out = v.output_channels
    yield from conv(f"{at}conv1", out, v.hidden_size, (1, 1), bias=False)
    yield from norm(f"{at}layer_norm1", out)
    yield from conv(f"{at}conv2", out, out, (3, 3), bias=False)
    yield from norm(f"{at}layer_norm2", out)
