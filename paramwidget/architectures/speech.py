"""Encoder-decoders that hear: Speech2Text and Moonshine."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, gqa, layer_norm, plain_mlp
from .blocks.base import linear, place
from .blocks.heads import output
from .blocks.seq2seq import across, fairseq_stack
from .blocks.stack import one_layer, runs
from .blocks.towers import conv


def speech_to_text(c: Config) -> Iterator[Part]:
    """Speech2Text: gated convolutions over the spectrum, then mBART's layers; no file holds its sinusoidal positions.

    Source: modeling_speech_to_text in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 29,536,256, residual 0.
    """
    at = "" if c.head == "none" else "model."
    front, inn = [], c.input_feat_per_channel * c.input_channels
    kernels = c.get("conv_kernel_sizes")
    if not isinstance(kernels, list) or len(kernels) != c.num_conv_layers:
        raise c.error("conv_kernel_sizes", kernels, "must name one size for each of num_conv_layers")
    for i, kernel in enumerate(kernels):
        out = 2 * c.hidden_size if i + 1 == len(kernels) else c.conv_channels
        size = Dim.field(f"conv_kernel_sizes[{i}]", kernel)
        front += conv(f"conv.conv_layers.{i}", out, inn, (size,), role="encoder")
        inn = c.conv_channels // 2
    yield from fairseq_stack(c, "encoder", at, front=front, final_norm=True, role="encoder")
    table = TensorSpec(f"{at}decoder.embed_tokens.weight", (c.vocab_size, c.hidden_size), "embedding")
    yield table
    yield from fairseq_stack(c, "decoder", at, final_norm=True)
    if c.head == "causal":
        yield from output(c, "lm_head", table)


def moonshine(c: Config) -> Iterator[Part]:
    """Moonshine: three convolutions over the sound itself, rotary positions, norms without a bias; a gated decoder.

    transformers gives the decoder as many heads as the encoder has: it overwrites the one with the other.

    Source: modeling_moonshine in transformers 5.24.  Implied: all biases but those of q, k and v.
    Checked: the class's defaults, 27,092,736, residual 0.
    """
    at, hidden, width = "" if c.head == "none" else "model.", c.hidden_size, c.intermediate_size
    norm = layer_norm(c, bias=False)
    front = [
        *conv("conv1", hidden, 1, (127,), role="encoder", bias=False),
        *conv("conv2", 2 * hidden, hidden, (7,), role="encoder"),
        *conv("conv3", hidden, 2 * hidden, (3,), role="encoder"),
        *layer_norm(c)("groupnorm"),
        *norm("layer_norm"),
    ]
    yield from place(front, f"{at}encoder.", role="encoder")
    norms = ("input_layernorm", "post_attention_layernorm")
    mlp = plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=True, implied_bias=True)
    layer = one_layer(norm, norms, _attention(c), mlp)
    yield from place(layer, f"{at}encoder.layers.{{layer}}.", range(c.encoder_num_hidden_layers), "encoder")
    table = TensorSpec(f"{at}decoder.embed_tokens.weight", (c.vocab_size, hidden), "embedding")
    yield table
    own, n = _attention(c), range(c.decoder_num_hidden_layers)
    up = linear("mlp.fc1", 2 * width, hidden, role="mlp", bias=True, implied_bias=True, note="and a gate")
    gated = Block(
        (*up, *linear("mlp.fc2", hidden, width, role="mlp", bias=True, implied_bias=True)), mlp.facts
    )
    layer = [
        *one_layer(norm, norms, own.plus(*_attention(c, "encoder_attn").tensors), gated),
        *norm("final_layernorm"),
    ]
    yield from place(layer, f"{at}decoder.layers.{{layer}}.", n)
    yield from norm(f"{at}decoder.norm")
    if c.head == "causal":
        yield from output(c, "proj_out", table)
    yield from runs(across(own), gated, len(n))


def _attention(c: Config, path: str = "self_attn") -> Block:
    heads = c.encoder_num_attention_heads
    kv = c.encoder_num_key_value_heads if c.has("encoder_num_key_value_heads") else heads
    return gqa(
        c,
        bias=c.flag("attention_bias"),
        out_bias=False,
        heads=heads,
        kv_heads=kv,
        head_dim=c.head_dim if c.data.get("head_dim") is not None else c.hidden_size // heads,
        path=path,
    )
