"""Models that hear: Whisper's encoder, or one like it, before a text model."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blip import query_transformer
from .blocks import Part, decoder, gated_mlp, gqa, linear, sliding_by_layer
from .blocks.conformer import granite
from .blocks.heads import stem
from .blocks.hearing import gated_audio, glm_audio, qwen3_audio, whisper
from .blocks.towers import maps, norm, table, two_layers
from .nested import text_config, text_model


def qwen2_audio(c: Config) -> Iterator[Part]:
    """Qwen2-Audio: Whisper's encoder, one map, Qwen2.

    Source: modeling_qwen2_audio in transformers 5.24.  Checked: the class's defaults, 12,692,062,208.
    """
    audio, text = c.sub("audio_config"), _untied(text_config(c))
    yield from whisper(audio, "audio_tower.")
    yield from maps(("multi_modal_projector.linear", text.hidden_size, audio.hidden_size))
    yield from text_model(text, "language_model.model.", "language_model.")


def voxtral(c: Config) -> Iterator[Part]:
    """Voxtral: Whisper's encoder, four frames side by side, two maps without a bias, Ministral.

    Source: modeling_voxtral in transformers 5.24.
    Checked: mistralai/Voxtral-Mini-3B-2507 stored 4,676,271,104, residual 0.
    """
    audio, text = c.sub("audio_config"), _untied(text_config(c))
    yield from whisper(audio, "audio_tower.")
    yield from two_layers("multi_modal_projector.", audio.intermediate_size, text.hidden_size, bias=False)
    yield from text_model(text, "language_model.model.", "language_model.")


def voxtral_realtime(c: Config) -> Iterator[Part]:
    """Voxtral Realtime: an encoder of gated layers that hears a window, frames side by side, two maps, a text model.

    Source: modeling_voxtral_realtime and conversion_mapping in transformers 5.24.
    Checked: the class's defaults, 4,429,679,360, residual 0.
    """
    audio, text = c.sub("audio_config"), text_config(c, "voxtral_realtime_text")
    yield from gated_audio(audio, "audio_tower.")
    seen = audio.hidden_size * c.downsample_factor
    yield from two_layers("multi_modal_projector.", seen, text.hidden_size, bias=False)
    yield from text_model(text, "language_model.model.", "language_model.")


def voxtral_realtime_text(c: Config) -> Iterator[Part]:
    """Its text model: Mistral with two maps in each layer, 32 wide inside, that make a scale of the delay.

    Source: modeling_voxtral_realtime in transformers 5.24.  Implied: the 32, which is of the class.
    """
    hidden, inside, at = c.hidden_size, Dim.field("width of the delay", 32), "ada_rms_norm.linear"
    mlp = gated_mlp(c).plus(
        *linear(f"{at}1", inside, hidden, role="norm", implied=True),
        *linear(f"{at}2", hidden, inside, role="norm", implied=True),
    )
    yield from decoder(c, attention=sliding_by_layer(c, gqa(c)), mlp=mlp)


def audio_flamingo(c: Config) -> Iterator[Part]:
    """Audio Flamingo 3 and Music Flamingo: Whisper's encoder, two maps, Qwen2.

    Source: modeling_audioflamingo3, modeling_musicflamingo and conversion_mapping in transformers 5.24.
    Checked: the classes' defaults, 12,708,843,520, residual 0.
    """
    audio, text, bias = c.sub("audio_config"), _untied(text_config(c, "qwen2")), c.flag("projector_bias")
    yield from whisper(audio, "audio_tower.")
    yield from two_layers("multi_modal_projector.", audio.hidden_size, text.hidden_size, bias=bias)
    yield from text_model(text, "language_model.model.", "language_model.")


def glm_asr(c: Config) -> Iterator[Part]:
    """GLM-ASR: Whisper's encoder with rotary positions, four frames side by side, two maps, Llama.

    Source: modeling_glmasr and conversion_mapping in transformers 5.24.
    Checked: the class's defaults, 2,136,470,528, residual 0.
    """
    audio, text = c.sub("audio_config"), text_config(c, "llama")
    hidden, joint = text.hidden_size, "multi_modal_projector."
    yield from glm_audio(audio, "audio_tower.")
    yield from maps(
        (f"{joint}linear_1", hidden * 2, audio.intermediate_size), (f"{joint}linear_2", hidden, hidden * 2)
    )
    yield from text_model(text, "language_model.model.", "language_model.")


def moss_transcribe_diarize(c: Config) -> Iterator[Part]:
    """MOSS-Transcribe-Diarize: Whisper's encoder, a few frames side by side, two maps and a norm, Qwen3.

    Source: modeling_moss_transcribe_diarize in transformers 5.24.  Implied: the projector's norm.
    Checked: the class's defaults, 908,513,280, residual 0.
    """
    audio, text, at = c.sub("audio_config"), text_config(c, "qwen3"), stem(c, "model")
    joint, bias = f"{at}multi_modal_projector.", c.flag("projector_bias")
    yield from whisper(audio, f"{at}audio_tower.")
    yield from two_layers(joint, audio.hidden_size * c.audio_merge_size, text.hidden_size, bias=bias)
    yield from norm(f"{joint}norm", text.hidden_size, role="projector")
    yield from text_model(text, f"{at}language_model.")


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


def _untied(text: Config) -> Config:
    """A text model whose class never ties its head, whatever the config says."""
    return text.layer("text_config", {"tie_word_embeddings": False})


def granite_speech(c: Config) -> Iterator[Part]:
    """Granite Speech: a conformer, a window of which BLIP-2's reader turns into a few vectors, and Granite.

    The adapter of the text model, which is on while it hears, is a file of its own and not counted.

    Source: modeling_granite_speech, modeling_granite_speech_plus and conversion_mapping in transformers 5.24.
    Checked: the classes' defaults, 6,990,441,514, residual 0.
    """
    text, reader = text_config(c, "granite"), c.sub("projector_config", "blip_2_qformer")
    if reader.model_type != "blip_2_qformer":
        raise c.error("projector_config", reader.model_type, "is not described: only blip_2_qformer is")
    yield from granite(c.sub("encoder_config", declared={"conv_expansion_factor": 2}), "encoder.")
    queries = c.window_size // c.downsample_rate
    yield table("projector.query", 1, queries, reader.hidden_size, role="projector")
    words = reader.flag("use_qformer_text_input")
    yield from query_transformer(reader, reader.encoder_hidden_size, "projector.qformer.", words, old=True)
    yield from maps(("projector.linear", text.hidden_size, reader.hidden_size))
    yield from text_model(text, "language_model.model.", "language_model.")
