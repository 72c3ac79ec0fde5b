"""Step-3.5-Flash, and Step-3.7-Flash, which sees."""

from __future__ import annotations

from collections.abc import Iterator

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
    layer_norm,
    linear,
    mtp_deepseek,
    place,
    shared_expert,
    vector,
)
from .nested import text_config


def step3p5(c: Config, may_tie: bool = True) -> Iterator[Part]:
    """Step-3.5-Flash: a gate of one number a head; windowed layers have their own number of heads; stacked experts.

    Lists with one entry a layer may go on for the MTP layers, which have a dense MLP and name the head again.
    Source: modeling_step3p7 in transformers 5.24, names of the Hub files; the MTP layers from the files.
    Implied: q_norm, k_norm, the gate, router and its correction bias.
    Checked: stepfun-ai/Step-3.5-Flash stored 197,800,427,328 with MTP; the Hub's 199,384,301,376 hold the head three
    times more (3 × 527,958,016).
    """
    kinds, n = step_kinds(c), int(c.num_hidden_layers)
    blocks = {"full_attention": step_attention(c), "sliding_attention": step_attention(c, windowed=True)}
    bias = c.flag("mlp_bias")
    dense = gated_mlp(c, bias=bias)
    moe = experts(
        c,
        count=c.n_routed_experts,
        width=c.moe_intermediate_size,
        path="moe",
        correction="moe.router_bias" if c.get("use_moe_router_bias") is not False else False,
        stacked=("gate_proj.weight", "up_proj.weight", "down_proj.weight"),
        shared=shared_expert(c, c.share_expert_dim, path="share_expert", bias=bias),
    )
    yield from decoder(
        c,
        attention=by_layer(kinds[:n], **blocks),
        mlp=dense_or_moe(c, step_moe_layers(c), moe, dense),
        may_tie=may_tie,
    )
    for i, kind in enumerate(kinds[n:], n):
        yield from mtp_deepseek(
            c,
            blocks[kind],
            dense,
            1,
            embed=None,
            head="transformer.shared_head.output",
            final_norm="transformer.shared_head.norm",
            first=i,
        )


def step3p7(c: Config) -> Iterator[Part]:
    """Step-3.7-Flash: Step-3.5-Flash with a vision tower whose output is halved twice in each direction.

    A config of the class Step3p7FlashForCausalLM keeps the text's keys at the top level.

    Source: modeling_step3p7 in transformers 5.24, names of the Hub files.
    Checked: the class's defaults, 197,824,847,872, residual 0.
    """
    text = text_config(c, "step3p5")
    vision = c.sub("vision_config", "step3p5_vision")
    width = vision.width if vision.has("width") else vision.hidden_size
    yield from step_vision(vision, width)
    yield from linear(
        "vit_large_projector", text.hidden_size, 4 * width, role="projector", bias=c.flag("projector_bias")
    )
    yield from step3p5(text, may_tie=c.get("tie_word_embeddings") is True)


def step_vision(v: Config, width: Dim) -> Iterator[Part]:
    """Patches, learned positions, blocks that scale what they add, and two convolutions behind them."""
    role, at = "vision", "vision_model."
    inner = v.scaled("mlp_ratio", width) if v.has("mlp_ratio") else width * 8960 // 1536
    side, norm = v.image_size // v.patch_size, layer_norm(v, width, role=role)
    block = [
        *norm("ln_1"),
        *norm("ln_2"),
        TensorSpec("attn.in_proj_weight", (3 * width, width), role),
        TensorSpec("attn.in_proj_bias", (3 * width,), role, "bias"),
        *linear("attn.out_proj", width, width, role=role, bias=True),
        *linear("mlp.c_fc", inner, width, role=role, bias=True),
        *linear("mlp.c_proj", width, inner, role=role, bias=True),
        vector("ls_1.gamma", width, role=role),
        vector("ls_2.gamma", width, role=role),
    ]
    patch, depth = v.patch_size, v.layers if v.has("layers") else v.num_hidden_layers
    yield TensorSpec(f"{at}conv1.weight", (width, v.num_channels, patch, patch), role)
    yield TensorSpec(f"{at}positional_embedding", (side * side, width), role)
    yield from norm(f"{at}ln_pre")
    yield from place(block, f"{at}transformer.resblocks.{{layer}}.", range(depth))
    for name, inn in (("vit_downsampler1", width), ("vit_downsampler2", 2 * width)):
        yield TensorSpec(f"{at}{name}.weight", (2 * inn, inn, 3, 3), role)
        yield vector(f"{at}{name}.bias", 2 * inn, role=role, kind="bias")


def step_kinds(c: Config) -> list[str]:
    """What each layer attends to, and behind them each MTP layer."""
    n, depth = int(c.num_hidden_layers), int(c.natural("num_nextn_predict_layers"))
    known = ("full_attention", "sliding_attention")
    given = c.get("layer_types")
    if given is None:
        return ["full_attention"] * (n + depth)
    if isinstance(given, list | tuple) and len(given) == n + depth:
        return c.list_of("layer_types", n + depth, known)
    behind = c.list_of("mtp_layer_types", depth, known) if c.has("mtp_layer_types") else known[:1] * depth
    return [*c.list_of("layer_types", n, known), *behind]


def step_moe_layers(c: Config) -> list[int]:
    """The layers with experts: a list of words, indices after each other, or all but the first three."""
    n, depth = int(c.num_hidden_layers), int(c.natural("num_nextn_predict_layers"))
    given, indices = c.get("mlp_layer_types"), c.get("moe_layers_enum")
    if given is not None:
        padded = isinstance(given, list | tuple) and len(given) == n + depth
        kinds = c.list_of("mlp_layer_types", n + depth if padded else n, ("dense", "sparse"))
        return [i for i in range(n) if kinds[i] == "sparse"]
    if indices is None:
        return list(range(3, n))
    parts = [p for p in indices.split(",") if p.strip()] if isinstance(indices, str) else indices
    try:
        chosen = {int(i) for i in parts}
    except (TypeError, ValueError):
        raise c.error("moe_layers_enum", indices, "must be indices of layers, separated by commas") from None
    return [i for i in range(n) if i in chosen]


def step_attention(c: Config, windowed: bool = False) -> Block:
    """Grouped queries; a windowed layer takes its numbers from ``attention_other_setting``."""
    sizes = c.sub("attention_other_setting") if windowed and c.has("attention_other_setting") else c
    if windowed and c.has("num_sliding_attention_heads"):
        heads = c.num_sliding_attention_heads
    else:
        heads = sizes.num_attention_heads if sizes.has("num_attention_heads") else c.num_attention_heads
    block = gqa(
        c,
        heads=heads,
        kv_heads=sizes.num_key_value_heads if sizes.has("num_key_value_heads") else c.num_key_value_heads,
        head_dim=sizes.head_dim if sizes.has("head_dim") else c.head_dim,
        bias=c.flag("attention_bias"),
        qk_norm=True,
        gate="g_proj" if c.get("use_head_wise_attn_gate") is not False else None,
        gate_per_head=True,
    )
    window = c.get("sliding_window")
    return block.with_facts(mixer="sliding", window=window) if windowed and window else block
