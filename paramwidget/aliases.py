"""Names of one tensor in different files: prefixes, fused and split matrices, and the numbers of layers and experts.

Two names are one where they agree but for their prefix; else where they belong to one *bundle*: the matrices of a layer
that some files store fused and others apart (``q_proj`` + ``k_proj`` + ``v_proj`` = ``qkv_proj``; 256 × ``gate_proj``
and ``up_proj`` = one ``gate_up_proj``). Of a bundle only the sum can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

#: stands for any number in a template; no name of a tensor has it
NUMBER = "#"
#: templates whose parts are kept in mind; a model has some hundreds, files with a million names are not kept
MOST_KEPT = 1 << 14


def template(name: str) -> tuple[str, tuple[int, ...]]:
    """A name with ``#`` for each segment that is a number, and the numbers.

    >>> template("model.layers.3.mlp.experts.17.up_proj.weight")
    ('model.layers.#.mlp.experts.#.up_proj.weight', (3, 17))
    """
    parts = (name if NUMBER not in name else name.replace(NUMBER, "%23")).split(".")
    numbers = []
    for i, part in enumerate(parts):
        if part.isdigit() and part.isascii() and len(part) < 10:
            numbers.append(int(part))
            parts[i] = NUMBER
    return ".".join(parts), tuple(numbers)


class Pattern(NamedTuple):
    """The name of a TensorSpec as a template: where the layer stands, and the numbers that are part of the name."""

    template: str
    layer: int | None
    fixed: tuple[tuple[int, int], ...]


def pattern(name: str) -> Pattern:
    """A predicted name, with ``{layer}`` and ``{expert}``, as a template.

    >>> pattern("mlp.2.layers.{layer}.experts.{expert}.w1")
    Pattern(template='mlp.#.layers.#.experts.#.w1', layer=1, fixed=((0, 2),))
    """
    parts, layer, fixed, numbers = name.split("."), None, [], 0
    for i, part in enumerate(parts):
        if part in ("{layer}", "{expert}") or part.isdigit():
            if part == "{layer}" and layer is None:
                layer = numbers
            elif part.isdigit():
                fixed.append((numbers, int(part)))
            parts[i] = NUMBER
            numbers += 1
    return Pattern(".".join(parts), layer, tuple(fixed))


#: what a file may put before the same name; of two models in one (a tower, a talker) the prefix is kept
_PREFIX = re.compile(
    r"(?:(?:base_model|_orig_mod|_fsdp_wrapped_module|module|model|transformer|language_model|llm|backbone|gpt_neox"
    r"|thinker|text_model|bert|roberta|distilbert|electra|albert|deberta|mpnet|camembert|esm)\.)+"
)
#: the weight and the bias of a norm, as TensorFlow called them
_OLD_ENDS = {".gamma": ".weight", ".beta": ".bias"}


@lru_cache(MOST_KEPT)
def bare(template: str) -> str:
    """A template without its prefix, and with today's word for the parts of a norm.

    >>> bare("model.language_model.layers.#.mlp.up_proj.weight"), bare("base_model.model.lm_head.weight")
    ('layers.#.mlp.up_proj.weight', 'lm_head.weight')
    """
    found = _PREFIX.match(template)
    short = template[found.end() :] if found else template
    for old, new in _OLD_ENDS.items() if short.endswith(tuple(_OLD_ENDS)) else ():
        if short.endswith(old):
            return short.removesuffix(old) + new
    return short


#: the list of layers and what holds the parts of one, as families spell them
_STACK = r"^(?:layers?|h|blocks?|blk)\.#\."
_ATTENTION = r"(?:self_attn|self_attention|attention|attn|mixer|norm_attn_norm\.attn)(?:\.self|\.inner)?\."
_MLP = r"(?:mlp|feed_forward|ffn|moe|block_sparse_moe|mixer)\."
_END = r"(?:\.weight)?$"

#: bundle -> the templates that belong to it; {part} is ``weight`` or ``bias``
_BUNDLES: tuple[tuple[str, str], ...] = (
    (
        "embedding",
        r"^(?:embed_tokens|wte|word_embeddings|embed_in|tok_embeddings|embed|embeddings?)\.weight$",
    ),
    ("embedding", r"^embedding\.word_embeddings\.weight$"),
    ("lm_head", r"^(?:lm_head|embed_out|output|output_layer|head)\.(?P<part>weight|bias)$"),
    ("final norm", r"^(?:norm|ln_f|final_layer_?norm|norm_f|final_norm)\.(?P<part>weight|bias)$"),
    (
        "attention q, k, v",
        _STACK
        + _ATTENTION
        + r"(?:[qkv]|[qkv]_proj|w[qkv]|query|key|value|qkv|qkv_proj|c_attn|query_key_value|Wqkv"
        r"|att_proj)\.(?P<part>weight|bias)$",
    ),
    ("attention q, k, v", _STACK + r"att_proj\.(?P<part>weight|bias)$"),
    (
        "attention output",
        _STACK + _ATTENTION + r"(?:o_proj|out_proj|dense|c_proj|wo|o)\.(?P<part>weight|bias)$",
    ),
    (
        "latent q, k, v",
        _STACK + _ATTENTION + r"(?:q_a_proj|kv_a_proj_with_mqa|fused_qkv_a_proj_with_mqa)\.weight$",
    ),
    ("latent k, v", _STACK + _ATTENTION + r"(?:kv_b_proj|k_b_proj|v_b_proj|kv_b)\.weight$"),
    ("linear attention q, k, v, z", _STACK + r"linear_attn\.in_proj_(?:qkvz|qkv|z)\.weight$"),
    ("linear attention b, a", _STACK + r"linear_attn\.in_proj_(?:ba|b|a)\.weight$"),
    (
        "experts, up",
        _STACK
        + _MLP
        + r"(?:experts|switch_mlp|experts\.mlp)(?:\.#)?\.(?:gate_up_proj|gate_proj|up_proj|w1|w3|v1|w13"
        r"|gate_proj_weight|up_proj_weight)" + _END,
    ),
    (
        "experts, up, bias",
        _STACK + _MLP + r"(?:experts|switch_mlp)(?:\.#)?\.(?:gate_up_proj|gate_proj|up_proj)(?:_|\.)bias$",
    ),
    (
        "experts, down",
        _STACK
        + _MLP
        + r"(?:experts|switch_mlp|experts\.mlp)(?:\.#)?\.(?:down_proj|w2|down_proj_weight)"
        + _END,
    ),
    ("experts, down, bias", _STACK + _MLP + r"(?:experts|switch_mlp)(?:\.#)?\.down_proj(?:_|\.)bias$"),
    (
        "router",
        _STACK + _MLP + r"(?:gate|router|router\.gate|gate\.wg|router\.layer)\.(?P<part>weight|bias)$",
    ),
    ("router correction", _STACK + _MLP + r"(?:gate\.|router\.)?(?:e_score_correction_bias|expert_bias)$"),
    (
        "shared experts, up",
        _STACK
        + _MLP
        + r"shared_(?:experts?|mlp)\.(?:gate_proj|up_proj|gate_up_proj|w1|w3)\.(?P<part>weight|bias)$",
    ),
    (
        "shared experts, down",
        _STACK + _MLP + r"shared_(?:experts?|mlp)\.(?:down_proj|w2)\.(?P<part>weight|bias)$",
    ),
    (
        "MLP, up",
        _STACK
        + _MLP
        + r"(?:gate_proj|up_proj|gate_up_proj|w1|w3|fc1|c_fc|c_fc_0|c_fc_1|dense_h_to_4h|fc_in|linear_fc1)"
        r"\.(?P<part>weight|bias)$",
    ),
    (
        "MLP, down",
        _STACK
        + _MLP
        + r"(?:down_proj|w2|fc2|c_proj|dense_4h_to_h|fc_out|linear_fc2)\.(?P<part>weight|bias)$",
    ),
    (
        "norm before attention",
        _STACK + r"(?:input_layernorm|ln_1|attn_norm|attention_norm|ln_attn|norm_1|operator_norm)"
        r"\.(?P<part>weight|bias)$",
    ),
    (
        "norm before the MLP",
        _STACK
        + r"(?:post_attention_layernorm|ln_2|ffn_norm|mlp_norm|ln_mlp|norm_2|pre_feedforward_layernorm)"
        r"\.(?P<part>weight|bias)$",
    ),
)
_COMPILED = tuple((name, re.compile(text)) for name, text in _BUNDLES)
_APART = tuple((name, fits) for name, fits in _COMPILED if not fits.pattern.startswith(_STACK))


@lru_cache(MOST_KEPT)
def bundle(template: str) -> str | None:
    """The bundle of a template without prefix, ``attention q, k, v, weight``; None where it belongs to none.

    >>> bundle("layers.#.self_attn.k_proj.weight") == bundle("h.#.attn.c_attn.weight")
    True
    """
    for name, fits in _COMPILED if NUMBER in template else _APART:
        found = fits.match(template)
        if found:
            part = found.groupdict().get("part")
            return f"{name}, bias" if part == "bias" else name
    return None


_STACKED = re.compile(r"(?:^|(?<=\.))(?:layers?|h|blocks?|blk)\.#\.")


@lru_cache(MOST_KEPT)
def bundle_of(template: str) -> str | None:
    """The bundle of any template; what stands before its layers is a part of the bundle's name.

    >>> bundle_of("mtp.layers.#.self_attn.q_proj.weight"), bundle_of("model.layers.#.self_attn.q_proj.weight")
    ('mtp: attention q, k, v', 'attention q, k, v')
    """
    short = bare(template)
    found = _STACKED.search(short) if NUMBER in short else None
    before = short[: found.start()].rstrip(".") if found else ""
    name = bundle(short[found.start() :] if found else short)
    return f"{before}: {name}" if name and before else name


def layer_of(template: str, numbers: tuple[int, ...]) -> int | None:
    """The layer of a tensor: the first number below a list of layers.

    >>> layer_of("layers.#.mlp.experts.#.w1.weight", (3, 17))
    3
    """
    position = layer_position(template) if numbers else None
    return None if position is None else numbers[position]


_LAYERS = re.compile(r"(?:^|\.)(?:\w*layers?|\w*blocks?|h|blk|stages)\.#(?=\.)")


@lru_cache(MOST_KEPT)
def layer_position(template: str) -> int | None:
    """Which of a template's numbers is the layer; None where none is."""
    found = _LAYERS.search(template)
    return template.count(NUMBER, 0, found.end() - 1) if found else None


def distinct(templates: Iterable[str]) -> dict[str, str]:
    """bare template -> template, of those whose prefix can be left out without two becoming one."""
    found: dict[str, str | None] = {}
    for each in templates:
        short = bare(each)
        found[short] = each if found.get(short, each) == each else None
    return {short: each for short, each in found.items() if each is not None}
