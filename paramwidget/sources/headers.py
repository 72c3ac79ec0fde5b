"""A model that nothing describes, where the headers of its files are at hand: counted from names and shapes.

The totals are exact, as the headers are. The parts are read off the names of the tensors, and how many experts a token
uses off the config, if it says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import aliases, packing_methods, unpacking
from ..inventory import Inventory
from ..tensors import TensorSpec
from .module import Found, caveat, experts_of, kind_of, spec_of, template_of
from .module_roles import roles
from .opened import Opened

#: dtypes of the headers, as torch and configs spell them
DTYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "I64": "int64",
    "U8": "uint8",
    "I8": "int8",
}


def from_headers(opened: Opened, inventory: Inventory) -> Opened:
    """What was opened, with the tensors that the headers of its files describe."""
    tensors = tensors_of(inventory, opened.config)
    note = f"Not described here: counted from the names and shapes in the files' headers; {caveat(tensors)}"
    names = opened.config.get("architectures")
    cls = names[0] if isinstance(names, list) and names and isinstance(names[0], str) else ""
    return replace(
        opened,
        provenance=replace(opened.provenance, note=f"{opened.provenance.note} {note}".strip()),
        architecture=opened.architecture or cls,
        tensors=tensors,
        inventory=inventory,
        as_found=True,
    )


def tensors_of(inventory: Inventory, config: Mapping[str, Any]) -> tuple[TensorSpec, ...]:
    """Every tensor of an inventory, equal siblings over layers and experts as one, packed words as their parameters.

    >>> from ..inventory import StoredTensor, WeightFile
    >>> held = (StoredTensor("layers.0.mlp.up.weight", (8, 4), "BF16", 64),
    ...         StoredTensor("layers.1.mlp.up.weight", (8, 4), "BF16", 64))
    >>> spec, = tensors_of(Inventory("safetensors", held, (WeightFile("a.safetensors", 0),)), {})
    >>> spec.name, spec.shape, spec.copies, spec.role
    ('layers.{layer}.mlp.up.weight', (8, 4), 2, 'mlp')
    """
    named = [(t, *aliases.template(t.name)) for t in inventory.tensors]
    dtypes: dict[str, str] = {}
    for t, template, _ in named:
        if t.dtype in unpacking.WORDS or template not in dtypes:
            dtypes[template] = t.dtype
    gguf = inventory.format == "gguf"
    parts = {} if gguf else unpacking.parts(dtypes)
    beside: dict[tuple[str, tuple[int, ...]], dict[str, tuple[tuple[int, ...], str]]] = {}
    for t, template, numbers in named:
        part = parts.get(template)
        if part and part.role == "scale":
            beside.setdefault((part.base, numbers), {})[part.label] = (t.shape, t.dtype)
    groups: dict[Found, list[int | None]] = {}
    for t, template, numbers in named:
        name, layer = template_of(t.name)
        part = parts.get(template)
        shape, dtype, kind = t.shape, DTYPES.get(t.dtype), kind_of(t.name)
        if part and part.role == "scale":
            kind = "scale"
        elif part:
            near = beside.get((part.base, numbers), {})
            size = packing_methods.by_method(part.label, t.shape, t.dtype, near, config)
            if size.parameters != t.elements:
                shape, dtype = _whole(t.shape, size.parameters, part.label), None
        groups.setdefault(Found(name, shape, dtype or t.dtype.lower(), kind, None), []).append(layer)
    seq2seq = config.get("is_encoder_decoder")
    role = roles(
        dict.fromkeys(found.name for found in groups),
        encoder_decoder=seq2seq if isinstance(seq2seq, bool) else None,
    )
    used = dict(experts_of(config))
    return tuple(spec_of(found, layers, role[found.name], used) for found, layers in groups.items())


def _whole(shape: tuple[int, ...], parameters: int, label: str) -> tuple[int, ...]:
    """The shape that packed words unpack to: of one axis, or of the last two as one; else a vector."""
    if label == "blocks" and len(shape) > 2:
        shape = (*shape[:-2], shape[-2] * shape[-1])
    for axis in (0,) if label == "qweight" else (len(shape) - 1,):
        rest = 1
        for i, size in enumerate(shape):
            rest *= size if i != axis else 1
        if rest and parameters % rest == 0:
            return (*shape[:axis], parameters // rest, *shape[axis + 1 :])
    return (parameters,)
