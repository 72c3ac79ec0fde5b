"""dots.3-note: latent attention of two sizes, a tower with experts, a tower that hears."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    linear,
    mla,
    moe_from,
    shared_expert,
    vector,
)
from .blocks.base import place, rms_norm
from .blocks.experts import correction_bias
from .blocks.heads import stem
from .blocks.stack import groups
from .blocks.towers import conv, layer, layers, maps, norm, pair
from .deepseek import indexed
from .nested import text_config, text_model

KINDS = ("full_attention", "indexed_attention", "sliding_attention")

#: what the layers with a window have of their own, where the config does not say it
SLIDING = {
    "num_attention_heads": 64,
    "q_lora_rank": 1024,
    "kv_lora_rank": 1024,
    "head_dim": 256,
    "qk_nope_head_dim": 192,
    "v_head_dim": 128,
}


def dots3_note(c: Config) -> Iterator[Part]:
    """dots.3-note: both towers before the text model.

    Source: modeling_dots3_note in transformers 5.24.
    Checked: the class's defaults, 287,309,195,008 and 12,128 buffers, residual 0.
    """
    at, vision = stem(c, "model"), c.sub("vision_config")
    yield from _seeing(vision, f"{at}vision_tower.")
    yield from _hearing(c.sub("audio_config"), f"{at}audio_tower.")
    yield from text_model(text_config(c, "dots3_note_text"), f"{at}language_model.")


def dots3_note_text(c: Config) -> Iterator[Part]:
    """Its text model: three layers of four see a window, with latents of their own size; an indexer in the others.

    Source: modeling_dots3_note in transformers 5.24.
    Implied: router and its correction bias, the gate of one number a head, the norm of the rotated keys, the indexer's.
    """
    n = int(c.num_hidden_layers)
    default = ["indexed_attention" if i < 2 or i % 4 == 1 else "sliding_attention" for i in range(n)]
    kinds = c.list_of("layer_types", n, KINDS) if c.has("layer_types") else default
    if not c.has("per_layer_config"):
        kinds = ["indexed_attention" if kind == "full_attention" else kind for kind in kinds]
    sizes: dict[str, Config] = {}
    for i, kind in enumerate(kinds):
        if kind not in sizes:
            sizes[kind] = _sizes(c, i, kind)
    full = {kind: _attention(own) for kind, own in sizes.items()}
    blocks = {}
    for kind, block in full.items():
        if kind == "sliding_attention":
            block = block.with_facts(mixer="sliding", window=int(_window(c)))
        blocks[kind] = indexed(sizes[kind], block) if kind == "indexed_attention" else block
    width = c.shared_experts_intermediate_size * c.n_shared_experts
    moe = experts(
        c,
        count=c.n_routed_experts,
        width=c.moe_intermediate_size,
        correction=True,
        shared=shared_expert(c, width, path="mlp.shared_experts"),
    )
    first = c.natural("first_k_dense_replace") if c.has("first_k_dense_replace") else 1
    layers_with = moe_from(
        c, min(n, int(first)), 1 if isinstance(c.get("moe_layer_freq"), list) else c.moe_layer_freq
    )
    yield from decoder(c, attention=[blocks[kind] for kind in kinds], mlp=dense_or_moe(c, layers_with, moe))


def _window(c: Config) -> Any:
    return c.sliding_window if c.has("sliding_window") else c.get("sliding_window_size", 512)


def _sizes(c: Config, i: int, kind: str) -> Config:
    """The config as a layer of this kind sees it."""
    given = c.get("per_layer_config")
    if given is not None:
        if not isinstance(given, Mapping):
            raise c.error("per_layer_config", given, "must map layer indices to what they have of their own")
        own: Any = next((v for k, v in given.items() if str(k).isdigit() and int(k) == i), {})
        return c.layer("per_layer_config", own)
    if kind != "sliding_attention":
        return c
    own = {key: c.get(f"swa_{key}", value) for key, value in SLIDING.items()}
    own["qk_rope_head_dim"] = c.get("swa_qk_rope_head_dim", own["head_dim"] - own["qk_nope_head_dim"])
    return c.layer("swa", own)


def _attention(c: Config) -> Block:
    return mla(c, bias=c.flag("attention_bias")).plus(
        vector("self_attn.k_rope_only_layernorm.weight", c.qk_rope_head_dim, role="attention", implied=True),
        *linear("self_attn.g_proj", c.num_attention_heads, c.hidden_size, role="attention", implied=True),
    )


def _seeing(v: Config, at: str) -> Iterator[TensorSpec]:
    """Rotary positions, normed heads, gated maps; the later layers choose among a growing number of experts."""
    n, hidden, merge = int(v.num_hidden_layers), v.hidden_size, v.spatial_merge_size
    dim, bias, norms = v.divide("hidden_size", "num_attention_heads"), v.flag("attention_bias"), rms_norm(v)
    attention = Block(
        (
            *norms("norm1"),
            *linear("attn.qkv", 3 * hidden, hidden, role="vision", bias=bias),
            *linear("attn.proj", hidden, hidden, role="vision", bias=bias),
            *(vector(f"attn.{name}.weight", dim, role="vision") for name in ("q_norm", "k_norm")),
            *norms("norm2"),
        )
    )
    counts = _pyramid(v, n)
    made = {count: _vision_experts(v, count) for count in counts if count}
    made[0] = gated_mlp(v, bias=v.flag("mlp_bias"))
    yield from conv(f"{at}patch_embed.proj", hidden, v.num_channels, pair(v, "patch_size"))
    yield from norm(f"{at}patch_embed.norm", hidden, bias=False)
    for part in (attention, [made[count] for count in counts]):
        for where, own in groups(part, n):
            yield from place(own, f"{at}blocks.{{layer}}.", where, role="vision")
    merged = hidden * merge * merge
    yield from norm(f"{at}merger.ln_q", hidden, role="projector")
    yield from maps((f"{at}merger.mlp.0", merged, merged), (f"{at}merger.mlp.2", v.adapter_out_dim, merged))
    yield from norm(f"{at}norm", hidden, bias=False)


def _pyramid(v: Config, n: int) -> list[int]:
    """The number of experts in each layer of the tower; 0 where it has none."""
    kinds, own = v.get("mlp_layer_types"), v.get("per_layer_config") or {}
    if kinds is not None:
        by_layer = {int(k): x.get("num_local_experts") for k, x in own.items()}
        sparse = [kind == "sparse" for kind in v.list_of("mlp_layer_types", n, ("dense", "sparse"))]
        return [int(by_layer.get(i) or v.num_local_experts) if s else 0 for i, s in enumerate(sparse)]
    given = v.get("pyramid_num_routed", [-1] * 25 + [*range(4, 65, 4), 64])
    if not isinstance(given, list) or len(given) != n or not all(type(x) is int for x in given):
        raise v.error("pyramid_num_routed", given, f"must have a number for each of the {n} layers")
    return [max(x, 0) for x in given]


def _vision_experts(v: Config, count: int) -> Block:
    number = Dim.field("num_local_experts", count)
    used = v.num_experts_per_tok if v.has("num_experts_per_tok") else 2
    block = experts(
        v,
        count=number,
        width=v.moe_intermediate_size,
        top_k=Dim.field("num_experts_per_tok", min(used, count)),
        correction=correction_bias("mlp.e_score_correction_bias", number),
    )
    return Block(tuple(replace(t, role="vision") for t in block.tensors))


def _hearing(a: Config, at: str) -> Iterator[TensorSpec]:
    """Three convolutions that halve time and pitch, layers with gated maps in one matrix, two maps behind them."""
    hidden, wide, out, bins = a.hidden_size, a.downsample_hidden_size, a.adapter_out_dim, a.feature_size
    for i in range(3):
        yield from conv(f"{at}conv_stem.convs.{i}", wide, wide if i else 1, (3, 3), role="audio")
    read = a.conv_output_size if a.has("conv_output_size") else wide * bins.ceil_div(8)
    yield from linear(f"{at}conv_stem.conv_out", hidden, read, role="audio")
    names = [f"self_attn.{n}_proj" for n in "qkvo"]
    one = layer(
        hidden,
        a.intermediate_size,
        role="audio",
        norms=("input_layernorm", "post_attention_layernorm"),
        attention=names,
        mlp=(),
        without_bias=(names[1],) if a.flag("attention_bias") else names,
        norm_bias=False,
    )
    one += linear("mlp.gate_up_proj", 2 * a.intermediate_size, hidden, role="audio", bias=True)
    one += linear("mlp.down_proj", hidden, a.intermediate_size, role="audio", bias=True)
    yield from layers(one, f"{at}layers.", a.num_hidden_layers)
    yield from norm(f"{at}layer_norm", hidden, role="audio", bias=False)
    seen = a.adapter_input_size
    yield from norm(f"{at}adapter.norm", seen, role="audio")
    yield from maps((f"{at}adapter.fc1", out, seen), (f"{at}adapter.fc2", out, out), role="audio")
