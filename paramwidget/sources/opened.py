"""What a source hands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..breakdown import Provenance
from ..claims import Claim
from ..inventory import Inventory
from ..tensors import TensorSpec


@dataclass(frozen=True, slots=True)
class Opened:
    """A config that has been read.

    label         what the reader calls the model
    where         how an error names the file: repository, revision and file
    tensors       those of a module, where one was read; else the config decides
    architecture  the class of that module
    defaulted     what the module's class took for the sizes that the config leaves out
    inventory     what the files hold, where their headers were read
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
