"""DeBERTa: attention that keeps content and relative position apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .bert import BERT_LM, bert_mlp
from .blocks import Block, Part, layer_norm, linear, multi_head, vector
from .blocks.encoder import encoder, encoder_head, pooler, tables


def deberta_v2(c: Config) -> Iterator[Part]:
    """DeBERTa-v2 and v3: one table of relative positions for all layers, and two maps for them unless the content's
    are shared; an optional convolution beside the first layer.

    Source: modeling_deberta_v2 in transformers 5.24.  Implied: all biases.
    Checked: microsoft/deberta-v3-base stored 183,831,552 without a head, KerasHub 183,831,552, residual 0.
    """
    relative = c.flag("relative_attention")
    maps: dict[str, str] = {}
    if relative and not c.flag("share_att_key", otherwise=False):
        maps = {"c2p": "attention.self.pos_key_proj", "p2c": "attention.self.pos_query_proj"}
    names = [f"attention.self.{m}" for m in ("query_proj", "key_proj", "value_proj")]
    attention = multi_head(
        c, *names, "attention.output.dense", extra=position_maps(c, maps, biased=("c2p", "p2c"))
    )
    width = attention.facts["k_dim"]
    if c.get("attention_head_size", width) != width:
        raise c.error("attention_head_size", c.get("attention_head_size"), f"must be {width}")
    beside: list[TensorSpec] = []
    if relative:
        beside += relative_table(c, c.position_buckets if positive(c, "position_buckets") else reach(c))
    if "layer_norm" in str(c.get("norm_rel_ebd")).lower():
        beside += layer_norm(c)("encoder.LayerNorm")
    if positive(c, "conv_kernel_size"):
        beside += convolution(c)
    yield from frame(c, attention=attention, beside=beside)


def deberta(c: Config) -> Iterator[Part]:
    """DeBERTa: q, k and v in one matrix, with biases for the queries and the values only.

    Source: modeling_deberta in transformers 5.24.  Implied: all biases.
    Checked: its default config stored 124,685,913 with its language head, transformers 124,685,913, residual 0.
    """
    heads, hidden, role = c.num_attention_heads, c.hidden_size, "attention"
    relative = c.flag("relative_attention")
    maps = {"c2p": "attention.self.pos_proj", "p2c": "attention.self.pos_q_proj"} if relative else {}
    extra = [
        vector("attention.self.q_bias", hidden, role=role, kind="bias", implied=True),
        vector("attention.self.v_bias", hidden, role=role, kind="bias", implied=True),
        *position_maps(c, maps, biased=("p2c",)),
    ]
    if c.flag("talking_head", otherwise=False):
        extra += linear("attention.self.head_logits_proj", heads, heads, role=role)
        extra += linear("attention.self.head_weights_proj", heads, heads, role=role)
    names = ("attention.self.in_proj", "attention.output.dense")
    attention = multi_head(c, *names, bias=(False, True), extra=extra)
    yield from frame(c, attention=attention, beside=relative_table(c, reach(c)) if relative else [])


def position_maps(c: Config, names: Mapping[str, str], biased: tuple[str, ...]) -> list[TensorSpec]:
    """A map of the relative positions for each way of ``pos_att_type``: content to position, position to content."""
    kinds = c.get("pos_att_type", [])
    if isinstance(kinds, str):
        kinds = [kind.strip() for kind in kinds.lower().split("|")]
    if not isinstance(kinds, list | tuple):
        raise c.error("pos_att_type", kinds, "must be a list of p2c and c2p")
    size = c.hidden_size
    found: list[TensorSpec] = []
    for kind, name in names.items():
        if kind in kinds:
            found += linear(name, size, size, role="attention", bias=kind in biased, implied=True)
    return found


def positive(c: Config, key: str) -> bool:
    """Whether a number, which may be −1 for none, is more than 0."""
    value = c.get(key, 0)
    if type(value) is not int:
        raise c.error(key, value, "must be a whole number")
    return value > 0


def reach(c: Config) -> Dim:
    """How far apart two tokens may be: ``max_relative_positions``, else the positions there are."""
    key = "max_relative_positions"
    return c.max_relative_positions if positive(c, key) else c.max_position_embeddings


def relative_table(c: Config, one_way: Dim) -> list[TensorSpec]:
    """The table of relative positions, in both directions."""
    shape = (2 * one_way, c.hidden_size)
    return [TensorSpec("encoder.rel_embeddings.weight", shape, "position", note="relative positions")]


def convolution(c: Config) -> list[TensorSpec]:
    """A convolution over the tokens, beside the first layer."""
    hidden = c.hidden_size
    groups = c.conv_groups if c.has("conv_groups") else 1
    if hidden % groups:
        raise c.error("conv_groups", int(groups), f"does not divide hidden_size = {int(hidden)}")
    shape = (hidden, hidden // groups, c.conv_kernel_size)
    return [
        TensorSpec("encoder.conv.conv.weight", shape, "other", note="convolution"),
        vector("encoder.conv.conv.bias", hidden, role="other", kind="bias"),
        *layer_norm(c)("encoder.conv.LayerNorm"),
    ]


def frame(c: Config, attention: Block, beside: list[TensorSpec]) -> Iterator[Part]:
    """What both generations share: tables that may be narrow, and the heads; the pooler stands outside the body."""
    narrow = c.embedding_size if c.has("embedding_size") else c.hidden_size
    extra = tables(c, narrow, positions=c.flag("position_biased_input"))
    if narrow != c.hidden_size:
        extra += linear("embeddings.embed_proj", c.hidden_size, narrow, role="other")
    extra += layer_norm(c)("embeddings.LayerNorm")
    yield from encoder(
        c,
        attention=attention,
        mlp=bert_mlp(c),
        base="deberta",
        embed_width=narrow,
        extra=[*extra, *beside],
        top=deberta_head,
    )


def deberta_head(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    """BERT's heads, with the pooler among them."""
    width = c.pooler_hidden_size if c.has("pooler_hidden_size") else c.hidden_size
    yield from pooler(c, pooled=("sequence", "choice"), width=width)
    yield from encoder_head(c, table, language=BERT_LM if c.flag("legacy") else later_lm)


def later_lm(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    """The language head that is not ``legacy``: it reads the embedding table itself, so has no name for it."""
    at, hidden = "lm_predictions.lm_head", c.hidden_size
    yield from linear(f"{at}.dense", hidden, hidden, role="lm_head", bias=True)
    yield from layer_norm(c, role="lm_head")(f"{at}.LayerNorm")
    yield vector(f"{at}.bias", c.vocab_size, role="lm_head", kind="bias")
