"""GGUF files as a model: one file, or the parts that a large one is split into."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..errors import BadCheckpoint, Incomplete, shown
from ..inventory import Inventory, StoredTensor, WeightFile
from .gguf import Read, read_header
from .gguf_config import Config, NotDescribed, config_of
from .gguf_names import describe
from .gguf_tensors import beyond_config, tensors_of
from .opened import Held

SPLIT = re.compile(r"-(\d{5,})-of-(\d{5,})\.gguf$")
#: the hyper-parameters of each part but the first say only which part it is
_PARTS = ("split.no", "split.count", "split.tensors.count")


class Part(NamedTuple):
    """A file to read: its path in the folder or repository, its bytes, and how they are read."""

    path: str
    size: int
    read: Read


def parts_of(path: str, present: Collection[str]) -> tuple[list[str], list[str]]:
    """The files that belong together with one, in order, and those of them that are not there.

    >>> parts_of("m-00002-of-00003.gguf", ["m-00001-of-00003.gguf", "m-00002-of-00003.gguf"])
    (['m-00001-of-00003.gguf', 'm-00002-of-00003.gguf'], ['m-00003-of-00003.gguf'])
    """
    found = SPLIT.search(path)
    if not found or not 0 < int(found[2]) <= 99_999:
        return [path], []
    stem, digits = path[: found.start()], len(found[2])
    names = [f"{stem}-{i:0{digits}}-of-{found[2]}.gguf" for i in range(1, int(found[2]) + 1)]
    here = set(present)
    return [n for n in names if n in here], [n for n in names if n not in here]


def inventory(
    parts: Sequence[Part], *, repo: str, revision: str | None = None, missing: Sequence[str] = ()
) -> Inventory:
    """What the headers of a model's files say, as one.

    Raises BadCheckpoint where a file is bad or a tensor is in two of them; what else disagrees is in ``problems``.
    """
    tensors: list[StoredTensor] = []
    files: list[WeightFile] = []
    metadata: dict[str, object] = {}
    where: dict[str, str] = {}
    for i, part in enumerate(parts):
        name = f"{repo} at revision {revision}, {part.path}" if revision else part.path
        header = read_header(part.read, part.size, name, local=not revision)
        for t in header.tensors:
            if t.name in where:
                raise BadCheckpoint(
                    f"{name}: the tensor {shown(t.name)} is also in {where[t.name]}.", local=not revision
                )
            where[t.name] = part.path
        tensors += (t._replace(file=i) for t in header.tensors)
        files.append(WeightFile(part.path, part.size, header.header_bytes))
        metadata = {**header.metadata, **metadata}
    return Inventory(
        "gguf",
        tuple(tensors),
        tuple(files),
        repo,
        revision,
        metadata=metadata,
        problems=tuple(_problems(len(tensors), len(parts), metadata, missing)),
    )


def _problems(tensors: int, parts: int, metadata: dict[str, object], missing: Sequence[str]) -> list[str]:
    found = []
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        found.append(
            f"of {parts + len(missing)} parts {len(missing)} are missing: {', '.join(missing[:3])}{more}"
        )
    _, count, total = (metadata.get(key) for key in _PARTS)
    if not missing and isinstance(count, int) and count > 1 and count != parts:  # 0 or absent: merged since
        found.append(f"split.count says {count:,} files, and there are {parts:,}")
    if isinstance(total, int) and total != tensors:
        found.append(f"split.tensors.count says {total:,} tensors, and there are {tensors:,}")
    return found


def complete(found: Inventory) -> None:
    """Refuse to count a model of which a part is missing: its hyper-parameters or its head may be in there."""
    if found.problems and "missing" in found.problems[0]:
        raise Incomplete(f"{found.repo}: {found.problems[0]}. Incomplete.", local=not found.revision)


def held(found: Inventory) -> tuple[Config, Held]:
    """The config that the hyper-parameters stand for, empty where they describe none, and what is held against it."""
    if not found.tensors:
        raise Incomplete(
            f"{found.repo} holds no tensors, only hyper-parameters and a vocabulary. Incomplete.",
            local=not found.revision,
        )
    extra = beyond_config(found)
    scales = sum(t.elements for t in found.tensors if describe(t.name).kind == "scale")
    arch = found.metadata.get("general.architecture")
    config: Config = {}
    if arch == "clip" or found.metadata.get("general.type") == "mmproj":
        why = "they are the towers of a model whose text part is in another file"
    else:
        try:
            config, why = {**config_of(found), "quantization_config": {"quant_method": "gguf"}}, ""
        except NotDescribed as e:
            why = str(e)
    return config, Held(
        found,
        lambda: tensors_of(found),
        architecture=str(arch or ""),
        expected=found.elements - scales - sum(n for _, n in extra),
        beside=" and ".join(f"{n:,} elements of {what}" for what, n in extra),
        why=why,
    )


def note(found: Inventory, nbytes: int) -> str:
    """What was read, in a sentence: ``339 tensors of 1 GGUF file, 2,497,280,256 bytes, 4.97 bits per weight.``"""
    files = f"{len(found.files)} GGUF file{'s' if len(found.files) > 1 else ''}"
    parts = [f"{len(found.tensors):,} tensors of {files}", f"{nbytes:,} bytes"]
    parts.append(f"{bits(found.nbytes, found.elements)} bits per weight.")
    disagree = "".join(f" {problem[0].upper()}{problem[1:]}." for problem in found.problems)
    beside = f" Beside it, not counted: {len(found.others)} more." if found.others else ""
    return ", ".join(parts) + disagree + beside


def bits(nbytes: int, elements: int) -> str:
    """Bits for each element, to two decimals.

    >>> bits(18, 32)
    '4.50'
    """
    hundredths = (nbytes * 1600 // elements + 1) // 2 if elements else 0
    return f"{hundredths // 100}.{hundredths % 100:02}"
