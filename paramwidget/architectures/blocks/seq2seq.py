"""Encoder-decoders: two stacks, of which a decoded token uses one.

The encoder is of role ``encoder`` whole, its tables and norms included, and so out of active; the attention to it
belongs to the decoder. Where one table serves both sides, each side's name for it is tied to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...config import Config
from ...dim import Dim
from ...layers import LayerSpec
from ...tensors import TensorSpec
from .attention import multi_head
from .base import Block, Part, layer_norm, place
from .mlp import plain_mlp
from .stack import runs


def attention_names(path: str) -> list[str]:
    """The four maps as fairseq, and all that came from it, spells them."""
    return [f"{path}.{m}" for m in ("q_proj", "k_proj", "v_proj", "out_proj")]


def fairseq_stack(
    c: Config,
    side: str,
    at: str,
    *,
    front: Sequence[TensorSpec] = (),
    positions: int | None = None,
    embed_norm: bool = False,
    final_norm: bool = False,
    key_bias: bool = True,
    bias: bool = True,
    attention: Block | None = None,
    more: Sequence[TensorSpec] = (),
    role: str | None = None,
    cross_tokens: int | None = None,
    cross_width: int | None = None,
) -> Iterator[Part]:
    """One side of BART, mBART, Pegasus, Marian, M2M-100, Blenderbot or Whisper: ``encoder`` or ``decoder``.

    front           what stands before the layers, beside positions and norm
    positions       rows of the table of positions; None where no file holds one
    embed_norm      a norm behind the embedding;  final_norm: one behind the last layer
    key_bias        the keys have a bias as the others have; ``bias``: all of attention has
    attention       of a layer to itself, where it is not the classic one; ``more``: what else a layer holds
    role            one for all of it: the encoder of an encoder-decoder
    cross_tokens    how many tokens the encoder puts out, where their number is fixed
    cross_width     the width of what the encoder puts out, where it is not the decoder's
    """
    norm, n = layer_norm(c), getattr(c, f"{side}_layers")
    how: dict[str, Any] = {"heads": f"{side}_attention_heads", "bias": (bias, bias and key_bias, bias, bias)}
    attention = attention or multi_head(c, *attention_names("self_attn"), **how)
    mlp = plain_mlp(c, "fc1", "fc2", width=getattr(c, f"{side}_ffn_dim"), bias=True, implied_bias=True)
    layer = [*attention.tensors, *norm("self_attn_layer_norm")]
    if side == "decoder":
        names = attention_names("encoder_attn")
        read = [f"{name}.weight" for name in names[1:3]]
        for t in multi_head(c, *names, **how).tensors:
            if cross_width is not None and t.name in read:
                t = replace(t, shape=(t.shape[0], cross_width))
            layer.append(t)
        layer += norm("encoder_attn_layer_norm")
    layer += [*mlp.tensors, *norm("final_layer_norm"), *more]
    outer = list(front)
    if positions is not None:
        outer.append(TensorSpec("embed_positions.weight", (positions, c.hidden_size), "position"))
    if embed_norm:
        outer += norm("layernorm_embedding")
    if final_norm:
        outer += norm("layer_norm")
    yield from place(outer, f"{at}{side}.", role=role)
    yield from place(layer, f"{at}{side}.layers.{{layer}}.", range(n), role=role)
    if side == "decoder":
        yield from runs(across(attention, cross_tokens), mlp, n)


def across(attention: Block, cross_tokens: int | None = None, cross: Block | None = None) -> Block:
    """A decoder layer's own attention, and what it keeps of the encoder: keys and values of the same heads.

    cross  the attention to the encoder, where it has other heads
    """
    kept = LayerSpec(0, **(cross or attention).facts)
    return attention.with_facts(cross=kept.expanded, cross_tokens=cross_tokens)


def side_table(c: Config, name: str, shape: tuple[Dim, ...], shared: TensorSpec | None) -> TensorSpec:
    """The embedding table under the name of one side: the shared one again, or one of its own."""
    return TensorSpec(
        name,
        shape,
        "encoder" if "encoder." in name else "embedding",
        tied_to=shared.name if shared else None,
        note="a second name of the shared table" if shared else "",
    )
