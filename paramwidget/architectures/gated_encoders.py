"""Encoders whose layers are a text model's: Ultrabert and ESM C."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, gated_mlp, gqa, layer_norm, linear, rms_norm
from .blocks.attention import qk_norms
from .blocks.base import place
from .blocks.encoder import encoder, masked_lm
from .blocks.heads import output, stem
from .blocks.stack import full_every, sliding_by_layer
from .modernbert import shuffled_tower
from .nested import renamed, text_config, text_model

ESMC_LM = partial(
    masked_lm, dense="lm_head.dense", norm="lm_head.layer_norm", decoder="lm_head.decoder", may_tie=False
)


def ultrabert(c: Config) -> Iterator[Part]:
    """Ultrabert: Llama that sees both ways, two layers of three through a window; a head with a bottleneck.

    Source: modeling_ultrabert in transformers 5.24.  Implied: the head's maps have no biases.
    Checked: the class's defaults, 6,744,707,072, residual 0.
    """

    def top(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
        if c.head == "masked":
            yield from linear("head.linear1", c.prediction_head_size, c.hidden_size, role="lm_head")
            yield from linear("head.linear2", c.hidden_size, c.prediction_head_size, role="lm_head")
            yield from output(c, "head.decoder", table)

    yield from encoder(
        c,
        attention=sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")), full_every(c, 3)),
        mlp=gated_mlp(c, bias=c.flag("mlp_bias")),
        norm=rms_norm(c),
        base="model",
        layers="layers",
        embed="embed_tokens",
        layer_norms=("input_layernorm", "post_attention_layernorm"),
        post_norms=(),
        final_norm="norm",
        top=top,
    )


def ultravbert(c: Config) -> Iterator[Part]:
    """UltraVBert: ModernVBERT with a norm behind its one map, and Ultrabert, whose head has other names there.

    Source: modeling_ultravbert in transformers 5.24.
    Checked: the class's defaults, 6,880,839,936, residual 0.
    """
    text = text_config(c, "ultrabert")
    at = yield from shuffled_tower(c, text)
    yield from place(rms_norm(text)("connector.norm"), at, role="projector")
    for part in text_model(text, f"{at}text_model."):
        yield renamed(part, _words)


def _words(name: str) -> str:
    """The names of Ultrabert's head in UltraVBert."""
    if name.startswith("head.decoder."):
        return name.replace("head.decoder.", "lm_head.")
    return name.replace("head.", "projection_head.") if name.startswith("head.") else name


def esmc(c: Config) -> Iterator[Part]:
    """ESM C, which reads proteins: Llama that sees both ways, with norms over all of the queries and of the keys.

    Source: modeling_esmc in transformers 5.24.  Implied: q_norm, k_norm; no tie of the head, no bias of the last norm.
    Checked: the class's defaults, 6,352,005,184, residual 0.
    """

    def top(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
        return ESMC_LM(c, table) if c.head == "masked" else iter(())

    attention = gqa(c, bias=c.flag("attention_bias")).plus(*qk_norms((c.hidden_size,)))
    yield from encoder(
        c,
        attention=attention,
        mlp=gated_mlp(c, bias=c.flag("mlp_bias")),
        base="esmc",
        layers="layers",
        embed="embed_tokens",
        layer_norms=("input_layernorm", "post_attention_layernorm"),
        post_norms=(),
        top=top,
    )
    yield from place(layer_norm(c, bias=False)("norm"), stem(c, "esmc"))
