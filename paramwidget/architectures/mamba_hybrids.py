"""Stacks of Mamba with some attention: beside it (Falcon-H1), in turn (Bamba, Granite 4, Jamba) or shared (Zamba)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import (
    NO_FFN,
    Block,
    Part,
    by_layer,
    decoder,
    dense_or_moe,
    experts,
    gated_mlp,
    gqa,
    linear,
    mamba,
    mamba2,
    renamed,
    rms_norm,
    together,
    vector,
)
from .blocks.base import place
from .blocks.heads import stem

#: the words that configs use for the two kinds of layers, old and new
KINDS = {
    "mamba": "linear_attention",
    "attention": "full_attention",
    "linear_attention": "linear_attention",
    "full_attention": "full_attention",
}


def falcon_h1(c: Config) -> Iterator[Part]:
    """Falcon-H1: attention and Mamba-2 side by side in every layer, added up.

    Source: modeling_falcon_h1 in transformers 5.24.  Implied: A_log, D, dt_bias.
    Checked: the class's own defaults stored 8,514,961,408, residual 0.
    """
    if "mamba_d_ssm" not in c.data and type(c.get("mamba_d_head")) is int:
        width = c.mamba_n_heads * c.mamba_d_head  # what it must be, where a file leaves it to these two
    else:
        width = c.mamba_d_ssm if c.has("mamba_d_ssm") else c.mamba_expand * c.hidden_size
    scan = mamba2(
        c,
        heads=mamba_heads(c, width),
        width=width,
        bias=c.flag("mamba_proj_bias"),
        out_bias=c.flag("projectors_bias"),
        norm=c.flag("mamba_rms_norm"),
    )
    attention = gqa(c, bias=c.flag("attention_bias"))
    yield from _decoder(
        c, together(attention, scan), gated_mlp(c, bias=c.flag("mlp_bias"), path="feed_forward")
    )


def bamba(c: Config) -> Iterator[Part]:
    """Bamba: Mamba-2, and attention in the layers that ``attn_layer_indices`` names.

    Source: modeling_bamba in transformers 5.24.  Implied: A_log, D, dt_bias, the gated norm.
    Checked: the class's own defaults stored 9,992,765,440, residual 0.
    """
    attends = c.get("attn_layer_indices") or ()
    if not isinstance(attends, list | tuple) or not all(type(i) is int for i in attends):
        raise c.error("attn_layer_indices", attends, "must be a list of layer indices")
    kinds = ["attention" if i in attends else "mamba" for i in range(c.num_hidden_layers)]
    mixers = by_layer(kinds, attention=gqa(c, bias=c.flag("attention_bias")), mamba=_mamba2(c))
    yield from _decoder(c, mixers, gated_mlp(c, bias=c.flag("mlp_bias"), path="feed_forward"))


def granitemoehybrid(c: Config) -> Iterator[Part]:
    """Granite 4: Mamba-2 and attention in turn, a shared MLP in every layer, and experts beside it where there are any.

    Without ``layer_types`` every layer is Mamba.

    Source: modeling_granitemoehybrid in transformers 5.24, names of the files.  Implied: A_log, D, dt_bias, router.
    Checked: ibm-granite/granite-4.0-h-micro stored 3,191,396,096, Hub 3,191,396,096, residual 0.
    """
    n = int(c.num_hidden_layers)
    kinds = (
        kinds_of(c, c.list_of("layer_types", n, tuple(KINDS)))
        if c.has("layer_types")
        else ["linear_attention"] * n
    )
    shared = renamed(
        gated_mlp(c, c.shared_intermediate_size, fused=True, path="shared_mlp"),
        {"gate_up_proj": "input_linear", "down_proj": "output_linear"},
    )
    if c.natural("num_local_experts"):
        shared = experts(
            c,
            count=c.num_local_experts,
            width=c.intermediate_size,
            path="block_sparse_moe",
            router="router.layer",
            stacked=("input_linear.weight", "output_linear.weight"),
            shared=[replace(t, role="shared_expert") for t in shared.tensors],
        )
    mixers = by_layer(
        kinds, full_attention=gqa(c, bias=c.flag("attention_bias")), linear_attention=_mamba2(c)
    )
    yield from decoder(c, attention=mixers, mlp=shared)


def jamba(c: Config) -> Iterator[Part]:
    """Jamba: Mamba 1 with norms inside, attention in every ``attn_layer_period``-th layer, experts in every other one.

    Source: modeling_jamba in transformers 5.24, names of the files.  Implied: A_log, D, the three norms, router.
    Checked: ai21labs/Jamba-v0.1 stored 51,570,323,328, residual 0.
    """
    n = int(c.num_hidden_layers)
    attends = frozenset(_every(c, "attn_layer_period", "attn_layer_offset", n))
    mixers = by_layer(
        ["attention" if i in attends else "mamba" for i in range(n)],
        attention=gqa(c),
        mamba=mamba(c, bias=c.flag("mamba_proj_bias"), norms=True),
    )
    dense = gated_mlp(c, path="feed_forward")
    count = c.num_experts
    if count == 1:
        yield from _decoder(c, mixers, dense)
        return
    moe = experts(c, count=count, width=c.intermediate_size, path="feed_forward", router="router")
    yield from _decoder(
        c, mixers, dense_or_moe(c, _every(c, "expert_layer_period", "expert_layer_offset", n), moe, dense)
    )


def zamba(c: Config) -> Iterator[Part]:
    """Zamba: Mamba 1 with small inner maps a head, and one block of attention and MLP that several layers share.

    The block reads the hidden state and the embedding side by side. Each layer that runs it names it again.

    Source: modeling_zamba in transformers 5.24.  Implied: A_log, D, the map out of the shared block.
    Checked: the class's own defaults stored 7,232,490,496, architectural 11,650,438,656, residual 0.
    """
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds = kinds_of(c, c.list_of("layer_types", n, (*KINDS, "hybrid")))
    elif n < 3:
        raise c.error("num_hidden_layers", n, "is less than the three layers that the pattern begins with")
    else:
        period, offset = int(c.attn_layer_period), int(c.natural("attn_layer_offset"))
        kinds = ["linear_attention", "linear_attention", "hybrid"]
        kinds += ["hybrid" if i % period == offset else "linear_attention" for i in range(n - 3)]
    scan = mamba(c, bias=c.flag("mamba_proj_bias"), heads=c.n_mamba_heads)
    block = [*_shared_attention(c, "shared_transf"), *gated_mlp(c, path="shared_transf.feed_forward").tensors]
    yield from _with_shared_blocks(c, kinds, scan, [block])


def zamba2(c: Config) -> Iterator[Part]:
    """Zamba2: Mamba-2, and ``num_mem_blocks`` shared blocks that take turns, with small adapters for each use of one.

    Source: modeling_zamba2 in transformers 5.24.  Implied: A_log, D, dt_bias, the gated norm, the adapters.
    Checked: Zyphra/Zamba2-1.2B-instruct stored 1,215,064,704, Hub 1,215,064,704, residual 0.
    """
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds = kinds_of(c, c.list_of("layer_types", n, (*KINDS, "hybrid")))
    elif n != 54:
        raise c.missing("layer_types")
    else:
        kinds = [
            "hybrid" if i in (6, 12, 18, 24, 30, 36, 42, 47, 51) else "linear_attention" for i in range(n)
        ]
    bias = c.flag("add_bias_linear")
    scan = mamba2(c, heads=c.n_mamba_heads, bias=bias, conv_bias=True)
    uses, turns = kinds.count("hybrid"), int(c.num_mem_blocks)
    width = c.intermediate_size if c.has("intermediate_size") else 4 * c.hidden_size
    blocks = [
        [
            *_shared_attention(c, "shared_transformer"),
            *gated_mlp(c, width, bias=bias, fused=True, path="shared_transformer.feed_forward").tensors,
            *_adapters(c, width, range(first, uses, turns)),
        ]
        for first in range(min(turns, uses))
    ]
    yield from _with_shared_blocks(c, kinds, scan, blocks)


def _shared_attention(c: Config, path: str) -> list[TensorSpec]:
    """Attention over the hidden state and the embedding side by side, and the norms of a shared block."""
    inn = attention_width(c)
    return [
        vector(f"{path}.input_layernorm.weight", inn, role="norm"),
        *gqa(c, head_dim=shared_head_dim(c), inn=inn, path=f"{path}.self_attn").tensors,
        vector(f"{path}.pre_ff_layernorm.weight", c.hidden_size, role="norm"),
    ]


def attention_width(c: Config) -> Dim:
    """What a shared block reads: twice the hidden size unless the config says otherwise."""
    return c.attention_hidden_size if c.has("attention_hidden_size") else 2 * c.hidden_size


def shared_head_dim(c: Config) -> Dim:
    """The width of a shared block's heads, which read twice the hidden size."""
    return c.attention_head_dim if c.has("attention_head_dim") else 2 * c.hidden_size // c.num_attention_heads


def _adapters(c: Config, width: Dim, uses: range) -> Iterator[TensorSpec]:
    """Two thin maps beside each large one of a shared block, its own for each layer that uses the block."""
    rank, inn, hidden = c.adapter_rank, attention_width(c), c.hidden_size
    pairs = [("mlp", "feed_forward.gate_up_proj_adapter_list", hidden, 2 * width)]
    if c.flag("use_shared_attention_adapter"):
        pairs += [("attention", f"self_attn.linear_{x}_adapter_list", inn, inn) for x in "qkv"]
    for role, name, read, written in pairs:
        for i in uses:
            at = f"shared_transformer.{name}.{i}"
            yield from linear(f"{at}.0", rank, read, role=role, implied=True, note="adapter")
            yield from linear(f"{at}.1", written, rank, role=role, implied=True, note="adapter")


def _with_shared_blocks(
    c: Config, kinds: Sequence[str], scan: Block, blocks: Sequence[Sequence[TensorSpec]]
) -> Iterator[Part]:
    """Mamba in every layer; in the hybrid ones behind a shared block, each further name of which is a tie."""
    hidden = c.hidden_size
    norm = tuple(rms_norm(c)("input_layernorm"))
    plain = Block((*norm, *scan.tensors), scan.facts)
    inside = replace_prefix([*norm, *scan.tensors], "mamba_decoder.")
    out = linear(
        "linear",
        hidden,
        hidden,
        role="attention",
        implied=True,
        note="maps the shared block's output into the layer",
    )
    head_dim = int(shared_head_dim(c))
    attends = {"mixer": "full", "kv_heads": int(c.num_key_value_heads), "k_dim": head_dim, "v_dim": head_dim}
    hybrid = Block((*out, *inside), {**scan.facts, **attends})
    dense = Block((), {"ffn": "dense"})
    shares = [i for i, kind in enumerate(kinds) if kind == "hybrid"]
    at = f"{stem(c, 'model')}layers."
    # transformers unties these blocks too where the head is not tied to the embedding
    tied = c.flag("tie_word_embeddings")
    for turn, block in enumerate(blocks if shares else ()):
        first, *again = shares[turn :: len(blocks)]
        yield from place(block, f"{at}{first}.")
        for i in again:
            for t in block:
                main = f"{at}{first}.{t.name}"
                same = replace(t, name=f"{at}{i}.{t.name}")
                yield replace(same, tied_to=main, note="the same block, run again") if tied else same
    yield from decoder(
        c,
        attention=[hybrid if kind == "hybrid" else plain for kind in kinds],
        mlp=[dense if kind == "hybrid" else NO_FFN for kind in kinds],
        layer_norms=(),
        final_norm="final_layernorm",
    )


def replace_prefix(tensors: Sequence[TensorSpec], prefix: str) -> list[TensorSpec]:
    """The same tensors inside a module of the layer."""
    return [replace(t, name=prefix + t.name) for t in tensors]


def _decoder(c: Config, mixers: Block | list[Block], mlp: Block | list[Block]) -> Iterator[Part]:
    yield from decoder(
        c,
        attention=mixers,
        mlp=mlp,
        layer_norms=("input_layernorm", "pre_ff_layernorm"),
        final_norm="final_layernorm",
    )


def _mamba2(c: Config) -> Block:
    width = c.mamba_expand * c.hidden_size
    return mamba2(c, heads=mamba_heads(c, width), bias=c.flag("mamba_proj_bias"))


def mamba_heads(c: Config, width: Dim) -> Dim:
    """The heads of Mamba-2, which must make up the inner width together."""
    heads, each = c.mamba_n_heads, c.get("mamba_d_head")
    if each is not None and each != "auto" and heads * c.mamba_d_head != width:
        raise c.error(
            "mamba_d_head",
            int(c.mamba_d_head),
            f"times mamba_n_heads = {int(heads)} is not the inner width {int(width)}",
        )
    return heads


def kinds_of(c: Config, words: Sequence[str]) -> list[str]:
    """The kinds of layers in today's words."""
    return [KINDS.get(word, word) for word in words]


def _every(c: Config, period: str, offset: str, n: int) -> list[int]:
    """The layers i with i mod period = offset."""
    step, first = int(getattr(c, period)), int(c.natural(offset))
    if first >= step:
        raise c.error(offset, first, f"must be less than {period} = {step}")
    return [i for i in range(n) if i % step == first]
