"""Token mixers that attend: grouped queries, multi-head latent attention, and the classic one under any names."""

from __future__ import annotations

from collections.abc import Sequence

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import Block, linear, vector


def gqa(
    c: Config,
    *,
    bias: bool = False,
    out_bias: bool | None = None,
    implied_bias: bool = False,
    qk_norm: bool = False,
    sinks: bool | str = False,
    gated: bool = False,
    gate: str | None = None,
    gate_per_head: bool = False,
    fused: bool | str = False,
    heads: Dim | None = None,
    head_dim: Dim | None = None,
    kv_heads: Dim | None = None,
    v_dim: Dim | None = None,
    out_width: Dim | None = None,
    inn: Dim | None = None,
    kv_inn: Dim | None = None,
    path: str = "self_attn",
    out: str = "o_proj",
) -> Block:
    """Grouped-query attention; with as many key and value heads as query heads it is the classic one.

    bias          of q, k and v; ``out_bias`` of the output, else the same
    implied_bias  the config does not name the bias
    qk_norm       a norm over each head of the queries and of the keys
    sinks         one learned logit a head; a string is its name
    gated         q_proj also makes a gate of the output: twice as wide (Qwen3-Next)
    gate          a map of its own, of this name, makes the gate; ``gate_per_head``: of one number a head
    fused         q, k and v in one matrix (Phi-3); a string is its name
    heads, head_dim, kv_heads  where they are not the config's fields of that name
    v_dim         the width of a value head, where that is not head_dim
    out_width     what the output map takes, where that is not all heads side by side
    inn           what q, k and v read, where that is not hidden_size; ``kv_inn``: what k and v read of another model
    out           the name of the output map
    """
    hidden, at = c.hidden_size, f"{path}." if path else ""
    heads = c.num_attention_heads if heads is None else heads
    head_dim = c.head_dim if head_dim is None else head_dim
    kv_heads = c.num_key_value_heads if kv_heads is None else kv_heads
    v_dim = head_dim if v_dim is None else v_dim
    inn = hidden if inn is None else inn
    kv_inn = inn if kv_inn is None else kv_inn
    if heads % kv_heads:
        raise c.error(
            "num_key_value_heads", int(kv_heads), f"does not divide num_attention_heads = {int(heads)}"
        )
    q, k, v = heads * head_dim, kv_heads * head_dim, kv_heads * v_dim
    role = "attention"
    if fused:
        name = fused if isinstance(fused, str) else "qkv_proj"
        both = 2 * k if v_dim is head_dim else k + v
        tensors = linear(f"{at}{name}", q + both, inn, role=role, bias=bias, implied_bias=implied_bias)
    else:
        tensors = [
            *linear(
                f"{at}q_proj",
                q * 2 if gated else q,
                inn,
                role=role,
                bias=bias,
                implied_bias=implied_bias,
                note="twice as wide: queries and output gate" if gated else "",
            ),
            *linear(f"{at}k_proj", k, kv_inn, role=role, bias=bias, implied_bias=implied_bias),
            *linear(f"{at}v_proj", v, kv_inn, role=role, bias=bias, implied_bias=implied_bias),
        ]
    tensors += linear(
        f"{at}{out}",
        hidden,
        heads * v_dim if out_width is None else out_width,
        role=role,
        bias=bias if out_bias is None else out_bias,
        implied_bias=implied_bias,
    )
    if gate is not None:
        width = heads if gate_per_head else heads * v_dim
        note = "scales the output of attention"
        tensors += linear(f"{at}{gate}", width, hidden, role=role, implied=True, note=note)
    if qk_norm:
        tensors += [
            vector(f"{at}q_norm.weight", head_dim, role=role, implied=True),
            vector(f"{at}k_norm.weight", head_dim, role=role, implied=True),
        ]
    if sinks:
        name = sinks if isinstance(sinks, str) else "sinks"
        tensors.append(vector(f"{at}{name}", heads, role=role, implied=True, note="one learned logit a head"))
    return Block(
        tuple(tensors),
        {"mixer": "full", "kv_heads": int(kv_heads), "k_dim": int(head_dim), "v_dim": int(v_dim)},
    )


def multi_head(
    c: Config,
    *names: str,
    bias: bool | tuple[bool, ...] = True,
    implied_bias: bool = True,
    heads: str = "num_attention_heads",
    kv_heads: int | None = None,
    head_dim: Dim | None = None,
    transposed: bool = False,
    extra: Sequence[TensorSpec] = (),
) -> Block:
    """Classic attention under any names: q, k, v and output, or the fused q, k, v and output.

    bias          of all, or of each of the names
    implied_bias  the config does not name the bias
    heads         the key that counts the heads
    kv_heads      where they are fewer than the heads
    head_dim      where it is not hidden_size ÷ heads
    extra         what else belongs to the mixer
    """
    hidden, n = c.hidden_size, getattr(c, heads)
    if head_dim is None:
        head_dim, q = c.divide("hidden_size", heads), hidden
    else:
        q = n * head_dim
    kv = q if kv_heads is None else kv_heads * head_dim
    outs = (q, kv, kv, hidden) if len(names) == 4 else (3 * q if kv is q else q + 2 * kv, hidden)
    biases = (bias,) * len(names) if isinstance(bias, bool) else bias
    how = {"role": "attention", "implied_bias": implied_bias, "transposed": transposed}
    tensors: list[TensorSpec] = []
    for name, out, inn, has_bias in zip(names, outs, (*outs[-1:] * (len(names) - 1), q), biases, strict=True):
        tensors += linear(name, out, inn, bias=has_bias, **how)  # type: ignore[arg-type]
    return Block(
        (*tensors, *extra),
        {
            "mixer": "full",
            "kv_heads": int(n if kv_heads is None else kv_heads),
            "k_dim": int(head_dim),
            "v_dim": int(head_dim),
        },
    )


def qk_norms(
    *shapes: tuple[int, ...],
    bias: bool = False,
    implied: bool = True,
    path: str = "self_attn",
    names: tuple[str, str] = ("q_norm", "k_norm"),
) -> list[TensorSpec]:
    """The norms of queries and of keys, of the shape given for each; one shape is both's."""
    tensors = []
    for name, shape in zip(names, (shapes[0], shapes[-1]), strict=True):
        tensors.append(TensorSpec(f"{path}.{name}.weight", shape, "attention", implied=implied))
        if bias:
            tensors.append(TensorSpec(f"{path}.{name}.bias", shape, "attention", "bias", implied=implied))
    return tensors


def mla(c: Config, *, bias: bool = False, path: str = "self_attn") -> Block:
    """Multi-head latent attention: keys and values are made from one compressed vector a token.

    Without ``q_lora_rank`` the queries come straight from the hidden state (DeepSeek-V2-Lite).
    ``bias`` is of the three maps that transformers gives one: q_a, kv_a and the output.
    """
    hidden, heads = c.hidden_size, c.num_attention_heads
    latent, rope, v = c.kv_lora_rank, c.natural("qk_rope_head_dim"), c.v_head_dim
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
