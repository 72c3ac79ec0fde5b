"""The words: bases, roles, kinds and toggles, each in one place and one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .errors import ConventionError, nearest_names, or_list, shown

BASES = ("stored", "architectural", "active")

#: role -> the words a reader sees, in the order of a forward pass
ROLES: dict[str, str] = {
    "embedding": "embedding",
    "position": "positions",
    "per_layer_embedding": "per-layer embeddings",
    "encoder": "encoder",
    "attention": "attention",
    "linear_attention": "linear attention",
    "ssm": "state space",
    "mlp": "MLP",
    "router": "router",
    "routed_expert": "routed experts",
    "shared_expert": "shared experts",
    "norm": "norms",
    "lm_head": "lm_head",
    "mtp": "MTP",
    "vision": "vision",
    "audio": "audio",
    "projector": "projector",
    "other": "other",
}

KINDS: dict[str, str] = {
    "weight": "weights",
    "bias": "biases",
    "buffer": "buffers",
    "scale": "scales",
    "unread": "unread",
}

#: toggle -> (label, what it means), in canonical order
TOGGLES: dict[str, tuple[str, str]] = {
    "embedding": (
        "embedding",
        "The input embedding table. One token reads one row of it; vendors count the whole table, or leave it out.",
    ),
    "lm_head": ("lm_head", "The output head (unembedding): read whole for every token that is produced."),
    "position": ("positions", "Learned position embeddings."),
    "per_layer_embedding": (
        "per-layer embeddings",
        "Embedding tables that feed every layer; one token reads one row.",
    ),
    "encoder": (
        "encoder",
        "The encoder of an encoder-decoder: run once for a prompt, not for each decoded token.",
    ),
    "mtp": (
        "MTP",
        "Multi-token prediction layers: kept for training and speculative decoding, not in a plain pass.",
    ),
    "vision": ("vision", "The vision tower: not used by a text token."),
    "audio": ("audio", "The audio tower: not used by a text token."),
    "projector": ("projector", "What maps a tower's output into the text model."),
    "router": ("router", "The gates that choose experts for each token."),
    "shared_expert": ("shared experts", "Experts that every token uses, and their gates."),
    "norm": ("norms", "Stand-alone norms; norms of queries and keys stay with their attention."),
    "bias": ("biases", "Additive bias vectors, of every part."),
    "buffer": ("buffers", "Stored with the weights, but not trained."),
    "scale": (
        "scales",
        "Quantization bookkeeping: block scales and zero points. They describe parameters and are none themselves.",
    ),
    "unread": ("unread", "Stored in the files, used by no token."),
}

#: what each basis leaves out unless told otherwise
DEFAULT_OUT: dict[str, frozenset[str]] = {
    "stored": frozenset({"scale"}),
    "architectural": frozenset({"scale"}),
    "active": frozenset({"mtp", "encoder", "vision", "audio", "projector", "scale", "unread"}),
}


def check_basis(basis: str) -> str:
    """``basis`` itself, if it is one; else an error that names the three."""
    if not isinstance(basis, str) or basis not in BASES:
        near = nearest_names(basis, BASES, 1) if isinstance(basis, str) else []
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConventionError(
            f"Unknown basis {shown(basis)}: it is one of {or_list(BASES)}.{hint}",
            name=basis if isinstance(basis, str) else "",
            nearest=near,
        )
    return basis


def check_toggles(keys: Iterable[str] | str) -> tuple[str, ...]:
    """The toggles in canonical order, each once; an unknown one is an error with the nearest name."""
    if isinstance(keys, str):
        keys = (keys,)
    if isinstance(keys, Mapping) or not isinstance(keys, Iterable):
        raise ConventionError(
            f"off and on are collections of toggles, such as ['embedding'], and not {shown(keys)}. "
            f"Known toggles: {', '.join(TOGGLES)}."
        )
    given = tuple(keys)
    for key in given:
        if not isinstance(key, str) or key not in TOGGLES:
            body = isinstance(key, str) and (key in ROLES or key in KINDS)
            near = nearest_names(key, TOGGLES, 1) if isinstance(key, str) and not body else []
            hint = "It is a part of the body, which is always counted." if body else ""
            if near:
                hint = f"Did you mean {near[0]!r}?"
            raise ConventionError(
                f"Unknown toggle {shown(key)}. {hint} Known toggles: {', '.join(TOGGLES)}.".replace(
                    "  ", " "
                ),
                name=key if isinstance(key, str) else "",
                nearest=near,
            )
    return tuple(key for key in TOGGLES if key in given)


def out_set(basis: str, off: Iterable[str] = (), on: Iterable[str] = ()) -> frozenset[str]:
    """The roles and kinds that a convention leaves out: the basis's own, and the departures from it.

    Raises ConventionError for an unknown basis or toggle, or for one that is both off and on.
    """
    check_basis(basis)
    off, on = check_toggles(off), check_toggles(on)
    both = [key for key in off if key in on]
    if both:
        raise ConventionError(
            f"{or_list(both)}: both in off and in on; it can be counted or left out, not both."
        )
    return (DEFAULT_OUT[basis] | frozenset(off)) - frozenset(on)


def series(items: Sequence[str]) -> str:
    """``a, b and c``."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)
