"""A checkpoint in safetensors: the headers of its files, read together, and compared with what its index says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ..errors import BadCheckpoint, Incomplete, shown
from ..inventory import Inventory, OtherCopy, StoredTensor, WeightFile
from .files import Files
from .layout import Layout, ShardSet, choose
from .safetensors import PREFIX, Header, header_length, parse_header
from .shard_index import MAX_INDEX_BYTES, ShardIndex, disagreements, parse_index

#: lists of folders by the libraries that read them, and the most bytes that one has
COMPONENT_LISTS = ("model_index.json", "modules.json")
MAX_LIST_BYTES = 1 << 20

#: the first bytes of a file that are read: those of nearly every single file have their header within
FIRST_OF_ONE = 96 << 10
#: of shards, of which the first ones tell what the others need
FIRST_OF_MANY = 32 << 10


def read_checkpoint(files: Files) -> Inventory:
    """The tensors of the files that are the model, and sentences on whatever disagrees.

    files  a repository at one commit, or a folder

    Raises Incomplete where there are no weights, BadCheckpoint where a file cannot be what its name says. Where the
    weights are in a format that has no header to read here, ``format`` is ``unread`` and there are no tensors.
    """
    layout = choose(files.sizes, components_of(files))
    if not layout.sets:
        return _unread(files, layout)
    return _Reading(files, layout).inventory()


def components_of(files: Files) -> list[str]:
    """The folders in which a library looks for the parts of a model; none where it does not list any."""
    for name in COMPONENT_LISTS:
        size = files.sizes.get(name)
        if size is None or size > MAX_LIST_BYTES:
            continue
        try:
            listed = json.loads(files.read(name, 0, size))
        except (ValueError, RecursionError):
            raise BadCheckpoint(
                f"{files.where(name)} is not JSON, so it cannot say where the parts are."
            ) from None
        if name == "modules.json" and isinstance(listed, list):
            paths = [module.get("path") for module in listed if isinstance(module, dict)]
            return [p for p in paths if isinstance(p, str)]
        if isinstance(listed, dict):
            return [key for key, value in listed.items() if _is_component(key, value)]
    return []


def _is_component(key: str, value: object) -> bool:
    return (
        not key.startswith("_") and isinstance(value, list) and len(value) == 2 and isinstance(value[1], str)
    )


def _unread(files: Files, layout: Layout) -> Inventory:
    if not layout.unread:
        raise Incomplete(
            f"{files.label} holds no weights: no file of it is safetensors or another known format. Incomplete."
        )
    names = ", ".join(o.path for o in layout.others[:3])
    return Inventory(
        "unread",
        (),
        (),
        repo=files.label,
        others=layout.others,
        problems=(
            f"The weights are in the format {layout.unread} alone ({names}), which has no header to read. "
            f"The count is that of the config; nothing was measured.",
        ),
    )


class _Part(NamedTuple):
    """A file to read: its path, the set that it belongs to, and its number in the inventory."""

    path: str
    belongs: ShardSet
    number: int


class _Guess:
    """How many bytes of the next file to ask for first, so that its header is within and little else."""

    def __init__(self, many: bool) -> None:
        self.bytes = FIRST_OF_MANY if many else FIRST_OF_ONE

    def learn(self, needed: int) -> None:
        """Shards of a checkpoint have headers of much the same size: a little more than this one's."""
        self.bytes = needed + needed // 32 + 64


@dataclass
class _Reading:
    """One checkpoint while it is read."""

    files: Files
    layout: Layout
    parts: list[_Part] = field(default_factory=list)
    headers: list[Header] = field(default_factory=list)
    read: list[WeightFile] = field(default_factory=list)
    indexes: list[ShardIndex] = field(default_factory=list)

    def inventory(self) -> Inventory:
        wanted = [(path, s) for s in self.layout.sets for path in s.paths]
        self.take(wanted, [s for s in self.layout.sets if s.index])
        named = [
            (path, s)
            for index, s in zip(self.indexes, [s for s in self.layout.sets if s.index], strict=True)
            for path in (s.folder + file for file in index.files)
        ]
        known = {path for path, _ in wanted}
        self.take([(p, s) for p, s in named if p not in known and p in self.files.sizes], [])
        problems = [*self.layout.problems, *self.absent(named), *self.unknown()]
        tensors, twice = self.tensors()
        problems += twice
        missing: dict[str, str] = {}
        for s in self.layout.sets:
            for index in (i for i in self.indexes if i.path == s.index):
                numbers = {p.number: p.path[len(s.folder) :] for p in self.parts if p.belongs is s}
                of_set = [t for t in tensors if t.file in numbers]
                said, lost = disagreements(index, _bare(of_set, self.prefix(s)), numbers)
                problems += [*index.problems, *said]
                missing |= {self.prefix(s) + name: s.folder + file for name, file in lost.items()}
        return Inventory(
            "safetensors",
            tuple(tensors),
            tuple(self.read),
            repo=self.files.label,
            declared=tuple(d for i in self.indexes for d in i.declared),
            others=self.others({p.path for p in self.parts}),
            metadata=self.metadata(),
            problems=tuple(problems),
            missing=missing,
        )

    def take(self, wanted: Sequence[tuple[str, ShardSet]], indexed: Sequence[ShardSet]) -> None:
        """Read the headers of files, and indexes beside them, all at once."""
        parts = [_Part(path, s, len(self.parts) + n) for n, (path, s) in enumerate(wanted)]
        guess = _Guess(many=len(parts) > 1)
        jobs: list[Callable[[], Any]] = [partial(self.index, s) for s in indexed]
        jobs += [partial(self.header, p, guess) for p in parts]
        if not jobs:
            return
        found = self.files.gather(jobs, "headers")
        self.indexes += found[: len(indexed)]
        self.parts += parts
        for header, file in found[len(indexed) :]:
            self.headers.append(header)
            self.read.append(file)

    def index(self, s: ShardSet) -> ShardIndex:
        size, where = self.files.sizes[s.index], self.files.where(s.index)
        if size > MAX_INDEX_BYTES:
            raise BadCheckpoint(
                f"The index {where} has {size:,} bytes; no more than {MAX_INDEX_BYTES:,} are read."
            )
        return parse_index(self.files.read(s.index, 0, size), s.index, where)

    def header(self, part: _Part, guess: _Guess) -> tuple[Header, WeightFile]:
        size, where = self.files.sizes[part.path], self.files.where(part.path)
        text = self.files.read(part.path, 0, min(guess.bytes, size))
        length = header_length(text, size, where)
        needed = PREFIX + length
        if len(text) < needed:
            text += self.files.read(part.path, len(text), needed)
        guess.learn(needed)
        header = parse_header(text[PREFIX:needed], size, where, part.number)
        return header, WeightFile(part.path, size, needed)

    def prefix(self, s: ShardSet) -> str:
        """What is put before the names of a component beside others: two of them may call their tensors alike."""
        return s.folder if len(self.layout.sets) > 1 else ""

    def tensors(self) -> tuple[list[StoredTensor], list[str]]:
        """Every tensor once, named with its component's folder; and which are in more than one file."""
        found: dict[str, StoredTensor] = {}
        twice: list[StoredTensor] = []
        for part, header in zip(self.parts, self.headers, strict=True):
            prefix = self.prefix(part.belongs)
            for t in header.tensors:
                tensor = t._replace(name=prefix + t.name) if prefix else t
                if found.setdefault(tensor.name, tensor) is not tensor:
                    twice.append(tensor)
            header.tensors.clear()
        if not twice:
            return list(found.values()), []
        first, elements = twice[0], sum(t.elements for t in twice)
        return list(found.values()), [
            f"{len(twice):,} tensors ({elements:,} elements) are in more than one file and were counted once: "
            f"{shown(first.name)} in {self.parts[found[first.name].file].path} and {self.parts[first.file].path}."
        ]

    def absent(self, named: Iterable[tuple[str, ShardSet]]) -> list[str]:
        """Files that an index names and that are not there."""
        lost = [path for path, _ in named if path not in self.files.sizes]
        surplus = [
            p.path for p in self.parts if p.belongs.index and p.path not in {path for path, _ in named}
        ]
        said = []
        if lost:
            said.append(f"{_files(lost)} named by an index and not there.")
        if surplus:
            said.append(f"{_files(surplus)} not named by the index; what their headers hold was counted.")
        return said

    def unknown(self) -> list[str]:
        """Dtypes that the format does not name."""
        counts: Counter[str] = Counter()
        for header in self.headers:
            counts.update(header.unknown)
        return [
            f"{n:,} tensors have the dtype {shown(dtype)}, which is not known here; their bytes are the file's."
            for dtype, n in counts.items()
        ]

    def others(self, read: set[str]) -> tuple[OtherCopy, ...]:
        paths = self.layout.paths
        return tuple(
            o for o in self.layout.others if o.path not in paths or not read.issuperset(paths[o.path])
        )

    def metadata(self) -> Mapping[str, object]:
        merged: dict[str, object] = {}
        for header in self.headers:
            merged = {**header.metadata, **merged}
        return merged


def _bare(tensors: Iterable[StoredTensor], prefix: str) -> Iterable[StoredTensor]:
    return (t._replace(name=t.name[len(prefix) :]) for t in tensors) if prefix else tensors


def _files(paths: list[str]) -> str:
    if len(paths) == 1:
        return f"{paths[0]} is"
    return f"{len(paths):,} files ({paths[0]} and others) are"
