"""InternLM 1 and 2, and Baichuan: Llama with one matrix for q, k and v, or with biases."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, gated_mlp, gqa


def internlm(c: Config) -> Iterator[Part]:
    """InternLM and openPangu: Llama with biases in attention where ``bias`` says so.

    Source: modeling_internlm of internlm/internlm-chat-7b; tensor names of openpangu/openPangu-Embedded-7B.
    Checked: openpangu/openPangu-Embedded-7B stored 8,030,887,936, files 16,061,784,576 bytes: 2 for each and 8,704 of
    inv_freq, a buffer of older versions.
    """
    yield from decoder(c, attention=gqa(c, bias=c.flag("bias")), mlp=gated_mlp(c))


def internlm2(c: Config) -> Iterator[Part]:
    """InternLM2 and 2.5: q, k and v in one matrix, and names of its own.

    Source: modeling_internlm2 of internlm/internlm2_5-7b-chat.
    Checked: internlm/internlm2_5-7b-chat stored 7,737,708,544, Hub 7,737,708,544, residual 0.
    """
    yield from decoder(
        c,
        attention=gqa(c, bias=c.flag("bias"), path="attention", fused="wqkv", out="wo"),
        mlp=gated_mlp(c, path="feed_forward", matrices=("w1", "w3", "w2")),
        layer_norms=("attention_norm", "ffn_norm"),
        embed="tok_embeddings",
        output="output",
    )


def baichuan(c: Config) -> Iterator[Part]:
    """Baichuan 1 and 2: Llama with q, k and v in one matrix; the 13B has as many key heads as query heads too.

    Source: modeling_baichuan of baichuan-inc/Baichuan2-7B-Chat.
    Checked: baichuan-inc/Baichuan2-7B-Chat stored 7,505,973,248, from the modelling code only.
    """
    attention = gqa(c, kv_heads=c.num_attention_heads, fused="W_pack")
    yield from decoder(c, attention=attention, mlp=gated_mlp(c))
