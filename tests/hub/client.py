"""The real huggingface_hub, pointed at a Hub of this machine without a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from .repos import Hub


def connect(hub: Hub, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """Point huggingface_hub of this process at ``hub``, with an empty cache, no token, and connections of its own.

    It reads its environment once, when it is imported, so its constants are set instead.
    """
    from huggingface_hub import close_session, constants

    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(constants, "ENDPOINT", hub.address)
    monkeypatch.setattr(
        constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.address + "/{repo_id}/resolve/{revision}/{filename}"
    )
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache / "hub"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(cache / "token"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
    close_session()  # a connection that another test left
