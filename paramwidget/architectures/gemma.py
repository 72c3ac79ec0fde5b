"""Gemma 1 to 3, the text models: a wide head_dim, a gated MLP, and norms before and behind both."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, full_every, gated_mlp, gqa, sliding_by_layer

#: norms of what is read, and of what comes out
READ = ("input_layernorm", "pre_feedforward_layernorm")
WRITTEN = ("post_attention_layernorm", "post_feedforward_layernorm")


def gemma(c: Config) -> Iterator[Part]:
    """Gemma: Llama with a head_dim of its own and a tied head.

    Source: modeling_gemma in transformers 5.24.
    Checked: google/codegemma-2b stored 2,506,172,416, Hub 2,506,172,416, residual 0.
    """
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=gated_mlp(c))


def gemma2(c: Config) -> Iterator[Part]:
    """Gemma 2: four norms a layer; every other layer slides, the first does.

    Source: modeling_gemma2 in transformers 5.24.
    Checked: google/gemma-2-2b-it stored 2,614,341,888, Hub 2,614,341,888, residual 0.
    """
    attention = sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")), default=full_every(c, 2))
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), layer_norms=READ, post_norms=WRITTEN)


def gemma3_text(c: Config) -> Iterator[Part]:
    """Gemma 3, text only: Gemma 2 with norms over queries and keys; one layer in six sees all.

    Source: modeling_gemma3 in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: google/gemma-3-1b-pt stored 999,885,952, reported 999,885,952, residual 0.
    """
    pattern = full_every(c, "sliding_window_pattern")
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, default=pattern),
        mlp=gated_mlp(c),
        layer_norms=READ,
        post_norms=WRITTEN,
    )


def vaultgemma(c: Config) -> Iterator[Part]:
    """VaultGemma: Gemma 2 without the norms of what comes out.

    Source: modeling_vaultgemma in transformers 5.24.
    Checked: google/vaultgemma-1b stored 1,038,741,120, reported 1,038,741,120, residual 0.
    """
    attention = sliding_by_layer(c, gqa(c, bias=c.flag("attention_bias")), default=full_every(c, 2))
    yield from decoder(c, attention=attention, mlp=gated_mlp(c), layer_norms=READ)
