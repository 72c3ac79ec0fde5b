"""What the tensors of a live module stand for: packed, partitioned and shared ones have a size that is not their own.

torch is never imported: each library is known by the attributes that it gives its tensors and modules.

bitsandbytes  ``Params4bit.quant_state.shape``, on the parameter or on its Linear4bit; ``Int8Params`` keeps its shape
torchao       subclasses of Tensor whose ``shape`` is that of the values
GPTQ, AWQ     buffers ``qweight``, ``qzeros``, ``scales``, ``g_idx`` of a module with in_features and out_features
compressed    ``weight_packed`` of a Linear, beside ``weight_scale`` and ``weight_shape``
HQQ           ``W_q``, whose module has the shape in ``meta``
MXFP4         ``*_blocks``: two values in each byte, the last two axes one
DeepSpeed     ZeRO-3 leaves an empty tensor and keeps ``ds_shape``
FSDP          a ``FlatParameter`` with ``_fqns`` and ``_shapes``; FSDP2's DTensor has the shape of the whole
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

from ..errors import SourceError, shown

#: what torch.compile, FSDP and activation checkpointing put into names
_WRAPPERS = re.compile(r"(?:_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.")
#: tensors that hold several values in each element
_PACKED = ("qweight", "weight_packed", "W_q")
#: what a module with such a tensor keeps beside it
_BOOKKEEPING = re.compile(
    r"(?:^|[._])(?:scales?|qzeros|zeros?|g_idx|weight_g_idx|weight_shape|weight_zero_point|SCB|absmax|nested_absmax|"
    r"quant_map|nested_quant_map|input_scale|output_scale|weight_format)$"
)
_BITS = ("bits", "w_bit", "wbits", "nbits")
_BLOCKS = "_blocks"


class Held(NamedTuple):
    """One tensor of a module under one of its names.

    shape     of what it stands for
    here      the shape that it has itself, in this process
    same      equal for names of the same tensor
    kind      weight | bias | buffer | scale where the module says so, else empty: the name decides
    packed    whether it holds several values in an element and nothing says how many
    """

    name: str
    shape: tuple[int, ...]
    here: tuple[int, ...]
    dtype: str
    same: object
    kind: str = ""
    packed: bool = False


def held_by(module: Any) -> Iterator[Held]:
    """Every parameter under each of its names, then whatever else would be saved."""
    owners = _owners(module)
    flat = _flat_shapes(owners)
    parameters = dict(module.named_parameters(remove_duplicate=False))
    for name, t in parameters.items():
        if hasattr(t, "_fqns") and hasattr(t, "_shapes"):
            yield from _of_flat(name, t)
        else:
            yield _held(name, t, owners, flat)
            yield from _quant_state(name, t, owners)
    for name, t in _buffers(module, owners, parameters):
        yield _held(name, t, owners, {}, buffer=True)


def _held(
    name: str, t: Any, owners: Mapping[str, Any], flat: Mapping[str, tuple[int, ...]], *, buffer: bool = False
) -> Held:
    parent, _, own = name.rpartition(".")
    owner = owners.get(parent)
    clean = _WRAPPERS.sub("", name)
    here = _shape(t.shape) if _known(t, name) else ()
    shape = flat[clean] if clean in flat else _whole(t, own, here, owner)
    kind = "buffer" if buffer else ""
    packs = owner is not None and any(_has(owner, n) for n in _PACKED)
    if own in _PACKED or own.endswith(_BLOCKS):
        kind = "weight"
    elif packs and _BOOKKEEPING.search(own):
        kind = "scale"
    elif packs and own == "bias":
        kind = "bias"
    packed = own in _PACKED and shape == here
    return Held(clean, shape, here, _dtype(t), _same(t, shape), kind, packed)


def _known(t: Any, name: str) -> bool:
    """Whether a tensor has a shape; one of a lazy module has none before its first use."""
    try:
        return t.shape is not None
    except Exception as e:  # UninitializedParameter raises what it likes
        raise SourceError(
            f"The tensor {shown(name)} of the module has no shape yet ({type(e).__name__}). Run the module once, or "
            f"give it its sizes."
        ) from None


def _whole(t: Any, own: str, here: tuple[int, ...], owner: Any) -> tuple[int, ...]:
    """The shape of the values that a tensor stands for."""
    if hasattr(t, "ds_shape"):
        return _shape(t.ds_shape)
    state = getattr(t, "quant_state", None) or (
        getattr(owner, "quant_state", None) if own == "weight" else None
    )
    if state is not None and hasattr(state, "shape"):
        return _shape(state.shape)
    if own.endswith(_BLOCKS) and _dtype(t) == "uint8" and len(here) > 2:
        return (*here[:-2], here[-2] * here[-1] * 2)
    if own == "W_q" and isinstance(getattr(owner, "meta", None), Mapping) and "shape" in owner.meta:
        return _shape(owner.meta["shape"])
    sizes = _features(owner)
    if sizes and (own in _PACKED or (own == "weight" and _is_packed(t, here, sizes))):
        return sizes
    bits = next((b for b in (getattr(owner, n, None) for n in _BITS) if type(b) is int), None)
    if own == "qweight" and bits and len(here) == 2 and here[0] * 32 % bits == 0:
        return (here[0] * 32 // bits, here[1])
    return here


def _is_packed(t: Any, here: tuple[int, ...], sizes: tuple[int, ...]) -> bool:
    """Whether a Linear's weight is a column of words: what 4-bit weights are before their state is known."""
    return prod(here) != prod(sizes) and len(here) == 2 and here[1] == 1 and type(t).__name__ == "Params4bit"


def _features(owner: Any) -> tuple[int, ...]:
    """The sizes of a linear map, which its module keeps whatever its weights are packed in."""
    found = tuple(
        next((v for v in (getattr(owner, n, None) for n in names) if type(v) is int), 0)
        for names in (("out_features", "outfeatures"), ("in_features", "infeatures"))
    )
    return found if all(found) else ()


def _quant_state(name: str, t: Any, owners: Mapping[str, Any]) -> Iterator[Held]:
    """The scales that bitsandbytes keeps at a parameter and saves beside it."""
    owner = owners.get(name.rpartition(".")[0])
    state = getattr(t, "quant_state", None) or getattr(owner, "quant_state", None)
    nested = getattr(state, "state2", None)
    kept: dict[str, Any] = {
        f"{name}.absmax": getattr(state, "absmax", None),
        f"{name}.nested_absmax": getattr(nested, "absmax", None),
        f"{name.removesuffix('weight')}SCB": getattr(t, "SCB", None),
    }
    if not name.endswith("weight"):
        return
    for own, scale in kept.items():
        if scale is not None and hasattr(scale, "shape"):
            shape = _shape(scale.shape)
            yield Held(_WRAPPERS.sub("", own), shape, shape, _dtype(scale), id(scale), "scale")


def _of_flat(name: str, t: Any) -> Iterator[Held]:
    """The parameters that FSDP has laid into one."""
    prefix = f"{name.rpartition('.')[0]}." if "." in name else ""
    for own, first, shape in _laid(t):
        yield Held(_WRAPPERS.sub("", prefix + own), shape, shape, _dtype(t), (id(t), first))


def _laid(flat: Any) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Of each parameter in a FlatParameter its name, the name under which it is laid there, and its whole shape."""
    shapes = {str(n): _shape(s) for n, s in zip(flat._fqns, flat._shapes, strict=True)}
    for name, shape in shapes.items():
        yield name, name, shape
    for info in getattr(flat, "_shared_param_infos", None) or ():
        first = ".".join(filter(None, (info.prim_module_name, info.prim_param_name)))
        yield ".".join(filter(None, (info.module_name, info.param_name))), first, shapes[first]


def _flat_shapes(owners: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The whole shapes of parameters of which FSDP leaves a shard in place (use_orig_params)."""
    found: dict[str, tuple[int, ...]] = {}
    for name, module in owners.items():
        flat = getattr(getattr(module, "_handle", None), "flat_param", None)
        if hasattr(flat, "_fqns"):
            found |= {_WRAPPERS.sub("", f"{name}.{own}" if name else own): s for own, _, s in _laid(flat)}
    return found


def _owners(module: Any) -> Mapping[str, Any]:
    """The modules within a module, by name."""
    named = getattr(module, "named_modules", None)
    return dict(named()) if callable(named) else {}


def _buffers(
    module: Any, owners: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """What is saved and is no parameter, read off the modules: state_dict() of a sharded one asks all its processes."""
    if not owners or not all(hasattr(m, "_buffers") for m in owners.values()):
        for name, t in module.state_dict().items():
            if name not in parameters and hasattr(t, "shape"):
                yield name, t
        return
    for name, owner in owners.items():
        passing = getattr(owner, "_non_persistent_buffers_set", ())
        for own, t in owner._buffers.items():
            if t is not None and own not in passing:
                yield f"{name}.{own}" if name else own, t


def _has(owner: Any, name: str) -> bool:
    return getattr(owner, name, None) is not None


def _same(t: Any, shape: tuple[int, ...]) -> object:
    """Equal for two names of one tensor, also where the tensor is another object over the same memory."""
    try:
        at = t.data_ptr()
        if type(at) is int and at > 0:
            return at, shape, _dtype(t)
    except Exception:  # subclasses need not have it; a tensor without memory may refuse
        pass
    return id(t)


def _shape(shape: Any) -> tuple[int, ...]:
    return tuple(int(d) for d in shape)


def _dtype(t: Any) -> str:
    return str(t.dtype).removeprefix("torch.")
