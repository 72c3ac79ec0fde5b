"""The index of a sharded checkpoint: which file is said to hold each tensor, and what is said of the whole.

An index is written by hand often enough: totals that are 0, floats or of another dtype, tensors that no file holds.
It says which files belong together; what they hold, their headers say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NoReturn

from ..errors import BadCheckpoint, shown
from ..inventory import Declared, StoredTensor
from .json_tokens import CLOSE, END, KEY, OPEN, PAIR, STRICT

#: how a part of an index is refused
Refuse = Callable[[str], NoReturn]

#: an index of a million tensors has less than this
MAX_INDEX_BYTES = 200_000_000
#: the most bytes of whatever stands beside ``weight_map``
MAX_VALUE_BYTES = 1 << 20
#: what an index declares of the whole, and what that is
TOTALS = {"total_size": "bytes", "total_parameters": "elements"}


@dataclass(frozen=True, slots=True)
class ShardIndex:
    """What an index says.

    weight_map  tensor -> number of its file in ``files``
    files       paths beside the index, in the order in which it names them
    declared    the totals in its metadata that are numbers
    problems    what of it cannot be meant
    """

    path: str
    weight_map: Mapping[str, int]
    files: tuple[str, ...]
    declared: tuple[Declared, ...]
    problems: tuple[str, ...]


def parse_index(text: bytes, path: str, where: str) -> ShardIndex:
    """Read an index; what is no index, or points out of its folder, raises BadCheckpoint.

    text   the JSON
    path   of the index in the repository or folder
    where  how an error names the file

    >>> found = parse_index(b'{"metadata": {"total_size": 12}, "weight_map": {"a": "x.safetensors"}}', "i.json", "i")
    >>> found.files, dict(found.weight_map), found.declared[0].value
    (('x.safetensors',), {'a': 0}, 12)
    """

    def bad(what: str) -> NoReturn:
        raise BadCheckpoint(f"The index {where} {what}. It cannot say which files belong together.")

    weight_map: dict[str, int] = {}
    files: dict[str, int] = {}
    metadata: Any = None
    opened = OPEN.match(text)
    if opened is None:
        bad("is not a JSON object")
    at, end, seen = opened.end(), b",", set()
    while end == b",":
        key = KEY.match(text, at)
        if key is None:
            bad(f"is not JSON at byte {at:,}: {shown(text[at : at + 40])}")
        name, at = _string(key[1], bad), key.end()
        if name in seen:
            bad(f"gives {shown(name)} twice")
        seen.add(name)
        if name == "weight_map":
            at = _weight_map(text, at, weight_map, files, bad)
        else:
            value, at = _value(text, at, name, bad)
            metadata = value if name == "metadata" else metadata
        following = END.match(text, at)
        if following is None:
            bad(f"is not JSON at byte {at:,}: {shown(text[at : at + 40])}")
        at, end = following.end(), following[1]
    if "weight_map" not in seen:
        bad("has no weight_map")
    declared, problems = _totals(metadata, path)
    return ShardIndex(path, weight_map, tuple(files), declared, problems)


def _weight_map(text: bytes, at: int, weight_map: dict[str, int], files: dict[str, int], bad: Refuse) -> int:
    opened = OPEN.match(text, at)
    if opened is None:
        bad("has a weight_map that is not an object of strings")
    closed = CLOSE.match(text, opened.end())
    if closed:
        return closed.end()
    at, end = opened.end(), b","
    written: dict[bytes, int] = {}  # files as they are spelled: a few of them, many times
    while end == b",":
        found = PAIR.match(text, at)
        if found is None:
            bad(f"has a weight_map that is not an object of strings, at byte {at:,}")
        name, number = _string(found[1], bad), written.get(found[2])
        if number is None:
            file = _string(found[2], bad)
            if not _stays_inside(file):
                bad(f"puts {shown(name)} into {shown(file)}, which is not a file below its folder")
            number = written[found[2]] = files.setdefault(file, len(files))
        if weight_map.setdefault(name, number) != number:
            bad(f"puts {shown(name)} into two files")
        at, end = found.end(), found[3]
    return at


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


def _string(quoted: bytes, bad: Refuse) -> str:
    try:
        found: str = json.loads(quoted)
        found.encode()
    except ValueError as e:  # of which UnicodeError is one
        bad(f"holds the text {shown(quoted)}, which is no JSON string ({e})")
    return found


def _value(text: bytes, at: int, name: str, bad: Refuse) -> tuple[Any, int]:
    part = text[at : at + MAX_VALUE_BYTES].decode("utf-8", "surrogateescape")
    try:
        value, length = STRICT.raw_decode(part)
    except RecursionError:
        bad(f"has a value of {shown(name)} that is nested too deep")
    except ValueError as e:
        bad(f"has a value of {shown(name)} that cannot be read ({e!s:.200})")
    return value, at + len(part[:length].encode("utf-8", "surrogateescape"))


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


def disagreements(
    index: ShardIndex, tensors: Iterable[StoredTensor], paths: Mapping[int, str]
) -> tuple[list[str], dict[str, str]]:
    """Sentences on what an index says otherwise than the headers; and the tensors that no header has, with their file.

    tensors  as the headers have them
    paths    number of a file in the inventory -> its path beside the index
    """
    number_of = {file: n for n, file in enumerate(index.files)}
    numbers = {file: number_of.get(path, -1) for file, path in paths.items()}
    absent = dict(index.weight_map)
    unlisted, moved, nbytes, elements = [], [], 0, 0
    for t in tensors:
        nbytes += t.nbytes
        elements += t.elements
        number = absent.pop(t.name, None)
        if number is None:
            unlisted.append(t.name)
        elif number != numbers[t.file]:
            moved.append((t.name, index.files[number], paths[t.file]))
    said = []
    if unlisted:
        said.append(f"{_tensors(unlisted)} in the files, and not in {index.path}.")
    if absent:
        said.append(f"{_tensors(list(absent))} in {index.path}, and in none of the files that were read.")
    if moved:
        name, by_index, really = moved[0]
        said.append(
            f"{index.path} puts {_tensors([n for n, *_ in moved], verb=False)} into another file than the one that "
            f"holds it: {shown(name)} into {by_index}, and {really} has it."
        )
    for d in index.declared:
        found = nbytes if d.key == "total_size" else elements
        if d.value != found:
            said.append(
                f"{d.file} declares {d.key} {d.value:,}; the headers hold {found:,} {TOTALS[d.key]} "
                f"({d.value - found:+,})."
            )
    return said, {name: index.files[number] for name, number in absent.items()}


def _tensors(names: list[str], verb: bool = True) -> str:
    """``'a' is``, or ``3 tensors ('a' and others) are``."""
    if len(names) == 1:
        return f"{shown(names[0])}{' is' if verb else ''}"
    return f"{len(names):,} tensors ({shown(names[0])} and others){' are' if verb else ''}"
