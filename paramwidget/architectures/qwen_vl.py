"""Qwen's models that see: a tower of their own before Qwen2 or Qwen3."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, dense_or_moe, experts, gqa, moe_every
from .blocks.heads import stem
from .blocks.seeing_qwen import qwen2_5_vision, qwen2_vision, qwen3_vision
from .nested import text_config, text_model


def qwen2_vl(c: Config) -> Iterator[Part]:
    """Qwen2-VL: the text keeps the names of Qwen2; older files keep its config at the top level.

    Source: modeling_qwen2_vl in transformers 5.24.
    Checked: Qwen/Qwen2-VL-2B-Instruct stored 2,208,985,600, Hub 2,208,985,600, residual 0.
    """
    yield from qwen2_vision(c.sub("vision_config"), "visual.")
    yield from text_model(text_config(c), _body(c))


def qwen2_5_vl(c: Config) -> Iterator[Part]:
    """Qwen2.5-VL: Qwen2-VL with another tower.

    Source: modeling_qwen2_5_vl in transformers 5.24.  Checked: the class's defaults, 75,789,228,800.
    """
    yield from qwen2_5_vision(c.sub("vision_config"), "visual.")
    yield from text_model(text_config(c), _body(c))


def qwen3_vl(c: Config) -> Iterator[Part]:
    """Qwen3-VL, dense and with experts: some layers of the tower have a merger of their own.

    Source: modeling_qwen3_vl and modeling_qwen3_vl_moe in transformers 5.24.
    Checked: Qwen/Qwen3-VL-4B-Instruct stored 4,437,815,808, Hub 4,437,815,808, residual 0.
    """
    at = stem(c, "model")
    yield from qwen3_vision(c.sub("vision_config"), f"{at}visual.")
    yield from text_model(text_config(c), f"{at}language_model.")


def qwen3_vl_moe_text(c: Config) -> Iterator[Part]:
    """The text model of Qwen3-VL-MoE: Qwen3-MoE with stacked experts, kept as (in, out).

    Source: modeling_qwen3_vl_moe in transformers 5.24; the axes, from the files.  Implied: q_norm, k_norm, router.
    Checked: Qwen/Qwen3-VL-30B-A3B-Instruct stored 31,070,754,032, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    yield from decoder(c, attention=attention, mlp=dense_or_moe(c, moe_every(c), lambda: _experts(c)))


def _experts(c: Config) -> Block:
    return experts(c, count=c.num_experts, width=c.moe_intermediate_size, stacked=True, transposed=True)


def _body(c: Config) -> str:
    return "language_model." if c.head == "none" else "model."
