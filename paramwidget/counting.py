"""count(): from anything that names a model to its breakdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from . import architectures
from .architectures.activations import refuse_learned
from .architectures.quantization import stored_as
from .breakdown import MAX_COUNT, Breakdown
from .class_defaults import class_defaults
from .config import Config
from .errors import ConfigError, UnknownArchitecture
from .layers import LayerRun
from .sources import Held, Opened, Progress, open_checkpoint, open_source
from .tensors import TensorSpec

#: levels of objects and lists in a config; real ones have four
MAX_NESTING = 100
NESTED = (Mapping, list, tuple)
#: most values of a config are of these types, which is told faster than that they are no Mapping
PLAIN = frozenset({str, int, float, bool, type(None)})

#: characters of a model's name; a path may have 4,096
MAX_LABEL = 4096


def count(
    source: Any,
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    check: bool = False,
    progress: Progress | None = None,
) -> Breakdown:
    """Count a model's parameters from its config, exactly.

    source    a repository id (``"openai/gpt-oss-120b"``), a folder, the path of a config.json, of a .gguf or a
              .safetensors, a config as a dict, an object with ``to_dict()`` (a transformers config), or a live
              module, whose own tensors are counted
    revision  a branch, tag or commit: the Hub is asked, even for a bundled model
    token     for a gated repository, as in huggingface_hub
    check     also read the headers of the checkpoint, at the same commit as the config: what they hold against it, and
              why, is the breakdown's ``residual``; a model that is not described is counted from them
    progress  called with (done, total, text) while headers are read

    Returns a Breakdown. Raises SourceError (NotFound, AccessDenied, Unreachable ...) where the model cannot be read,
    UnknownArchitecture for a type that is not described, ConfigError for a config that cannot be right.

    >>> count({"architectures": ["LlamaForCausalLM"], "vocab_size": 8, "hidden_size": 4, "intermediate_size": 6,
    ...        "num_hidden_layers": 1, "num_attention_heads": 2}).stored
    212
    """
    if not check:
        return describe(open_source(source, revision=revision, token=token))
    from .residual import compare  # as large as all that a count takes

    opened = open_checkpoint(source, revision=revision, token=token, progress=progress)
    breakdown = describe(opened)
    assert opened.inventory is not None
    return replace(breakdown, residual=compare(breakdown, opened.inventory))


def describe(opened: Opened) -> Breakdown:
    """The breakdown of what has been read: a module's own tensors, else what the config implies.

    What is not described here is built by transformers, if it is installed; else it is refused.
    """
    opened = replace(opened, config=copied(opened.config, opened.where))
    if opened.held is not None:
        return _held(opened, opened.held)
    if opened.tensors is None:
        try:
            return _implied(opened)
        except UnknownArchitecture as refusal:
            opened = _undescribed(opened, refusal)
    return _breakdown(
        opened,
        str(opened.config.get("model_type") or ""),
        opened.architecture,
        opened.tensors or (),
        defaulted=opened.defaulted,
    )


def _undescribed(opened: Opened, refusal: UnknownArchitecture) -> Opened:
    """A model of transformers that is not described here; without transformers, what the headers of its files say."""
    from .sources.foreign import open_foreign

    try:
        return open_foreign(opened, refusal)
    except UnknownArchitecture:
        if opened.inventory is None or not opened.inventory.tensors:
            raise
    from .sources.headers import from_headers

    return from_headers(opened, opened.inventory)


def _held(opened: Opened, held: Held) -> Breakdown:
    """The breakdown of files that were read themselves.

    An architecture describes them only if it accounts for their elements to the unit; else they are counted as they
    are, and the answer says why.
    """
    source, why = opened.provenance, held.why
    if opened.config:
        try:
            described = _implied(opened)
        except (ConfigError, UnknownArchitecture) as refusal:
            why = f"their hyper-parameters do not describe a known architecture: {refusal}"
        else:
            if held.expected in (None, described.stored):
                beside = f" Beside the parameters are {held.beside}." if held.beside else ""
                note = f"{source.note}{beside}"
                return replace(described, provenance=replace(source, note=note), stored_bytes=held.nbytes)
            why = (
                f"their hyper-parameters stand for {described.stored:,} parameters of {described.model_type}, and "
                f"the files hold {held.expected:,}"
            )
    note = f"{source.note} Counted from the tensors as they are, with parts read off their names"
    among = f" Among them are {held.beside}." if held.beside else ""
    note = f"{note}: {why.removesuffix('.')}.{among}".strip()
    counted = _breakdown(
        replace(opened, provenance=replace(source, note=note), as_found=True),
        "",
        held.architecture,
        held.tensors(),
        defaulted={},
    )
    return replace(counted, stored_bytes=held.nbytes)


def _implied(opened: Opened) -> Breakdown:
    """The breakdown that a config implies, as its architecture describes it."""
    data, where = opened.config, opened.where
    model_type, cls, head, entry = architectures.resolve(data, where)
    refuse_learned(data, model_type, where)
    c = Config(data, entry.declared, where, class_defaults=class_defaults(model_type))
    c.model_type, c.architecture, c.head = model_type, cls, head
    tensors: list[TensorSpec] = []
    runs: list[LayerRun] = []
    for part in entry.load()(c):
        if isinstance(part, LayerRun):
            runs.append(part)
        elif (
            part.role != "mtp" or head == "causal"
        ):  # files of a bare body or a classifier hold no such layers
            tensors.append(part)
    stored, why = stored_as(c, tensors)
    counted = _breakdown(opened, model_type, cls, stored, runs=tuple(runs), defaulted=c.defaulted)
    return replace(counted, not_predicted=why) if why else counted


def _breakdown(
    opened: Opened,
    model_type: str,
    architecture: str,
    tensors: tuple[TensorSpec, ...],
    *,
    runs: tuple[LayerRun, ...] = (),
    defaulted: Mapping[str, Any],
) -> Breakdown:
    total = sum(t.architectural for t in tensors)
    if total > MAX_COUNT:
        many = f"{total:,}" if total < 10**100 else "more than 10^100"
        raise ConfigError(
            f"{opened.where}: the dimensions multiply to {many} parameters, more than 2^53 − 1; no model is that "
            f"large. Look at vocab_size, hidden_size, the number of layers and of experts.",
            value=total,
        )
    return Breakdown(
        model=one_line(opened.label),
        model_type=model_type,
        architecture=architecture,
        tensors=tensors,
        runs=runs,
        config=opened.config,
        defaulted=defaulted,
        provenance=opened.provenance,
        claims=opened.claims,
        as_found=opened.as_found,
    )


def copied(config: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A config that nobody else can change any more; one that is nested as no config is (or in itself) is refused."""

    def copy(value: Any, depth: int) -> Any:
        if not isinstance(value, NESTED):
            return value
        if depth > MAX_NESTING:
            raise ConfigError(f"{where} is nested more than {MAX_NESTING} levels deep; no config is.")
        if isinstance(value, Mapping):
            return {k: v if type(v) in PLAIN else copy(v, depth + 1) for k, v in value.items()}
        items = [v if type(v) in PLAIN else copy(v, depth + 1) for v in value]
        return items if isinstance(value, list) else tuple(items)

    data: dict[str, Any] = copy(config, 0)
    return data


def one_line(label: str) -> str:
    """A name that somebody else wrote, as one printable line: it goes into terminals, tables and headings.

    >>> one_line("a\\n# b \\x1b[31mc")
    'a # b [31mc'
    """
    line = "".join(c for c in " ".join(label[:MAX_LABEL].split()) if c.isprintable())
    return line if len(label) <= MAX_LABEL else f"{line}..."
