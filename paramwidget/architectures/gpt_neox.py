"""GPT-NeoX and its Japanese sibling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from .blocks import Part, decoder, head, layer_norm, multi_head, plain_mlp, vector
from .blocks.base import place
from .blocks.heads import stem


def gpt_neox(c: Config) -> Iterator[Part]:
    """GPT-NeoX, Pythia, RedPajama-INCITE: one map for queries, keys and values; head untied.

    Source: modeling_gpt_neox in transformers 5.24.  Implied: biases of norms and MLP.
    Checked: EleutherAI/pythia-410m stored 405,334,016; the Hub's 505,997,504 also hold 24 causal masks of
    2,048 × 2,048 and 192 inverse frequencies, buffers of older versions.
    """
    bias = c.flag("attention_bias")
    yield from decoder(
        c,
        attention=multi_head(
            c, "attention.query_key_value", "attention.dense", bias=bias, implied_bias=False
        ),
        mlp=plain_mlp(c, "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", bias=True, implied_bias=True),
        norm=layer_norm(c),
        base="gpt_neox",
        embed="embed_in",
        final_norm="final_layer_norm",
        top=partial(head, name="embed_out", token="classifier"),
    )


def gpt_neox_japanese(c: Config) -> Iterator[Part]:
    """GPT-NeoX Japanese: no bias but one behind the last layer's attention; the MLP's width is a multiple; head tied.

    Source: modeling_gpt_neox_japanese in transformers 5.24.  Implied: dense_bias of the last layer.
    Checked: its default config stored 2,598,837,760, transformers 2,598,837,760, residual 0.
    """
    width = c.hidden_size * c.intermediate_multiple_size
    yield from decoder(
        c,
        attention=multi_head(c, "attention.query_key_value", "attention.dense", bias=False),
        mlp=plain_mlp(c, "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", width=width, bias=False),
        norm=layer_norm(c),
        base="gpt_neox_japanese",
        embed="embed_in",
        final_norm="final_layer_norm",
        output="embed_out",
    )
    n = c.num_hidden_layers
    bias = vector("attention.dense_bias", c.hidden_size, role="attention", kind="bias", implied=True)
    yield from place([bias], f"{stem(c, 'gpt_neox_japanese')}layers.{{layer}}.", range(n - 1, n))
