"""Idefics 1 to 3, SmolVLM and Granite Docling."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Part, decoder, gated_mlp, gqa, linear, normed, rms_norm, vector
from .blocks.base import place
from .blocks.heads import stem
from .blocks.seeing import clip, siglip
from .blocks.towers import GATED, layers, maps, norm, table, two_layers
from .nested import text_config, text_model


def idefics(c: Config) -> Iterator[Part]:
    """Idefics 1: Llama with layers between that attend to the image, gated from nothing; learned queries before them.

    The rows for words that Llama does not have are tables of their own, beside both tables.

    Source: modeling_idefics in transformers 5.24.  Implied: the gates.
    Checked: the class's defaults, 12,670,461,504.
    """
    at, vision, hidden = stem(c, "model"), c.sub("vision_config"), c.hidden_size
    seen = vision.embed_dim
    yield from clip(vision.layer("vision_config", {"hidden_size": int(seen)}), f"{at}vision_model.")
    if c.flag("use_resampler"):
        yield from _first_resampler(c.sub("perceiver_config"), f"{at}perceiver_resampler.", seen)
    heads_normed = "qk" if c.flag("qk_layer_norms") else ""
    gate = (1, 1, hidden) if c.get("alpha_type") == "vector" else (1,)
    one = [
        *gqa(c, path="cross_attn", kv_inn=seen).tensors,
        *(vector(f"cross_attn.{n}_layer_norm.weight", c.head_dim, role="attention") for n in heads_normed),
        *gated_mlp(c).tensors,
        *normed(rms_norm(c), "input_layernorm", "post_attention_layernorm").tensors,
        *(TensorSpec(f"alpha_{name}", gate, "attention", implied=True) for name in ("cross_attn", "dense")),
    ]
    yield from decoder(c, attention=gqa(c), mlp=gated_mlp(c))
    crossed = range(c.num_hidden_layers // c.cross_layer_interval)
    yield from place(one, f"{at}gated_cross_attn_layers.{{layer}}.", crossed)
    if more := c.natural("additional_vocab_size"):
        name, tied = f"{at}embed_tokens.additional_embedding.weight", c.flag("tie_word_embeddings")
        yield TensorSpec(name, (more, hidden), "embedding")
        if c.head == "causal":
            head = "lm_head.additional_fc.weight"
            yield TensorSpec(head, (more, hidden), "lm_head", tied_to=name if tied else None)


def _first_resampler(r: Config, at: str, hidden: int) -> Iterator[Part]:
    """A few learned vectors attend to what was seen, in blocks of attention and a plain feed-forward."""
    inner, dim = r.resampler_n_heads * r.resampler_head_dim, r.resampler_head_dim
    one = [
        *norm("0.context_layer_norm", hidden, role="projector"),
        *norm("0.latents_layer_norm", hidden, role="projector"),
        *(t for n in "qkv" for t in linear(f"0.{n}_proj", inner, hidden, role="projector")),
        *linear("0.output_proj", hidden, inner, role="projector"),
        *norm("1.ln", hidden, role="projector"),
        *linear("1.fc", hidden * 4, hidden, role="projector"),
        *linear("1.c_proj", hidden, hidden * 4, role="projector"),
    ]
    if r.flag("qk_layer_norms_perceiver"):
        one += [t for n in "qk" for t in norm(f"0.{n}_layer_norm", dim, role="projector")]
    yield table(f"{at}latents", r.resampler_n_latents, hidden, role="projector")
    yield from layers(one, f"{at}blocks.", r.resampler_depth)
    yield from place(norm("layer_norm", hidden, role="projector"), at)


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
    yield from _resampler(reader, text.hidden_size, f"{at}connector.perceiver_resampler.")
    yield from text_model(text, f"{at}text_model.")


def _resampler(r: Config, hidden: Dim, at: str) -> Iterator[Part]:
    """Layers in which a few learned vectors, as wide as the text, attend to what was seen."""
    dim = r.resampler_head_dim
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


def granite_docling(c: Config) -> Iterator[Part]:
    """Granite Docling: SigLIP without its head, patches joined on a coarse and a fine path, Granite.

    Each path has a map, and a merger for each layer in ``deepstack_visual_indexes``; a router may choose the path.

    Source: modeling_granite_docling in transformers 5.24.  Implied: the norms of the connector, biases of the mergers.
    Checked: the class's defaults, 543,428,352, residual 0.
    """
    at, v = stem(c, "model"), c.sub("vision_config")
    hidden, out, scale = v.hidden_size, v.out_hidden_size, v.scale_factor
    between, deep = f"{at}vision_model.connector.", len(v.get("deepstack_visual_indexes", (3, 7, 10)))
    yield from siglip(v, f"{at}vision_model.", head=False)
    for path, side in (("coarse", scale), ("fine", scale // 2 if v.flag("use_fine_route") else None)):
        if side is not None:
            merged = hidden * side * side
            merger = [*norm("layer_norm", merged, role="projector"), *two_layers("", merged, out)]
            yield from maps((f"{between}{path}.projection", out, merged), bias=False)
            yield from layers(merger, f"{between}{path}.deepstack_mergers.", deep)
    yield from maps((f"{between}mlp_fc2", out, out), bias=False)
    for name, width in (("ln_in", hidden), ("ln_mid", out), ("ln_out", out)):
        yield from norm(f"{between}{name}", width, role="projector")
    if c.has("density_router_hidden_size"):
        router, one = f"{at}density_router.", Dim.field("one score", 1)
        wide = c.density_router_hidden_size
        yield from norm(f"{router}norm", hidden, role="projector")
        yield from maps(
            (f"{router}att", one, hidden), (f"{router}fc1", wide, hidden), (f"{router}fc2", one, wide)
        )
    yield from text_model(text_config(c), f"{at}text_model.")
