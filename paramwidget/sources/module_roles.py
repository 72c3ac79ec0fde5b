"""The part of a model that a tensor of a live module belongs to, read off its name.

Nothing but the name says it: authors of modules agree on words (``self_attn``, ``experts``, ``vision_tower``), not on
a list of them. A name that says nothing is ``other``, which always counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

#: whether a rule fits a name in lower case
Fits = Callable[[str], object]


def _search(pattern: str) -> Fits:
    return re.compile(pattern).search


def _segment(words: str) -> Fits:
    """A whole segment of a dotted name."""
    return _search(rf"(?:^|\.)(?:{words})(?:\.|$)")


def _owner(words: str) -> Fits:
    """The module that holds the tensor: the segment before ``weight`` or ``bias``."""
    return _search(rf"(?:^|\.)(?:{words})(?:\.(?:weight|bias))?$")


#: what a text token does not run through; a projector may stand inside of a tower's name, so it goes first
TOWERS: dict[str, Fits] = {
    "projector": _segment(
        r"(?!vocab)\w*projector|\w*connector|\w*qformer|\w*merger\w*|aligner|resampler\w*|embed_(?:vision|audio)"
        r"|language_projection|query_tokens|image_newline"
    ),
    "vision": _segment(r"(?:vision|visual|image|video)(?:_\w+)?|vit"),
    "audio": _segment(r"(?:audio|speech|acoustic|codec|semantic)(?:_\w+)?|\w*audio_(?:tower|encoder)"),
}
_ENCODER = _segment(r"\w*encoder")
_DECODER = _search(r"(?:^|\.)decoder\..*\{layer\}")
_IN_DECODER = _search(r"(?:^|\.)decoder\..*encoder")  # cross-attention
_LANGUAGE_MODEL = _segment("language_model|text_model|text_decoder")

#: the first that fits a name in lower case
RULES: tuple[tuple[str, Fits], ...] = (
    ("mtp", _segment(r"mtp(?:_\w+)?|nextn\w*")),
    ("shared_expert", _segment(r"shared_(?:experts?|mlp)(?:_gate)?|residual_mlp")),
    ("router", _segment(r"\w*router")),
    ("routed_expert", _segment(r"\w*experts?")),
    ("per_layer_embedding", _segment(r"embed_tokens_per_layer|per_layer_\w+")),
    ("ssm", _segment(r"mamba\w*|ssm|\w*_mamba")),
    ("linear_attention", _segment(r"linear_attn|\w*delta\w*|gla|retention|rg_lru|recurrent_block")),
    ("attention", _search(r"(?:attn|attention|indexer)\.(?:q|k|v|query|key|value)\w*norm")),
    ("lm_head", _segment(r"\w*lm_head|embed_out|proj_out|output_projection|classifier|score|qa_outputs")),
    ("lm_head", _search(r"^(?:cls|head|lm_loss|logits\w*|output|pred_layer|vocab_\w+|\w*predictions?)\.")),
    ("lm_head", _search(r"^final_logits_bias$|^decoder\.(?:weight|bias)$")),
    ("norm", _owner(r"\w*norm\w*(?:\.\d+|\.\{layer\})?|\w*ln_?\w{0,5}")),
    ("position", _search(r"position\w*embed|pos_?emb|embed_?pos|(?:^|\.)wpe\.|relative_attention_bias")),
    ("attention", _segment(r"\w*(?:attn|attention)\w*|[qkvo]_proj|qkv(?:_proj)?")),
    ("other", _owner(r"token_type_embeddings")),
    ("embedding", _owner(r"\w*embed\w*(?:\.\d+)?|wte|shared")),
    (
        "mlp",
        _search(
            r"\{layer\}.*(?:mlp|ffn?|feed_?forward|ffw|intermediate|dense|fc_?\d|c_fc|c_proj|(?:up|down|gate)_proj|"
            r"lin(?:ear)?_?\d|\.w[io123]_?\d?\.)"
        ),
    ),
    ("ssm", _search(r"\{layer\}\.(?:\w*mixer|conv)\.")),
)
#: what a name must have in it to fit any rule: a name of a million that has none is asked no further
_WORDS = _search(
    r"mtp|nextn|shared|residual_mlp|router|expert|per_layer|mamba|ssm|linear_attn|delta|gla|retention|rg_lru|recurrent"
    r"|att|indexer|head|embed|proj|class|score|qa_outputs|cls|lm_loss|logits|output|pred|vocab|decoder|norm|ln"
    r"|pos|wpe|bias|qkv|wte|\{layer\}|connector|qformer|merger|aligner|resampler|query_tokens|image|vision|visual"
    r"|video|vit|audio|speech|acoustic|codec|semantic|encoder|language_model|text_model|gate|switch|wg"
)
_GATE = _segment("gate|switch|wg")
#: names that PEFT gives to what it adds
_ADAPTER = _segment(
    r"lora_\w+|ia3_\w+|hada_\w+|lokr_\w+|oft_\w+|vera_\w+|boft_\w+|prompt_encoder|modules_to_save"
)
#: what PEFT and DDP put around a model's own names
_AROUND = re.compile(r"^(?:module\.)?(?:base_model\.model\.)?|(?<=\.)(?:base_layer|original_module)\.")


def is_adapter(name: str) -> bool:
    """Whether a name is that of an adapter's own tensor.

    >>> is_adapter("base_model.model.layers.{layer}.q_proj.lora_A.default.weight")
    True
    """
    return bool(_ADAPTER(name.lower()))


def roles(names: Iterable[str], *, encoder_decoder: bool | None = None) -> dict[str, str]:
    """The role of each name, layers and experts written as ``{layer}`` and ``{expert}``.

    encoder_decoder  what the config says; None where there is no config, and the names decide

    A model that is nothing but a tower or an encoder is its own body: only beside another part are they one.

    >>> roles(["model.embed_tokens.weight", "model.layers.{layer}.mlp.gate.weight",
    ...        "model.layers.{layer}.mlp.experts.gate_up_proj", "lm_head.weight"])  # doctest: +NORMALIZE_WHITESPACE
    {'model.embed_tokens.weight': 'embedding', 'model.layers.{layer}.mlp.gate.weight': 'router',
     'model.layers.{layer}.mlp.experts.gate_up_proj': 'routed_expert', 'lm_head.weight': 'lm_head'}
    """
    lower = {name: _own(name.lower()) for name in names}
    said = {low for low in lower.values() if _WORDS(low)}
    towers = {name: _first(TOWERS.items(), low) if low in said else None for name, low in lower.items()}
    text = [low for name, low in lower.items() if not towers[name]]
    if not text:
        towers, text = dict.fromkeys(lower), list(lower.values())
    speaking = [low for low in text if low in said]
    paired = encoder_decoder is not False and any(map(_DECODER, speaking))
    encoded = paired or any(map(_LANGUAGE_MODEL, speaking))
    ruled = {low: _first(RULES, low) if low in said else None for low in text}
    experts = "routed_expert" in ruled.values()

    def role(low: str) -> str:
        if low not in said or is_adapter(low):
            return "other"
        if encoded and _ENCODER(low) and not _IN_DECODER(low) and not _LANGUAGE_MODEL(low):
            return "encoder"
        found = ruled[low]
        gate = experts and found in (None, "mlp") and _GATE(low)
        return "router" if gate else found or "other"

    return {name: towers[name] or role(low) for name, low in lower.items()}


def _own(low: str) -> str:
    """A name without what PEFT and DDP put around it."""
    return _AROUND.sub("", low) if "module" in low or "base_" in low else low


def _first(rules: Iterable[tuple[str, Fits]], low: str) -> str | None:
    return next((role for role, fits in rules if fits(low)), None)
