"""Idefics 2 and 3, and SmolVLM."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, linear
from .blocks.base import place
from .blocks.heads import stem
from .blocks.seeing import GATED, siglip
from .blocks.towers import layers, norm, table
from .nested import text_config, text_model


def idefics3(c: Config) -> Iterator[Part]:
    """Idefics3 and SmolVLM: SigLIP without its head, patches shuffled into channels, one map.

    Source: modeling_idefics3 and modeling_smolvlm in transformers 5.24.
    Checked: the class's defaults, 6,909,685,760.
    """
    at, text, vision = stem(c, "model"), text_config(c), c.sub("vision_config")
    yield from siglip(vision, f"{at}vision_model.", head=False)
    seen = vision.hidden_size * c.scale_factor * c.scale_factor
    yield from linear(f"{at}connector.modality_projection.proj", text.hidden_size, seen, role="projector")
    yield from text_model(text, f"{at}text_model.")


def idefics2(c: Config) -> Iterator[Part]:
    """Idefics2: SigLIP without its head, a gated map, and learned queries that read all patches of an image.

    Source: modeling_idefics2 in transformers 5.24.  Checked: the class's defaults, 8,061,394,944.
    """
    at, text, vision, reader = (
        stem(c, "model"),
        text_config(c),
        c.sub("vision_config"),
        c.sub("perceiver_config"),
    )
    yield from siglip(vision, f"{at}vision_model.", head=False)
    gated = [f"{at}connector.modality_projection.{n}" for n in GATED]
    for name in gated[:2]:
        yield from linear(name, text.intermediate_size, vision.hidden_size, role="projector")
    yield from linear(gated[2], text.hidden_size, text.intermediate_size, role="projector")
    yield from _resampler(reader, f"{at}connector.perceiver_resampler.")
    yield from text_model(text, f"{at}text_model.")


def _resampler(r: Config, at: str) -> Iterator[Part]:
    """Layers in which a few learned vectors attend to what was seen."""
    hidden, dim = r.hidden_size, r.resampler_head_dim
    queries, keys = r.resampler_n_heads * dim, r.num_key_value_heads * dim
    one = [
        *norm("input_latents_norm", hidden, role="projector", bias=False),
        *norm("input_context_norm", hidden, role="projector", bias=False),
        *linear("self_attn.q_proj", queries, hidden, role="projector"),
        *linear("self_attn.k_proj", keys, hidden, role="projector"),
        *linear("self_attn.v_proj", keys, hidden, role="projector"),
        *linear("self_attn.o_proj", hidden, queries, role="projector"),
        *norm("post_attention_layernorm", hidden, role="projector", bias=False),
        *linear("mlp.gate_proj", hidden * 4, hidden, role="projector"),
        *linear("mlp.up_proj", hidden * 4, hidden, role="projector"),
        *linear("mlp.down_proj", hidden, hidden * 4, role="projector"),
    ]
    yield table(f"{at}latents", r.resampler_n_latents, hidden, role="projector")
    yield from layers(one, f"{at}layers.", r.resampler_depth)
    yield from place(norm("norm", hidden, role="projector", bias=False), at)
