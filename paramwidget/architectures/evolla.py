"""Evolla."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..config import Config
from ..dim import Dim
from ..tensors import TensorSpec
from .blocks import Block, Part, decoder, gated_mlp, gqa, layer_norm, linear, rms_norm, vector
from .blocks.heads import stem
from .blocks.towers import layer, layers, maps, norm, table

#: the defaults of SaProtConfig, which a config that leaves the encoder out means
SAPROT: Mapping[str, Any] = {
    "vocab_size": 446,
    "hidden_size": 1280,
    "num_hidden_layers": 33,
    "num_attention_heads": 20,
    "intermediate_size": 5120,
    "max_position_embeddings": 1026,
    "position_embedding_type": "rotary",
    "emb_layer_norm_before": False,
}


def evolla(c: Config) -> Iterator[Part]:
    """Evolla: an encoder of proteins, learned queries that read it, and Llama with gated layers that read these.

    Its head is never tied.

    Source: modeling_evolla in transformers 5.24.  Implied: what the adapters and the reader are made of.
    Checked: the class's defaults, 10,390,787,344 and 32 in buffers, residual 0.
    """
    protein, n = c.sub("protein_encoder_config", declared=SAPROT), int(c.num_hidden_layers)
    at, every = stem(c, "model"), max(n // int(c.aligner_num_add_layers), 1)
    yield from _saprot(protein, f"{at}protein_encoder.model.")
    yield from _reader(c, protein.hidden_size, f"{at}protein_encoder.sequence_compressor_resampler.")
    plain = gqa(c, bias=c.flag("attention_bias"))
    gated = plain.plus(
        *_adapter(c)
    )  # the class reads the queries anew for each token, and keeps nothing of them
    attention: list[Block] = [plain if (i + 1) % every else gated for i in range(n)]
    mlp = gated_mlp(c, bias=c.flag("mlp_bias"))
    yield from decoder(c, attention=attention, mlp=mlp, may_tie=False)


def _adapter(c: Config) -> list[TensorSpec]:
    """Attention to the queries and a feed-forward, each gated from nothing."""
    hidden, width = c.hidden_size, c.hidden_size * c.aligner_ffn_mult
    bias = {
        "query": True,
        "key_protein": True,
        "value_protein": True,
        "out_proj": c.flag("aligner_enable_bias"),
    }
    return [
        *(t for name, b in bias.items() for t in _map(f"adapter.{name}", hidden, hidden, bias=b)),
        *(vector(f"adapter.gate_{name}", 1, role="attention", implied=True) for name in ("attention", "ffw")),
        *rms_norm(c)("adapter.attention_norm"),
        *layer_norm(c)("adapter.ff.norm"),
        *_map("adapter.ff.fc1", width, hidden),
        *_map("adapter.ff.fc2", hidden, width),
    ]


def _map(name: str, out: int, inn: int, *, bias: bool = False) -> list[TensorSpec]:
    return linear(name, out, inn, role="attention", bias=bias, implied=True)


def _reader(c: Config, seen: Dim, at: str) -> Iterator[TensorSpec]:
    """Learned queries that read the protein layer by layer, then a map into the width of the text."""
    heads, width = c.resampler_heads * c.resampler_dim_head, seen * c.resampler_ff_mult
    one = [
        *(
            t
            for name in ("0.norm_media", "0.norm_latents", "1.norm")
            for t in norm(name, seen, role="projector")
        ),
        *maps(
            ("0.to_q", heads, seen),
            ("0.to_kv", 2 * heads, seen),
            ("0.to_out", seen, heads),
            ("1.fc1", width, seen),
            ("1.fc2", seen, width),
            bias=False,
        ),
    ]
    yield table(f"{at}latents", c.resampler_num_latents, seen, role="projector")
    yield from layers(one, f"{at}layers.", c.resampler_depth)
    yield from maps((f"{at}protein_projector", c.hidden_size, seen))
    yield from norm(f"{at}norm", c.hidden_size, role="projector")


def _saprot(p: Config, at: str) -> Iterator[TensorSpec]:
    """SaProt: ESM 2 over amino acids and their shapes."""
    hidden, role = p.hidden_size, "encoder"
    dim, words = p.divide("hidden_size", "num_attention_heads"), f"{at}embeddings.word_embeddings.weight"
    one = layer(
        hidden,
        p.intermediate_size,
        role=role,
        norms=("attention.LayerNorm", "LayerNorm"),
        attention=(*(f"attention.self.{n}" for n in ("query", "key", "value")), "attention.output.dense"),
        mlp=("intermediate.dense", "output.dense"),
    )
    yield table(words, p.vocab_size, hidden, role=role)
    if p.flag("emb_layer_norm_before"):
        yield from norm(f"{at}embeddings.layer_norm", hidden, role=role)
    if p.get("position_embedding_type") == "absolute":
        yield table(
            f"{at}embeddings.position_embeddings.weight", p.max_position_embeddings, hidden, role=role
        )
    yield TensorSpec(f"{at}rotary_embeddings.inv_freq", (dim // 2,), role, "buffer", implied=True)
    yield from layers(one, f"{at}encoder.layer.", p.num_hidden_layers)
    yield from norm(f"{at}encoder.emb_layer_norm_after", hidden, role=role)
