"""The Hub that the tests of this folder ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import Hub, connect, serve


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """An empty Hub to which huggingface_hub is connected; afterwards no request may have been one it must not make."""
    with serve() as running:
        connect(running, monkeypatch, tmp_path)
        yield running
        assert running.wrongs == []
