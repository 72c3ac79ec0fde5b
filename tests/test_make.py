"""The Makefile on machines that are not ready: it says what is missing and which command mends it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# An outer make hands its flags and variables down through these.
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}


def make(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    without_display = {k: v for k, v in ENVIRONMENT.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=without_display | environment, capture_output=True, text=True
    )


def command(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def lab_command(*arguments: str, **environment: str) -> str:
    return make("-n", "lab", *arguments, **environment).stdout.splitlines()[-1]


def test_make_alone_lists_the_targets() -> None:
    assert {line.split()[0] for line in make().stdout.splitlines()} >= {"lab", "test", "bundle", "notebooks"}


def test_lab_opens_the_first_notebook_and_passes_options_on() -> None:
    said = lab_command("LAB_FLAGS=--port=9999")
    assert "/lab/tree/notebooks/01-5.13B-or-5.71B.ipynb" in said
    assert said.endswith(" --port=9999")


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux does the environment tell")
def test_lab_opens_a_browser_only_where_there_is_a_display() -> None:
    assert "--no-browser" in lab_command()
    assert "--no-browser" not in lab_command(DISPLAY=":0")
    assert "--no-browser" not in lab_command(WAYLAND_DISPLAY="wayland-0")


def test_lab_runs_as_root_too() -> None:
    assert ("--allow-root" in lab_command()) == (os.geteuid() == 0)


def test_an_old_python_is_refused_with_what_to_type(tmp_path: Path) -> None:
    old = command(tmp_path / "python3", 'test "$1" = -V && echo Python 3.9.2 || exit 1')
    done = make("lab", f"VENV={tmp_path / 'venv'}", f"PYTHON={old}")
    assert done.returncode
    assert f"needs Python 3.11 or newer; {old} is Python 3.9.2" in done.stderr
    assert "make lab PYTHON=python3.12" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_a_python_without_venv_is_refused_with_the_command_that_adds_it(tmp_path: Path) -> None:
    bare = command(
        tmp_path / "python3", f'case "$2" in *ensurepip*) exit 1;; esac; exec {sys.executable} "$@"'
    )
    done = make("lab", f"VENV={tmp_path / 'venv'}", f"PYTHON={bare}")
    assert done.returncode
    major, minor = sys.version_info[:2]
    assert f"sudo apt-get install python{major}.{minor}-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_no_chromium_and_no_rights_stops_with_the_command_that_adds_it(tmp_path: Path) -> None:
    # A PATH of one folder: a Debian without Chromium and without sudo.
    command(tmp_path / "apt-get", "exit 99")
    code = "import os, runpy; os.geteuid = lambda: 1000; runpy.run_path('chromium.py', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "tests" / "browser",
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "sudo apt-get update" in done.stderr
    assert "sudo apt-get install --yes" in done.stderr
    assert " chromium" in done.stderr


def test_every_step_runs_and_one_failure_fails_the_whole(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "run_steps.py", tmp_path)
    (tmp_path / "Makefile").write_text("test-first: ; @false\ntest-second: ; @echo reached\n")
    done = subprocess.run(
        [sys.executable, "run_steps.py", "first", "second"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "reached" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 of 2 steps failed; run one again with `make test-first`"
