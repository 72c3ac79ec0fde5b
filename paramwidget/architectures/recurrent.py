"""Recurrent networks that scale like transformers: Griffin's RG-LRU, RWKV, and xLSTM."""

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
    gated_mlp,
    gqa,
    layer_norm,
    linear,
    rg_lru,
    rms_norm,
    vector,
)
from .blocks.base import Norm, place, recurrent
from .xlstm_package import xlstm_package

ROLE = "linear_attention"


def recurrent_gemma(c: Config) -> Iterator[Part]:
    """RecurrentGemma (Griffin): a linear recurrence in two of three layers, attention to a window in the third.

    ``intermediate_size`` counts gate and up together. Whatever ``attention_bias`` says, the output map has a bias.

    Source: modeling_recurrent_gemma in transformers 5.24.  Implied: biases, the gates of the recurrence.
    Checked: alpindale/recurrentgemma-9b stored 8,579,977,216, residual 0.
    """
    pattern = c.get("block_types")
    if (
        not isinstance(pattern, list)
        or not pattern
        or any(k not in ("recurrent", "attention") for k in pattern)
    ):
        raise c.error("block_types", pattern, "must be a list of 'recurrent' and 'attention'")
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=True, path="temporal_block").with_facts(
        mixer="sliding", window=int(c.attention_window_size)
    )
    mixers = by_layer(
        [pattern[i % len(pattern)] for i in range(c.num_hidden_layers)],
        attention=attention,
        recurrent=rg_lru(c, path="temporal_block"),
    )
    yield from decoder(
        c,
        attention=mixers,
        mlp=gated_mlp(c, c.intermediate_size // 2, bias=True, path="mlp_block"),
        layer_norms=("temporal_pre_norm", "channel_pre_norm"),
        final_norm="final_norm",
    )


def rwkv(c: Config) -> Iterator[Part]:
    """RWKV-4: each channel decays on its own; the token before is mixed into what each map reads.

    Source: modeling_rwkv in transformers 5.24.  Implied: decay, bonus, mixing vectors, the norm before layer 0.
    Checked: the class's own defaults (rwkv-4-7b) stored 7,392,649,216, residual 0.
    """
    hidden, inner = c.hidden_size, c.attention_hidden_size
    mixer = [
        vector("attention.time_decay", inner, role=ROLE, implied=True, note="decay"),
        vector("attention.time_first", inner, role=ROLE, implied=True, note="bonus of the current token"),
        *_mixing("attention", hidden, "key", "value", "receptance", role=ROLE),
        *(
            t
            for name in ("key", "value", "receptance")
            for t in linear(f"attention.{name}", inner, hidden, role=ROLE)
        ),
        *linear("attention.output", hidden, inner, role=ROLE),
    ]
    # numerator, denominator and maximum of each channel, and the token before for either half of the layer
    facts = recurrent(3 * inner, 2 * hidden, "linear")
    yield from _rwkv_stack(c, Block(tuple(mixer), facts))


def rwkv5(c: Config) -> Iterator[Part]:
    """RWKV-5 (Eagle): heads with a matrix for a state, a gate and a norm over the heads' output.

    Source: modeling_rwkv5 as published beside the weights of RWKV/rwkv-5-world-*.  Implied: as in RWKV-4, the gate,
    ln_x.
    Checked: shapes against that file; no total of the published files is known here.
    """
    hidden, inner, size = c.hidden_size, c.attention_hidden_size, c.head_size
    if inner % size:
        raise c.error("head_size", int(size), f"does not divide attention_hidden_size = {int(inner)}")
    heads = inner // size
    mixer = [
        TensorSpec("attention.time_decay", (heads, size), ROLE, implied=True, note="decay"),
        TensorSpec(
            "attention.time_faaaa", (heads, size), ROLE, implied=True, note="bonus of the current token"
        ),
        *_mixing("attention", hidden, "key", "value", "receptance", "gate", role=ROLE),
        *(
            t
            for name in ("key", "value", "receptance", "gate")
            for t in linear(f"attention.{name}", inner, hidden, role=ROLE)
        ),
        *linear("attention.output", hidden, inner, role=ROLE),
        vector("attention.ln_x.weight", inner, role=ROLE, implied=True),
        vector("attention.ln_x.bias", inner, role=ROLE, kind="bias", implied=True),
    ]
    facts = recurrent(heads * size * size, 2 * hidden, "linear")
    yield from _rwkv_stack(c, Block(tuple(mixer), facts))


def _rwkv_stack(c: Config, mixer: Block) -> Iterator[Part]:
    hidden, width = c.hidden_size, c.intermediate_size
    channel_mix = [
        *_mixing("feed_forward", hidden, "key", "receptance", role="mlp"),
        *linear("feed_forward.key", width, hidden, role="mlp"),
        *linear("feed_forward.receptance", hidden, hidden, role="mlp", note="gate"),
        *linear("feed_forward.value", hidden, width, role="mlp"),
    ]
    norm = layer_norm(c)
    at = "" if c.head == "none" else "rwkv."
    yield from place(norm("pre_ln"), f"{at}blocks.{{layer}}.", (0,))
    yield from decoder(
        c,
        attention=mixer,
        mlp=Block(tuple(channel_mix), {"ffn": "dense"}),
        norm=norm,
        layer_norms=("ln1", "ln2"),
        base="rwkv",
        layers="blocks",
        embed="embeddings",
        final_norm="ln_out",
        output="head",
    )


def _mixing(path: str, hidden: Dim, *names: str, role: str) -> list[TensorSpec]:
    """How much of the token before each map reads, channel by channel."""
    return [
        TensorSpec(
            f"{path}.time_mix_{name}", (1, 1, hidden), role, implied=True, note="mixes in the token before"
        )
        for name in names
    ]


def xlstm(c: Config) -> Iterator[Part]:
    """xLSTM: mLSTM layers, whose state is a matrix a head, with scalar gates for what enters and what is kept.

    Widths are fractions of the hidden size. ``weight_mode`` says whether files hold the maps apart or fused.

    Source: modeling_xlstm in transformers 5.24.  Implied: biases of the two scalar gates, the norm over heads.
    Checked: the class's own defaults (NX-AI/xLSTM-7b) stored 6,865,424,896, residual 0.
    """
    if c.has("_xlstm_config"):
        yield from xlstm_package(c)
        return
    hidden, heads, bias = c.hidden_size, c.num_heads, c.flag("use_bias")
    for key, twin in (("embedding_dim", "hidden_size"), ("num_blocks", "num_hidden_layers")):
        if c.has(key) and getattr(c, key) != getattr(c, twin):
            raise c.error(key, int(getattr(c, key)), f"is not {twin} = {int(getattr(c, twin))}")
    qk, v = c.scaled("qk_dim_factor", hidden), c.scaled("v_dim_factor", hidden)
    if v % heads:
        raise c.error("num_heads", int(heads), f"does not divide the width of the values {int(v)}")
    mixer, ffn, multiple = "mlstm_layer", "ffn", c.ffn_round_up_to_multiple_of
    width = (c.scaled("ffn_proj_factor", hidden) + (multiple - 1)) // multiple * multiple
    if c.get("weight_mode") == "fused":
        tensors = [
            *linear(f"{mixer}.qkv_opreact", 2 * qk + 2 * v, hidden, role=ROLE, bias=bias),
            *linear(f"{mixer}.ifgate_preact", 2 * heads, hidden, role=ROLE, bias=True, implied_bias=True),
        ]
        up = linear(f"{ffn}.proj_up_gate_z", 2 * width, hidden, role="mlp", bias=bias)
    else:
        maps = (("q", qk), ("k", qk), ("v", v), ("ogate_preact", v))
        tensors = [
            t for name, out in maps for t in linear(f"{mixer}.{name}", out, hidden, role=ROLE, bias=bias)
        ]
        for gate in ("igate_preact", "fgate_preact"):
            tensors += linear(f"{mixer}.{gate}", heads, hidden, role=ROLE, bias=True, implied_bias=True)
        up = [
            *linear(f"{ffn}.proj_up_gate", width, hidden, role="mlp", bias=bias),
            *linear(f"{ffn}.proj_up", width, hidden, role="mlp", bias=bias),
        ]
    tensors.append(vector(f"{mixer}.multihead_norm.weight", v, role=ROLE, implied=True))
    if bias:
        tensors.append(vector(f"{mixer}.multihead_norm.bias", v, role=ROLE, kind="bias"))
    tensors += linear(f"{mixer}.out_proj", hidden, v, role=ROLE, bias=bias)
    up += linear(f"{ffn}.proj_down", hidden, width, role="mlp", bias=bias)
    k_dim, v_dim = int(qk // heads), int(v // heads)
    # a matrix, a normalizer and a maximum for each head
    facts = recurrent(heads * (k_dim * v_dim + k_dim + 1), 0, "linear")
    yield from decoder(
        c,
        attention=Block(tuple(tensors), facts),
        mlp=Block(tuple(up), {"ffn": "dense"}),
        norm=_xlstm_norm(c, bias),
        layer_norms=("norm_mlstm", "norm_ffn"),
        base="backbone",
        layers="blocks",
        embed="embeddings",
        final_norm="out_norm",
        may_tie=False,
    )


def _xlstm_norm(c: Config, bias: bool) -> Norm:
    """Norms with a bias where the maps have one; the final one never has."""
    without, with_bias = rms_norm(c), layer_norm(c)
    return lambda name: with_bias(name) if bias and not name.endswith("out_norm") else without(name)
