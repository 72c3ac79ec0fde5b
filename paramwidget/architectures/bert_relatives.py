"""Encoders in BERT's names with parts of their own: ConvBERT, MobileBERT, LUKE, Jina's third embedding model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from ..config import Config
from ..tensors import TensorSpec
from .bert import ELECTRA_LM, ROBERTA_HEAD, ROBERTA_LM, bert_attention, bert_mlp
from .blocks import Block, Part, layer_norm, linear, multi_head, plain_mlp, vector
from .blocks.base import renamed
from .blocks.encoder import POOLED, encoder, encoder_head, pooler, tables
from .blocks.heads import output, stem


def jina_embeddings_v3(c: Config) -> Iterator[Part]:
    """Jina Embeddings v3: XLM-RoBERTa with rotary positions, in the names of a text model.

    Source: modeling_jina_embeddings_v3 in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 559,616,146, residual 0.
    """
    yield from encoder(
        c,
        attention=multi_head(c, *(f"self_attn.{n}_proj" for n in "qkvo")),
        mlp=plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=True, implied_bias=True),
        base="roberta",
        layers="layers",
        extra=[
            *tables(c, positions=False),
            *layer_norm(c)("embeddings.LayerNorm"),
            *pooler(c, pooled=POOLED - {"sequence"}),
        ],
        post_norms=("post_attention_layernorm", "post_mlp_layernorm"),
        top=ROBERTA_HEAD,
    )


def convbert(c: Config) -> Iterator[Part]:
    """ConvBERT: ELECTRA in which convolutions, whose kernels each token makes, take the place of half of the heads.

    Source: modeling_convbert in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 106,303,170, residual 0.
    """
    narrow, hidden = c.embedding_size, c.hidden_size
    extra = [*tables(c, narrow), *layer_norm(c, narrow)("embeddings.LayerNorm")]
    if narrow != hidden:
        extra += linear("embeddings_project", hidden, narrow, role="other", bias=True)
    yield from encoder(
        c,
        attention=_half_convolution(c),
        mlp=_grouped_mlp(c) if c.num_groups > 1 else bert_mlp(c),
        base="convbert",
        embed_width=narrow,
        extra=extra,
        top=partial(encoder_head, language=ELECTRA_LM, dense=("classifier.dense", "classifier.out_proj")),
    )


def _half_convolution(c: Config) -> Block:
    """Fewer heads, of half a width, and as many channels that a convolution of the token's own kernel makes."""
    hidden, kernel, at = c.hidden_size, c.conv_kernel_size, "attention.self."
    heads = c.num_attention_heads // c.head_ratio or c.num_attention_heads // c.num_attention_heads
    inner = heads * (hidden // heads // 2)
    maps = (*((n, inner, hidden) for n in ("query", "key", "value", "conv_out_layer")),)
    tensors = [t for n, out, inn in maps for t in linear(at + n, out, inn, role="attention", bias=True)]
    tensors += linear(f"{at}conv_kernel_layer", heads * kernel, inner, role="attention", bias=True)
    tensors += [
        TensorSpec(f"{at}key_conv_attn_layer.depthwise.weight", (hidden, 1, kernel), "attention"),
        TensorSpec(f"{at}key_conv_attn_layer.pointwise.weight", (inner, hidden, 1), "attention"),
        TensorSpec(f"{at}key_conv_attn_layer.bias", (inner, 1), "attention", "bias"),
        *linear("attention.output.dense", hidden, 2 * inner, role="attention", bias=True),
    ]
    return Block(tuple(tensors), {"mixer": "full"})


def _grouped_mlp(c: Config) -> Block:
    """A feed-forward whose maps stay within groups of channels."""
    groups, tensors = c.num_groups, []
    sizes = (
        ("intermediate", c.hidden_size, c.intermediate_size),
        ("output", c.intermediate_size, c.hidden_size),
    )
    for name, inn, out in sizes:
        tensors.append(TensorSpec(f"{name}.dense.weight", (groups, inn // groups, out // groups), "mlp"))
        tensors.append(vector(f"{name}.dense.bias", out, role="mlp", kind="bias"))
    return Block(tuple(tensors), {"ffn": "dense"})


def mobilebert(c: Config) -> Iterator[Part]:
    """MobileBERT: narrow layers between bottlenecks, several feed-forwards in each; tokens read their neighbours.

    Source: modeling_mobilebert in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 36,596,538, residual 0.
    """
    hidden, narrow, table = c.hidden_size, _inner(c), c.embedding_size
    words = table * 3 if c.flag("trigram_input") else table
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm")]
    extra += linear("embeddings.embedding_transformation", hidden, words, role="other", bias=True)
    if c.flag("classifier_activation", otherwise=True):
        extra += pooler(c)
    value = narrow if c.flag("use_bottleneck_attention") else hidden
    maps = [(f"self.{n}", narrow) for n in ("query", "key")] + [
        ("self.value", value),
        ("output.dense", narrow),
    ]
    norm = layer_norm(c, narrow)
    attention = [
        t for n, inn in maps for t in linear(f"attention.{n}", narrow, inn, role="attention", bias=True)
    ]
    mlp = [*_feed_forward(c, ""), *norm("output.LayerNorm")]
    for i in range(c.num_feedforward_networks - 1):
        mlp += [*_feed_forward(c, f"ffn.{i}."), *norm(f"ffn.{i}.output.LayerNorm")]
    if c.flag("use_bottleneck"):
        for name in ("input", *(["attention"] if c.flag("key_query_shared_bottleneck") else [])):
            mlp += linear(f"bottleneck.{name}.dense", narrow, hidden, role="mlp", bias=True)
            mlp += norm(f"bottleneck.{name}.LayerNorm")
        mlp += linear("output.bottleneck.dense", hidden, narrow, role="mlp", bias=True)
        mlp += layer_norm(c)("output.bottleneck.LayerNorm")
    yield from encoder(
        c,
        attention=Block((*attention, *norm("attention.output.LayerNorm")), {"mixer": "full"}),
        mlp=Block(tuple(mlp), {"ffn": "dense"}),
        base="mobilebert",
        embed_width=table,
        extra=extra,
        post_norms=(),
        top=partial(encoder_head, language=_wider_words, pair="cls.seq_relationship"),
    )


def _inner(c: Config) -> int:
    inner: int = c.intra_bottleneck_size if c.flag("use_bottleneck") else c.hidden_size
    return inner


def _feed_forward(c: Config, at: str) -> list[TensorSpec]:
    width, narrow = c.intermediate_size, _inner(c)
    up = linear(f"{at}intermediate.dense", width, narrow, role="mlp", bias=True)
    return up + linear(f"{at}output.dense", narrow, width, role="mlp", bias=True)


def _wider_words(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    """The head reads more than the table is wide: what is missing is a matrix of its own, stored the other way."""
    vocab, narrow = table.shape
    at, hidden = "cls.predictions", c.hidden_size
    yield from linear(f"{at}.transform.dense", hidden, hidden, role="lm_head", bias=True)
    yield from layer_norm(c, role="lm_head")(f"{at}.transform.LayerNorm")
    if hidden > narrow:
        yield from linear(f"{at}.dense", hidden - narrow, vocab, role="lm_head")
    yield from output(c, f"{at}.decoder", table)
    yield vector(f"{at}.bias", vocab, role="lm_head", kind="bias")
    tied = f"{at}.bias" if c.flag("tie_word_embeddings") else None
    yield TensorSpec(f"{at}.decoder.bias", (vocab,), "lm_head", "bias", tied_to=tied)


def luke(c: Config) -> Iterator[Part]:
    """LUKE: RoBERTa that reads entities too, with tables of their own; words and entities ask by maps of their own.

    The head of words is not tied, whatever the config says; that of entities is.

    Source: modeling_luke in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 314,445,435, residual 0.
    """
    hidden, narrow, at = c.hidden_size, c.entity_emb_size, "entity_embeddings."
    entities = TensorSpec(f"{at}entity_embeddings.weight", (c.entity_vocab_size, narrow), "embedding")
    norm = layer_norm(c)
    own = Block((*tables(c), *norm("embeddings.LayerNorm")))
    extra = [
        *own.tensors,
        entities,
        *renamed(own, {"embeddings.": at}).tensors,
        *pooler(c, pooled=LUKE_POOLED),
    ]
    if narrow != hidden:
        extra += linear(f"{at}entity_embedding_dense", hidden, narrow, role="other")
    attention = bert_attention(c)
    if c.flag("use_entity_aware_attention"):
        names = [f"attention.self.{n}_query" for n in ("w2e", "e2w", "e2e")]
        attention = attention.plus(
            *(t for n in names for t in linear(n, hidden, hidden, role="attention", bias=True))
        )
    yield from encoder(c, attention=attention, mlp=bert_mlp(c), base="luke", extra=extra, top=_luke_head)


#: LUKE's classes that have the pooler
LUKE_POOLED = POOLED | {"masked"}


def _luke_head(c: Config, table: TensorSpec) -> Iterable[TensorSpec]:
    yield from encoder_head(c, table, language=partial(ROBERTA_LM, may_tie=False))
    if c.head != "masked":
        return
    shape = (c.entity_vocab_size, c.entity_emb_size)
    entities = TensorSpec(f"{stem(c, 'luke')}entity_embeddings.entity_embeddings.weight", shape, "embedding")
    at = "entity_predictions"
    yield from linear(f"{at}.transform.dense", shape[1], c.hidden_size, role="lm_head", bias=True)
    yield from layer_norm(c, shape[1], role="lm_head")(f"{at}.transform.LayerNorm")
    yield from output(c, f"{at}.decoder", entities)
    yield vector(f"{at}.bias", shape[0], role="lm_head", kind="bias")
