"""A checkpoint: the headers of its files, read together, and compared with what its index says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ..errors import BadCheckpoint, Incomplete, shown
from ..inventory import Inventory, StoredTensor, WeightFile
from .files import Files
from .layout import Layout, ShardSet, choose
from .quantizations import read_gguf
from .safetensors import PREFIX, Header, header_length, parse_header
from .shard_index import MAX_INDEX_BYTES, Comparison, Put, ShardIndex, parse_index

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

    Where there are only GGUF files, one of their quantizations is read and the others are listed.

    Raises Incomplete where there are no weights, BadCheckpoint where a file cannot be what its name says. Where the
    weights are in a format that has no header to read here, ``format`` is ``unread`` and there are no tensors.
    """
    layout = choose(files.sizes, components_of(files))
    if not layout.sets:
        return read_gguf(files) if layout.unread == "GGUF" else _unread(files, layout)
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

    def __init__(self, files: int) -> None:
        self.bytes = FIRST_OF_MANY if files > 1 else FIRST_OF_ONE

    def learn(self, needed: int) -> None:
        """The files of a checkpoint have headers of much the same size: a little more than this one's."""
        self.bytes = needed + needed // 32 + 64


@dataclass(frozen=True, slots=True)
class _Compared:
    """The index of a set held against its headers: sentences, tensors that no file has, files that were not read."""

    belongs: ShardSet
    index: ShardIndex
    said: Sequence[str]
    missing: Mapping[str, str]
    unread: Sequence[str]


@dataclass
class _Reading:
    """One checkpoint while it is read."""

    files: Files
    layout: Layout
    parts: list[_Part] = field(default_factory=list)
    tensors: list[StoredTensor] = field(default_factory=list)
    read: list[WeightFile] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    metadata: dict[str, object] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)

    def inventory(self) -> Inventory:
        self.take(self.named())
        if not self.parts:
            raise Incomplete(
                f"{self.files.label} has {self.layout.sets[0].index}, and none of the files that it names. Incomplete."
            )
        compared = self.compared()
        beside = [(path, one.belongs) for one in compared for path in one.unread]
        if beside:  # shards by their names, and more files by the index
            self.take(beside)
            compared = self.compared()
        paths, read = self.layout.paths, {part.path for part in self.parts}
        unknown = (
            f"The dtype {shown(dtype)} is not known here; tensors that have it: {n:,}, with the bytes of the file."
            for dtype, n in self.unknown.items()
        )
        return Inventory(
            "safetensors",
            tuple(self.tensors),
            tuple(self.read),
            repo=self.files.label,
            declared=tuple(d for one in compared for d in one.index.declared),
            others=tuple(
                o for o in self.layout.others if o.path not in paths or not read.issuperset(paths[o.path])
            ),
            metadata=self.metadata,
            problems=(
                *self.layout.problems,
                *unknown,
                *self.twice,
                *(said for one in compared for said in one.said),
            ),
            missing={name: file for one in compared for name, file in one.missing.items()},
        )

    def named(self) -> Iterator[tuple[str, ShardSet]]:
        """The files whose names belong together, else those that an index names."""
        for s in self.layout.sets:
            paths = s.paths or [s.folder + file for file in self.index(s).files]
            yield from ((path, s) for path in paths if path in self.files.sizes)

    def take(self, named: Iterable[tuple[str, ShardSet]]) -> None:
        """Read the headers of files, all at once."""
        parts = [_Part(path, s, n) for n, (path, s) in enumerate(named, len(self.parts))]
        guess = _Guess(len(parts))
        self.parts += parts
        for part, (header, file) in zip(
            parts,
            self.files.gather([partial(self.header, part, guess) for part in parts], "headers"),
            strict=True,
        ):
            prefix = self.prefix(part.belongs)
            held = header.tensors
            self.tensors += (t._replace(name=prefix + t.name) for t in held) if prefix else held
            held.clear()
            self.read.append(file)
            self.unknown.update(header.unknown)
            self.metadata = {**header.metadata, **self.metadata}  # of two that say otherwise, the first
        self.once()

    def once(self) -> None:
        """Keep one of the tensors that are in several files, and say which."""
        names = sorted(t.name for t in self.tensors)
        if all(a != b for a, b in pairwise(names)):
            return
        found: dict[str, StoredTensor] = {}
        twice = [t for t in self.tensors if found.setdefault(t.name, t) is not t]
        self.tensors = list(found.values())
        first, elements = twice[0], sum(t.elements for t in twice)
        one, other = self.parts[found[first.name].file].path, self.parts[first.file].path
        self.twice.append(
            f"Tensors in more than one file, counted once: {len(twice):,} ({elements:,} elements), such as "
            f"{shown(first.name)} in {one} and {other}."
        )

    def index(self, s: ShardSet, put: Put = lambda name, file: None) -> ShardIndex:
        size, where = self.files.sizes[s.index], self.files.where(s.index)
        if size > MAX_INDEX_BYTES:
            raise BadCheckpoint(
                f"The index {where} has {size:,} bytes; no more than {MAX_INDEX_BYTES:,} are read."
            )
        return parse_index(self.files.pieces(s.index), s.index, where, put)

    def header(self, part: _Part, guess: _Guess) -> tuple[Header, WeightFile]:
        size, where = self.files.sizes[part.path], self.files.where(part.path)
        text = self.files.read(part.path, 0, min(guess.bytes, size))
        length = header_length(text, size, where)
        needed = PREFIX + length
        if len(text) < needed:
            text += self.files.read(part.path, len(text), needed)
        guess.learn(needed)
        text = text[PREFIX:needed]
        return parse_header(text, size, where, part.number), WeightFile(part.path, size, needed)

    def compared(self) -> list[_Compared]:
        jobs = [partial(self.compare, s) for s in self.layout.sets if s.index]
        return self.files.gather(jobs, "index") if jobs else []

    def compare(self, s: ShardSet) -> _Compared:
        """What the index of a set says otherwise than the files and their headers."""
        prefix, cut = self.prefix(s), len(s.folder)
        paths = {part.number: part.path[cut:] for part in self.parts if part.belongs is s}
        comparison = Comparison(_bare((t for t in self.tensors if t.file in paths), prefix), paths)
        index = self.index(s, comparison.put)
        here = {s.folder + path for path in paths.values()}
        named = {s.folder + file for file in index.files}
        lost = sorted(named - self.files.sizes.keys())
        surplus = sorted(here - named)
        said = list(index.problems)
        if lost:
            said.append(f"{_files(lost)} named by {s.index} and not there.")
        if surplus:
            said.append(f"{_files(surplus)} not named by {s.index}, and counted: headers are believed.")
        return _Compared(
            s,
            index,
            (*said, *comparison.said(index)),
            {prefix + name: s.folder + file for name, file in comparison.absent.items()},
            sorted(named - here - set(lost)),
        )

    def prefix(self, s: ShardSet) -> str:
        """What is put before the names of a component beside others: two of them may call their tensors alike."""
        return s.folder if len(self.layout.sets) > 1 else ""


def _bare(tensors: Iterable[StoredTensor], prefix: str) -> Iterable[StoredTensor]:
    return (t._replace(name=t.name[len(prefix) :]) for t in tensors) if prefix else tensors


def _files(paths: list[str]) -> str:
    if len(paths) == 1:
        return f"{paths[0]} is"
    return f"{len(paths):,} files ({paths[0]} and others) are"
