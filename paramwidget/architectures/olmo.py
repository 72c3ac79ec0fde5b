"""OLMo 1 to 3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, full_every, gated_mlp, gqa, no_norm, qk_norms, sliding_by_layer


def olmo(c: Config) -> Iterator[Part]:
    """OLMo: Llama whose norms have no parameters.

    Source: modeling_olmo in transformers 5.24.
    Checked: allenai/OLMo-7B-hf stored 6,888,095,744, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"))
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), norm=no_norm)


def olmo2(c: Config) -> Iterator[Part]:
    """OLMo 2: norms of what attention and the MLP put out, none before; norms over all queries and all keys.

    Source: modeling_olmo2 in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: allenai/OLMo-2-1124-13B stored 13,716,198,400, Hub 13,716,198,400, residual 0.
    """
    yield from reordered(c, olmo2_attention(c))


def olmo3(c: Config) -> Iterator[Part]:
    """OLMo 3: OLMo 2 where three layers in four slide.

    Source: modeling_olmo3 in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: allenai/Olmo-3-1025-7B stored 7,298,011,136, Hub 7,298,011,136, residual 0.
    """
    yield from reordered(c, sliding_by_layer(c, olmo2_attention(c), default=full_every(c, 4)))


def olmo2_attention(c: Config) -> Block:
    """Attention with one norm over all heads of the queries, and one of the keys."""
    queries, keys = c.num_attention_heads * c.head_dim, c.num_key_value_heads * c.head_dim
    return gqa(c, bias=c.flag("attention_bias")).plus(*qk_norms((queries,), (keys,)))


def reordered(c: Config, attention: Block | list[Block]) -> Iterator[Part]:
    """A decoder that norms what attention and the MLP put out instead of what they read."""
    yield from decoder(
        c,
        attention=attention,
        mlp=gated_mlp(c),
        layer_norms=(),
        post_norms=("post_attention_layernorm", "post_feedforward_layernorm"),
    )
