"""What the files really hold, held against what the config implies; every difference has a name.

>>> from paramwidget import count
>>> from paramwidget.inventory import Inventory, StoredTensor, WeightFile
>>> b = count({"architectures": ["LlamaForCausalLM"], "vocab_size": 8, "hidden_size": 4, "intermediate_size": 6,
...            "num_hidden_layers": 1, "num_attention_heads": 2, "tie_word_embeddings": True})
>>> names = [(t.name.replace("{layer}", "0"), t) for t in b.tensors]  # lm_head.weight, which is tied, among them
>>> held = tuple(StoredTensor(name, tuple(map(int, t.shape)), "BF16", 2 * t.numel) for name, t in names)
>>> residual = compare(b, Inventory("safetensors", held, (WeightFile("model.safetensors", 1000),)))
>>> for row in residual.rows:
...     print(row.name, row.predicted, row.found, row.cause, sep=" | ")
all tensors | 180 | 180 | as the config says
lm_head.weight | 0 | 32 | tied matrix stored again
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..breakdown import Breakdown
from ..inventory import Inventory
from ..unpacking import QUANT_STATE
from . import rows as r
from .causes import attribute
from .ledger import Ledger, packed_rows
from .match import Matched, match, stored_of
from .rows import Residual, RoleBytes, Row
from .totals import Scale, stated, without_headers

__all__ = ["Residual", "RoleBytes", "Row", "compare"]


def compare(b: Breakdown, inventory: Inventory) -> Residual:
    """Hold an inventory against what the config implies.

    b          the breakdown of the config at the same commit
    inventory  the tensors of the checkpoint; one without tensors leaves the Hub's total to be explained by hypotheses

    Returns a Residual, whose rows of parameters add up to what is predicted and to what was found.
    """
    if not inventory.tensors:
        return without_headers(b, inventory)
    stored = stored_of(inventory, [t.name for t in b.tensors])
    matched = match(b.tensors, stored, b.config)
    ledger = attribute(b, matched, inventory)
    scales = _scales(matched, ledger)
    scale_rows = _scale_rows(b, scales)
    own = sum(t.elements for t in inventory.tensors)
    found = sum(row.found for row in ledger.rows)
    predicted = sum(row.predicted for row in ledger.rows)
    if predicted != b.stored:  # cannot be: a tensor that was compared twice or not at all
        ledger.add("tensors that could not be compared", b.stored - predicted, 0, r.UNEXPLAINED)
    others = [
        Row(o.path, 0, 0, r.COPY, f"{o.files:,} files, {o.nbytes:,} bytes, not counted: {o.why}", r.ELSEWHERE)
        for o in inventory.others
    ]
    rows = [*ledger.rows, *scale_rows, *packed_rows(ledger.packed)]
    rows += [*stated(b, inventory, found, scales, ledger.packed, rows), *others]
    order = dict.fromkeys([*b.roles, *ledger.parameters, *ledger.nbytes])
    return Residual(
        repo=inventory.repo,
        revision=inventory.revision,
        predicted=b.stored,
        found_parameters=found,
        found_scales=sum(scale.elements for scale in scales.values()),
        found_elements=own,
        hub_total=inventory.hub_total,
        rows=tuple(rows),
        declared=inventory.declared,
        problems=inventory.problems,
        nbytes=inventory.nbytes,
        by_role={
            role: RoleBytes(ledger.parameters[role], ledger.nbytes[role])
            for role in order
            if ledger.parameters[role] or ledger.nbytes[role]
        },
    )


def _scales(matched: Matched, ledger: Ledger) -> dict[str, Scale]:
    """The bookkeeping by its label, counted apart; its bytes are of the role of its weight."""
    found: dict[str, Scale] = {}
    for s, owner in matched.scales:
        label = s.part.label or s.template.rpartition(".")[2]
        before, elements = found.get(label, Scale(0)), s.tensor.elements
        words = elements if s.tensor.dtype in ("I32", "U32") else 0
        found[label] = Scale(before.elements + elements, before.in_words + words)
        ledger.hold(owner.role if owner else "other", 0, s.tensor.nbytes)
    return found


def _scale_rows(b: Breakdown, found: Mapping[str, Scale]) -> list[Row]:
    """One row for each kind of bookkeeping, predicted or found."""
    predicted: Counter[str] = Counter()
    for t in b.tensors:
        if t.kind == "scale" and not t.tied_to:
            predicted[_label(t.name, found)] += t.architectural
    rows = []
    for label in dict.fromkeys([*found, *predicted]):
        elements = found.get(label, Scale(0)).elements
        note = _words(predicted[label], elements)
        rows.append(Row(f"*.{label}", predicted[label], elements, r.SCALES, note, r.BOOKKEEPING))
    return rows


def _label(name: str, known: Mapping[str, Scale]) -> str:
    name = QUANT_STATE.sub(".quant_state", name)
    longest = sorted(known, key=len, reverse=True)
    return next((label for label in longest if name.endswith(label)), name.rpartition(".")[2])


def _words(predicted: int, found: int) -> str:
    text = "bookkeeping of the quantization, never parameters"
    if predicted and found != predicted:
        return f"{text}; {found - predicted:+,} against the config's layout"
    return text if predicted else f"{text}; the config does not give their layout"
