"""Inkling: attention by distance, short convolutions on keys, values and both halves of a layer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, log

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    by_layer,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    linear,
    moe_from,
    vector,
)
from .blocks.experts import correction_bias
from .blocks.heads import stem
from .blocks.ssm import depthwise
from .blocks.towers import norm, table
from .nested import text_config, text_model

KINDS = ("hybrid", "hybrid_sliding")


def inkling(c: Config) -> Iterator[Part]:
    """Inkling: a tower that folds patches into channels, a table for the loudness of each pitch, the text model.

    Source: modeling_inkling in transformers 5.24.  Implied: the widths of the tower.
    Checked: the class's defaults, 1,740,191,689,202 and 16,896 buffers, residual 0.
    """
    if c.has("mtp_config"):
        raise c.error("mtp_config", c.get("mtp_config"), "names prediction layers, which are not described")
    at, audio, text = stem(c, "model"), c.sub("audio_config"), text_config(c)
    width = text.hidden_size  # of both towers too, whatever text_hidden_size they say
    steps = audio.n_mel_bins * audio.mel_vocab_size
    yield table(f"{at}audio_tower.embed_audio_tokens.embed_audio_tokens.weight", steps, width, role="audio")
    yield from norm(f"{at}audio_tower.norm", width, role="audio", bias=False)
    yield from _folding(c.sub("vision_config"), width, f"{at}vision_tower.")
    yield from text_model(text, f"{at}language_model.")


def inkling_text(c: Config) -> Iterator[Part]:
    """Its text model: five layers of six see a window, with heads of their own; the router weighs shared experts too.

    Source: modeling_inkling in transformers 5.24.
    Implied: q_norm, k_norm, the maps of distance, the convolutions, router and its correction bias, the scales.
    """
    if c.has("num_mtp_layers"):
        raise c.error(
            "num_mtp_layers", c.get("num_mtp_layers"), "names prediction layers, which are not described"
        )
    n, hidden, kernel = int(c.num_hidden_layers), c.hidden_size, c.conv_kernel_size
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, KINDS)
    else:
        local = c.get("local_layer_ids")
        chosen = (
            [i for i in range(n) if (i + 1) % 6]
            if local is None
            else c.layers_in("local_layer_ids", local, n)
        )
        kinds = ["hybrid_sliding" if i in set(chosen) else "hybrid" for i in range(n)]
    full = _attention(c, "", c.rel_extent)
    sliding = _attention(c, "swa_", c.sliding_window_size)
    window = int(c.sliding_window_size)
    after = depthwise("mlp_sconv.conv1d", hidden, kernel, bias=False)
    dense_width = c.dense_intermediate_size if c.has("dense_intermediate_size") else c.intermediate_size
    scale = vector("mlp.global_scale", 1, role="mlp", implied=True)
    dense = gated_mlp(c, dense_width).plus(scale, *after)
    moe = _experts(c).plus(*after)
    first = c.natural("dense_mlp_idx") if c.has("dense_mlp_idx") else 0
    yield vector(f"{stem(c, 'model')}embed_tokens.embed_norm.weight", hidden, role="norm")
    yield from decoder(
        c,
        attention=by_layer(
            kinds, hybrid=full, hybrid_sliding=sliding.with_facts(mixer="sliding", window=window)
        ),
        may_tie=False,
        mlp=dense_or_moe(c, moe_from(c, int(first)), moe, dense),
    )


def _attention(c: Config, own: str, extent: Dim) -> Block:
    """Grouped queries whose keys and values pass a short convolution; scores by distance, up to ``extent``."""
    heads, kv, dim = (
        getattr(c, f"{own}{k}") for k in ("num_attention_heads", "num_key_value_heads", "head_dim")
    )
    kernel, role = c.conv_kernel_size, "attention"
    inputs = int((2 * kv * dim + 2 * c.hidden_size) * (kernel - 1))  # of the layer's four convolutions
    return (
        gqa(c, heads=heads, kv_heads=kv, head_dim=dim, qk_norm=True)
        .with_facts(state_elements=inputs)
        .plus(
            *(
                t
                for n in "kv"
                for t in depthwise(f"self_attn.{n}_sconv.conv1d", kv * dim, kernel, bias=False, role=role)
            ),
            *linear(
                "self_attn.r_proj",
                heads * c.d_rel,
                c.hidden_size,
                role=role,
                implied=True,
                note="by distance",
            ),
            TensorSpec(
                "self_attn.rel_logits_proj.proj", (c.d_rel, extent), role, implied=True, note="by distance"
            ),
            *depthwise("attn_sconv.conv1d", c.hidden_size, kernel, bias=False, role=role),
        )
    )


def _experts(c: Config) -> Block:
    count, shared, hidden = c.n_routed_experts, c.n_shared_experts, c.hidden_size
    width = c.intermediate_size if c.has("dense_intermediate_size") else c.moe_intermediate_size
    always = [
        TensorSpec(f"mlp.shared_experts.{name}", shape, "shared_expert", copies=shared, active_copies=shared)
        for name, shape in (
            ("gate_proj", (width, hidden)),
            ("up_proj", (width, hidden)),
            ("down_proj", (hidden, width)),
        )
    ]
    scores = linear(
        "mlp.gate", count + shared, hidden, role="router", implied=True, note="one score an expert"
    )
    block = experts(
        c,
        count=count,
        width=width,
        correction=correction_bias("mlp.gate.e_score_correction_bias", count),
        shared=always,
    )
    tensors = tuple(scores[0] if t.name == "mlp.gate.weight" else t for t in block.tensors)
    return Block(tensors, block.facts).plus(vector("mlp.gate.global_scale", 1, role="router", implied=True))


def _folding(v: Config, text_width: Dim, at: str) -> Iterator[TensorSpec]:
    """Maps that fold pixels into channels, a prime factor of the patch at a time, spread over the layers."""
    scales, n = _scales(v), int(v.num_hidden_layers)
    for i, ((t0, h0, seen), (t1, h1, out)) in enumerate(pairwise(scales)):
        folded = seen * ((t1 // t0) * (h1 // h0) * (h1 // h0))
        last = i == n - 1
        width = text_width if last else out
        yield from linear(f"{at}encoder_layers.{i}.projection", width, folded, role="vision")
        if not last:
            yield from norm(f"{at}encoder_layers.{i}.layer_norm", width, bias=False)
    yield from norm(f"{at}final_norm", text_width, bias=False)


def _scales(v: Config) -> list[tuple[int, int, int]]:
    """Frames, side and channels before each layer and after the last.

    Between one pixel and the whole patch there is a step for each prime factor of its side, then of its frames; each
    layer has the step that is nearest, in the logarithm of its size, to even growth.
    """
    channels, n = int(v.num_channels), int(v.num_hidden_layers)
    sides, frames = _products(int(v.patch_size)), _products(int(v.temporal_patch_size))
    steps = [(1, 1, channels)]
    steps += [(1, h, ceil(h * h * channels / 64) * 64) for h in sides]
    side = sides[-1] if sides else 1
    steps += [(t, side, side * side * channels * t * 64) for t in frames]
    if n < len(steps):
        raise v.error("num_hidden_layers", n, f"is not described where it is below {len(steps)}")
    whole = log(side * side * channels * (frames[-1] if frames else 1))
    sizes = [log(t * h * h) for t, h, _ in steps]
    chosen = [min(range(len(steps)), key=lambda j: abs(whole * i / n - sizes[j])) for i in range(n + 1)]
    return [steps[j] for j in (0, *chosen[1:-1], len(steps) - 1)]


def _products(n: int) -> list[int]:
    """The products of the prime factors of a number, the largest first: 40 is 5, 10, 20, 40."""
    factors, p = [], 2
    while n > 1:
        while n % p == 0:
            factors.append(p)
            n //= p
        p += 1
    out: list[int] = []
    for factor in reversed(factors):
        out.append((out[-1] if out else 1) * factor)
    return out
