"""Inkling 2: layers that attend to earlier blocks of layers, a sink from each token; a form that loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, experts, linear, vector
from .blocks.heads import stem
from .blocks.ssm import depthwise
from .blocks.towers import QKV, layer, layers, maps, norm, table, times
from .inkling import KINDS
from .nested import text_config, text_model


def inkling2(c: Config) -> Iterator[Part]:
    """Inkling 2, and the one that loops: a tower with a class token, patches joined into the text width.

    Source: modeling_inkling2 and modeling_inkling2_loop in transformers 5.24.  Implied: the merger.
    Checked: the class's defaults, 594,046,172,160 and 18,432 buffers; 26,386,412,544 and 3,072, residual 0.
    """
    at, v = stem(c, "model"), c.sub("vision_config", "inkling2_vision")
    hidden, side, tower = v.hidden_size, v.posemb_grid_size, f"{at}vision_tower."
    v.divide("hidden_size", "num_attention_heads")
    width = v.intermediate_size if v.has("intermediate_size") else times(v, hidden, "mlp_ratio")
    one = layer(
        hidden, width, norms=("layernorm_before", "layernorm_after"), attention=(*QKV, "self_attn.out_proj")
    )
    one += [table("lambda_1", hidden), table("lambda_2", hidden)]
    front = f"{tower}embeddings."
    yield table(f"{front}class_embedding", hidden)
    yield table(f"{front}cls_position_embedding", hidden)
    yield from linear(
        f"{front}patch_embedding", hidden, v.num_channels * v.patch_size * v.patch_size, role="vision"
    )
    yield table(f"{front}position_embedding.weight", side * side, hidden)
    yield from norm(f"{tower}pre_layernorm", hidden)
    yield from layers(one, f"{tower}layers.", v.num_hidden_layers)
    merged, wide = hidden * v.spatial_merge_size * v.spatial_merge_size, v.projection_hidden_dim
    yield from maps(
        (f"{tower}merger.linear_1", wide, merged),
        (f"{tower}merger.linear_2", v.text_hidden_size, wide),
        bias=v.flag("projector_bias"),
    )
    yield from text_model(text_config(c), f"{at}language_model.")


def inkling2_text(c: Config) -> Iterator[Part]:
    """Its text model: each half of a layer reads a mixture of what the blocks of layers before it put out.

    Five layers of six see a window; the sixth mixes for queries, keys and values apart, and its convolutions depend on
    the token. The head has no rows for what pads the table.

    Source: modeling_inkling2 in transformers 5.24.
    Implied: the mixtures' queries, the scales of queries, sinks, distance, the gates, the convolutions, router and its
    correction bias.
    """
    yield from _text(c, range(0), ())


def inkling2_loop_text(c: Config) -> Iterator[Part]:
    """The one that loops: the layers from ``loop_layer_index_start`` to ``loop_layer_index_end`` run several times.

    They are one copy, and gates let in what the pass before left for each.

    Source: modeling_inkling2_loop in transformers 5.24.  Implied: the gates and the queries of the messages.
    """
    own = c.layer("loop_config", _spelled(c)) if c.has("loop_config") else c
    start, end, rank, hidden = (
        own.natural("loop_layer_index_start"),
        own.natural("loop_layer_index_end"),
        own.loop_gate_rank,
        c.hidden_size,
    )
    looped = range(min(int(start), int(c.num_hidden_layers)), min(int(end), int(c.num_hidden_layers)))
    gates: list[TensorSpec] = []
    for kind in ("q", "k", "v", "mlp"):
        gate = f"{kind}_message_gate."
        gates += linear(f"{gate}down_proj", rank, 2 * hidden, role="other", implied=True)
        gates += linear(f"{gate}forget_gate_proj", hidden, rank, role="other", implied=True)
        gates += linear(f"{gate}message_gate_proj", hidden, rank, role="other", implied=True)
    yield TensorSpec(
        f"{stem(c, 'model')}message_input.query",
        (end - start, Dim.field("messages", 4), hidden),
        "other",
        implied=True,
    )
    yield from _text(c, looped, gates)


def _spelled(c: Config) -> dict[str, object]:
    """The keys of ``loop_config`` under the names that they have outside of it."""
    given, names = (
        c.get("loop_config"),
        {"core_start": "loop_layer_index_start", "core_end": "loop_layer_index_end"},
    )
    if not isinstance(given, dict):
        raise c.error("loop_config", given, "must be an object")
    return {names.get(k, f"loop_{k}"): v for k, v in given.items()}


def _text(c: Config, looped: range, gates: Iterable[TensorSpec]) -> Iterator[Part]:
    n, hidden, at = int(c.num_hidden_layers), c.hidden_size, stem(c, "model")
    kinds = (
        c.list_of("layer_types", n, KINDS)
        if c.has("layer_types")
        else ["hybrid_sliding" if (i + 1) % 6 else "hybrid" for i in range(n)]
    )
    made: dict[tuple[str, bool, bool], Block] = {}
    blocks = []
    for i, kind in enumerate(kinds):
        key = (kind, i == 0, i in looped)
        if key not in made:
            block = _attention(c, kind == "hybrid_sliding", first=i == 0)
            made[key] = block.plus(*gates) if i in looped else block
        blocks.append(made[key])
    moe = experts(c, count=c.n_routed_experts, width=c.moe_intermediate_size, correction=True).plus(
        *_mixture(c, "mlp_input"),
        *depthwise("post_mlp_convolution.conv1d", hidden, c.conv_kernel_size, bias=False),
    )

    def top(c: Config, table: TensorSpec) -> Iterable[TensorSpec]:
        if c.head == "causal":
            yield TensorSpec("lm_head.weight", (c.unpadded_vocab_size, hidden), "lm_head")

    yield vector(f"{at}embed_tokens.embed_norm.weight", hidden, role="norm")
    yield vector(f"{at}final_input.query", hidden, role="other", implied=True)
    yield from decoder(
        c,
        attention=blocks,
        mlp=moe,
        layer_norms=("", "post_attention_layernorm"),
        norm=lambda name: [vector(f"{name}.weight", hidden, role="norm")] if name else [],
        top=top,
    )


def _mixture(c: Config, name: str, queries: int = 1) -> list[TensorSpec]:
    """The learned queries that weigh the blocks of layers before."""
    shape = (c.hidden_size,) if queries == 1 else (queries, c.hidden_size)
    return [
        TensorSpec(f"{name}.query", shape, "other", implied=True, note="weighs the blocks of layers before")
    ]


def _attention(c: Config, sliding: bool, *, first: bool) -> Block:
    own, role, hidden, kernel = "swa_" if sliding else "", "attention", c.hidden_size, c.conv_kernel_size
    heads, kv, dim = (
        getattr(c, f"{own}{k}") for k in ("num_attention_heads", "num_key_value_heads", "head_dim")
    )
    if heads % kv:
        raise c.error(f"{own}num_key_value_heads", int(kv), f"does not divide the {int(heads)} heads")
    extent, at = c.sliding_window_size if sliding else c.rel_extent, "self_attn."
    far = f"{at}relative_position_bias."
    tensors = [
        *linear(f"{at}q_proj.linear", heads * dim, hidden, role=role),
        TensorSpec(f"{at}q_proj.norm.scale", (heads, dim), role, implied=True),
        *linear(f"{at}o_proj.gate_proj", heads * dim, hidden, role=role, implied=True),
        *linear(f"{at}o_proj.linear", hidden, heads * dim, role=role),
        *linear(
            f"{at}sink_proj", heads, hidden, role=role, implied=True, note="one logit a head, from the token"
        ),
        TensorSpec(f"{far}proj", (c.d_rel, extent), role, implied=True),
        *linear(f"{far}linear", heads * c.d_rel, hidden, role=role, implied=True),
        TensorSpec(f"{far}norm.scale", (heads, c.d_rel), role, implied=True),
        *depthwise("post_attention_convolution.conv1d", hidden, kernel, bias=False, role=role),
    ]
    for name in "kv":
        conv = f"{at}{name}_proj.sconv."
        tensors += linear(f"{at}{name}_proj.linear", kv * dim, hidden, role=role)
        if sliding:
            tensors += depthwise(f"{conv}conv1d", kv * dim, kernel, bias=False, role=role)
        else:
            tensors.append(TensorSpec(f"{conv}static_weight", (kernel, kv * dim), role, implied=True))
            tensors += linear(f"{conv}weight_proj", kv * kernel, hidden, role=role, implied=True)
    norms = ("input_layernorm",) if sliding else tuple(f"{n}_input_layernorm" for n in "qkv")
    tensors += (vector(f"{name}.weight", hidden, role="norm") for name in norms)
    if not first:
        tensors += _mixture(c, "attention_input", 1 if sliding else 3)
    inputs = int((2 * kv * dim + 2 * hidden) * (kernel - 1))  # of the layer's four convolutions
    facts = {
        "mixer": "full",
        "kv_heads": int(kv),
        "k_dim": int(dim),
        "v_dim": int(dim),
        "state_elements": inputs,
    }
    if sliding:
        facts |= {"mixer": "sliding", "window": int(c.sliding_window_size)}
    return Block(tuple(tensors), facts)
