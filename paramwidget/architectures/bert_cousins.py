"""Encoders and decoders in BERT's names whose attention, tables or layers are their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from ..tensors import TensorSpec
from .bert import BERT_LM, ROBERTA_LM, bert_attention, bert_mlp
from .blocks import Block, Part, decoder, gated_mlp, gqa, layer_norm, linear, multi_head, rms_norm, vector
from .blocks.encoder import POOLED, encoder, encoder_head, masked_lm, pooler, tables, without_cache
from .blocks.heads import head, output

BERT_WORDS = partial(encoder_head, language=BERT_LM)
ROBERTA_WORDS = partial(encoder_head, language=ROBERTA_LM, dense=("classifier.dense", "classifier.out_proj"))


def bert_generation(c: Config) -> Iterator[Part]:
    """BertGeneration: BERT as a decoder or an encoder, without token types and pooler; a plain head.

    Source: modeling_bert_generation in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 354,452,662, residual 0.
    """

    def top(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
        if c.head == "causal":
            yield vector("lm_head.bias", table.shape[0], role="lm_head", kind="bias")
            yield from output(c, "lm_head.decoder", table)
            tied = "lm_head.bias" if c.flag("tie_word_embeddings") else None
            yield TensorSpec("lm_head.decoder.bias", table.shape[:1], "lm_head", "bias", tied_to=tied)

    extra = [*tables(c, types=None), *layer_norm(c)("embeddings.LayerNorm")]
    yield from encoder(c, attention=bert_attention(c), mlp=bert_mlp(c), base="bert", extra=extra, top=top)


def big_bird(c: Config) -> Iterator[Part]:
    """BigBird: BERT's tensors with attention in blocks; a pooler under every head.

    Source: modeling_big_bird in transformers 5.24.  Implied: all biases but those of q, k and v.
    Checked: the class's defaults, 128,111,286, residual 0.
    """
    if c.flag("add_cross_attention", otherwise=False):
        raise c.error("add_cross_attention", True, "is not described")
    names = [f"attention.{m}" for m in ("self.query", "self.key", "self.value", "output.dense")]
    bias, hidden = c.flag("use_bias"), c.hidden_size
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm")]
    extra += linear("pooler", hidden, hidden, role="other", bias=True, implied=True, note="pooler")
    yield from encoder(
        c,
        attention=multi_head(c, *names, bias=(bias, bias, bias, True), implied_bias=False),
        mlp=bert_mlp(c),
        base="bert",
        extra=extra,
        top=BERT_WORDS,
    )


def rembert(c: Config) -> Iterator[Part]:
    """RemBERT: narrow tables mapped into the layers, and a head that is wider than them, never tied.

    Source: modeling_rembert in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 993,263,548, residual 0.
    """
    narrow, hidden, wide = c.input_embedding_size, c.hidden_size, c.output_embedding_size
    extra = [*tables(c, narrow), *layer_norm(c, narrow)("embeddings.LayerNorm"), *pooler(c)]
    extra += linear("encoder.embedding_hidden_mapping_in", hidden, narrow, role="other", bias=True)

    def words(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
        yield from linear("cls.predictions.dense", wide, hidden, role="lm_head", bias=True)
        yield from layer_norm(c, wide, role="lm_head")("cls.predictions.LayerNorm")
        yield from linear("cls.predictions.decoder", c.vocab_size, wide, role="lm_head", bias=True)

    yield from encoder(
        c,
        attention=bert_attention(c),
        mlp=bert_mlp(c),
        base="rembert",
        embed_width=narrow,
        extra=extra,
        top=partial(encoder_head, language=words),
    )


def roformer(c: Config) -> Iterator[Part]:
    """RoFormer: BERT with rotary positions, which its files hold, on tables that may be narrower; no pooler.

    Source: modeling_roformer in transformers 5.24.  Implied: all biases, the table of positions.
    Checked: the class's defaults, 124,197,968, residual 0.
    """
    narrow, hidden = c.embedding_size if c.has("embedding_size") else c.hidden_size, c.hidden_size
    extra = [*tables(c, narrow, positions=False), *layer_norm(c, narrow)("embeddings.LayerNorm")]
    if narrow != hidden:
        extra += linear("embeddings_project", hidden, narrow, role="other", bias=True)
    rows = (c.max_position_embeddings, c.divide("hidden_size", "num_attention_heads"))
    extra.append(TensorSpec("encoder.embed_positions.weight", rows, "position", implied=True))
    yield from encoder(
        c,
        attention=bert_attention(c),
        mlp=bert_mlp(c),
        base="roformer",
        embed_width=narrow,
        extra=extra,
        top=BERT_WORDS,
    )


def roc_bert(c: Config) -> Iterator[Part]:
    """RoCBert: BERT with tables of sounds and of shapes, mapped into the layers beside the words.

    Source: modeling_roc_bert in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 124,514,106, residual 0.
    """
    hidden = c.hidden_size
    extra, joined = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c)], hidden
    for name, key in (("pronunciation", "enable_pronunciation"), ("shape", "enable_shape")):
        width = getattr(c, f"{name}_embed_dim")
        shape = (getattr(c, f"{name}_vocab_size"), width)
        extra.append(TensorSpec(f"embeddings.{name}_embed.weight", shape, "other"))
        joined += width if c.flag(key) else 0
    if c.flag("concat_input"):
        extra += linear("embeddings.map_inputs_layer", hidden, joined, role="other", bias=True)
    yield from encoder(
        c, attention=bert_attention(c), mlp=bert_mlp(c), base="roc_bert", extra=extra, top=BERT_WORDS
    )


def xmod(c: Config) -> Iterator[Part]:
    """X-MOD: RoBERTa with a bottleneck in each layer for each language; a token uses that of its own.

    Source: modeling_xmod in transformers 5.24.  Implied: all biases, the pooler.
    Checked: the class's defaults, 116,606,010, residual 0.
    """
    hidden, before = c.hidden_size, c.flag("pre_norm")
    languages = c.get("languages", ["en_XX"])
    if not isinstance(languages, list) or not languages:
        raise c.error("languages", languages, "must be a list of names")
    inner = hidden // c.__getattr__("adapter_reduction_factor")
    rest: list[TensorSpec] = []
    for i, name in enumerate(dict.fromkeys(languages)):
        at, used = f"output.adapter_modules.{name}.", int(i == 0)
        rest += linear(f"{at}dense1", inner, hidden, role="mlp", bias=True, active=used)
        rest += linear(f"{at}dense2", hidden, inner, role="mlp", bias=True, active=used)
    if c.flag("adapter_layer_norm"):
        rest += layer_norm(c)("output.adapter_layer_norm")
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm"), *pooler(c, pooled=POOLED - {"sequence"})]
    yield from encoder(
        c,
        attention=bert_attention(c),
        mlp=bert_mlp(c).plus(*rest),
        base="roberta",
        extra=extra,
        final_norm="encoder.LayerNorm" if before else None,
        top=ROBERTA_WORDS,
    )


def eurobert(c: Config) -> Iterator[Part]:
    """EuroBERT: Llama that sees both ways, with a head of its own over the words.

    Source: modeling_eurobert in transformers 5.24.  Checked: the class's defaults, 310,266,624, residual 0.
    """

    def top(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
        if c.head == "masked":
            yield from output(c, "lm_head", table, bias=c.flag("mlp_bias"))
        else:
            yield from head(c, table)

    attention = gqa(c, bias=c.flag("attention_bias"))
    mlp = gated_mlp(c, bias=c.flag("mlp_bias"))
    yield from decoder(c, attention=without_cache(attention), mlp=mlp, norm=rms_norm(c), top=top)


def gte(c: Config) -> Iterator[Part]:
    """GTE of the newer make: rotary positions, norms behind each part, a gated MLP; RoBERTa's head.

    Source: modeling_gte in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 306,210,496, residual 0.
    """
    hidden, width = c.hidden_size, c.intermediate_size
    mlp = (
        *linear("mlp.gate_proj", width, hidden, role="mlp"),
        *linear("mlp.up_proj", width, hidden, role="mlp"),
        *linear("mlp.down_proj", hidden, width, role="mlp", bias=True, implied_bias=True),
    )
    words = partial(masked_lm, dense="lm_head.dense", norm="lm_head.layer_norm", decoder="lm_head.decoder")
    yield from encoder(
        c,
        attention=multi_head(c, *(f"self_attn.{n}_proj" for n in "qkvo")),
        mlp=Block(mlp, {"ffn": "dense"}),
        base="gte",
        layers="layers",
        extra=[*tables(c, positions=False), *layer_norm(c)("embeddings.LayerNorm")],
        post_norms=("post_attention_layernorm", "post_mlp_layernorm"),
        top=partial(encoder_head, language=words),
    )


def padded(c: Config) -> Iterator[Part]:
    """YOSO, Nyströmformer and MRA: BERT without a pooler, two rows of positions more, attention that is approximate.

    A convolution over the values is Nyströmformer's, and YOSO's where ``conv_window`` asks for it.

    Source: modeling_yoso, modeling_nystromformer and modeling_mra in transformers 5.24.  Implied: all biases.
    Checked: the classes' defaults, 127,449,945, 109,122,240 and 124,697,433, residual 0.
    """
    attention, heads = bert_attention(c), c.num_attention_heads
    key = {"yoso": "conv_window", "nystromformer": "conv_kernel_size"}.get(c.model_type)
    if key and c.has(key):
        kernel = (heads, 1, getattr(c, key), 1)
        attention = attention.plus(
            TensorSpec("attention.self.conv.weight", kernel, "attention", implied=True)
        )
    rows = (c.max_position_embeddings + 2, c.hidden_size)
    extra = [
        TensorSpec("embeddings.position_embeddings.weight", rows, "position"),
        *tables(c, positions=False),
        *layer_norm(c)("embeddings.LayerNorm"),
    ]
    if c.model_type == "mra":
        ids = (1, c.max_position_embeddings)
        extra.append(TensorSpec("embeddings.position_ids", ids, "position", "buffer", implied=True))
    yield from encoder(
        c, attention=attention, mlp=bert_mlp(c), base=c.model_type, extra=extra, top=BERT_WORDS
    )


def fnet(c: Config) -> Iterator[Part]:
    """FNet: BERT with a Fourier transform in place of attention, so that a mixer has a norm and nothing else.

    Source: modeling_fnet in transformers 5.24.  Implied: all biases, the pooler under every head but the question's.
    Checked: the class's defaults, 83,485,184, residual 0.
    """
    hidden = c.hidden_size
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm")]
    extra += linear("embeddings.projection", hidden, hidden, role="other", bias=True)
    extra += pooler(c, pooled=POOLED | {"masked", "pretraining"})
    yield from encoder(
        c,
        attention=Block((), {"mixer": "none"}),
        mlp=bert_mlp(c),
        base="fnet",
        extra=extra,
        post_norms=("fourier.output.LayerNorm", "output.LayerNorm"),
        top=BERT_WORDS,
    )


def squeezebert(c: Config) -> Iterator[Part]:
    """SqueezeBERT: BERT whose maps are convolutions in groups; a pooler under every head.

    Source: modeling_squeezebert in transformers 5.24.  Implied: all biases.
    Checked: the class's defaults, 51,712,314, residual 0.
    """
    hidden, width = c.hidden_size, c.intermediate_size

    def grouped(name: str, out: int, inn: int, key: str, role: str) -> list[TensorSpec]:
        groups = getattr(c, key)
        return [
            TensorSpec(f"{name}.weight", (out, inn // groups, 1), role),
            TensorSpec(f"{name}.bias", (out,), role, "bias", implied=True),
        ]

    attention = [
        t
        for n in ("query", "key", "value")
        for t in grouped(f"attention.{n}", hidden, hidden, f"{n[0]}_groups", "attention")
    ]
    attention += grouped("post_attention.conv1d", hidden, hidden, "post_attention_groups", "attention")
    mlp = grouped("intermediate.conv1d", width, hidden, "intermediate_groups", "mlp")
    mlp += grouped("output.conv1d", hidden, width, "output_groups", "mlp")
    extra = [*tables(c), *layer_norm(c)("embeddings.LayerNorm")]
    extra += linear("pooler.dense", hidden, hidden, role="other", bias=True, implied=True, note="pooler")
    yield from encoder(
        c,
        attention=Block(tuple(attention), {"mixer": "full"}),
        mlp=Block(tuple(mlp), {"ffn": "dense"}),
        base="transformer",
        layers="encoder.layers",
        extra=extra,
        post_norms=("post_attention.layernorm", "output.layernorm"),
        top=BERT_WORDS,
    )
