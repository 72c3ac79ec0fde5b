"""Gemma 3n."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, full_every, gated_mlp, gqa, linear, sliding_by_layer, vector
from .blocks.base import place
from .blocks.gemma_towers import gemma3n_audio
from .blocks.heads import stem
from .blocks.mobilenet import mobilenet_v5
from .blocks.towers import norm, table
from .gemma import READ, WRITTEN
from .gemma4 import KINDS, first_shared, per_layer_input, per_layer_tables, sharing
from .nested import text_config, text_model


def gemma3n(c: Config) -> Iterator[Part]:
    """Gemma 3n whole: an encoder of timm that sees, a Conformer that hears, and for each a small table of its own.

    Source: modeling_gemma3n in transformers 5.24, mobilenetv5 in timm 1.0.
    Checked: the class's defaults, 7,818,517,072 without what is unread.
    """
    at, text = stem(c, "model"), text_config(c)
    vision, audio = c.sub("vision_config"), c.sub("audio_config")
    if vision.get("architecture") != "mobilenetv5_300m_enc" or vision.has("model_args"):
        raise vision.error(
            "architecture", vision.get("architecture"), "is described as mobilenetv5_300m_enc only"
        )
    yield from mobilenet_v5(f"{at}vision_tower.timm_model.")
    yield from gemma3n_audio(audio, f"{at}audio_tower.")
    for seen, name in ((vision, "embed_vision."), (audio, "embed_audio.")):
        yield from _embedder(seen, at + name, text.hidden_size)
    yield from text_model(text, f"{at}language_model.")


def _embedder(seen: Config, at: str, text: int) -> Iterator[Part]:
    """Its own rows for marks in the text, two norms, and one map into the text width."""
    yield table(f"{at}embedding.weight", seen.vocab_size, seen.hidden_size, role="projector")
    for name in ("hard_embedding_norm", "soft_embedding_norm"):
        yield from norm(f"{at}{name}", seen.hidden_size, role="projector", bias=False)
    yield from linear(f"{at}embedding_projection", text, seen.hidden_size, role="projector")


def gemma3n_text(c: Config) -> Iterator[Part]:
    """Gemma 3n's text model: four streams side by side (AltUp), a low-rank branch (Laurel), a table for each layer.

    The last ``num_kv_shared_layers`` read the keys and values of an earlier layer; theirs are stored and never read.

    Source: modeling_gemma3n in transformers 5.24; the unread tensors, from the files.
    Implied: q_norm, k_norm, the widths inside AltUp.
    Checked: the class's defaults, 6,835,235,568 without what is unread.
    """
    n = int(c.num_hidden_layers)
    kinds = c.list_of("layer_types", n, KINDS) if c.has("layer_types") else full_every(c, 5)
    full = gqa(c, bias=c.flag("attention_bias"), qk_norm=True)
    blocks = sliding_by_layer(c, full, default=kinds)
    attention = [blocks] * n if isinstance(blocks, Block) else blocks
    at, hidden = stem(c, "model"), c.hidden_size
    yield from per_layer_tables(c)
    for name in ("altup_projections", "altup_unembed_projections"):
        streams = range(int(c.altup_num_inputs) - 1)
        yield from place(linear("", hidden, hidden, role="other"), f"{at}{name}.{{layer}}", streams)
    yield from decoder(
        c,
        attention=sharing(c, attention, kinds, first_shared(c)),
        mlp=_mlp(c),
        layer_norms=READ,
        post_norms=WRITTEN,
    )


def _mlp(c: Config) -> Block | list[Block]:
    """The feed-forward of each layer, with the branches beside it."""
    hidden, inputs, rank = c.hidden_size, c.altup_num_inputs, c.laurel_rank
    rest = [
        *per_layer_input(c),
        vector("altup.correct_output_scale", hidden, role="other"),
        *linear("altup.correction_coefs", inputs, inputs, role="other"),
        *linear("altup.prediction_coefs", inputs * inputs, inputs, role="other"),
        *linear("altup.modality_router", inputs, hidden, role="other"),
        vector("altup.router_norm.weight", hidden, role="norm"),
        *linear("laurel.linear_left", rank, hidden, role="other"),
        *linear("laurel.linear_right", hidden, rank, role="other"),
        vector("laurel.post_laurel_norm.weight", hidden, role="norm"),
    ]
    if not isinstance(c.get("intermediate_size"), list | tuple):
        return gated_mlp(c).plus(*rest)
    widths = c.counts_of("intermediate_size", int(c.num_hidden_layers))
    made = {width: gated_mlp(c, width).plus(*rest) for width in widths}
    return [made[width] for width in widths]
