"""OLMoE and FlexOlmo."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, experts, gqa, qk_norms


def olmoe(c: Config) -> Iterator[Part]:
    """OLMoE: experts in every layer; queries and keys normed over all heads at once.

    Source: modeling_olmoe in transformers 5.24.  Implied: q_norm, k_norm, router.
    Checked: allenai/OLMoE-1B-7B-0125-Instruct stored 6,919,161,856, Hub 6,919,161,856, residual 0.
    """
    per_head = c.divide("hidden_size", "num_attention_heads")  # whatever head_dim says
    norms = qk_norms((c.hidden_size,), (c.num_key_value_heads * per_head,))
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")).plus(*norms), mlp=olmo_experts(c))


def flex_olmo(c: Config) -> Iterator[Part]:
    """FlexOlmo: OLMo-2's norms behind attention and experts.

    Source: modeling_flex_olmo in transformers 5.24.  Implied: q_norm, k_norm, router.
    Checked: the class's defaults, 33,270,665,216, residual 0.
    """
    norms = qk_norms((c.num_attention_heads * c.head_dim,), (c.num_key_value_heads * c.head_dim,))
    yield from decoder(
        c,
        attention=gqa(c, bias=c.flag("attention_bias")).plus(*norms),
        mlp=olmo_experts(c),
        layer_norms=(),
        post_norms=("post_attention_layernorm", "post_feedforward_layernorm"),
    )


def olmo_experts(c: Config) -> Block:
    return experts(c, count=c.num_experts, width=c.intermediate_size)
