"""DeciLM and Nemotron-NAS: Llama whose every layer was chosen by a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..config import Config
from ..dim import Dim
from .blocks import NO_FFN, NO_MIXER, Block, Part, decoder, gated_mlp, gqa, linear, rms_norm, together


def nemotron_nas(c: Config) -> Iterator[Part]:
    """Llama-Nemotron: ``block_configs`` says for each layer how wide its halves are, or that one is a map or nothing.

    Source: the modelling file published with Llama-3_3-Nemotron-Super-49B-v1.
    Checked: nvidia/Llama-3_3-Nemotron-Super-49B-v1 stored 49,867,145,216, Hub 49,867,145,216, residual 0.
    """
    n = int(c.num_hidden_layers)
    made: dict[tuple[str, object], Block] = {}

    def once(half: str, choice: object, block: Block) -> Block:
        return made.setdefault((half, choice), block)  # layers that are alike share one block

    mixers, ffns = [], []
    for i, block in enumerate(c.list_of("block_configs", n)):
        attention, ffn = _half(c, i, block, "attention"), _half(c, i, block, "ffn")
        mixers.append(once("attention", _choice(attention, "n_heads_in_group"), _attention(c, i, attention)))
        ffns.append(once("ffn", _choice(ffn, "ffn_mult", "intermediate_size"), _ffn(c, i, ffn)))
    yield from decoder(c, attention=mixers, mlp=ffns, layer_norms=())


def _half(c: Config, i: int, block: Any, name: str) -> Mapping[str, Any]:
    half = block.get(name) if isinstance(block, Mapping) else None
    if not isinstance(half, Mapping):
        raise c.error(f"block_configs[{i}].{name}", half, "must be an object")
    if block.get("parallel_blocks"):
        raise c.error(
            f"block_configs[{i}].parallel_blocks", block["parallel_blocks"], "is not described here"
        )
    return half


def _choice(half: Mapping[str, Any], *sizes: str) -> object:
    return tuple(repr(half.get(key)) for key in ("no_op", "replace_with_linear", *sizes))


def _attention(c: Config, i: int, half: Mapping[str, Any]) -> Block:
    norm = Block(tuple(rms_norm(c)("input_layernorm")))
    if half.get("no_op"):
        return NO_MIXER
    if half.get("replace_with_linear"):
        return together(_map(c, "self_attn.linear_attn", "attention", {"mixer": "none"}), norm)
    group, heads = half.get("n_heads_in_group"), c.num_attention_heads
    if type(group) is not int or group < 1 or heads % group:
        raise c.error(
            f"block_configs[{i}].attention.n_heads_in_group",
            group,
            f"must divide num_attention_heads = {int(heads)}",
        )
    return together(
        gqa(c, bias=c.flag("attention_bias"), kv_heads=heads // Dim.field("n_heads_in_group", group)), norm
    )


def _ffn(c: Config, i: int, half: Mapping[str, Any]) -> Block:
    norm = Block(tuple(rms_norm(c)("post_attention_layernorm")))
    if half.get("no_op"):
        return NO_FFN
    if half.get("replace_with_linear"):
        return together(_map(c, "mlp.linear_mlp", "mlp", {"ffn": "dense"}), norm)
    return together(gated_mlp(c, _width(c, i, half), bias=c.flag("mlp_bias")), norm)


def _map(c: Config, name: str, role: str, facts: Mapping[str, Any]) -> Block:
    tensors = linear(name, c.hidden_size, c.hidden_size, role=role, note="in place of the whole half")
    return Block(tuple(tensors), facts)


def _width(c: Config, i: int, half: Mapping[str, Any]) -> Dim:
    """``intermediate_size``, or two thirds of ``ffn_mult`` × hidden_size, rounded up to a multiple of 256."""
    f = Config(half, where=c.where, path=f"block_configs[{i}].ffn.")
    if not f.has("ffn_mult"):
        return f.intermediate_size
    mult, hidden = half["ffn_mult"], c.hidden_size
    if type(mult) not in (int, float) or not 0 < mult < 1000:
        raise f.error("ffn_mult", mult, "must be a number above 0")
    width = Dim.field("⌊2 × ffn_mult × hidden_size ÷ 3⌋", int(2 * mult * int(hidden) / 3))
    return width.ceil_div(256) * 256
