"""MiniMax-Text-01 and M1: lightning attention in most layers, experts in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..config import Config
from .blocks import Part, by_layer, decoder, experts, gqa, lightning


def minimax(c: Config) -> Iterator[Part]:
    """MiniMax-Text-01 as transformers keeps it: without ``layer_types``, every other layer attends to all.

    Source: modeling_minimax in transformers 5.24, names of the files.  Implied: output gate, norm, router; buffers of
    the fixed decays.
    Checked: the class's own defaults stored 47,373,946,880 without buffers, buffers 33,817,088, residual 0.
    """
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds: Sequence[str] = c.list_of("layer_types", n, ("full_attention", "linear_attention"))
    else:
        kinds = ["linear_attention" if i % 2 else "full_attention" for i in range(n)]
    yield from _stack(c, kinds, buffers=True)


def minimax_m1(c: Config) -> Iterator[Part]:
    """MiniMax-M1, and MiniMax-Text-01 as first published: ``attn_type_list`` has 1 where a layer attends to all.

    Source: the modelling file and the index published with MiniMax-M1.  Implied: output gate, norm, router.
    Checked: MiniMaxAI/MiniMax-M1 stored 456,089,655,296; the 912,210,767,872 bytes of its index are 2 for each of
    them and 4 for those of the routers.
    """
    kinds = c.list_of("attn_type_list", int(c.num_hidden_layers))
    for i, kind in enumerate(kinds):
        if kind not in (0, 1):
            raise c.error(f"attn_type_list[{i}]", kind, "must be 0 (lightning) or 1 (all)")
    if c.get("shared_intermediate_size"):
        raise c.error(
            "shared_intermediate_size", c.get("shared_intermediate_size"), "is described only where it is 0"
        )
    yield from _stack(c, ["full_attention" if kind else "linear_attention" for kind in kinds], buffers=False)


def _stack(c: Config, kinds: Sequence[str], *, buffers: bool) -> Iterator[Part]:
    moe = experts(
        c,
        count=c.num_experts,
        width=c.intermediate_size,
        path="block_sparse_moe",
        matrices=("w1", "w3", "w2"),
    )
    mixers = by_layer(kinds, full_attention=gqa(c), linear_attention=lightning(c, buffers=buffers))
    yield from decoder(c, attention=mixers, mlp=moe)
