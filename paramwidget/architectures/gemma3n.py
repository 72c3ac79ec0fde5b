"""Gemma 3n."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Block, Part, decoder, full_every, gated_mlp, gqa, linear, sliding_by_layer, vector
from .blocks.base import place
from .blocks.heads import stem
from .gemma import READ, WRITTEN
from .gemma4 import KINDS, first_shared, per_layer_input, per_layer_tables, sharing


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
