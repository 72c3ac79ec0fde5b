"""The header of a safetensors file: how long it may be, and what it says of the tensors behind it.

Source: the format's text and ``tensor.rs`` of huggingface/safetensors 0.6: eight bytes of length, JSON of at most
100,000,000 bytes that begins with ``{``, and tensors that fill the rest of the file with no hole and no overlap.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import BadCheckpoint, shown
from .safetensors_header import BITS, PREFIX, Header, Parser

__all__ = ["BITS", "MAX_HEADER_BYTES", "PREFIX", "Header", "header_length", "parse_header", "read_header"]

#: the most bytes that a header may have
MAX_HEADER_BYTES = 100_000_000


def header_length(first: bytes, size: int, where: str) -> int:
    """Bytes of the header that the first eight bytes of a file announce, never more than the file has.

    first  at least the first 8 bytes
    size   bytes of the file
    where  how an error names the file

    >>> header_length((16).to_bytes(8, "little"), 24, "x.safetensors")
    16
    """
    if len(first) < PREFIX:
        raise BadCheckpoint(
            f"{where} is no safetensors file: it has {size:,} bytes, and a header alone has more. "
            f"It was not written to its end: fetch it again."
        )
    if first.startswith(b"version "):
        raise BadCheckpoint(
            f"{where} is a Git LFS pointer of {size:,} bytes, not the file that it points to. "
            f"Fetch the file itself (git lfs pull)."
        )
    length = int.from_bytes(first[:PREFIX], "little")
    if length > MAX_HEADER_BYTES:
        if first.lstrip()[:1] == b"<":  # of a length that can be, "<" may be the first byte
            raise BadCheckpoint(f"{where} is a web page, not a safetensors file. Fetch the file again.")
        raise BadCheckpoint(
            f"{where} announces a header of {length:,} bytes; the format allows {MAX_HEADER_BYTES:,}. "
            f"It is not a safetensors file, or it is damaged."
        )
    if length < 2 or PREFIX + length > size:
        raise BadCheckpoint(
            f"{where} announces a header of {length:,} bytes and has {size:,} in all. "
            f"It was not written to its end: fetch it again."
        )
    return length


def parse_header(text: bytes, size: int, where: str, file: int = 0) -> Header:
    """The tensors that a header describes, checked against each other and against the size of their file.

    text   the JSON, without the eight bytes in front of it
    size   bytes of the whole file
    where  how an error names the file
    file   the index that the tensors get

    Time and memory grow with the bytes of the header and nothing that it claims. What cannot be the header of that
    file raises BadCheckpoint.

    >>> text = b'{"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}}'
    >>> parse_header(text, 8 + len(text) + 12, "x.safetensors").tensors
    [StoredTensor(name='a', shape=(2, 3), dtype='BF16', nbytes=12, file=0)]
    """
    return Parser(text, size, where, file).header()


def read_header(path: Path, where: str = "", file: int = 0) -> tuple[Header, int]:
    """The header of a file of this machine, and its bytes; nothing else of the file is read."""
    where = where or shown(str(path), 300)
    with path.open("rb") as opened:
        size = path.stat().st_size
        length = header_length(opened.read(PREFIX), size, where)
        text = opened.read(length)
    return parse_header(text, size, where, file), length
