"""Byte Latent Transformer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ..config import Config
from ..layers import LayerRun, LayerSpec
from ..tensors import TensorSpec
from .blocks import Block, Part, gated_mlp, gqa, linear, one_layer, rms_norm, vector
from .blocks.base import place
from .blocks.heads import stem


def blt(c: Config) -> Iterator[Part]:
    """BLT: bytes through a small encoder, patches of them through a large stack, and back through a small decoder.

    Tables of hashed groups are added to the bytes, and a model of its own (``patcher``) finds where patches end.
    Encoder and decoder attend across to the patches, and they alone keep a cache: the large stack runs anew.

    Source: modeling_blt in transformers 5.24.  Implied: the norms across, the projections.
    Checked: the class's defaults, 4,633,127,680, residual 0.
    """
    at = stem(c, "model")
    small, large, last = (c.sub(f"{key}_config") for key in ("encoder", "global", "decoder"))
    groups = c.get("encoder_hash_byte_group_size") or (3, 4, 5, 6, 7, 8)
    hashes = c.encoder_hash_byte_group_nb_functions
    rows = c.encoder_hash_byte_group_vocab * hashes * len(groups)
    yield TensorSpec(
        f"{at}encoder_hash_tok_embedding.weight",
        (rows, small.hidden_size),
        "embedding",
        rows_read=int(hashes) * len(groups),  # one for each function and each length of a group
    )
    head = TensorSpec("lm_head.weight", (c.vocab_size, last.hidden_size), "lm_head")
    tied_to = head.name if c.head == "causal" and c.flag("tie_word_embeddings") else None
    words, shape = f"{at}local_encoder.embed_tokens.weight", (small.vocab_size, small.hidden_size)
    yield TensorSpec(words, shape, "embedding", tied_to=tied_to)
    joined = small.hidden_size * c.cross_attn_k
    for name, out, inn in (
        (
            "local_encoder.patch_embedding_projection",
            small.hidden_size * small.cross_attn_k,
            small.hidden_size,
        ),
        ("global_transformer.token_embedding_projection", large.hidden_size, joined),
        (
            "local_decoder.patch_embedding_projection",
            last.hidden_size * last.cross_attn_k,
            last.hidden_size_global,
        ),
    ):
        if "token" not in name or joined != large.hidden_size:
            yield from linear(f"{at}{name}", out, inn, role="other", implied=True)
    window = {"mixer": "sliding", "window": c.get("local_attention_window_len")}
    stacks = (
        ("local_encoder", small, _attention(small).with_facts(**window)),
        ("global_transformer", large, _attention(large).with_facts(kv_heads=0, k_dim=0, v_dim=0)),
        ("local_decoder", last, _attention(last)),
    )
    places = count()
    for name, own, attention in stacks:
        n = int(own.num_hidden_layers)
        yield from place(_layer(own), f"{at}{name}.layers.{{layer}}.", range(n))
        if own is not large:
            across = range(n if own.get("cross_attn_all_layers") else 1)
            yield from place(_across(own), f"{at}{name}.cross_attn_layers.{{layer}}.", across)
        yield LayerRun(tuple(next(places) for _ in range(n)), LayerSpec(0, **attention.facts))
    yield from rms_norm(last)(f"{at}local_decoder.norm")
    if c.get("patch_in_forward"):
        yield from _patcher(c.sub("patcher_config"), f"{at}patcher.")
    if c.head == "causal":
        yield head


def _attention(own: Config, path: str = "self_attn") -> Block:
    head_dim = own.divide("hidden_size", "num_attention_heads")
    return gqa(own, head_dim=head_dim, path=path)


def _layer(own: Config) -> list[TensorSpec]:
    """Llama's layer, of which all four stacks are built; a null width is eight thirds of the hidden one."""
    width = own.intermediate_size if own.has("intermediate_size") else 8 * own.hidden_size // 3
    names = ("input_layernorm", "post_attention_layernorm")
    return one_layer(rms_norm(own), names, _attention(own), gated_mlp(own, width))


def _across(own: Config) -> list[TensorSpec]:
    """Attention between bytes and patches, normed over the whole width."""
    norms = (vector(f"{n}_norm.weight", own.hidden_size, role="attention", implied=True) for n in "qk")
    return [*_attention(own, "").tensors, *norms]


def _patcher(own: Config, at: str) -> Iterator[TensorSpec]:
    """The model whose entropy of the next byte ends a patch."""
    words = (own.vocab_size, own.hidden_size)
    for name in ("embed_tokens", "lm_head"):
        yield TensorSpec(f"{at}{name}.weight", words, "other")
    yield from place(rms_norm(own)("norm"), at, role="other")
    yield from place(_layer(own), f"{at}layers.{{layer}}.", range(own.num_hidden_layers), role="other")
