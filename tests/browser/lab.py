"""JupyterLab as a stranger meets it: a fresh clone, an empty home, no way out of the machine."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NOTEBOOK = "notebooks/01-5.13B-or-5.71B.ipynb"

# Generous, as the machine may be slow and busy: a wait ends as soon as what it waits for is there.
START_SECONDS = 180
STOP_SECONDS = 30

SETTINGS = {
    # The theme follows the browser, so that a test chooses it with one call.
    "apputils-extension/themes": {"adaptive-theme": True},
    # A pop-up that asks about news would lie over the notebook.
    "apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
}


@dataclass(frozen=True)
class Server:
    """A running JupyterLab, or Notebook 7."""

    url: str
    token: str
    #: where its pages are
    tree: str = "lab/tree"

    def page(self, path: str) -> str:
        return f"{self.url}{self.tree}/{path}?token={self.token}"


def clone(folder: Path, home: Path) -> Path:
    """A fresh clone of the repository as it is now: what is committed, with what is not yet laid over it."""
    # Git refuses a repository of another user, which a mounted one is in a container.
    (home / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
    environment = os.environ | {"HOME": str(home)}

    def git(*arguments: str | Path) -> str:
        command = ["git", *map(str, arguments)]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    def listed(*flags: str) -> list[str]:
        return [name for name in git("-C", ROOT, "ls-files", "-z", *flags).split("\0") if name]

    git("clone", "--quiet", "--no-hardlinks", ROOT, folder)
    for name in listed("--modified", "--others", "--exclude-standard"):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    for name in listed("--deleted"):
        (folder / name).unlink(missing_ok=True)
    return folder


def isolated(home: Path) -> dict[str, str]:
    """The environment of somebody who has just arrived: no settings, no trusted notebooks, no network."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("JUPYTER", "IPYTHON", "XDG_", "MAKE", "PYTEST")) and key != "DISPLAY"
    }
    settings = home / "settings"
    for name, values in SETTINGS.items():
        path = settings / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    # Nobody listens at port 9: whoever asks for another machine is refused at once.
    nowhere = "http://127.0.0.1:9"
    return kept | {
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "PYTHONUNBUFFERED": "1",
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), nowhere),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    }


@contextmanager
def fresh_lab(
    folder: Path, trusted: bool = False, application: str = "jupyterlab", **variables: str
) -> Iterator[Server]:
    """JupyterLab, or Notebook 7 (``notebook``), in a fresh clone and with a fresh home, both made in `folder`.

    `variables` are set in its environment.
    """
    home = folder / "home"
    home.mkdir()
    repository = clone(folder / "clone", home)
    # The clone's own package, not the one that is installed: a file that was never added would be missing.
    environment = isolated(home) | {"PYTHONPATH": str(repository)} | variables
    if trusted:
        trust = [sys.executable, "-m", "jupyter", "trust", NOTEBOOK]
        subprocess.run(trust, cwd=repository, env=environment, check=True, capture_output=True)
    command = [sys.executable, "-m", application, "--allow-root", "--no-browser", "--port=0"]
    with running([*command, f"--ServerApp.root_dir={repository}"], repository, home, environment) as server:
        yield server if application == "jupyterlab" else replace(server, tree="notebooks")


@contextmanager
def running(command: list[str], folder: Path, home: Path, environment: dict[str, str]) -> Iterator[Server]:
    """Run a command that starts JupyterLab, until it answers; end it, and nothing else, on leaving."""
    log = home / "jupyterlab.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield answering(process, home / "runtime", log)
    finally:
        end(process)


def answering(process: subprocess.Popen[bytes], runtime: Path, log: Path) -> Server:
    """Wait for the file in which the server says where it is, and for its first answer."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        for path in runtime.glob("jpserver-*.json"):
            try:
                found = json.loads(path.read_text())
                server = Server(found["url"], found["token"])
                status = f"{server.url}api/status?token={server.token}"
                with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(status, timeout=10):
                    return server
            except (ValueError, urllib.error.URLError):
                # Half written, or not listening yet.
                continue
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process group that we started; JupyterLab ends its kernels when it is asked to."""
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, signal_number)
            process.wait(timeout=STOP_SECONDS)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
