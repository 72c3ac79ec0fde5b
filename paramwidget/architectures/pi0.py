"""Pi0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..layers import LayerRun
from .blocks import Part
from .blocks.heads import stem
from .blocks.towers import maps
from .gemma import gemma
from .llava import paligemma
from .nested import renamed

#: the parts of its PaliGemma where the config leaves it out
WITHIN = {
    "text_config": {
        "hidden_size": 2048,
        "intermediate_size": 16384,
        "num_attention_heads": 8,
        "num_hidden_layers": 18,
        "num_key_value_heads": 1,
        "vocab_size": 257152,
    },
    "vision_config": {
        "hidden_size": 1152,
        "image_size": 224,
        "intermediate_size": 4304,
        "num_attention_heads": 16,
        "num_hidden_layers": 27,
        "patch_size": 14,
        "vision_use_head": False,
    },
}


def pi0(c: Config) -> Iterator[Part]:
    """Pi0: PaliGemma, whose cache a second Gemma reads to make the actions of a robot; neither has a head.

    The second one's table of words is never read. What it keeps of its own actions is dropped after each step.

    Source: modeling_pi0 in transformers 5.24.  Implied: the maps of actions and states.
    Checked: the class's defaults, 3,501,372,176, residual 0.
    """
    if c.is_bare:
        c = c.layer("vlm_config", {"vlm_config": {**c.sub("vlm_config").data, **WITHIN}})
    at, vlm, dit = stem(c, "model"), c.sub("vlm_config"), c.sub("dit_config")
    vlm.head = dit.head = "none"
    dit = dit.layer("vlm_config.text_config", {"vocab_size": vlm.sub("text_config").vocab_size})
    for part in paligemma(vlm):
        yield renamed(part, lambda name: f"{at}vlm." + name.replace("model.model.", "model."))
    for part in gemma(dit):
        if not isinstance(part, LayerRun):
            unread = part.role == "embedding"
            part = replace(part, role="other", active_copies=0) if unread else part
            yield renamed(part, lambda name: f"{at}dit.{name}")
    if c.head != "none":
        hidden, action = dit.hidden_size, "embed_action_time."
        yield from maps(
            (f"{action}action_in_proj", hidden, c.max_action_dim),
            (f"{action}state_proj", hidden, c.max_state_dim),
            (f"{action}action_time_mlp_in", hidden, 2 * hidden),
            (f"{action}action_time_mlp_out", hidden, hidden),
            ("action_out_proj", c.max_action_dim, hidden),
            role="other",
        )
