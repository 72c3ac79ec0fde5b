"""Files and folders of this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from ..breakdown import Provenance
from ..errors import Incomplete, NotFound, SourceError
from . import local_weights
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
    """Whether a folder that happens to be called like a repository is a model's: only if it holds a config."""
    try:
        return (Path(name) / "config.json").is_file()
    except OSError:  # too long for a path, or in a folder that may not be entered
        return False


def open_path(name: str) -> Opened:
    """A folder with a config.json, a config.json itself, or ``-`` for one on standard input."""
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
        if (
            path.is_dir()
            and (asked or not (path / "config.json").is_file())
            and local_weights.gguf_sizes(path)
        ):
            return local_weights.open_gguf_folder(path, asked)
        if path.name.lower().endswith(".gguf") and path.exists() and not path.is_dir():
            return local_weights.open_gguf(path)
        if path.is_dir():
            path = path / "config.json"
            if not path.is_file():
                raise Incomplete(
                    f"The folder {str(path.parent)!r} has no config.json, so nothing says what the model is.",
                    local=True,
                )
        text = _read(path)
    except OSError as e:
        raise SourceError(f"{str(path)!r} cannot be read: {e.strerror}.", local=True) from None
    except RuntimeError as e:  # ~ of a user who is not known
        raise NotFound(f"{name!r} cannot be found: {e}", local=True) from None
    label = path.parent.resolve().name if path.name == "config.json" else path.name
    return Opened(parse(text, str(path)), label, str(path), Provenance("local", path=str(path)))


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
