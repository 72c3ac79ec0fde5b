"""Mixtral."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, experts, gqa, sliding_by_layer


def mixtral(c: Config) -> Iterator[Part]:
    """Mixtral: Mistral with experts in every layer, named w1, w3 and w2; params.json has their numbers under ``moe``.

    Source: modeling_mixtral in transformers 5.24, names of the Hub files.  Implied: router.
    Checked: mistralai/Mixtral-8x7B-v0.1 stored 46,702,792,704, Hub 46,702,792,704, residual 0.
    """
    own = c.layer("moe", c.get("moe")) if c.has("moe") else c
    moe = experts(
        own,
        count=own.num_local_experts,
        width=c.intermediate_size,
        path="block_sparse_moe",
        matrices=("w1", "w3", "w2"),
    )
    yield from decoder(c, attention=sliding_by_layer(c, gqa(c)), mlp=moe)
