"""xLSTM as the package of its authors builds it: blocks of a matrix memory, and blocks of scalar memories."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import NO_FFN, Block, Part, decoder, linear, rms_norm, vector
from .blocks.base import recurrent
from .blocks.heads import output
from .blocks.towers import conv, fraction, table

ROLE = "linear_attention"
#: what the package's own configs default to
UP = {"round_proj_up_to_multiple_of": 64, "round_proj_up_dim_up": True}
STACK = {
    "hidden_size": lambda c: c.get("embedding_dim"),
    "num_hidden_layers": lambda c: c.get("num_blocks"),
    "slstm_at": [],
    "bias": False,
    "add_post_blocks_norm": True,
}
MATRIX = {"num_heads": 4, "conv1d_kernel_size": 4, "qkv_proj_blocksize": 4, "proj_factor": 2.0, **UP}
SCALAR = {"num_heads": 4, "conv1d_kernel_size": 4, "group_norm_weight": True}
FEEDFORWARD = {"proj_factor": 1.3, "bias": False, **UP}


def xlstm_package(c: Config) -> Iterator[Part]:
    """A config with ``_xlstm_config``: what the package builds, under a class that always ties its head.

    Source: xlstm 2.0.6 on PyPI; modeling_xlstm and configuration_xlstm of PatrickHaller/xlstm_wikipedia_110M_500M.
    Implied: convolutions, gates, norms over heads, skips.
    Checked: PatrickHaller/xlstm_wikipedia_110M_500M and small stacks, as the package builds them.
    """
    p = c.sub("_xlstm_config", declared=STACK)
    n = int(p.num_hidden_layers)
    scalar = range(n) if p.get("slstm_at") == "all" else p.layers_in("slstm_at", p.get("slstm_at"), n)
    mixers, ffns = [_nothing()] * n, [NO_FFN] * n
    matrix = _matrix(p) if len(scalar) < n else _nothing()
    recurrences, ffn = (_scalar(p), _gated(p)) if scalar else (_nothing(), NO_FFN)
    for i in range(n):
        mixers[i], ffns[i] = (recurrences, ffn) if i in scalar else (matrix, NO_FFN)
    at = "xlstm_block_stack"
    yield from decoder(
        p,
        attention=mixers,
        mlp=ffns,
        layer_norms=("xlstm_norm",),
        base="model",
        layers=f"{at}.blocks",
        embed="token_embedding",
        final_norm=f"{at}.post_blocks_norm" if p.flag("add_post_blocks_norm") else None,
        top=lambda inner, words: output(inner, "lm_head", words, tied=True) if inner.head == "causal" else (),
    )


def _nothing() -> Block:
    return Block(())


def _up(p: Config, size: Dim) -> Dim:
    """``proj_factor`` times a width, in whole multiples of ``round_proj_up_to_multiple_of``."""
    factor, multiple = fraction(p, "proj_factor"), int(p.round_proj_up_to_multiple_of)
    whole = factor * int(size) / multiple
    up = -(-whole.numerator // whole.denominator) if p.flag("round_proj_up_dim_up") else int(whole)
    return Dim.field(f"{p.path}proj_factor × {size.symbols}", up * multiple)


def _kernel(p: Config, name: str, channels: Dim) -> list[TensorSpec]:
    return conv(name, channels, 1, (p.conv1d_kernel_size,), role=ROLE)


def _matrix(stack: Config) -> Block:
    """A block whose memory is a matrix a head: q, k and v in small squares along the diagonal."""
    p = stack.sub("mlstm_block").sub("mlstm", declared=MATRIX)
    hidden, heads, bias, at = stack.hidden_size, p.num_heads, stack.flag("bias"), "xlstm."
    inner, square = _up(p, hidden), p.qkv_proj_blocksize
    if inner % square or inner % heads:
        raise p.error("proj_factor", p.get("proj_factor"), f"gives {int(inner)}, which does not divide")
    tensors = linear(f"{at}proj_up", 2 * inner, hidden, role=ROLE, bias=bias)
    for name in ("q_proj", "k_proj", "v_proj"):
        tensors.append(table(f"{at}{name}.weight", inner // square, square, square, role=ROLE))
        if bias:
            tensors.append(vector(f"{at}{name}.bias", inner, role=ROLE, kind="bias"))
    tensors += _kernel(p, f"{at}conv1d.conv", inner)
    for name in ("igate", "fgate"):
        tensors += linear(f"{at}mlstm_cell.{name}", heads, 3 * inner, role=ROLE, bias=True, implied_bias=True)
    tensors.append(vector(f"{at}mlstm_cell.outnorm.weight", inner, role=ROLE, implied=True))
    tensors.append(vector(f"{at}learnable_skip", inner, role=ROLE, implied=True))
    tensors += linear(f"{at}proj_down", hidden, inner, role=ROLE, bias=bias)
    each = int(inner // heads)
    carried = int(heads) * (each * each + each + 1)
    return Block(tuple(tensors), recurrent(carried, int(inner) * int(p.conv1d_kernel_size), "linear"))


def _scalar(stack: Config) -> Block:
    """A block of scalar memories: four gates, each a square a head, that read the input and what was put out before."""
    p = stack.sub("slstm_block").sub("slstm", declared=SCALAR)
    hidden, heads, at = stack.hidden_size, p.num_heads, "xlstm."
    if hidden % heads:
        raise p.error("num_heads", int(heads), f"does not divide the width {int(hidden)}")
    each = hidden // heads
    tensors = _kernel(p, f"{at}conv1d.conv", hidden)
    tensors += [table(f"{at}{g}gate.weight", heads, each, each, role=ROLE) for g in "fizo"]
    tensors.append(table(f"{at}slstm_cell._recurrent_kernel_", heads, each, 4 * each, role=ROLE))
    tensors.append(TensorSpec(f"{at}slstm_cell._bias_", (heads, 4 * each), ROLE, "bias", implied=True))
    if p.flag("group_norm_weight"):
        tensors.append(vector(f"{at}group_norm.weight", hidden, role=ROLE, implied=True))
    return Block(
        tuple(tensors), recurrent(4 * int(hidden), int(hidden) * int(p.conv1d_kernel_size), "linear")
    )


def _gated(stack: Config) -> Block:
    """The gated MLP behind a block of scalar memories, with its norm."""
    p = stack.sub("slstm_block").layer("feedforward", stack.sub("slstm_block").get("feedforward") or {})
    p = Config(p.data, FEEDFORWARD, p.where, class_defaults={}, path=p.path, defaulted=p.defaulted)
    hidden, bias = stack.hidden_size, p.flag("bias")
    width = _up(p, hidden)
    return Block(
        (
            *rms_norm(stack)("ffn_norm"),
            *linear("ffn.proj_up", 2 * width, hidden, role="mlp", bias=bias),
            *linear("ffn.proj_down", hidden, width, role="mlp", bias=bias),
        ),
        {"ffn": "dense"},
    )
