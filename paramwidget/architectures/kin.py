"""Dense decoders that are Llama but for a bias, a norm or a window."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import (
    Part,
    decoder,
    full_every,
    gated_mlp,
    gqa,
    layer_norm,
    qk_norms,
    sliding_by_layer,
    vector,
)
from .llama import llama


def llama_copy(c: Config) -> Iterator[Part]:
    """Aquila, Skywork and XVERSE: remote code that is a copy of Llama's as it was, before its configs named biases.

    Source: modeling_aquila of BAAI/AquilaChat2-7B, modeling_xverse of xverse/XVERSE-7B; loaders that treat Skywork as
    Llama.
    Checked: xverse/XVERSE-7B stored 7,299,846,144, from the modelling code only.
    """
    yield from decoder(c, attention=gqa(c), mlp=gated_mlp(c))


def windowed_llama(c: Config) -> Iterator[Part]:
    """SmolLM3, Ministral: Llama with windows where the config names them; SmolLM3's layers without rope do not show.

    Source: modeling_smollm3, modeling_ministral, modeling_ministral3 in transformers 5.24.
    Checked: HuggingFaceTB/SmolLM3-3B-Base stored 3,075,098,624, Hub 3,075,098,624, residual 0.
    """
    attention = gqa(c, bias=bool(c.get("attention_bias")))
    yield from decoder(
        c, attention=sliding_by_layer(c, attention), mlp=gated_mlp(c, bias=bool(c.get("mlp_bias")))
    )


def cwm(c: Config) -> Iterator[Part]:
    """Code World Model: Llama where three layers in four slide, the first sees all.

    Source: modeling_cwm in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    attention = sliding_by_layer(c, gqa(c), default=full_every(c, 4, offset=0))
    yield from decoder(c, attention=attention, mlp=gated_mlp(c, bias=c.flag("mlp_bias")))


def seed_oss(c: Config) -> Iterator[Part]:
    """Seed-OSS: a bias of q, k and v, and one of its own for the output.

    Source: modeling_seed_oss in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=c.flag("attention_out_bias"))
    yield from decoder(c, attention=attention, mlp=gated_mlp(c, bias=c.flag("mlp_bias")))


def helium(c: Config) -> Iterator[Part]:
    """Helium: Llama whose output map has no bias and takes hidden_size, whatever the heads.

    Source: modeling_helium in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), out_bias=False, out_width=c.hidden_size)
    yield from decoder(c, attention=attention, mlp=gated_mlp(c, bias=c.flag("mlp_bias")))


def ernie4_5(c: Config) -> Iterator[Part]:
    """ERNIE 4.5, dense: one ``use_bias`` for all maps.

    Source: modeling_ernie4_5 in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    bias = c.flag("use_bias")
    yield from decoder(c, attention=gqa(c, bias=bias), mlp=gated_mlp(c, bias=bias))


def hunyuan_v1_dense(c: Config) -> Iterator[Part]:
    """Hunyuan, dense: Llama with a norm over each head of the queries and keys.

    Source: modeling_hunyuan_v1_dense in transformers 5.24.  Implied: query_layernorm, key_layernorm.
    Checked: a small model that transformers builds, name by name, residual 0.
    """
    norms = qk_norms((c.head_dim,), names=("query_layernorm", "key_layernorm"))
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")).plus(*norms), mlp=gated_mlp(c))


def granite_swa(c: Config) -> Iterator[Part]:
    """Granite with windows: Llama with sinks, where three layers in four slide and the first sees all.

    Source: modeling_granite_swa in transformers 5.24.  Implied: sinks.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"), sinks=True)
    yield from decoder(
        c,
        attention=sliding_by_layer(c, attention, default=full_every(c, 4, offset=0)),
        mlp=gated_mlp(c, bias=c.flag("mlp_bias")),
    )


def yi(c: Config) -> Iterator[Part]:
    """Yi under its first type, before its files took Llama's names: two norms are called otherwise.

    Source: modeling_yi of 01-ai/Yi-34B in 2023.
    Checked: 01-ai/Yi-34B stored 34,388,917,248, Hub 34,388,917,248, residual 0.
    """
    yield from decoder(c, attention=gqa(c), mlp=gated_mlp(c), layer_norms=("ln1", "ln2"))


def internlm3(c: Config) -> Iterator[Part]:
    """InternLM3: Llama; files say ``qkv_bias`` and ``bias`` where transformers has the names of Llama.

    Source: modeling_internlm3 of internlm/internlm3-8b-instruct; modeling_llama in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    if not c.has("qkv_bias"):
        yield from llama(c)
        return
    bias = c.flag("bias")
    attention = gqa(c, bias=c.flag("qkv_bias"), out_bias=bias)
    yield from decoder(c, attention=attention, mlp=gated_mlp(c, bias=bias))


def bitnet(c: Config) -> Iterator[Part]:
    """BitNet b1.58: a norm before the output of attention and before that of the MLP.

    Source: modeling_bitnet in transformers 5.24.  Implied: attn_sub_norm, ffn_sub_norm.
    Checked: microsoft/bitnet-b1.58-2B-4T-bf16 stored 2,412,820,480, Hub 2,412,820,480, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"))
    inner = vector("self_attn.attn_sub_norm.weight", c.hidden_size, role="attention", implied=True)
    width = vector("mlp.ffn_sub_norm.weight", c.intermediate_size, role="mlp", implied=True)
    yield from decoder(c, attention=attention.plus(inner), mlp=gated_mlp(c).plus(width))


def diffllama(c: Config) -> Iterator[Part]:
    """DiffLlama: the difference of two attentions, weighted by four vectors of head_dim; its norm has no parameters.

    Source: modeling_diffllama in transformers 5.24.  Implied: the lambda vectors.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    attention = gqa(c, bias=c.flag("attention_bias"))
    weights = [
        vector(f"self_attn.lambda_{of}{i}", c.head_dim, role="attention", implied=True)
        for i in (1, 2)
        for of in "qk"
    ]
    yield from decoder(c, attention=attention.plus(*weights), mlp=gated_mlp(c))


def hyperclovax(c: Config) -> Iterator[Part]:
    """HyperCLOVA X: Granite, and with ``use_post_norm`` a norm of what attention and the MLP put out.

    Source: modeling_hyperclovax in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    yield from decoder(
        c,
        attention=gqa(c, bias=c.flag("attention_bias")),
        mlp=gated_mlp(c, bias=c.flag("mlp_bias")),
        post_norms=("post_norm1", "post_norm2") if c.flag("use_post_norm") else (),
    )


def orion(c: Config) -> Iterator[Part]:
    """Orion: Llama whose norms have a bias.

    Source: modeling_orion of OrionStarAI/Orion-14B-Base.
    Checked: OrionStarAI/Orion-14B-Chat stored 14,498,703,360, from the modelling code only.
    """
    yield from decoder(c, attention=gqa(c), mlp=gated_mlp(c), norm=layer_norm(c))
