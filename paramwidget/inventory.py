"""What a checkpoint holds: its tensors as the files' headers describe them, and what the repository declares beside.

Headers are believed; what an index or the Hub declares is kept beside them, so that a disagreement can be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import NamedTuple


class StoredTensor(NamedTuple):
    """One tensor of one file.

    shape   as the file has it: packed weights in the words they are packed in
    dtype   as the format spells it: ``BF16``, ``F8_E4M3``, ``U8``; of a GGUF file ``Q4_K``
    nbytes  bytes of its data
    file    index in ``Inventory.files``
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    file: int = 0

    @property
    def elements(self) -> int:
        """Elements as stored: of a packed tensor the words, not the parameters."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class WeightFile:
    """A file that holds tensors: its path in the repository or folder, and the bytes of it and of its header."""

    path: str
    size: int
    header_bytes: int = 0


@dataclass(frozen=True, slots=True)
class OtherCopy:
    """Weights that lie beside those that were counted: a second format, another folder, another quantization."""

    path: str
    files: int
    nbytes: int
    why: str


@dataclass(frozen=True, slots=True)
class Declared:
    """A total that a file declares of the whole: ``total_size`` of an index, ``total_parameters``."""

    key: str
    value: int
    file: str


@dataclass(frozen=True, eq=False)
class Inventory:
    """The tensors of a checkpoint, and where they were read.

    format     safetensors | gguf | module | unread (the weights are in a format without a header: no tensors)
    repo       the repository, or the path of a folder or a file
    revision   the commit (40 hex digits) at which everything was read; None for what is local
    declared   totals that an index declares
    hub_total  what the Hub's API reports at that commit, and by dtype; None and empty where it says nothing
    others     weights beside these, which were not counted
    metadata   of a GGUF file its key-values; of safetensors the ``__metadata__`` of the files, merged
    problems   sentences on what disagrees: index against shards, sizes, missing and surplus files
    missing    tensors that an index names and no file holds, with the file that should

    Where a model has several components (diffusers, sentence-transformers), the names of those in folders begin with
    the folder: ``text_encoder/text_model...``.
    """

    format: str
    tensors: tuple[StoredTensor, ...]
    files: tuple[WeightFile, ...]
    repo: str = ""
    revision: str | None = None
    declared: tuple[Declared, ...] = ()
    hub_total: int | None = None
    hub_by_dtype: Mapping[str, int] = field(default_factory=dict)
    others: tuple[OtherCopy, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def elements(self) -> int:
        """Elements of all tensors as stored."""
        return sum(t.elements for t in self.tensors)

    @cached_property
    def nbytes(self) -> int:
        """Bytes of all tensors' data."""
        return sum(t.nbytes for t in self.tensors)
