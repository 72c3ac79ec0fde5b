"""Qwen's models that see, hear and, beside the thinker counted here, speak."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, linear
from .blocks.hearing import qwen3_audio, whisper
from .blocks.seeing import qwen2_5_vision, qwen3_vision
from .blocks.speaking import bigvgan, diffusion, talker
from .blocks.towers import maps, table
from .nested import renamed, text_config, text_model


def qwen2_5_omni_thinker(c: Config) -> Iterator[Part]:
    """The thinker of Qwen2.5-Omni: Qwen2.5-VL's tower with q, k and v apart, Whisper's encoder, Qwen2.

    Source: modeling_qwen2_5_omni in transformers 5.24.  Checked: the class's defaults, 11,338,288,896.
    """
    audio = c.sub("audio_config")
    yield from whisper(audio, "audio_tower.", positions=False, last="ln_post")
    yield table("audio_tower.audio_bos_eos_token.weight", 2, audio.output_dim, role="audio")
    yield from linear("audio_tower.proj", audio.output_dim, audio.hidden_size, role="projector", bias=True)
    yield from qwen2_5_vision(c.sub("vision_config"), "visual.", fused=False)
    yield from text_model(text_config(c), "language_model." if c.head == "none" else "model.")


def qwen3_omni_moe_thinker(c: Config) -> Iterator[Part]:
    """The thinker of Qwen3-Omni: Qwen3-VL's tower under older names, an encoder of its own, Qwen3-MoE.

    Source: modeling_qwen3_omni_moe in transformers 5.24.  Checked: the class's defaults, 18,418,329,704.
    """
    audio = c.sub("audio_config")
    yield from qwen3_audio(audio, "audio_tower.")
    yield from maps(
        ("audio_tower.proj1", audio.hidden_size, audio.hidden_size),
        ("audio_tower.proj2", audio.output_dim, audio.hidden_size),
    )
    yield from qwen3_vision(c.sub("vision_config"), "visual.", omni=True)
    yield from text_model(text_config(c), "language_model." if c.head == "none" else "model.")


def qwen2_5_omni(c: Config) -> Iterator[Part]:
    """Qwen2.5-Omni whole: the thinker, and where ``enable_audio_output`` is set what speaks.

    The role of all that speaks is ``audio``: a text token does not use it.

    Source: modeling_qwen2_5_omni in transformers 5.24.
    Checked: Qwen/Qwen2.5-Omni-AWQ stored 10,732,225,408, residual 0.
    """
    for part in qwen2_5_omni_thinker(c.sub("thinker_config", declared={})):
        yield renamed(part, lambda name: f"thinker.{name}")
    if c.flag("enable_audio_output"):
        yield from talker(c.sub("talker_config"), "talker.")
        wave = c.sub("token2wav_config")
        yield from diffusion(wave.sub("dit_config"), "token2wav.code2wav_dit_model.")
        yield from bigvgan(wave.sub("bigvgan_config"), "token2wav.code2wav_bigvgan_model.")
