"""The tensors of GGUF files as they are, for a file whose hyper-parameters describe no architecture that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..inventory import Inventory, StoredTensor
from ..tensors import TensorSpec
from .gguf_names import MADE, GgufName, describe
from .module import UNROUTED

_LAYER = re.compile(r"\bblk\.\d+\.")
#: architectures whose ``ssm_`` tensors are linear attention
_DELTANET = ("kimi-linear", "qwen35", "qwen35moe", "qwen3next")
#: types that configs know too, as they spell them
_FLOATS = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I8": "int8",
    "I64": "int64",
}


def tensors_of(inventory: Inventory) -> tuple[TensorSpec, ...]:
    """Every tensor, equal siblings over layers as one, with roles read off llama.cpp's names."""
    arch = _arch(inventory)
    groups: dict[tuple[str, tuple[int, ...], str, str, str], list[int]] = {}
    for t, place, role in _placed(inventory):
        dtype = _FLOATS.get(t.dtype, t.dtype)
        key = (_LAYER.sub("blk.{layer}.", t.name), t.shape, dtype, role, place.kind)
        groups.setdefault(key, []).append(-1 if place.layer is None else place.layer)
    used = inventory.metadata.get(f"{arch}.expert_used_count")
    specs = [_spec(*key, layers, used) for key, layers in groups.items()]
    return (*specs, *_tied_head(inventory, arch))


def bytes_by_role(inventory: Inventory) -> dict[str, int]:
    """Bytes of the tensors of each role."""
    found: dict[str, int] = {}
    for t, _, role in _placed(inventory):
        found[role] = found.get(role, 0) + t.nbytes
    return found


def _arch(inventory: Inventory) -> str:
    return str(inventory.metadata.get("general.architecture"))


def _placed(inventory: Inventory) -> Iterator[tuple[StoredTensor, GgufName, str]]:
    """Each tensor with its place and its role, which also depends on the layer that it is in."""
    arch = _arch(inventory)
    first_mtp = _first_mtp(inventory, arch)
    places = {t.name: describe(t.name) for t in inventory.tensors}
    linear = _linear_layers(places, arch)
    for t in inventory.tensors:
        place = places[t.name]
        role = place.role or "other"
        if place.layer is not None and first_mtp is not None and place.layer >= first_mtp:
            role = "mtp"
        elif place.layer in linear and role in ("attention", "ssm"):
            role = "linear_attention"
        yield t, place, role


def _spec(
    name: str,
    shape: tuple[int, ...],
    dtype: str,
    role: str,
    kind: str,
    layers: list[int],
    used: object,
) -> TensorSpec:
    indices = tuple(sorted({i for i in layers if i >= 0}))
    copies = active = len(layers)
    stacked, note = None, ""
    if "_exps." in name and len(shape) > 1:
        stacked, shape = shape[0], shape[1:]
        known = type(used) is int and 0 < used <= stacked
        active = len(layers) * (used if known and isinstance(used, int) else stacked)
        copies *= stacked
        note = "" if known else UNROUTED
    return TensorSpec(
        name, shape, role, kind, indices, copies, active, stacked=stacked, dtype=dtype, note=note
    )


def _first_mtp(inventory: Inventory, arch: str) -> int | None:
    """The layer from which on layers predict further tokens: block_count includes them."""
    blocks = inventory.metadata.get(f"{arch}.block_count")
    more = inventory.metadata.get(f"{arch}.nextn_predict_layers")
    return blocks - more if isinstance(blocks, int) and isinstance(more, int) and more > 0 else None


def _linear_layers(places: dict[str, GgufName], arch: str) -> set[int | None]:
    """The layers whose attention is linear."""
    if arch not in _DELTANET:
        return set()
    return {p.layer for name, p in places.items() if p.layer is not None and ".ssm_" in name}


def _tied_head(inventory: Inventory, arch: str) -> tuple[TensorSpec, ...]:
    """The head of a model that writes text and has no ``output.weight``: llama.cpp takes token_embd for it."""
    shapes = {t.name: t for t in inventory.tensors}
    writes = f"{arch}.pooling_type" not in inventory.metadata and (
        inventory.metadata.get(f"{arch}.attention.causal") is not False
    )
    table = shapes.get("token_embd.weight")
    if table is None or "output.weight" in shapes or not writes:
        return ()
    return (
        TensorSpec(
            "output.weight",
            table.shape,
            "lm_head",
            tied_to=table.name,
            dtype=table.dtype,
            note="not in the file",
        ),
    )


def beyond_config(inventory: Inventory) -> list[tuple[str, int]]:
    """Tensors that no config describes, as (what they are, elements): made by a converter, or a second time there."""
    by_cause: dict[str, int] = {}
    halves = any(".attn_k_b." in t.name for t in inventory.tensors)
    for t in inventory.tensors:
        cause = _beyond(t, halves)
        if cause:
            by_cause[cause] = by_cause.get(cause, 0) + t.elements
    return list(by_cause.items())


def _beyond(t: StoredTensor, halves: bool) -> str:
    own = _LAYER.sub("", t.name).removesuffix(".weight")
    if own in MADE:
        return f"{own}, {MADE[own]}"
    if own == "attn_kv_b" and halves:
        return "attn_kv_b, beside its two halves attn_k_b and attn_v_b"
    if own in ("nextn.embed_tokens", "nextn.shared_head_head"):
        return "the tables of the prediction layer, which are the main ones stored again"
    return ""
