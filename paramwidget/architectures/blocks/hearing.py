"""Towers that hear: what turns a spectrogram into vectors that the text model reads."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear
from .towers import GATED, QKV, conv, layer, layers, norm, table


def whisper(a: Config, at: str, *, positions: bool = True, last: str = "layer_norm") -> Iterator[TensorSpec]:
    """Whisper's encoder: two convolutions, positions that are stored though computed, keys without a bias."""
    hidden = a.hidden_size
    yield from conv(f"{at}conv1", hidden, a.num_mel_bins, (3,), role="audio")
    yield from conv(f"{at}conv2", hidden, hidden, (3,), role="audio")
    if positions:
        yield table(f"{at}embed_positions.weight", a.max_source_positions, hidden, role="audio")
    yield from layers(_layer(a, key_bias=False), f"{at}layers.", _depth(a))
    yield from norm(f"{at}{last}", hidden, role="audio")


def qwen3_audio(a: Config, at: str) -> Iterator[TensorSpec]:
    """The encoder of Qwen3-Omni and Qwen3-ASR: three convolutions that halve time and pitch, biases everywhere."""
    hidden, width, bins = a.hidden_size, a.downsample_hidden_size, a.num_mel_bins
    for i, inn in enumerate((1, width, width)):
        yield from conv(f"{at}conv2d{i + 1}", width, inn, (3, 3), role="audio")
    for _ in range(3):
        bins = bins.ceil_div(2)
    yield from linear(f"{at}conv_out", hidden, width * bins, role="audio")
    yield from layers(_layer(a, key_bias=True), f"{at}layers.", _depth(a))
    yield from norm(f"{at}ln_post", hidden, role="audio")


def gated_audio(a: Config, at: str) -> Iterator[TensorSpec]:
    """The encoder of Voxtral Realtime: Whisper's convolutions, rotary positions, gated maps, norms without a bias."""
    hidden, maps = a.hidden_size, [f"self_attn.{n}_proj" for n in "qkvo"]
    one = layer(
        hidden,
        a.intermediate_size,
        role="audio",
        norms=("self_attn_layer_norm", "final_layer_norm"),
        attention=maps,
        mlp=[f"mlp.{n}" for n in GATED],
        without_bias=(maps[1], *(f"mlp.{n}" for n in GATED[:2])),
        norm_bias=False,
        inner=_all_heads(a),
        kv=_all_heads(a, "num_key_value_heads"),
    )
    yield from conv(f"{at}embedder.conv1", hidden, a.num_mel_bins, (3,), role="audio")
    yield from conv(f"{at}embedder.conv2", hidden, hidden, (3,), role="audio")
    yield from layers(one, f"{at}layers.", a.num_hidden_layers)
    yield from norm(f"{at}norm", hidden, role="audio", bias=False)


def glm_audio(a: Config, at: str) -> Iterator[TensorSpec]:
    """GLM-ASR's encoder: Whisper's with rotary positions, in the names of a text model."""
    hidden, maps = a.hidden_size, [f"self_attn.{n}_proj" for n in "qkvo"]
    one = layer(
        hidden,
        a.intermediate_size,
        role="audio",
        norms=("input_layernorm", "post_attention_layernorm"),
        attention=maps,
        without_bias=(maps[1],),
        inner=_all_heads(a),
        kv=_all_heads(a, "num_key_value_heads"),
    )
    yield from conv(f"{at}conv1", hidden, a.num_mel_bins, (3,), role="audio")
    yield from conv(f"{at}conv2", hidden, hidden, (3,), role="audio")
    yield from layers(one, f"{at}layers.", a.num_hidden_layers)
    yield from norm(f"{at}norm", hidden, role="audio")


def _all_heads(a: Config, key: str = "num_attention_heads") -> Dim:
    """The width of all heads together, or of those that have keys and values."""
    width: Dim = getattr(a, key) * (
        a.head_dim if a.has("head_dim") else a.divide("hidden_size", "num_attention_heads")
    )
    return width


def _layer(a: Config, *, key_bias: bool) -> list[TensorSpec]:
    """One layer of Whisper."""
    heads = _either(a, "encoder_attention_heads", "num_attention_heads")
    if a.hidden_size % heads:
        raise a.error("d_model", int(a.hidden_size), f"is not a multiple of the {int(heads)} heads")
    return layer(
        a.hidden_size,
        _either(a, "encoder_ffn_dim", "intermediate_size"),
        role="audio",
        norms=("self_attn_layer_norm", "final_layer_norm"),
        mlp=("fc1", "fc2"),
        without_bias=() if key_bias else (QKV[1],),
    )


def _depth(a: Config) -> Dim:
    return _either(a, "encoder_layers", "num_hidden_layers")


def _either(a: Config, *names: str) -> Dim:
    """The first of the names that the config gives: Whisper's own, or the plain ones of later files."""
    given = next((n for n in names if a.data.get(n) is not None), None)
    name = given or next((n for n in names if a.has(n)), names[0])
    value: Dim = getattr(a, name)
    return value
