"""The pieces that architectures are composed of; a family file says only what is unusual about it."""

from .attention import gqa, mla, multi_head, qk_norms
from .base import (
    NO_FFN,
    NO_MIXER,
    Block,
    Norm,
    Part,
    by_layer,
    inverse_frequencies,
    layer_norm,
    linear,
    no_norm,
    normed,
    place,
    renamed,
    rms_norm,
    together,
    vector,
)
from .delta_attention import kimi_delta, lightning, separate_deltanet
from .deltanet import gated_deltanet
from .experts import correction_bias, dense_or_moe, experts, moe_every, moe_from, shared_expert
from .heads import head
from .mlp import gated_mlp, plain_mlp
from .moonvit import moonvit3d
from .seeing_qwen import qwen3_vision
from .ssm import mamba, mamba2, rg_lru, short_conv
from .stack import decoder, full_every, layer_kinds, mtp_deepseek, mtp_qwen, one_layer, sliding_by_layer

__all__ = [
    "NO_FFN",
    "NO_MIXER",
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
    "inverse_frequencies",
    "kimi_delta",
    "layer_kinds",
    "layer_norm",
    "lightning",
    "linear",
    "mamba",
    "mamba2",
    "mla",
    "moe_every",
    "moe_from",
    "moonvit3d",
    "mtp_deepseek",
    "mtp_qwen",
    "multi_head",
    "no_norm",
    "normed",
    "one_layer",
    "place",
    "plain_mlp",
    "qk_norms",
    "qwen3_vision",
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
