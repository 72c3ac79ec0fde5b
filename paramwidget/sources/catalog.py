"""The bundled models: one small JSON each, read only when asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ..breakdown import Provenance
from ..claims import Claim
from ..errors import OptionError, nearest_names, shown
from .opened import Opened

FOLDER = Path(__file__).parent.parent / "catalog"


@cache
def ids() -> tuple[str, ...]:
    """The repository ids of all bundled models, sorted."""
    return tuple(sorted((p.stem.replace("--", "/", 1) for p in FOLDER.glob("*.json")), key=str.lower))


def catalog(query: str = "") -> list[str]:
    """The bundled models whose id has every word of ``query``, upper and lower case alike.

    >>> catalog("gpt-oss")
    ['openai/gpt-oss-120b', 'openai/gpt-oss-20b']
    """
    if not isinstance(query, str):
        raise OptionError(
            f"catalog() takes the words of an id as text, such as 'gpt-oss', and not {shown(query)}.",
            name="query",
            value=query,
        )
    words = query.lower().split()
    return [i for i in ids() if all(w in i.lower() for w in words)]


def nearest(name: str) -> list[str]:
    """The bundled ids that look most like ``name``: by the whole id, by the part behind the owner, or with it inside.

    >>> nearest("gpt-oss-120")
    ['openai/gpt-oss-120b', 'openai/gpt-oss-20b']
    >>> nearest("mixtral")
    ['mistralai/Mixtral-8x22B-Instruct-v0.1', 'mistralai/Mixtral-8x7B-v0.1']
    """
    by_tail = {i.split("/")[-1]: i for i in ids()}
    tails = nearest_names(name.split("/")[-1], by_tail)
    within = [i for i in ids() if name and name.lower() in i.lower()]
    whole = nearest_names(name, ids(), 3)
    return list(dict.fromkeys([*whole, *(by_tail[t] for t in tails), *within]))[:5]


def lookup(name: str) -> Opened | None:
    """The bundled model of that id, upper and lower case alike; None where there is none."""
    exact = {i.lower(): i for i in ids()}.get(name.lower())
    if exact is None:
        return None
    entry = read(exact)
    provenance = Provenance(
        "catalog",
        repo=exact,
        revision=entry.get("revision"),
        note=read_from(entry["sources"]["config"]),
    )
    pin = provenance.pin
    return Opened(
        entry["config"], exact, f"{exact} (bundled snapshot, {pin})", provenance, tuple(claims_of(entry))
    )


def read(name: str) -> dict[str, Any]:
    """One entry as it is on disk."""
    entry: dict[str, Any] = json.loads(
        (FOLDER / f"{name.replace('/', '--', 1)}.json").read_text(encoding="utf-8")
    )
    return entry


def read_from(source: str) -> str:
    """Where the fields of an entry were read, in plain words.

    >>> read_from("https://huggingface.co/a/b/blob/main/config.json")
    'The fields of config.json that decide the count, bundled; from https://huggingface.co/a/b/blob/main/config.json.'
    """
    if found := re.fullmatch(r"the package (\S+?)==(\S+?):([^#]+)(?:#(.+))?", source):
        where = "from a copy in the Python package {} {}, file {}"
    elif found := re.fullmatch(r"([^@\s]+)@([0-9a-f]{40}):([^#]+)(?:#(.+))?", source):
        where = "from a copy in the repository {} at commit {}, file {}"
    if found:
        *names, entry = found.groups()
        said = where.format(*names) + (f", entry {entry}" if entry else "")
    elif source.startswith("its deciding fields; "):
        said = f"put together, not copied from a file: {source.removeprefix('its deciding fields; ')}"
    else:
        said = f"from {source}"
    return f"The fields of config.json that decide the count, bundled; {said}."


def claims_of(entry: dict[str, Any]) -> Iterator[Claim]:
    """The printed numbers of an entry, each read from its text, with what its source says."""
    from ..reading import read as read_claims  # only what has claims needs it

    for claim in entry.get("claims", ()):
        (found,) = read_claims(claim["text"], claim["source"])
        more: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in claim.items()}
        if "basis" in more:
            more["bases"] = (more["basis"],)
        yield replace(found, **more)
