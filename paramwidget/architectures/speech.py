"""Encoder-decoders that hear: Speech2Text, Moonshine, Cohere ASR and Canary; and Dia, which speaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, gated_mlp, gqa, layer_norm, plain_mlp, rms_norm
from .blocks.base import linear, place
from .blocks.conformer import parakeet
from .blocks.heads import output
from .blocks.seq2seq import across, fairseq_stack
from .blocks.stack import one_layer, runs
from .blocks.towers import conv

#: what attention and the feed-forward read, or in a decoder the two attentions
NORMS = ("input_layernorm", "post_attention_layernorm")


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
    mlp = plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=True, implied_bias=True)
    layer = one_layer(norm, NORMS, _attention(c), mlp)
    yield from place(layer, f"{at}encoder.layers.{{layer}}.", range(c.encoder_num_hidden_layers), "encoder")
    table = TensorSpec(f"{at}decoder.embed_tokens.weight", (c.vocab_size, hidden), "embedding")
    yield table
    own, n = _attention(c), range(c.decoder_num_hidden_layers)
    up = linear("mlp.fc1", 2 * width, hidden, role="mlp", bias=True, implied_bias=True, note="and a gate")
    gated = Block(
        (*up, *linear("mlp.fc2", hidden, width, role="mlp", bias=True, implied_bias=True)), mlp.facts
    )
    layer = [
        *one_layer(norm, NORMS, own.plus(*_attention(c, "encoder_attn").tensors), gated),
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


def dia(c: Config) -> Iterator[Part]:
    """Dia, which speaks: an encoder of bytes, and a decoder of several channels of sound at once, each with its words.

    Source: modeling_dia in transformers 5.24.  Implied: no biases; the head is never tied.
    Checked: the class's defaults, 1,611,160,576, residual 0.
    """
    at, e, d = "" if c.head == "none" else "model.", c.sub("encoder_config"), c.sub("decoder_config")
    norm = rms_norm(e)
    layer = one_layer(
        norm, ("pre_sa_norm", "post_sa_norm"), gqa(e, path="self_attention"), gated_mlp(e, fused=True)
    )
    yield TensorSpec(f"{at}encoder.embedding.weight", (e.vocab_size, e.hidden_size), "encoder")
    yield from place(layer, f"{at}encoder.layers.{{layer}}.", range(e.num_hidden_layers), "encoder")
    yield from place(norm("norm"), f"{at}encoder.", role="encoder")
    norm, words = rms_norm(d), (d.num_channels * d.vocab_size, d.hidden_size)
    own, mlp = gqa(d, path="self_attention"), gated_mlp(d, fused=True)
    cross = gqa(
        d,
        heads=d.cross_num_attention_heads,
        kv_heads=d.cross_num_key_value_heads,
        head_dim=d.cross_head_dim,
        kv_inn=d.cross_hidden_size,
        path="cross_attention",
    )
    layer = [
        *one_layer(norm, ("pre_sa_norm", "pre_mlp_norm"), own, mlp),
        *norm("pre_ca_norm"),
        *cross.tensors,
    ]
    yield TensorSpec(
        f"{at}decoder.embeddings.embed.weight", words, "embedding", rows_read=int(d.num_channels)
    )
    yield from place(layer, f"{at}decoder.layers.{{layer}}.", range(d.num_hidden_layers))
    yield from norm(f"{at}decoder.norm")
    if c.head == "causal":
        yield TensorSpec("logits_dense.weight", words, "lm_head")
    yield from runs(across(own, cross=cross), mlp, int(d.num_hidden_layers))


def cohere_asr(c: Config) -> Iterator[Part]:
    """Cohere's recognizer: Parakeet's conformer, and a decoder with learned positions; a map between their widths.

    Source: modeling_cohere_asr in transformers 5.24, its names.  Implied: the norm of the table, the head's bias.
    Checked: the class's defaults, 2,065,647,872, residual 0.
    """
    at, encoder = (
        "" if c.head == "none" else "model.",
        c.sub("encoder_config", "parakeet_encoder", declared=HALVED),
    )
    outer = [
        TensorSpec("pos_emb.weight", (c.max_position_embeddings, c.hidden_size), "position"),
        *linear("proj", c.hidden_size, encoder.hidden_size, role="other", bias=True),
    ]
    yield from parakeet(encoder, f"{at}encoder.", role="encoder")
    yield from _recognizer(c, at, outer)


def canary(c: Config) -> Iterator[Part]:
    """Canary: Parakeet's conformer, and a decoder as wide, whose sinusoidal positions no file holds.

    Source: modeling_canary in transformers 5.24.  Implied: the norm of the table, the head's bias.
    Checked: the class's defaults, 962,155,520, residual 0.
    """
    at = "" if c.head == "none" else "model."
    encoder = c.sub("encoder_config", "parakeet_encoder", declared=HALVED)
    yield from parakeet(encoder, f"{at}encoder.", role="encoder")
    yield from _recognizer(c.sub("decoder_config", also=("tie_word_embeddings",)), at)


#: what a Parakeet encoder's config may leave out: it keeps a frame of eight
HALVED = {"subsampling_factor": 8}


def _recognizer(d: Config, at: str, outer: Sequence[TensorSpec] = ()) -> Iterator[Part]:
    """The decoder that both have: plain layers, a norm behind the table; ``outer`` is what else it has."""
    norm, bias = layer_norm(d), d.flag("attention_bias")
    own, mlp = gqa(d, bias=bias), plain_mlp(d, "mlp.fc1", "mlp.fc2", bias=True, implied_bias=True)
    both = own.plus(*gqa(d, bias=bias, path="encoder_attn").tensors)
    layer = [*one_layer(norm, NORMS, both, mlp), *norm("final_layernorm")]
    table = TensorSpec(f"{at}decoder.embed_tokens.weight", (d.vocab_size, d.hidden_size), "embedding")
    yield table
    yield from place([*outer, *norm("norm"), *norm("embedding_layernorm")], f"{at}decoder.")
    yield from place(layer, f"{at}decoder.layers.{{layer}}.", range(d.num_hidden_layers))
    if d.head == "causal":
        yield from output(d, "proj_out", table, bias=True)
    yield from runs(across(own), mlp, int(d.num_hidden_layers))
