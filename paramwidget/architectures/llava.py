"""LLaVA, and the models built like it: any tower, a projector, any text model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..config import Config
from .blocks import Part, linear
from .blocks.heads import stem
from .blocks.seeing import internvit, radio, siglip, tower
from .blocks.seeing_qwen import qwen2_5_vision
from .blocks.towers import features, fraction, maps, norm, table, two_layers
from .nested import text_config, text_model


def llava(c: Config) -> Iterator[Part]:
    """LLaVA 1.5 and what keeps its form: a tower, two maps, a text model.

    Files of its makers (``LlavaLlamaForCausalLM``) keep the text's config at the top level, have other names, and
    name the tower by its repository only: the one of the class is taken, CLIP ViT-L/14 at 336 pixels. It was not
    trained and is not in their files.

    Source: modeling_llava in transformers 5.24; llava_arch of haotian-liu/LLaVA.
    Checked: llava-hf/llava-1.5-7b-hf stored 7,063,427,072, residual 0.
    """
    if c.architecture.startswith("LlavaLlama"):
        yield from _original(c)
        return
    yield from _seen(c, c.flag("multimodal_projector_bias"))
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def _original(c: Config) -> Iterator[Part]:
    vision, kind = c.sub("vision_config"), c.get("mm_projector_type")
    if c.get("mm_hidden_size") != int(vision.hidden_size):
        raise c.error(
            "mm_hidden_size", c.get("mm_hidden_size"), "is not the width of the tower that is described"
        )
    if kind != "mlp2x_gelu":
        raise c.error("mm_projector_type", kind, "is not described; mlp2x_gelu is")
    yield from tower(vision, "model.vision_tower.vision_tower.")
    yield from two_layers("model.mm_projector.", vision.hidden_size, c.hidden_size, names=("0", "2"))
    yield from text_model(c.flat("llama"), "model.")


def llava_next(c: Config) -> Iterator[Part]:
    """LLaVA-NeXT and OneVision: a vector between the rows of an image.

    Source: modeling_llava_next and modeling_llava_onevision in transformers 5.24.  Implied: image_newline.
    Checked: the class's defaults, 7,062,906,880 and 12,469,102,112.
    """
    yield table("image_newline", text_config(c).hidden_size, role="projector")
    yield from llava(c)


def video_llava(c: Config) -> Iterator[Part]:
    """Video-LLaVA: two towers of the same config, one for images and one for videos, before one projector.

    Source: modeling_video_llava in transformers 5.24.  Checked: the class's defaults, 7,365,754,880.
    """
    yield from _seen(c, c.flag("multimodal_projector_bias"), towers=("image_tower.", "video_tower."))
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def vipllava(c: Config) -> Iterator[Part]:
    """ViP-LLaVA: five layers of the tower side by side, normed before the projector.

    Source: modeling_vipllava in transformers 5.24.  Implied: projector biases.
    Checked: the class's defaults, 7,079,690,240.
    """
    seen = c.sub("vision_config").hidden_size * features(c)
    yield from norm("multi_modal_projector.projector_layernorm", seen, role="projector")
    yield from _seen(c, True, seen=seen)
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def mistral3(c: Config) -> Iterator[Part]:
    """Mistral Small 3.1 and later: Pixtral's tower, neighbouring patches merged before the projector.

    Source: modeling_mistral3 in transformers 5.24.  Implied: the merger.
    Checked: mistralai/Devstral-Small-2-24B-Instruct-2512 stored 24,011,361,280, residual 0.
    """
    yield from pixtral_before(c, "vision_tower.", "multi_modal_projector.")
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def pixtral_before(c: Config, tower_at: str, at: str) -> Iterator[Part]:
    """A tower whose neighbouring patches are normed and merged before the two maps of the projector."""
    vision = c.sub("vision_config")
    hidden, merge, bias = vision.hidden_size, c.spatial_merge_size, c.flag("multimodal_projector_bias")
    yield from tower(vision, tower_at)
    yield from norm(f"{at}norm", hidden, role="projector", bias=False)
    yield from linear(
        f"{at}patch_merger.merging_layer", hidden, hidden * merge * merge, role="projector", implied=True
    )
    yield from two_layers(at, hidden * features(c), text_config(c).hidden_size, bias=bias)


def lighton_ocr(c: Config) -> Iterator[Part]:
    """LightOnOCR: Pixtral's tower as in Mistral Small 3.1, before Qwen3.

    Source: modeling_lighton_ocr in transformers 5.24.  Implied: the merger.
    Checked: the class's defaults, 1,005,647,872, residual 0.
    """
    at = stem(c, "model")
    yield from pixtral_before(c, f"{at}vision_encoder.", f"{at}vision_projection.")
    yield from text_model(text_config(c), f"{at}language_model.")


def paddleocr_vl(c: Config) -> Iterator[Part]:
    """PaddleOCR-VL: SigLIP without its head, patches joined behind a norm, ERNIE-4.5.

    Source: modeling_paddleocr_vl in transformers 5.24.  Implied: the projector and its biases.
    Checked: the class's defaults, 799,695,472, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    hidden, merge, projector = vision.hidden_size, vision.spatial_merge_size, f"{at}projector."
    yield from siglip(vision, f"{at}visual.vision_model.", head=False)
    yield from norm(f"{projector}pre_norm", hidden, role="projector")
    merged = hidden * merge * merge
    yield from maps(
        (f"{projector}linear_1", merged, merged), (f"{projector}linear_2", text.hidden_size, merged)
    )
    yield from text_model(text, f"{at}language_model.")


def video_llama_3(c: Config) -> Iterator[Part]:
    """VideoLLaMA 3: SigLIP without positions and head, two maps, Qwen2.

    Source: modeling_video_llama_3 in transformers 5.24.  Implied: biases of the projector.
    Checked: the class's defaults, 12,155,424,000, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    yield from siglip(vision, f"{at}vision_model.", head=False, positions=False)
    yield from two_layers(f"{at}projector.readout.", vision.hidden_size, text.hidden_size, names=("0", "2"))
    yield from text_model(text, f"{at}language_model.")


def internvl(c: Config) -> Iterator[Part]:
    """InternVL in the form of transformers: InternViT, patches shuffled into channels, a normed projector.

    Source: modeling_internvl in transformers 5.24.  Implied: biases of the projector.
    Checked: the class's defaults, 11,765,025,792.
    """
    down = fraction(c, "downsample_ratio")
    merge = down.denominator // down.numerator
    seen = c.sub("vision_config").hidden_size * merge * merge
    yield from norm("multi_modal_projector.layer_norm", seen, role="projector")
    yield from _seen(c, True, seen=seen)
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def paligemma(c: Config) -> Iterator[Part]:
    """PaliGemma: SigLIP, one map, Gemma.

    Source: modeling_paligemma in transformers 5.24.  Checked: the class's defaults, 2,910,390,528.
    """
    vision = c.sub("vision_config")
    yield from tower(vision, "vision_tower.")
    yield from maps(("multi_modal_projector.linear", c.projection_dim, vision.hidden_size))
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def gemma3(c: Config) -> Iterator[Part]:
    """Gemma 3 with its tower: SigLIP, a norm and one matrix that is no linear map.

    Source: modeling_gemma3 in transformers 5.24.
    Checked: google/gemma-3-4b-it stored 4,300,079,472, Hub 4,300,079,472, residual 0.
    """
    vision, text = c.sub("vision_config"), text_config(c)
    yield from tower(vision, "vision_tower.")
    at = "multi_modal_projector."
    yield table(f"{at}mm_input_projection_weight", vision.hidden_size, text.hidden_size, role="projector")
    yield from norm(f"{at}mm_soft_emb_norm", vision.hidden_size, role="projector", bias=False)
    yield from text_model(text, "language_model.model.", "language_model.")


def aya_vision(c: Config) -> Iterator[Part]:
    """Aya Vision: patches joined, normed, and a gated projector whose first half gates the second.

    Source: modeling_aya_vision in transformers 5.24.
    """
    vision = c.sub("vision_config")
    seen = vision.hidden_size * c.downsample_factor * c.downsample_factor
    yield from norm("multi_modal_projector.layernorm", seen, role="projector")
    yield from tower(vision, "vision_tower.")
    yield from _gated(c, "multi_modal_projector.", seen)
    yield from text_model(text_config(c), "language_model.model.", "language_model.")


def cohere2_vision(c: Config) -> Iterator[Part]:
    """Command A Vision: Aya Vision without the norm, under other names.

    Source: modeling_cohere2_vision in transformers 5.24.  Checked: the class's defaults, 35,651,000,064.
    """
    vision, at = c.sub("vision_config"), stem(c, "model")
    seen = vision.hidden_size * c.downsample_factor * c.downsample_factor
    yield from tower(vision, f"{at}vision_tower.")
    yield from _gated(c, f"{at}multi_modal_projector.", seen)
    yield from text_model(text_config(c), f"{at}language_model.")


def lfm2_vl(c: Config) -> Iterator[Part]:
    """LFM2-VL: SigLIP 2 for images of any shape, patches joined, two maps of a width of their own.

    Source: modeling_lfm2_vl in transformers 5.24.  Checked: the class's defaults, 2,812,857,088.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    seen = vision.hidden_size * c.downsample_factor * c.downsample_factor
    wide, projector = c.projector_hidden_size, f"{at}multi_modal_projector."
    yield from tower(vision, f"{at}vision_tower.", inside="")
    if c.flag("projector_use_layernorm"):
        yield from norm(f"{projector}layer_norm", seen, role="projector")
    yield from maps(
        (f"{projector}linear_1", wide, seen),
        (f"{projector}linear_2", text.hidden_size, wide),
        bias=c.flag("projector_bias"),
    )
    yield from text_model(text, f"{at}language_model.")


def hyperclovax_vision(c: Config) -> Iterator[Part]:
    """HyperCLOVA X Vision 2: Qwen2.5-VL's tower, one map, HyperCLOVA X.

    Source: modeling_hyperclovax_vision_v2 in transformers 5.24.
    Checked: the class's defaults, 9,705,315,072, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config", "qwen2_5_vl_vision"), text_config(c)
    yield from qwen2_5_vision(vision, f"{at}vision_model.")
    yield from maps((f"{at}projector", text.hidden_size, vision.out_hidden_size))
    yield from text_model(text, f"{at}language_model.")


def qianfan_ocr(c: Config) -> Iterator[Part]:
    """Qianfan-OCR: InternVL under the names of later classes, with Qwen3.

    Source: modeling_qianfan_ocr in transformers 5.24.  Implied: biases of the projector.
    Checked: the class's defaults, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    down = fraction(c, "downsample_ratio")
    merge = down.denominator // down.numerator
    seen, projector = vision.hidden_size * merge * merge, f"{at}multi_modal_projector."
    yield from internvit(vision, f"{at}vision_tower.", layer_at="layers.")
    yield from norm(f"{projector}layer_norm", seen, role="projector")
    yield from two_layers(projector, seen, text.hidden_size)
    yield from text_model(text, f"{at}language_model.")


def nemotron_h_omni(c: Config) -> Iterator[Part]:
    """Nemotron 3 Nano Omni without its ears: RADIO, patches shuffled into channels, two maps, Nemotron-H.

    Source: modeling_nemotron_h_omni and modeling_radio in transformers 5.24.
    Implied: a norm where there are MTP layers.
    Checked: the class's defaults, 2,659,803,008 and 10 buffers, residual 0.
    """
    if c.data.get("audio_config") is not None:
        raise c.error("audio_config", "{...}", "asks for a tower that is not described; null does not")
    vision, text = c.sub("vision_config"), text_config(c)
    down, seen, wide = fraction(c, "downsample_ratio"), c.vision_hidden_size, c.projector_hidden_size
    merge, at = down.denominator // down.numerator, "multi_modal_projector."
    yield from radio(vision, "vision_model.")
    if text.natural("num_nextn_predict_layers"):
        yield from norm("vision_final_layernorm", seen)
    yield from norm(f"{at}layer_norm", seen * merge * merge, role="projector", bias=False)
    yield from maps(
        (f"{at}linear_1", wide, seen * merge * merge), (f"{at}linear_2", text.hidden_size, wide), bias=False
    )
    yield from text_model(text, "language_model.model.", "language_model.")


def _seen(
    c: Config, bias: bool, *, seen: int | None = None, towers: Sequence[str] = ("vision_tower.",)
) -> Iterator[Part]:
    """The tower and the two maps behind it."""
    vision = c.sub("vision_config")
    for at in towers:
        yield from tower(vision, at)
    seen = vision.hidden_size * features(c) if seen is None else seen
    yield from two_layers("multi_modal_projector.", seen, text_config(c).hidden_size, bias=bias)


def _gated(c: Config, at: str, seen: int) -> Iterator[Part]:
    """A projector whose first map makes a gate and what it gates."""
    text = text_config(c).hidden_size
    width = c.alignment_intermediate_size if c.has("alignment_intermediate_size") else text
    yield from maps((f"{at}linear_1", width, seen), (f"{at}linear_2", text, width // 2))
