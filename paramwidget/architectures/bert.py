"""BERT, and the encoders that keep its layers: RoBERTa, ELECTRA, ERNIE, MPNet, DistilBERT, ALBERT."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, layer_norm, linear, multi_head, normed, plain_mlp
from .blocks.base import place
from .blocks.encoder import (
    POOLED,
    encoder,
    encoder_head,
    masked_lm,
    pooler,
    tables,
    without_cache,
)
from .blocks.heads import labels
from .blocks.seq2seq import across
from .blocks.stack import runs

#: the heads that predict words, by the names of their parts
BERT_LM = partial(
    masked_lm,
    dense="cls.predictions.transform.dense",
    norm="cls.predictions.transform.LayerNorm",
    decoder="cls.predictions.decoder",
    own_bias="cls.predictions.bias",
)
ROBERTA_LM = partial(
    masked_lm,
    dense="lm_head.dense",
    norm="lm_head.layer_norm",
    decoder="lm_head.decoder",
    own_bias="lm_head.bias",
)
ELECTRA_LM = partial(
    masked_lm,
    dense="generator_predictions.dense",
    norm="generator_predictions.LayerNorm",
    decoder="generator_lm_head",
)
DISTILBERT_LM = partial(
    masked_lm, dense="vocab_transform", norm="vocab_layer_norm", decoder="vocab_projector"
)
ALBERT_LM = partial(
    masked_lm,
    dense="predictions.dense",
    norm="predictions.LayerNorm",
    decoder="predictions.decoder",
    own_bias="predictions.bias",
)
BERT_HEAD = partial(encoder_head, language=BERT_LM, pair="cls.seq_relationship")
ROBERTA_HEAD = partial(encoder_head, language=ROBERTA_LM, dense=("classifier.dense", "classifier.out_proj"))


def bert(c: Config) -> Iterator[Part]:
    """BERT, and the embedding models that are one: BGE, GTE, E5, MiniLM, arctic-embed.

    Source: modeling_bert in transformers 5.24.  Implied: all biases, the pooler.
    Checked: google-bert/bert-large-uncased stored 335,141,888 as BertModel; BAAI/bge-large-en-v1.5, the same
    architecture, has 335,142,400 on the Hub: the 512 more are position_ids, a buffer of older versions.
    """
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c)]
    yield from encoder(
        c, attention=bert_attention(c), mlp=bert_mlp(c), base="bert", extra=extra, top=BERT_HEAD
    )


def ernie(c: Config) -> Iterator[Part]:
    """ERNIE: BERT with a table of task types where ``use_task_id`` asks for it.

    Source: modeling_ernie in transformers 5.24.  Implied: all biases, the pooler.
    Checked: its default config stored 109,514,298 with its language head, transformers 109,514,298, residual 0.
    """
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c)]
    if c.flag("use_task_id"):
        shape = (c.task_type_vocab_size, c.hidden_size)
        extra.append(TensorSpec("embeddings.task_type_embeddings.weight", shape, "other", note="task types"))
    yield from encoder(
        c, attention=bert_attention(c), mlp=bert_mlp(c), base="ernie", extra=extra, top=BERT_HEAD
    )


def roberta(c: Config) -> Iterator[Part]:
    """RoBERTa, XLM-RoBERTa, CamemBERT: BERT with other heads; the classifier of sentences has a map of its own.

    Source: modeling_roberta, modeling_xlm_roberta and modeling_camembert in transformers 5.24.
    Implied: all biases, the pooler; the first rows of the positions are padding, and counted.
    Checked: BAAI/bge-reranker-v2-m3 stored 567,755,777, transformers 567,755,777, residual 0; FacebookAI/roberta-base
    124,697,433, with 514 position_ids more in its file, a buffer of older versions.
    """
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c, pooled=POOLED - {"sequence"})]
    yield from encoder(
        c, attention=bert_attention(c), mlp=bert_mlp(c), base="roberta", extra=extra, top=ROBERTA_HEAD
    )


def xlm_roberta_xl(c: Config) -> Iterator[Part]:
    """XLM-RoBERTa XL: RoBERTa with its norms before each part and one behind the last layer, none at the tables.

    Source: modeling_xlm_roberta_xl in transformers 5.24.  Implied: all biases, the pooler.
    Checked: its default config stored 3,482,741,760 with its language head, transformers 3,482,741,760, residual 0.
    """
    extra = [*tables(c), *pooler(c, pooled=POOLED - {"sequence"})]
    yield from encoder(
        c,
        attention=bert_attention(c, norm="self_attn_layer_norm"),
        mlp=bert_mlp(c),
        base="roberta",
        extra=extra,
        layer_norms=("attention.self_attn_layer_norm", "LayerNorm"),
        post_norms=(),
        final_norm="encoder.LayerNorm",
        top=ROBERTA_HEAD,
    )


def electra(c: Config) -> Iterator[Part]:
    """ELECTRA: BERT on tables that may be narrower than its layers; no pooler.

    Source: modeling_electra in transformers 5.24.  Implied: all biases.
    Checked: its default config stored 13,546,682 with its generator, transformers 13,546,682, residual 0.
    """
    narrow, hidden = c.embedding_size, c.hidden_size
    extra = [*tables(c, narrow), *layer_norm(c, narrow)("embeddings.LayerNorm")]
    if narrow != hidden:
        extra += linear("embeddings_project", hidden, narrow, role="other", bias=True)
    yield from encoder(
        c,
        attention=bert_attention(c),
        mlp=bert_mlp(c),
        base="electra",
        embed_width=narrow,
        extra=extra,
        top=electra_head,
    )


def electra_head(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    """ELECTRA is pretrained by telling true tokens from those of a generator."""
    hidden = c.hidden_size
    if c.head != "pretraining":
        dense = ("classifier.dense", "classifier.out_proj")
        yield from encoder_head(c, table, language=ELECTRA_LM, dense=dense)
        return
    yield from linear("discriminator_predictions.dense", hidden, hidden, role="lm_head", bias=True)
    yield from linear("discriminator_predictions.dense_prediction", 1, hidden, role="lm_head", bias=True)


def mpnet(c: Config) -> Iterator[Part]:
    """MPNet: RoBERTa with one table of relative positions for all layers, and no token types.

    Source: modeling_mpnet in transformers 5.24.  Implied: all biases, the pooler, the relative positions.
    Checked: sentence-transformers/all-mpnet-base-v2 stored 109,486,464 as MPNetModel, MTEB 109,486,464, residual 0.
    """
    relative = TensorSpec(
        "encoder.relative_attention_bias.weight",
        (c.relative_attention_num_buckets, c.num_attention_heads),
        "position",
        note="relative positions",
    )
    extra = [
        *tables(c, types=None),
        *layer_norm(c)("embeddings.LayerNorm"),
        relative,
        *pooler(c, pooled=POOLED - {"sequence"}),
    ]
    names = [f"attention.attn.{m}" for m in "qkvo"]
    yield from encoder(
        c,
        attention=multi_head(c, *names),
        mlp=bert_mlp(c),
        base="mpnet",
        extra=extra,
        post_norms=("attention.LayerNorm", "output.LayerNorm"),
        top=ROBERTA_HEAD,
    )


def distilbert(c: Config) -> Iterator[Part]:
    """DistilBERT: half of BERT's layers, no token types, no pooler but in the classifier of sentences.

    Source: modeling_distilbert in transformers 5.24.  Implied: all biases.
    Checked: distilbert/distilbert-base-uncased stored 66,362,880 as DistilBertModel, KerasHub 66,362,880, residual 0.
    """
    names = [f"attention.{m}" for m in ("q_lin", "k_lin", "v_lin", "out_lin")]
    yield from encoder(
        c,
        attention=multi_head(c, *names),
        mlp=plain_mlp(c, "ffn.lin1", "ffn.lin2", width=c.hidden_dim, bias=True, implied_bias=True),
        base="distilbert",
        layers="transformer.layer",
        extra=[*tables(c, types=None), *layer_norm(c)("embeddings.LayerNorm")],
        post_norms=("sa_layer_norm", "output_layer_norm"),
        top=distilbert_head,
    )


def distilbert_head(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    """The classifier of sentences has a map before it, and so has the one of choices."""
    before, hidden = "pre_classifier", c.hidden_size
    if c.head == "choice":
        yield from linear(before, hidden, hidden, role="lm_head", bias=True)
    yield from encoder_head(c, table, language=DISTILBERT_LM, dense=(before, "classifier"))


def albert(c: Config) -> Iterator[Part]:
    """ALBERT: one layer (or a few groups) applied again and again, and a narrow table.

    A layer is stored once however often it is applied, so depth does not change the count.

    Source: modeling_albert in transformers 5.24.  Implied: all biases, the pooler.
    Checked: albert/albert-base-v1 stored 11,221,680 with its language head, transformers 11,221,680, residual 0.
    """
    narrow, hidden = c.embedding_size, c.hidden_size
    at = "" if c.head == "none" else "albert."
    table = TensorSpec(f"{at}embeddings.word_embeddings.weight", (c.vocab_size, narrow), "embedding")
    yield table
    yield from place([*tables(c, narrow), *layer_norm(c, narrow)("embeddings.LayerNorm")], at)
    into = "encoder.embedding_hidden_mapping_in"
    yield from place(linear(into, hidden, narrow, role="other", bias=True), at)
    names = [f"attention.{m}" for m in ("query", "key", "value", "dense")]
    attention = multi_head(c, *names)
    mlp = plain_mlp(c, "ffn", "ffn_output", bias=True, implied_bias=True)
    layer = (
        *attention.tensors,
        *normed(layer_norm(c), "attention.LayerNorm").tensors,
        *mlp.tensors,
        *normed(layer_norm(c), "full_layer_layer_norm").tensors,
    )
    for i in range(c.inner_group_num):
        each = f"{at}encoder.albert_layer_groups.{{layer}}.albert_layers.{i}."
        yield from place(shared(layer, int(c.num_hidden_layers)), each, range(c.num_hidden_groups))
    yield from place(pooler(c, "pooler"), at)
    yield from encoder_head(c, table, language=ALBERT_LM)
    if c.head == "pretraining":
        order = "sop_classifier.classifier"
        yield from linear(order, labels(c), hidden, role="lm_head", bias=True, note="order of sentences")
    yield from runs(without_cache(attention), mlp, int(c.num_hidden_layers))


def shared(layer: tuple[TensorSpec, ...], times: int) -> Iterator[TensorSpec]:
    """A layer whose tensors say that they are used more than once."""
    for t in layer:
        yield TensorSpec(
            t.name,
            t.shape,
            t.role,
            t.kind,
            implied=t.implied,
            note=f"stored once, shared by the {times:,} layers",
        )


def bert_attention(c: Config, norm: str | None = None) -> Block:
    """BERT's attention, and the one to an encoder where ``add_cross_attention`` asks for it.

    ``norm`` names the norm of the latter, where it is not behind its output.
    """
    own = [f"attention.{m}" for m in ("self.query", "self.key", "self.value", "output.dense")]
    if not c.flag("add_cross_attention", otherwise=False):
        return multi_head(c, *own)
    if not c.flag("is_decoder", otherwise=False):
        raise c.error("add_cross_attention", True, "needs is_decoder = true")
    cross = multi_head(c, *(name.replace("attention", "crossattention") for name in own)).tensors
    cross += normed(layer_norm(c), f"crossattention.{norm or 'output.LayerNorm'}").tensors
    return across(multi_head(c, *own, extra=cross), 0)


def bert_mlp(c: Config) -> Block:
    """BERT's feed-forward."""
    return plain_mlp(c, "intermediate.dense", "output.dense", bias=True, implied_bias=True)
