"""Meta's decoders in fairseq's spelling: OPT, XGLM; and BioGPT."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from .blocks import Part, decoder, head, layer_norm, linear, multi_head, no_norm, normed, plain_mlp
from .blocks.seq2seq import attention_names

#: fairseq's tables of positions begin with two rows for padding
PADDING_ROWS = 2


def opt(c: Config) -> Iterator[Part]:
    """OPT: learned positions with two rows more; the smallest but one has a narrow table and its norms behind.

    Source: modeling_opt in transformers 5.24.  Implied: two rows of positions; no final norm where the norms stand
    behind (``do_layer_norm_before`` false).
    Checked: facebook/opt-125m stored 125,239,296 and opt-350m 331,196,416, transformers the same, residual 0.
    """
    bias, hidden = c.flag("enable_bias"), c.hidden_size
    norm = layer_norm(c) if c.flag("layer_norm_elementwise_affine") else no_norm
    narrow = c.word_embed_proj_dim if c.has("word_embed_proj_dim") else hidden
    maps = [
        *linear("project_in", hidden, narrow, role="other", note="from the table's width to the layers'"),
        *linear("project_out", narrow, hidden, role="other", note="from the layers' width to the table's"),
    ]
    last = c.flag("do_layer_norm_before") and not c.flag("_remove_final_layer_norm")
    yield from decoder(
        c,
        attention=multi_head(c, *attention_names("self_attn"), bias=bias, implied_bias=False),
        mlp=plain_mlp(c, "fc1", "fc2", bias=bias),
        norm=norm,
        layer_norms=("self_attn_layer_norm", "final_layer_norm"),
        base="model.decoder",
        embed_width=narrow,
        position="embed_positions",
        positions=c.max_position_embeddings + PADDING_ROWS,
        extra=maps if narrow != hidden else (),
        final_norm="final_layer_norm" if last else None,
    )


def xglm(c: Config) -> Iterator[Part]:
    """XGLM: OPT with sinusoidal positions, which no file holds.

    Source: modeling_xglm in transformers 5.24.  Implied: all biases.
    Checked: its default config, that of facebook/xglm-564M, stored 564,463,616, transformers 564,463,616.
    """
    cross = multi_head(c, *attention_names("encoder_attn")).tensors
    cross += normed(layer_norm(c), "encoder_attn_layer_norm").tensors
    yield from decoder(
        c,
        attention=multi_head(
            c,
            *attention_names("self_attn"),
            extra=cross if c.flag("add_cross_attention", otherwise=False) else (),
        ),
        mlp=plain_mlp(c, "fc1", "fc2", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("self_attn_layer_norm", "final_layer_norm"),
        final_norm="layer_norm",
    )


def biogpt(c: Config) -> Iterator[Part]:
    """BioGPT: OPT with a head of another name.

    Source: modeling_biogpt in transformers 5.24.  Implied: all biases, two rows of positions.
    Checked: its default config, that of microsoft/biogpt, stored 346,763,264, transformers 346,763,264.
    """
    yield from decoder(
        c,
        attention=multi_head(c, *attention_names("self_attn")),
        mlp=plain_mlp(c, "fc1", "fc2", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("self_attn_layer_norm", "final_layer_norm"),
        base="biogpt",
        position="embed_positions",
        positions=c.max_position_embeddings + PADDING_ROWS,
        final_norm="layer_norm",
        top=partial(head, name="output_projection", token="classifier"),
    )
