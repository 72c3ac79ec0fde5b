"""Why files hold what they hold: each tensor is put to the first cause that its name and shape show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod
from typing import Any

from ..breakdown import Breakdown
from ..inventory import Inventory
from ..layers import index_ranges
from ..tensors import TensorSpec
from ..unpacking import against
from . import rows as r
from .ledger import OWN_ROW, Ledger, Missing, name_of
from .left import by_role, extra_rows, named_causes
from .match import Bundled, Held, Matched, parameters_of
from .missing import missing_rows
from .rows import Row


def attribute(b: Breakdown, matched: Matched, inventory: Inventory) -> Ledger:
    """A row for every difference between what is predicted and what is stored, and one for all that agrees."""
    ledger = Ledger()
    missing: list[Missing] = []
    _by_name(b, matched, ledger, missing)
    _by_bundle(matched, ledger, missing, b.config)
    left = named_causes(b, matched, ledger)
    left, missing = by_role(b, matched, left, missing, ledger)
    extra_rows(b, matched, left, ledger)
    missing_rows(b, missing, ledger, inventory)
    agree = Counter({OWN_ROW.get(role, ""): 0 for role in ledger.matched})
    for role, n in ledger.matched.items():
        agree[OWN_ROW.get(role, "")] += n
    first = []
    for name, n in sorted(agree.items()):
        if n:
            cause = r.MTP if name == "MTP layer" else r.AS_FOUND if b.as_found else r.MATCHES
            words = name or ("all tensors" if len(agree) == 1 else "the model itself")
            first.append(Row(words, n, n, cause, _mtp_note(b) if cause == r.MTP else ""))
    ledger.rows[:0] = first
    return ledger


def _mtp_note(b: Breakdown) -> str:
    layers = sorted({int(i) for t in b.tensors if t.role == "mtp" for i in t.layers})
    where = next((t.name for t in b.tensors if t.role == "mtp" and "{layer}" in t.name), "")
    name = where.partition("{layer}")[0]
    return f"{name}{index_ranges(tuple(layers))}" if name and layers else ""


# ------------------------------------------------------------------ by name


def _by_name(b: Breakdown, matched: Matched, ledger: Ledger, missing: list[Missing]) -> None:
    bundled = Counter[int]()
    for bundle in matched.bundles:
        for spec in bundle.specs:
            bundled[id(spec)] += spec.architectural // (len(spec.layers) or 1)
    for held in matched.held:
        spec = held.spec
        if spec.kind == "scale":
            continue
        found = held.whole * held.numel
        for (label, dtype), (elements, parameters) in held.packed.items():
            ledger.pack(label, dtype, elements, parameters)
        extra = sum(t.elements for t in held.other)
        ledger.hold(spec.role, found + extra, held.nbytes)
        if spec.tied_to:
            if found or extra:
                ledger.add(name_of(spec), 0, found + extra, r.TIED, f"the same matrix as {spec.tied_to}")
            continue
        ledger.matched[spec.role] += found
        if held.other:
            _other_shape(b, held, ledger)
        absent = held.tensors - held.whole - len(held.other)
        rest = absent * held.numel - bundled[id(spec)]
        if rest > 0:
            where = tuple(i for i in map(int, spec.layers) if i not in held.layers)
            missing.append(Missing(spec, rest, max(absent, 1), where))
        elif absent < 0:  # more siblings than are predicted: a stack of more experts than the config has
            surplus = -absent
            ledger.matched[spec.role] -= surplus * held.numel
            ledger.add(
                name_of(spec), 0, surplus * held.numel, r.UNEXPLAINED, f"{surplus:,} more than the config has"
            )


def _other_shape(b: Breakdown, held: Held, ledger: Ledger) -> None:
    """Tensors of a predicted name and another shape: one axis longer or shorter, or as many experts fewer."""
    spec, shape = held.spec, held.in_file
    for (stored, _dtype), count in Counter((t.shape, t.dtype) for t in held.other).items():
        predicted, found = count * held.numel, count * prod(stored)
        cause, note = _why_shape(b, spec, shape, stored)
        ledger.add(name_of(spec), predicted, found, cause, note)


def _why_shape(
    b: Breakdown, spec: TensorSpec, shape: tuple[int, ...], stored: tuple[int, ...]
) -> tuple[str, str]:
    said = f"{list(stored)} where the config says {list(shape)}"
    differs = [i for i, (p, s) in enumerate(zip(shape, stored, strict=False)) if p != s]
    if len(shape) != len(stored) or len(differs) != 1:
        return r.UNEXPLAINED, said
    axis = differs[0]
    experts = _experts(b)
    if (
        stored[axis] < shape[axis]
        and shape[axis] in experts
        and spec.role in ("router", "routed_expert", "mtp")
    ):
        return r.PRUNED, f"{stored[axis]:,} of {shape[axis]:,} experts: {said}"
    table = (
        spec.role in ("embedding", "lm_head", "per_layer_embedding") or spec.tied_to or "embed" in spec.name
    )
    if table and axis == 0:
        more = stored[0] > shape[0]
        return (r.PADDED_VOCABULARY if more else r.CUT_VOCABULARY), said
    return (r.PADDED_WIDTH if stored[axis] > shape[axis] else r.UNEXPLAINED), said


def _experts(b: Breakdown) -> set[int]:
    """How many experts a layer has."""
    return {
        int(t.stacked or int(t.copies) // (len(t.layers) or 1))
        for t in b.tensors
        if t.role == "routed_expert"
    }


# ------------------------------------------------------------------ by bundle


def _by_bundle(matched: Matched, ledger: Ledger, missing: list[Missing], config: Mapping[str, Any]) -> None:
    """Bundles of the same name, over all layers: equal ones agree, the others say by how much."""
    unequal: dict[str, list[tuple[Bundled, int]]] = {}
    for bundle in matched.bundles:
        found, words = 0, Counter[tuple[str, str]]()
        for s in bundle.stored:
            size = parameters_of(matched, s, config)
            found += size.parameters
            if s.tensor.elements != size.parameters:
                words[s.part.label, s.tensor.dtype] += s.tensor.elements
        if found != bundle.predicted and words and _in_words(bundle):
            found = bundle.predicted
        if words:
            label, dtype = next(iter(words))
            ledger.pack(label, dtype, sum(words.values()), found)
        role = bundle.specs[0].role
        ledger.hold(role, found, sum(s.tensor.nbytes for s in bundle.stored))
        if found == bundle.predicted:
            ledger.matched[role] += found
        else:
            unequal.setdefault(bundle.name, []).append((bundle, found))
    for name, uneven in unequal.items():
        predicted, found = sum(b.predicted for b, _ in uneven), sum(n for _, n in uneven)
        cause, note = _why_bundle(uneven)
        ledger.add(name, predicted, found, cause, note)


def _in_words(bundle: Bundled) -> bool:
    """Whether all words of a bundle together hold a whole number of bits a value."""
    stored = sum(s.tensor.elements for s in bundle.stored)
    return against((bundle.predicted,), (stored,), bundle.stored[0].tensor.dtype) is not None


def _why_bundle(uneven: list[tuple[Bundled, int]]) -> tuple[str, str]:
    layers = index_ranges(tuple(sorted(b.layer for b, _ in uneven if b.layer is not None)))
    where = f" in layers {layers}" if layers else ""
    first, found = uneven[0]
    spec = first.specs[0]
    experts = int(spec.copies) // (len(spec.layers) or 1)
    if spec.role in ("routed_expert", "mtp") and experts > 1 and found < first.predicted:
        kept = Counter(n * experts for _, n in uneven)
        if len(kept) == 1 and found * experts % first.predicted == 0:
            return r.PRUNED, f"{found * experts // first.predicted:,} of {experts:,} experts{where}"
    names = sorted({s.template for s in first.stored})
    if len(names) > 1 and all(n and n % b.predicted == 0 for b, n in uneven):
        return r.TWICE, f"whole and in parts: {', '.join(names)}"
    return r.UNEXPLAINED, f"stored as {names[0]}{where}"
