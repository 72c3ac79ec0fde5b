"""A model inside a model: the text model that stands behind a tower."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..config import Config
from ..errors import UnknownArchitecture, nearest_names, shown
from ..layers import LayerRun
from .blocks import Part

#: how configs spell the one that holds the text model
TEXT_KEYS = ("text_config", "llm_config", "language_config", "llm_cfg")

#: classes that tie the head also where only the text model's own config says so, as files of earlier versions do
TIED_INSIDE = frozenset(
    {
        "glm4v",
        "glm4v_moe",
        "glm_ocr",
        "llava",
        "llava_next_video",
        "llava_onevision",
        "minimax_m3_vl",
        "paddleocr_vl",
        "qwen2_5_vl",
        "qwen2_vl",
        "video_llama_3",
    }
)


def text_config(c: Config, model_type: str = "", *, own_tie: bool = False) -> Config:
    """The config of the text model: nested, or, in files that are older than the nesting, the top level itself.

    A tower's sizes may stand at the top level under the same names: where there is a nested config, it is read.
    Whether the head is tied is declared by the whole, or, with ``own_tie``, by the text model itself.
    """
    from .table import TABLE  # the table names this file's functions

    key = next((k for k in TEXT_KEYS if c.data.get(k) is not None), TEXT_KEYS[0])
    kind = c.kind_of(key, model_type)
    if kind not in TABLE:
        raise UnknownArchitecture(
            f"{c.where}: {c.path}{key}.model_type = {shown(kind)} is not described here, so the text model inside "
            f"cannot be counted. Known near it: {', '.join(nearest_names(kind, TABLE)) or 'none'}.",
            name=kind,
            nearest=nearest_names(kind, TABLE),
        )
    declared = TABLE[kind].declared
    if c.data.get(key) is None and "hidden_size" in c.data:
        return c.flat(kind, declared)
    if c.data.get(key) is None and not c.is_bare:
        raise c.missing(key)
    if own_tie or c.model_type in TIED_INSIDE:
        own = c.sub(key, kind, declared=declared)
        if own_tie or own.get("tie_word_embeddings") is True:
            return own
    return c.sub(key, kind, also=("tie_word_embeddings",), declared=declared)


def tied_by_either(c: Config) -> Config:
    """The text config of a class whose head is tied where the whole says so, or its text model for itself."""
    own = c.sub("text_config")
    return own if own.flag("tie_word_embeddings") else c.sub("text_config", also=("tie_word_embeddings",))


def text_model(text: Config, body: str, outer: str = "") -> Iterator[Part]:
    """The tensors of a text model, counted by the function of its own family, under the names they have inside.

    body   stands where the family's own files have ``model.``: ``model.language_model.``
    outer  stands before what is beside the body there, the head: ``language_model.``
    """
    from .table import TABLE  # the table names this file's functions

    def inside(name: str) -> str:
        if text.head == "none":  # files of a bare body have no prefix of their own
            return body + name
        return body + name.removeprefix("model.") if name.startswith("model.") else outer + name

    for part in TABLE[text.model_type].load()(text):
        yield renamed(part, inside)


def renamed(part: Part, inside: Callable[[str], str]) -> Part:
    """A part of an inner model under the name that it has in the whole."""
    if isinstance(part, LayerRun):
        return part
    tied_to = inside(part.tied_to) if part.tied_to else None
    return part.known_as(inside(part.name), tied_to, part.dtype)
