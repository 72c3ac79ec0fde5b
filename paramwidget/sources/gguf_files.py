"""GGUF files as a model: one file, or the parts that a large one is split into."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from ..breakdown import Provenance
from ..errors import BadCheckpoint, Incomplete, shown
from ..inventory import Inventory, StoredTensor, WeightFile
from .files import Files
from .gguf import Header, read_header
from .gguf_config import Config, NotDescribed, config_of
from .gguf_names import describe
from .gguf_tensors import beyond_config, bytes_by_role, tensors_of
from .opened import Held, Opened

SPLIT = re.compile(r"-(\d{5,})-of-(\d{5,})\.gguf$")
#: general.type -> what such a file is
NO_MODELS = {"imatrix": "the importance matrix that quantizing takes", "controlvector": "a control vector"}
_LOST = "Parts are missing"
#: the hyper-parameters of each part but the first say only which part it is
_PARTS = ("split.no", "split.count", "split.tensors.count")


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
    files: Files, names: Sequence[str], *, missing: Sequence[str] = (), local: bool = True
) -> Inventory:
    """What the headers of a model's files say, as one; ``names`` are those of its parts, in order.

    Raises BadCheckpoint where a file is bad or a tensor is in two of them; what else disagrees is in ``problems``.
    """
    headers = files.gather([partial(_header, files, name, local) for name in names], "headers")
    tensors: list[StoredTensor] = []
    metadata: dict[str, object] = {}
    where: dict[str, str] = {}
    for i, (name, header) in enumerate(zip(names, headers, strict=True)):
        for t in header.tensors:
            if t.name in where:
                raise BadCheckpoint(
                    f"{files.where(name)}: the tensor {shown(t.name)} is also in {where[t.name]}.",
                    local=local,
                )
            where[t.name] = name
        tensors += (t._replace(file=i) for t in header.tensors)
        metadata = {**header.metadata, **metadata}
    return Inventory(
        "gguf",
        tuple(tensors),
        tuple(WeightFile(n, files.sizes[n], h.header_bytes) for n, h in zip(names, headers, strict=True)),
        files.label,
        metadata=metadata,
        problems=tuple(_problems(len(tensors), len(names), metadata, missing)),
    )


def _header(files: Files, name: str, local: bool) -> Header:
    def read(offset: int, length: int) -> bytes:
        return files.read(name, offset, offset + length)

    return read_header(read, files.sizes[name], files.where(name), local=local)


def _problems(tensors: int, parts: int, metadata: dict[str, object], missing: Sequence[str]) -> list[str]:
    found = []
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        found.append(f"{_LOST} ({len(missing)} of {parts + len(missing)}): {', '.join(missing[:3])}{more}.")
    _, count, total = (metadata.get(key) for key in _PARTS)
    if not missing and isinstance(count, int) and count > 1 and count != parts:  # 0 or absent: merged since
        found.append(f"split.count says {count:,} files, and there are {parts:,}.")
    if isinstance(total, int) and total != tensors:
        found.append(f"split.tensors.count says {total:,} tensors, and there are {tensors:,}.")
    return found


def held(found: Inventory) -> tuple[Config, Held]:
    """The config that the hyper-parameters stand for, empty where they describe none, and what is held against it."""
    lost = next((p for p in found.problems if p.startswith(_LOST)), "")
    if lost:  # its hyper-parameters or its head may be in there
        raise Incomplete(f"{found.repo}: {lost} Incomplete.", local=not found.revision)
    if not found.tensors:
        raise Incomplete(
            f"{found.repo} holds no tensors, only hyper-parameters and a vocabulary. Incomplete.",
            local=not found.revision,
        )
    kind = found.metadata.get("general.type")
    if isinstance(kind, str) and kind in NO_MODELS:
        raise BadCheckpoint(f"{found.repo} is {NO_MODELS[kind]}, not a model.", local=not found.revision)
    extra = beyond_config(found)
    scales = sum(t.elements for t in found.tensors if describe(t.name).kind == "scale")
    arch = found.metadata.get("general.architecture")
    config: Config = {}
    if arch == "clip" or kind == "mmproj":
        why = "they are the towers of a model whose text part is in another file"
    elif kind == "adapter":
        why = "they are an adapter, whose model is in another file"
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
        nbytes=bytes_by_role(found),
    )


def opened(found: Inventory, label: str, provenance: Provenance) -> Opened:
    """A model whose GGUF files were read; ``provenance`` says where, and gets a sentence on what was read."""
    config, files = held(found)
    note = f"{provenance.note} {_note(found)}".strip()
    return Opened(config, label, found.repo, replace(provenance, note=note), inventory=found, held=files)


def _note(found: Inventory) -> str:
    """What was read, in sentences: ``339 tensors of 1 GGUF file, 2,497,280,256 bytes, 4.97 bits per weight.``"""
    files = f"{len(found.files)} GGUF file{'s' if len(found.files) > 1 else ''}"
    nbytes = sum(f.size for f in found.files)
    each = bits(found.nbytes, found.elements)
    text = f"{len(found.tensors):,} tensors of {files}, {nbytes:,} bytes, {each} bits per weight."
    beside = f"Beside it, not counted: {len(found.others)} more." if found.others else ""
    return " ".join(filter(None, [text, *found.problems, beside]))


def bits(nbytes: int, elements: int) -> str:
    """Bits for each element, to two decimals.

    >>> bits(18, 32)
    '4.50'
    """
    hundredths = (nbytes * 1600 // elements + 1) // 2 if elements else 0
    return f"{hundredths // 100}.{hundredths % 100:02}"
