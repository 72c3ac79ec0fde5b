"""K-EXAONE."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    decoder,
    dense_or_moe,
    experts,
    full_every,
    gated_mlp,
    gqa,
    moe_from,
    mtp_qwen,
    shared_expert,
    sliding_by_layer,
)


def exaone_moe(c: Config) -> Iterator[Part]:
    """K-EXAONE: Qwen3's attention under DeepSeek-V3's experts, and Qwen's prediction module, with a dense MLP.

    Source: modeling_exaone_moe in transformers 5.24, names of the Hub files; the MTP module from the files.
    Implied: q_norm, k_norm, router and its correction bias.
    Checked: the class's defaults, 28,550,639,616, residual 0.
    """
    full, n, width = gqa(c, qk_norm=True), int(c.num_hidden_layers), c.moe_intermediate_size
    moe = experts(
        c,
        count=c.num_experts,
        width=width,
        correction="mlp.e_score_correction_bias",
        shared=shared_expert(c, width * c.natural("num_shared_experts"), path="mlp.shared_experts"),
    )
    every = 0 if c.has("layer_types") or not c.has("sliding_window") else c.natural("sliding_window_pattern")
    yield from decoder(
        c,
        attention=sliding_by_layer(
            c, full, default=full_every(c, int(every)) if every else ["full_attention"] * n
        ),
        mlp=dense_or_moe(c, moe_from(c, int(c.natural("first_k_dense_replace"))), moe),
    )
    yield from mtp_qwen(c, full, gated_mlp(c), c.natural("num_nextn_predict_layers"))
