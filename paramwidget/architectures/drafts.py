"""Draft models, which speculate for a larger one: they read its hidden states, and use its embedding table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..config import Config
from ..layers import LayerRun, LayerSpec
from ..tensors import TensorSpec
from .blocks import Part, gated_mlp, gqa, linear, normed, rms_norm
from .blocks.base import place
from .blocks.stack import one_layer, runs
from .llama import qwen_windows

NORMS = ("input_layernorm", "post_attention_layernorm")


def eagle3(c: Config) -> Iterator[Part]:
    """EAGLE-3: three hidden states of the target in one map, one layer of Llama that reads them beside the embedding.

    Its head is over ``draft_vocab_size`` words, and two tables map these to the target's. The embedding is the target's
    and not in the files.

    Source: specforge/modeling/draft/llama3_eagle.py of sgl-project/SpecForge.
    Implied: the map, twice the width that attention reads, the two tables.
    Checked: by hand for SpecForge's draft of Llama-3.1-8B, 424,689,664 and the tables' 160,256.
    """
    c = c.flat("llama")
    hidden, norm = c.hidden_size, rms_norm(c)
    if c.num_hidden_layers != 1:
        raise c.error("num_hidden_layers", int(c.num_hidden_layers), "is not described for a draft; 1 is")
    read = c.target_hidden_size if c.has("target_hidden_size") else hidden
    attention, mlp = gqa(c, bias=c.flag("attention_bias"), inn=hidden * 2), gated_mlp(c)
    one = [*norm("hidden_norm"), *one_layer(norm, NORMS, attention, mlp)]
    yield from linear("fc", hidden, read * 3, role="other", note="joins three hidden states of the target")
    yield from place(one, "midlayer.")
    yield from norm("norm")
    yield TensorSpec("lm_head.weight", (c.draft_vocab_size, hidden), "lm_head")
    for name, size in (("d2t", c.draft_vocab_size), ("t2d", c.vocab_size)):
        yield TensorSpec(
            name, (size,), "other", "buffer", implied=True, note="maps words of the two vocabularies"
        )
    yield LayerRun(range(1), LayerSpec(0, **attention.facts, **mlp.facts))


def dflash(c: Config) -> Iterator[Part]:
    """DFlash: hidden states of several layers of the target in one map, a few layers of Qwen3, no tables of its own.

    Source: specforge/modeling/draft/dflash.py of sgl-project/SpecForge.  Implied: the map, q_norm, k_norm.
    Checked: by hand for SpecForge's draft of Qwen3-8B, 1,048,626,432.
    """
    c = c.flat("qwen3")
    hidden, n, norm = c.hidden_size, int(c.num_hidden_layers), rms_norm(c)
    own = c.get("dflash_config", {})
    if not isinstance(own, Mapping):
        raise c.error("dflash_config", own, "must be an object")
    mode = own.get("attention_mode", "gqa") if "attention_modes" not in own else own["attention_modes"]
    if mode != "gqa":
        raise c.error("dflash_config.attention_mode", mode, "is not described; gqa is")
    ids = own.get("target_layer_ids")
    read = (
        n
        if ids is None
        else len(c.layers_in("dflash_config.target_layer_ids", ids, int(c.num_target_layers)))
    )
    full, mlp = gqa(c, bias=c.flag("attention_bias"), qk_norm=True), gated_mlp(c)
    yield from linear("fc", hidden, hidden * read, role="other", note="joins hidden states of the target")
    yield from normed(norm, "hidden_norm", "norm").tensors
    yield from place(one_layer(norm, NORMS, full, mlp), "layers.{layer}.", range(n))
    yield from runs(qwen_windows(c, full), mlp, n)
