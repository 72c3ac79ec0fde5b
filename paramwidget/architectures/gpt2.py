"""GPT-2."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, layer_norm, linear, plain_mlp


def gpt2(c: Config) -> Iterator[Part]:
    """GPT-2: learned positions, norms and maps with biases, q, k and v in one matrix stored as (in, out).

    Source: modeling_gpt2 in transformers 5.24.  Implied: all biases.
    Checked: openai-community/gpt2 stored 124,439,808; the Hub's 137,022,720 also hold 12 causal masks.
    """
    hidden = c.hidden_size
    head_dim = int(c.divide("hidden_size", "num_attention_heads"))
    how = {"role": "attention", "bias": True, "implied_bias": True, "transposed": True}
    attention = Block(
        (
            *linear("attn.c_attn", 3 * hidden, hidden, **how),  # type: ignore[arg-type]
            *linear("attn.c_proj", hidden, hidden, **how),  # type: ignore[arg-type]
        ),
        {"mixer": "full", "kv_heads": int(c.num_attention_heads), "k_dim": head_dim, "v_dim": head_dim},
    )
    yield from decoder(
        c,
        attention=attention,
        mlp=plain_mlp(c, "mlp.c_fc", "mlp.c_proj", bias=True, implied_bias=True, transposed=True),
        norm=layer_norm(c),
        layer_norms=("ln_1", "ln_2"),
        base="transformer",
        layers="h",
        embed="wte",
        position="wpe",
        final_norm="ln_f",
    )
