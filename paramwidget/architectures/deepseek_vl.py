"""DeepSeek's models that see, and Janus, which draws too."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from .blocks import Part
from .blocks.drawing import vq_gan
from .blocks.heads import stem
from .blocks.seeing import janus_vision, sam, sam_neck, tower
from .blocks.towers import conv, maps, table, two_layers
from .nested import text_config, text_model


def deepseek_vl(c: Config) -> Iterator[Part]:
    """DeepSeek-VL: SigLIP, two maps, Llama.

    Source: modeling_deepseek_vl in transformers 5.24.
    Checked: deepseek-ai/deepseek-vl-1.3b-chat in the form of transformers; the class's defaults, 6,720,158,976.
    """
    at, text, vision = stem(c, "model"), text_config(c), c.sub("vision_config")
    yield from tower(vision, f"{at}vision_model.", inside="")
    yield from two_layers(f"{at}aligner.", vision.hidden_size, text.hidden_size, names=("linear1", "linear2"))
    yield from text_model(text, f"{at}language_model.")


def deepseek_vl_hybrid(c: Config) -> Iterator[Part]:
    """DeepSeek-VL 7B: SAM's tower for a larger image beside SigLIP, each half of the text width.

    Source: modeling_deepseek_vl_hybrid in transformers 5.24.  Checked: the class's defaults, 6,817,039,873.
    """
    at, text = stem(c, "model"), text_config(c)
    vision, high = c.sub("vision_config"), c.sub("high_res_vision_config")
    out: Dim = high.output_channels
    yield from tower(vision, f"{at}vision_model.", inside="")
    yield from sam(high, f"{at}high_res_vision_model.vision_encoder.")
    yield from sam_neck(high, f"{at}high_res_vision_neck.")
    yield from conv(f"{at}high_res_vision_proj.conv1", out * 2, out, (3, 3), bias=False)
    yield from conv(f"{at}high_res_vision_proj.conv2", out * 4, out * 2, (3, 3), bias=False)
    yield table(f"{at}high_res_vision_alpha", 1)
    yield from maps(
        (f"{at}aligner.vision_proj", text.hidden_size // 2, vision.hidden_size),
        (f"{at}aligner.high_res_vision_proj", text.hidden_size // 2, out * 4),
        (f"{at}aligner.proj", text.hidden_size, text.hidden_size),
    )
    yield from text_model(text, f"{at}language_model.")


def janus(c: Config) -> Iterator[Part]:
    """Janus: one tower to see with, an autoencoder and a head of its own to draw with.

    Source: modeling_janus in transformers 5.24.  Checked: the class's defaults, 7,031,324,299.
    """
    at, vision, vq = stem(c, "model"), c.sub("vision_config"), c.sub("vq_config")
    seen, drawn = vision.projection_dim, vq.projection_dim
    yield from janus_vision(vision, f"{at}vision_model.")
    yield from _aligner(f"{at}aligner.", vision.hidden_size, seen, vision.depth)
    yield from vq_gan(vq, f"{at}vqmodel.")
    yield table(f"{at}generation_embeddings.weight", vq.num_embeddings, vq.embed_dim)
    yield from _aligner(f"{at}generation_aligner.", vq.embed_dim, drawn, vq.num_hidden_layers)
    yield from maps(
        (f"{at}generation_head.proj_out", drawn, vq.image_token_embed_dim),
        (f"{at}generation_head.vision_head", vq.num_embeddings, drawn),
        role="vision",
    )
    yield from text_model(text_config(c), f"{at}language_model.")


def _aligner(at: str, inn: Dim, out: Dim, depth: Dim) -> Iterator[Part]:
    yield from maps((f"{at}fc1", out, inn), *((f"{at}hidden_layers.{i}", out, out) for i in range(depth - 1)))


def got_ocr2(c: Config) -> Iterator[Part]:
    """GOT-OCR 2: SAM's tower, two convolutions that halve the grid, one map, Qwen2.

    Source: modeling_got_ocr2 in transformers 5.24.  Checked: the class's defaults, 560,528,640.
    """
    vision, text, at = c.sub("vision_config"), text_config(c), "multi_modal_projector."
    hidden, out = text.hidden_size, vision.output_channels
    yield from sam(vision, "vision_tower.")
    yield from conv(f"{at}conv_upsampler1", out * 2, out, (3, 3), role="projector", bias=False)
    yield from conv(f"{at}conv_upsampler2", hidden, out * 2, (3, 3), role="projector", bias=False)
    yield from maps((f"{at}multimodal_projector", hidden, hidden))
    yield from text_model(text, "language_model.model.", "language_model.")
