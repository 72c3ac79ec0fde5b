"""CPM-Ant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, decoder, gated_mlp, multi_head
from .blocks.heads import stem


def cpmant(c: Config) -> Iterator[Part]:
    """CPM-Ant: rows of the table for words and places in prompts; biases for kinds of segments and distances.

    The prompt's tokens stand before the text, so its keys and values are kept as those of any token.

    Source: modeling_cpmant in transformers 5.24.  The head is not tied, whatever the config says.
    Checked: the class's defaults, 9,517,453,312, residual 0.
    """
    attention, ffn, hidden = "self_att.self_attention.", "ffn.ffn.", c.hidden_size
    names = [f"{attention}{n}" for n in ("project_q", "project_k", "project_v", "attention_out")]
    at, kinds = stem(c, "cpmant"), c.segment_types
    yield TensorSpec(f"{at}segment_embedding.weight", (kinds, hidden), "position")
    bias = (kinds * kinds + c.position_bias_num_buckets, c.num_attention_heads)
    yield TensorSpec(f"{at}position_bias.relative_attention_bias", bias, "position")
    parts = decoder(
        c,
        attention=multi_head(c, *names, head_dim=c.dim_head, bias=False),
        mlp=gated_mlp(c, c.dim_ff, path="", matrices=(f"{ffn}w_in.w_0", f"{ffn}w_in.w_1", f"{ffn}w_out")),
        layer_norms=("self_att.layernorm_before_attention", "ffn.layernorm_before_ffn"),
        base="cpmant",
        layers="encoder.layers",
        embed="input_embedding",
        final_norm="encoder.output_layernorm",
        may_tie=False,
    )
    for part in parts:
        if isinstance(part, TensorSpec) and part.role == "embedding":
            rows = c.vocab_size + c.natural("prompt_types") * c.natural("prompt_length")
            part = replace(part, shape=(rows, hidden))
        yield part
