"""Mistral 4: latent attention and many experts; Mistral Large 4, which chooses its keys and sees."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, dense_or_moe, mla, moe_from, vector
from .blocks.base import layer_norm
from .blocks.heads import stem
from .deepseek import deepseek_experts, indexed
from .glm_moe import indexer_types
from .llava import pixtral_before
from .nested import text_config, text_model


def mistral4(c: Config) -> Iterator[Part]:
    """Mistral 4: DeepSeek-V2's form, experts in every layer but the first ``first_k_dense_replace``.

    Source: modeling_mistral4 in transformers 5.24.  Implied: router.
    Checked: the class's defaults, residual 0.
    """
    moe = deepseek_experts(c, correction=False)
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    yield from decoder(c, attention=mla(c, bias=c.flag("attention_bias")), mlp=dense_or_moe(c, layers, moe))


def mistral_large4(c: Config) -> Iterator[Part]:
    """Mistral Large 4: Pixtral's tower before the text model, as in Mistral Small 3.1.

    Source: modeling_mistral_large4 in transformers 5.24.
    Checked: the class's defaults, 1,051,822,421,536, residual 0.
    """
    at = stem(c, "model")
    yield from pixtral_before(c, f"{at}vision_tower.", f"{at}multi_modal_projector.")
    yield from text_model(text_config(c), f"{at}language_model.")


def mistral_large4_text(c: Config) -> Iterator[Part]:
    """Its text model: an indexer in each layer, layers without rotary positions, caches that layers may share.

    Source: modeling_mistral_large4 in transformers 5.24.
    Implied: router, the indexer's norms, what scales the scores by position, the learned rates of rotation.
    """
    n, rope = int(c.num_hidden_layers), c.natural("qk_rope_head_dim")
    every = c.get("no_rope_layer_interval", 4)
    rotates = (
        c.list_of("no_rope_layers", n) if c.has("no_rope_layers") else [(i + 1) % every for i in range(n)]
    )
    sources = c.per_layer("kv_source_layers", n, least=0) if c.has("kv_source_layers") else list(range(n))
    made: dict[tuple[bool, bool, int | None], Block] = {}
    blocks = []
    for i, kind in enumerate(indexer_types(c)):
        key = (bool(rotates[i]), kind == "full", None if sources[i] == i else int(sources[i]))
        if key not in made:
            made[key] = _attention(c, *key)
        blocks.append(made[key])
    yield TensorSpec(f"{stem(c, 'model')}rotary_emb.alpha", (rope // 2,), "position", implied=True)
    moe = deepseek_experts(c, correction=False)
    layers = moe_from(c, int(c.natural("first_k_dense_replace")))
    yield from decoder(c, attention=blocks, mlp=dense_or_moe(c, layers, moe))


def _attention(c: Config, rotates: bool, indexer: bool, source: int | None) -> Block:
    """One layer; one that reads another layer's cache has no map into it."""
    nope, rope = c.natural("qk_nope_head_dim"), c.natural("qk_rope_head_dim")
    sizes = (
        c if rotates else c.layer("no_rope_layers", {"qk_nope_head_dim": nope + rope, "qk_rope_head_dim": 0})
    )
    block = mla(sizes, bias=c.flag("attention_bias")).plus(*_by_position("self_attn", c.num_attention_heads))
    if source is not None:
        kept = tuple(t for t in block.tensors if ".kv_a_" not in t.name)
        block = Block(kept, {**block.facts, "shares_kv_with": source})
    if not indexer:
        return block
    at = "self_attn.indexer"
    norm = layer_norm(c, role="attention")(f"{at}.q_input_norm")
    return indexed(c, block, read=c.hidden_size).plus(*norm, *_by_position(at, c.index_n_heads))


def _by_position(at: str, heads: int) -> tuple[TensorSpec, ...]:
    """How a head's scores are scaled, by the logarithm of the position."""
    name = f"{at}.softmax_scaling"
    return (
        vector(f"{name}.scale", heads, role="attention", implied=True),
        vector(f"{name}.bias", heads, role="attention", kind="bias", implied=True),
    )
