"""Totals that somebody states: the Hub at a commit, an index of a repository. Each is held against the headers.

Where no header was read, a total is only a number: the fewest named parts of the model that turn the predicted count
into it are a hypothesis, and are called one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ..breakdown import Breakdown
from ..inventory import Declared, Inventory
from . import rows as r
from .rows import Residual, Row

#: parts of a sum that are searched together
MOST = 4


class Scale(NamedTuple):
    """All bookkeeping of one label: its elements, and how many of them are in words of 32 bits."""

    elements: int
    in_words: int = 0


def stated(
    b: Breakdown,
    inventory: Inventory,
    found: int,
    scales: Mapping[str, Scale],
    packed: Mapping[tuple[str, str], tuple[int, int]],
    rows: Sequence[Row],
) -> Iterator[Row]:
    """A row for the Hub's total and for each total that an index declares, where they are known."""
    terms = _terms(scales, packed, rows)
    hub = inventory.hub_total
    if hub is not None:
        yield _hub(hub, found, terms, inventory.declared)
    for declared in inventory.declared:
        row = _declared(declared, b, inventory, found, terms, rows)
        if row is not None:
            yield row


def _hub(hub: int, found: int, terms: Mapping[str, int], declared: Sequence[Declared]) -> Row:
    if hub == found:
        return Row("Hub total", found, hub, r.MATCHES, "as the headers say", r.STATED)
    names = fewest(hub - found, terms)
    if names is not None:
        return Row("Hub total", found, hub, r.COUNTED, _sum(found, names, terms, hub), r.STATED)
    said = next((d for d in declared if d.key != "total_size" and d.value == hub), None)
    if said is not None:
        return Row(
            "Hub total", found, hub, r.DECLARED, f"the Hub repeats {said.key} of {said.file}", r.STATED
        )
    return Row("Hub total", found, hub, r.UNEXPLAINED, f"{hub - found:+,} against the headers", r.STATED)


def _declared(
    declared: Declared,
    b: Breakdown,
    inventory: Inventory,
    found: int,
    terms: Mapping[str, int],
    rows: Sequence[Row],
) -> Row | None:
    value, file = declared.value, declared.file
    if declared.key == "total_size":
        if value == inventory.nbytes:
            return None
        note = f"{value - inventory.nbytes:+,} bytes against the headers"
        elements = inventory.elements
        if value and elements and value % elements == 0:
            note = f"{value // elements} × the {elements:,} elements, where the headers have {inventory.nbytes:,} bytes"
        return Row(f"{file}: total_size", inventory.nbytes, value, r.DECLARED, note, r.STATED)
    if value == found:
        return None
    tied = sum(t.architectural for t in b.tensors if t.tied_to and t.role != "mtp")
    twice = dict(terms)
    if tied and not any(row.cause == r.TIED for row in rows):
        twice["the tied matrix once more"] = tied
    names = fewest(value - found, twice)
    if names is not None:
        note = _sum(found, names, twice, value)
    else:
        note = f"{value - found:+,} against the headers, which are believed"
    return Row(f"{file}: {declared.key}", found, value, r.DECLARED, note, r.STATED)


def _terms(
    scales: Mapping[str, Scale], packed: Mapping[tuple[str, str], tuple[int, int]], rows: Sequence[Row]
) -> dict[str, int]:
    """What a counter may take for parameters, or leave out: name -> the difference it makes."""
    terms: dict[str, int] = {}
    if len(scales) > 1:
        terms["all scales counted"] = sum(s.elements for s in scales.values())
    for label, scale in scales.items():
        terms[f"{label} counted"] = scale.elements
    words = sum(elements - parameters for elements, parameters in packed.values())
    if words:
        terms["packed words counted as parameters"] = words
    if len(packed) > 1:
        for (label, dtype), (elements, parameters) in packed.items():
            terms[f"packed words of {label or 'weight'} ({dtype}) counted as parameters"] = (
                elements - parameters
            )
    ratios = {p // e for (_, dtype), (e, p) in packed.items() if dtype in ("I32", "U32") and e and p % e == 0}
    for ratio in ratios:
        for label, scale in scales.items():
            if scale.in_words:
                terms[f"{label} counted as packed, × {ratio}"] = scale.in_words * ratio
    for row in rows:
        if row.cause in (r.TIED, r.OLD_BUFFER, r.CONVERTER) or (
            row.cause == r.MTP and row.of == r.PARAMETERS
        ):
            terms[f"without {row.name}"] = -row.found
        elif row.cause == r.MISSING_SHARD:
            terms["with the missing files"] = row.predicted
    return {name: n for name, n in terms.items() if n}


def fewest(difference: int, terms: Mapping[str, int], most: int = MOST) -> tuple[str, ...] | None:
    """The names of the fewest terms that add up to a difference; None where none do.

    >>> fewest(5, {"a": 2, "b": 3, "c": 9}), fewest(0, {"a": 2}), fewest(1, {"a": 2})
    (('a', 'b'), (), None)
    """
    for n in range(min(most, len(terms)) + 1):
        for names in combinations(terms, n):
            if sum(terms[name] for name in names) == difference:
                return names
    return None


def _sum(start: int, names: Sequence[str], terms: Mapping[str, int], total: int) -> str:
    """``684,489,845,504 + 41,540,496 (weight_scale_inv counted) = 684,531,386,000``."""
    added = "".join(f" {'+' if terms[n] > 0 else '−'} {abs(terms[n]):,} ({n})" for n in names)
    return f"{start:,}{added} = {total:,}"


# ------------------------------------------------------------------ a total alone


def without_headers(b: Breakdown, inventory: Inventory) -> Residual:
    """What can be said of a checkpoint whose headers were not read: at best a hypothesis for the Hub's total."""
    rows: list[Row] = []
    if inventory.hub_total is not None:
        rows.append(hypothesis(b, inventory.hub_total))
    return Residual(
        repo=inventory.repo,
        revision=inventory.revision,
        predicted=b.stored,
        found_parameters=None,
        found_scales=None,
        found_elements=None,
        hub_total=inventory.hub_total,
        rows=tuple(rows),
        declared=inventory.declared,
        problems=inventory.problems,
    )


def hypothesis(b: Breakdown, total: int) -> Row:
    """A total that the Hub reports, explained by the fewest parts of what the config implies, and said to be a guess.

    >>> from paramwidget import count
    >>> row = hypothesis(count("deepseek-ai/DeepSeek-V3"), 684_531_386_000)
    >>> print(row.cause)
    hypothesis: with MTP's own copies of the tables, with scales
    """
    if total == b.stored:
        return Row("Hub total", b.stored, total, r.MATCHES, "no header was read", r.STATED)
    known = parts(b)
    names = fewest(total - b.stored, known)
    if names is None:
        note = f"{total - b.stored:+,} against the config; no header was read"
        return Row("Hub total", b.stored, total, r.UNEXPLAINED, note, r.STATED)
    note = f"{_sum(b.stored, names, known, total)}; no header was read"
    return Row("Hub total", b.stored, total, f"{r.HYPOTHESIS}: {', '.join(names)}", note, r.STATED)


def parts(b: Breakdown) -> dict[str, int]:
    """What files may hold beyond the stored count, or lack: name -> the difference that it makes."""
    stored = b.stored
    found = {
        "without MTP": b.total("stored", off={"mtp"}) - stored,
        "with MTP's own copies of the tables": sum(
            t.architectural for t in b.tensors if t.tied_to and t.role == "mtp"
        ),
        "with tied matrices under each name": sum(
            t.architectural for t in b.tensors if t.tied_to and t.role != "mtp"
        ),
        "with scales": b.total("stored", on={"scale"}) - stored,
        "with the scales of all but MTP": sum(
            t.stored for t in b.tensors if t.kind == "scale" and t.role != "mtp"
        ),
        "without buffers": b.total("stored", off={"buffer"}) - stored,
        "without the routers' buffers": -sum(
            t.stored for t in b.tensors if t.kind == "buffer" and t.role == "router"
        ),
        "without an output head": -sum(t.stored for t in b.tensors if t.role == "lm_head"),
        "without vision": b.total("stored", off={"vision", "projector"}) - stored,
        "without unread weights": b.total("stored", off={"unread"}) - stored,
        **_packed(b),
        **older_buffers(b),
    }
    return {name: n for name, n in found.items() if n}


def _packed(b: Breakdown) -> dict[str, int]:
    """What a counter adds that takes packed words for parameters, or the shapes beside them for packed words."""
    less, shapes = 0, 0
    for t in b.tensors:
        bits = t.bits()
        if t.kind == "scale" or bits is None:
            continue
        if t.dtype in ("mxfp4", "nvfp4", "nf4", "fp4"):  # two in a byte
            less -= t.stored // 2
        elif t.dtype and t.dtype.startswith("int") and bits <= 8:
            less -= t.stored - t.stored * bits // 32
            name = t.name.removesuffix(".weight") + ".weight_shape"
            shapes += sum(s.stored for s in b.tensors if s.name == name and s.layers == t.layers) * (
                32 // bits - 1
            )
    return {"with packed words counted as parameters": less, "with shapes counted as packed words": shapes}


def older_buffers(b: Breakdown) -> dict[str, int]:
    """Causal masks and inverse frequencies, which older versions and converters wrote beside the weights.

    Some converters take ``hidden_size / num_attention_heads`` for the width of a head also where heads have another:
    Moonlight's files hold 27 × 64 frequencies, Kimi-K2's 61 × 56.
    """
    text = b.config.get("text_config")
    c = {**b.config, **(text if isinstance(text, Mapping) else {})}
    if b.model_type == "gpt2":
        return {"with causal masks": c["n_layer"] * c["n_ctx"] ** 2}
    if b.model_type == "gpt_neox":
        layers, width = c["num_hidden_layers"], c["hidden_size"] // c["num_attention_heads"]
        rotary = int(width * c.get("rotary_pct", 0.25)) // 2
        return {
            "with causal masks": layers * c.get("max_position_embeddings", 2048) ** 2,
            "with inverse frequencies": layers * rotary,
        }
    if b.model_type == "gpt_neo":  # only its layers of full attention
        return {"with causal masks": c["num_layers"] * c["max_position_embeddings"] ** 2}
    hidden, heads, layers = (c.get(k) for k in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    if not (type(hidden) is type(heads) is type(layers) is int and heads):
        return {}
    return {f"with inverse frequencies, {layers} × {hidden // heads // 2}": layers * (hidden // heads // 2)}
