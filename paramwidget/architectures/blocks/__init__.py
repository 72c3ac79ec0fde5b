"""The pieces that architectures are composed of; a family file says only what is unusual about it."""

from .attention import gqa, mla, multi_head, qk_norms
from .base import Block, Norm, Part, by_layer, layer_norm, linear, no_norm, normed, place, rms_norm, vector
from .deltanet import gated_deltanet
from .experts import correction_bias, dense_or_moe, experts, moe_every, moe_from, shared_expert
from .heads import head
from .mlp import gated_mlp, plain_mlp
from .stack import decoder, full_every, layer_kinds, mtp_deepseek, mtp_qwen, one_layer, sliding_by_layer
from .towers import qwen_vision

__all__ = [
    "Block",
    "Norm",
    "Part",
    "by_layer",
    "correction_bias",
    "decoder",
    "dense_or_moe",
    "experts",
    "full_every",
    "gated_deltanet",
    "gated_mlp",
    "gqa",
    "head",
    "layer_kinds",
    "layer_norm",
    "linear",
    "mla",
    "moe_every",
    "moe_from",
    "mtp_deepseek",
    "mtp_qwen",
    "multi_head",
    "no_norm",
    "normed",
    "one_layer",
    "place",
    "plain_mlp",
    "qk_norms",
    "qwen_vision",
    "rms_norm",
    "shared_expert",
    "sliding_by_layer",
    "vector",
]
