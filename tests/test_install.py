"""The wheel: built without Node or a network, looked into, and installed where there is nothing else."""

import os
import subprocess
import sys
import tomllib
import venv
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from nbformat.sign import NotebookNotary

ROOT = Path(__file__).parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    # An empty PATH: whatever the build would call, Node above all, is not there.
    done = subprocess.run(
        [*build, "--wheel-dir", folder, ROOT], env={"PATH": ""}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that holds the wheel and none of its dependencies."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*install, wheel], check=True)
    return python.parent


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "paramwidget"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    package = {name for name in listed if (ROOT / name).exists()}
    built = {
        f"paramwidget/static/{name}"
        for name in ("widget.js", "widget.css", "more.js", "compare.js", "compare.css")
    }
    assert built <= package
    assert any(name.startswith("paramwidget/catalog/") for name in package)

    info = f"paramwidget-{VERSION}.dist-info"
    metadata = {
        f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    assert set(ZipFile(wheel).namelist()) == package | metadata


def test_the_core_counts_a_bundled_model_without_any_dependency(installed: Path, tmp_path: Path) -> None:
    code = "import paramwidget; print(paramwidget.count('openai/gpt-oss-120b').active)"
    # -I: neither the current folder nor PYTHONPATH may lend it the repository's files.
    done = subprocess.run(
        [installed / "python", "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.strip() == "5711982912", done.stderr


def test_the_command_is_installed(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [installed / "paramwidget", "show", "openai/gpt-oss-120b"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "5,711,982,912" in done.stdout


def test_binder_trusts_the_notebooks(tmp_path: Path) -> None:
    """`binder/postBuild` as Binder runs it: as a command, in the repository, with JupyterLab on the PATH."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = os.environ | {"JUPYTER_DATA_DIR": str(tmp_path), "PATH": path}
    subprocess.run(ROOT / "binder" / "postBuild", cwd=ROOT, env=environment, check=True, capture_output=True)
    notary = NotebookNotary(data_dir=str(tmp_path))
    with closing(notary.store):
        for notebook in (ROOT / "notebooks").glob("*.ipynb"):
            assert notary.check_signature(nbformat.read(notebook, as_version=4)), notebook.name


def test_binder_installs_this_repository_on_a_python_that_it_supports() -> None:
    requirements = (ROOT / "binder" / "requirements.txt").read_text().split()
    # Binder reads paths from the root of the repository.
    assert requirements[0] == "."
    assert (ROOT / "binder" / "runtime.txt").read_text().strip() == "python-3.11"
