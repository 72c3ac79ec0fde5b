"""One HTML file that holds the whole view: it asks for nothing, runs from a folder, and prints.

Its Content-Security-Policy allows the one script and the one style sheet that were written with it, by their hashes:
whatever a model, a tensor or a claim is called, it stays text.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from ..breakdown import Breakdown
from ..grammar import grammar
from ..reading import readable
from ..roles import BASES, check_toggles, out_set
from ..wire import to_wire
from .numbers import exact
from .rows import rows, sentence
from .text import notes

_STATIC = Path(__file__).parent.parent / "static"
_COLUMNS = ("part", *BASES, "share")


def to_page(
    b: Breakdown,
    basis: str = "active",
    off: Iterable[str] = (),
    on: Iterable[str] = (),
    claim: str | None = None,
) -> str:
    """The interactive view of a model as one self-contained HTML file, some 100 kB.

    basis, off, on  the convention that it opens with
    claim           the text of the claim that its bridge starts from; None for the first

    The numbers also stand in it as a plain table, for readers without scripts, for printing and for search.
    Raises ConventionError for an unknown basis or toggle, ClaimError for a claim that cannot be read.
    """
    off, on = check_toggles(off), check_toggles(on)
    out_set(basis, off, on)
    claim = readable(claim, b.claims)
    state = {"data": to_wire(b), "basis": basis, "off": list(off), "on": list(on), "claim": claim}
    state["grammar"] = grammar()
    script = _static("page.js")
    style = _static("page.css") + _static("widget.css")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        f"img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    said = sentence(b, basis, off, on)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(f"{b.model}: {said}")}">
<meta name="generator" content="paramwidget">
<title>{escape(b.model)}: parameters</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(b.model)}</h1>
<div id="pw-view"></div>
<script id="pw-state" type="application/json">{_json(state)}</script>
<details id="pw-table" open>
<summary>The same as a table</summary>
{_table(b, basis, off, on)}
</details>
</main>
<script>{script}</script>
</body>
</html>
"""


def _table(b: Breakdown, basis: str, off: tuple[str, ...], on: tuple[str, ...]) -> str:
    head = "".join(f'<th scope="col">{c}</th>' for c in (*_COLUMNS[:-1], f"share of {basis}"))
    body = "".join(
        f'<tr><th scope="row">{escape(r.label)}</th>'
        + "".join(f"<td>{exact(n)}</td>" for n in (r.stored, r.architectural, r.active))
        + f"<td>{r.share}</td></tr>"
        for r in rows(b, basis, off, on)
    )
    sums = "".join(f"<td>{exact(b.total(x, off, on))}</td>" for x in BASES)
    return (
        f"<p>{escape(sentence(b, basis, off, on))}</p>"
        f'<div class="pw-scroll" tabindex="0" role="region" aria-label="Parameters by part"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        f'<tfoot><tr><th scope="row">total</th>{sums}<td></td></tr></tfoot></table></div>'
        + "".join(f"<p>{escape(line)}</p>" for line in notes(b, basis, off, on))
    )


def _static(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(state: dict[str, Any]) -> str:
    """JSON that cannot end the element it stands in, nor open a comment in it."""
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
