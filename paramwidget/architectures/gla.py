"""Gated linear attention, as flash-linear-attention publishes it."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blocks import Block, Part, decoder, gated_mlp, linear, vector
from .blocks.base import recurrent
from .blocks.ssm import depthwise

ROLE = "linear_attention"


def gla(c: Config) -> Iterator[Part]:
    """GLA: linear attention with a forget gate for each channel, made by two thin maps.

    Widths are fractions of the hidden size: keys ``expand_k``, values ``expand_v``, the MLP two thirds of
    ``hidden_ratio``, rounded up to a multiple of 256.

    Source: layers/gla.py, models/gla and modules/mlp.py of flash-linear-attention.  Implied: forget gate and its bias,
    the norm over heads.
    Checked: shapes against these files; no total of a published file is known here.
    """
    if c.has("attn"):
        raise c.error("attn", c.get("attn"), "is not described: layers of softmax attention among these")
    hidden, heads = c.hidden_size, c.num_heads
    kv_heads = c.num_kv_heads if c.has("num_kv_heads") else heads
    keys, values = c.scaled("expand_k", hidden), c.scaled("expand_v", hidden)
    for key, width in (("expand_k", keys), ("expand_v", values)):
        if width % heads:
            raise c.error("num_heads", int(heads), f"does not divide {key} × hidden_size = {int(width)}")
    if heads % kv_heads:
        raise c.error("num_kv_heads", int(kv_heads), f"does not divide num_heads = {int(heads)}")
    groups = heads // kv_heads
    shared_keys, shared_values = keys // groups, values // groups
    gated = c.flag("use_output_gate")
    tensors = [
        *linear("attn.q_proj", keys, hidden, role=ROLE),
        *linear("attn.k_proj", shared_keys, hidden, role=ROLE),
        *linear("attn.v_proj", shared_values, hidden, role=ROLE),
        *linear("attn.gk_proj.0", GATE_RANK, hidden, role=ROLE, implied=True, note="forget gate"),
        *linear(
            "attn.gk_proj.1", shared_keys, GATE_RANK, role=ROLE, bias=True, implied=True, note="forget gate"
        ),
        *linear("attn.o_proj", hidden, values, role=ROLE),
    ]
    if gated:
        tensors += linear("attn.g_proj", values, hidden, role=ROLE, note="output gate")
    if c.flag("elementwise_affine"):
        fused = gated and c.get("hidden_act") == "swish" and c.flag("fuse_norm")
        norm = "g_norm_swish_gate" if fused else "g_norm"
        tensors.append(vector(f"attn.{norm}.weight", values // heads, role=ROLE, implied=True))
    channels, kernel = 0, 1
    if c.flag("use_short_conv"):
        kernel = int(c.conv_size)
        for name, width in (("q", keys), ("k", shared_keys), ("v", shared_values)):
            tensors += depthwise(f"attn.{name}_conv1d", width, c.conv_size, bias=False, role=ROLE)
            channels += int(width)
    facts = recurrent(heads * (keys // heads) * (values // heads), channels * (kernel - 1), "linear")
    yield from decoder(
        c,
        attention=Block(tuple(tensors), facts),
        mlp=gated_mlp(c, mlp_width(c)),
        layer_norms=("attn_norm", "mlp_norm"),
        embed="embeddings",
    )


#: the width between the two maps of the forget gate; no config has a key for it
GATE_RANK = 16


def mlp_width(c: Config) -> Dim:
    """``intermediate_size``, or two thirds of ``hidden_ratio`` times the hidden size in multiples of 256."""
    if c.has("intermediate_size"):
        return c.intermediate_size
    return (c.hidden_size * c.hidden_ratio * 2 // 3).ceil_div(256) * 256
