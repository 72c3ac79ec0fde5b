"""OLMo hybrid: Gated DeltaNet, with OLMo's attention in every fourth layer."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Block,
    Part,
    by_layer,
    decoder,
    gated_mlp,
    gqa,
    rms_norm,
    separate_deltanet,
    together,
    vector,
)


def olmo_hybrid(c: Config) -> Iterator[Part]:
    """OLMo hybrid: attention normalizes what each half puts out, DeltaNet what each half reads.

    Source: modeling_olmo_hybrid in transformers 5.24, names of the files.  Implied: q_norm and k_norm over all heads,
    A_log, dt_bias, o_norm, output gate.
    Checked: the class's own defaults stored 7,430,870,688, residual 0.
    """
    n, norm = int(c.num_hidden_layers), rms_norm(c)
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, ("full_attention", "linear_attention"))
    else:
        kinds = ["linear_attention" if (i + 1) % 4 else "full_attention" for i in range(n)]
        if n < 4:
            kinds[-1] = "full_attention"
    qk_norm = Block(
        (
            vector(
                "self_attn.q_norm.weight", c.num_attention_heads * c.head_dim, role="attention", implied=True
            ),
            vector(
                "self_attn.k_norm.weight", c.num_key_value_heads * c.head_dim, role="attention", implied=True
            ),
        )
    )
    after = Block((*norm("post_attention_layernorm"), *norm("post_feedforward_layernorm")))
    before = Block((*norm("attention_layer_norm"), *norm("feedforward_layer_norm")))
    mixers = by_layer(
        kinds,
        full_attention=together(gqa(c, bias=c.flag("attention_bias")), qk_norm, after),
        linear_attention=together(separate_deltanet(c), before),
    )
    yield from decoder(c, attention=mixers, mlp=gated_mlp(c), layer_norms=())
