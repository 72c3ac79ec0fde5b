"""Nemotron-H: a stack where every layer is one thing only: Mamba-2, attention, an MLP, or experts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..config import Config
from ..dim import Dim
from .blocks import (
    NO_FFN,
    NO_MIXER,
    Block,
    Part,
    decoder,
    experts,
    gqa,
    linear,
    mamba2,
    plain_mlp,
    rms_norm,
)
from .blocks.base import place

#: the letters of ``hybrid_override_pattern`` and the words of ``layers_block_type``, old and new
KINDS = {
    "M": "mamba",
    "E": "moe",
    "*": "attention",
    "-": "mlp",
    "mamba": "mamba",
    "linear_attention": "mamba",
    "attention": "attention",
    "full_attention": "attention",
    "moe": "moe",
    "mlp": "mlp",
}


def nemotron_h(c: Config) -> Iterator[Part]:
    """Nemotron-H and Nemotron 3: a list or a pattern says what each layer is; experts may work in a latent space.

    Source: modeling_nemotron_h in transformers 5.24, names of the files; the MTP layers, which transformers drops,
    from the files.  Implied: A_log, D, dt_bias, the gated norm, router and its correction bias.
    Checked: nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16 stored 31,577,937,344 without buffers, Hub the same;
    nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8 stored 123,611,012,096 with MTP and without buffers, Hub the same.
    """
    kinds = layer_kinds(c, "layer_types", "hybrid_override_pattern", ("mamba", "moe", "attention", "mlp"))
    if len(kinds) != c.num_hidden_layers:
        raise c.error("num_hidden_layers", int(c.num_hidden_layers), f"but {len(kinds)} layers are listed")
    depth = c.natural("num_nextn_predict_layers")
    ahead = (
        layer_kinds(c, "mtp_layers_block_type", "mtp_hybrid_override_pattern", ("attention", "moe"))
        if depth
        else []
    )
    blocks = {kind: MIXERS[kind](c) for kind in dict.fromkeys((*kinds, *ahead))}
    yield from decoder(
        c,
        attention=[NO_MIXER if "ffn" in blocks[kind].facts else blocks[kind] for kind in kinds],
        mlp=[blocks[kind] if "ffn" in blocks[kind].facts else NO_FFN for kind in kinds],
        layer_norms=("norm",),
        base="backbone",
        embed="embeddings",
        final_norm="norm_f",
        may_tie=False,
    )
    yield from _mtp(c, [blocks[kind] for kind in ahead], int(depth))


def _attention(c: Config) -> Block:
    return gqa(c, path="mixer")


def _mamba(c: Config) -> Block:
    heads = c.mamba_n_heads
    return mamba2(c, heads=heads, width=heads * c.mamba_head_dim, bias=c.flag("use_bias"), path="mixer")


def _mlp(c: Config) -> Block:
    return plain_mlp(c, "mixer.up_proj", "mixer.down_proj", bias=c.flag("mlp_bias"))


def _moe(c: Config) -> Block:
    """Experts of two matrices with a squared ReLU between, and a shared one that always sees the whole hidden state."""
    latent = c.moe_latent_size if c.has("moe_latent_size") else None
    hidden, bias, width = c.hidden_size, c.flag("mlp_bias"), c.moe_shared_expert_intermediate_size
    always = [
        *linear("mixer.shared_experts.up_proj", width, hidden, role="shared_expert", bias=bias),
        *linear("mixer.shared_experts.down_proj", hidden, width, role="shared_expert", bias=bias),
    ]
    if latent is not None:
        # every token passes both maps, whichever experts it is sent to
        always += linear(
            "mixer.fc1_latent_proj", latent, hidden, role="mlp", bias=bias, note="into the experts' space"
        )
        always += linear(
            "mixer.fc2_latent_proj", hidden, latent, role="mlp", bias=bias, note="out of the experts' space"
        )
    return experts(
        c,
        count=c.n_routed_experts,
        width=c.moe_intermediate_size,
        path="mixer",
        correction=True,
        matrices=("up_proj", "down_proj"),
        inner=latent,
        shared=always,
    )


MIXERS: dict[str, Callable[[Config], Block]] = {
    "mamba": _mamba,
    "attention": _attention,
    "mlp": _mlp,
    "moe": _moe,
}


def _mtp(c: Config, blocks: Sequence[Block], depth: int) -> Iterator[Part]:
    """Prediction layers in a module of their own, numbered through: the first of each step joins, the last norms."""
    norm, hidden, steps = rms_norm(c), c.hidden_size, len(blocks)
    if not depth or not steps:
        return
    each = "mtp.layers.{layer}."
    joins = [
        *norm("enorm"),
        *norm("hnorm"),
        *linear("eh_proj", hidden, 2 * hidden, role="mtp", note="joins the embedding and the hidden state"),
    ]
    yield from place(joins, each, range(0, depth * steps, steps), role="mtp")
    yield from place(norm("norm"), each, range(depth * steps), role="mtp")
    for i, block in enumerate(blocks):
        yield from place(block.tensors, each, range(i, depth * steps, steps), role="mtp")
    yield from place(norm("final_layernorm"), each, range(steps - 1, depth * steps, steps), role="mtp")


def layer_kinds(c: Config, listed: str, pattern: str, default: Sequence[str]) -> list[str]:
    """What each layer is: by a list of words, else by a string of letters, else the default of the class."""
    key = next((key for key in (listed, pattern) if c.has(key)), "")
    words = c.get(key) if key else default
    if not key:
        c.defaulted[listed] = list(default)
    if not isinstance(words, str | list | tuple):
        raise c.error(key, words, "must be a list of words, or a string of the letters M, E, * and -")
    for word in words:
        if not isinstance(word, str) or word not in KINDS:
            raise c.error(key, word, f"is none of {', '.join(KINDS)}")
    return [KINDS[word] for word in words]


def layer_count(c: Config) -> Dim:
    """The number of layers that are listed: newer configs do not give it otherwise."""
    kinds = layer_kinds(c, "layer_types", "hybrid_override_pattern", ("mamba", "moe", "attention", "mlp"))
    return Dim.field("num_hidden_layers", len(kinds))
