"""MiniCPM, MiniCPM3 and Youtu: small models from Llama's and DeepSeek's parts."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, experts, gated_mlp, gqa, mla


def minicpm(c: Config) -> Iterator[Part]:
    """MiniCPM 1, 2 and 4: Llama, scaled; with ``num_experts``, Mixtral's experts under its own path.

    Source: modeling_minicpm of openbmb/MiniCPM-2B-dpo-bf16 and openbmb/MiniCPM-MoE-8x2B.  Implied: router.
    Checked: openbmb/MiniCPM4-0.5B stored 433,873,920, Hub 433,873,920, residual 0.
    """
    mlp = gated_mlp(c)
    if c.natural("num_experts"):
        mlp = experts(c, count=c.num_experts, width=c.intermediate_size, matrices=("w1", "w3", "w2"))
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=mlp)


def mla_dense(c: Config) -> Iterator[Part]:
    """MiniCPM3 and Youtu-LLM: DeepSeek's latent attention over a dense MLP.

    Source: modeling_minicpm3, modeling_youtu in transformers 5.24.
    Checked: openbmb/MiniCPM3-4B stored 4,073,875,968, residual 0.
    """
    mlp = gated_mlp(c, bias=bool(c.get("mlp_bias")))
    yield from decoder(c, attention=mla(c, bias=c.flag("attention_bias")), mlp=mlp)
