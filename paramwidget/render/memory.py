"""A Memory as plain data, as a table for the terminal, and as HTML without a script or a style sheet."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ..breakdown import SCHEMA
from ..memory.weights import LEFT_IN_16_BITS
from ..roles import ROLES
from ..words import say
from .numbers import both_units, decimal, exact

if TYPE_CHECKING:
    from ..memory import Memory

_CELL = "padding:2px 10px;text-align:right;font-variant-numeric:tabular-nums"
_NAME = "padding:2px 10px;text-align:left"

Table = list[tuple[str, ...]]


def to_dict(m: Memory) -> dict[str, Any]:
    """All of it; sizes in bytes, null where one is not known."""
    return {
        "schema": SCHEMA,
        "model": m.model,
        "context": m.context,
        "positions": m.positions,
        "batch": m.batch,
        "weight_dtype": m.weight_dtype,
        "kv_dtype": m.kv_dtype,
        "encoder_length": m.encoder_length,
        "weight_bytes": m.weight_bytes,
        "kv_bytes_per_token": m.kv_bytes_per_token,
        "kv_bytes_per_token_past_windows": m.kv_bytes_per_token_past_windows,
        "growth": [{"from_tokens": tokens, "bytes_per_token": each} for tokens, each in m.growth],
        "kv_bytes": m.kv_bytes,
        "kv_bytes_reserved": m.kv_bytes_reserved,
        "kv_bytes_expanded": m.kv_bytes_expanded,
        "state_bytes": m.state_bytes,
        "total_bytes": m.total_bytes,
        "by_role": dict(m.by_role),
        "by_kind": [
            {
                "kind": k.kind,
                "label": k.label,
                "layers": k.layers,
                "window": k.window,
                "kv_bytes_per_token": k.kv_bytes_per_token,
                "kv_bytes": k.kv_bytes,
                "kv_bytes_reserved": k.kv_bytes_reserved,
                "state_bytes": k.state_bytes,
            }
            for k in m.by_kind
        ],
        "experts": [
            {"layers": e.layers, "experts": e.experts, "used": e.used, "touched": e.touched}
            for e in m.experts
        ],
        "active": m.active,
        "read_per_token": m.read_per_token,
        "rows_per_token": m.token.rows,
        "flops_per_token": m.flops_per_token,
    }


def summary(m: Memory) -> str:
    """One line: ``60.8 GiB, 65.25 GB of weights; 4.5 GiB, 4.84 GB of cache at 131,072 tokens``."""
    weights = "weights not known" if m.weight_bytes is None else f"{both_units(m.weight_bytes)} of weights"
    if m.kv_bytes is None or m.state_bytes is None:
        return weights
    if not m.keeps:
        return f"{weights}; nothing kept of a context"
    kept = both_units(m.kv_bytes + m.state_bytes)
    return f"{weights}; {kept} of cache and state for {_times(m)}"


def to_text(m: Memory) -> str:
    """Tables of the weights and of what the layers keep, and what to know about them."""
    parts = [m.model, summary(m) + ".", "", *_columns(weight_table(m))]
    if m.keeps:
        parts += ["", *_columns(kind_table(m))]
    return "\n".join([*parts, "", *notes(m)])


def to_fragment(m: Memory) -> str:
    """The same as HTML that JupyterLab's sanitizer keeps."""
    tables = _html_table(weight_table(m)) + (_html_table(kind_table(m)) if m.keeps else "")
    below = "<br>".join(escape(line) for line in notes(m))
    return (
        f"<div><p><b>{escape(m.model)}</b><br>{escape(summary(m))}.</p>{tables}"
        f"<p><small>{below}</small></p></div>"
    )


def weight_table(m: Memory) -> Table:
    """What the weights of each role take; the last row is their sum."""
    rows = [
        (ROLES[role], *(("not known", "") if n is None else (exact(n), both_units(n))))
        for role, n in m.by_role.items()
    ]
    total = (
        ("not known", "") if m.weight_bytes is None else (exact(m.weight_bytes), both_units(m.weight_bytes))
    )
    return [("weights", "bytes", m.weight_dtype or "as stored"), *rows, ("total", *total)]


def kind_table(m: Memory) -> Table:
    """What the layers of each kind keep; the last row is their sum."""
    head = ("layers", "kind", "bytes a token", "cache", "reserved", "state")
    rows = []
    for k in m.by_kind:
        label, each = k.label, k.kv_bytes_per_token
        if k.kind == "cross":  # a token of the context adds nothing to what is kept of the encoder's
            label, each = say("cross_to", k.label, exact(k.window or 0), exact(each)), 0
        elif k.window:
            label += f" of {exact(k.window)}"
        sizes = map(both_units, (k.kv_bytes, k.kv_bytes_reserved, k.state_bytes))
        rows.append((exact(k.layers), label, exact(each), *sizes))
    sums = (m.kv_bytes or 0, m.kv_bytes_reserved or 0, m.state_bytes or 0)
    return [head, *rows, ("total", "", exact(m.kv_bytes_per_token or 0), *map(both_units, sums))]


def notes(m: Memory) -> list[str]:
    """What stands below the tables."""
    lines = []
    missing = [ROLES[role] for role, n in m.by_role.items() if n is None]
    if missing:
        lines.append(
            f"The config does not say how files store {', '.join(missing)}: a weight dtype gives a figure."
        )
    if m.weight_dtype and not m.weight_dtype.endswith(("16", "32")):
        lines.append(
            f"In {m.weight_dtype}: linear maps in layers. {LEFT_IN_16_BITS.capitalize()} stay in 16 bits."
        )
    if m.not_predicted and not m.weight_dtype:
        lines.append(f"Bytes of the weights: not predicted, as {m.not_predicted}.")
    if not m.known:
        lines.append("The layers of this model are not described here, so nothing is known of its cache.")
    elif not m.keeps:
        lines.append(say("keeps_nothing"))
    else:
        if m.positions and m.context > m.positions:
            lines.append(f"{exact(m.context)} tokens: {say('past_positions', exact(m.positions))}.")
        steps = "; ".join(
            f"{exact(each)} bytes{f' past {exact(tokens)} tokens' if tokens else ''}"
            for tokens, each in m.growth
        )
        lines.append(f"Cache of one more token of one sequence, in {m.kv_dtype}: {steps}.")
    if m.kv_bytes != m.kv_bytes_reserved:
        lines.append("Reserved: by an engine that allocates the full length in every layer.")
    if m.kv_bytes_expanded is not None:
        lines.append(
            f"An engine that makes keys and values of the latent vectors before it keeps them: "
            f"{both_units(m.kv_bytes_expanded)} of cache."
        )
    if m.state_bytes:
        lines.append(
            "States: recurrences in 32 bits, last inputs of convolutions in 16; no cache dtype shrinks them."
        )
    for e in m.experts:
        near = decimal(round(e.touched * 1000), 1000, 1)
        lines.append(
            f"Experts: {exact(e.layers)} layers of {exact(e.experts)}, {exact(e.used)} a token; "
            f"a batch of {exact(m.batch)} reads {near} of them on average, if routing is uniform."
        )
    lines += [reads(m), say("figures", exact(m.flops_per_token), exact(m.token.multiplied))]
    return lines


def reads(m: Memory) -> str:
    """How many parameters one token reads, and which are not among them."""
    if not m.token.rows:
        return say("reads_all", exact(m.read_per_token))
    return say("reads", exact(m.read_per_token), exact(m.active), exact(m.token.rows))


def _times(m: Memory) -> str:
    sequences = f"{exact(m.batch)} sequences of " if m.batch > 1 else ""
    return f"{sequences}{exact(m.context)} token{'s' if m.context > 1 else ''}"


def _columns(table: Table) -> list[str]:
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    left = {0} if len(widths) == 3 else {1}
    lines = [
        "  ".join(
            cell.ljust(w) if i in left else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    return [lines[0], rule, *lines[1:-1], rule, lines[-1]]


def _html_table(table: Table) -> str:
    # A head stands as the figures below it do.
    words = {i for i, cell in enumerate(table[1]) if not cell[:1].isdigit()}

    def row(cells: tuple[str, ...], tag: str = "td") -> str:
        scope = ' scope="col"' if tag == "th" else ""
        made = (
            f'<{tag}{scope} style="{_NAME if i in words else _CELL}">{escape(cell)}</{tag}>'
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(made)}</tr>"

    return f"<table><thead>{row(table[0], 'th')}</thead><tbody>{''.join(map(row, table[1:]))}</tbody></table>"
