"""Keeping what opens a file out of the log: signed addresses and cookies, which HTTP clients write there."""

from __future__ import annotations

import logging
import re

#: whoever writes addresses or headers of answers into the log: httpx from INFO on, the others from DEBUG
LOGGERS = (
    *("httpx", "httpx2", "huggingface_hub.utils._http"),
    *(
        f"{core}.{part}"
        for core in ("httpcore", "httpcore2")
        for part in ("http11", "http2", "proxy", "connection")
    ),
)
_QUERY = re.compile(r"(?<=[\w/%.~-])\?[^\s\"'<>)\]\\]+")
_COOKIE = re.compile(r"(?i)(\b(?:set-)?cookie\b[^,]*,\s*b?)(['\"]).*?\2")


class _Unsigned(logging.Filter):
    """Takes the query of every address, and every cookie, out of a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        clean = unsigned(text)
        if clean != text:
            record.msg, record.args = clean, ()
        return True


def unsigned(text: str) -> str:
    """Text without the queries of its addresses and without cookies.

    >>> unsigned('GET https://cdn.example/x?X-Amz-Signature=5ec2e7 "HTTP/1.1 206"')
    'GET https://cdn.example/x?... "HTTP/1.1 206"'
    """
    return _COOKIE.sub(r"\1\2...\2", _QUERY.sub("?...", text))


_FILTER = _Unsigned()


def keep_out_of_the_log() -> None:
    """Clean what the HTTP clients of this process log from now on: answers may come when nobody waits for them."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)  # once, however often it is called
