"""Kimi Linear: three layers of Kimi Delta Attention for each one of latent attention, many small experts."""

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
    kimi_delta,
    linear,
    mla,
    moonvit3d,
    shared_expert,
    together,
    vector,
)
from .blocks.base import place


def kimi_linear(c: Config) -> Iterator[Part]:
    """Kimi Linear: ``linear_attn_config`` lists the layers of either kind, counted from 1.

    Source: modeling_kimi_linear in transformers 5.24, names of the files.  Implied: A_log, dt_bias, o_norm, router and
    its correction bias.
    Checked: moonshotai/Kimi-Linear-48B-A3B-Instruct stored 49,122,681,728, Hub 49,122,681,728, residual 0.
    """
    delta = kimi_delta(c, *delta_sizes(c))
    full = mla(c, bias=c.flag("attention_bias"))
    yield from decoder(
        c,
        attention=by_layer(mixer_kinds(c), full_attention=full, linear_attention=delta),
        mlp=dense_or_moe(c, sparse_layers(c), _moe(c)),
        may_tie=False,
    )


def kimi_k3(c: Config) -> Iterator[Part]:
    """Kimi K3: Kimi Linear with whole maps for its gates, experts in a latent space, and a tower that sees.

    Each half of a layer reads a learned mix of what the blocks of ``attn_res_block_size`` layers before it put out.

    Source: the headers of a layer of the published files, and the modelling files of serving frameworks that load them
    by these names.  Implied: A_log, here as long as a head is wide, dt_bias, o_norm, router and its correction bias,
    the mix.
    Checked: moonshotai/Kimi-K3 stored 2,779,931,837,184, Hub 2,779,931,837,184, residual 0 in each dtype.
    """
    text = c.sub("text_config", "kimi_linear")
    if c.has("vision_config"):
        yield from moonvit3d(c.sub("vision_config"), "vision_tower.", "mm_projector.")
    heads, head_dim, kernel = delta_sizes(text)
    delta = kimi_delta(
        text,
        heads,
        head_dim,
        kernel,
        rates=(head_dim,),
        low_rank_gate=text.sub("linear_attn_config").get("use_full_rank_gate") is not True,
    )
    full = mla(text)
    hidden = text.hidden_size
    if text.get("mla_use_output_gate") is True:
        gate = linear(
            "self_attn.g_proj",
            text.num_attention_heads * text.v_head_dim,
            hidden,
            role="attention",
            note="output gate",
        )
        full = together(full, Block(tuple(gate)))
    mix = _mixes(text, "self_attention_res", "mlp_res") if text.has("attn_res_block_size") else []
    mixers = by_layer(mixer_kinds(text), full_attention=full, linear_attention=delta)
    yield from place(mix, "language_model.model.layers.{layer}.", range(text.num_hidden_layers))
    if mix:
        yield from place(_mixes(text, "output_attn_res"), "language_model.model.")
    yield from decoder(
        text,
        attention=mixers,
        mlp=dense_or_moe(text, sparse_layers(text), _moe(text)),
        base="language_model.model",
        output="language_model.lm_head",
        may_tie=False,
    )


def _mixes(c: Config, *names: str) -> list[TensorSpec]:
    """A norm and one score for each block of layers whose output may be read."""
    tensors: list[TensorSpec] = []
    for name in names:
        tensors.append(vector(f"{name}_norm.weight", c.hidden_size, role="norm", implied=True))
        tensors += linear(
            f"{name}_proj", 1, c.hidden_size, role="other", implied=True, note="mixes earlier blocks"
        )
    return tensors


def _moe(c: Config) -> Block:
    """Experts and their shared one; with ``routed_expert_hidden_size``, routed ones work in that narrower space."""
    path = "block_sparse_moe"
    latent = c.routed_expert_hidden_size if c.has("routed_expert_hidden_size") else None
    width = c.moe_intermediate_size * c.natural("n_shared_experts")
    always = [*shared_expert(c, width, path=f"{path}.shared_experts")]
    if latent is not None:
        always += linear(
            f"{path}.routed_expert_down_proj", latent, c.hidden_size, role="mlp", note="into their space"
        )
        always += linear(
            f"{path}.routed_expert_up_proj", c.hidden_size, latent, role="mlp", note="out of their space"
        )
        if c.get("latent_moe_use_norm") is True:
            always.append(vector(f"{path}.routed_expert_norm.weight", latent, role="norm"))
    return experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        path=path,
        correction=True,
        matrices=("w1", "w3", "w2"),
        inner=latent,
        shared=always,
    )


def delta_sizes(c: Config) -> tuple[Dim, Dim, Dim]:
    """Heads, their width, and the kernel of the delta attention."""
    return (
        linear_field(c, "num_heads", "linear_num_heads"),
        linear_field(c, "head_dim", "linear_head_dim"),
        linear_field(c, "short_conv_kernel_size", "linear_conv_kernel_dim"),
    )


def linear_field(c: Config, key: str, flat: str) -> Dim:
    """A size of the delta attention: in ``linear_attn_config``, or else a field of its own."""
    nested = c.get("linear_attn_config")
    where, name = (
        (c.sub("linear_attn_config"), key) if isinstance(nested, dict) and key in nested else (c, flat)
    )
    size: Dim = getattr(where, name)
    return size


def mixer_kinds(c: Config) -> list[str]:
    """What mixes each layer: ``layer_types``, the lists in ``linear_attn_config``, or every fourth after the first."""
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        return c.list_of("layer_types", n, ("full_attention", "linear_attention"))
    lists = c.get("linear_attn_config")
    if not isinstance(lists, dict) or not {"full_attn_layers", "kda_layers"} <= lists.keys():
        return ["full_attention" if i and i % 4 == 0 else "linear_attention" for i in range(n)]
    kinds: list[str] = [""] * n
    for key, kind in (("full_attn_layers", "full_attention"), ("kda_layers", "linear_attention")):
        if not isinstance(lists[key], list | tuple):
            raise c.error(f"linear_attn_config.{key}", lists[key], "must be a list of layers")
        for layer in lists[key]:
            if type(layer) is not int or not 1 <= layer <= n or kinds[layer - 1]:
                raise c.error(
                    f"linear_attn_config.{key}", layer, f"must name each of the {n} layers once, from 1"
                )
            kinds[layer - 1] = kind
    if "" in kinds:
        raise c.error("linear_attn_config", kinds.index("") + 1, "is a layer in neither of its lists")
    return kinds


def sparse_layers(c: Config) -> list[int] | range:
    """The layers with experts: ``mlp_layer_types``, or all from ``first_k_dense_replace`` on."""
    n = int(c.num_hidden_layers)
    if c.has("mlp_layer_types"):
        kinds = c.list_of("mlp_layer_types", n, ("dense", "sparse"))
        return [i for i, kind in enumerate(kinds) if kind == "sparse"]
    return range(min(n, c.natural("first_k_dense_replace")), n)
