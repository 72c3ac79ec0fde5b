"""DeepSeek's models that see, and Janus, which draws too."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Part
from .blocks.drawing import vq_gan
from .blocks.heads import stem
from .blocks.seeing import janus_vision, timm_siglip, tower
from .blocks.seeing_tiles import sam, sam_neck
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


#: the towers that a config of Janus names: size of the image and of its patches, width, layers, heads
SIGLIP = {"siglip_large_patch16_384": (384, 16, 1024, 24, 16)}

#: names of transformers -> of the files of its makers
NAMES = (
    (".mid.block_1.", ".mid.0."),
    (".mid.attn_1.", ".mid.1."),
    (".mid.block_2.", ".mid.2."),
    (".down.", ".conv_blocks."),
    (".up.", ".conv_blocks."),
    (".block.", ".res."),
    ("model.vqmodel.", "gen_vision_model."),
)


def multi_modality(c: Config) -> Iterator[Part]:
    """Janus in the form of its makers, whose configs name the towers: SigLIP with its pooling, which nothing reads.

    The autoencoder also keeps a record of 65,536 codes that it used.

    Source: janus/models of deepseek-ai/Janus.  Implied: the sizes of both towers.
    Checked: deepseek-ai/Janus-1.3B stored 2,089,297,547, Hub 2,089,297,547, residual 0.
    """
    text, seen, drawn = (
        text_config(c),
        *(c.sub(f"{k}_config").sub("params") for k in ("vision", "gen_vision")),
    )
    name = seen.get("model_name")
    if name not in SIGLIP:
        raise seen.error("model_name", name, f"is not described; {', '.join(SIGLIP)} is")
    keys = ("image_size", "patch_size", "hidden_size", "num_hidden_layers", "num_attention_heads")
    sizes = dict(zip(keys, SIGLIP[name], strict=True))
    yield from timm_siglip(
        seen.flat("siglip_vision_model").layer(
            "model_name", {**sizes, "intermediate_size": sizes["hidden_size"] * 4}
        ),
        "vision_model.vision_tower.",
    )
    yield from _sequential(c.sub("aligner_config").sub("params"), "aligner.")
    codes = drawn.flat("janus_vqgan").layer(
        "gen_vision_config", {"num_embeddings": int(drawn.image_token_size)}
    )
    for t in vq_gan(codes, "model.vqmodel."):
        name = t.name
        for ours, theirs in NAMES:
            name = name.replace(ours, theirs)
        yield t.known_as(name, t.tied_to, t.dtype)
    yield TensorSpec("gen_vision_model.quantize.codebook_used", (65_536,), "vision", "buffer", implied=True)
    yield table("gen_embed.weight", drawn.image_token_size, drawn.n_embed)
    yield from _sequential(c.sub("gen_aligner_config").sub("params"), "gen_aligner.")
    head = c.sub("gen_head_config").sub("params")
    yield from maps(
        ("gen_head.output_mlp_projector", head.image_token_embed, head.n_embed),
        ("gen_head.vision_head", head.image_token_size, head.image_token_embed),
        role="vision",
    )
    yield from text_model(text, "language_model.model.", "language_model.")


def _sequential(p: Config, at: str) -> Iterator[Part]:
    """``depth`` maps with an activation after each but the last."""
    if p.get("projector_type") != "mlp_gelu":
        raise p.error("projector_type", p.get("projector_type"), "is not described; mlp_gelu is")
    for i in range(p.depth):
        yield from maps((f"{at}layers.{2 * i}", p.n_embed, p.n_embed if i else p.input_dim))


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
