"""MPT."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..config import Config
from .blocks import Part, decoder, head, layer_norm, multi_head, plain_mlp


def mpt(c: Config) -> Iterator[Part]:
    """MPT: no bias anywhere, not in the norms either; positions only as a bias of the scores (ALiBi).

    transformers reads neither ``no_bias`` nor ``expansion_ratio`` nor the kinds of attention; the class of the files,
    MPTForCausalLM, does: it may have every bias, and learned positions in the place of ALiBi. What else would make the
    two differ is refused.

    Source: modeling_mpt in transformers 5.24; for MPTForCausalLM that of llm-foundry.
    Checked: mosaicml/mpt-7b-instruct stored 6,649,286,656, transformers 6,649,286,656, residual 0.
    """
    bias = learned = False
    if c.architecture.startswith("MPT"):
        as_in_transformers(c)
        bias = not c.flag("no_bias", otherwise=True)
        learned = not c.get("attn_config", {}).get("alibi", True) and c.flag(
            "learned_pos_emb", otherwise=True
        )
    yield from decoder(
        c,
        attention=multi_head(c, "attn.Wqkv", "attn.out_proj", bias=bias),
        mlp=plain_mlp(c, "ffn.up_proj", "ffn.down_proj", width=4 * c.hidden_size, bias=bias),
        norm=layer_norm(c, bias=bias),
        layer_norms=("norm_1", "norm_2"),
        base="transformer",
        layers="blocks",
        embed="wte",
        position="wpe" if learned else None,
        positions=c.max_seq_len if learned else None,
        final_norm="norm_f",
        top=partial(head, token="classifier"),
    )


#: what the files' own class reads beside the sizes, and what transformers takes for granted
ASSUMED: dict[str, Any] = {"expansion_ratio": 4}
ASSUMED_OF_ATTENTION: dict[str, Any] = {"attn_type": "multihead_attention", "qk_ln": False}


def as_in_transformers(c: Config) -> None:
    """Refuse what the files' own class would build otherwise."""
    attention = c.get("attn_config", {})
    if not isinstance(attention, dict):
        raise c.error("attn_config", attention, "must be an object")
    found = [(key, c.get(key), value) for key, value in ASSUMED.items()]
    found += [
        (f"attn_config.{key}", attention.get(key, value), value)
        for key, value in ASSUMED_OF_ATTENTION.items()
    ]
    for key, given, assumed in found:
        if given != assumed:
            raise c.error(key, given, f"is not described for MPTForCausalLM; known is {assumed!r}")
