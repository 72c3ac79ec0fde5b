"""Models that hear: Whisper's encoder, or one like it, before a text model."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part
from .blocks.heads import stem
from .blocks.hearing import qwen3_audio, whisper
from .blocks.towers import maps, two_layers
from .nested import text_config, text_model


def qwen2_audio(c: Config) -> Iterator[Part]:
    """Qwen2-Audio: Whisper's encoder, one map, Qwen2.

    Source: modeling_qwen2_audio in transformers 5.24.  Checked: the class's defaults, 12,692,062,208.
    """
    audio, text = c.sub("audio_config"), text_config(c)
    yield from whisper(audio, "audio_tower.")
    yield from maps(("multi_modal_projector.linear", text.hidden_size, audio.hidden_size))
    yield from text_model(text, "language_model.model.", "language_model.")


def voxtral(c: Config) -> Iterator[Part]:
    """Voxtral: Whisper's encoder, four frames side by side, two maps without a bias, Ministral.

    Source: modeling_voxtral in transformers 5.24.
    Checked: mistralai/Voxtral-Mini-3B-2507 stored 4,676,271,104, residual 0.
    """
    audio, text = c.sub("audio_config"), text_config(c)
    yield from whisper(audio, "audio_tower.")
    yield from two_layers("multi_modal_projector.", audio.intermediate_size, text.hidden_size, bias=False)
    yield from text_model(text, "language_model.model.", "language_model.")


def qwen3_asr(c: Config) -> Iterator[Part]:
    """Qwen3-ASR: Qwen3-Omni's encoder, two maps, Qwen3. Files of its makers nest all of it in ``thinker_config``.

    The second map makes ``output_dim``, whatever the text's width.

    Source: modeling_qwen3_asr in transformers 5.24; the nesting, from Qwen/Qwen3-ASR.
    Checked: the class's defaults, 2,039,626,880.
    """
    if c.data.get("thinker_config") is not None:
        c = c.sub("thinker_config", "qwen3_asr", declared={})
    audio, at = c.sub("audio_config"), stem(c, "model")
    yield from qwen3_audio(audio, f"{at}audio_tower.")
    yield from maps(
        (f"{at}multi_modal_projector.linear_1", audio.hidden_size, audio.hidden_size),
        (f"{at}multi_modal_projector.linear_2", audio.output_dim, audio.hidden_size),
    )
    yield from text_model(text_config(c, "qwen3"), f"{at}language_model.")
