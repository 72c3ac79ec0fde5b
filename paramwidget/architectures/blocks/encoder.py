"""Encoders: a frame of layers that see both ways, and the heads that their classes put on top.

Every tensor of an encoder-only model is used for every token, so all of it is active. Word embeddings are of role
``embedding``, learned positions ``position``; the tables of token types, the pooler and maps between two widths are
``other``. The whole of a head, its inner map and norm with it, is ``lm_head``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ...config import Config
from ...tensors import TensorSpec
from .base import Block, Norm, Part, layer_norm, linear, vector
from .heads import labels, output
from .stack import decoder

#: the classes that keep BERT's pooler
POOLED = frozenset({"none", "sequence", "choice", "next", "pretraining"})

#: the head that predicts words, given the embedding table
Language = Callable[[Config, TensorSpec], Iterable[TensorSpec]]


def encoder(
    c: Config,
    *,
    attention: Block | Sequence[Block],
    mlp: Block | Sequence[Block],
    base: str,
    top: Callable[[Config, TensorSpec], Iterable[TensorSpec]],
    extra: Sequence[TensorSpec] = (),
    norm: Norm | None = None,
    layer_norms: tuple[str, ...] = (),
    post_norms: tuple[str, ...] = ("attention.output.LayerNorm", "output.LayerNorm"),
    layers: str = "encoder.layer",
    embed: str = "embeddings.word_embeddings",
    embed_width: int | None = None,
    final_norm: str | None = None,
) -> Iterator[Part]:
    """An encoder in BERT's names, which are the defaults; ``extra`` holds its other tables and the pooler.

    It remembers nothing of a context, unless the config makes a decoder of it (``is_decoder``).
    """
    if not c.flag("is_decoder", otherwise=False):
        attention = without_cache(attention)
    yield from decoder(
        c,
        attention=attention,
        mlp=mlp,
        norm=norm or layer_norm(c),
        layer_norms=layer_norms,
        post_norms=post_norms,
        base=base,
        layers=layers,
        embed=embed,
        embed_width=embed_width,
        extra=extra,
        final_norm=final_norm,
        top=top,
    )


def without_cache(attention: Block | Sequence[Block]) -> Block | list[Block]:
    """Attention that sees the whole text at once and keeps no keys and values."""
    if not isinstance(attention, Block):
        bare = {id(block): block.with_facts(kv_heads=0, k_dim=0, v_dim=0) for block in attention}
        return [bare[id(block)] for block in attention]
    return attention.with_facts(kv_heads=0, k_dim=0, v_dim=0)


def tables(
    c: Config, width: int | None = None, *, positions: bool = True, types: str | None = "type_vocab_size"
) -> list[TensorSpec]:
    """BERT's tables beside that of the words; ``types`` is the key that counts the token types."""
    width = c.hidden_size if width is None else width
    found = []
    if positions:
        name = "embeddings.position_embeddings.weight"
        found.append(TensorSpec(name, (c.max_position_embeddings, width), "position"))
    if types and c.natural(types):
        name = "embeddings.token_type_embeddings.weight"
        found.append(TensorSpec(name, (c.natural(types), width), "other", note="token types"))
    return found


def pooler(
    c: Config, name: str = "pooler.dense", pooled: Iterable[str] = POOLED, width: int | None = None
) -> list[TensorSpec]:
    """A map of the first token's vector, in the classes that have one."""
    if c.head not in pooled:
        return []
    width = c.hidden_size if width is None else width
    return linear(name, width, width, role="other", bias=True, implied=True, note="pooler")


def masked_lm(
    c: Config,
    table: TensorSpec,
    *,
    dense: str,
    norm: str,
    decoder: str,
    own_bias: str | None = None,
    may_tie: bool = True,
) -> Iterator[TensorSpec]:
    """A map and a norm, then back to the vocabulary by the embedding table and a bias.

    own_bias  where the bias of ``decoder`` is kept, if that is only its second name
    may_tie   false where the class never ties the head to the table, whatever the config says
    """
    width = table.shape[1]
    yield from linear(dense, width, c.hidden_size, role="lm_head", bias=True)
    yield from layer_norm(c, width, role="lm_head")(norm)
    yield from output(c, decoder, table, tied=None if may_tie else False)
    vocab = table.shape[0]
    if own_bias is None:
        yield vector(f"{decoder}.bias", vocab, role="lm_head", kind="bias")
        return
    yield vector(own_bias, vocab, role="lm_head", kind="bias")
    yield TensorSpec(
        f"{decoder}.bias",
        (vocab,),
        "lm_head",
        "bias",
        tied_to=own_bias if c.flag("tie_word_embeddings") else None,
    )


def encoder_head(
    c: Config,
    table: TensorSpec,
    *,
    language: Language,
    dense: tuple[str, str] | None = None,
    pair: str | None = None,
) -> Iterator[TensorSpec]:
    """The head of the config's class.

    language  the head that predicts words
    dense     the two maps of the classifier of sentences, where it is more than one map (RoBERTa)
    pair      the classifier of pairs of sentences that pretraining adds
    """
    hidden = c.hidden_size

    def classifier(name: str, out: int, note: str = "classifier") -> list[TensorSpec]:
        return linear(name, out, hidden, role="lm_head", bias=True, note=note)

    if c.head in ("masked", "causal", "pretraining"):
        yield from language(c, table)
    if c.head in ("next", "pretraining") and pair:
        yield from classifier(pair, 2, "whether one sentence follows the other")
    elif c.head == "sequence" and dense:
        yield from linear(dense[0], hidden, hidden, role="lm_head", bias=True)
        yield from classifier(dense[1], labels(c))
    elif c.head in ("sequence", "token"):
        yield from classifier("classifier", labels(c))
    elif c.head == "question":
        yield from classifier("qa_outputs", labels(c), "start and end of the answer")
    elif c.head == "choice":
        yield from classifier("classifier", 1)
