"""What files hold and nothing predicts by name: old buffers, MTP layers, biases, other names, modules of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest

from .. import aliases
from ..breakdown import Breakdown
from ..sources.gguf_names import MADE
from ..sources.module_roles import roles
from . import rows as r
from .ledger import OWN_ROW, Ledger, Missing, readable
from .match import Matched, Stored, parameters_of

#: names of one kind that have a row each
MOST_NAMES = 200
_OLD_BUFFER = re.compile(
    r"(?:^|\.)(?:inv_freq|masked_bias|position_ids|rotary_emb\.\w+"
    r"|relative_position_index|num_batches_tracked|causal_mask|freqs_cis)$"
)
_MASK = re.compile(r"(?:^|\.)(?:attn|attention|self_attn)\.(?:\w+\.)?bias$")
_MTP_NAME = re.compile(r"(?:^|\.)(?:mtp\w*|nextn\w*|eh_proj|enorm|hnorm|shared_head)(?:\.|$)")


def named_causes(b: Breakdown, matched: Matched, ledger: Ledger) -> list[Stored]:
    """What nothing predicts, less what its own name explains: old buffers, MTP layers, biases."""
    beyond = _beyond(b, matched.left)
    modules = {aliases.bare(aliases.pattern(t.name).template).rpartition(".")[0] for t in b.tensors}
    heads = {s for t in b.tensors if t.role == "lm_head" for s in (aliases.pattern(t.name).template, t.name)}
    groups: dict[tuple[str, str], list[Stored]] = {}
    rest = []
    counted = bool(b.total("stored"))
    for s in matched.left:
        template, short = s.part.base, aliases.bare(s.part.base)
        layer = aliases.layer_of(template, s.numbers)
        if _own(template) in MADE:
            cause = r.CONVERTER
        elif _OLD_BUFFER.search(template) or (_MASK.search(template) and len(s.tensor.shape) > 2):
            cause = r.OLD_BUFFER
        elif _MTP_NAME.search(short) or (
            layer is not None and layer in beyond and short.startswith("layers.")
        ):
            cause = r.MTP
        elif template.endswith(("bias", "_b")) and short.rpartition(".")[0] in modules:
            cause = r.BIASES
        elif not counted and template in heads:
            cause = r.TIED
        else:
            rest.append(s)
            continue
        groups.setdefault(("*.bias" if cause == r.BIASES else template, cause), []).append(s)
    found_mtp: list[Stored] = []
    for (template, cause), some in _listed(groups):
        if cause == r.MTP:
            found_mtp += some
            continue
        note = {
            r.OLD_BUFFER: "computed from the config today",
            r.CONVERTER: MADE.get(_own(template), ""),
            r.BIASES: f"of {', '.join(sorted({_owner(s) for s in some}))}; the config does not name them",
        }.get(cause, "")
        _row_of(matched, template, some, cause, note, ledger, b)
    if found_mtp:
        _row_of(
            matched,
            "MTP layer",
            found_mtp,
            r.MTP,
            "the config does not say that there is one",
            ledger,
            b,
            "mtp",
        )
    return rest


def _own(template: str) -> str:
    """What llama.cpp calls it, without its layer."""
    return template.removesuffix(".weight").rpartition(".")[2]


def _owner(s: Stored) -> str:
    return s.part.base.rpartition(".")[0].rpartition(".")[2]


def _beyond(b: Breakdown, left: Iterable[Stored]) -> set[int]:
    """Layers after the last predicted one that have the norms and the projection of an MTP layer."""
    last = max((int(i) for t in b.tensors if t.role not in OWN_ROW for i in t.layers), default=-1)
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
    known = roles({readable(s.part.base) for s in some}) if role is None else {}
    for s in some:
        size = parameters_of(matched, s, b.config)
        total += size.parameters
        ledger.hold(role or known[readable(s.part.base)], size.parameters, s.tensor.nbytes)
        if size.parameters != s.tensor.elements:
            ledger.pack(s.part.label, s.tensor.dtype, s.tensor.elements, size.parameters)
    shown = f"{len(some):,} tensors" if len(some) > 1 else f"{list(some[0].tensor.shape)}"
    ledger.add(readable(name), 0, total, cause, f"{shown}; {note}" if note else shown)


def by_role(
    b: Breakdown, matched: Matched, left: list[Stored], missing: list[Missing], ledger: Ledger
) -> tuple[list[Stored], list[Missing]]:
    """What no name matches, compared by role where both sides have some of it: an equal sum is the same, renamed."""
    if not left or not missing:
        return left, missing
    known = roles({readable(s.part.base) for s in left})
    stored: dict[str, list[Stored]] = {}
    for s in left:
        stored.setdefault(known[readable(s.part.base)], []).append(s)
    absent: dict[str, list[Missing]] = {}
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
        note = f"compared by layer and role; stored as {names[0]}" + (
            f" and {len(names) - 1} more" * (len(names) > 1)
        )
        ledger.add(role, equal, equal, r.REGROUPED, note)
        if predicted != equal or found != equal:
            ledger.add(role, predicted - equal, found - equal, r.UNEXPLAINED, note)
    return (
        [s for s in left if known[readable(s.part.base)] not in done],
        [m for m in missing if m.spec.role not in done],
    )


def _by_layer(
    matched: Matched, b: Breakdown, stored: list[Stored], absent: list[Missing]
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


def extra_rows(b: Breakdown, matched: Matched, left: list[Stored], ledger: Ledger) -> None:
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
    for (name, cause), some in _listed(groups):
        _row_of(matched, name, some, cause, "", ledger, b)


def _listed(groups: Mapping[tuple[str, str], list[Stored]]) -> Iterator[tuple[tuple[str, str], list[Stored]]]:
    """Groups of tensors by name and cause: the largest as they are, what is more than anybody reads as one a cause."""
    if len(groups) <= MOST_NAMES:
        yield from groups.items()
        return
    sizes = {key: sum(s.tensor.elements for s in some) for key, some in groups.items()}
    largest = set(nlargest(MOST_NAMES, groups, key=sizes.__getitem__))
    rest: dict[str, tuple[int, list[Stored]]] = {}
    for key, some in groups.items():
        if key in largest:
            yield key, some
        else:
            names, held = rest.get(key[1], (0, []))
            held += some
            rest[key[1]] = names + 1, held
    for cause, (names, held) in rest.items():
        yield (f"{names:,} other names", cause), held
