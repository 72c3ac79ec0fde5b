"""EleutherAI's and Salesforce's early models: GPT-Neo, GPT-J and CodeGen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..config import Config
from .blocks import Block, Part, decoder, head, layer_norm, multi_head, plain_mlp


def gpt_neo(c: Config) -> Iterator[Part]:
    """GPT-Neo: GPT-2 with q, k and v apart and without biases; every other layer sees a window.

    Source: modeling_gpt_neo in transformers 5.24.  Implied: biases of the output, the MLP and the norms.
    Checked: EleutherAI/gpt-neo-1.3B stored 1,315,575,808; the Hub's 1,365,907,456 also hold 12 causal masks of
    2,048 × 2,048, buffers of older versions.
    """
    names = [f"attn.attention.{m}" for m in ("q_proj", "k_proj", "v_proj", "out_proj")]
    full = multi_head(c, *names, bias=(False, False, False, True))
    yield from decoder(
        c,
        attention=windows(c, full),
        mlp=plain_mlp(c, "mlp.c_fc", "mlp.c_proj", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("ln_1", "ln_2"),
        base="transformer",
        layers="h",
        embed="wte",
        position="wpe",
        final_norm="ln_f",
        top=partial(head, token="classifier"),
    )


def gptj(c: Config) -> Iterator[Part]:
    """GPT-J: attention and MLP side by side on one norm; a head with a bias.

    Source: modeling_gptj in transformers 5.24.  Implied: biases of MLP, norms and head.
    Checked: its default config, that of EleutherAI/gpt-j-6b, stored 6,050,882,784, transformers 6,050,882,784.
    """
    names = [f"attn.{m}" for m in ("q_proj", "k_proj", "v_proj", "out_proj")]
    yield from side_by_side(c, multi_head(c, *names, bias=False))


def codegen(c: Config) -> Iterator[Part]:
    """CodeGen: GPT-J with q, k and v in one matrix.

    Source: modeling_codegen in transformers 5.24.  Implied: biases of MLP, norms and head.
    Checked: its default config stored 6,050,882,784, transformers 6,050,882,784, residual 0.
    """
    yield from side_by_side(c, multi_head(c, "attn.qkv_proj", "attn.out_proj", bias=False))


def side_by_side(c: Config, attention: Block) -> Iterator[Part]:
    """The layer that GPT-J and CodeGen share."""
    yield from decoder(
        c,
        attention=attention,
        mlp=plain_mlp(c, "mlp.fc_in", "mlp.fc_out", bias=True, implied_bias=True),
        norm=layer_norm(c),
        layer_norms=("ln_1",),
        base="transformer",
        layers="h",
        embed="wte",
        final_norm="ln_f",
        output_bias=True,
    )


def windows(c: Config, full: Block) -> Block | list[Block]:
    """GPT-Neo's ``attention_types``: ``[[["global", "local"], 12]]`` is the pair, twelve times."""
    n = int(c.num_hidden_layers)
    types = c.get("attention_types", [[["global", "local"], 12]])
    kinds: list[str] = []
    try:
        for pattern, times in types:
            kinds += list(pattern) * (times if len(pattern) * times <= n else n + 1)
    except (TypeError, ValueError):
        raise c.error("attention_types", types, "must be a list of [kinds, how often]") from None
    if len(kinds) != n:
        raise c.error("attention_types", types, f"does not describe exactly {n} layers")
    if not set(kinds) <= {"global", "local"}:
        raise c.error("attention_types", types, "has a kind that is neither global nor local")
    sliding = full.with_facts(mixer="sliding", window=int(c.window_size))
    return [sliding if kind == "local" else full for kind in kinds]
