"""Phi-1, Phi-1.5 and Phi-2, and Phi-3-small."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, gated_mlp, gqa, inverse_frequencies, layer_norm, plain_mlp, qk_norms


def phi(c: Config) -> Iterator[Part]:
    """Phi-2: biases everywhere, the head's included; attention and MLP side by side behind one norm.

    Source: modeling_phi in transformers 5.24.  Implied: all biases.
    Checked: microsoft/phi-2 stored 2,779,683,840, Hub 2,779,683,840, residual 0.
    """
    attention = gqa(c, bias=True, implied_bias=True, out="dense")
    if c.flag("qk_layernorm"):
        norms = qk_norms((c.head_dim,), bias=True, implied=False, names=("q_layernorm", "k_layernorm"))
        attention = attention.plus(*norms)
    yield from decoder(
        c,
        attention=attention,
        mlp=plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("input_layernorm",),
        final_norm="final_layernorm",
        output_bias=True,
    )


def phi_msft(c: Config) -> Iterator[Part]:
    """Phi-2 under its first names: q, k and v in one matrix, the last norm beside the head.

    Source: modeling_phi of microsoft/phi-2 before transformers had it.  Implied: all biases.
    Checked: microsoft/phi-2 stored 2,779,683,840, Hub 2,779,683,840, residual 0.
    """
    attention = gqa(c, bias=True, implied_bias=True, path="mixer", fused="Wqkv", out="out_proj")
    yield from decoder(
        c,
        attention=attention,
        mlp=plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("ln",),
        base="transformer",
        layers="h",
        embed="embd.wte",
        final_norm=None,
        output="lm_head.linear",
        output_norm="lm_head.ln",
        output_bias=True,
    )


def phi3small(c: Config) -> Iterator[Part]:
    """Phi-3-small: q, k and v in one matrix, gate and up in another, biases and norms with a bias throughout.

    Every second layer attends by blocks, which has no parameters and drops nothing from the cache.

    Source: modeling_phi3_small of microsoft/Phi-3-small-8k-instruct.  Implied: all biases; inv_freq of each layer.
    Checked: microsoft/Phi-3-small-8k-instruct stored 7,392,274,432 with buffers, Hub 7,392,274,432, residual 0.
    """
    head_dim = c.divide("hidden_size", "num_attention_heads")
    attention = gqa(
        c, bias=True, implied_bias=True, head_dim=head_dim, fused="query_key_value", out="dense"
    ).plus(inverse_frequencies(head_dim))
    yield from decoder(
        c,
        attention=attention,
        mlp=gated_mlp(c, bias=True, implied_bias=True, matrices=("up_proj", "down_proj")),
        norm=layer_norm(c),
        final_norm="final_layernorm",
    )
