"""Kimi Linear: three layers of Kimi Delta Attention for each one of latent attention, many small experts."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blocks import (
    Part,
    by_layer,
    decoder,
    dense_or_moe,
    experts,
    kimi_delta,
    mla,
    shared_expert,
)


def kimi_linear(c: Config) -> Iterator[Part]:
    """Kimi Linear: ``linear_attn_config`` lists the layers of either kind, counted from 1.

    Source: modeling_kimi_linear in transformers 5.24, names of the files.  Implied: A_log, dt_bias, o_norm, router and
    its correction bias.
    Checked: moonshotai/Kimi-Linear-48B-A3B-Instruct stored 49,122,681,728, Hub 49,122,681,728, residual 0.
    """
    full = mla(c, bias=c.flag("attention_bias"))
    delta = kimi_delta(
        c,
        linear_field(c, "num_heads", "linear_num_heads"),
        linear_field(c, "head_dim", "linear_head_dim"),
        linear_field(c, "short_conv_kernel_size", "linear_conv_kernel_dim"),
    )
    moe = experts(
        c,
        count=c.num_experts,
        width=c.moe_intermediate_size,
        path="block_sparse_moe",
        correction=True,
        matrices=("w1", "w3", "w2"),
        shared=shared_expert(
            c, c.moe_intermediate_size * c.n_shared_experts, path="block_sparse_moe.shared_experts"
        ),
    )
    yield from decoder(
        c,
        attention=by_layer(mixer_kinds(c), full_attention=full, linear_attention=delta),
        mlp=dense_or_moe(c, sparse_layers(c), moe),
        may_tie=False,
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
