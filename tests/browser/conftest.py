"""One Chromium for all browser tests."""

from collections.abc import Iterator

import pytest
from chromium import FLAGS, find_chromium
from notebook import WAIT_MILLISECONDS
from playwright.sync_api import Browser, expect, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    # Not a skip: a run of every test that leaves these out has not run every test.
    assert path, "Chromium is missing; `make chromium` installs it"
    expect.set_options(timeout=WAIT_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
