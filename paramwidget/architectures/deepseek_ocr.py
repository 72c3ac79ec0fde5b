"""DeepSeek-OCR 1 and 2: SAM before a second encoder, before the first DeepSeek-MoE."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, dense_or_moe, gated_mlp, gqa, moe_from, one_layer, place, rms_norm
from .blocks.heads import stem
from .blocks.seeing import clip
from .blocks.seeing_tiles import sam
from .blocks.towers import conv, layer, layers, maps, norm, patches, table
from .deepseek import deepseek_experts
from .nested import renamed, text_config, text_model

#: SAM's names in transformers -> in these files
NAMES = (
    ("neck.conv1.", "neck.0."),
    ("neck.layer_norm1.", "neck.1."),
    ("neck.conv2.", "neck.2."),
    ("neck.layer_norm2.", "neck.3."),
    ("layers.", "blocks."),
    (".layer_norm", ".norm"),
    ("patch_embed.projection", "patch_embed.proj"),
)


#: what the config means by ``qwen2-0-5b``, of which it gives the width
QWEN2_HALF_B = {
    "hidden_size": 896,
    "intermediate_size": 4864,
    "num_hidden_layers": 24,
    "num_attention_heads": 14,
    "num_key_value_heads": 2,
}


def deepseek_ocr(c: Config) -> Iterator[Part]:
    """DeepSeek-OCR: SAM, shortened by convolutions, through CLIP; both side by side through one map.

    Source: deepencoder of deepseek-ai/DeepSeek-OCR; names, from the files.  Implied: SAM's sizes but three, separators.
    Checked: deepseek-ai/DeepSeek-OCR stored 3,336,106,240; its index says 13,344,427,016 bytes, which is four for each
    and 257 positions of eight.
    """
    widths, text = c.sub("vision_config").sub("width"), text_config(c, "deepseek")
    yield from _sam(widths.sub("sam_vit_b"))
    clip = widths.sub("clip-l-14-224")
    hidden, at = clip.width, "model.vision_model."
    one = layer(hidden, hidden * 4, attention=("self_attn.qkv_proj", "self_attn.out_proj"))
    yield table(f"{at}embeddings.class_embedding", hidden)
    yield from conv(
        f"{at}embeddings.patch_embedding", hidden, 3, (clip.patch_size, clip.patch_size), bias=False
    )
    yield table(f"{at}embeddings.position_embedding.weight", patches(clip) + 1, hidden)
    yield from norm(f"{at}pre_layrnorm", hidden)
    yield from layers(one, f"{at}transformer.layers.", clip.layers)
    yield from _projector(c, "image_newline", "view_seperator")
    yield from text_model(text, "model.")


def deepseek_ocr2(c: Config) -> Iterator[Part]:
    """DeepSeek-OCR 2: SAM before the layers of Qwen2-0.5B, which learned queries end; one map; DeepSeek-MoE.

    Source: names of the Hub files; modeling_deepseek_ocr2 in transformers 5.24 for the queries' numbers.
    Implied: SAM's sizes but three, Qwen2's but its width, a query for each cell of a grid of 12 or of 16.
    Its config still has the last width of OCR 1's convolutions, 1,024; it is that of the layers behind them, 896.
    Checked: deepseek-ai/DeepSeek-OCR-2 stored 3,389,119,360, with the 2,707 tensors of its index by name; the index
    says 6,779,249,408 bytes, 1,010,688 more than two for each, and nothing public explains them.
    """
    widths, text = c.sub("vision_config").sub("width"), text_config(c, "deepseek")
    encoder = widths.sub("qwen2-0-5b").layer("qwen2-0-5b", QWEN2_HALF_B)
    yield from _sam(widths.sub("sam_vit_b"), encoder.dim)
    one = one_layer(
        rms_norm(encoder),
        ("input_layernorm", "post_attention_layernorm"),
        gqa(encoder, bias=True, implied_bias=True, out_bias=False),
        gated_mlp(encoder),
    )
    at = "model.qwen2_model."
    yield from place(one, f"{at}model.model.layers.{{layer}}.", range(encoder.num_hidden_layers), "vision")
    yield from place(rms_norm(encoder)("norm"), f"{at}model.model.", role="vision")
    for name, side in (("query_768", 12), ("query_1024", 16)):
        yield table(f"{at}{name}.weight", side * side, encoder.dim)
    yield from _projector(c, "view_seperator")
    yield from text_model(text, "model.")


def unlimited_ocr(c: Config) -> Iterator[Part]:
    """Unlimited-OCR: DeepSeek-OCR's towers, as transformers names them; a token sees its window and the prompt.

    Source: modeling_unlimited_ocr in transformers 5.24.  Implied: the separators.
    Checked: the class's defaults, 3,335,504,128, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    high, low, hidden = vision.sub("sam_config"), vision.sub("encoder_config"), text.hidden_size
    first, second = high.counts_of("downsample_channels", 2)
    tower = f"{at}vision_tower."
    for name in ("view_separator", "image_newline"):
        yield table(f"{at}{name}", hidden, role="projector")
    yield from sam(high, f"{tower}sam_encoder.")
    yield from conv(f"{tower}sam_encoder.proj.conv1", first, high.output_channels, (3, 3), bias=False)
    yield from conv(f"{tower}sam_encoder.proj.conv2", second, first, (3, 3), bias=False)
    yield from clip(low, f"{tower}vision_encoder.", reads_pixels=False)
    yield from maps((f"{at}multi_modal_projector", hidden, low.hidden_size + second))
    yield from text_model(text, f"{at}language_model.")


def unlimited_ocr_text(c: Config) -> Iterator[Part]:
    """Its text model: the first DeepSeek-MoE. The prompt's keys are kept, so the window is no bound.

    A head_dim that the config gives is passed over.

    Source: modeling_unlimited_ocr in transformers 5.24.  Implied: router.
    """
    bias = c.flag("mlp_bias")
    moe = deepseek_experts(c, correction=False, bias=bias)
    mlp = dense_or_moe(c, moe_from(c, min(1, int(c.num_hidden_layers))), moe, gated_mlp(c, bias=bias))
    dim = c.divide("hidden_size", "num_attention_heads")
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias"), head_dim=dim), mlp=mlp)


def _projector(c: Config, *vectors: str) -> Iterator[Part]:
    """One map into the text width, and what stands between rows or views."""
    projector = c.sub("projector_config")
    if projector.get("projector_type") != "linear":
        raise projector.error(
            "projector_type", projector.get("projector_type"), "is not described; linear is"
        )
    yield from maps(("model.projector.layers", projector.n_embed, projector.input_dim))
    for name in vectors:
        yield TensorSpec(f"model.{name}", (projector.n_embed,), "projector")


def _sam(s: Config, out: int | None = None) -> Iterator[Part]:
    """SAM's tower, and two convolutions that halve its grid, the second into ``out`` channels where that is known."""
    sizes = {"hidden_size": s.width, "num_hidden_layers": s.layers, "num_attention_heads": s.heads}

    def name(of: str) -> str:
        for ours, theirs in NAMES:
            of = of.replace(ours, theirs)
        return f"model.sam_model.{of}"

    v = s.flat("sam_vision_model").layer("sam_vit_b", sizes)
    for t in sam(v, ""):
        yield renamed(t, name)
    first, second = s.counts_of("downsample_channels", 2)
    yield from conv("model.sam_model.net_2", first, v.output_channels, (3, 3), bias=False)
    yield from conv("model.sam_model.net_3", second if out is None else out, first, (3, 3), bias=False)
