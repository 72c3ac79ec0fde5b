"""MiniCPM-V in the form of its makers."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, linear
from .blocks.seeing import siglip
from .blocks.towers import norm, table
from .nested import text_model

#: the text model that a version of the code builds; the config does not name it
TEXT = {"2.6": "qwen2", "4.0": "llama", "4.5": "qwen3"}


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
