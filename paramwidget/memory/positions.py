"""How many positions a config names for its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..breakdown import MAX_COUNT, Breakdown

#: how configs spell them; of an encoder-decoder those of the decoder
NAMES = (
    "max_target_positions",
    "max_decoder_position_embeddings",
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "max_sequence_length",
    "max_context_length",
    "seq_length",
    "n_ctx",
    "model_max_length",
    "context_length",
)
#: how configs spell the one that holds the text model, or the decoder
INNER = (
    "text_config",
    "llm_config",
    "language_config",
    "llm_cfg",
    "decoder",
    "decoder_config",
    "thinker_config",
    "vlm_config",
)


def positions(b: Breakdown) -> int | None:
    """Positions of a text that the config or the default of its class names; None where neither does.

    A context may be longer: positions that are rotated can be scaled.

    >>> from paramwidget import count
    >>> positions(count("openai/whisper-tiny")), positions(count("openai/clip-vit-base-patch16"))
    (448, 77)
    """
    return next(_named(b.config, b.defaulted, ""), None)


def _named(config: Mapping[str, Any], defaulted: Mapping[str, Any], path: str) -> Iterator[int]:
    """The text model's own before those of the whole."""
    for key in INNER:
        inner, at = config.get(key), f"{path}{key}."
        if isinstance(inner, Mapping) or any(name.startswith(at) for name in defaulted):
            yield from _named(inner if isinstance(inner, Mapping) else {}, defaulted, at)
    for name in NAMES:
        for n in (config.get(name), defaulted.get(path + name)):
            if isinstance(n, int) and type(n) is not bool and 1 <= n <= MAX_COUNT:
                yield int(n)
