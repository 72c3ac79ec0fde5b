"""XLM and FlauBERT."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, layer_norm, multi_head, plain_mlp
from .blocks.base import place
from .blocks.encoder import without_cache
from .blocks.heads import output
from .blocks.stack import runs


def xlm(c: Config) -> Iterator[Part]:
    """XLM and FlauBERT: the parts of its layers in lists beside each other; a width of four times the table's.

    Source: modeling_xlm and modeling_flaubert in transformers 5.24.  Implied: all biases, the width.
    Checked: the classes' defaults, 667,119,041, residual 0.
    """
    if c.flag("asm"):
        raise c.error("asm", True, "asks for an adaptive head, which is not described")
    at, hidden = "" if c.head == "none" else "transformer.", c.emb_dim
    own = c.layer("emb_dim", {"hidden_size": hidden})
    n, norm = int(c.num_hidden_layers), layer_norm(own)
    words = TensorSpec(f"{at}embeddings.weight", (c.vocab_size, hidden), "embedding")
    yield words
    rows = (c.max_position_embeddings, hidden)
    yield TensorSpec(f"{at}position_embeddings.weight", rows, "position")
    languages = c.natural("n_langs")
    if languages > 1 and c.flag("use_lang_emb"):
        yield TensorSpec(f"{at}lang_embeddings.weight", (languages, hidden), "other", note="languages")
    yield from place(norm("layer_norm_emb"), at)
    attention = multi_head(own, *(f"attentions.{{layer}}.{m}_lin" for m in ("q", "k", "v", "out")))
    mlp = plain_mlp(
        own, "ffns.{layer}.lin1", "ffns.{layer}.lin2", width=hidden * 4, bias=True, implied_bias=True
    )
    norms = [t for i in (1, 2) for t in norm(f"layer_norm{i}.{{layer}}")]
    yield from place([*attention.tensors, *mlp.tensors, *norms], at, range(n))
    if c.head == "causal":
        yield from output(c, "pred_layer.proj", words, bias=True)
    yield from runs(attention if c.flag("causal") else without_cache(attention), mlp, n)
