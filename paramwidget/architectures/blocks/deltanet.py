"""Gated DeltaNet: linear attention with a state that does not grow with the context."""

from __future__ import annotations

from ...config import Config
from ...tensors import TensorSpec
from .base import Block, linear, recurrent, vector


def gated_deltanet(c: Config, *, fused: bool, single: bool = False, path: str = "linear_attn") -> Block:
    """Qwen3-Next's linear attention.

    fused   files hold two input maps, in_proj_qkvz and in_proj_ba (Qwen3-Next); else four (Qwen3.5)
    single  they hold one
    """
    hidden, kernel = c.hidden_size, c.linear_conv_kernel_dim
    k_heads, v_heads = c.linear_num_key_heads, c.linear_num_value_heads
    k_dim, v_dim = c.linear_key_head_dim, c.linear_value_head_dim
    if v_heads % k_heads:
        raise c.error(
            "linear_num_key_heads", int(k_heads), f"does not divide linear_num_value_heads = {int(v_heads)}"
        )
    keys, values = k_heads * k_dim, v_heads * v_dim
    role = "linear_attention"
    tensors: list[TensorSpec] = []
    if single:
        tensors += linear(f"{path}.in_proj", 2 * keys + 2 * values + 2 * v_heads, hidden, role=role)
    elif fused:
        tensors += linear(f"{path}.in_proj_qkvz", 2 * keys + 2 * values, hidden, role=role)
        tensors += linear(f"{path}.in_proj_ba", 2 * v_heads, hidden, role=role)
    else:
        tensors += linear(f"{path}.in_proj_qkv", 2 * keys + values, hidden, role=role)
        tensors += linear(f"{path}.in_proj_z", values, hidden, role=role)
        tensors += linear(f"{path}.in_proj_b", v_heads, hidden, role=role)
        tensors += linear(f"{path}.in_proj_a", v_heads, hidden, role=role)
    channels = 2 * keys + values
    tensors += [
        TensorSpec(f"{path}.conv1d.weight", (channels, 1, kernel), role, note="depthwise convolution"),
        vector(
            f"{path}.dt_bias",
            v_heads,
            role=role,
            implied=True,
            note="time step; a parameter, not an additive bias",
        ),
        vector(f"{path}.A_log", v_heads, role=role, implied=True, note="decay"),
        vector(f"{path}.norm.weight", v_dim, role=role, implied=True),
        *linear(f"{path}.out_proj", hidden, values, role=role),
    ]
    return Block(tuple(tensors), recurrent(v_heads * k_dim * v_dim, channels * (kernel - 1), "linear"))
