"""Aria."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, experts, gqa, linear, shared_expert
from .blocks.heads import stem
from .blocks.seeing import idefics
from .blocks.towers import norm, table
from .nested import text_config, text_model


def aria(c: Config) -> Iterator[Part]:
    """Aria: Idefics's tower, learned queries that read it, a mixture of experts.

    Source: modeling_aria in transformers 5.24.  Implied: the reader and its biases.
    Checked: the class's defaults, 18,701,885,824, residual 0.
    """
    at, vision, text = stem(c, "model"), c.sub("vision_config"), text_config(c)
    hidden, out, projector = vision.hidden_size, text.hidden_size, f"{at}multi_modal_projector."
    given = c.get("projector_patch_to_query_dict") or {"1225": 128, "4900": 256}
    if not isinstance(given, dict) or not all(type(n) is int and n > 0 for n in given.values()):
        raise c.error(
            "projector_patch_to_query_dict", given, "must map a number of patches to a number of queries"
        )
    yield from idefics(vision, f"{at}vision_tower.")
    most = "max_value_projector_patch_to_query_dict"
    queries = getattr(c, most) if c.has(most) else max(given.values())
    yield table(f"{projector}query", queries, hidden, role="projector")
    cross = f"{projector}cross_attn."
    for name in ("q_proj", "k_proj", "v_proj"):
        yield from linear(f"{cross}{name}", hidden, hidden, role="projector")
    yield table(f"{cross}multihead_attn.in_proj_weight", 3 * hidden, hidden, role="projector")
    yield TensorSpec(f"{cross}multihead_attn.in_proj_bias", (3 * hidden,), "projector", "bias")
    for name in ("multihead_attn.out_proj", "linear"):
        yield from linear(f"{cross}{name}", hidden, hidden, role="projector", bias=True)
    for name in ("cross_attn.layer_norm", "cross_attn.layer_norm_kv", "layer_norm"):
        yield from norm(f"{projector}{name}", hidden, role="projector")
    yield from linear(f"{projector}feed_forward.linear_in", out, hidden, role="projector")
    yield from linear(f"{projector}feed_forward.linear_out", out, out, role="projector")
    yield from text_model(text, f"{at}language_model.")


def aria_text(c: Config) -> Iterator[Part]:
    """Its text model: experts of Llama's width in every layer, and shared ones that are one MLP.

    Source: modeling_aria in transformers 5.24.  Implied: router.
    Checked: the class's defaults, 18,517,069,824, residual 0.
    """
    width, bias = c.intermediate_size, c.flag("mlp_bias")
    moe = experts(
        c,
        count=c.moe_num_experts,
        width=width,
        top_k=c.moe_topk,
        router="router",
        stacked=True,
        transposed=True,
        shared=shared_expert(c, width * c.moe_num_shared_experts, path="mlp.shared_experts", bias=bias),
    )
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=moe)
