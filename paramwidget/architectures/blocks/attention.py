"""Token mixers that attend: grouped queries, and multi-head latent attention."""

from __future__ import annotations

from ...config import Config
from ...dim import Dim
from .base import Block, linear, vector


def gqa(
    c: Config,
    *,
    bias: bool = False,
    out_bias: bool | None = None,
    implied_bias: bool = False,
    qk_norm: bool = False,
    sinks: bool = False,
    gated: bool = False,
    fused: bool = False,
    head_dim: Dim | None = None,
    kv_heads: Dim | None = None,
    inn: Dim | None = None,
    path: str = "self_attn",
) -> Block:
    """Grouped-query attention; with as many key and value heads as query heads it is the classic one.

    bias          of q, k and v; ``out_bias`` of the output, else the same
    implied_bias  the config does not name the bias
    qk_norm       a norm over each head of the queries and of the keys
    sinks         one learned logit a head
    gated         q_proj also makes a gate of the output: twice as wide (Qwen3-Next)
    fused         q, k and v in one matrix (Phi-3)
    head_dim      where it is not the config's field of that name, as ``kv_heads``
    inn           what q, k and v read where that is not hidden_size
    """
    heads, hidden = c.num_attention_heads, c.hidden_size
    kv_heads = c.num_key_value_heads if kv_heads is None else kv_heads
    head_dim = c.head_dim if head_dim is None else head_dim
    inn = hidden if inn is None else inn
    if heads % kv_heads:
        raise c.error(
            "num_key_value_heads", int(kv_heads), f"does not divide num_attention_heads = {int(heads)}"
        )
    q, kv = heads * head_dim, kv_heads * head_dim
    role = "attention"
    if fused:
        tensors = linear(f"{path}.qkv_proj", q + 2 * kv, inn, role=role, bias=bias, implied_bias=implied_bias)
    else:
        tensors = [
            *linear(
                f"{path}.q_proj",
                q * 2 if gated else q,
                inn,
                role=role,
                bias=bias,
                implied_bias=implied_bias,
                note="twice as wide: queries and output gate" if gated else "",
            ),
            *linear(f"{path}.k_proj", kv, inn, role=role, bias=bias, implied_bias=implied_bias),
            *linear(f"{path}.v_proj", kv, inn, role=role, bias=bias, implied_bias=implied_bias),
        ]
    tensors += linear(f"{path}.o_proj", hidden, q, role=role, bias=bias if out_bias is None else out_bias)
    if qk_norm:
        tensors += [
            vector(f"{path}.q_norm.weight", head_dim, role=role, implied=True),
            vector(f"{path}.k_norm.weight", head_dim, role=role, implied=True),
        ]
    if sinks:
        tensors.append(
            vector(f"{path}.sinks", heads, role=role, implied=True, note="one learned logit a head")
        )
    return Block(
        tuple(tensors),
        {"mixer": "full", "kv_heads": int(kv_heads), "k_dim": int(head_dim), "v_dim": int(head_dim)},
    )


def mla(c: Config, *, bias: bool = False, path: str = "self_attn") -> Block:
    """Multi-head latent attention: keys and values are made from one compressed vector a token.

    Without ``q_lora_rank`` the queries come straight from the hidden state (DeepSeek-V2-Lite).
    ``bias`` is of the three maps that transformers gives one: q_a, kv_a and the output.
    """
    hidden, heads = c.hidden_size, c.num_attention_heads
    latent, rope, v = c.kv_lora_rank, c.qk_rope_head_dim, c.v_head_dim
    qk: Dim = c.qk_nope_head_dim + rope
    role = "attention"
    if c.has("q_lora_rank"):
        rank = c.q_lora_rank
        tensors = [
            *linear(f"{path}.q_a_proj", rank, hidden, role=role, bias=bias),
            vector(f"{path}.q_a_layernorm.weight", rank, role=role),
            *linear(f"{path}.q_b_proj", heads * qk, rank, role=role),
        ]
    else:
        tensors = linear(f"{path}.q_proj", heads * qk, hidden, role=role)
    tensors += [
        *linear(f"{path}.kv_a_proj_with_mqa", latent + rope, hidden, role=role, bias=bias),
        vector(f"{path}.kv_a_layernorm.weight", latent, role=role),
        *linear(f"{path}.kv_b_proj", heads * (c.qk_nope_head_dim + v), latent, role=role),
        *linear(f"{path}.o_proj", hidden, heads * v, role=role, bias=bias),
    ]
    return Block(
        tuple(tensors),
        {
            "mixer": "mla",
            "kv_heads": int(heads),
            "k_dim": int(qk),
            "v_dim": int(v),
            "latent": int(latent + rope),
        },
    )
