"""ChatGLM and the dense GLM-4."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blocks import Block, Part, decoder, gated_mlp, gqa, layer_norm, rms_norm, vector


def glm(c: Config) -> Iterator[Part]:
    """GLM-4-9B as transformers has it: biases of q, k and v only; gate and up in one matrix.

    Source: modeling_glm in transformers 5.24.
    Checked: zai-org/glm-4-9b-chat-hf stored 9,399,951,360, Hub 9,399,951,360, residual 0.
    """
    yield from decoder(c, attention=glm_attention(c), mlp=gated_mlp(c, fused=True))


def glm4(c: Config) -> Iterator[Part]:
    """GLM-4-0414: also a norm of what attention and the MLP put out.

    Source: modeling_glm4 in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    yield from decoder(
        c,
        attention=glm_attention(c),
        mlp=gated_mlp(c, fused=True),
        post_norms=("post_self_attn_layernorm", "post_mlp_layernorm"),
    )


def glm_attention(c: Config) -> Block:
    return gqa(c, bias=c.flag("attention_bias"), out_bias=False)


def chatglm(c: Config) -> Iterator[Part]:
    """ChatGLM2, ChatGLM3 and GLM-4-9B under their first names: the class ChatGLMModel holds the head itself.

    Source: modeling_chatglm of THUDM/chatglm3-6b; tensor names of THUDM/chatglm3-6b-32k.
    Implied: inv_freq, which these files store.
    Checked: zai-org/glm-4-9b stored 9,399,951,392 with its buffer, Hub 9,399,951,392, residual 0.
    """
    c.head = "causal" if c.head == "none" else c.head
    grouped = c.flag("multi_query_attention")
    bias = c.flag("add_bias_linear")
    attention = gqa(
        c,
        bias=bias or c.flag("add_qkv_bias"),
        out_bias=bias,
        kv_heads=c.multi_query_group_num if grouped else c.num_attention_heads,
        path="self_attention",
        fused="query_key_value",
        out="dense",
    )
    norm = rms_norm(c) if c.flag("rmsnorm") else layer_norm(c)
    yield vector("transformer.rotary_pos_emb.inv_freq", half_rotary(c), role="other", kind="buffer")
    yield from decoder(
        c,
        attention=attention,
        mlp=gated_mlp(c, bias=bias, matrices=("dense_h_to_4h", "dense_4h_to_h")),
        norm=norm,
        final_norm="encoder.final_layernorm" if c.flag("post_layer_norm") else None,
        base="transformer",
        layers="encoder.layers",
        embed="embedding.word_embeddings",
        output="transformer.output_layer",
    )


def half_rotary(c: Config) -> Dim:
    """Half of each head turns, in pairs: one frequency for four elements."""
    return c.head_dim // 4
