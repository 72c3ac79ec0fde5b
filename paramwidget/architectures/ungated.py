"""Dense decoders whose MLP has no gate: an up and a down map around a plain activation."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from ..tensors import TensorSpec
from .blocks import (
    Part,
    decoder,
    gqa,
    layer_norm,
    linear,
    no_norm,
    plain_mlp,
    qk_norms,
    sliding_by_layer,
    vector,
)
from .blocks.drawing import ibq_encoder
from .blocks.heads import output, stem
from .blocks.seanet import wav_tokenizer
from .blocks.seeing import siglip2
from .blocks.towers import maps, norm
from .nested import text_config, text_model


def arcee(c: Config) -> Iterator[Part]:
    """Arcee (AFM): Llama without the gate.

    Source: modeling_arcee in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    mlp = plain_mlp(c, "mlp.up_proj", "mlp.down_proj", bias=c.flag("mlp_bias"))
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=mlp)


def nemotron(c: Config) -> Iterator[Part]:
    """Nemotron-4, Minitron and Jais 2: no gate, norms with a bias.

    Source: modeling_nemotron, modeling_jais2 in transformers 5.24.
    Checked: small models that transformers builds, name by name, residual 0.
    """
    mlp = plain_mlp(c, "mlp.up_proj", "mlp.down_proj", bias=c.flag("mlp_bias"))
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=mlp, norm=layer_norm(c))


def apertus(c: Config) -> Iterator[Part]:
    """Apertus: no gate; norms over queries and keys; the activation xIELU learns two numbers and stores two.

    Source: modeling_apertus in transformers 5.24.  Implied: q_norm, k_norm, the activation's numbers.
    Checked: swiss-ai/Apertus-8B-Instruct-2509 stored 8,053,338,240, Hub 8,053,338,176: its files lack the 64 buffers.
    """
    mlp = plain_mlp(c, "mlp.up_proj", "mlp.down_proj", bias=False)
    if c.get("hidden_act", "xielu") == "xielu":
        mlp = mlp.plus(
            *(vector(f"mlp.act_fn.{name}", 1, role="mlp", implied=True) for name in ("alpha_p", "alpha_n")),
            *(
                vector(f"mlp.act_fn.{name}", 1, role="mlp", kind="buffer", implied=True)
                for name in ("beta", "eps")
            ),
        )
    attention = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    yield from decoder(
        c,
        attention=attention,
        mlp=mlp,
        layer_norms=("attention_layernorm", "feedforward_layernorm"),
        top=_pruned if c.has("output_vocab_size") and c.head == "causal" else None,
    )


def apertus1p5(c: Config) -> Iterator[Part]:
    """Apertus 1.5: images and sound become codes among the words of Apertus; its head may have fewer of them.

    Source: modeling_apertus1p5 and modeling_wavtokenizer in transformers 5.24.  Implied: the codebooks' buffers.
    Checked: the class's defaults, 8,317,544,000 and 4,198,465 in buffers, residual 0.
    """
    at = stem(c, "model")
    audio = c.sub("audio_config", "wavtokenizer_encoder")
    if audio.model_type != "wavtokenizer_encoder":
        raise c.error(
            "audio_config.model_type", audio.model_type, "is not described; wavtokenizer_encoder is"
        )
    yield from ibq_encoder(c.sub("vision_config"), f"{at}vision_tokenizer.")
    yield from wav_tokenizer(audio, f"{at}audio_tokenizer.")
    yield from text_model(text_config(c), f"{at}language_model.")


def _pruned(c: Config, table: TensorSpec) -> list[TensorSpec]:
    """The head of Apertus 1.5, which may leave out the last words of the table: those of images and sounds."""
    if c.flag("tie_word_embeddings"):
        return output(c, "lm_head", table)
    return linear("lm_head", c.output_vocab_size, table.shape[1], role="lm_head")


def nanochat(c: Config) -> Iterator[Part]:
    """NanoChat: no gate, norms without parameters.

    Source: modeling_nanochat in transformers 5.24.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    mlp = plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=False)
    attention = gqa(c, bias=c.flag("attention_bias"))
    yield from decoder(c, attention=attention, mlp=mlp, norm=no_norm)


def starcoder2(c: Config) -> Iterator[Part]:
    """StarCoder2: no gate, norms with a bias, one ``use_bias`` for all maps.

    Source: modeling_starcoder2 in transformers 5.24.
    Checked: bigcode/starcoder2-7b stored 7,173,923,840, residual 0; its files hold the tied head again.
    """
    bias = c.flag("use_bias")
    attention = sliding_by_layer(c, gqa(c, bias=bias))
    mlp = plain_mlp(c, "mlp.c_fc", "mlp.c_proj", bias=bias)
    yield from decoder(c, attention=attention, mlp=mlp, norm=layer_norm(c))


def persimmon(c: Config) -> Iterator[Part]:
    """Persimmon: biases everywhere, q, k and v in one matrix, norms with a bias over queries and keys.

    Source: modeling_persimmon in transformers 5.24.  Implied: all biases.
    Checked: the model that transformers builds of the class defaults, residual 0.
    """
    head_dim = c.divide("hidden_size", "num_attention_heads")
    attention = gqa(
        c,
        bias=True,
        implied_bias=True,
        head_dim=head_dim,
        kv_heads=c.num_attention_heads,
        fused="query_key_value",
        out="dense",
    )
    if c.flag("qk_layernorm"):
        norms = qk_norms((head_dim,), bias=True, implied=False, names=("q_layernorm", "k_layernorm"))
        attention = attention.plus(*norms)
    mlp = plain_mlp(c, "mlp.dense_h_to_4h", "mlp.dense_4h_to_h", bias=True, implied_bias=True)
    yield from decoder(c, attention=attention, mlp=mlp, norm=layer_norm(c), final_norm="final_layernorm")


def fuyu(c: Config) -> Iterator[Part]:
    """Fuyu: Persimmon that reads patches through one map, without a tower.

    Source: modeling_fuyu in transformers 5.24.  Checked: the class's defaults, 9,408,238,592, residual 0.
    """
    at, text = stem(c, "model"), text_config(c)
    pixels = c.patch_size * c.patch_size * c.num_channels
    yield from linear(f"{at}vision_embed_tokens", text.hidden_size, pixels, role="projector", bias=True)
    yield from text_model(text, f"{at}language_model.")


def cosmos3_edge(c: Config) -> Iterator[Part]:
    """Cosmos 3 Edge: SigLIP 2 without its head, neighbouring patches joined behind a norm, a text model without a gate.

    Source: modeling_cosmos3_edge in transformers 5.24.  Implied: the projector's norm and biases; never tied.
    Checked: the class's defaults, 2,435,616,496, residual 0.
    """
    at, text, vision = stem(c, "model"), text_config(c), c.sub("vision_config")
    seen, wide = (
        vision.hidden_size * vision.spatial_merge_size * vision.spatial_merge_size,
        c.projector_hidden_size,
    )
    yield from siglip2(vision, f"{at}visual.", head=False)
    yield from norm(f"{at}projector.norm", vision.hidden_size, role="projector")
    yield from maps(
        (f"{at}projector.linear_fc1", wide, seen), (f"{at}projector.linear_fc2", text.hidden_size, wide)
    )
    yield from text_model(text, f"{at}language_model.")


def cosmos3_edge_text(c: Config) -> Iterator[Part]:
    """Its text model: Arcee under other names.

    Source: modeling_cosmos3_edge in transformers 5.24.
    """
    mlp = plain_mlp(c, "mlp.fc1", "mlp.fc2", bias=c.flag("mlp_bias"))
    yield from decoder(c, attention=gqa(c, bias=c.flag("attention_bias")), mlp=mlp, may_tie=False)
