"""What a source hands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..breakdown import Provenance
from ..claims import Claim


@dataclass(frozen=True, slots=True)
class Opened:
    """A config that has been read.

    label   what the reader calls the model
    where   how an error names the file: repository, revision and file
    """

    config: Mapping[str, Any]
    label: str
    where: str
    provenance: Provenance
    claims: tuple[Claim, ...] = ()
