"""Molmo 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Part, decoder, gated_mlp, gqa, linear, place, qk_norms, rms_norm
from .blocks.heads import stem
from .blocks.stack import runs
from .blocks.towers import features, layer, layers, norm, pair, patches, table
from .nested import text_config, text_model

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


def molmo2(c: Config) -> Iterator[Part]:
    """Molmo 2: a tower with layers side by side, a pooling attention, a gated projector; more rows than the head.

    Source: modeling_molmo2 in transformers 5.24.  Implied: biases of the tower.
    Checked: the class's defaults, 8,694,602,192, residual 0.
    """
    at, v, a = stem(c, "model"), c.sub("vision_config"), c.sub("adapter_config")
    hidden, tower = v.hidden_size, f"{at}vision_tower."
    high, wide = pair(v, "image_size") if v.has("image_size") else (378, 378)
    rows = high // v.patch_size * (wide // v.patch_size)
    if v.has("num_position_embeddings"):
        rows = v.num_position_embeddings
    one = _norms(hidden) + _attention(v, "self_attn.", hidden, "vision")
    one += linear("mlp.fc1", v.intermediate_size, hidden, role="vision", bias=True)
    one += linear("mlp.fc2", hidden, v.intermediate_size, role="vision", bias=True)
    yield table(f"{tower}positional_embedding", rows, hidden)
    pixels = v.num_channels * v.patch_size * v.patch_size
    yield from linear(f"{tower}patch_embedding", hidden, pixels, role="vision", bias=True)
    yield from layers(one, f"{tower}layers.", v.num_hidden_layers)
    seen = features(a) if a.has("vision_feature_layer") else 2
    projector = f"{at}multi_modal_projector."
    yield from place(_attention(a, "image_pooling_2d.", a.hidden_size * seen, "projector"), projector)
    for name, out, inn, bias in (
        ("gate_proj", a.intermediate_size, a.hidden_size, a.flag("mlp_bias")),
        ("up_proj", a.intermediate_size, a.hidden_size, a.flag("mlp_bias")),
        ("down_proj", a.text_hidden_size, a.intermediate_size, False),
    ):
        yield from linear(f"{projector}image_projector.{name}", out, inn, role="projector", bias=bias)
    yield from text_model(text_config(c), f"{at}language_model.")


def _norms(hidden: Dim) -> list[TensorSpec]:
    return [*norm("layer_norm1", hidden), *norm("layer_norm2", hidden)]


def _attention(v: Config, at: str, seen: int, role: str) -> list[TensorSpec]:
    """Attention whose heads have a width of their own, to what is ``seen``."""
    q, kv, bias = (
        v.num_attention_heads * v.head_dim,
        v.num_key_value_heads * v.head_dim,
        v.flag("attention_bias"),
    )
    return [
        *linear(f"{at}q_proj", q, seen, role=role, bias=bias),
        *linear(f"{at}k_proj", kv, seen, role=role, bias=bias),
        *linear(f"{at}v_proj", kv, seen, role=role, bias=bias),
        *linear(f"{at}o_proj", v.hidden_size, q, role=role, bias=bias),
    ]


def molmo2_text(c: Config) -> Iterator[Part]:
    """Its text model: Qwen3, or OLMo 2's norms of all heads together; rows for images that the head does not have.

    Source: modeling_molmo2 in transformers 5.24.  Implied: q_norm, k_norm.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=False)
    if c.get("qk_norm_type") == "qwen3":
        norms = qk_norms((c.head_dim,))
    else:
        norms = qk_norms((c.num_attention_heads * c.head_dim,), (c.num_key_value_heads * c.head_dim,))
    for part in decoder(c, attention=attention.plus(*norms), mlp=gated_mlp(c)):
        if isinstance(part, TensorSpec) and part.role == "embedding":
            part = replace(part, shape=(c.vocab_size + c.additional_vocab_size, c.hidden_size))
        yield part
