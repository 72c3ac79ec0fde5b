"""Qwen's models that see, hear and speak: a thinker that writes, and a talker that turns its states into a voice."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, gqa, linear, place, rms_norm
from .blocks.hearing import qwen3_audio, whisper
from .blocks.seeing_qwen import qwen2_5_vision, qwen3_vision
from .blocks.speaking import bigvgan, code2wav, code_predictor, diffusion, talker
from .blocks.towers import maps, table
from .nested import renamed, text_config, text_model
from .qwen_moe import qwen_experts


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


def qwen3_omni_moe(c: Config) -> Iterator[Part]:
    """Qwen3-Omni whole: the thinker, and where ``enable_audio_output`` is set what speaks, with experts of its own.

    Source: modeling_qwen3_omni_moe in transformers 5.24.
    Checked: the class's defaults, with the two keys of the talker that they lack, 21,978,863,145.
    """
    for part in qwen3_omni_moe_thinker(c.sub("thinker_config", declared={})):
        yield renamed(part, lambda name: f"thinker.{name}")
    if not c.flag("enable_audio_output"):
        return
    speaker = c.sub("talker_config")
    text = speaker.sub("text_config", "qwen3_omni_moe_talker_text")
    hidden, wide, heard = text.hidden_size, text.intermediate_size, speaker.thinker_hidden_size
    normed = rms_norm(text)
    one = [
        *normed("input_layernorm"),
        *gqa(text, bias=text.flag("attention_bias"), qk_norm=True).tensors,
        *normed("post_attention_layernorm"),
        *qwen_experts(text, shared=True).tensors,
    ]
    outer = [
        table("model.codec_embedding.weight", text.vocab_size, hidden),
        *normed("model.norm"),
        *linear("codec_head", text.vocab_size, hidden, role="audio"),
    ]
    for name in ("text_projection", "hidden_projection"):
        outer += maps((f"{name}.linear_fc1", wide, heard), (f"{name}.linear_fc2", hidden, wide))
    yield from place(one, "talker.model.layers.{layer}.", range(text.num_hidden_layers), role="audio")
    yield from place(outer, "talker.", role="audio")
    small = speaker.sub("code_predictor_config", "qwen3_omni_moe_talker_code_predictor")
    yield from code_predictor(small, "talker.code_predictor.")
    yield from code2wav(c.sub("code2wav_config"), "code2wav.")
