"""MiniCPM-V, in the form of its makers and in that of transformers."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.heads import stem
from .blocks.seeing import siglip
from .blocks.towers import maps, norm, table
from .nested import text_config, text_model

ATTENTION = ("q_proj", "k_proj", "v_proj", "out_proj")

#: the text model that a version of the code builds; the config does not name it
TEXT = {"2.6": "qwen2", "4.0": "llama", "4.5": "qwen3"}

#: the tower of llama3v, whose config does not hold one
SIGLIP_400M = {
    "hidden_size": 1152,
    "image_size": 980,
    "intermediate_size": 4304,
    "num_attention_heads": 16,
    "num_channels": 3,
    "num_hidden_layers": 27,
    "patch_size": 14,
}


def minicpmv(c: Config) -> Iterator[Part]:
    """MiniCPM-V 2.6 to 4.5: SigLIP without its head, learned queries that read it, and a text model by ``version``.

    Source: modeling_minicpmv and resampler of openbmb/MiniCPM-V-2_6 and 4; names and shapes, from the files.
    Implied: the resampler's maps.
    Checked: openbmb/MiniCPM-V-2_6 stored 8,099,175,152, openbmb/MiniCPM-V-4 4,059,533,040, Hub the same, residual 0.
    """
    version = str(c.get("version"))
    if version not in TEXT:
        raise c.error(
            "version", c.get("version"), f"must be one of {', '.join(TEXT)}: it decides the text model"
        )
    text = c.flat(TEXT[version])
    vision = c.sub("vision_config", "siglip_vision_model").flat("siglip_vision_model")
    if c.get("drop_vision_last_layer"):
        raise c.error("drop_vision_last_layer", True, "is not described")
    yield from siglip(vision, "vpm.", head=False)
    yield from _resampler("resampler.", text.hidden_size, vision.hidden_size, c.query_num)
    yield from text_model(text, "llm.model.", "llm.")


def llama3v(c: Config) -> Iterator[Part]:
    """llama3v: the tower and the queries of MiniCPM-V under other names, before Llama 3.

    Source: names and total of the Hub files.  Implied: the tower, which is SigLIP-400M for a grid of 70 patches.
    Checked: mustafaaljadery/llama3v stored 8,537,092,336; its index says 34,148,369,344 bytes, four for each.
    """
    vision = c.flat("siglip_vision_model").layer("vision", SIGLIP_400M)
    yield from siglip(vision, "vison.", head=False)
    yield from _resampler("projection.", c.hidden_size, vision.hidden_size, c.query_num)
    yield from text_model(c.flat("llama"), "llm.model.", "llm.")


def minicpmv4_6(c: Config) -> Iterator[Part]:
    """MiniCPM-V 4.6 in the form of transformers: SigLIP without its head, which merges windows of patches on the way.

    Source: modeling_minicpmv4_6 in transformers 5.24.  Implied: both mergers.
    Checked: openbmb/MiniCPM-V-4_6-AWQ stored 1,300,428,016, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    hidden = vision.hidden_size
    yield from siglip(vision, f"{at}vision_tower.", head=False)
    yield from _windows(vision, f"{at}vision_tower.vit_merger.")
    merged, times = hidden * 4, int(c.merger_times)  # whatever merge_kernel_size says
    for i in range(times):
        out = text.hidden_size if i == times - 1 else hidden
        mlp = f"{at}merger.mlp.{i}."
        yield from norm(f"{mlp}pre_norm", merged, role="projector")
        yield from maps((f"{mlp}linear_1", merged, merged), (f"{mlp}linear_2", out, merged))
    yield from text_model(text, f"{at}language_model.")


def _windows(v: Config, at: str) -> Iterator[TensorSpec]:
    """Attention within windows of patches, then each window through two maps into one patch."""
    hidden = v.hidden_size
    high, wide = v.counts_of("window_kernel_size", 2)
    seen = hidden * high * wide
    yield from maps(*((f"{at}self_attn.{n}", hidden, hidden) for n in ATTENTION), role="vision")
    yield from norm(f"{at}layer_norm1", hidden)
    yield from norm(f"{at}pre_norm", seen)
    wide_in = v.intermediate_size * high * wide
    yield from maps((f"{at}linear_1", wide_in, seen), (f"{at}linear_2", hidden, wide_in), role="vision")


def _resampler(at: str, hidden: int, seen: int, queries: int) -> Iterator[TensorSpec]:
    """Learned queries attend once to all patches; what comes out goes through one matrix."""
    yield table(f"{at}query", queries, hidden, role="projector")
    yield table(f"{at}proj", hidden, hidden, role="projector")
    if seen != hidden:
        yield from linear(f"{at}kv_proj", hidden, seen, role="projector")
    yield table(f"{at}attn.in_proj_weight", 3 * hidden, hidden, role="projector")
    yield TensorSpec(f"{at}attn.in_proj_bias", (3 * hidden,), "projector", "bias")
    yield from linear(f"{at}attn.out_proj", hidden, hidden, role="projector", bias=True)
    for name in ("ln_q", "ln_kv", "ln_post"):
        yield from norm(f"{at}{name}", hidden, role="projector")
