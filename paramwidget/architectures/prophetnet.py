"""ProphetNet."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, layer_norm, linear, multi_head, plain_mlp
from .blocks.base import place
from .blocks.heads import output
from .blocks.seq2seq import across
from .blocks.stack import runs

NAMES = ("query_proj", "key_proj", "value_proj", "out_proj")


def prophetnet(c: Config) -> Iterator[Part]:
    """ProphetNet: an encoder-decoder that predicts ``ngram`` words at once, with maps to buckets of distance.

    Source: modeling_prophetnet in transformers 5.24.  Implied: all biases, the maps.
    Checked: the classes' defaults, 391,321,600 and 239,640,576, residual 0.
    """
    at, shape = "" if c.head == "none" else "prophetnet.", (c.vocab_size, c.hidden_size)
    alone = c.architecture.endswith("ForCausalLM")
    words = TensorSpec(f"{at}word_embeddings.weight", shape, "embedding")
    yield words
    for side in ("decoder",) if alone else ("encoder", "decoder"):
        role, own = "encoder" if side == "encoder" else None, f"{at}{side}."
        tied = words.name if c.flag("tie_word_embeddings") else None
        name = f"{own}word_embeddings.weight"
        yield TensorSpec(
            name, shape, role or "embedding", tied_to=tied, note="a second name of the shared table"
        )
        yield from _stack(c, side, own, role)
    if c.head == "causal":
        yield from output(c, "lm_head", words)


def _stack(c: Config, side: str, at: str, role: str | None) -> Iterator[Part]:
    norm, hidden, n = layer_norm(c), c.hidden_size, int(getattr(c, f"num_{side}_layers"))
    heads = f"num_{side}_attention_heads"
    outer = [
        TensorSpec("position_embeddings.weight", (c.max_position_embeddings, hidden), "position"),
        *norm("embeddings_layer_norm"),
    ]
    attention = multi_head(c, *(f"self_attn.{name}" for name in NAMES), heads=heads)
    layer = list(attention.tensors)
    if side == "decoder":
        outer.append(TensorSpec("ngram_embeddings.weight", (c.ngram, hidden), "position"))
        buckets = c.num_buckets * getattr(c, heads)
        layer += linear("self_attn.relative_pos_embeddings", buckets, hidden, role="attention", bias=True)
        if c.flag("add_cross_attention"):
            layer += multi_head(c, *(f"cross_attn.{name}" for name in NAMES), heads=heads).tensors
            layer += norm("cross_attn_layer_norm")
    width = getattr(c, f"{side}_ffn_dim")
    mlp = plain_mlp(
        c, "feed_forward.intermediate", "feed_forward.output", width=width, bias=True, implied_bias=True
    )
    layer += [*norm("self_attn_layer_norm"), *mlp.tensors, *norm("feed_forward_layer_norm")]
    yield from place(outer, at, role=role)
    yield from place(layer, f"{at}layers.{{layer}}.", range(n), role=role)
    if side == "decoder":
        alone = c.architecture.endswith("ForCausalLM")
        yield from runs(across(attention, 0 if alone else None), mlp, n)
