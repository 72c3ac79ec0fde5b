"""Files and folders of this machine."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ..breakdown import Provenance
from ..errors import Incomplete, NotFound, SourceError
from .data import parse
from .opened import Opened

#: a config.json is a few kilobytes; more than this is another kind of file
MAX_CONFIG_BYTES = 16 * 2**20


def says_path(name: str) -> bool:
    """Whether a string is spelled as a place of this machine and not as a repository."""
    return (
        name in ("-", ".", "..")
        or name.startswith(("/", "./", "../", "~", ".\\", "..\\"))
        or name.endswith((".json", ".safetensors", ".gguf", ".bin"))
        or "\\" in name
        or name.count("/") > 1
    )


def is_folder(name: str) -> bool:
    """Whether a folder that happens to be called like a repository is a model's: if it holds a config or weights."""
    try:
        names = os.listdir(name) if Path(name).is_dir() else []
    except (OSError, ValueError):  # too long for a path, or a folder that may not be entered
        return False
    return any(n == "config.json" or n.lower().endswith((".safetensors", ".gguf")) for n in names)


def open_path(name: str) -> Opened:
    """A folder, a config.json, a file of weights, or ``-`` for a config on standard input.

    A folder may hold a config.json, safetensors or GGUF files, or be one of the Hugging Face cache; ``folder:Q4_K_M``
    names one of its quantizations.
    """
    if name == "-":
        return Opened(
            parse(_standard_input(), "standard input"),
            "standard input",
            "standard input",
            Provenance("dict", note="Read from standard input."),
        )
    path = Path(name)
    try:
        path, asked = _quantization(path.expanduser())
        return _open_folder(path, asked) if path.is_dir() else _open_file(path)
    except OSError as e:
        named = os.fsdecode(e.filename) if e.filename else str(path)
        raise SourceError(f"{named!r} cannot be read: {e.strerror}.", local=True) from None
    except RuntimeError as e:  # ~ of a user who is not known
        raise NotFound(f"{name!r} cannot be found: {e}", local=True) from None


def _open_folder(path: Path, asked: str) -> Opened:
    from . import local_weights

    path = local_weights.snapshot_of(path) or path
    if not asked and (path / "config.json").is_file():
        return _with_note(_open_config(path / "config.json"), local_weights.format_note(path))
    opened = local_weights.open_gguf_folder(path, asked)
    if opened is None and any(p.name.endswith(".safetensors") for p in path.iterdir()):
        opened = local_weights.open_safetensors(path)
    if opened is None:
        raise Incomplete(
            f"The folder {str(path)!r} has no config.json, so nothing says what the model is, and no weights in "
            f"safetensors or GGUF.",
            local=True,
        )
    return opened


def _open_file(path: Path) -> Opened:
    if path.suffix == ".json":
        return _open_config(path)
    from . import headers, local_weights

    kind = path.suffix.lower()
    beside = path.parent / "config.json"
    if kind == ".gguf":
        return local_weights.open_gguf(path)
    if kind == ".safetensors":
        held = local_weights.held_by(path)
        if beside.is_file() and not path.name.startswith("adapter_"):
            return replace(_open_config(beside), inventory=held)
        where = str(path)
        return headers.from_headers(Opened({}, path.name, where, Provenance("local", path=where)), held)
    if kind in (".bin", ".pt", ".pth") and path.is_file():
        if beside.is_file():
            return _with_note(_open_config(beside), local_weights.format_note(path.parent))
        raise Incomplete(
            f"{str(path)!r} is a pickle, which has no header to read and is never run. Give the config.json of the "
            f"model, or its weights in safetensors.",
            local=True,
        )
    return _open_config(path)


def _with_note(opened: Opened, note: str) -> Opened:
    return replace(opened, provenance=replace(opened.provenance, note=note)) if note else opened


def _open_config(path: Path) -> Opened:
    label = path.parent.resolve().name if path.name == "config.json" else path.name
    repo, commit = _cached_as(path.parent.absolute()) or (None, None)
    provenance = Provenance("local", repo=repo, revision=commit, path=str(path))
    return Opened(parse(_read(path), str(path)), repo or label, str(path), provenance)


def _cached_as(path: Path) -> tuple[str, str] | None:
    """The repository and the commit that a snapshot of the Hugging Face cache is of."""
    parts = path.parts
    if len(parts) < 3 or parts[-2] != "snapshots" or not parts[-3].startswith("models--"):
        return None
    return parts[-3].removeprefix("models--").replace("--", "/"), parts[-1]


def _quantization(path: Path) -> tuple[Path, str]:
    """``folder:Q4_K_M``: the folder, and which of its quantizations."""
    folder, colon, tag = str(path).rpartition(":")
    if colon and tag and "/" not in tag and not path.exists() and Path(folder).is_dir():
        return Path(folder), tag
    return path, ""


def _standard_input() -> bytes:
    if not hasattr(sys.stdin, "buffer"):  # closed by whoever started this process, or a notebook's
        raise SourceError("There is no standard input here, so no config can be read from it.", local=True)
    try:
        return read_at_most(sys.stdin.buffer, "Standard input")
    except OSError as e:
        raise SourceError(f"Standard input cannot be read: {e.strerror}.", local=True) from None


def read_at_most(file: BinaryIO, where: str) -> bytes:
    """All bytes of a config.json, or an error if they are more than one has; never more than that in memory."""
    text = file.read(MAX_CONFIG_BYTES + 1)
    if len(text) > MAX_CONFIG_BYTES:
        raise SourceError(
            f"{where} has more than {MAX_CONFIG_BYTES:,} bytes; a config.json is far smaller. Is it another file?",
            local=True,
        )
    return text


def _read(path: Path) -> bytes:
    if not path.exists():
        raise NotFound(
            f"There is no file or folder {str(path)!r}. Check the path; a repository id has the form owner/name.",
            local=True,
        )
    if path.suffix != ".json":
        raise SourceError(
            f"{str(path)!r} is not a config.json. A count needs the config: give it, or the folder that holds it.",
            local=True,
        )
    if not path.is_file():  # a pipe would wait for a writer, a device may never end
        raise SourceError(f"{str(path)!r} is no regular file. Give - to read standard input.", local=True)
    with path.open("rb") as file:
        return read_at_most(file, repr(str(path)))
