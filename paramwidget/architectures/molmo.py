"""Molmo."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Part, gated_mlp, gqa, linear, place, rms_norm
from .blocks.stack import runs
from .blocks.towers import layer, layers, norm, pair, patches, table

#: rows for marks in the text, kept apart from the table
NEW_ROWS = 128
#: layers of the tower that are laid side by side
SIDE_BY_SIDE = 2


def molmo(c: Config) -> Iterator[Part]:
    """Molmo 7B-D and 72B: OLMo's names around Qwen2's layers, CLIP without its last one, attention that pools patches.

    The tower stands in no config: it is CLIP ViT-L/14 at 336 pixels.

    Source: modeling_molmo of allenai/Molmo-7B-D-0924; names, from the files.  Implied: all that sees, 128 rows.
    Checked: allenai/Molmo-7B-D-0924 stored 8,021,025,280, reported 8,021,025,280, residual 0.
    """
    for key in ("attention_layer_norm", "moe_num_experts", "norm_after", "weight_tying"):
        if c.get(key):
            raise c.error(key, c.get(key), "is not described: only what is built on Qwen2 is")
    at, hidden, n = "model.transformer.", c.hidden_size, int(c.num_hidden_layers)
    rows = c.embedding_size if c.has("embedding_size") else c.vocab_size
    attention = gqa(c, bias=c.flag("qkv_bias"), out_bias=False, path="", fused="att_proj", out="attn_out")
    width = c.intermediate_size // 2
    mlp = gated_mlp(c, width, matrices=("ff_proj", "ff_out"), path="")
    norm_of = rms_norm(c)
    own = [*norm_of("attn_norm"), *attention.tensors, *norm_of("ff_norm"), *mlp.tensors]
    yield TensorSpec(f"{at}wte.embedding", (rows, hidden), "embedding")
    yield TensorSpec(f"{at}wte.new_embedding", (NEW_ROWS, hidden), "embedding", note="rows for marks")
    yield from place(own, f"{at}blocks.{{layer}}.", range(n))
    yield from norm_of(f"{at}ln_f")
    yield TensorSpec(f"{at}ff_out.weight", (rows, hidden), "lm_head")
    yield from _vision(c.sub("vision_config", "clip_vision_model"), "model.vision_backbone.", hidden, width)
    yield from runs(attention, mlp, n)


def _vision(v: Config, at: str, text: int, width: int) -> Iterator[TensorSpec]:
    """CLIP under other names, pooling by attention over neighbours, and a gated map into the text width."""
    hidden, vit = v.hidden_size, f"{at}image_vit."
    high, wide = pair(v, "patch_size")
    one = layer(
        hidden,
        v.intermediate_size,
        norms=("attention_norm", "ffn_norm"),
        attention=[f"attention.{n}" for n in ("wq", "wk", "wv", "wo")],
        mlp=("feed_forward.w1", "feed_forward.w2"),
    )
    yield table(f"{vit}class_embedding", hidden)
    yield table(f"{vit}positional_embedding", patches(v) + 1, hidden)
    yield from linear(f"{vit}patch_embedding", hidden, v.num_channels * high * wide, role="vision")
    yield from norm(f"{vit}pre_ln", hidden)
    yield from layers(one, f"{vit}transformer.resblocks.", v.num_hidden_layers - 1)
    seen = hidden * SIDE_BY_SIDE
    for name, width_in in (("wq", seen), ("wk", seen), ("wv", seen), ("wo", hidden)):
        yield from linear(f"{at}image_pooling_2d.{name}", hidden, width_in, role="projector", bias=True)
    for name, out, inn in (("w1", width, hidden), ("w2", text, width), ("w3", width, hidden)):
        yield from linear(f"{at}image_projector.{name}", out, inn, role="projector")
    yield table(f"{at}pad_embed", 2, seen, role="projector")
