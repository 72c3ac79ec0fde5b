"""LFM2 and LFM3: gated short convolutions in most layers, attention in the others."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blocks import (
    Block,
    Part,
    by_layer,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    renamed,
    short_conv,
)

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
    gate = "gate_proj" if c.flag("use_attention_gate") else None
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
