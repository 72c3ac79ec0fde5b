"""Towers that see: what turns an image into vectors that the text model reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...config import Config
from ...dim import Dim
from ...errors import UnknownArchitecture, nearest_names, shown
from ...tensors import TensorSpec
from .base import linear, place
from .towers import QKV, conv, layer, layers, norm, pair, patches, pooling_head, table, times

GATED = ("gate_proj", "up_proj", "down_proj")


def clip(v: Config, at: str) -> Iterator[TensorSpec]:
    """CLIP's image tower: a class token, learned positions, norms before and after. Its names carry a typo of 2021."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    yield table(f"{at}embeddings.class_embedding", hidden)
    yield from conv(
        f"{at}embeddings.patch_embedding", hidden, v.num_channels, pair(v, "patch_size"), bias=False
    )
    yield table(f"{at}embeddings.position_embedding.weight", patches(v) + 1, hidden)
    yield from norm(f"{at}pre_layrnorm", hidden)
    yield from layers(layer(hidden, v.intermediate_size), f"{at}encoder.layers.", v.num_hidden_layers)
    yield from norm(f"{at}post_layernorm", hidden)


def siglip(
    v: Config,
    at: str,
    *,
    head: bool | None = None,
    positions: bool = True,
    out: str = "self_attn.out_proj",
) -> Iterator[TensorSpec]:
    """SigLIP's image tower: learned positions, no class token, and a pooling head where the config wants one.

    Without ``positions`` they are rotary (VideoLLaMA 3).
    """
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    yield from conv(f"{at}embeddings.patch_embedding", hidden, v.num_channels, pair(v, "patch_size"))
    if positions:
        yield table(f"{at}embeddings.position_embedding.weight", patches(v), hidden)
    one = layer(hidden, v.intermediate_size, attention=(*QKV, out))
    yield from layers(one, f"{at}encoder.layers.", v.num_hidden_layers)
    yield from norm(f"{at}post_layernorm", hidden)
    if v.flag("vision_use_head") if head is None else head:
        yield from pooling_head(f"{at}head.", hidden, v.intermediate_size)


def timm_siglip(v: Config, at: str) -> Iterator[TensorSpec]:
    """SigLIP with its pooling head, as timm names and stacks them; the head's tensors are never read."""
    hidden, width = v.hidden_size, v.intermediate_size
    v.divide("hidden_size", "num_attention_heads")
    one = layer(hidden, width, norms=("norm1", "norm2"), attention=("attn.qkv", "attn.proj"))
    yield table(f"{at}pos_embed", 1, patches(v), hidden)
    yield from conv(f"{at}patch_embed.proj", hidden, v.num_channels, pair(v, "patch_size"))
    yield from layers(one, f"{at}blocks.", v.num_hidden_layers)
    yield from norm(f"{at}norm", hidden)
    pool = f"{at}attn_pool."
    yield table(f"{pool}latent", 1, 1, hidden)
    yield from norm(f"{pool}norm", hidden)
    for name, out, inn in (
        ("q", hidden, hidden),
        ("kv", 2 * hidden, hidden),
        ("proj", hidden, hidden),
        ("mlp.fc1", width, hidden),
        ("mlp.fc2", hidden, width),
    ):
        yield from linear(f"{pool}{name}", out, inn, role="vision", bias=True)


def idefics(v: Config, at: str) -> Iterator[TensorSpec]:
    """The tower of Idefics2 and 3 and SmolVLM: SigLIP without its head."""
    return siglip(v, at, head=False)


def pixtral(v: Config, at: str) -> Iterator[TensorSpec]:
    """Pixtral's tower: rotary positions, gated maps, no bias anywhere; only a norm before the first layer."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("attention_norm", "ffn_norm"),
        attention=[f"attention.{n}" for n in ("q_proj", "k_proj", "v_proj", "o_proj")],
        mlp=[f"feed_forward.{n}" for n in GATED],
        bias=False,
        norm_bias=False,
    )
    yield from conv(f"{at}patch_conv", hidden, v.num_channels, pair(v, "patch_size"), bias=False)
    yield from norm(f"{at}ln_pre", hidden, bias=False)
    yield from layers(one, f"{at}transformer.layers.", v.num_hidden_layers)


def internvit(
    v: Config, at: str, *, layer_at: str = "encoder.layer.", last_norm: bool = True
) -> Iterator[TensorSpec]:
    """InternViT as transformers names it: a class token, learned positions, a scale for what each layer adds.

    With ``use_qk_norm`` queries and keys are normed over all heads together; a mean pooling drops the last norm.
    """
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    qkv = [f"attention.{n}" for n in ("q_proj", "k_proj", "v_proj")]
    rms = v.get("norm_type") == "rms_norm"
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("layernorm_before", "layernorm_after"),
        attention=[*qkv, "attention.projection_layer"],
        without_bias=() if v.flag("attention_bias") else qkv,
        norm_bias=not rms,
    )
    one += [table("lambda_1", hidden), table("lambda_2", hidden)]
    if v.flag("use_qk_norm"):
        one += [
            *norm("attention.q_norm", hidden, bias=False),
            *norm("attention.k_norm", hidden, bias=False),
        ]
    yield table(f"{at}embeddings.cls_token", 1, 1, hidden)
    if v.flag("use_mask_token"):
        yield table(f"{at}embeddings.mask_token", 1, 1, hidden)
    if v.flag("use_absolute_position_embeddings"):
        yield table(f"{at}embeddings.position_embeddings", 1, patches(v) + 1, hidden)
    yield from conv(
        f"{at}embeddings.patch_embeddings.projection", hidden, v.num_channels, pair(v, "patch_size")
    )
    yield from layers(one, f"{at}{layer_at}", v.num_hidden_layers)
    if last_norm and not v.flag("use_mean_pooling"):
        yield from norm(f"{at}layernorm", hidden)


def radio(v: Config, at: str) -> Iterator[TensorSpec]:
    """C-RADIO's tower: class tokens and registers in one table, a scale for what each layer adds, no last norm.

    The class tokens that sum an image up are named in a buffer.
    """
    hidden, width = v.hidden_size, times(v, v.hidden_size, "mlp_ratio")
    v.divide("hidden_size", "num_attention_heads")
    if v.flag("use_swiglu_ffn"):
        raise v.error("use_swiglu_ffn", True, "is not described")
    side, pixels = v.max_img_size // v.patch_size, v.num_channels * v.patch_size * v.patch_size
    names = [f"attention.{n}_proj" for n in "qkvo"]
    one = layer(
        hidden,
        width,
        norms=("norm1", "norm2"),
        attention=names,
        without_bias=() if v.flag("qkv_bias") else names[:3],
    )
    one += [table("layer_scale1.lambda1", hidden), table("layer_scale2.lambda1", hidden)]
    yield table(f"{at}embeddings.position_embedding", 1, side * side, hidden)
    yield table(f"{at}embeddings.cls_register_token", v.num_cls_tokens + v.natural("num_registers"), hidden)
    yield from linear(f"{at}embeddings.patch_projection", hidden, pixels, role="vision")
    if v.has("video_temporal_patch_size"):
        frames = pixels * v.video_temporal_patch_size
        yield from linear(f"{at}embeddings.video_patch_projection", hidden, frames, role="vision")
    yield from layers(one, f"{at}encoder.layer.", v.num_hidden_layers)
    summary = v.get("summary_idxs", [0, 1])
    yield TensorSpec(f"{at}summary_idxs", (len(summary),), "vision", "buffer", implied=True)


def intern_vit(v: Config, at: str) -> Iterator[TensorSpec]:
    """InternViT as its makers name it: q, k and v in one matrix, a scale for what each layer adds, no last norm."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("norm1", "norm2"),
        attention=("attn.qkv", "attn.proj"),
        without_bias=() if v.flag("qkv_bias") else ("attn.qkv",),
        norm_bias=v.get("norm_type") != "rms_norm",
    )
    if v.flag("qk_normalization"):
        one += [*norm("attn.q_norm", hidden, bias=False), *norm("attn.k_norm", hidden, bias=False)]
    one += [table("ls1", hidden), table("ls2", hidden)]
    yield table(f"{at}embeddings.class_embedding", 1, 1, hidden)
    yield table(f"{at}embeddings.position_embedding", 1, patches(v) + 1, hidden)
    yield from conv(f"{at}embeddings.patch_embedding", hidden, 3, pair(v, "patch_size"))
    yield from layers(one, f"{at}encoder.layers.", v.num_hidden_layers)


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


def qwen3_vision(v: Config, at: str, *, omni: bool = False) -> Iterator[TensorSpec]:
    """The tower of Qwen3-VL and Qwen3.5: patches, learned positions, blocks, and a merger into the text width.

    Each layer named in ``deepstack_visual_indexes`` has a merger of its own. ``omni``: the names of Qwen3-Omni.
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
    deep = v.get("deepstack_visual_indexes") or ()
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


def janus_vision(v: Config, at: str) -> Iterator[TensorSpec]:
    """Janus's tower: SigLIP without its head, whose width is a ratio and whose attention may be normed."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    one = layer(
        hidden,
        times(v, hidden, "mlp_ratio"),
        attention=(*QKV, "self_attn.projection_layer"),
        without_bias=() if v.flag("attention_bias") else QKV,
    )
    if v.flag("use_qk_norm"):
        one += [*norm("self_attn.q_norm", hidden), *norm("self_attn.k_norm", hidden)]
    yield from conv(f"{at}embeddings.patch_embedding", hidden, v.num_channels, pair(v, "patch_size"))
    yield table(f"{at}embeddings.position_embedding.weight", patches(v), hidden)
    yield from layers(one, f"{at}encoder.layers.", v.num_hidden_layers)
    yield from norm(f"{at}post_layernorm", hidden)


def siglip2(v: Config, at: str) -> Iterator[TensorSpec]:
    """SigLIP 2 for images of any shape: ``num_patches`` positions, patches through a linear map."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    yield from linear(
        f"{at}embeddings.patch_embedding",
        hidden,
        v.num_channels * v.patch_size * v.patch_size,
        role="vision",
        bias=True,
    )
    yield table(f"{at}embeddings.position_embedding.weight", v.num_patches, hidden)
    yield from layers(layer(hidden, v.intermediate_size), f"{at}encoder.layers.", v.num_hidden_layers)
    yield from norm(f"{at}post_layernorm", hidden)
    if v.flag("vision_use_head"):
        yield from pooling_head(f"{at}head.", hidden, v.intermediate_size)


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


#: the towers that a model may name in its vision_config, and what follows the tower's own prefix in the files
TOWERS: dict[str, tuple[Callable[[Config, str], Iterator[TensorSpec]], str]] = {
    "clip_vision_model": (clip, "vision_model."),
    "internvl_vision": (internvit, ""),
    "pixtral": (pixtral, ""),
    "siglip2_vision_model": (siglip2, "vision_model."),
    "siglip_vision_model": (siglip, "vision_model."),
}


def tower(v: Config, at: str, *, inside: str | None = None) -> Iterator[TensorSpec]:
    """The tower that a config names: LLaVA and its like take any. ``inside``: another prefix within it than its own."""
    found = TOWERS.get(v.model_type)
    if found is None:
        near = nearest_names(v.model_type, TOWERS)
        raise UnknownArchitecture(
            f"{v.where}: {v.path}model_type = {shown(v.model_type)} is not a tower that is described here "
            f"(known: {', '.join(TOWERS)}).",
            name=v.model_type,
            nearest=near,
        )
    function, own = found
    return function(v, at + (own if inside is None else inside))
