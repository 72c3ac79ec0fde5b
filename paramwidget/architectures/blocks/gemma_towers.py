"""The towers of Gemma 4, and what maps them into the text width."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear
from .towers import conv, layers, norm, table


def embedder(seen: Config, at: str, text: int) -> Iterator[TensorSpec]:
    """One map from a tower into the text width; the norm before it has no weight."""
    width = seen.output_proj_dims if seen.has("output_proj_dims") else seen.hidden_size
    yield from linear(f"{at}embedding_projection", text, width, role="projector")


def gemma4_vision(v: Config, at: str) -> Iterator[TensorSpec]:
    """Gemma 4's image tower: a table of positions for each axis, four norms a layer, gated maps."""
    hidden, width, heads, dim = v.hidden_size, v.intermediate_size, v.num_attention_heads, v.head_dim
    kv = v.num_key_value_heads * dim
    clipped = v.flag("use_clipped_linears")
    one = [
        *clippable("self_attn.q_proj", heads * dim, hidden, clipped, "vision"),
        *clippable("self_attn.k_proj", kv, hidden, clipped, "vision"),
        *clippable("self_attn.v_proj", kv, hidden, clipped, "vision"),
        *clippable("self_attn.o_proj", hidden, heads * dim, clipped, "vision"),
        *norm("self_attn.q_norm", dim, bias=False),
        *norm("self_attn.k_norm", dim, bias=False),
        *clippable("mlp.gate_proj", width, hidden, clipped, "vision"),
        *clippable("mlp.up_proj", width, hidden, clipped, "vision"),
        *clippable("mlp.down_proj", hidden, width, clipped, "vision"),
    ]
    for name in ("input", "post_attention", "pre_feedforward", "post_feedforward"):
        one += norm(f"{name}_layernorm", hidden, bias=False)
    yield table(f"{at}patch_embedder.position_embedding_table", 2, v.position_embedding_size, hidden)
    yield from linear(
        f"{at}patch_embedder.input_proj", hidden, 3 * v.patch_size * v.patch_size, role="vision"
    )
    yield from layers(one, f"{at}encoder.layers.", v.num_hidden_layers)
    if v.flag("standardize"):
        for name in ("std_bias", "std_scale"):
            yield TensorSpec(f"{at}{name}", (hidden,), "vision", "buffer", implied=True)


def gemma4_audio(a: Config, at: str) -> Iterator[TensorSpec]:
    """Gemma 4's audio tower, a Conformer: half a feed-forward, attention, a convolution, half a feed-forward."""
    hidden, kernel = a.hidden_size, a.conv_kernel_size
    dim = a.divide("hidden_size", "num_attention_heads")
    clipped = a.flag("use_clipped_linears")
    one: list[TensorSpec] = []
    for i in (1, 2):
        at_ff = f"feed_forward{i}."
        one += [
            *clippable(f"{at_ff}ffw_layer_1", hidden * 4, hidden, clipped, "audio"),
            *clippable(f"{at_ff}ffw_layer_2", hidden, hidden * 4, clipped, "audio"),
            *norm(f"{at_ff}pre_layer_norm", hidden, role="audio", bias=False),
            *norm(f"{at_ff}post_layer_norm", hidden, role="audio", bias=False),
        ]
    for name in ("q_proj", "k_proj", "v_proj", "post"):
        one += clippable(f"self_attn.{name}", hidden, hidden, clipped, "audio")
    one += [
        *linear("self_attn.relative_k_proj", hidden, hidden, role="audio"),
        table("self_attn.per_dim_scale", dim, role="audio"),
        *clippable("lconv1d.linear_start", hidden * 2, hidden, clipped, "audio"),
        *clippable("lconv1d.linear_end", hidden, hidden, clipped, "audio"),
        *conv("lconv1d.depthwise_conv1d", hidden, 1, (kernel,), role="audio", bias=False),
    ]
    for name in (
        "lconv1d.pre_layer_norm",
        "lconv1d.conv_norm",
        "norm_pre_attn",
        "norm_post_attn",
        "norm_out",
    ):
        one += norm(name, hidden, role="audio", bias=False)
    first, second = a.counts_of("subsampling_conv_channels", 2)
    sub = f"{at}subsample_conv_projection."
    for i, (out, inn) in enumerate(((first, 1), (second, first))):
        yield from conv(f"{sub}layer{i}.conv", out, inn, (3, 3), role="audio", bias=False)
        yield from norm(f"{sub}layer{i}.norm", out, role="audio", bias=False)
    yield from linear(f"{sub}input_proj_linear", hidden, first // 4 * second, role="audio")
    yield from layers(one, f"{at}layers.", a.num_hidden_layers)
    yield from linear(f"{at}output_proj", a.output_proj_dims, hidden, role="audio", bias=True)


def gemma3n_audio(a: Config, at: str) -> Iterator[TensorSpec]:
    """Gemma 3n's audio tower: the same Conformer under other names, its maps never clipped."""
    hidden = a.hidden_size
    dim = a.divide("hidden_size", "conf_num_attention_heads")
    one: list[TensorSpec] = []
    for name in ("ffw_layer_start", "ffw_layer_end"):
        one += [
            *norm(f"{name}.pre_layer_norm", hidden, role="audio", bias=False),
            *linear(f"{name}.ffw_layer_1", hidden * 4, hidden, role="audio"),
            *linear(f"{name}.ffw_layer_2", hidden, hidden * 4, role="audio"),
            *norm(f"{name}.post_layer_norm", hidden, role="audio", bias=False),
        ]
    for name in ("q_proj", "k_proj", "v_proj", "relative_position_embedding.pos_proj"):
        one += linear(f"attention.attn.{name}", hidden, hidden, role="audio")
    one += [
        table("attention.attn.per_dim_scale", dim, role="audio"),
        *linear("attention.post", hidden, hidden, role="audio"),
        *linear("lconv1d.linear_start", hidden * 2, hidden, role="audio"),
        *linear("lconv1d.linear_end", hidden, hidden, role="audio"),
        *conv("lconv1d.depthwise_conv1d", hidden, 1, (a.conf_conv_kernel_size,), role="audio", bias=False),
    ]
    for name in (
        "attention.pre_attn_norm",
        "attention.post_norm",
        "lconv1d.pre_layer_norm",
        "lconv1d.conv_norm",
        "norm",
    ):
        one += norm(name, hidden, role="audio", bias=False)
    yield from layers(one, f"{at}conformer.", a.conf_num_hidden_layers)
    seen, pitch, sub = Dim.field("one channel", 1), a.input_feat_size, f"{at}subsample_conv_projection."
    for i, out in enumerate(a.counts_of("sscp_conv_channel_size", 2)):
        kernel, stride = _pair_of(a, "sscp_conv_kernel_size", i), _pair_of(a, "sscp_conv_stride_size", i)
        yield from conv(f"{sub}conv_{i}.conv", out, seen, kernel, role="audio", bias=False)
        yield from norm(f"{sub}conv_{i}.norm", out, role="audio", bias=False)
        # one row of padding on each side
        seen, pitch = out, (pitch + 2 - kernel[1]) // stride[1] + 1
    yield from linear(f"{sub}input_proj_linear", hidden, seen * pitch, role="audio")


def _pair_of(a: Config, key: str, i: int) -> tuple[int, int]:
    """The sizes over time and pitch of one of the two convolutions."""
    value = a.get(key)
    rows = value if isinstance(value, list | tuple) and len(value) == 2 else ()
    row = rows[i] if rows else None
    if not isinstance(row, list | tuple) or len(row) != 2 or not all(type(n) is int and n > 0 for n in row):
        raise a.missing(key) if value is None else a.error(key, value, "must be two pairs of whole numbers")
    return row[0], row[1]


def clippable(name: str, out: int, inn: int, clipped: bool, role: str) -> list[TensorSpec]:
    """A map whose input and output may be clipped: the four bounds are kept beside it."""
    bounds = ["input_min", "input_max", "output_min", "output_max"] if clipped else []
    return [
        *linear(f"{name}.linear", out, inn, role=role),
        *(TensorSpec(f"{name}.{b}", (), role, "buffer", implied=True) for b in bounds),
    ]
