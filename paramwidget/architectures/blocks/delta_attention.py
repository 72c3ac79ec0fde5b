"""Delta-rule attention with three maps and three convolutions in, as flash-linear-attention keeps it."""

from __future__ import annotations

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import Block, linear, recurrent, vector

ROLE = "linear_attention"


def separate_deltanet(c: Config, *, path: str = "linear_attn") -> Block:
    """Gated DeltaNet with a map for each of queries, keys, values, decay, step and gate (OLMo hybrid)."""
    hidden, kernel = c.hidden_size, c.linear_conv_kernel_dim
    k_heads, v_heads = c.linear_num_key_heads, c.linear_num_value_heads
    k_dim, v_dim = c.linear_key_head_dim, c.linear_value_head_dim
    if v_heads % k_heads:
        raise c.error(
            "linear_num_key_heads", int(k_heads), f"does not divide linear_num_value_heads = {int(v_heads)}"
        )
    keys, values = k_heads * k_dim, v_heads * v_dim
    tensors = [
        *_inputs(path, hidden, keys, values, kernel),
        *linear(f"{path}.a_proj", v_heads, hidden, role=ROLE),
        *linear(f"{path}.b_proj", v_heads, hidden, role=ROLE),
        *linear(f"{path}.g_proj", values, hidden, role=ROLE, note="output gate"),
        *_decay(path, (v_heads,), v_heads),
        vector(f"{path}.o_norm.weight", v_dim, role=ROLE, implied=True),
        *linear(f"{path}.o_proj", hidden, values, role=ROLE),
    ]
    return Block(tuple(tensors), _facts(v_heads, k_dim, v_dim, 2 * keys + values, kernel))


def kimi_delta(
    c: Config,
    heads: Dim,
    head_dim: Dim,
    kernel: Dim,
    *,
    rates: tuple[int, ...] | None = None,
    low_rank_decay: bool = True,
    low_rank_gate: bool = True,
    path: str = "self_attn",
) -> Block:
    """Kimi Delta Attention: a decay for each channel of each head; its map and the gate's may be two thin ones.

    ``rates`` is the shape in which files hold A_log.
    """
    hidden, width = c.hidden_size, heads * head_dim
    tensors = _inputs(path, hidden, width, width, kernel)
    for name, low_rank, note in (("f", low_rank_decay, "decay"), ("g", low_rank_gate, "output gate")):
        if low_rank:
            tensors += linear(f"{path}.{name}_a_proj", head_dim, hidden, role=ROLE, note=note)
            tensors += linear(f"{path}.{name}_b_proj", width, head_dim, role=ROLE, note=note)
        else:
            tensors += linear(f"{path}.{name}_proj", width, hidden, role=ROLE, note=note)
    tensors += [
        *_decay(path, (1, 1, heads, 1) if rates is None else rates, width),
        *linear(f"{path}.b_proj", heads, hidden, role=ROLE, note="step"),
        vector(f"{path}.o_norm.weight", head_dim, role=ROLE, implied=True),
        *linear(f"{path}.o_proj", hidden, width, role=ROLE),
    ]
    return Block(tuple(tensors), _facts(heads, head_dim, head_dim, 3 * width, kernel))


def lightning(c: Config, *, buffers: bool, path: str = "self_attn") -> Block:
    """Lightning attention: a fixed decay a head, so that all it learns is in its maps.

    buffers  files written by transformers hold the decays of a block of tokens too
    """
    hidden, heads = c.hidden_size, c.num_attention_heads
    head_dim = c.head_dim
    width = heads * head_dim
    tensors = [
        *linear(f"{path}.qkv_proj", 3 * width, hidden, role=ROLE),
        *linear(f"{path}.output_gate", width, hidden, role=ROLE),
        vector(f"{path}.norm.weight", width, role=ROLE, implied=True),
        *linear(f"{path}.out_proj", hidden, width, role=ROLE),
    ]
    if buffers:
        block = c.block_size
        for name, shape in (
            ("slope_rate", (heads, 1, 1)),
            ("query_decay", (heads, block, 1)),
            ("key_decay", (heads, block, 1)),
            ("diagonal_decay", (1, heads, block, block)),
        ):
            tensors.append(
                TensorSpec(f"{path}.{name}", shape, ROLE, "buffer", implied=True, note="fixed decay")
            )
    return Block(tuple(tensors), recurrent(0, heads * head_dim * head_dim, "linear"))


def _inputs(path: str, hidden: Dim, keys: Dim, values: Dim, kernel: Dim) -> list[TensorSpec]:
    tensors: list[TensorSpec] = []
    for name, width in (("q", keys), ("k", keys), ("v", values)):
        tensors += linear(f"{path}.{name}_proj", width, hidden, role=ROLE)
        tensors.append(
            TensorSpec(f"{path}.{name}_conv1d.weight", (width, 1, kernel), ROLE, note="depthwise convolution")
        )
    return tensors


def _decay(path: str, rates: tuple[int, ...], steps: int) -> list[TensorSpec]:
    return [
        TensorSpec(f"{path}.A_log", rates, ROLE, implied=True, note="decay"),
        vector(f"{path}.dt_bias", steps, role=ROLE, implied=True, note="time step; not an additive bias"),
    ]


def _facts(heads: int, k_dim: int, v_dim: int, channels: int, kernel: int) -> dict[str, object]:
    """A matrix a head, and the last inputs of each channel of the convolutions."""
    return recurrent(heads * k_dim * v_dim, channels * (kernel - 1), "linear")
