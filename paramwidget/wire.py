"""What Python gives the browser: one inventory as JSON; js/src/wire.ts is the twin.

The browser adds up what the toggles leave on by the rule of Breakdown.total, so that toggling never waits for the
kernel, and a saved notebook stays interactive with no Python.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .breakdown import SCHEMA, Breakdown
from .claims import Claim, headline
from .errors import printable
from .layers import LayerRun, index_ranges
from .memory.positions import positions
from .memory.token import a_token
from .memory.weights import expert_layers, weigh
from .presets import presets_for
from .roles import BASES, DEFAULT_OUT, ROLES, TOGGLES
from .tensors import TensorSpec
from .words import WORDS

if TYPE_CHECKING:
    from .residual.rows import Residual


def to_wire(b: Breakdown) -> dict[str, Any]:
    """The inventory of a model: tensors, words, presets and claims; plain JSON, integers below 2^53."""
    p = b.provenance
    chosen = headline(b)
    claims = list(b.claims)
    dtypes = Counter(t.dtype or "" for t in b.tensors)
    dtype = printable(dtypes.most_common(1)[0][0]) if dtypes else ""
    return {
        "schema": SCHEMA,
        "model": b.model,
        "model_type": b.model_type,
        "architecture": b.architecture,
        "facts": facts(b),
        "provenance": {
            "kind": p.kind,
            **{key: value for key in ("revision", "path", "fetched") if (value := getattr(p, key))},
            "label": p.kind_label,
            "pin": p.pin if p.kind in ("catalog", "hub") else "",
            "text": f"{p.note} {_read(b)}".strip(),
            "url": f"https://huggingface.co/{p.repo}" if p.repo else None,
            "cite": b.cited,
        },
        "dtype": dtype,
        "tensors": [_tensor(t, dtype) for t in b.tensors],
        "roles": [{"key": r, "label": ROLES[r]} for r in b.roles],
        "toggles": [{"key": t.key, "label": t.label, "help": t.help} for t in b.toggles],
        "defaults": {basis: [k for k in TOGGLES if k in DEFAULT_OUT[basis]] for basis in BASES},
        "layers": [_run(run) for run in b.runs],
        "presets": [
            {
                "key": c.key,
                "label": c.label,
                "basis": c.basis,
                **({"off": list(c.off)} if c.off else {}),
                **({"on": list(c.on)} if c.on else {}),
                "citation": c.citation,
                "url": c.url,
                **({"documented": True} if b.model_type in c.model_types else {}),
            }
            for c in presets_for(b)
        ],
        "claims": [_claim(c) for c in claims],
        "words": WORDS,
        "headline": claims.index(chosen) if chosen else None,
        "defaulted": [_default(key, value) for key, value in b.defaulted.items()],
        "weight_bytes": b.weight_bytes,
        "memory": {
            "weights": [
                [w.role, w.stored_bytes, w.elements, w.maps, *([w.fixed_bytes] if w.fixed_bytes else [])]
                for w in weigh(b)
            ],
            "experts": [list(row) for row in expert_layers(b)],
            "token": _a_token(b),
            "positions": positions(b),
        },
        **({"check": _check(b.residual)} if b.residual else {}),
    }


def _a_token(b: Breakdown) -> list[int]:
    """Parameters that it reads, of how many active ones, those in rows of tables, weights that it multiplies by."""
    token = a_token(b)
    return [token.read, b.active, token.rows, token.multiplied]


def _read(b: Breakdown) -> str:
    """Whether the numbers were held against files."""
    if b.residual is None:
        return "No checkpoint was read, so nothing here is compared with the files."
    if b.residual.found_parameters is None:
        return "The files have no header that could be read."
    return (
        "The headers of its files were read at the same commit."
        if b.residual.revision
        else "Its files were read."
    )


def facts(b: Breakdown) -> list[str]:
    """What the header says of a model in a few words: ``36 layers``, ``4 of 128 experts``."""
    found = [f"{len(b.layers):,} layers" if len(b.layers) != 1 else "1 layer"] if b.runs else []
    for t in b.tensors:
        if t.role == "routed_expert":
            layers = max(len(t.layers), 1)
            found.append(f"{int(t.active_copies) // layers:,} of {int(t.copies) // layers:,} experts")
            break
    return found


def _claim(c: Claim) -> dict[str, Any]:
    """A claim as it was read; what has its usual value is left out."""
    d: dict[str, Any] = {"text": c.text, "source": c.source, "url": c.url, "quote": c.quote, "basis": c.basis}
    d["low"] = [c.low.digits, c.low.places, c.low.unit]
    if c.high != c.low:
        d["high"] = [c.high.digits, c.high.places, c.high.unit]
    if c.number != c.text.split()[0]:
        d["number"] = c.number
    usual = Claim("", c.number, c.basis, low=c.low)
    names = {"words_off": "without", "words_on": "including"}
    for key in (
        "off",
        "on",
        "bases",
        "words_off",
        "words_on",
        "loose",
        "parts",
        "times",
        "each",
        "bits",
        "average",
    ):
        value = getattr(c, key)
        if value != getattr(usual, key):
            d[names.get(key, key)] = list(value) if isinstance(value, tuple) else value
    return d


def _tensor(t: TensorSpec, dtype: str) -> dict[str, Any]:
    """One tensor; what has its usual value is left out, as a saved notebook pays for each byte."""
    d: dict[str, Any] = {
        "name": printable(t.name),
        "shape": [int(n) for n in t.shape],
        "role": t.role,
        "layers": index_ranges(t.layers),
    }
    if t.copies != (len(t.layers) or 1):
        d["copies"] = int(t.copies)
    plain = " × ".join(f"{int(n):,}" for n in t.shape) or "1"
    for key in ("symbols", "numbers"):
        if getattr(t, key) != plain:  # what the shape does not say already
            d[key] = getattr(t, key)
    if t.kind != "weight":
        d["kind"] = t.kind
    if t.active_copies != t.copies:
        d["active_copies"] = int(t.active_copies)
    if t.active_low != t.active_copies:
        d["active_low"] = int(t.active_low)
    if t.stacked is not None:
        d["stacked"] = [int(t.stacked), getattr(t.stacked, "symbols", "")]
    if (t.dtype or "") != dtype:
        d["dtype"] = printable(t.dtype or "")
    for key in ("tied_to", "implied", "note"):
        value = getattr(t, key)
        if value:
            d[key] = printable(value) if isinstance(value, str) else value
    return d


def _check(residual: Residual) -> dict[str, Any]:
    """What the files hold, as ``to_dict`` says it, with escapes for what turns text round or does not show."""
    said = residual.to_dict()
    rows = [{k: printable(v) if isinstance(v, str) else v for k, v in row.items()} for row in said["rows"]]
    return {**said, "rows": rows, "problems": [printable(text) for text in said["problems"]]}


def _run(run: LayerRun) -> dict[str, Any]:
    """Layers that are alike; what they do not have is left out."""
    d: dict[str, Any] = {"layers": index_ranges(run.indices)}
    for field in fields(run.like):
        value = getattr(run.like, field.name)
        if (field.name != "index" and value != field.default) or field.name in ("mixer", "ffn"):
            d[field.name] = value if isinstance(value, str) else int(value)
    return d


def _default(key: str, value: object) -> dict[str, Any]:
    d: dict[str, Any] = {
        "key": key,
        "value": int(value) if type(value) is not bool and isinstance(value, int) else value,
    }
    rule = getattr(value, "symbols", "")
    if rule and rule != key.rsplit(".", 1)[-1]:
        d["rule"] = rule
    return d
