"""State-space mixers: Mamba, Mamba-2, the RG-LRU and gated short convolutions.

Their state does not grow with the context: what a recurrence carries, and the last ``kernel − 1`` inputs of each
channel of the convolution before it.
"""

from __future__ import annotations

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import Block, linear, recurrent, vector

ROLE = "ssm"


def mamba(
    c: Config,
    *,
    bias: bool,
    norms: bool = False,
    heads: Dim | None = None,
    width: Dim | None = None,
    path: str = "mamba",
) -> Block:
    """Mamba (selective scan): the step, the input and the output map of the state are made from each token.

    bias   of the two outer maps
    norms  over the step and over both maps of the state (Jamba)
    heads  Zamba's: the inner maps are one small matrix a head, and parameters of their own
    width  the inner width where it is not expand × hidden_size
    """
    hidden, state, kernel = c.hidden_size, c.mamba_d_state, c.mamba_d_conv
    width = inner_width(c) if width is None else width
    rank = step_rank(c)
    tensors = [
        *linear(f"{path}.in_proj", 2 * width, hidden, role=ROLE, bias=bias, note="input and gate"),
        *depthwise(f"{path}.conv1d", width, kernel, bias=c.flag("mamba_conv_bias")),
    ]
    if heads is None:
        tensors += [
            *linear(f"{path}.x_proj", rank + 2 * state, width, role=ROLE),
            *linear(f"{path}.dt_proj", width, rank, role=ROLE, bias=True, implied_bias=True),
            TensorSpec(f"{path}.A_log", (width, state), ROLE, implied=True, note="decay"),
            vector(f"{path}.D", width, role=ROLE, implied=True, note="skip"),
        ]
    else:
        if width % heads:
            raise c.error("n_mamba_heads", int(heads), f"does not divide the inner width {int(width)}")
        each = width // heads
        tensors += [
            TensorSpec(f"{path}.x_proj_weight", (heads, rank + 2 * state, each), ROLE),
            TensorSpec(f"{path}.dt_proj_weight", (heads, each, rank), ROLE),
            TensorSpec(f"{path}.dt_proj_bias", (heads, each), ROLE, "bias", implied=True),
            TensorSpec(f"{path}.A_log", (heads, each, state), ROLE, implied=True, note="decay"),
            TensorSpec(f"{path}.D", (heads, each), ROLE, implied=True, note="skip"),
        ]
    if norms:
        for name, size in (("dt", rank), ("b", state), ("c", state)):
            tensors.append(vector(f"{path}.{name}_layernorm.weight", size, role=ROLE, implied=True))
    tensors += linear(f"{path}.out_proj", hidden, width, role=ROLE, bias=bias)
    return Block(tuple(tensors), recurrent(width * state, width * (kernel - 1)))


def mamba2(
    c: Config,
    *,
    heads: Dim,
    bias: bool,
    out_bias: bool | None = None,
    conv_bias: bool | None = None,
    width: Dim | None = None,
    norm: bool = True,
    path: str = "mamba",
) -> Block:
    """Mamba-2: one decay a head, and one input map for gate, input, both maps of the state, and step.

    bias       of the two outer maps; ``out_bias`` of the second, else the same
    conv_bias  of the convolution, else as the config says
    width      heads × head width where it is not expand × hidden_size
    norm       a gated norm before the output map
    """
    hidden, state, kernel = c.hidden_size, c.mamba_d_state, c.mamba_d_conv
    width = inner_width(c) if width is None else width
    if width % heads:
        raise c.error("mamba_n_heads", int(heads), f"does not divide the inner width {int(width)}")
    channels = width + 2 * c.mamba_n_groups * state
    tensors = [
        *linear(f"{path}.in_proj", width + channels + heads, hidden, role=ROLE, bias=bias),
        *depthwise(
            f"{path}.conv1d",
            channels,
            kernel,
            bias=c.flag("mamba_conv_bias") if conv_bias is None else conv_bias,
        ),
        vector(f"{path}.dt_bias", heads, role=ROLE, implied=True, note="time step; not an additive bias"),
        vector(f"{path}.A_log", heads, role=ROLE, implied=True, note="decay"),
        vector(f"{path}.D", heads, role=ROLE, implied=True, note="skip"),
    ]
    if norm:
        tensors.append(vector(f"{path}.norm.weight", width, role=ROLE, implied=True))
    tensors += linear(
        f"{path}.out_proj", hidden, width, role=ROLE, bias=bias if out_bias is None else out_bias
    )
    return Block(tuple(tensors), recurrent(width * state, channels * (kernel - 1)))


def rg_lru(c: Config, *, path: str) -> Block:
    """The real-gated linear recurrent unit of Griffin: a convolution and a diagonal recurrence with block gates."""
    hidden, heads, kernel = c.hidden_size, c.num_attention_heads, c.conv1d_width
    width = c.lru_width if c.has("lru_width") else hidden
    if width % heads:
        raise c.error("num_attention_heads", int(heads), f"does not divide the recurrent width {int(width)}")
    each = width // heads
    gates: list[TensorSpec] = []
    for gate in ("input_gate", "recurrent_gate"):
        gates += [
            TensorSpec(f"{path}.rg_lru.{gate}_weight", (heads, each, each), ROLE, implied=True),
            TensorSpec(f"{path}.rg_lru.{gate}_bias", (heads, each), ROLE, "bias", implied=True),
        ]
    tensors = [
        *linear(f"{path}.linear_y", width, hidden, role=ROLE, bias=True, implied_bias=True),
        *linear(f"{path}.linear_x", width, hidden, role=ROLE, bias=True, implied_bias=True),
        *linear(f"{path}.linear_out", hidden, width, role=ROLE, bias=True, implied_bias=True),
        *depthwise(f"{path}.conv_1d", width, kernel, bias=True),
        vector(f"{path}.rg_lru.recurrent_param", width, role=ROLE, implied=True, note="decay"),
        *gates,
    ]
    return Block(tuple(tensors), recurrent(width, width * (kernel - 1)))


def short_conv(c: Config, *, path: str = "conv") -> Block:
    """LFM2's gated short convolution: two gates and an input, a few tokens wide."""
    hidden, kernel, bias = c.hidden_size, c.conv_L_cache, c.flag("conv_bias")
    tensors = [
        *depthwise(f"{path}.conv", hidden, kernel, bias=bias),
        *linear(f"{path}.in_proj", 3 * hidden, hidden, role=ROLE, bias=bias, note="input and two gates"),
        *linear(f"{path}.out_proj", hidden, hidden, role=ROLE, bias=bias),
    ]
    return Block(tuple(tensors), recurrent(0, hidden * (kernel - 1)))


def depthwise(name: str, channels: int, kernel: int, *, bias: bool, role: str = ROLE) -> list[TensorSpec]:
    """A causal convolution of each channel with itself: (channels, 1, kernel)."""
    tensors = [TensorSpec(f"{name}.weight", (channels, 1, kernel), role, note="depthwise convolution")]
    if bias:
        tensors.append(vector(f"{name}.bias", channels, role=role, kind="bias"))
    return tensors


def inner_width(c: Config) -> Dim:
    """``mamba_expand`` × ``hidden_size``."""
    return c.mamba_expand * c.hidden_size


def step_rank(c: Config) -> Dim:
    """The rank of the map to the time step; "auto" is a sixteenth of the hidden size, rounded up."""
    if c.get("mamba_dt_rank") == "auto":
        return c.hidden_size.ceil_div(16)
    return c.mamba_dt_rank
