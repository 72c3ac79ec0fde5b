"""Repositories of GGUF files, which mostly have no config.json: one quantization is read, by range, at one commit."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

from ...breakdown import Provenance
from ...errors import SourceError, shown
from ...inventory import Inventory
from .. import gguf_files
from ..files import FolderFiles
from ..opened import Opened
from ..quantizations import read_gguf
from .errors import asked_for, check_endpoint, not_an_id, unreachable
from .inventory import files_of
from .ranges import HubFiles
from .repo import COMMIT


def open_gguf(
    repo: str,
    asked: str = "",
    revision: str | None = None,
    token: str | bool | None = None,
    *,
    otherwise: SourceError | None = None,
    found: Inventory | None = None,
    named: str = "",
) -> Opened:
    """The GGUF file of a repository that is asked for, and its parts.

    asked      a quantization (``Q4_K_M``) or the path of a file; without it the largest is read, the rest listed
    otherwise  raised where the repository has no GGUF file
    found      what its files hold, where they were read already
    named      how errors name what was asked for, where the commit of the revision was known before
    """
    check_endpoint()
    from huggingface_hub import constants
    from huggingface_hub.errors import HFValidationError

    if otherwise is not None and found is not None and found.format != "gguf":
        raise otherwise
    if found is None:
        try:
            files = _files(repo, revision, token, named)
        except HFValidationError as e:
            raise not_an_id(repo, e) from None
        if otherwise is not None and not any(path.lower().endswith(".gguf") for path in files.sizes):
            raise otherwise
        sha = files.sha if isinstance(files, HubFiles) else files.folder.name
        found = replace(read_gguf(files, asked, local=False), revision=sha)
    sha, read = str(found.revision), found.files[0].path
    provenance = Provenance(
        "hub",
        repo=repo,
        revision=sha,
        fetched=datetime.date.today().isoformat() if not constants.HF_HUB_OFFLINE else None,
        note=f"{read} at commit {sha}.",
    )
    separator = "/" if asked.lower().endswith(".gguf") else ":"
    return gguf_files.opened(found, f"{repo}{separator}{asked}" if asked else repo, provenance)


def _files(repo: str, revision: str | None, token: str | bool | None, named: str) -> HubFiles | FolderFiles:
    """The files of a repository, where the network must not be used those that the cache of this machine holds."""
    from huggingface_hub import constants
    from huggingface_hub.utils import validate_repo_id

    validate_repo_id(repo)
    if not constants.HF_HUB_OFFLINE:
        return files_of(repo, revision, token, asked=named)[0]
    folder = Path(constants.HF_HUB_CACHE, f"models--{repo.replace('/', '--')}")
    ref = folder / "refs" / (revision or "main")
    commit = ref.read_text("ascii", "replace").strip() if ref.is_file() else revision or ""
    snapshot = folder / "snapshots" / commit
    if not COMMIT.fullmatch(commit) or not snapshot.is_dir():
        raise unreachable(
            repo,
            named or asked_for(repo, revision),
            f"HF_HUB_OFFLINE is set, and the cache of this machine has no {shown(revision or 'main')} of it",
        )
    return FolderFiles(snapshot, label=repo)
