"""GPT-2, and those that are close to it: GPT-BigCode, OpenAI's first GPT, CTRL."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, head, layer_norm, linear, multi_head, normed, plain_mlp
from .blocks.seq2seq import across


def gpt2(c: Config) -> Iterator[Part]:
    """GPT-2: learned positions, norms and maps with biases, q, k and v in one matrix stored as (in, out).

    Source: modeling_gpt2 in transformers 5.24.  Implied: all biases.
    Checked: openai-community/gpt2 stored 124,439,808; the Hub's 137,022,720 also hold 12 causal masks.
    """
    attention = multi_head(
        c, "attn.c_attn", "attn.c_proj", transposed=True, extra=cross_attention(c, transposed=True)
    )
    yield from gpt2_stack(c, attention, transposed=True)


def gpt_bigcode(c: Config) -> Iterator[Part]:
    """StarCoder, SantaCoder: GPT-2 with one key and value head for all, its matrices stored as (out, in).

    Source: modeling_gpt_bigcode in transformers 5.24.  Implied: all biases.
    Checked: WizardLM/WizardCoder-15B-V1.0 stored 15,517,462,528, transformers 15,517,462,528, residual 0.
    """
    multi_query = c.flag("multi_query")
    if multi_query and c.flag("add_cross_attention", otherwise=False):
        raise c.error("add_cross_attention", True, "is not possible with multi_query = true")
    attention = multi_head(
        c,
        "attn.c_attn",
        "attn.c_proj",
        kv_heads=1 if multi_query else None,
        extra=cross_attention(c, transposed=False),
    )
    yield from gpt2_stack(c, attention, transposed=False)


def gpt2_stack(c: Config, attention: Block, transposed: bool) -> Iterator[Part]:
    """The frame that GPT-2 and GPT-BigCode share."""
    if c.flag("add_cross_attention", otherwise=False):
        attention = across(attention, 0)
    yield from decoder(
        c,
        attention=attention,
        mlp=plain_mlp(c, "mlp.c_fc", "mlp.c_proj", bias=True, implied_bias=True, transposed=transposed),
        norm=layer_norm(c),
        layer_norms=("ln_1", "ln_2"),
        base="transformer",
        layers="h",
        embed="wte",
        position="wpe",
        final_norm="ln_f",
        top=partial(head, token="classifier"),
    )


def cross_attention(c: Config, transposed: bool) -> tuple[TensorSpec, ...]:
    """GPT-2 as the decoder behind an encoder: queries from the text, keys and values from the encoder."""
    if not c.flag("add_cross_attention", otherwise=False):
        return ()
    hidden = c.hidden_size
    how = {"role": "attention", "bias": True, "implied_bias": True, "transposed": transposed}
    return (
        *linear("crossattention.c_attn", 2 * hidden, hidden, **how),  # type: ignore[arg-type]
        *linear("crossattention.q_attn", hidden, hidden, **how),  # type: ignore[arg-type]
        *linear("crossattention.c_proj", hidden, hidden, **how),  # type: ignore[arg-type]
        *normed(layer_norm(c), "ln_cross_attn").tensors,
    )


def openai_gpt(c: Config) -> Iterator[Part]:
    """OpenAI's first GPT: GPT-2 with its norms behind each part, so that none is left for the end.

    Source: modeling_openai in transformers 5.24.  Implied: all biases; the MLP's width, always 4 × n_embd.
    Checked: its default config, that of openai-community/openai-gpt, stored 116,534,784, transformers 116,534,784.
    """
    yield from decoder(
        c,
        attention=multi_head(c, "attn.c_attn", "attn.c_proj", transposed=True),
        mlp=plain_mlp(
            c,
            "mlp.c_fc",
            "mlp.c_proj",
            width=4 * c.hidden_size,
            bias=True,
            implied_bias=True,
            transposed=True,
        ),
        norm=layer_norm(c),
        layer_norms=(),
        post_norms=("ln_1", "ln_2"),
        base="transformer",
        layers="h",
        embed="tokens_embed",
        position="positions_embed",
        final_norm=None,
    )


def ctrl(c: Config) -> Iterator[Part]:
    """CTRL: sinusoidal positions, which no file holds; a tied head with a bias.

    Source: modeling_ctrl in transformers 5.24.  Implied: all biases.
    Checked: its default config stored 1,637,964,550, transformers 1,637,964,550, residual 0.
    """
    names = [f"multi_head_attention.{m}" for m in ("Wq", "Wk", "Wv", "dense")]
    yield from decoder(
        c,
        attention=multi_head(c, *names),
        mlp=plain_mlp(c, "ffn.0", "ffn.2", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("layernorm1", "layernorm2"),
        base="transformer",
        layers="h",
        embed="w",
        final_norm="layernorm",
        top=partial(head, bias=True, sequence="classifier"),
    )
