"""The index of a sharded checkpoint: which file is said to hold each tensor, and what is said of the whole.

An index is written by hand often enough: totals that are 0, floats or of another dtype, tensors that no file holds.
It says which files belong together; what they hold, their headers say.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Any, NoReturn

from ..errors import BadCheckpoint, shown
from ..inventory import Declared, StoredTensor
from .json_tokens import CLOSE, END, KEY, OPEN, PAIR, STRICT

#: told of a tensor and its file
Put = Callable[[str, str], None]

#: an index of a million tensors has less than this
MAX_INDEX_BYTES = 200_000_000
#: the most bytes of one name with its file, and of whatever stands beside ``weight_map``
MAX_PART_BYTES = 1 << 16
#: what an index declares of the whole, and what that is
TOTALS = {"total_size": "bytes", "total_parameters": "elements"}


@dataclass(frozen=True, slots=True)
class ShardIndex:
    """What an index says, but for the tensors.

    files     paths beside the index, in the order in which it names them
    declared  the totals in its metadata that are numbers
    problems  what of it cannot be meant
    """

    path: str
    files: tuple[str, ...]
    declared: tuple[Declared, ...]
    problems: tuple[str, ...]


def parse_index(
    pieces: Iterable[bytes], path: str, where: str, put: Put = lambda name, file: None
) -> ShardIndex:
    """Read an index as it comes; what is no index, or points out of its folder, raises BadCheckpoint.

    pieces  the JSON, in parts of any size: no more than one of them is held
    path    of the index in the repository or folder
    where   how an error names the file
    put     called with each tensor and the path, beside the index, of its file

    >>> text = b'{"metadata": {"total_size": 12}, "weight_map": {"a": "x.safetensors"}}'
    >>> found = parse_index([text], "i.json", "i", print)
    a x.safetensors
    >>> found.files, found.declared[0].value
    (('x.safetensors',), 12)
    """
    return _Parser(pieces, path, where, put).index()


class _Parser:
    """One index while it is read."""

    def __init__(self, pieces: Iterable[bytes], path: str, where: str, put: Put) -> None:
        self.pieces, self.path, self.where = iter(pieces), path, where
        self.text, self.at, self.passed = b"", 0, 0
        self.put = put
        self.files: dict[str, None] = {}

    def index(self) -> ShardIndex:
        metadata: Any = None
        self.take(OPEN, "is not a JSON object")
        end, seen = b",", set()
        if self.maybe(CLOSE):
            self.bad("has no weight_map")
        while end == b",":
            name = self.string(self.take(KEY)[1])
            if name in seen:
                self.bad(f"gives {shown(name)} twice")
            seen.add(name)
            if name == "weight_map":
                self.read_weight_map()
            else:
                value = self.value(name)
                metadata = value if name == "metadata" else metadata
            end = self.take(END)[1]
        if self.fill() or self.text[self.at :].strip():
            self.bad("goes on after its end")
        if "weight_map" not in seen:
            self.bad("has no weight_map")
        declared, problems = _totals(metadata, self.path)
        return ShardIndex(self.path, tuple(self.files), declared, problems)

    def read_weight_map(self) -> None:
        no_map = "has a weight_map that is not an object of strings"
        self.take(OPEN, no_map)
        if self.maybe(CLOSE):
            return
        written: dict[bytes, str] = {}  # files as they are spelled: a few of them, many times
        end = b","
        while end == b",":
            quoted, spelled, end = self.take(PAIR, no_map).groups()
            name, file = self.string(quoted), written.get(spelled)
            if file is None:
                file = written[spelled] = self.string(spelled)
                if not _stays_inside(file):
                    self.bad(f"puts {shown(name)} into {shown(file)}, which is not a file below its folder")
                self.files[file] = None
            self.put(name, file)

    def value(self, name: str) -> Any:
        self.fill()
        part = self.text[self.at : self.at + MAX_PART_BYTES].decode("utf-8", "surrogateescape")
        try:
            value, length = STRICT.raw_decode(part)
        except RecursionError:
            self.bad(f"has a value of {shown(name)} that is nested too deep")
        except ValueError as e:
            self.bad(f"has a value of {shown(name)} that cannot be read ({e!s:.200})")
        self.at += len(part[:length].encode("utf-8", "surrogateescape"))
        return value

    def fill(self) -> bool:
        """Whether there are bytes to read where it stands: as many as the longest part has, or the last ones."""
        if len(self.text) - self.at < MAX_PART_BYTES:
            parts = [self.text[self.at :]]
            have = len(parts[0])
            for piece in self.pieces:
                parts.append(piece)
                have += len(piece)
                if have >= 2 * MAX_PART_BYTES:
                    break
            self.passed += self.at
            self.text, self.at = b"".join(parts), 0
        return self.at < len(self.text)

    def maybe(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        if len(self.text) - self.at < MAX_PART_BYTES:
            self.fill()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def take(self, pattern: re.Pattern[bytes], otherwise: str = "is not JSON") -> re.Match[bytes]:
        found = self.maybe(pattern)
        if found is None:
            at = self.passed + self.at
            self.bad(f"{otherwise}, at byte {at:,}: {shown(self.text[self.at : self.at + 40])}")
        return found

    def string(self, quoted: bytes) -> str:
        try:
            if b"\\" not in quoted:
                return quoted[1:-1].decode()
            found: str = json.loads(quoted)
            found.encode()
        except ValueError as e:  # of which UnicodeError is one
            self.bad(f"holds the text {shown(quoted)}, which is no JSON string ({e})")
        return found

    def bad(self, what: str) -> NoReturn:
        raise BadCheckpoint(f"The index {self.where} {what}. It cannot say which files belong together.")


def _stays_inside(file: str) -> bool:
    path = PurePosixPath(file)
    return (
        file == str(path)
        and not path.is_absolute()
        and ".." not in path.parts
        and "\\" not in file
        and ":" not in file
        and file.isprintable()
        and file not in ("", ".")
    )


def _totals(metadata: Any, path: str) -> tuple[tuple[Declared, ...], tuple[str, ...]]:
    declared, problems = [], []
    for key in TOTALS:
        value = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(value, float) and value.is_integer():
            problems.append(f"{path} declares {key} as the float {value!r}.")
            value = int(value)
        if type(value) is int and value >= 0:
            declared.append(Declared(key, value, path))
        elif value is not None:
            problems.append(f"{path} declares {key} = {shown(value)}, which is no number of {TOTALS[key]}.")
    return tuple(declared), tuple(problems)


class Comparison:
    """Headers held against an index, which is read past them and never held.

    tensors  of the files of one index
    paths    number of a file in the inventory -> its path beside the index

    unlisted  tensors that the index does not name
    absent    tensors that it names and no header has, with the file that should
    moved     tensors that are in another file than it says: name, file by the index, file
    """

    def __init__(self, tensors: Iterable[StoredTensor], paths: Mapping[int, str]) -> None:
        self._tensors = sorted(tensors, key=attrgetter("name"))
        self._names = [t.name for t in self._tensors]
        self._seen = bytearray(len(self._names))
        self._paths = paths
        self.absent: dict[str, str] = {}
        self.moved: list[tuple[str, str, str]] = []
        self.twice: list[str] = []

    def put(self, name: str, file: str) -> None:
        """What the index says of one tensor."""
        i = bisect_left(self._names, name)
        if i == len(self._names) or self._names[i] != name:
            self.absent[name] = file
            return
        really = self._paths[self._tensors[i].file]
        if really != file:
            self.moved.append((name, file, really))
        if self._seen[i]:
            self.twice.append(name)
        self._seen[i] = 1

    @property
    def unlisted(self) -> list[str]:
        return [name for name, seen in zip(self._names, self._seen, strict=True) if not seen]

    def said(self, index: ShardIndex) -> Iterator[str]:
        """A sentence for each kind of difference, once the index is read."""
        path, unlisted = index.path, self.unlisted
        if unlisted:
            yield f"{_tensors(unlisted)} in the files, and not in {path}."
        if self.absent:
            yield f"{_tensors(sorted(self.absent))} in {path}, and in none of the files that were read."
        if self.moved:
            name, by_index, file = self.moved[0]
            names = _tensors([n for n, *_ in self.moved], verb=False)
            yield (
                f"{path} puts {names} into another file than the one that holds it: {shown(name)} into {by_index}, "
                f"and {file} has it."
            )
        if self.twice:
            yield f"{path} names {_tensors(self.twice, verb=False)} more than once."
        nbytes = sum(t.nbytes for t in self._tensors)
        elements = sum(t.elements for t in self._tensors)
        for d in index.declared:
            found = nbytes if d.key == "total_size" else elements
            if d.value != found:
                yield (
                    f"{path} declares {d.key} {d.value:,}; the headers hold {found:,} {TOTALS[d.key]} "
                    f"({d.value - found:+,})."
                )


def _tensors(names: list[str], verb: bool = True) -> str:
    """``'a' is``, or ``3 tensors ('a' and others) are``."""
    if len(names) == 1:
        return f"{shown(names[0])}{' is' if verb else ''}"
    return f"{len(names):,} tensors ({shown(names[0])} and others){' are' if verb else ''}"
