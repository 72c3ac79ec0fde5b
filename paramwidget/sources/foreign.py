"""What is not described here, where transformers is installed: its own model, built without memory for its weights.

This is the one place that loads torch and transformers, and only after a config was refused. Nothing is downloaded and
no code of a repository is run: the class must be transformers' own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

from ..architectures.quantization import base_dtype, quantization_of
from ..config import MAX_LAYERS, Config
from ..config_names import ALIASES, ALWAYS_GIVEN, LAYER_COUNTS
from ..errors import UnknownArchitecture
from .module import caveat, config_of, tensors_of
from .opened import Opened

#: what a config without a class is built as: the first of these that transformers has for its type
HEADS = ("CAUSAL_LM", "IMAGE_TEXT_TO_TEXT", "SEQ_TO_SEQ_CAUSAL_LM", "SPEECH_SEQ_2_SEQ", "MASKED_LM")
#: keys with which transformers would fetch or run something (code, kernels, weights), or store other than declared
NOT_FOLLOWED = frozenset(
    {
        "_attn_implementation",
        "_experts_implementation",
        "attn_implementation",
        "auto_map",
        "experts_implementation",
        "quantization_config",
        "use_pretrained_backbone",
    }
)

#: the sizes that make a model what it is, each with its spellings
SIZES = [{key, *ALIASES.get(key, ())} for key in ALWAYS_GIVEN]

WAY_OUT = " With transformers and torch installed it can be counted as a live module, if they have its class."


def open_foreign(opened: Opened, refusal: UnknownArchitecture) -> Opened:
    """The tensors of transformers' own model of a config that was refused; else the refusal, with what would help."""
    data = opened.config
    code = " Code of its repository (auto_map) is never run." if "auto_map" in data else ""
    try:
        torch, transformers = import_module("torch"), import_module("transformers")
    except Exception:  # not installed, or not so that it works
        raise _refused(refusal, WAY_OUT + code) from None
    version = f"transformers {transformers.__version__}"
    c = Config(data, where=opened.where)
    _check_layers(c)
    try:
        with _quiet(transformers), torch.device("meta"):
            model = _build(transformers, data)
    except Exception as e:  # whatever a class makes of a config that it cannot read
        why = f"{type(e).__name__}: {' '.join(str(e).split()):.200}"
        raise _refused(refusal, f" {version} cannot build it either ({why}).{code}") from None
    if model is None:
        raise _refused(refusal, f" {version} has no class for it either.{code}")
    cls, config = type(model).__name__, config_of(model)
    tensors = tensors_of(model, config)
    note = f"Not described here: counted from {cls} of {version}, built without weights; {caveat(tensors)}"
    # on the meta device a weight has torch's dtype, not the one that files have
    dtype = None if quantization_of(c) else base_dtype(c)
    return replace(
        opened,
        provenance=replace(opened.provenance, note=f"{opened.provenance.note} {note}".strip()),
        architecture=cls,
        tensors=tuple(replace(t, dtype=dtype) if t.kind != "buffer" else t for t in tensors),
        defaulted=dict(_defaulted(config, data)),
    )


def _defaulted(whole: Mapping[str, Any], given: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Any]]:
    """The sizes that a config leaves out, under any of their spellings, and what its class took for them."""
    for key, value in whole.items():
        if isinstance(value, Mapping):
            inner = given.get(key)
            yield from _defaulted(value, inner if isinstance(inner, Mapping) else {}, f"{at}{key}.")
        spellings = {name for size in SIZES if key in size for name in size}
        if spellings and value is not None and not spellings & given.keys():
            yield at + key, value


def _refused(refusal: UnknownArchitecture, more: str) -> UnknownArchitecture:
    return UnknownArchitecture(f"{refusal}{more}", name=refusal.name, nearest=refusal.nearest)


def _build(transformers: Any, data: Mapping[str, Any]) -> Any:
    """transformers' model of a config: of the class it names, else the causal one or the like; None without one."""
    kind, named = data.get("model_type"), data.get("architectures")
    types = transformers.CONFIG_MAPPING  # its get() finds only what has been loaded
    config = types[kind] if kind in types else None  # noqa: SIM401
    usual = [found for head in HEADS if config and (found := _headed(transformers, head, config))]
    cls: Any = next(iter(usual), None)
    if named:
        cls = getattr(transformers, named[0], None)
        if not isinstance(cls, type) or not issubclass(cls, transformers.PreTrainedModel):
            return None
    if cls is None:
        return None
    # a config read by another type's class would be counted with that class's defaults
    if kind and cls not in usual and cls.config_class.model_type != kind:
        return None
    model = cls((config or cls.config_class).from_dict(_followed(data)))
    model.tie_weights()
    return model


def _headed(transformers: Any, head: str, config: Any) -> Any:
    """The class of a type with a head; some have several, the first is the usual one."""
    found = getattr(transformers, f"MODEL_FOR_{head}_MAPPING", {}).get(config, ())
    return found or None if not isinstance(found, tuple) else next(iter(found), None)


def _check_layers(c: Config) -> None:
    """A count of layers that would take for ever to build is refused before."""
    for key in LAYER_COUNTS:
        value = c.get(key)
        if isinstance(value, int) and value > MAX_LAYERS:
            raise c.error(key, value, f"is more than {MAX_LAYERS:,}; no model has as many layers")


def _followed(value: Any) -> Any:
    """A config as a class takes it: without the keys in NOT_FOLLOWED, on every level."""
    if isinstance(value, Mapping):
        if value.keys() == {"__float__"}:  # how transformers writes an infinity
            return float(value["__float__"])
        return {k: _followed(v) for k, v in value.items() if k not in NOT_FOLLOWED}
    return [_followed(v) for v in value] if isinstance(value, list) else value


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Building says much on the way that is about using a model, not about its size."""
    was = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers.logging.set_verbosity(was)
