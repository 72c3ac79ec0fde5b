"""BART and its kin: mBART, Pegasus, Blenderbot, Marian, M2M-100, LED and others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, layer_norm, linear, multi_head
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


def mvp(c: Config) -> Iterator[Part]:
    """MVP: BART; the prompts that ``use_prompt`` adds are not described.

    Source: modeling_mvp in transformers 5.24.  Implied: all biases; final_logits_bias, a buffer.
    Checked: the classes' defaults, residual 0.
    """
    if c.flag("use_prompt"):
        raise c.error("use_prompt", True, "is not described")
    yield from bart(c)


def bigbird_pegasus(c: Config) -> Iterator[Part]:
    """BigBird-Pegasus: Pegasus with learned positions, attention in blocks in the encoder, biases where asked for.

    Source: modeling_bigbird_pegasus in transformers 5.24.  Implied: final_logits_bias, a buffer.
    Checked: the classes' defaults, 576,891,904 and 469,630,976, residual 0.
    """
    bias, heads = c.flag("use_bias"), "encoder_attention_heads"
    names = [f"self_attn.{n}" for n in ("self.query", "self.key", "self.value", "output")]
    blocks = multi_head(c, *names, heads=heads, bias=bias, implied_bias=False)
    yield from both_sides(
        c,
        positions=c.max_position_embeddings,
        embed_norm=True,
        bias=bias,
        encoder={"attention": blocks},
        may_tie=not c.architecture.endswith("ForCausalLM"),
    )


def led(c: Config) -> Iterator[Part]:
    """LED: BART whose encoder is Longformer's: maps for the tokens that see all, beside those that see a window.

    Source: modeling_led in transformers 5.24.  Implied: all biases; final_logits_bias, a buffer.
    Checked: the class's defaults, 459,801,600 and 50,265 of buffer, residual 0.
    """
    own, hidden = "self_attn.longformer_self_attn.", c.hidden_size
    names = [f"{own}{n}" for n in ("query", "key", "value")]
    blocks = multi_head(c, *names, "self_attn.output", heads="encoder_attention_heads")
    seen = [t for n in names for t in linear(f"{n}_global", hidden, hidden, role="attention", bias=True)]
    yield from both_sides(
        c,
        positions=c.max_decoder_position_embeddings,
        embed_norm=True,
        base="led.",
        encoder={"attention": blocks.plus(*seen), "positions": c.max_encoder_position_embeddings},
    )


def pegasus_x(c: Config) -> Iterator[Part]:
    """PEGASUS-X: Pegasus whose encoder has tokens that see all, a table of them and a norm in each layer.

    Source: modeling_pegasus_x in transformers 5.24.  Implied: the norm; its attention has no biases.
    Checked: the class's defaults, 568,568,832, residual 0.
    """
    tokens = TensorSpec("embed_global.weight", (c.num_global_tokens, c.hidden_size), "position")
    yield from both_sides(
        c,
        positions=None,
        final_norm=True,
        bias=False,
        logits_bias=False,
        encoder={"front": [tokens], "more": layer_norm(c)("global_self_attn_layer_norm")},
    )


def trocr(c: Config) -> Iterator[Part]:
    """TrOCR's decoder: BART's, whose head has a name of its own.

    Source: modeling_trocr in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 253,559,808, residual 0.
    """
    width = c.cross_attention_hidden_size if c.has("cross_attention_hidden_size") else None
    at = "" if c.head == "none" else "model."
    table = TensorSpec(f"{at}decoder.embed_tokens.weight", (c.vocab_size, c.hidden_size), "embedding")
    rows = c.max_position_embeddings + PADDING_ROWS if c.flag("use_learned_position_embeddings") else None
    yield table
    norm = c.flag("layernorm_embedding")
    yield from fairseq_stack(
        c, "decoder", at, positions=rows, embed_norm=norm, cross_tokens=0, cross_width=width
    )
    if c.head == "causal":
        yield from output(c, "output_projection", table)


def fsmt(c: Config) -> Iterator[Part]:
    """FSMT: Marian with a table of words for each language, and sinusoidal positions that files hold.

    Source: modeling_fsmt in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 483,913,728, residual 0.
    """
    hidden, rows = c.hidden_size, c.max_position_embeddings + PADDING_ROWS
    at = "" if c.head == "none" else "model."
    own = side_table(c, f"{at}decoder.embed_tokens.weight", (c.tgt_vocab_size, hidden), None)
    tie = own if c.flag("tie_word_embeddings") else None
    if tie and c.src_vocab_size != c.tgt_vocab_size:
        raise c.error("tie_word_embeddings", True, "joins the tables of two languages, which differ in size")
    for side, words in (("encoder", c.src_vocab_size), ("decoder", c.tgt_vocab_size)):
        name = f"{at}{side}.embed_tokens.weight"
        yield own if side == "decoder" else side_table(c, name, (words, hidden), tie)
        role = "encoder" if side == "encoder" else None
        yield from fairseq_stack(c, side, at, positions=rows, role=role)
    yield from output(c, f"{at}decoder.output_projection", own)


def both_sides(
    c: Config,
    *,
    positions: int | None,
    embed_norm: bool = False,
    final_norm: bool = False,
    bias: bool = True,
    logits_bias: bool = True,
    may_tie: bool = True,
    base: str = "model.",
    encoder: Mapping[str, Any] | None = None,
) -> Iterator[Part]:
    """The two stacks, their tables and the head; the class ``ForCausalLM`` is the decoder alone.

    encoder  what is otherwise on its side (see fairseq_stack)
    """
    at = "" if c.head == "none" else base
    how: dict[str, Any] = {
        "positions": positions,
        "embed_norm": embed_norm,
        "final_norm": final_norm,
        "bias": bias,
    }
    source = target = (c.vocab_size, c.hidden_size)
    one_table = c.flag("share_encoder_decoder_embeddings", otherwise=True)
    alone = c.architecture.endswith("ForCausalLM")
    if (alone or not one_table) and c.has("decoder_vocab_size"):
        target = (c.decoder_vocab_size, c.hidden_size)
    if alone:
        table = TensorSpec(f"{at}decoder.embed_tokens.weight", target, "embedding")
        yield table
        yield from fairseq_stack(c, "decoder", at, **how, cross_tokens=0)
        yield from output(c, "lm_head", table, tied=None if may_tie else False)
        return
    shared = TensorSpec(f"{at}shared.weight", source, "embedding") if one_table else None
    if shared:
        yield shared
    tie = shared if c.flag("tie_word_embeddings") else None
    yield side_table(c, f"{at}encoder.embed_tokens.weight", source, tie)
    yield from fairseq_stack(c, "encoder", at, **{**how, **(encoder or {})}, role="encoder")
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
