"""What a source hands on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..breakdown import Provenance
from ..claims import Claim
from ..inventory import Inventory
from ..tensors import TensorSpec


@dataclass(frozen=True, slots=True)
class Held:
    """Files whose headers were read, for a source whose config was made of them, or that has none.

    tensors       the tensors as they are, with roles read off their names: counted where no architecture fits
    architecture  what the files call theirs
    expected      elements that the config must account for, to the unit; None where it is not held against them
    beside        the elements that no config describes, in words
    why           why there is no config
    nbytes        bytes of the tensors of each role
    """

    inventory: Inventory
    tensors: Callable[[], tuple[TensorSpec, ...]]
    architecture: str = ""
    expected: int | None = None
    beside: str = ""
    why: str = ""
    nbytes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """A config that has been read.

    label         what the reader calls the model
    where         how an error names the file: repository, revision and file
    tensors       those of a module, where one was read; else the config decides
    architecture  the class of that module
    defaulted     what the module's class took for the sizes that the config leaves out
    inventory     what the headers say, where opening it has read them
    held          the same, where it decides
    as_found      whether the tensors were read off the files or the module itself, so that no config implies them
    """

    config: Mapping[str, Any]
    label: str
    where: str
    provenance: Provenance
    claims: tuple[Claim, ...] = ()
    tensors: tuple[TensorSpec, ...] | None = None
    architecture: str = ""
    defaulted: Mapping[str, Any] = field(default_factory=dict)
    inventory: Inventory | None = None
    held: Held | None = None
    as_found: bool = False
