"""BART and its kin: mBART, Pegasus, Blenderbot, Marian, M2M-100."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.heads import labels, output
from .blocks.seq2seq import fairseq_stack, side_table
from .opt import PADDING_ROWS


def bart(c: Config) -> Iterator[Part]:
    """BART and PLBART: a norm behind the embedding, the others behind each part; two rows of positions more.

    Source: modeling_bart and modeling_plbart in transformers 5.24.  Implied: all biases; final_logits_bias, a buffer.
    Checked: its default config, that of facebook/bart-large, stored 406,291,456 and 50,265 of buffer, transformers
    the same, residual 0.
    """
    yield from both_sides(c, positions=c.max_position_embeddings + PADDING_ROWS, embed_norm=True)


def mbart(c: Config) -> Iterator[Part]:
    """mBART: BART with its norms before each part, and one more behind each side.

    Source: modeling_mbart in transformers 5.24.  Implied: all biases; final_logits_bias, a buffer.
    Checked: its default config stored 406,295,552 and 50,265 of buffer, transformers the same, residual 0.
    """
    rows = c.max_position_embeddings + PADDING_ROWS
    yield from both_sides(c, positions=rows, embed_norm=True, final_norm=True)


def pegasus(c: Config) -> Iterator[Part]:
    """Pegasus and Blenderbot: mBART without the norm behind the embedding; Pegasus's positions are sinusoidal.

    Source: modeling_pegasus and modeling_blenderbot in transformers 5.24.  Implied: all biases; final_logits_bias,
    a buffer.
    Checked: their default configs stored 406,287,360 and 2,696,268,800, transformers the same, residual 0.
    """
    yield from both_sides(c, positions=c.max_position_embeddings, final_norm=True)


def blenderbot_small(c: Config) -> Iterator[Part]:
    """The small Blenderbot: BART without the two rows of positions.

    Source: modeling_blenderbot_small in transformers 5.24.  Implied: all biases; final_logits_bias, a buffer.
    Checked: its default config stored 85,113,344 and 50,265 of buffer, transformers the same, residual 0.
    """
    yield from both_sides(c, positions=c.max_position_embeddings, embed_norm=True)


def marian(c: Config) -> Iterator[Part]:
    """Marian: BART with no norm but those of its layers, positions sinusoidal; each side may have a table of its own.

    Source: modeling_marian in transformers 5.24.  Implied: all biases; final_logits_bias, a buffer.
    Checked: its default config stored 414,307,328 and 58,101 of buffer, transformers the same, residual 0.
    """
    yield from both_sides(c, positions=c.max_position_embeddings)


def m2m_100(c: Config) -> Iterator[Part]:
    """M2M-100 and NLLB: mBART without the norm behind the embedding; no file holds its sinusoidal positions.

    Source: modeling_m2m_100 in transformers 5.24.  Implied: all biases.
    Checked: its default config, that of facebook/m2m100_418M, stored 483,905,536, transformers 483,905,536, residual 0.
    """
    yield from both_sides(c, positions=None, final_norm=True, logits_bias=False)


def both_sides(
    c: Config,
    *,
    positions: int | None,
    embed_norm: bool = False,
    final_norm: bool = False,
    logits_bias: bool = True,
) -> Iterator[Part]:
    """The two stacks, their tables and the head; the class ``ForCausalLM`` is the decoder alone."""
    at = "" if c.head == "none" else "model."
    how: dict[str, Any] = {"positions": positions, "embed_norm": embed_norm, "final_norm": final_norm}
    source = target = (c.vocab_size, c.hidden_size)
    one_table = c.flag("share_encoder_decoder_embeddings", otherwise=True)
    if not one_table and c.has("decoder_vocab_size"):
        target = (c.decoder_vocab_size, c.hidden_size)
    if c.architecture.endswith("ForCausalLM"):
        table = TensorSpec(f"{at}decoder.embed_tokens.weight", target, "embedding")
        yield table
        yield from fairseq_stack(c, "decoder", at, **how, cross_tokens=0)
        yield from output(c, "lm_head", table)
        return
    shared = TensorSpec(f"{at}shared.weight", source, "embedding") if one_table else None
    if shared:
        yield shared
    tie = shared if c.flag("tie_word_embeddings") else None
    yield side_table(c, f"{at}encoder.embed_tokens.weight", source, tie)
    yield from fairseq_stack(c, "encoder", at, **how, role="encoder")
    table = side_table(c, f"{at}decoder.embed_tokens.weight", target, tie)
    yield table
    yield from fairseq_stack(c, "decoder", at, **how)
    hidden = c.hidden_size
    if c.head == "causal":
        yield from output(c, "lm_head", shared or table)
        if logits_bias:
            yield TensorSpec("final_logits_bias", (1, target[0]), "lm_head", "buffer", implied=True)
    elif c.head == "sequence":
        yield from linear("classification_head.dense", hidden, hidden, role="lm_head", bias=True)
        yield from linear("classification_head.out_proj", labels(c), hidden, role="lm_head", bias=True)
    elif c.head == "question":
        yield from linear("qa_outputs", 2, hidden, role="lm_head", bias=True)
