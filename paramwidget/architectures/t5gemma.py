"""T5Gemma 1 and 2: encoder-decoders made of Gemma 2 and of Gemma 3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, gated_mlp, gqa, rms_norm, sliding_by_layer
from .blocks.base import place
from .blocks.heads import stem
from .blocks.seeing import siglip
from .blocks.seq2seq import across
from .blocks.stack import full_every, runs
from .blocks.towers import norm, table

FEED_FORWARD = ("pre_feedforward_layernorm", "post_feedforward_layernorm")


def t5gemma(c: Config) -> Iterator[Part]:
    """T5Gemma: two Gemma 2, each with a table of its own; between the halves of its layers the decoder attends across.

    Source: modeling_t5gemma in transformers 5.24.
    Checked: the class's defaults, 5,596,853,760, residual 0.
    """
    at, encoder, decoder = stem(c, "model"), c.sub("encoder"), c.sub("decoder")
    yield TensorSpec(f"{at}encoder.embed_tokens.weight", (encoder.vocab_size, encoder.hidden_size), "encoder")
    yield from _stack(encoder, f"{at}encoder.", role="encoder", every=2)
    name, shape = f"{at}decoder.embed_tokens.weight", (decoder.vocab_size, decoder.hidden_size)
    yield TensorSpec(name, shape, "embedding")
    yield from _stack(decoder, f"{at}decoder.", every=2, seen=encoder)
    if c.head == "causal":
        tied = name if c.flag("tie_word_embeddings") else None
        yield TensorSpec("lm_head.out_proj.weight", shape, "lm_head", tied_to=tied)


def t5gemma2(c: Config) -> Iterator[Part]:
    """T5Gemma 2: an encoder that sees and a decoder, of Gemma 3; the decoder attends to both with the same maps.

    One table under three names, where it is tied, and one row beside it that ends an image.

    Source: modeling_t5gemma2 in transformers 5.24.  Implied: q_norm, k_norm, the row.
    Checked: the class's defaults, 4,747,846,400, residual 0.
    """
    at, encoder, decoder = stem(c, "model"), c.sub("encoder"), c.sub("decoder")
    vision, text = encoder.sub("vision_config"), encoder.sub("text_config", "t5gemma2_text")
    hidden, own = text.hidden_size, f"{at}encoder."
    shape, words, row = (text.vocab_size, hidden), f"{own}text_model.embed_tokens", ".eoi_embedding"
    yield TensorSpec(f"{words}.weight", shape, "embedding")
    yield TensorSpec(f"{words}{row}", (hidden,), "embedding", implied=True)
    yield from _stack(text, f"{own}text_model.", role="encoder", every=6, qk_norm=True)
    yield from siglip(vision, f"{own}vision_tower.")
    projector = f"{own}multi_modal_projector."
    yield table(f"{projector}mm_input_projection_weight", vision.hidden_size, hidden, role="projector")
    yield from norm(f"{projector}mm_soft_emb_norm", vision.hidden_size, role="projector", bias=False)
    target = f"{at}decoder.embed_tokens"
    if (decoder.vocab_size, decoder.hidden_size) != shape:
        raise decoder.error(
            "vocab_size", int(decoder.vocab_size), "and hidden_size must be those of the encoder"
        )
    tied = c.flag("tie_word_embeddings")
    for end, size in ((".weight", shape), (row, (hidden,))):
        of = f"{words}{end}" if tied else None
        yield TensorSpec(f"{target}{end}", size, "embedding", tied_to=of, implied=end == row)
    yield from _stack(decoder, f"{at}decoder.", every=6, qk_norm=True)
    if c.head == "causal":
        of = f"{words}.weight" if tied else None
        yield TensorSpec("lm_head.out_proj.weight", shape, "lm_head", tied_to=of)


def _stack(
    c: Config,
    at: str,
    *,
    every: int,
    role: str | None = None,
    seen: Config | None = None,
    qk_norm: bool = False,
) -> Iterator[Part]:
    """One side; every ``every``-th layer sees all; ``seen`` is the encoder that its layers attend to apart."""
    n, own = int(c.num_hidden_layers), rms_norm(c)
    bias = c.flag("attention_bias")
    attention = gqa(c, bias=bias, qk_norm=qk_norm)
    names = ["pre_self_attn_layernorm", "post_self_attn_layernorm"]
    layer = list(attention.tensors)
    if seen is not None:
        layer += gqa(c, bias=bias, path="cross_attn", kv_inn=seen.hidden_size).tensors
        names += ["pre_cross_attn_layernorm", "post_cross_attn_layernorm"]
    mlp = gated_mlp(c)
    layer += [*mlp.tensors, *(t for name in (*names, *FEED_FORWARD) for t in own(name))]
    yield from place(layer, f"{at}layers.{{layer}}.", range(n), role=role)
    yield from place(own("norm"), at, role=role)
    if role is None:
        yield from runs(sliding_by_layer(c, across(attention), default=full_every(c, every)), mlp, n)
