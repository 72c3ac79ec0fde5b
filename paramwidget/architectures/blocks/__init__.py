"""The pieces that architectures are composed of; a family file says only what is unusual about it."""

from .attention import gqa, mla
from .base import Block, Part, by_layer, layer_norm, linear, rms_norm, vector
from .deltanet import gated_deltanet
from .experts import dense_or_moe, experts, moe_every, shared_expert
from .mlp import gated_mlp, plain_mlp
from .seeing import qwen3_vision
from .stack import decoder, mtp_deepseek, mtp_qwen, sliding_by_layer

__all__ = [
    "Block",
    "Part",
    "by_layer",
    "decoder",
    "dense_or_moe",
    "experts",
    "gated_deltanet",
    "gated_mlp",
    "gqa",
    "layer_norm",
    "linear",
    "mla",
    "moe_every",
    "mtp_deepseek",
    "mtp_qwen",
    "plain_mlp",
    "qwen3_vision",
    "rms_norm",
    "shared_expert",
    "sliding_by_layer",
    "vector",
]
