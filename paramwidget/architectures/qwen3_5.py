"""Qwen3.5: the dense models with Gated DeltaNet in three of four layers."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, gated_mlp, qwen3_vision
from .qwen_moe import qwen3_5_stack


def qwen3_5_text(c: Config) -> Iterator[Part]:
    """The text model of Qwen3.5: that of Qwen3.5-MoE with one MLP in place of the experts.

    Source: modeling_qwen3_5 in transformers 5.24; the MTP module, which transformers drops, from the files.
    Implied: q_norm, k_norm, A_log, dt_bias.
    Checked: Qwen/Qwen3.5-27B stored 27,356,728,560 with vision and without MTP, residual 0.
    """
    yield from qwen3_5_stack(c, "model", gated_mlp(c))


def qwen3_5(c: Config) -> Iterator[Part]:
    """Qwen3.5 with its vision tower.

    Source: modeling_qwen3_5 in transformers 5.24.
    Checked: Qwen/Qwen3.6-27B stored 27,781,427,952 with vision and MTP, Hub 27,781,427,952, residual 0.
    """
    text = c.sub("text_config", "qwen3_5_text", also=("tie_word_embeddings",))
    if c.is_bare or c.has("vision_config"):
        yield from qwen3_vision(c.sub("vision_config", "qwen3_5_vision"), "model.visual.", deepstack=False)
    yield from qwen3_5_stack(text, "model.language_model", gated_mlp(text))
