"""Totals that the Hub reported for a repository's files, explained to the unit from its config.

Files hold more or less than a config declares: an MTP layer or none, scales counted as parameters (until July 2026),
a tied matrix under each of its names, buffers that older versions wrote. Each is a named integer; a total is explained
if the stored count and some of them add up to it exactly.
"""

from __future__ import annotations

from itertools import combinations

import paramwidget as pw


def parts(b: pw.Breakdown) -> dict[str, int]:
    """What files may hold beyond the stored count, or lack."""
    stored = b.stored
    tied_head = sum(t.architectural for t in b.tensors if t.tied_to and t.role != "mtp")
    tied_mtp = sum(t.architectural for t in b.tensors if t.tied_to and t.role == "mtp")
    mtp = stored - b.total("stored", off={"mtp"})
    router = sum(t.stored for t in b.tensors if t.kind == "buffer" and t.role == "router")
    found = {
        "without MTP": -mtp,
        "with MTP's own copies of the tables": tied_mtp,
        "with tied matrices under each name": tied_head,
        "with scales": b.total("stored", on={"scale"}) - stored,
        "with the scales of all but MTP": sum(
            t.stored for t in b.tensors if t.kind == "scale" and t.role != "mtp"
        ),
        "without buffers": -(stored - b.total("stored", off={"buffer"})),
        "without the routers' buffers": -router,
        "without an output head": -sum(t.stored for t in b.tensors if t.role == "lm_head"),
        "without vision": -(stored - b.total("stored", off={"vision", "projector"})),
        "without unread weights": -(stored - b.total("stored", off={"unread"})),
        **older_buffers(b),
    }
    return {name: n for name, n in found.items() if n}


def older_buffers(b: pw.Breakdown) -> dict[str, int]:
    """Causal masks and inverse frequencies, which older versions wrote beside the weights."""
    c = b.config
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
    return {}


def explain(b: pw.Breakdown, total: int, most: int = 3) -> tuple[str, ...] | None:
    """The fewest named parts that turn the stored count into a reported total; None if nothing does."""
    known = parts(b)
    for n in range(most + 1):
        for names in combinations(known, n):
            if b.stored + sum(known[name] for name in names) == total:
                return names
    return None
