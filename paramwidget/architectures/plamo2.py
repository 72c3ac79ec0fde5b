"""PLaMo 2: Mamba with one step a head, and attention in every ``mamba_step``-th layer."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, by_layer, decoder, gated_mlp, gqa, linear, together, vector
from .blocks.base import recurrent
from .blocks.ssm import ROLE, depthwise


def plamo2(c: Config) -> Iterator[Part]:
    """PLaMo 2: norms before and after each half; queries and keys have a scale for each head.

    Source: the modelling files of mlx-lm and vLLM, which load the published files by these names.  Implied: A_log, D,
    dt_bias, the three norms of the state, the scales of queries and keys.
    Checked: shapes against both; no total of the published files is known here.
    """
    n, step = int(c.num_hidden_layers), int(c.mamba_step)
    if not c.flag("mamba_enabled"):
        kinds = ["attention"] * n
    elif step < 2:
        raise c.error("mamba_step", step, "must be at least 2")
    elif n <= step // 2:
        kinds = ["mamba"] * (n - 1) + ["attention"]
    else:
        kinds = ["mamba" if i % step != step // 2 else "attention" for i in range(n)]
    full = plamo_attention(c)
    sees_all = c.get("full_attention_idx") or ()
    sliding = full.with_facts(mixer="sliding", window=int(c.attention_window_size))
    blocks = by_layer(kinds, attention=sliding, mamba=plamo_mamba(c))
    yield from decoder(
        c,
        attention=[
            full if kinds[i] == "attention" and i in sees_all else block for i, block in enumerate(blocks)
        ],
        mlp=gated_mlp(c, fused=True),
        layer_norms=("pre_mixer_norm", "pre_mlp_norm"),
        post_norms=("post_mixer_norm", "post_mlp_norm"),
        layers="layers.layers",
    )


def plamo_attention(c: Config) -> Block:
    """Grouped queries from one map, with a learned scale of each head's queries and keys."""
    head_dim = c.hidden_size_per_head
    scales = (
        TensorSpec("mixer.q_weight", (c.num_attention_heads, head_dim), "attention", implied=True),
        TensorSpec("mixer.k_weight", (c.num_key_value_heads, head_dim), "attention", implied=True),
    )
    return together(gqa(c, fused=True, head_dim=head_dim, path="mixer"), Block(scales))


def plamo_mamba(c: Config) -> Block:
    """Mamba whose step and decay are one number a head, with norms over what makes the state."""
    heads, hidden, state, kernel = c.mamba_n_heads, c.hidden_size, c.mamba_d_state, c.mamba_d_conv
    width = heads * c.hidden_size_per_head
    rank = hidden // 16 if hidden >= 64 * 16 else 64
    path = "mixer"
    tensors = [
        *linear(f"{path}.in_proj", 2 * width, hidden, role=ROLE, note="input and gate"),
        *depthwise(f"{path}.conv1d", width, kernel, bias=False),
        *linear(f"{path}.bcdt_proj", rank + 2 * state, width, role=ROLE),
        *linear(f"{path}.dt_proj", heads, rank, role=ROLE),
        vector(f"{path}.dt_bias", heads, role=ROLE, implied=True, note="time step; not an additive bias"),
        vector(f"{path}.A_log", heads, role=ROLE, implied=True, note="decay"),
        vector(f"{path}.D", heads, role=ROLE, implied=True, note="skip"),
        vector(f"{path}.dt_norm_weight", rank, role=ROLE, implied=True),
        vector(f"{path}.B_norm_weight", state, role=ROLE, implied=True),
        vector(f"{path}.C_norm_weight", state, role=ROLE, implied=True),
        *linear(f"{path}.out_proj", hidden, width, role=ROLE),
    ]
    return Block(tuple(tensors), recurrent(width * state, width * (kernel - 1)))
