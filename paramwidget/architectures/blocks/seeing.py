"""Towers that see: what turns an image into vectors that the text model reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...config import Config
from ...dim import Dim
from ...errors import UnknownArchitecture, nearest_names, shown
from ...tensors import TensorSpec
from .base import linear
from .towers import GATED, QKV, conv, layer, layers, norm, pair, patches, pooling_head, table, times


def clip(v: Config, at: str, *, reads_pixels: bool = True) -> Iterator[TensorSpec]:
    """CLIP's image tower: a class token, learned positions, norms before and after. Its names carry a typo of 2021.

    Where another tower stands before it, it reads no pixels and has no last norm.
    """
    hidden = v.hidden_size
    v.divide("hidden_size", "num_attention_heads")
    yield table(f"{at}embeddings.class_embedding", hidden)
    if reads_pixels:
        yield from conv(
            f"{at}embeddings.patch_embedding", hidden, v.num_channels, pair(v, "patch_size"), bias=False
        )
    yield table(f"{at}embeddings.position_embedding.weight", patches(v) + 1, hidden)
    yield from norm(f"{at}pre_layrnorm", hidden)
    yield from layers(layer(hidden, v.intermediate_size), f"{at}encoder.layers.", v.num_hidden_layers)
    if reads_pixels:
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


def eva_clip(v: Config, at: str) -> Iterator[TensorSpec]:
    """EVA-CLIP as CogVLM names it: a class token, learned positions of ``num_positions``, q, k and v in one matrix."""
    hidden = v.hidden_size
    v.divide("hidden_size", "num_heads")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("input_layernorm", "post_attention_layernorm"),
        attention=("attention.query_key_value", "attention.dense"),
    )
    yield table(f"{at}patch_embedding.cls_embedding", 1, hidden)
    yield from conv(f"{at}patch_embedding.proj", hidden, v.in_channels, pair(v, "patch_size"))
    yield table(f"{at}patch_embedding.position_embedding.weight", v.num_positions, hidden)
    yield from layers(one, f"{at}transformer.layers.", v.num_hidden_layers)


def siglip2(v: Config, at: str, *, head: bool | None = None) -> Iterator[TensorSpec]:
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
    if v.flag("vision_use_head") if head is None else head:
        yield from pooling_head(f"{at}head.", hidden, v.intermediate_size)


def pix2struct_vision(
    v: Config, at: str, head_dim: Dim, rows: Dim, role: str = "vision"
) -> Iterator[TensorSpec]:
    """Pix2Struct's tower for images of any shape: a table of rows and one of columns, gated maps without biases."""
    hidden = v.hidden_size
    one = layer(
        hidden,
        v.intermediate_size,
        role=role,
        norms=("pre_attention_layer_norm", "pre_mlp_layer_norm"),
        attention=[f"attention.{n}" for n in ("query", "key", "value", "output")],
        mlp=("mlp.wi_0", "mlp.wi_1", "mlp.wo"),
        bias=False,
        norm_bias=False,
        inner=v.num_attention_heads * head_dim,
    )
    projection = f"{at}embeddings.patch_projection"
    yield from linear(projection, hidden, v.patch_embed_hidden_size, role=role, bias=True)
    for name in ("row", "column"):
        yield table(f"{at}embeddings.{name}_embedder.weight", rows, hidden, role=role)
    yield from layers(one, f"{at}encoder.layer.", v.num_hidden_layers)
    yield from norm(f"{at}layernorm", hidden, role=role, bias=False)


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
