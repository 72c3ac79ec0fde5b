"""One Chromium for all browser tests."""

from collections.abc import Iterator

import pytest
from chromium import chromium
from notebook import WAIT_MILLISECONDS
from playwright.sync_api import Browser, expect


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT_MILLISECONDS)
    with chromium() as browser:
        yield browser
