"""The system's Chromium: where it is, how the tests start it and, run as a script, how it gets there."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# No sandbox: Chromium refuses to start as root with one. The rest keeps it from calling home.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)

# A machine without any font draws boxes: text would have no width that means anything.
INSTALL = {
    "apt-get": [
        "apt-get update",
        "apt-get install --yes --no-install-recommends -o DPkg::Lock::Timeout=300 chromium fonts-liberation",
    ],
    "dnf": ["dnf install --assumeyes chromium liberation-fonts"],
    "pacman": ["pacman -Sy --noconfirm chromium ttf-liberation"],
    "apk": ["apk add chromium font-liberation"],
}


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome that starts; `CHROMIUM=/path` names one that is elsewhere."""
    for name in filter(None, (os.environ.get("CHROMIUM"), *NAMES)):
        path = shutil.which(name)
        # Ubuntu's chromium-browser is a script that only says where the real one would be.
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return None


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium."""
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    # Not a skip: a run of every test that leaves these out has not run every test.
    assert path, "Chromium is missing; `make chromium` installs it"
    # Playwright's own Node needs a library (libatomic) that a bare Debian lacks; the one for the front end does not.
    if node := shutil.which("node"):
        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", node)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def install_commands() -> list[str]:
    """The commands of this system's package manager; none where we know of no such manager."""
    return next((commands for manager, commands in INSTALL.items() if shutil.which(manager)), [])


def root_prefix() -> list[str] | None:
    """What to put before a command so that it runs as root without asking for a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def main() -> int:
    if find_chromium():
        return 0
    commands = install_commands()
    prefix = root_prefix()
    if not commands or prefix is None:
        print(
            "The browser tests need Chromium, and this user may not install it. Either run", file=sys.stderr
        )
        for command in commands or ["(your system's command to install chromium)"]:
            print(f"    sudo {command}", file=sys.stderr)
        print("or name one that is installed:  CHROMIUM=/path/to/chrome make test", file=sys.stderr)
        return 1
    for command in commands:
        print(f"Installing Chromium: {command}", flush=True)
        # Through env, as sudo drops the variable.
        run = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *shlex.split(command)]
        if subprocess.run(run, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode:
            # Not yet the end: an update may fail for a source that Chromium does not come from.
            print(f"This failed:  {shlex.join(run)}", file=sys.stderr)
    if not find_chromium():
        print("There is still no Chromium that starts on the PATH.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
