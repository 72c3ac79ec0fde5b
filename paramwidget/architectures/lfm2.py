"""LFM2 and LFM3: gated short convolutions in most layers, attention in the others."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    by_layer,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    linear,
    normed,
    place,
    renamed,
    rms_norm,
    short_conv,
)
from .blocks.heads import stem
from .blocks.stack import groups
from .blocks.towers import maps, norm
from .nested import text_config, text_model

NAMES = {"gate_proj": "w1", "up_proj": "w3", "down_proj": "w2"}


def lfm2(c: Config) -> Iterator[Part]:
    """LFM2: the config's MLP width is cut to two thirds and rounded up, as in the first Llama's code.

    Source: modeling_lfm2 in transformers 5.24.  Implied: q_layernorm, k_layernorm.
    Checked: LiquidAI/LFM2-1.2B stored 1,170,340,608, Hub 1,170,340,608, residual 0.
    """
    yield from _stack(c, _kinds(c), _mlp(c, adjusted_width(c)))


def lfm2_moe(c: Config) -> Iterator[Part]:
    """LFM2-MoE: the first layers dense, then experts, with a bias that balances their load.

    Source: modeling_lfm2_moe in transformers 5.24, names of the files.  Implied: q_layernorm, k_layernorm, router.
    Checked: LiquidAI/LFM2-8B-A1B stored 8,339,929,856 without buffers, Hub the same; buffers 704.
    """
    n = int(c.num_hidden_layers)
    moe = experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        path="feed_forward",
        correction="feed_forward.expert_bias" if c.flag("use_expert_bias") else False,
        matrices=("w1", "w3", "w2"),
    )
    kinds = c.list_of("layer_types", n, ("conv", "full_attention"))
    dense = _mlp(c, c.intermediate_size)
    yield from _stack(c, kinds, dense_or_moe(c, range(min(n, c.natural("num_dense_layers")), n), moe, dense))


def lfm3(c: Config) -> Iterator[Part]:
    """LFM3: LFM2 with windows, a gate on the output of each head, and norms of what each half puts out.

    Source: modeling_lfm3 in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: the class's own defaults stored 1,728,801,536, residual 0.
    """
    n = int(c.num_hidden_layers)
    gate = "g_proj" if c.flag("use_attention_gate") else None
    full = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, gate=gate, gate_per_head=True)
    sliding = full.with_facts(
        mixer="sliding", window=int(c.sliding_window) if c.has("sliding_window") else None
    )
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, ("conv", "full_attention", "sliding_attention"))
    else:
        pattern = ("sliding_attention", "conv", "full_attention", "conv")
        kinds = ["conv" if i == 0 else pattern[i % 4] for i in range(n)]
    mixers = by_layer(kinds, conv=short_conv(c), full_attention=full, sliding_attention=sliding)
    yield from _decoder(
        c,
        mixers,
        _mlp(c, c.intermediate_size),
        ("post_operator_norm", "post_ffn_norm") if c.flag("use_sandwich_norm") else (),
    )


def lfm3_vl(c: Config) -> Iterator[Part]:
    """LFM3-VL: a tower of short convolutions over the image and of attention; patches joined behind a norm; LFM3.

    Source: modeling_lfm3_vl in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: the class's defaults, 1,918,181,888, residual 0.
    """
    at, v, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    hidden, merge, tower = v.hidden_size, v.spatial_merge_size, f"{at}vision_tower."
    pixels = v.in_channels * v.temporal_patch_size * v.patch_size * v.patch_size
    yield TensorSpec(f"{tower}patch_embed.weight", (hidden, pixels), "vision")
    yield from norm(f"{tower}embedding_norm", hidden, bias=False)
    for part in _seeing(v):
        for where, own in groups(part, int(v.num_hidden_layers)):
            yield from place(own, f"{tower}layers.{{layer}}.", where, role="vision")
    wide, projector = c.projector_hidden_size, f"{at}multi_modal_projector."
    yield from norm(f"{projector}layer_norm", hidden, role="projector")
    yield from maps(
        (f"{projector}linear_1", wide, hidden * merge * merge),
        (f"{projector}linear_2", text.hidden_size, wide),
        bias=c.flag("projector_bias"),
    )
    yield from text_model(text, f"{at}language_model.")


def _seeing(v: Config) -> tuple[list[Block], Block]:
    """The mixers of the tower, and what follows each."""
    n, hidden, kernel = int(v.num_hidden_layers), v.hidden_size, v.conv_kernel_size
    dim = v.divide("hidden_size", "num_attention_heads")
    kinds = (
        v.list_of("layer_types", n, ("conv", "full_attention"))
        if v.has("layer_types")
        else ["full_attention" if i and i % 2 == 0 else "conv" for i in range(n)]
    )
    conv = Block(
        (
            *linear("conv.in_proj", 3 * hidden, hidden, role="vision"),
            TensorSpec("conv.spatial_conv.weight", (hidden, 1, kernel, kernel), "vision"),
            *linear("conv.out_proj", hidden, hidden, role="vision"),
        )
    )
    attention = gqa(v, qk_norm=True, head_dim=dim, out="out_proj")
    rest = _mlp(v, v.intermediate_size).plus(*normed(rms_norm(v), "operator_norm", "ffn_norm").tensors)
    return by_layer(kinds, conv=conv, full_attention=attention), rest


def _kinds(c: Config) -> list[str]:
    """LFM2's first configs name the layers that attend instead of giving a word for each; with neither, all do."""
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        return c.list_of("layer_types", n, ("conv", "full_attention"))
    attends = c.get("full_attn_idxs")
    if attends is None:
        return ["full_attention"] * n
    if not isinstance(attends, list) or not all(type(i) is int for i in attends):
        raise c.error("full_attn_idxs", attends, "must be a list of layer indices")
    return ["full_attention" if i in attends else "conv" for i in range(n)]


def adjusted_width(c: Config) -> Dim:
    """The width of LFM2's MLP: ``block_ff_dim`` or ``intermediate_size``, and what the block makes of it."""
    width = c.block_ff_dim if c.has("block_ff_dim") else c.intermediate_size
    if not c.flag("block_auto_adjust_ff_dim"):
        return width
    width = 2 * width // 3
    if c.has("block_ffn_dim_multiplier"):
        multiple = c.block_multiple_of
        if c.get("block_ffn_dim_multiplier") != 1:
            width = c.scaled("block_ffn_dim_multiplier", width)
        width = width.ceil_div(multiple) * multiple
    return width


def _mlp(c: Config, width: Dim) -> Block:
    return renamed(gated_mlp(c, width, path="feed_forward"), NAMES)


def _stack(c: Config, kinds: list[str], mlp: Block | list[Block]) -> Iterator[Part]:
    attention = renamed(
        gqa(c, qk_norm=True, out="out_proj"), {"q_norm": "q_layernorm", "k_norm": "k_layernorm"}
    )
    mixers = by_layer(kinds, conv=short_conv(c), full_attention=attention)
    yield from _decoder(c, mixers, mlp)


def _decoder(
    c: Config, mixers: list[Block], mlp: Block | list[Block], post_norms: tuple[str, ...] = ()
) -> Iterator[Part]:
    yield from decoder(
        c,
        attention=mixers,
        mlp=mlp,
        layer_norms=("operator_norm", "ffn_norm"),
        post_norms=post_norms,
        final_norm="embedding_norm",
    )
