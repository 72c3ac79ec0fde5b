"""CogVLM: EVA-CLIP before Llama."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, gated_mlp, gqa, linear, vector
from .blocks.seeing import eva_clip
from .blocks.towers import conv, norm, table


def cogvlm_video(c: Config) -> Iterator[Part]:
    """CogVLM2 for videos: Llama 3 with q, k and v in one matrix and no visual experts, which CogVLM2 for images has.

    Each layer stores the frequencies of its rotary positions.

    Source: names, shapes, tensors and bytes of the files of THUDM/cogvlm2-llama3-caption; modeling_cogvlm and visual of
    CogVLM2.  Implied: frequencies, the adapter.
    Checked: THUDM/cogvlm2-llama3-caption, 1,029 tensors as its files list; their bytes leave 130 a tensor for headers.
    """
    attention = gqa(
        c,
        kv_heads=c.num_multi_query_heads,
        head_dim=c.divide("hidden_size", "num_attention_heads"),
        fused="language_expert_query_key_value",
        out="language_expert_dense",
    )
    frequencies = c.divide("hidden_size", "num_attention_heads") // 2
    name = "self_attn.rotary_emb.inv_freq"
    attention = attention.plus(vector(name, frequencies, role="other", kind="buffer", implied=True))
    yield from decoder(c, attention=attention, mlp=gated_mlp(c, path="mlp.language_mlp"))
    at, vision = "model.vision.", c.sub("vision_config")
    yield from eva_clip(vision, at)
    yield from _adapter(at, vision.hidden_size, c.hidden_size, c.intermediate_size)


def _adapter(at: str, seen: int, hidden: int, width: int) -> Iterator[TensorSpec]:
    """Four patches into one, then to the width of the text and through a gated MLP, between two learned vectors."""
    role, glu = "projector", f"{at}linear_proj."
    yield from conv(f"{at}conv", seen, seen, (2, 2), role=role)
    yield from linear(f"{glu}linear_proj", hidden, seen, role=role)
    yield from norm(f"{glu}norm1", hidden, role=role)
    yield from linear(f"{glu}gate_proj", width, hidden, role=role)
    yield from linear(f"{glu}dense_h_to_4h", width, hidden, role=role)
    yield from linear(f"{glu}dense_4h_to_h", hidden, width, role=role)
    for name in ("boi", "eoi"):
        yield table(f"{at}{name}", 1, 1, hidden, role=role)
