"""Whisper."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, linear, vector
from .blocks.heads import labels, output
from .blocks.seq2seq import fairseq_stack


def whisper(c: Config) -> Iterator[Part]:
    """Whisper: two convolutions over the spectrum, then mBART's layers with no bias of the keys; a tied head.

    The recording is always padded to ``max_source_positions`` frames, so what a decoder layer keeps of it does not
    grow. The positions of the encoder are sinusoidal, and stored.

    Source: modeling_whisper in transformers 5.24.  Implied: all biases.
    Checked: openai/whisper-large-v3-turbo stored 808,878,080, transformers 808,878,080, residual 0.
    """
    hidden = c.hidden_size
    at = "" if c.head in ("none", "audio") else "model."
    if not c.architecture.endswith("ForCausalLM"):
        yield from fairseq_stack(
            c,
            "encoder",
            at,
            front=[*convolution("conv1", hidden, c.num_mel_bins), *convolution("conv2", hidden, hidden)],
            positions=c.max_source_positions,
            final_norm=True,
            key_bias=False,
            role=None if c.head == "audio" else "encoder",
        )
    if c.head == "audio":
        yield from audio_classifier(c)
        return
    table = TensorSpec(f"{at}decoder.embed_tokens.weight", (c.vocab_size, hidden), "embedding")
    yield table
    yield from fairseq_stack(
        c,
        "decoder",
        at,
        positions=c.max_target_positions,
        final_norm=True,
        key_bias=False,
        cross_tokens=0 if c.architecture.endswith("ForCausalLM") else int(c.max_source_positions),
    )
    if c.head == "causal":
        yield from output(c, "proj_out", table)


def convolution(name: str, out: int, inn: int) -> list[TensorSpec]:
    """A convolution over three frames."""
    return [
        TensorSpec(f"{name}.weight", (out, inn, 3), "other", note="convolution over three frames"),
        vector(f"{name}.bias", out, role="other", kind="bias"),
    ]


def audio_classifier(c: Config) -> Iterator[TensorSpec]:
    """The classifier of recordings; it may weigh the outputs of all layers."""
    narrow = c.classifier_proj_size
    if c.flag("use_weighted_layer_sum"):
        yield vector("layer_weights", c.encoder_layers + 1, role="lm_head")
    yield from linear("projector", narrow, c.hidden_size, role="lm_head", bias=True)
    yield from linear("classifier", labels(c), narrow, role="lm_head", bias=True)
