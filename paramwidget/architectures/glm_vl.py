"""GLM's models that see."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, dense_or_moe, experts, gated_mlp, gqa, shared_expert
from .blocks.heads import stem
from .blocks.seeing_qwen import glm4v_vision, glm_ocr_vision
from .deepseek import moe_layers
from .nested import text_config, text_model


def glm4v(c: Config) -> Iterator[Part]:
    """GLM-4.1V, 4.5V and 4.6V: one tower, and the text model that the config names.

    Older files keep the text's config at the top level.

    Source: modeling_glm4v, modeling_glm4v_moe and modeling_glm46v in transformers 5.24.
    Checked: zai-org/GLM-4.1V-9B-Thinking stored 10,292,777,472, Hub 10,292,777,472, residual 0;
    zai-org/GLM-4.5V stored 107,710,927,360 and 5,760 correction biases, Hub 107,710,933,120, residual 0.
    """
    at = stem(c, "model")
    yield from glm4v_vision(c.sub("vision_config"), f"{at}visual.")
    yield from text_model(text_config(c), f"{at}language_model.")


def glm4v_text(c: Config) -> Iterator[Part]:
    """The text model of GLM-4.1V: GLM-4, with norms before and behind attention and MLP, gate and up in one matrix.

    Source: modeling_glm4v in transformers 5.24.  Implied: q, k and v biases.
    """
    yield from decoder(
        c,
        attention=gqa(c, bias=True, implied_bias=True, out_bias=False),
        mlp=gated_mlp(c, fused=True),
        post_norms=("post_self_attn_layernorm", "post_mlp_layernorm"),
    )


def glm4v_moe_text(c: Config) -> Iterator[Part]:
    """The text model of GLM-4.5V: GLM-4.5 without norms of queries and keys, and without MTP layers.

    Source: modeling_glm4v_moe in transformers 5.24.  Implied: router and its correction bias.
    """
    moe = experts(
        c,
        count=c.n_routed_experts,
        width=c.moe_intermediate_size,
        correction=True,
        shared=shared_expert(
            c, c.moe_intermediate_size * c.natural("n_shared_experts"), path="mlp.shared_experts"
        ),
    )
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=False)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_layers(c), moe))


def glm_ocr(c: Config) -> Iterator[Part]:
    """GLM-OCR: a tower with biases and rotary positions, whose merger is as wide as its output times its channels.

    Source: modeling_glm_ocr in transformers 5.24.  Checked: the class's defaults, 807,479,808, residual 0.
    """
    at, vision = stem(c, "model"), c.sub("vision_config")
    yield from glm_ocr_vision(vision, f"{at}visual.", vision.out_hidden_size * vision.in_channels)
    yield from text_model(text_config(c), f"{at}language_model.")


def glm_ocr_text(c: Config) -> Iterator[Part]:
    """The text model of GLM-OCR: that of GLM-4.1V without biases.

    Source: modeling_glm_ocr in transformers 5.24.
    """
    yield from decoder(
        c,
        attention=gqa(c),
        mlp=gated_mlp(c, fused=True),
        post_norms=("post_self_attn_layernorm", "post_mlp_layernorm"),
    )
