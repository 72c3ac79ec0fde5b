"""T5, mT5, umT5, LongT5, Switch Transformers, Pop2Piano, UDOP and Pix2Struct."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    dense_or_moe,
    experts,
    gated_mlp,
    linear,
    multi_head,
    plain_mlp,
    renamed,
    rms_norm,
)
from .blocks.base import place
from .blocks.encoder import without_cache
from .blocks.heads import labels, output
from .blocks.seeing import pix2struct_vision
from .blocks.seq2seq import across, side_table
from .blocks.stack import groups, runs
from .blocks.towers import conv, pair
from .nested import renamed as nested_renamed


def t5(c: Config) -> Iterator[Part]:
    """T5 1.0 and 1.1, Flan-T5 and mT5: no biases, positions as a bias that the first layer makes for all.

    Both sides share one table. The head is a name of it too, but in T5 1.1, Flan-T5 and mT5: their configs say
    ``tie_word_embeddings`` false, and their files hold a head of its own. transformers makes a tie of it when it builds
    the class, and undoes that when it loads such files.

    Source: modeling_t5 and modeling_mt5 in transformers 5.24.  Implied: relative_attention_bias.
    Checked: google-t5/t5-small stored 60,506,624, residual 0; google/t5-v1_1-base stored 247,577,856, KerasHub's copy
    247,577,856, residual 0 (222,903,552 as transformers builds it, without the head of 32,128 × 768).
    """
    yield from both_sides(c, every_layer=False)


def umt5(c: Config) -> Iterator[Part]:
    """umT5: mT5 with a bias of positions in every layer.

    Source: modeling_umt5 in transformers 5.24.  Implied: relative_attention_bias.
    Checked: its default config stored 172,122,112, transformers 172,122,112, residual 0.
    """
    yield from both_sides(c, every_layer=True)


def longt5(c: Config) -> Iterator[Part]:
    """LongT5: T5 whose encoder sees a window, and with ``transient-global`` also summaries of blocks.

    Source: modeling_longt5 in transformers 5.24.  Implied: relative_attention_bias, the norm of the summaries.
    Checked: the class's defaults, 60,506,624, residual 0.
    """
    kind = c.get("encoder_attention_type")
    if kind == "local":
        yield from both_sides(c, every_layer=False, encoder={"path": "LocalSelfAttention"})
        return
    if kind != "transient-global":
        raise c.error("encoder_attention_type", kind, "is none of local, transient-global")
    path = "TransientGlobalSelfAttention"
    encoder = {
        "path": path,
        "more": rms_norm(c)(f"layer.0.{path}.global_input_layer_norm"),
        "biases": ("relative_attention_bias", "global_relative_attention_bias"),
    }
    yield from both_sides(c, every_layer=False, encoder=encoder)


def pop2piano(c: Config) -> Iterator[Part]:
    """Pop2Piano: T5 that reads a spectrogram, in front of which stands the composer; its head is never tied.

    Source: modeling_pop2piano in transformers 5.24.  Implied: relative_attention_bias.
    Checked: the class's defaults, 59,108,352, residual 0.
    """
    shape = (c.composer_vocab_size, c.hidden_size)
    yield TensorSpec("mel_conditioner.embedding.weight", shape, "encoder", note="one vector a composer")
    yield from both_sides(c, every_layer=False, may_tie=False)


def udop(c: Config) -> Iterator[Part]:
    """UDOP: T5 that reads a page: patches among its words, tables of the places on the page, and biases that read them.

    Its head is always tied.  The decoder has a map of patches and such biases too, and reads none of them.

    Source: modeling_udop in transformers 5.24.  Implied: the maps, tables and biases beside T5's.
    Checked: the class's defaults, 742,440,960, residual 0.
    """
    alone = c.head == "encoder"
    role = None if alone else "encoder"
    yield from both_sides(c.layer("tie_word_embeddings", {"tie_word_embeddings": True}), every_layer=False)
    for axis in "xy":
        name = f"encoder.cell_2d_embedding.{axis}_position_embeddings.weight"
        yield TensorSpec(name, (c.max_2d_position_embeddings, c.hidden_size), role or "position")
    for t in conv(
        "patch_embed.proj", c.hidden_size, c.num_channels, pair(c, "patch_size"), role=role or "embedding"
    ):
        yield t
        yield replace(t, name=t.name.replace("patch_embed", "encoder.embed_patches"), tied_to=t.name)
        if not alone:
            yield replace(
                t, name=t.name.replace("patch_embed", "decoder.embed_patches"), role="other", active_copies=0
            )
    yield from _page_biases(c, "encoder.", role or "position")
    if not alone:
        yield from _page_biases(c, "decoder.", "position", active=0)


def _page_biases(c: Config, at: str, role: str, active: int = 1) -> Iterator[Part]:
    """A table for each of ``relative_bias_args``; the first is T5's own of the encoder, but in the bare model."""
    first = "encoder.block.{layer}.layer.0.SelfAttention.relative_attention_bias.weight"
    for i, args in enumerate(c.get("relative_bias_args")):
        tied_to = first if i == 0 and c.head != "none" else None
        own = c.layer(f"relative_bias_args[{i}]", {"relative_attention_num_buckets": 32, **args})
        buckets = (c if tied_to else own).relative_attention_num_buckets
        if args.get("prefix_bucket") and not args.get("expand") and not tied_to:
            buckets = buckets + 2
        name = f"{at}relative_bias.biases.{i}.relative_attention_bias.weight"
        shape = (buckets, c.num_attention_heads)
        yield TensorSpec(name, shape, role, active_copies=active, tied_to=tied_to, implied=True)


def pix2struct(c: Config) -> Iterator[Part]:
    """Pix2Struct: a tower for images of any shape, and T5's decoder under names of its own, with gated feed-forward.

    Source: modeling_pix2struct in transformers 5.24.  Implied: relative_attention_bias.
    Checked: the class's defaults, 282,285,696, residual 0.
    """
    text, vision = c.sub("text_config", also=("tie_word_embeddings",)), c.sub("vision_config")
    text = text.layer("text_config", {"d_kv": text.divide("hidden_size", "num_attention_heads")})
    yield from pix2struct_vision(vision, "encoder.", vision.d_kv, vision.seq_len, role="encoder")
    words = TensorSpec("decoder.embed_tokens.weight", (text.vocab_size, text.hidden_size), "embedding")
    yield words
    for part in stack(text, "decoder.", int(text.num_hidden_layers), False, feed_forward=_gated):
        yield nested_renamed(part, _pix2struct_name)
    yield from output(text, "decoder.lm_head", words)


def _gated(c: Config, last: str) -> Block:
    return gated_mlp(c, path=f"{last}.DenseReluDense", matrices=("wi_0", "wi_1", "wo"))


def _pix2struct_name(name: str) -> str:
    """T5's name of a tensor -> Pix2Struct's."""
    for old, new in (
        (".block.", ".layer."),
        (".layer.0.", ".self_attention."),
        (".layer.1.", ".encoder_decoder_attention."),
        (".layer.2.", ".mlp."),
        ("SelfAttention.", "attention."),
        ("EncDecAttention.", "attention."),
        (".q.", ".query."),
        (".k.", ".key."),
        (".v.", ".value."),
        (".o.", ".output."),
    ):
        name = name.replace(old, new)
    return name


def switch(c: Config) -> Iterator[Part]:
    """Switch Transformers: T5 with experts in some layers, of which a token uses one.

    Untied, each side has a table of its own beside the shared one. A step that the config gives goes before the number
    of sparse layers.

    Source: modeling_switch_transformers in transformers 5.24.  Implied: relative_attention_bias, router.
    Checked: the class's defaults, 317,312,256, residual 0.
    """

    def sparse(side: str, n: int) -> Callable[[Config, str], Block | list[Block]]:
        fewer, given = int(c.natural(f"num_sparse_{side}_layers")), f"{side}_sparse_step"
        step = int(c.natural(given)) if c.has(given) else n // fewer if fewer else n
        chosen = [i for i in range(n) if step == 1 or (step and i % step == 1)]

        def feed_forward(c: Config, last: str) -> Block | list[Block]:
            return dense_or_moe(
                c,
                chosen,
                lambda: _one_expert(c, f"{last}.mlp"),
                plain_mlp(c, f"{last}.mlp.wi", f"{last}.mlp.wo", bias=False),
                depth=n,
            )

        return feed_forward

    n, m = int(c.num_hidden_layers), int(c.num_decoder_layers)
    yield from both_sides(
        c,
        every_layer=False,
        encoder={"feed_forward": sparse("encoder", n)},
        decoder={"feed_forward": sparse("decoder", m)},
        shares=c.flag("tie_word_embeddings"),
    )


def _one_expert(c: Config, path: str) -> Block:
    block = experts(
        c,
        count=c.num_experts,
        width=c.intermediate_size,
        top_k=Dim.field("one", 1),
        path=path,
        router="router.classifier",
        router_bias=c.flag("router_bias"),
        matrices=("wi", "wo"),
    )
    return renamed(block, {"experts.{expert}": "experts.expert_{expert}"})


def both_sides(
    c: Config,
    every_layer: bool,
    *,
    encoder: Mapping[str, Any] | None = None,
    decoder: Mapping[str, Any] | None = None,
    shares: bool = True,
    may_tie: bool = True,
) -> Iterator[Part]:
    """Encoder and decoder, or the encoder alone (EncoderModel, ForTokenClassification), and the head.

    encoder, decoder  what is otherwise on one side (see stack)
    shares            whether both sides read the shared table
    may_tie           false where the class never ties its head, whatever the config says
    """
    at = "transformer." if c.head in ("sequence", "token") else ""
    encoder_only = c.head in ("encoder", "token")
    hidden = c.hidden_size
    shared = TensorSpec(f"{at}shared.weight", (c.vocab_size, hidden), "embedding")
    yield shared
    read = shared if shares else None
    encoder_role = None if encoder_only else "encoder"
    yield side_table(c, f"{at}encoder.embed_tokens.weight", (c.vocab_size, hidden), read)
    n = int(c.num_hidden_layers)
    yield from stack(c, f"{at}encoder.", n, every_layer, encoder_role, encoder_only, **(encoder or {}))
    if not encoder_only:
        yield side_table(c, f"{at}decoder.embed_tokens.weight", (c.vocab_size, hidden), read)
        yield from stack(c, f"{at}decoder.", int(c.num_decoder_layers), every_layer, **(decoder or {}))
    if c.head == "causal":
        yield from output(c, "lm_head", shared, tied=None if may_tie else False)
    elif c.head == "sequence":
        yield from linear("classification_head.dense", hidden, hidden, role="lm_head", bias=True)
        yield from linear("classification_head.out_proj", labels(c), hidden, role="lm_head", bias=True)
    elif c.head == "token":
        yield from linear("classifier", labels(c), hidden, role="lm_head", bias=True)
    elif c.head == "question":
        yield from linear("qa_outputs", labels(c), hidden, role="lm_head", bias=True)


def stack(
    c: Config,
    at: str,
    n: int,
    every_layer: bool,
    role: str | None = None,
    encoder_only: bool = False,
    *,
    path: str = "SelfAttention",
    more: Sequence[TensorSpec] = (),
    biases: Sequence[str] = ("relative_attention_bias",),
    feed_forward: Callable[[Config, str], Block | list[Block]] | None = None,
) -> Iterator[Part]:
    """One side: attention, in the decoder also to the encoder, then the feed-forward, each behind its norm.

    path          the name of attention to itself;  more: what else it holds
    biases        the tables of relative positions that the first layer makes for all
    feed_forward  what stands in place of T5's
    """
    norm = rms_norm(c)
    is_encoder = at.endswith("encoder.")
    attention = t5_attention(c, f"layer.0.{path}").plus(*more)
    layer = [*attention.tensors, *norm("layer.0.layer_norm")]
    if not is_encoder:
        layer += [*t5_attention(c, "layer.1.EncDecAttention").tensors, *norm("layer.1.layer_norm")]
    last = "layer.1" if is_encoder else "layer.2"
    mlp = feed_forward(c, last) if feed_forward else t5_mlp(c, f"{last}.DenseReluDense")
    layer += norm(f"{last}.layer_norm")
    relative = [
        TensorSpec(
            f"layer.0.{path}.{name}.weight",
            (c.relative_attention_num_buckets, c.num_attention_heads),
            "position",
            implied=True,
            note="relative positions",
        )
        for name in biases
    ]
    each = f"{at}block.{{layer}}."
    yield from place(layer, each, range(n), role)
    for where, own in groups(mlp, n):
        yield from place(own, each, where, role)
    yield from place(relative, each, range(n if every_layer else 1), role)
    yield from place(norm("final_layer_norm"), at, role=role)
    if encoder_only:
        yield from runs(without_cache(attention), mlp, n)
    elif not is_encoder:
        yield from runs(across(attention), mlp, n)


def t5_attention(c: Config, path: str) -> Block:
    """T5's heads have a width of their own."""
    return multi_head(c, *(f"{path}.{m}" for m in "qkvo"), bias=False, head_dim=c.d_kv)


def t5_mlp(c: Config, path: str) -> Block:
    """``relu`` is a plain feed-forward, ``gated-gelu`` one with a gate; ``is_gated_act`` overrules the name."""
    kind = c.get("feed_forward_proj")
    words = kind.split("-") if isinstance(kind, str) else []
    if len(words) not in (1, 2) or (len(words) == 2 and words[0] != "gated"):
        raise c.error("feed_forward_proj", kind, "must be the name of an activation, or gated- and a name")
    gated = c.flag("is_gated_act", otherwise=words[0] == "gated")
    if gated:
        return gated_mlp(c, path=path, matrices=("wi_0", "wi_1", "wo"))
    return plain_mlp(c, f"{path}.wi", f"{path}.wo", bias=False)
