"""Folders of this machine: what is looked at, which links are followed, and what strange ones cost."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from paramwidget.errors import SourceError
from paramwidget.sources import files
from paramwidget.sources.files import FolderFiles


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"12345678")
    return path


def test_files_are_named_from_the_folder_down_a_few_deep_and_links_are_followed(tmp_path: Path) -> None:
    put(tmp_path / "model.safetensors")
    put(tmp_path / "a/b/c/x.bin")
    put(tmp_path / "a/b/c/d/too-deep.bin")
    put(tmp_path / ".git/hidden")
    other = put(tmp_path.parent / f"{tmp_path.name}-blobs/blob")
    (tmp_path / "unet").symlink_to(other.parent)
    (tmp_path / "unet_2").symlink_to(other.parent)
    (tmp_path / "linked.safetensors").symlink_to(other)
    assert FolderFiles(tmp_path).sizes == dict.fromkeys(
        ["a/b/c/x.bin", "linked.safetensors", "model.safetensors", "unet/blob", "unet_2/blob"], 8
    )


def test_links_that_lead_back_are_not_followed(tmp_path: Path) -> None:
    # 60 links to the folder itself, three deep, are 216,000 folders
    put(tmp_path / "model.safetensors")
    put(tmp_path / "sub/x")
    for i in range(60):
        (tmp_path / f"x{i}").symlink_to(".")
    (tmp_path / "sub/up").symlink_to("..")
    start = time.monotonic()
    assert FolderFiles(tmp_path).sizes == {"model.safetensors": 8, "sub/x": 8}
    assert time.monotonic() - start < 5


def test_a_link_to_all_of_a_disk_is_given_up_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_ENTRIES", 50)
    for i in range(30):
        put(tmp_path / f"disk/{i}/x")
    (tmp_path / "model").mkdir()
    (tmp_path / "model/root").symlink_to(tmp_path / "disk")
    with pytest.raises(
        SourceError, match=r"model' holds more than 50 files and folders, so it is no model's"
    ):
        FolderFiles(tmp_path / "model")


def test_what_is_no_file_or_cannot_be_looked_at_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path / "model.safetensors")
    os.mkfifo(tmp_path / "pipe.safetensors")
    (tmp_path / "gone.safetensors").symlink_to("nowhere")
    (tmp_path / "self.safetensors").symlink_to("self.safetensors")
    (tmp_path / "zero.safetensors").symlink_to("/dev/zero")
    if Path("/proc/1/cwd").is_symlink():  # may refuse to say where it leads
        (tmp_path / "shut").symlink_to("/proc/1/cwd")
    assert FolderFiles(tmp_path, below=1).sizes["model.safetensors"] == 8
    assert not {n for n in FolderFiles(tmp_path, below=0).sizes if n != "model.safetensors"}


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="none' cannot be read: No such file or directory"):
        FolderFiles(tmp_path / "none")
