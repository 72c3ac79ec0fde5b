"""count(): from anything that names a model to its breakdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import architectures
from .architectures.quantization import stored_as
from .breakdown import MAX_COUNT, Breakdown
from .class_defaults import class_defaults
from .config import Config
from .errors import ConfigError
from .layers import LayerRun
from .sources import Opened, open_source
from .tensors import TensorSpec

#: levels of objects and lists in a config; real ones have four
MAX_NESTING = 100
NESTED = (Mapping, list, tuple)

#: characters of a model's name; a path may have 4,096
MAX_LABEL = 4096


def count(source: Any, *, revision: str | None = None, token: str | bool | None = None) -> Breakdown:
    """Count a model's parameters from its config, exactly.

    source    a repository id (``"openai/gpt-oss-120b"``), a folder, the path of a config.json, a config as a dict,
              or an object with ``to_dict()`` or ``config`` (a transformers config, a live model)
    revision  a branch, tag or commit: the Hub is asked, even for a bundled model
    token     for a gated repository, as in huggingface_hub

    Returns a Breakdown. Raises SourceError (NotFound, AccessDenied, Unreachable ...) where the model cannot be read,
    UnknownArchitecture for a type that is not described, ConfigError for a config that cannot be right.

    >>> count({"architectures": ["LlamaForCausalLM"], "vocab_size": 8, "hidden_size": 4, "intermediate_size": 6,
    ...        "num_hidden_layers": 1, "num_attention_heads": 2}).stored
    212
    """
    return describe(open_source(source, revision=revision, token=token))


def describe(opened: Opened) -> Breakdown:
    """The breakdown of a config that has been read."""
    where = opened.where
    data = copied(opened.config, where)
    model_type, cls, head, entry = architectures.resolve(data, where)
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
    tensors = list(stored_as(c, iter(tensors)))
    b = Breakdown(
        model=one_line(opened.label),
        model_type=model_type,
        architecture=cls,
        tensors=tuple(tensors),
        runs=tuple(runs),
        config=data,
        defaulted=c.defaulted,
        provenance=opened.provenance,
        claims=opened.claims,
    )
    total = sum(t.architectural for t in tensors)
    if total > MAX_COUNT:
        many = f"{total:,}" if total < 10**100 else "more than 10^100"
        raise ConfigError(
            f"{where}: the dimensions multiply to {many} parameters, more than 2^53 − 1; no model is that large. "
            f"Look at vocab_size, hidden_size, the number of layers and of experts.",
            value=total,
        )
    return b


def copied(config: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A config that nobody else can change any more; one that is nested as no config is (or in itself) is refused."""

    def copy(value: Any, depth: int) -> Any:
        if depth > MAX_NESTING:
            raise ConfigError(f"{where} is nested more than {MAX_NESTING} levels deep; no config is.")
        if isinstance(value, Mapping):
            return {k: copy(v, depth + 1) if isinstance(v, NESTED) else v for k, v in value.items()}
        items = [copy(v, depth + 1) if isinstance(v, NESTED) else v for v in value]
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
