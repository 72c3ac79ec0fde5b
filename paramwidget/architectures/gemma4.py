"""Gemma 4: layers that read the cache of an earlier one, and an embedding table for each layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, experts, full_every, gated_mlp, gqa, linear, vector
from .blocks.gemma_towers import embedder, gemma4_audio, gemma4_vision
from .blocks.heads import stem
from .blocks.towers import norm, table
from .gemma import READ, WRITTEN
from .nested import text_config, text_model

KINDS = ("full_attention", "sliding_attention")


def gemma4(c: Config) -> Iterator[Part]:
    """Gemma 4 with the towers that its config has: a null stands for none.

    Source: modeling_gemma4 in transformers 5.24.  Implied: one scalar a layer, the bounds of clipped maps.
    Checked: google/gemma-4-31B-it without its vision keys, nvidia/Gemma-4-31B-IT-NVFP4 stored 31,273,086,512 and
    2,364 buffers; google/gemma-4-E2B-it stored 5,104,297,504, 963 buffers and 18,880,512 unread.
    """
    at, text = stem(c, "model"), text_config(c)
    for key, tower, role in (
        ("vision_config", gemma4_vision, "vision"),
        ("audio_config", gemma4_audio, "audio"),
    ):
        if c.data.get(key) is not None:
            seen = c.sub(key)
            yield from tower(seen, f"{at}{role}_tower.")
            yield from embedder(seen, f"{at}embed_{role}.", text.hidden_size)
    yield from text_model(text, f"{at}language_model.")


def gemma4_text(c: Config) -> Iterator[Part]:
    """Gemma 4's text model: wider heads where a layer sees all, a dense MLP beside the experts.

    The last ``num_kv_shared_layers`` read the keys and values of an earlier layer. Files hold theirs all the same;
    nothing reads them. With ``attention_k_eq_v`` the layers that see all have no v_proj.

    Source: modeling_gemma4 in transformers 5.24; the unread tensors, from the files.
    Implied: q_norm, k_norm, router and its two scales, one scalar a layer.
    Checked: google/gemma-4-26B-A4B stored 25,805,933,872 with vision; the Hub's 26,544,131,376 have the head twice.
    """
    first = first_shared(c)
    if c.has("hidden_size_per_layer_input") and c.natural("hidden_size_per_layer_input"):
        yield from per_layer_tables(c)
    yield from decoder(
        c,
        attention=_attention(c, _kinds(c), first),
        mlp=_mlp(c, int(c.num_hidden_layers), first),
        layer_norms=READ,
        post_norms=WRITTEN,
    )


def gemma4_unified(c: Config) -> Iterator[Part]:
    """Gemma 4 without towers: patches of pixels and frames of sound go through a few maps into the text model.

    Source: modeling_gemma4_unified in transformers 5.24.  Implied: the maps and their norms.
    Checked: the class's defaults, 3,010,758,400 and 30 buffers, residual 0.
    """
    at, text = stem(c, "model"), text_config(c)
    if c.data.get("vision_config") is not None:
        v, own = c.sub("vision_config"), f"{at}embed_vision."
        side, width = v.patch_size * v.pooling_kernel_size, v.mm_embed_dim
        yield table(f"{own}pos_embedding", v.mm_posemb_size, 2, width)
        yield from norm(f"{own}patch_ln1", side * side * 3)
        yield from linear(f"{own}patch_dense", width, side * side * 3, role="vision", bias=True)
        for name in ("patch_ln2", "pos_norm"):
            yield from norm(f"{own}{name}", width)
        yield from embedder(v, f"{own}multimodal_embedder.", text.hidden_size)
    if c.data.get("audio_config") is not None:
        sound = c.sub("audio_config").audio_embed_dim
        yield from linear(f"{at}embed_audio.embedding_projection", text.hidden_size, sound, role="projector")
    yield from text_model(text, f"{at}language_model.")


def gemma4_assistant(c: Config) -> Iterator[Part]:
    """A draft for Gemma 4: a text model that reads the target's cache, between two maps of the target's width.

    With ``use_ordered_embeddings`` it first scores groups of words.

    Source: modeling_gemma4_unified_assistant in transformers 5.24.  Implied: both maps.
    Checked: the class's defaults, 2,872,140,800 and 30 buffers, residual 0.
    """
    text = text_config(c)
    if not text.natural("num_kv_shared_layers"):  # the class takes all
        text = text.layer("num_kv_shared_layers", {"num_kv_shared_layers": int(text.num_hidden_layers)})
    hidden, outer = text.hidden_size, c.backbone_hidden_size
    yield from linear("pre_projection", hidden, 2 * outer, role="other")
    yield from linear("post_projection", outer, hidden, role="other")
    if c.flag("use_ordered_embeddings"):
        yield from linear("masked_embedding.centroids", c.num_centroids, hidden, role="lm_head")
        yield vector("masked_embedding.token_ordering", text.vocab_size, role="lm_head", kind="buffer")
    yield from text_model(text, "model.")


def _kinds(c: Config) -> list[str]:
    """Every sixth layer sees all, or what ``layer_types`` says; the last always does."""
    n = int(c.num_hidden_layers)
    kinds = c.list_of("layer_types", n, KINDS) if c.has("layer_types") else full_every(c, 6)
    return [*kinds[:-1], "full_attention"]


def _attention(c: Config, kinds: list[str], first: int) -> list[Block]:
    given = c.get("per_layer_config")
    sizes: dict[str | int, tuple[Dim, Dim]] = {}
    made: dict[tuple[str, int, int], Block] = {}
    blocks = []
    for i, kind in enumerate(kinds):
        own = kind if given is None else i  # without sizes of their own, layers of a kind are alike
        if own not in sizes:
            sizes[own] = _own_sizes(c, given, i, kind)
        head_dim, kv_heads = sizes[own]
        key = (kind, int(head_dim), int(kv_heads))
        if key not in made:
            block = gqa(c, bias=c.flag("attention_bias"), qk_norm=True, head_dim=head_dim, kv_heads=kv_heads)
            if kind == "sliding_attention":
                block = block.with_facts(mixer="sliding", window=int(c.sliding_window))
            elif c.flag("attention_k_eq_v"):
                block = Block(tuple(t for t in block.tensors if ".v_proj." not in t.name), block.facts)
            made[key] = block
        blocks.append(made[key])
    return sharing(c, blocks, kinds, first)


def _own_sizes(c: Config, given: Any, i: int, kind: str) -> tuple[Dim, Dim]:
    """The width and the number of the key and value heads of one layer."""
    if given is not None:
        if not isinstance(given, Mapping):
            raise c.error("per_layer_config", given, "must map layer indices to what they have of their own")
        own: Any = next((v for k, v in given.items() if str(k).isdigit() and int(k) == i), {})
        layer = c.layer("per_layer_config", own)
        return layer.head_dim, layer.num_key_value_heads
    if kind == "sliding_attention":
        return c.head_dim, c.num_key_value_heads
    fewer = c.flag("attention_k_eq_v") and c.has("num_global_key_value_heads")
    return c.global_head_dim, c.num_global_key_value_heads if fewer else c.num_key_value_heads


def first_shared(c: Config) -> int:
    """The layers from this one on read the cache of an earlier one."""
    n, shared = int(c.num_hidden_layers), int(c.natural("num_kv_shared_layers"))
    if shared > n:
        raise c.error("num_kv_shared_layers", shared, f"is more than the {n} layers there are")
    return n - shared


def sharing(c: Config, blocks: list[Block], kinds: list[str], first: int) -> list[Block]:
    """Attention whose layers from ``first`` on read the cache of the last earlier layer of their kind.

    Their keys, values and norm of keys are stored and never read. Where every layer is such a one, the model is a
    drafter that reads another model's cache, and has none of them.
    """
    out, made = blocks[:first], dict[tuple[int, int | None], Block]()
    last = {kind: i for i, kind in enumerate(kinds[:first])}
    for block, kind in zip(blocks[first:], kinds[first:], strict=True):
        source = last.get(kind)
        if source is None and first:
            raise c.error("num_kv_shared_layers", len(blocks) - first, f"leaves no {kind} layer a cache")
        key = (id(block), source)
        if key not in made:
            made[key] = _reader(block, source)
        out.append(made[key])
    return out


def _reader(block: Block, source: int | None) -> Block:
    def own(t: TensorSpec) -> bool:
        return not any(name in t.name for name in (".k_proj.", ".v_proj.", ".k_norm."))

    note = "stored, but the keys and values are those of an earlier layer"
    tensors = [t if own(t) else replace(t, kind="unread", note=note) for t in block.tensors]
    if source is None:
        return Block(tuple(filter(own, tensors)), block.facts).with_facts(kv_heads=0, k_dim=0, v_dim=0)
    return Block(tuple(tensors), block.facts).with_facts(shares_kv_with=source)


def _mlp(c: Config, n: int, first: int) -> list[Block]:
    """A dense MLP, wider in layers without a cache of their own; the experts beside it; the layer's own table."""
    hidden = c.hidden_size
    ple = c.natural("hidden_size_per_layer_input") if c.has("hidden_size_per_layer_input") else 0
    rest = [
        TensorSpec("layer_scalar", (1,), "other", "buffer", implied=True, note="scales what the layer adds")
    ]
    ffn = "dense"
    if c.flag("enable_moe_block", otherwise=False):
        ffn = "moe"
        moe = experts(
            c,
            count=c.num_experts,
            width=c.moe_intermediate_size,
            path="",
            router="router.proj",
            stacked=True,
        )
        rest += [
            *moe.tensors,
            vector("router.scale", hidden, role="router", implied=True),
            vector("router.per_expert_scale", c.num_experts, role="router", implied=True),
        ]
        for name in (
            "post_feedforward_layernorm_1",
            "post_feedforward_layernorm_2",
            "pre_feedforward_layernorm_2",
        ):
            rest.append(vector(f"{name}.weight", hidden, role="norm"))
    if ple:
        rest += per_layer_input(c)
    if isinstance(c.get("intermediate_size"), list | tuple):  # of each layer, so nothing is doubled
        widths = c.counts_of("intermediate_size", n)
        made = {width: gated_mlp(c, width).plus(*rest).with_facts(ffn=ffn) for width in widths}
        return [made[width] for width in widths]
    narrow = gated_mlp(c).plus(*rest).with_facts(ffn=ffn)
    if not c.flag("use_double_wide_mlp") or first == n:
        return [narrow] * n
    wide = gated_mlp(c, c.intermediate_size * 2).plus(*rest).with_facts(ffn=ffn)
    return [narrow] * first + [wide] * (n - first)


def per_layer_tables(c: Config) -> Iterator[TensorSpec]:
    """A second embedding table, a slice of it for each layer, and the map that mixes in the first."""
    at, ple = stem(c, "model"), c.hidden_size_per_layer_input
    all_layers = c.num_hidden_layers * ple
    yield TensorSpec(
        f"{at}embed_tokens_per_layer.weight",
        (c.vocab_size_per_layer_input, all_layers),
        "per_layer_embedding",
        note="one row a token, a slice of it for each layer",
    )
    yield from linear(f"{at}per_layer_model_projection", all_layers, c.hidden_size, role="other")
    yield vector(f"{at}per_layer_projection_norm.weight", ple, role="norm")


def per_layer_input(c: Config) -> list[TensorSpec]:
    """How one layer takes in its slice of the second table."""
    hidden, ple = c.hidden_size, c.hidden_size_per_layer_input
    return [
        *linear("per_layer_input_gate", ple, hidden, role="other"),
        *linear("per_layer_projection", hidden, ple, role="other"),
        vector("post_per_layer_input_norm.weight", hidden, role="norm"),
    ]
