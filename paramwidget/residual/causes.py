"""Why files hold what they hold: each stored or missing tensor is put to the first cause that its name and shape show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from .. import aliases
from ..breakdown import Breakdown
from ..inventory import Inventory
from ..layers import index_ranges
from ..render.numbers import decimal
from ..sources.module_roles import roles
from ..tensors import TensorSpec
from . import rows as r
from .match import Bundled, Held, Matched, Stored, parameters_of
from .rows import Row

#: parts of a model that a text model may be stored without
PARTS = ("vision", "audio", "projector", "encoder", "mtp", "lm_head")
#: the rows of what is as predicted, by role; every other role is of the model itself
_OWN_ROW = {"mtp": "MTP layer", "vision": "vision", "audio": "audio", "projector": "projector"}

_OLD_BUFFER = re.compile(
    r"(?:^|\.)(?:inv_freq|masked_bias|position_ids|rotary_emb\.\w+|rope_freqs\.weight|rope_factors_\w+\.weight"
    r"|relative_position_index|num_batches_tracked|causal_mask|freqs_cis)$"
)
_MASK = re.compile(r"(?:^|\.)(?:attn|attention|self_attn)\.(?:\w+\.)?bias$")
_MTP_NAME = re.compile(r"(?:^|\.)(?:mtp\w*|nextn\w*|eh_proj|enorm|hnorm|shared_head)(?:\.|$)")
_SHARD = re.compile(r"(.*?)-0*(\d+)-of-0*(\d+)(\.\w+)$")


@dataclass(slots=True)
class Ledger:
    """The rows as they are found, and how many bytes and parameters each role has."""

    rows: list[Row] = field(default_factory=list)
    matched: Counter[str] = field(default_factory=Counter)
    parameters: Counter[str] = field(default_factory=Counter)
    nbytes: Counter[str] = field(default_factory=Counter)
    packed: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def add(self, name: str, predicted: int, found: int, cause: str, note: str = "", of: str = r.PARAMETERS) -> None:
        self.rows.append(Row(name, predicted, found, cause, note, of))

    def hold(self, role: str, parameters: int, nbytes: int) -> None:
        self.parameters[role] += parameters
        self.nbytes[role] += nbytes

    def pack(self, label: str, dtype: str, elements: int, parameters: int) -> None:
        before = self.packed.get((label, dtype), (0, 0))
        self.packed[label, dtype] = (before[0] + elements, before[1] + parameters)


@dataclass(slots=True)
class _Missing:
    """Predicted tensors that no file has."""

    spec: TensorSpec
    predicted: int
    tensors: int
    layers: tuple[int, ...]


def attribute(b: Breakdown, matched: Matched, inventory: Inventory) -> Ledger:
    """A row for every difference between what is predicted and what is stored, and one for all that agrees."""
    ledger = Ledger()
    missing: list[_Missing] = []
    _by_name(b, matched, ledger, missing)
    _by_bundle(matched, ledger, missing, b.config)
    left = _left(b, matched, ledger)
    left, missing = _by_role(b, matched, left, missing, ledger)
    _extra(b, matched, left, ledger)
    _missing(b, missing, ledger, inventory)
    agree = Counter({_OWN_ROW.get(role, ""): 0 for role in ledger.matched})
    for role, n in ledger.matched.items():
        agree[_OWN_ROW.get(role, "")] += n
    first = []
    for name, n in sorted(agree.items()):
        if n:
            cause = r.MTP if name == "MTP layer" else r.MATCHES
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


def _by_name(b: Breakdown, matched: Matched, ledger: Ledger, missing: list[_Missing]) -> None:
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
                ledger.add(_name(spec), 0, found + extra, r.TIED, f"the same matrix as {spec.tied_to}")
            continue
        ledger.matched[spec.role] += found
        if held.other:
            _other_shape(b, held, ledger)
        absent = held.tensors - held.whole - len(held.other)
        rest = absent * held.numel - bundled[id(spec)]
        if rest > 0:
            where = tuple(i for i in map(int, spec.layers) if i not in held.layers)
            missing.append(_Missing(spec, rest, max(absent, 1), where))
        elif absent < 0:  # more siblings than are predicted: a stack of more experts than the config has
            surplus = -absent
            ledger.matched[spec.role] -= surplus * held.numel
            ledger.add(_name(spec), 0, surplus * held.numel, r.UNEXPLAINED, f"{surplus:,} more than the config has")


def _other_shape(b: Breakdown, held: Held, ledger: Ledger) -> None:
    """Tensors of a predicted name and another shape: one axis longer or shorter, or as many experts fewer."""
    spec, shape = held.spec, held.in_file
    for (stored, _dtype), count in Counter((t.shape, t.dtype) for t in held.other).items():
        predicted, found = count * held.numel, count * prod(stored)
        cause, note = _why_shape(b, spec, shape, stored)
        ledger.add(_name(spec), predicted, found, cause, note)


def _why_shape(b: Breakdown, spec: TensorSpec, shape: tuple[int, ...], stored: tuple[int, ...]) -> tuple[str, str]:
    said = f"{list(stored)} where the config says {list(shape)}"
    differs = [i for i, (p, s) in enumerate(zip(shape, stored, strict=False)) if p != s]
    if len(shape) != len(stored) or len(differs) != 1:
        return r.UNEXPLAINED, said
    axis = differs[0]
    experts = _experts(b)
    if stored[axis] < shape[axis] and shape[axis] in experts and spec.role in ("router", "routed_expert", "mtp"):
        return r.PRUNED, f"{stored[axis]:,} of {shape[axis]:,} experts: {said}"
    table = spec.role in ("embedding", "lm_head", "per_layer_embedding") or spec.tied_to or "embed" in spec.name
    if table and axis == 0:
        more = stored[0] > shape[0]
        return (r.PADDED_VOCABULARY if more else r.CUT_VOCABULARY), said
    return (r.PADDED_WIDTH if stored[axis] > shape[axis] else r.UNEXPLAINED), said


def _experts(b: Breakdown) -> set[int]:
    """How many experts a layer has."""
    return {
        int(t.stacked or int(t.copies) // (len(t.layers) or 1)) for t in b.tensors if t.role == "routed_expert"
    }


# ------------------------------------------------------------------ by bundle


def _by_bundle(matched: Matched, ledger: Ledger, missing: list[_Missing], config: Mapping[str, Any]) -> None:
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
    for name, parts in unequal.items():
        predicted, found = sum(b.predicted for b, _ in parts), sum(n for _, n in parts)
        cause, note = _why_bundle(parts)
        ledger.add(name, predicted, found, cause, note)


def _in_words(bundle: Bundled) -> bool:
    """Whether all words of a bundle together hold a whole number of bits a value."""
    from ..unpacking import against

    stored = sum(s.tensor.elements for s in bundle.stored)
    return against((bundle.predicted,), (stored,), bundle.stored[0].tensor.dtype) is not None


def _why_bundle(parts: list[tuple[Bundled, int]]) -> tuple[str, str]:
    layers = index_ranges(tuple(sorted(b.layer for b, _ in parts if b.layer is not None)))
    where = f" in layers {layers}" if layers else ""
    first, found = parts[0]
    spec = first.specs[0]
    experts = int(spec.copies) // (len(spec.layers) or 1)
    if spec.role in ("routed_expert", "mtp") and experts > 1 and found < first.predicted:
        kept = Counter(n * experts for _, n in parts)
        if len(kept) == 1 and found * experts % first.predicted == 0:
            return r.PRUNED, f"{found * experts // first.predicted:,} of {experts:,} experts{where}"
    names = sorted({s.template for s in first.stored})
    if len(names) > 1 and all(n and n % b.predicted == 0 for b, n in parts):
        return r.TWICE, f"whole and in parts: {', '.join(names)}"
    return r.UNEXPLAINED, f"stored as {names[0]}{where}"


# ------------------------------------------------------------------ what is left over


def _left(b: Breakdown, matched: Matched, ledger: Ledger) -> list[Stored]:
    """What nothing predicts, less what its own name explains: old buffers, MTP layers, biases."""
    beyond = _beyond(b, matched.left)
    modules = {aliases.bare(aliases.pattern(t.name).template).rpartition(".")[0] for t in b.tensors}
    heads = {s for t in b.tensors if t.role == "lm_head" for s in (aliases.pattern(t.name).template, t.name)}
    groups: dict[tuple[str, str], list[Stored]] = {}
    rest = []
    for s in matched.left:
        template, short = s.part.base, aliases.bare(s.part.base)
        layer = aliases.layer_of(template, s.numbers)
        if _OLD_BUFFER.search(template) or (_MASK.search(template) and len(s.tensor.shape) > 2):
            cause = r.OLD_BUFFER
        elif _MTP_NAME.search(short) or (layer is not None and layer in beyond and short.startswith("layers.")):
            cause = r.MTP
        elif template.endswith(("bias", "_b")) and short.rpartition(".")[0] in modules:
            cause = r.BIASES
        elif not b.total("stored") and template in heads:
            cause = r.TIED
        else:
            rest.append(s)
            continue
        groups.setdefault(("*.bias" if cause == r.BIASES else template, cause), []).append(s)
    found_mtp: list[Stored] = []
    for (template, cause), some in groups.items():
        if cause == r.MTP:
            found_mtp += some
            continue
        note = {
            r.OLD_BUFFER: "computed from the config today",
            r.BIASES: f"of {', '.join(sorted({s.part.base.split('.')[-2] for s in some}))}; the config does not name them",
        }.get(cause, "")
        _row_of(matched, template, some, cause, note, ledger, b)
    if found_mtp:
        _row_of(matched, "MTP layer", found_mtp, r.MTP, "the config does not say that there is one", ledger, b, "mtp")
    return rest


def _beyond(b: Breakdown, left: Iterable[Stored]) -> set[int]:
    """Layers after the last predicted one that have the norms and the projection of an MTP layer."""
    last = max((int(i) for t in b.tensors if t.role not in _OWN_ROW for i in t.layers), default=-1)
    found = set()
    for s in left:
        layer = aliases.layer_of(s.part.base, s.numbers)
        if layer is not None and layer > last and _MTP_NAME.search(s.part.base):
            found.add(layer)
    return found


def _row_of(
    matched: Matched,
    name: str,
    some: list[Stored],
    cause: str,
    note: str,
    ledger: Ledger,
    b: Breakdown,
    role: str | None = None,
) -> None:
    total = 0
    known = roles({_readable(s.part.base) for s in some}) if role is None else {}
    for s in some:
        size = parameters_of(matched, s, b.config)
        total += size.parameters
        ledger.hold(role or known[_readable(s.part.base)], size.parameters, s.tensor.nbytes)
        if size.parameters != s.tensor.elements:
            ledger.pack(s.part.label, s.tensor.dtype, s.tensor.elements, size.parameters)
    shown = f"{len(some):,} tensors" if len(some) > 1 else f"{list(some[0].tensor.shape)}"
    ledger.add(_readable(name), 0, total, cause, f"{shown}; {note}" if note else shown)


def _by_role(
    b: Breakdown, matched: Matched, left: list[Stored], missing: list[_Missing], ledger: Ledger
) -> tuple[list[Stored], list[_Missing]]:
    """What no name matches, compared by role where both sides have some of it: an equal sum is the same, renamed."""
    if not left or not missing:
        return left, missing
    known = roles({_readable(s.part.base) for s in left})
    stored: dict[str, list[Stored]] = {}
    for s in left:
        stored.setdefault(known[_readable(s.part.base)], []).append(s)
    absent: dict[str, list[_Missing]] = {}
    for m in missing:
        absent.setdefault(m.spec.role, []).append(m)
    done: set[str] = set()
    for role in stored.keys() & absent.keys():
        predicted = sum(m.predicted for m in absent[role])
        sizes = [parameters_of(matched, s, b.config) for s in stored[role]]
        found = sum(size.parameters for size in sizes)
        layers = _by_layer(matched, b, stored[role], absent[role])
        equal = sum(p for p, f in layers.values() if p == f)
        if not equal:
            continue
        done.add(role)
        for s, size in zip(stored[role], sizes, strict=True):
            ledger.hold(role, size.parameters, s.tensor.nbytes)
            if size.parameters != s.tensor.elements:
                ledger.pack(s.part.label, s.tensor.dtype, s.tensor.elements, size.parameters)
        names = sorted({s.template for s in stored[role]})
        note = f"compared by layer and role; stored as {names[0]}" + (f" and {len(names) - 1} more" * (len(names) > 1))
        ledger.add(role, equal, equal, r.REGROUPED, note)
        if predicted != equal or found != equal:
            ledger.add(role, predicted - equal, found - equal, r.UNEXPLAINED, note)
    return (
        [s for s in left if known[_readable(s.part.base)] not in done],
        [m for m in missing if m.spec.role not in done],
    )


def _by_layer(
    matched: Matched, b: Breakdown, stored: list[Stored], absent: list[_Missing]
) -> dict[int | None, tuple[int, int]]:
    """layer -> what is predicted of it and what is stored; None where a tensor is in no layer."""
    predicted, found = Counter[int | None](), Counter[int | None]()
    for m in absent:
        layers = m.layers or (None,)
        for layer in layers:
            predicted[layer] += m.predicted // len(layers)
    for s in stored:
        found[aliases.layer_of(s.part.base, s.numbers)] += parameters_of(matched, s, b.config).parameters
    return {k: (predicted[k], found[k]) for k in predicted.keys() | found.keys()}


def _extra(b: Breakdown, matched: Matched, left: list[Stored], ledger: Ledger) -> None:
    """Tensors of modules that the config does not imply; more of a module that it does imply is not explained."""
    predicted = {aliases.bare(aliases.pattern(t.name).template) for t in b.tensors}
    modules = {each.rpartition(".")[0] for each in predicted} | predicted
    tops = {each.partition(".")[0] for each in predicted}
    last = max((int(i) for t in b.tensors for i in t.layers), default=-1)
    groups: dict[tuple[str, str], list[Stored]] = {}
    for s in left:
        short = aliases.bare(s.part.base)
        top, owner = short.partition(".")[0], short.rpartition(".")[0]
        layer = aliases.layer_of(s.part.base, s.numbers)
        if top not in tops:
            groups.setdefault((f"{top}.*", r.EXTRA), []).append(s)
        elif owner and owner not in modules and not (layer is not None and layer > last):
            groups.setdefault((s.part.base, r.EXTRA), []).append(s)
        else:
            groups.setdefault((s.part.base, r.UNEXPLAINED), []).append(s)
    for (name, cause), some in groups.items():
        _row_of(matched, name, some, cause, "", ledger, b)


# ------------------------------------------------------------------ what is missing


def _missing(b: Breakdown, missing: list[_Missing], ledger: Ledger, inventory: Inventory) -> None:
    """A row for each part that no file has."""
    shards = missing_shards(inventory)
    if shards and missing:
        named = ", ".join(shards[:3]) + (f" and {len(shards) - 3} more" if len(shards) > 3 else "")
        count = sum(m.tensors for m in missing)
        ledger.add(
            "tensors of missing files",
            sum(m.predicted for m in missing),
            0,
            r.MISSING_SHARD,
            f"{count:,} tensors; not there: {named}",
        )
        return
    whole = Counter[str]()
    for t in b.tensors:
        if t.kind != "scale":
            whole[t.role] += t.stored
    by_role: dict[str, list[_Missing]] = {}
    for m in missing:
        by_role.setdefault(m.spec.role, []).append(m)
    for role, some in by_role.items():
        predicted = sum(m.predicted for m in some)
        if role in PARTS and predicted == whole[role]:
            cause = {"mtp": r.MTP_MISSING, "lm_head": r.HEAD_MISSING}.get(role, r.PART_MISSING)
            ledger.add(_OWN_ROW.get(role, role), predicted, 0, cause, "the config says that there is one")
            continue
        for m in some:
            _one_missing(b, m, ledger)


def _one_missing(b: Breakdown, m: _Missing, ledger: Ledger) -> None:
    spec = m.spec
    where = f" in layers {index_ranges(m.layers)}" if m.layers else ""
    experts = int(spec.copies) // (len(spec.layers) or 1) if "{expert}" in spec.name else 0
    if spec.kind == "bias":
        cause, note = r.BIASES_MISSING, f"the config says that there are{where}"
    elif spec.kind == "buffer":
        cause, note = r.BUFFER_MISSING, f"{m.tensors:,} tensors{where}"
    elif experts and not m.layers and m.tensors % (len(spec.layers) or 1) == 0 and m.tensors < int(spec.copies):
        kept = experts - m.tensors // (len(spec.layers) or 1)
        cause, note = r.PRUNED, f"{kept:,} of {experts:,} experts in each layer"
    else:
        cause, note = r.UNEXPLAINED, f"{m.tensors:,} tensors are not there{where}"
    ledger.add(_name(spec), m.predicted, 0, cause, note)


def missing_shards(inventory: Inventory) -> list[str]:
    """Files that the names of the others say there should be: ``model-00002-of-00003.safetensors``."""
    sets: dict[tuple[str, int, str], set[int]] = {}
    width = 5
    for file in inventory.files:
        found = _SHARD.match(file.path)
        if found:
            width = len(file.path) - len(found[1]) - len(found[4]) - len("-of-") - len(found[3]) - 1
            sets.setdefault((found[1], int(found[3]), found[4]), set()).add(int(found[2]))
    missing = []
    for (stem, count, suffix), there in sets.items():
        start = 0 if 0 in there else 1
        for i in range(start, start + count):
            if i not in there and len(missing) < 1000:
                missing.append(f"{stem}-{i:05d}-of-{count:05d}{suffix}")
    return missing


def _name(spec: TensorSpec) -> str:
    """The predicted name; of one layer with its number."""
    layers = tuple(map(int, spec.layers))
    return spec.name.replace("{layer}", str(layers[0])) if len(layers) == 1 else spec.name


def _readable(template: str) -> str:
    """A template with words for its numbers, as the roles are read off."""
    at = aliases.layer_position(template)
    out: list[str] = []
    for i, piece in enumerate(template.split(aliases.NUMBER)):
        if i:
            out.append("{layer}" if i - 1 == at else "{expert}" if ".experts." in out[-1] or "expert" in out[-1] else "{n}")
        out.append(piece)
    return "".join(out)


def packed_rows(packed: Mapping[tuple[str, str], tuple[int, int]]) -> Iterator[Row]:
    """What packed words hold: elements as stored against parameters."""
    for (label, dtype), (elements, parameters) in sorted(packed.items()):
        name = f"*.{label}" if label else "*.weight"
        ratio = f"{parameters // elements}" if parameters % elements == 0 else decimal(parameters, elements, 2)
        yield Row(
            f"{name} ({dtype})", parameters, elements, r.PACKED, f"{ratio} parameters in each stored element", r.STATED
        )
