"""Why predicted tensors are in no file: the file is missing, or the whole part, or some experts, or it is not known."""

from __future__ import annotations

import re
from collections import Counter

from .. import aliases
from ..breakdown import Breakdown
from ..inventory import Inventory
from ..layers import index_ranges
from ..unpacking import parts
from . import rows as r
from .ledger import OWN_ROW, Ledger, Missing, name_of

#: parts of a model that a text model may be stored without
PARTS = ("vision", "audio", "projector", "encoder", "mtp", "lm_head")
#: a set of more files is looked through up to here
MOST_SHARDS = 100_000
_SHARD = re.compile(r"(.*?)-(\d+)-of-(\d+)(\.\w+)$")


def missing_rows(b: Breakdown, missing: list[Missing], ledger: Ledger, inventory: Inventory) -> None:
    """A row for each part that no file has."""
    missing = _not_in_files(missing, ledger, inventory)
    whole = Counter[str]()
    for t in b.tensors:
        if t.kind != "scale":
            whole[t.role] += t.stored
    by_role: dict[str, list[Missing]] = {}
    for m in missing:
        by_role.setdefault(m.spec.role, []).append(m)
    for role, some in by_role.items():
        predicted = sum(m.predicted for m in some)
        if role in PARTS and predicted == whole[role]:
            cause = {"mtp": r.MTP_MISSING, "lm_head": r.HEAD_MISSING}.get(role, r.PART_MISSING)
            ledger.add(OWN_ROW.get(role, role), predicted, 0, cause, "the config says that there is one")
            continue
        for m in some:
            _one_missing(b, m, ledger)


def _not_in_files(missing: list[Missing], ledger: Ledger, inventory: Inventory) -> list[Missing]:
    """What an index names and no file holds, and all that is missing where the files of a set are; the rest."""
    if not missing:
        return missing
    shards = missing_shards(inventory)
    there = {file.path for file in inventory.files}
    if inventory.missing:
        named = {aliases.template(name)[0]: file for name, file in inventory.missing.items()}
        without_prefix = {
            aliases.bare(unpacked.base): named[t] for t, unpacked in parts(dict.fromkeys(named, "U8")).items()
        }
    else:
        named, without_prefix = {}, {}
    lost: list[Missing] = []
    rest = []
    for m in missing:
        file = without_prefix.get(aliases.bare(aliases.pattern(m.spec.name).template))
        if file is not None and file in there:
            note = f"the index says that {file} holds it"
            ledger.add(name_of(m.spec), m.predicted, 0, r.MISSING_TENSOR, note)
        elif file is not None or (shards and not named):
            lost.append(m)
        else:
            rest.append(m)
    if lost:
        files = shards or sorted({f for f in without_prefix.values() if f not in there})
        shown = ", ".join(files[:3]) + (f" and {len(files) - 3:,} more" if len(files) > 3 else "")
        count = sum(m.tensors for m in lost)
        note = f"{_tensors(count)}; not there: {shown}"
        ledger.add("tensors of missing files", sum(m.predicted for m in lost), 0, r.MISSING_SHARD, note)
    return rest


def _one_missing(b: Breakdown, m: Missing, ledger: Ledger) -> None:
    spec = m.spec
    where = f" in layer{'s' if len(m.layers) > 1 else ''} {index_ranges(m.layers)}" if m.layers else ""
    experts = int(spec.copies) // (len(spec.layers) or 1) if "{expert}" in spec.name else 0
    if spec.kind == "bias":
        cause, note = r.BIASES_MISSING, f"the config says that there are{where}"
    elif spec.kind == "buffer":
        cause, note = r.BUFFER_MISSING, f"{_tensors(m.tensors)}{where}"
    elif (
        experts and not m.layers and m.tensors % (len(spec.layers) or 1) == 0 and m.tensors < int(spec.copies)
    ):
        kept = experts - m.tensors // (len(spec.layers) or 1)
        cause, note = r.PRUNED, f"{kept:,} of {experts:,} experts in each layer"
    else:
        cause, note = (
            r.UNEXPLAINED,
            f"{_tensors(m.tensors)} {'is' if m.tensors == 1 else 'are'} not there{where}",
        )
    ledger.add(name_of(spec), m.predicted, 0, cause, note)


def _tensors(count: int) -> str:
    return f"{count:,} tensor{'' if count == 1 else 's'}"


def missing_shards(inventory: Inventory) -> list[str]:
    """Files that the names of the others say there should be: ``model-00002-of-00003.safetensors``."""
    sets: dict[tuple[str, str, str], dict[int, str]] = {}
    for file in inventory.files:
        found = _SHARD.match(file.path)
        if found:
            sets.setdefault((found[1], found[3], found[4]), {})[int(found[2])] = found[2]
    missing: list[str] = []
    for (stem, count, suffix), there in sets.items():
        start, width = (0 if 0 in there else 1), len(next(iter(there.values())))
        for i in range(start, start + min(int(count), MOST_SHARDS)):
            if i not in there:
                missing.append(f"{stem}-{i:0{width}d}-of-{count}{suffix}")
    return missing
