"""T5, mT5 and umT5."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, gated_mlp, linear, multi_head, plain_mlp, rms_norm
from .blocks.base import place
from .blocks.encoder import without_cache
from .blocks.heads import labels, output
from .blocks.seq2seq import across, side_table
from .blocks.stack import runs


def t5(c: Config) -> Iterator[Part]:
    """T5 1.0 and 1.1, Flan-T5 and mT5: no biases, positions as a bias that the first layer makes for all.

    One table under three or four names: transformers ties them whatever ``tie_word_embeddings`` says. The files of
    T5 1.1, Flan-T5 and mT5, whose configs say false, hold a head of their own: vocab_size × d_model more than this.

    Source: modeling_t5 and modeling_mt5 in transformers 5.24.  Implied: relative_attention_bias.
    Checked: google-t5/t5-small stored 60,506,624, residual 0; google/t5-v1_1-base stored 222,903,552, transformers
    222,903,552, its files 247,577,856 with a head of 32,128 × 768.
    """
    yield from both_sides(c, every_layer=False)


def umt5(c: Config) -> Iterator[Part]:
    """umT5: mT5 with a bias of positions in every layer.

    Source: modeling_umt5 in transformers 5.24.  Implied: relative_attention_bias.
    Checked: its default config stored 172,122,112, transformers 172,122,112, residual 0.
    """
    yield from both_sides(c, every_layer=True)


def both_sides(c: Config, every_layer: bool) -> Iterator[Part]:
    """Encoder and decoder, or the encoder alone (EncoderModel, ForTokenClassification), and the head."""
    at = "transformer." if c.head in ("sequence", "token") else ""
    encoder_only = c.head in ("encoder", "token")
    hidden = c.hidden_size
    shared = TensorSpec(f"{at}shared.weight", (c.vocab_size, hidden), "embedding")
    yield shared
    encoder_role = None if encoder_only else "encoder"
    yield side_table(c, f"{at}encoder.embed_tokens.weight", (c.vocab_size, hidden), shared)
    yield from stack(c, f"{at}encoder.", int(c.num_hidden_layers), every_layer, encoder_role, encoder_only)
    if not encoder_only:
        yield side_table(c, f"{at}decoder.embed_tokens.weight", (c.vocab_size, hidden), shared)
        yield from stack(c, f"{at}decoder.", int(c.num_decoder_layers), every_layer)
    if c.head == "causal":
        yield from output(c, "lm_head", shared, tied=True)
    elif c.head == "sequence":
        yield from linear("classification_head.dense", hidden, hidden, role="lm_head", bias=True)
        yield from linear("classification_head.out_proj", labels(c), hidden, role="lm_head", bias=True)
    elif c.head == "token":
        yield from linear("classifier", labels(c), hidden, role="lm_head", bias=True)
    elif c.head == "question":
        yield from linear("qa_outputs", labels(c), hidden, role="lm_head", bias=True)


def stack(
    c: Config, at: str, n: int, every_layer: bool, role: str | None = None, encoder_only: bool = False
) -> Iterator[Part]:
    """One side: attention, in the decoder also to the encoder, then the feed-forward, each behind its norm."""
    norm = rms_norm(c)
    is_encoder = at.endswith("encoder.")
    attention = t5_attention(c, "layer.0.SelfAttention")
    layer = [*attention.tensors, *norm("layer.0.layer_norm")]
    if not is_encoder:
        layer += [*t5_attention(c, "layer.1.EncDecAttention").tensors, *norm("layer.1.layer_norm")]
    last = "layer.1" if is_encoder else "layer.2"
    mlp = t5_mlp(c, f"{last}.DenseReluDense")
    layer += [*mlp.tensors, *norm(f"{last}.layer_norm")]
    relative = TensorSpec(
        "layer.0.SelfAttention.relative_attention_bias.weight",
        (c.relative_attention_num_buckets, c.num_attention_heads),
        "position",
        implied=True,
        note="relative positions",
    )
    each = f"{at}block.{{layer}}."
    yield from place(layer, each, range(n), role)
    yield from place([relative], each, range(n if every_layer else 1), role)
    yield from place(norm("final_layer_norm"), at, role=role)
    if encoder_only:
        yield from runs(without_cache(attention), mlp, n)
    elif not is_encoder:
        yield from runs(across(attention), mlp, n)


def t5_attention(c: Config, path: str) -> Block:
    """T5's heads have a width of their own."""
    return multi_head(c, *(f"{path}.{m}" for m in "qkvo"), bias=False, head_dim=c.d_kv)


def t5_mlp(c: Config, path: str) -> Block:
    """``relu`` is a plain feed-forward, ``gated-gelu`` one with a gate; ``is_gated_act`` overrules the name."""
    kind = c.get("feed_forward_proj")
    words = kind.split("-") if isinstance(kind, str) else []
    if len(words) not in (1, 2) or (len(words) == 2 and words[0] != "gated"):
        raise c.error("feed_forward_proj", kind, "must be the name of an activation, or gated- and a name")
    gated = c.flag("is_gated_act", otherwise=words[0] == "gated")
    if gated:
        return gated_mlp(c, path=path, matrices=("wi_0", "wi_1", "wo"))
    return plain_mlp(c, f"{path}.wi", f"{path}.wo", bias=False)
