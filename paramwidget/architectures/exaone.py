"""EXAONE 3 and 4, and 4.5, which sees."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part, decoder, full_every, gated_mlp, gqa, sliding_by_layer
from .blocks.heads import stem
from .blocks.seeing_qwen import qwen2_5_vision
from .nested import text_config, text_model
from .olmo import reordered


def exaone(c: Config) -> Iterator[Part]:
    """EXAONE 3 and 3.5: Llama under names of its own, which transformers 5.24 renames to Llama's.

    Source: modeling_exaone of LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct; modeling_llama in transformers 5.24.
    Checked: LGAI-EXAONE/EXAONE-3.5-2.4B-Instruct stored 2,405,327,360, Hub 2,405,327,360, residual 0.
    """
    yield from decoder(
        c,
        attention=gqa(c, bias=c.flag("attention_bias"), path="attn.attention", out="out_proj"),
        mlp=gated_mlp(c, bias=c.flag("mlp_bias"), matrices=("c_fc_0", "c_fc_1", "c_proj")),
        layer_norms=("ln_1", "ln_2"),
        base="transformer",
        layers="h",
        embed="wte",
        final_norm="ln_f",
    )


def exaone4(c: Config) -> Iterator[Part]:
    """EXAONE 4: norms of what attention and the MLP put out, and over queries and keys; three layers in four slide.

    Source: modeling_exaone4 in transformers 5.24.  Implied: q_norm, k_norm.
    Checked: LGAI-EXAONE/EXAONE-4.0.1-32B stored 32,003,216,384, Hub 32,003,216,384, residual 0.
    """
    # a number, or a word such as LLLG with a letter a layer; none where no layer has a window
    word = c.get("sliding_window_pattern")
    every = len(word) if isinstance(word, str) and word else "sliding_window_pattern"
    pattern = full_every(c, every) if c.has("sliding_window") else None
    yield from reordered(c, sliding_by_layer(c, gqa(c, qk_norm=True), default=pattern))


def exaone4_5(c: Config) -> Iterator[Part]:
    """EXAONE 4.5: Qwen2.5-VL's tower with fewer key and value heads, before EXAONE 4.

    Source: modeling_exaone4_5 in transformers 5.24.
    Checked: the class's defaults, residual 0.
    """
    at, vision = stem(c, "model"), c.sub("vision_config")
    yield from qwen2_5_vision(vision, f"{at}visual.", kv_heads=vision.num_key_value_heads)
    yield from text_model(text_config(c), f"{at}language_model.")
