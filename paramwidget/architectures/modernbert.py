"""Encoders of a newer make: ModernBERT and Nomic's BERT, with rotary positions and gated MLPs."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial

from ..config import Config
from ..tensors import TensorSpec
from .blocks import Block, Part, by_layer, decoder, layer_norm, linear, multi_head
from .blocks.base import place
from .blocks.encoder import encoder, encoder_head, masked_lm, pooler, tables
from .blocks.heads import labels, output, stem
from .blocks.seeing import tower
from .nested import renamed, text_config, text_model

NOMIC_LM = partial(
    masked_lm,
    dense="cls.predictions.transform.dense",
    norm="cls.predictions.transform.layer_norm",
    decoder="cls.predictions.decoder",
    own_bias="cls.predictions.bias",
)


def modernbert(c: Config) -> Iterator[Part]:
    """ModernBERT: norms before each part but the first, gate and up in one matrix, two layers of three see a window.

    Source: modeling_modernbert in transformers 5.24.  Implied: the first layer has no norm before its attention.
    Checked: its default config, that of answerdotai/ModernBERT-base, stored 149,655,232 with its language head,
    transformers 149,655,232, residual 0.
    """
    bias, width = c.flag("mlp_bias"), c.intermediate_size
    norm = layer_norm(c, bias=c.flag("norm_bias"))
    mlp = (
        *linear("mlp.Wi", 2 * width, c.hidden_size, role="mlp", bias=bias),
        *linear("mlp.Wo", c.hidden_size, width, role="mlp", bias=bias),
    )
    full = multi_head(c, "attn.Wqkv", "attn.Wo", bias=c.flag("attention_bias"), implied_bias=False)
    yield from encoder(
        c,
        attention=windows(c, full),
        mlp=Block((*norm("mlp_norm"), *mlp), {"ffn": "dense"}),
        base="model",
        layers="layers",
        embed="embeddings.tok_embeddings",
        extra=norm("embeddings.norm"),
        post_norms=(),
        norm=norm,
        final_norm="final_norm",
        top=modernbert_head,
    )
    yield from place(norm("attn_norm"), f"{stem(c, 'model')}layers.{{layer}}.", range(1, c.num_hidden_layers))


def modernbert_decoder(c: Config) -> Iterator[Part]:
    """ModernBERT that sees one way: three maps in place of one, the same head.

    Source: modeling_modernbert_decoder in transformers 5.24.
    Implied: the first layer has no norm before its attention.
    Checked: the class's defaults, 149,655,232, residual 0.
    """
    bias, width = c.flag("mlp_bias"), c.intermediate_size
    norm = layer_norm(c, bias=c.flag("norm_bias"))
    mlp = (
        *linear("mlp.Wi", 2 * width, c.hidden_size, role="mlp", bias=bias),
        *linear("mlp.Wo", c.hidden_size, width, role="mlp", bias=bias),
    )
    names = [f"attn.{n}" for n in ("q_proj", "k_proj", "v_proj", "Wo")]
    full = multi_head(c, *names, bias=c.flag("attention_bias"), implied_bias=False)
    yield from decoder(
        c,
        attention=windows(c, full, one_way=True),
        mlp=Block((*norm("mlp_norm"), *mlp), {"ffn": "dense"}),
        embed="embeddings.tok_embeddings",
        extra=norm("embeddings.norm"),
        norm=norm,
        layer_norms=(),
        final_norm="final_norm",
        top=_decoder_head,
    )
    yield from place(norm("attn_norm"), f"{stem(c, 'model')}layers.{{layer}}.", range(1, c.num_hidden_layers))


def _decoder_head(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    if c.head == "none":
        return
    at, hidden = "lm_head" if c.head == "causal" else "head", c.hidden_size
    yield from linear(f"{at}.dense", hidden, hidden, role="lm_head", bias=c.flag("classifier_bias"))
    yield from layer_norm(c, bias=c.flag("norm_bias"), role="lm_head")(f"{at}.norm")
    if c.head == "causal":
        yield from output(c, "decoder", table, bias=c.flag("decoder_bias"))
    else:
        yield from linear("classifier", labels(c), hidden, role="lm_head", bias=c.flag("classifier_bias"))


def windows(c: Config, full: Block, *, one_way: bool = False) -> list[Block]:
    """Every third layer sees all, or what ``layer_types`` says; the others see ``local_attention`` tokens.

    ``one_way``: half of them, or ``sliding_window``.
    """
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds = c.list_of("layer_types", n, ("full_attention", "sliding_attention"))
    else:
        every = int(c.global_attn_every_n_layers)
        kinds = ["sliding_attention" if i % every else "full_attention" for i in range(n)]
    window = c.sliding_window if one_way and c.has("sliding_window") else c.local_attention // (1 + one_way)
    sliding = full.with_facts(mixer="sliding", window=int(window))
    return by_layer(kinds, full_attention=full, sliding_attention=sliding)


def modernvbert(c: Config) -> Iterator[Part]:
    """ModernVBERT: SigLIP with its head, patches shuffled into channels, one map, ModernBERT with its head renamed.

    Source: modeling_modernvbert in transformers 5.24.
    Checked: the class's defaults, 290,659,264, residual 0.
    """
    text = text_config(c, "modernbert")
    at = yield from shuffled_tower(c, text)
    for part in text_model(text, f"{at}text_model."):
        yield renamed(part, _words)


def shuffled_tower(c: Config, text: Config) -> Generator[Part, None, str]:
    """SigLIP with its head, its patches shuffled into channels, and one map; returns the prefix of the body's names."""
    at, vision = stem(c, "model"), c.sub("vision_config")
    yield from tower(vision, f"{at}vision_model.", inside="")
    seen = vision.hidden_size * c.pixel_shuffle_factor * c.pixel_shuffle_factor
    yield from linear(f"{at}connector.modality_projection", text.hidden_size, seen, role="projector")
    return at


def _words(name: str) -> str:
    """The names of ModernBERT's head in ModernVBERT."""
    for ours, theirs in (("head.", "projection_head."), ("decoder.", "lm_head.")):
        name = theirs + name.removeprefix(ours) if name.startswith(ours) else name
    return name


def modernbert_head(c: Config, table: TensorSpec) -> Iterator[TensorSpec]:
    """A map and a norm under every head, then back to the vocabulary or to the classes."""
    if c.head == "none":
        return
    hidden = c.hidden_size
    yield from linear("head.dense", hidden, hidden, role="lm_head", bias=c.flag("classifier_bias"))
    yield from layer_norm(c, bias=c.flag("norm_bias"), role="lm_head")("head.norm")
    if c.head == "masked":
        yield from output(c, "decoder", table, bias=c.flag("decoder_bias"))
    else:
        out = 1 if c.head == "choice" else labels(c)
        yield from linear("classifier", out, hidden, role="lm_head", bias=True, note="classifier")


def nomic_bert(c: Config) -> Iterator[Part]:
    """Nomic's BERT: rotary positions, q, k and v in one matrix, a gated MLP, no biases in the layers.

    Source: modeling_nomic_bert in transformers 5.24, names of the Hub files; the switches for biases, which
    transformers drops, from the files' own code.
    Checked: nomic-ai/nomic-embed-text-v1.5 stored 136,731,648, transformers 136,731,648, residual 0.
    """
    for key in ("moe_every_n_layers", "num_experts"):
        if c.get(key, 0):
            raise c.error(key, c.get(key), "is not described: only the dense model is")
    qkv, up, down = (
        c.flag(key, otherwise=False) for key in ("qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias")
    )
    gated = c.get("activation_function", "swiglu") in ("swiglu", "geglu", "glu")
    mlp: list[TensorSpec] = []
    for name in ("mlp.fc11", "mlp.fc12") if gated else ("mlp.fc1",):
        mlp += linear(name, c.intermediate_size, c.hidden_size, role="mlp", bias=up)
    mlp += linear("mlp.fc2", c.hidden_size, c.intermediate_size, role="mlp", bias=down)
    own = [*tables(c, positions=False), *layer_norm(c)("emb_ln"), *pooler(c, pooled=("sequence",))]
    yield from encoder(
        c,
        attention=multi_head(
            c, "attn.Wqkv", "attn.out_proj", bias=qkv, implied_bias=False, head_dim=c.head_dim
        ),
        mlp=Block(tuple(mlp), {"ffn": "dense"}),
        base="bert",
        layers="encoder.layers",
        extra=own,
        post_norms=("norm1", "norm2"),
        top=partial(encoder_head, language=NOMIC_LM),
    )
