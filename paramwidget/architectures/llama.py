"""Llama, and the families that are Llama in all but a name, a bias or a norm."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, gated_mlp, gqa, sliding_by_layer


def llama(c: Config) -> Iterator[Part]:
    """Llama 1 to 3, and the many configs that carry its name.

    Source: modeling_llama in transformers 5.24.
    Checked: meta-llama/Llama-3.1-8B stored 8,030,261,248, Hub 8,030,261,248, residual 0.
    """
    bias = c.flag("attention_bias")
    yield from decoder(c, attention=gqa(c, bias=bias), mlp=gated_mlp(c, bias=c.flag("mlp_bias")))


def mistral(c: Config) -> Iterator[Part]:
    """Mistral: no bias anywhere; a window where the config gives one.

    Source: modeling_mistral in transformers 5.24.
    Checked: mistralai/Mistral-7B-v0.1 stored 7,241,732,096, residual 0.
    """
    yield from decoder(c, attention=sliding_by_layer(c, gqa(c)), mlp=gated_mlp(c))


def qwen2(c: Config) -> Iterator[Part]:
    """Qwen2 and Qwen2.5: biases of q, k and v that no config names, none on the output.

    Source: modeling_qwen2 in transformers 5.24.  Implied: q, k and v biases.
    Checked: Qwen/Qwen2.5-0.5B stored 494,032,768, Hub 494,032,768, residual 0.
    """
    attention = gqa(c, bias=True, implied_bias=True, out_bias=False)
    yield from decoder(c, attention=qwen_windows(c, attention), mlp=gated_mlp(c))


def qwen3(c: Config) -> Iterator[Part]:
    """Qwen3: a norm over each head of queries and keys in place of Qwen2's biases; head_dim is its own field.

    Source: modeling_qwen3 in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: Qwen/Qwen3-8B stored 8,190,735,360, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    yield from decoder(c, attention=qwen_windows(c, attention), mlp=gated_mlp(c))


def phi3(c: Config) -> Iterator[Part]:
    """Phi-3 and Phi-4: q, k and v in one matrix, gate and up in another.

    Source: modeling_phi3 in transformers 5.24.
    Checked: microsoft/Phi-3-mini-4k-instruct stored 3,821,079,552, Hub 3,821,079,552, residual 0.
    """
    yield from decoder(c, attention=sliding_by_layer(c, gqa(c, fused=True)), mlp=gated_mlp(c, fused=True))


def qwen_windows(c: Config, full: Block) -> Block | list[Block]:
    """Qwen's windows: only with ``use_sliding_window``, and from layer ``max_window_layers`` on."""
    if c.has("layer_types"):
        return sliding_by_layer(c, full)
    if c.get("use_sliding_window") is not True:
        return full
    first = int(c.natural("max_window_layers"))
    n = int(c.num_hidden_layers)
    pattern = ["sliding_attention" if i >= first else "full_attention" for i in range(n)]
    return sliding_by_layer(c, full, default=pattern)
