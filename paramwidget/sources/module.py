"""Live modules: whatever has ``named_parameters()``, counted tensor by tensor.

torch is never imported: a tensor is anything with a ``shape`` and a ``dtype``, so that one on the meta device, which
has no memory, counts as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from ..breakdown import Provenance
from ..config import Config
from ..inventory import Inventory, StoredTensor
from ..tensors import BITS, TensorSpec
from .module_roles import is_adapter, roles
from .module_tensors import Held, held_by
from .opened import Opened

#: an index below a list of layers; below anything else an index is a part of the name
_LAYER = re.compile(
    r"(?<=\.)(\w*layers?|\w*blocks?|h|stages|\w*(?:attentions|attends|ffns|norm\d))\.(\d+)(?=\.)"
)
_EXPERT = re.compile(r"(?<=\.)(experts\.(?:expert_)?)(\d+)(?=\.)")
#: said of experts whose number is none that the config counts
UNROUTED = "how many of these experts a token uses is not known: all are counted as active"
#: said of what LoRA and its kin put beside a model
ADAPTER = "an adapter's, beside the model"
_SCALE = re.compile(r"(weight_scale(_inv)?|_scales|scale_inv|qzeros)$")


def from_module(module: Any) -> Opened:
    """A live module; what its ``config`` says decides how many experts a token uses, and nothing else."""
    config = config_of(module)
    name, cls = config.get("_name_or_path"), type(module).__name__
    held = list(held_by(module))
    tensors = _specs(held, config)
    words = [h.name for h in held if h.packed]
    note = f"Counted from the tensors of a live {cls}; {caveat(tensors)}"
    if words:
        note += (
            f" {len(words):,} packed tensors ({words[0]} ...) are counted in words, as nothing says how many values "
            f"are in them."
        )
    return Opened(
        config,
        name if isinstance(name, str) and name else cls,
        f"the module {cls}",
        Provenance("module", note=note),
        architecture=cls,
        tensors=tensors,
        inventory=inventory_of(held, f"the module {cls}"),
        as_found=True,
    )


def caveat(tensors: tuple[TensorSpec, ...]) -> str:
    """What a reader must know of a count that no architecture describes."""
    unrouted = " How many experts a token uses is not known: all are counted as active."
    adapter = " The matrices of adapters are counted as other, beside the model."
    return (
        "roles are read off the names of its modules."
        + unrouted * any(t.note == UNROUTED for t in tensors)
        + adapter * any(t.note == ADAPTER for t in tensors)
    )


def config_of(module: Any) -> Mapping[str, Any]:
    """The config that a module carries, as a dict; empty where it has none."""
    to_dict = getattr(getattr(module, "config", None), "to_dict", None)
    config = to_dict() if callable(to_dict) else None
    return config if isinstance(config, Mapping) else {}


class Found(NamedTuple):
    """A tensor by its name with ``{layer}`` and ``{expert}``, and what makes it one with its siblings."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    kind: str
    tied_to: str | None


def tensors_of(module: Any, config: Mapping[str, Any]) -> tuple[TensorSpec, ...]:
    """Every tensor that a module would save, equal siblings over layers and experts as one.

    A parameter under a second name is tied to the first of its names, or to the one of the embedding.
    """
    return _specs(list(held_by(module)), config)


def _specs(held: list[Held], config: Mapping[str, Any]) -> tuple[TensorSpec, ...]:
    names = {h.name: template_of(h.name) for h in held}
    seq2seq = config.get("is_encoder_decoder")
    role = roles(
        dict.fromkeys(t for t, _ in names.values()),
        encoder_decoder=seq2seq if isinstance(seq2seq, bool) else None,
    )
    first: dict[object, str] = {}
    for h in held:
        known = first.setdefault(h.same, h.name)
        if role[names[h.name][0]] == "embedding" and role[names[known][0]] != "embedding":
            first[h.same] = h.name
    groups: dict[Found, list[int | None]] = {}
    for h in held:
        name, layer = names[h.name]
        main = first[h.same]
        tied = names[main][0] if main != h.name else None
        groups.setdefault(Found(name, h.shape, h.dtype, h.kind or kind_of(h.name), tied), []).append(layer)
    used = dict(experts_of(config))
    return tuple(_noted(spec_of(found, layers, role[found.name], used)) for found, layers in groups.items())


def _noted(t: TensorSpec) -> TensorSpec:
    return replace(t, note=ADAPTER) if is_adapter(t.name) else t


def inventory_of(held: Iterable[Held], label: str) -> Inventory:
    """What a module holds, each tensor under the first of its names, in the shape of what it stands for."""
    found: dict[object, StoredTensor] = {}
    for h in held:
        nbytes = prod(h.here) * (BITS.get(h.dtype) or 0) // 8
        found.setdefault(h.same, StoredTensor(h.name, h.shape, h.dtype, nbytes))
    return Inventory("module", tuple(found.values()), (), repo=label)


def template_of(name: str) -> tuple[str, int | None]:
    """``model.layers.{layer}.mlp.experts.{expert}.up_proj.weight`` and the index of the layer."""
    found = _LAYER.search(f".{name}")
    text = _LAYER.sub(r"\1.{layer}", f".{name}", count=1)
    return _EXPERT.sub(r"\1{expert}", text)[1:], int(found[2]) if found else None


def kind_of(name: str) -> str:
    """What a name says of its tensor: scale, bias or weight."""
    if _SCALE.search(name):
        return "scale"
    return "bias" if name.endswith("bias") else "weight"


def experts_of(config: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Experts of a layer and how many of them a token uses, wherever a config gives both; the outermost comes last."""
    for value in config.values():
        if isinstance(value, Mapping):
            yield from experts_of(value)
    c = Config(config)
    used = c.get("num_experts_per_tok", c.get("moe_k"))
    for key in ("num_experts", "n_routed_experts"):
        counts = c.get(key)
        for count in counts if isinstance(counts, list) else [counts]:
            if type(count) is type(used) is int and 0 < used <= count:
                yield count, used


def spec_of(found: Found, layers: list[int | None], role: str, used: Mapping[int, int]) -> TensorSpec:
    """Equal siblings as one; ``used`` says how many of so many experts a token uses."""
    indices = tuple(sorted({i for i in layers if i is not None}))
    shape, copies, stacked, note = found.shape, len(layers), None, ""
    active = copies
    if role in ("mlp", "other") and len(shape) == 3 and shape[0] in used:
        role = "routed_expert"  # a stack of as many matrices as there are experts, whatever it is called
    if role == "routed_expert":
        if "{expert}" not in found.name and shape and (shape[0] in used or len(shape) == 3):
            stacked, shape = shape[0], shape[1:]
            copies *= stacked
        held = max(len(indices), 1)
        each = used.get(copies // held)
        active = held * each if each and copies % held == 0 else copies
        note = "" if each else UNROUTED
    return TensorSpec(
        found.name,
        shape,
        role,
        found.kind,
        indices,
        copies,
        active,
        stacked=stacked,
        tied_to=found.tied_to,
        dtype=found.dtype,
        note=note,
    )
