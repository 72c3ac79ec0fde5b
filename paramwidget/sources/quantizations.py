"""A folder or repository of GGUF files: mostly one model many times over, each in another quantization.

They are listed and never added up. ``owner/name:Q4_K_M`` and ``folder:Q4_K_M`` name one as llama.cpp does; without a
name the largest is read, as the parameters are the same in all, and the others are listed beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..errors import NotFound, SourceError, nearest_names, or_list, shown
from ..inventory import Inventory, OtherCopy
from .files import Files
from .gguf_files import SPLIT, bits, inventory, parts_of

_TAG = r"(?:UD[-_])?(?:I?Q\d+(?:_[A-Z0-9]+)*|TQ\d_\d|BF16|F16|F32|FP16|FP32|MXFP4(?:_MOE)?|NVFP4)"
_AT_END = re.compile(rf"(?:^|[-._/])({_TAG})$", re.IGNORECASE)
_WITHIN = re.compile(rf"(?:^|[-._/])({_TAG})(?=[-._/])", re.IGNORECASE)
#: what lies beside a model in GGUF and is none: the importance matrix that quantizing takes
_NO_MODEL = re.compile(r"(?:^|[-._/])imatrix", re.IGNORECASE)
#: a part of a model in a file of its own
_BESIDE = (("mmproj", "the towers that it sees and hears with"), ("mtp", "its prediction layers"))
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Quantization:
    """One model in one quantization.

    tag      ``Q4_K_M``; empty where the name of the file does not say it
    base     what is left of the name: the same for all quantizations of one model
    files    its parts, in order; ``missing`` those that its names speak of and that are not there
    beside   what it is where it is not the model itself: the towers of mmproj
    """

    tag: str
    base: str
    files: tuple[str, ...]
    nbytes: int
    missing: tuple[str, ...] = ()
    beside: str = ""

    @property
    def name(self) -> str:
        """What it is called where it is listed."""
        return self.files[0] if self.files else self.missing[0]


def quantizations(sizes: Mapping[str, int]) -> list[Quantization]:
    """Every GGUF model among files (path -> bytes), the largest first.

    >>> [(q.tag, len(q.files)) for q in quantizations({"m-Q8_0.gguf": 9, "m-Q4_K_M-00001-of-00002.gguf": 3,
    ...                                                "m-Q4_K_M-00002-of-00002.gguf": 3, "README.md": 1})]
    [('Q8_0', 1), ('Q4_K_M', 2)]
    """
    names = [n for n in sizes if n.lower().endswith(".gguf") and not _NO_MODEL.search(n)]
    found: dict[tuple[str, ...], Quantization] = {}
    for name in sorted(names):
        files, missing = parts_of(name, names)
        key = tuple(files)
        if key not in found:
            found[key] = _quantization(key, tuple(missing), sum(sizes[f] for f in files))
    return sorted(found.values(), key=lambda q: (-q.nbytes, q.name))


def _quantization(files: tuple[str, ...], missing: tuple[str, ...], nbytes: int) -> Quantization:
    stem = re.sub(r"\.gguf$", "", SPLIT.sub("", files[0]), flags=re.IGNORECASE)
    match = _AT_END.search(stem) or next(reversed(list(_WITHIN.finditer(stem))), None)
    tag = match[1] if match else ""
    file = stem.rpartition("/")[2]
    base = re.sub(rf"[-._]?{re.escape(tag)}$", "", file, flags=re.IGNORECASE) if tag else file
    beside = next(
        (why for word, why in _BESIDE if re.search(rf"(?:^|[-._]){word}(?:[-._]|$)", file.lower())), ""
    )
    return Quantization(tag.upper().replace("UD_", "UD-"), base, files, nbytes, missing, beside)


def read_gguf(files: Files, asked: str = "", *, local: bool = True) -> Inventory:
    """The one that is asked for, with the others listed; ``choose`` says which that is."""
    chosen = choose(files.sizes, asked, files.label, local=local)
    found = inventory(files, chosen.files, missing=chosen.missing, local=local)
    return replace(found, others=beside(files.sizes, chosen, found.elements))


def choose(sizes: Mapping[str, int], asked: str, where: str, *, local: bool = True) -> Quantization:
    """The quantization that is asked for, by its tag or its path; without one, the largest of the one model there is.

    Raises NotFound where there is no such one, SourceError where several models could be meant.
    """
    found = quantizations(sizes)
    models = [q for q in found if not q.beside] or found
    if not models:
        raise NotFound(f"{where} has no GGUF file.", local=local)
    if asked.lower().endswith(".gguf"):
        named = [q for q in found if asked in q.files]
    elif asked:
        named = [q for q in models if q.tag == asked.upper()]
    else:
        named = models if len({q.base.lower() for q in models}) == 1 else []
    if named and len({q.base.lower() for q in named}) == 1:
        return named[0]
    if not asked or named:
        raise SourceError(
            f"{where} holds {len(models)} GGUF models: {listed(models)}. Give the path of one of them.",
            local=local,
        )
    near = nearest_names(asked, [q.tag for q in models if q.tag], 3)
    hint = f" The nearest: {or_list(near)}." if near else ""
    raise NotFound(
        f"{where} has no quantization {shown(asked)}.{hint} It holds {listed(models)}.", local=local
    )


def listed(models: Iterable[Quantization]) -> str:
    """Files with their quantization and bytes, in a sentence."""
    lines = [f"{q.name} ({q.tag + ', ' if q.tag else ''}{q.nbytes:,} bytes)" for q in models]
    more = f" and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
    return ", ".join(lines[:_LISTED]) + more


def beside(sizes: Mapping[str, int], chosen: Quantization, elements: int) -> tuple[OtherCopy, ...]:
    """What lies beside the one that was read, each with its bits for one of the model's ``elements``."""
    found = []
    for q in quantizations(sizes):
        if q.files == chosen.files:
            continue
        if q.beside:
            why = f"not counted here: {q.beside}"
        elif q.base.lower() != chosen.base.lower():
            why = "another model"
        else:
            why = f"the same model in {q.tag or 'another quantization'}, {bits(q.nbytes, elements)} bits per weight"
        found.append(OtherCopy(q.name, len(q.files), q.nbytes, why))
    return tuple(found)
