"""BLOOM, and Falcon, which grew out of its code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from .blocks import Part, decoder, head, layer_norm, multi_head, plain_mlp


def bloom(c: Config) -> Iterator[Part]:
    """BLOOM: a norm right behind the embedding, no positions, biases everywhere.

    Source: modeling_bloom in transformers 5.24.  Implied: all biases; the MLP's width, always 4 × hidden_size.
    Checked: bigscience/bloom stored 176,247,271,424, Hub 176,247,271,424, residual 0.
    """
    yield from decoder(
        c,
        attention=multi_head(c, "self_attention.query_key_value", "self_attention.dense"),
        mlp=plain_mlp(
            c,
            "mlp.dense_h_to_4h",
            "mlp.dense_4h_to_h",
            width=4 * c.hidden_size,
            bias=True,
            implied_bias=True,
        ),
        norm=layer_norm(c),
        base="transformer",
        layers="h",
        embed="word_embeddings",
        extra=layer_norm(c)("word_embeddings_layernorm"),
        final_norm="ln_f",
        top=partial(head, token="classifier"),
    )


def falcon(c: Config) -> Iterator[Part]:
    """Falcon: attention and MLP side by side, few key and value heads, norms with biases, maps without.

    The first Falcons have one key and value head (``multi_query``) and one norm a layer; the later ones
    (``new_decoder_architecture``) have ``num_kv_heads``, and a norm each for attention and MLP.

    Source: modeling_falcon in transformers 5.24; for the types RefinedWeb and RefinedWebModel, modelling_RW of the
    files.  Implied: biases of the norms.
    Checked: tiiuae/falcon-40b stored 41,303,293,952 and falcon-7b-instruct 6,921,720,704; the Hub's 41,835,970,560 and
    7,217,189,760 hold the tied head a second time (vocab_size × hidden_size), transformers 0 residual.
    """
    flags = ("new_decoder_architecture", "multi_query", "parallel_attn", "bias")
    new, multi_query, parallel, bias = (c.has(flag) and c.flag(flag) for flag in flags)  # null is false
    kv_heads = c.num_key_value_heads if new else 1 if multi_query else None
    if kv_heads and c.num_attention_heads % kv_heads:
        raise c.error("num_kv_heads", int(kv_heads), "does not divide num_attention_heads")
    norms = c.get("num_ln_in_parallel_attn", 2 if new else 1)
    if not parallel:
        names: tuple[str, ...] = ("input_layernorm", "post_attention_layernorm")
    else:
        names = ("ln_attn", "ln_mlp") if norms == 2 else ("input_layernorm",)
    yield from decoder(
        c,
        attention=multi_head(
            c,
            "self_attention.query_key_value",
            "self_attention.dense",
            bias=bias,
            implied_bias=False,
            kv_heads=kv_heads,
        ),
        mlp=plain_mlp(c, "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", bias=bias),
        norm=layer_norm(c),
        layer_norms=names,
        base="transformer",
        layers="h",
        embed="word_embeddings",
        final_norm="ln_f",
        top=partial(head, token="classifier"),
    )
