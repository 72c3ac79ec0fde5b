"""Encoders that are BERT or RoBERTa but for the place of their norms, a table, or a few maps."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .bert import BERT_HEAD, ROBERTA_HEAD, bert_attention, bert_mlp
from .blocks import Block, Part, layer_norm, linear, multi_head
from .blocks.encoder import POOLED, encoder, pooler, tables


def megatron_bert(c: Config) -> Iterator[Part]:
    """Megatron-BERT: BERT with its norms before each part and one behind the last layer, none at the tables.

    Source: modeling_megatron_bert in transformers 5.24.  Implied: all biases, the pooler.
    Checked: its default config stored with its language head 333,671,808, transformers 333,671,808, residual 0.
    """
    yield from encoder(
        c,
        attention=bert_attention(c, norm="ln"),
        mlp=bert_mlp(c),
        base="bert",
        extra=[*tables(c), *pooler(c)],
        layer_norms=("attention.ln", "ln"),
        post_norms=(),
        final_norm="encoder.ln",
        top=BERT_HEAD,
    )


def data2vec_text(c: Config) -> Iterator[Part]:
    """data2vec's text model: RoBERTa under another name.

    Source: modeling_data2vec_text in transformers 5.24.  Implied: all biases, the pooler.
    Checked: its default config stored with its language head 109,514,298, transformers 109,514,298, residual 0.
    """
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c, pooled=POOLED - {"sequence"})]
    yield from encoder(
        c, attention=bert_attention(c), mlp=bert_mlp(c), base="data2vec_text", extra=extra, top=ROBERTA_HEAD
    )


def roberta_prelayernorm(c: Config) -> Iterator[Part]:
    """RoBERTa with its norms before each part, and one behind the last layer.

    Source: modeling_roberta_prelayernorm in transformers 5.24.  Implied: all biases, the pooler.
    Checked: its default config stored with its language head 124,698,201, transformers 124,698,201, residual 0.
    """
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c, pooled=POOLED - {"sequence"})]
    yield from encoder(
        c,
        attention=bert_attention(c, norm="LayerNorm"),
        mlp=bert_mlp(c),
        base="roberta_prelayernorm",
        extra=extra,
        layer_norms=("attention.LayerNorm", "intermediate.LayerNorm"),
        post_norms=(),
        final_norm="LayerNorm",
        top=ROBERTA_HEAD,
    )


def longformer(c: Config) -> Iterator[Part]:
    """Longformer: RoBERTa that sees a window, with queries, keys and values of their own for the tokens that see all.

    Source: modeling_longformer in transformers 5.24.  Implied: all biases, the three global maps, the pooler.
    Checked: its default config stored with its language head 130,775,610, transformers 130,775,610, residual 0.
    """
    hidden = c.hidden_size
    own = [f"attention.{m}" for m in ("self.query", "self.key", "self.value", "output.dense")]
    extra: list[TensorSpec] = []
    for name in own[:3]:
        extra += linear(f"{name}_global", hidden, hidden, role="attention", bias=True, implied=True)
    outer = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c, pooled=POOLED - {"sequence"})]
    full = multi_head(c, *own, extra=extra)
    yield from encoder(
        c,
        attention=windows(c, full),
        mlp=bert_mlp(c),
        base="longformer",
        extra=outer,
        top=ROBERTA_HEAD,
    )


def windows(c: Config, full: Block) -> Block | list[Block]:
    """``attention_window`` is one for all layers, or a list of one for each."""
    window, n = c.get("attention_window"), int(c.num_hidden_layers)
    sizes = c.list_of("attention_window", n) if isinstance(window, list | tuple) else [window]
    if not all(type(size) is int and size > 0 for size in sizes):
        raise c.error(
            "attention_window", window, "must be a whole number of at least 1, or one for each layer"
        )
    sliding = {size: full.with_facts(mixer="sliding", window=size) for size in sizes}
    return [sliding[size] for size in sizes] if len(sizes) > 1 else sliding[sizes[0]]


def tapas(c: Config) -> Iterator[Part]:
    """TAPAS: BERT with a table for each of the things that a cell is: its column, its row, its rank and more.

    Source: modeling_tapas in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 110,703,930, residual 0.
    """
    sizes = c.get("type_vocab_sizes")
    if not isinstance(sizes, list | tuple):
        raise c.error("type_vocab_sizes", sizes, "must be a list with one entry a table")
    hidden, at = c.hidden_size, "embeddings."
    cells = [
        TensorSpec(f"{at}token_type_embeddings_{i}.weight", (rows, hidden), "other", note="what a cell is")
        for i, rows in enumerate(c.counts_of("type_vocab_sizes", len(sizes)))
    ]
    place = TensorSpec(f"{at}position_embeddings.weight", (c.max_position_embeddings, hidden), "position")
    yield from encoder(
        c,
        attention=bert_attention(c),
        mlp=bert_mlp(c),
        base="tapas",
        extra=[place, *cells, *layer_norm(c)(f"{at}LayerNorm"), *pooler(c, pooled=POOLED - {"masked"})],
        top=BERT_HEAD,
    )


def layoutlm(c: Config) -> Iterator[Part]:
    """LayoutLM: BERT with tables for where a word stands on the page, how high and how wide it is.

    Source: modeling_layoutlm in transformers 5.24.  Implied: all biases, the pooler.
    Checked: its default config stored with its language head 113,250,618, transformers 113,250,618, residual 0.
    """
    page = [
        TensorSpec(
            f"embeddings.{axis}_position_embeddings.weight",
            (c.max_2d_position_embeddings, c.hidden_size),
            "position",
            note="place on the page",
        )
        for axis in "xyhw"
    ]
    outer = [*tables(c), *page, *layer_norm(c)("embeddings.LayerNorm")]
    outer += pooler(c, pooled=POOLED | {"masked", "token", "question"})
    yield from encoder(
        c, attention=bert_attention(c), mlp=bert_mlp(c), base="layoutlm", extra=outer, top=BERT_HEAD
    )
