"""What speaks: from the text model's states to codes, from codes to a spectrogram, from that to a waveform."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...tensors import TensorSpec
from .attention import gqa
from .base import linear, place, rms_norm
from .mlp import gated_mlp
from .towers import conv, layers, maps, norm, table

ROLE = "audio"


def talker(t: Config, at: str) -> Iterator[TensorSpec]:
    """Qwen2.5-Omni's talker: Qwen2 over codes, whose table is as wide as the thinker."""
    hidden, normed = t.hidden_size, rms_norm(t)
    one = [
        *normed("input_layernorm"),
        *gqa(t, bias=True, implied_bias=True, out_bias=False).tensors,
        *normed("post_attention_layernorm"),
        *gated_mlp(t).tensors,
    ]
    outer = [
        *linear("thinker_to_talker_proj", hidden, t.embedding_size, role=ROLE, bias=True),
        table("model.embed_tokens.weight", t.vocab_size, t.embedding_size),
        *normed("model.norm"),
        *linear("codec_head", t.vocab_size, hidden, role=ROLE),
    ]
    yield from place(outer, at, role=ROLE)
    yield from place(one, f"{at}model.layers.{{layer}}.", range(t.num_hidden_layers), role=ROLE)


def diffusion(d: Config, at: str) -> Iterator[TensorSpec]:
    """A diffusion transformer from codes to a spectrogram, told the time by 256 sines and the speaker by ECAPA-TDNN."""
    hidden, mel, inner = d.hidden_size, d.mel_dim, d.num_attention_heads * d.head_dim
    seen = mel + d.enc_dim + d.enc_emb_dim + d.emb_dim
    block = maps(
        ("attn_norm.linear", 6 * hidden, hidden),
        *((f"attn.to_{n}", inner, hidden) for n in "qkv"),
        ("attn.to_out.0", hidden, inner),
        ("ff.ff.0", hidden * d.ff_mult, hidden),
        ("ff.ff.3", hidden, hidden * d.ff_mult),
        role=ROLE,
    )
    yield from maps((f"{at}input_embed.proj", hidden, seen), role=ROLE)
    yield from _speaker(d, f"{at}input_embed.spk_encoder.")
    yield table(f"{at}text_embed.codec_embed.weight", d.num_embeds + 1, d.emb_dim, role=ROLE)
    yield from maps(
        (f"{at}time_embed.time_mlp.0", hidden, 256),
        (f"{at}time_embed.time_mlp.2", hidden, hidden),
        (f"{at}norm_out.linear", 2 * hidden, hidden),
        (f"{at}proj_out", mel, hidden),
        role=ROLE,
    )
    yield from layers(block, f"{at}transformer_blocks.", d.num_hidden_layers)


def _speaker(d: Config, at: str) -> Iterator[TensorSpec]:
    """ECAPA-TDNN: convolutions over time, with squeeze-and-excitation and attentive pooling."""
    n = len(d.get("enc_channels") or ())
    channels, kernels = d.counts_of("enc_channels", n), d.counts_of("enc_kernel_sizes", n)
    if n < 3:
        raise d.error("enc_channels", [int(i) for i in channels], "must name at least three layers")
    squeezed, scale, last = d.enc_se_channels, d.enc_res2net_scale, channels[-1]

    def over_time(name: str, out: int, inn: int, kernel: int = 1) -> list[TensorSpec]:
        return conv(f"{at}{name}", out, inn, (kernel,), role=ROLE)

    yield from over_time("blocks.0.conv", channels[0], d.mel_dim, kernels[0])
    for i in range(1, n - 1):
        out, part = channels[i], channels[i] // scale
        yield from over_time(f"blocks.{i}.tdnn1.conv", out, channels[i - 1])
        for j in range(int(scale) - 1):
            yield from over_time(f"blocks.{i}.res2net_block.blocks.{j}.conv", part, part, kernels[i])
        yield from over_time(f"blocks.{i}.tdnn2.conv", out, out)
        yield from over_time(f"blocks.{i}.se_block.conv1", squeezed, out)
        yield from over_time(f"blocks.{i}.se_block.conv2", out, squeezed)
    yield from over_time("mfa.conv", last, last, kernels[-1])
    yield from over_time("asp.tdnn.conv", d.enc_attention_channels, 3 * last)
    yield from over_time("asp.conv", last, d.enc_attention_channels)
    yield from over_time("fc", d.enc_dim, 2 * last)


def bigvgan(v: Config, at: str) -> Iterator[TensorSpec]:
    """BigVGAN, from a spectrogram to a waveform: each step doubles time and halves channels, before residual blocks."""
    steps = v.get("upsample_kernel_sizes") or ()
    ups = v.counts_of("upsample_kernel_sizes", len(steps))
    kernels = v.counts_of("resblock_kernel_sizes", len(v.get("resblock_kernel_sizes") or ()))
    channels = v.upsample_initial_channel
    yield from conv(f"{at}conv_pre", channels, v.mel_dim, (7,), role=ROLE)
    for i, up in enumerate(ups):
        # a transposed convolution keeps (in, out, kernel)
        out = channels // 2
        yield TensorSpec(f"{at}ups.{i}.0.weight", (channels, out, up), ROLE)
        yield TensorSpec(f"{at}ups.{i}.0.bias", (out,), ROLE, "bias")
        channels = out
        for j, kernel in enumerate(kernels):
            block = f"{at}resblocks.{i * len(kernels) + j}."
            for name in ("convs1", "convs2"):
                one = conv("", channels, channels, (kernel,), role=ROLE)
                yield from place(one, f"{block}{name}.{{layer}}", range(3))
            yield from place(_snake(channels), f"{block}activations.{{layer}}.act.", range(6))
    yield from place(_snake(channels), f"{at}activation_post.act.")
    yield from conv(f"{at}conv_post", 1, channels, (7,), role=ROLE, bias=False)


def _snake(channels: int) -> list[TensorSpec]:
    """A periodic activation with a learned frequency and amplitude a channel."""
    return [table(name, channels, role=ROLE) for name in ("alpha", "beta")]


def code_predictor(p: Config, at: str) -> Iterator[TensorSpec]:
    """Qwen3-Omni's small model that adds the other codes of a frame: Qwen3 with a table and a head for each of them."""
    normed, others = rms_norm(p), range(p.num_code_groups - 1)
    one = [
        *normed("input_layernorm"),
        *gqa(p, bias=p.flag("attention_bias"), qk_norm=True).tensors,
        *normed("post_attention_layernorm"),
        *gated_mlp(p).tensors,
    ]
    tables = [table("weight", p.vocab_size, p.hidden_size, role=ROLE)]
    yield from place(tables, f"{at}model.codec_embedding.{{layer}}.", others)
    yield from place(one, f"{at}model.layers.{{layer}}.", range(p.num_hidden_layers), role=ROLE)
    yield from place(normed("norm"), f"{at}model.", role=ROLE)
    yield from place(tables, f"{at}lm_head.{{layer}}.", others)


def code2wav(w: Config, at: str) -> Iterator[TensorSpec]:
    """Qwen3-Omni's path from codes to a waveform: a few layers over the codes, then convolutions that lengthen time."""
    hidden, normed = w.hidden_size, rms_norm(w)
    one = [
        *normed("input_layernorm"),
        *gqa(w, bias=w.flag("attention_bias")).tensors,
        *normed("post_attention_layernorm"),
        *gated_mlp(w).tensors,
        table("self_attn_layer_scale.scale", hidden),
        table("mlp_layer_scale.scale", hidden),
    ]
    yield table(f"{at}code_embedding.weight", w.codebook_size * w.num_quantizers, hidden, role=ROLE)
    yield from place(one, f"{at}pre_transformer.layers.{{layer}}.", range(w.num_hidden_layers), role=ROLE)
    yield from place(normed("norm"), f"{at}pre_transformer.", role=ROLE)
    for i, factor in enumerate(w.counts_of("upsampling_ratios", len(w.get("upsampling_ratios") or ()))):
        up = f"{at}upsample.{i}."
        yield from _transposed(f"{up}0.conv", hidden, hidden, factor)
        yield from conv(f"{up}1.dwconv.conv", hidden, 1, (7,), role=ROLE)
        yield from norm(f"{up}1.norm", hidden, role=ROLE)
        yield from maps(
            (f"{up}1.pwconv1", hidden * 4, hidden), (f"{up}1.pwconv2", hidden, hidden * 4), role=ROLE
        )
        yield table(f"{up}1.gamma", hidden, role=ROLE)
    rates = w.counts_of("upsample_rates", len(w.get("upsample_rates") or ()))
    channels = w.decoder_dim
    yield from conv(f"{at}decoder.0.conv", channels, hidden, (7,), role=ROLE)
    for i, rate in enumerate(rates, start=1):
        out, step = channels // 2, f"{at}decoder.{i}.block."
        yield from place(_snake(channels), f"{step}0.")
        yield from _transposed(f"{step}1.conv", channels, out, rate * 2)
        unit = [
            *place(_snake(out), "act1."),
            *conv("conv1.conv", out, out, (7,), role=ROLE),
            *place(_snake(out), "act2."),
            *conv("conv2.conv", out, out, (1,), role=ROLE),
        ]
        for j in (2, 3, 4):
            yield from place(unit, f"{step}{j}.")
        channels = out
    yield from place(_snake(channels), f"{at}decoder.{len(rates) + 1}.")
    yield from conv(f"{at}decoder.{len(rates) + 2}.conv", 1, channels, (7,), role=ROLE)


def _transposed(name: str, inn: int, out: int, kernel: int) -> Iterator[TensorSpec]:
    """A convolution that lengthens: it keeps (in, out, kernel)."""
    yield TensorSpec(f"{name}.weight", (inn, out, kernel), ROLE)
    yield TensorSpec(f"{name}.bias", (out,), ROLE, "bias")
