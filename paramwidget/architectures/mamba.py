"""Mamba and its kin: layers of one norm and one state-space mixer, with no feed-forward."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import NO_FFN, Block, Part, decoder
from .blocks import mamba as selective_scan
from .blocks import mamba2 as selective_scan2


def mamba(c: Config) -> Iterator[Part]:
    """Mamba 1, and FalconMamba, whose three extra norms have no weights.

    An ``intermediate_size`` in the file is the inner width, whatever ``expand`` says (falcon-mamba-7b: 8,192 and 16).

    Source: modeling_mamba and modeling_falcon_mamba in transformers 5.24.  Implied: A_log, D, bias of the step.
    Checked: ArthurZ/mamba-2.8b stored 2,768,345,600, residual 0; state-spaces/mamba-130m-hf stored 129,135,360,
    Hub the same; tiiuae/falcon-mamba-7b-instruct stored 7,272,665,088, Hub the same.
    """
    width = c.intermediate_size if c.has("intermediate_size") else None
    yield from _mixers_only(c, selective_scan(c, bias=c.flag("use_bias"), width=width, path="mixer"))


def mamba2(c: Config) -> Iterator[Part]:
    """Mamba-2 as transformers keeps it: heads with one decay each, and a gated norm before the output map.

    Source: modeling_mamba2 in transformers 5.24.  Implied: A_log, D, dt_bias, the gated norm.
    Checked: the class's own defaults (Codestral-Mamba) stored 7,285,403,648, residual 0.
    """
    heads, width = c.num_heads, c.mamba_expand * c.hidden_size
    if heads * c.head_dim != width:
        raise c.error(
            "head_dim", int(c.head_dim), f"times num_heads = {int(heads)} must be expand × hidden_size"
        )
    yield from _mixers_only(c, selective_scan2(c, heads=heads, bias=c.flag("use_bias"), path="mixer"))


def _mixers_only(c: Config, mixer: Block) -> Iterator[Part]:
    yield from decoder(
        c,
        attention=mixer,
        mlp=NO_FFN,
        layer_norms=("norm",),
        base="backbone",
        embed="embeddings",
        final_norm="norm_f",
    )
