"""MiMo-7B."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, gated_mlp, gqa, linear, rms_norm
from .blocks.base import place
from .llama import qwen2


def mimo(c: Config) -> Iterator[Part]:
    """MiMo-7B: Qwen2 with prediction layers beside the stack, which use the main tables.

    Source: modeling_mimo of XiaomiMiMo/MiMo-7B-Base; tensor names of a fine-tune of it.
    Implied: q, k and v biases.
    Checked: jj8127/mimo_kor stored 7,833,409,536 with MTP, files 15,666,819,072 bytes of bfloat16, residual 0.
    """
    yield from qwen2(c)
    attention = gqa(c, bias=True, implied_bias=True, out_bias=False)
    yield from mtp_mimo(c, attention, gated_mlp(c), c.natural("num_nextn_predict_layers"))


def mtp_mimo(c: Config, attention: Block, mlp: Block, depth: int) -> Iterator[TensorSpec]:
    """MiMo's prediction layers: a layer, two norms of what it joins, the join, and a norm of its own at the end."""
    norm = rms_norm(c)
    own = [
        *norm("token_layernorm"),
        *norm("hidden_layernorm"),
        *linear(
            "input_proj",
            c.hidden_size,
            2 * c.hidden_size,
            role="mtp",
            note="joins embedding and hidden state",
        ),
        *norm("input_layernorm"),
        *attention.tensors,
        *norm("post_attention_layernorm"),
        *mlp.tensors,
        *norm("final_layernorm"),
    ]
    yield from place(own, "model.mtp_layers.{layer}.", range(depth), role="mtp")
