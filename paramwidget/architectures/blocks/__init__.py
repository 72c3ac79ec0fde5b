"""The pieces that architectures are composed of; a family file says only what is unusual about it."""

from .attention import gqa, mla
from .base import (
    NO_FFN,
    NO_MIXER,
    Block,
    Part,
    by_layer,
    layer_norm,
    linear,
    renamed,
    rms_norm,
    together,
    vector,
)
from .delta_attention import kimi_delta, lightning, separate_deltanet
from .deltanet import gated_deltanet
from .experts import dense_or_moe, experts, moe_every, shared_expert
from .mlp import gated_mlp, plain_mlp
from .moonvit import moonvit3d
from .ssm import mamba, mamba2, rg_lru, short_conv
from .stack import decoder, mtp_deepseek, mtp_qwen, sliding_by_layer
from .towers import qwen_vision

__all__ = [
    "NO_FFN",
    "NO_MIXER",
    "Block",
    "Part",
    "by_layer",
    "decoder",
    "dense_or_moe",
    "experts",
    "gated_deltanet",
    "gated_mlp",
    "gqa",
    "kimi_delta",
    "layer_norm",
    "lightning",
    "linear",
    "mamba",
    "mamba2",
    "mla",
    "moe_every",
    "moonvit3d",
    "mtp_deepseek",
    "mtp_qwen",
    "plain_mlp",
    "qwen_vision",
    "renamed",
    "rg_lru",
    "rms_norm",
    "separate_deltanet",
    "shared_expert",
    "short_conv",
    "sliding_by_layer",
    "together",
    "vector",
]
