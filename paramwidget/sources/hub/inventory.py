"""What the files of a repository hold, read at one commit, with the total that the Hub itself reports beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...errors import Incomplete, SourceError, shown
from ...inventory import Inventory
from ..checkpoint import read_checkpoint
from ..files import FolderFiles, Progress
from .asking import Asking
from .errors import asked_for, check_endpoint, error_of, guarded, not_an_id, not_the_hub
from .patience import gather
from .ranges import HubFiles
from .repo import cached, commit_of

#: from so many files on, the Hub's list of them is no longer whole, and its tree is asked for
MANY_FILES = 50_000
#: a repository of so many files is described in less
MAX_ANSWER_BYTES = 64 << 20


def read_inventory(
    repo: str,
    revision: str | None = None,
    token: str | bool | None = None,
    progress: Progress | None = None,
) -> Inventory:
    """The tensors that the files of a repository hold, from their headers alone, all at one commit.

    repo      a repository id (owner/name)
    revision  a branch, tag or commit; the default branch if it is None. What it names is asked for once
    progress  called with (done, total, text) while headers are read; a bar is shown if it is None and takes long

    Raises NotFound, AccessDenied and Unreachable as the Hub answers, BadCheckpoint where a file cannot be what its
    name says, and Incomplete where there are no weights. Where they have no header, ``format`` is ``unread``.
    """
    check_endpoint()
    from huggingface_hub import constants
    from huggingface_hub.errors import HFValidationError

    if not constants.HF_HUB_OFFLINE:
        return _from_hub(repo, revision, token, progress)
    try:
        return _from_cache(repo, revision)
    except HFValidationError as e:
        raise not_an_id(repo, e) from None


def _from_hub(
    repo: str, revision: str | None, token: str | bool | None, progress: Progress | None
) -> Inventory:
    files, totals = files_of(repo, revision, token, progress)
    total, by_dtype = _totals(totals)
    return replace(read_checkpoint(files), revision=files.sha, hub_total=total, hub_by_dtype=by_dtype)


def files_of(
    repo: str,
    revision: str | None = None,
    token: str | bool | None = None,
    progress: Progress | None = None,
    *,
    asked: str = "",
) -> tuple[HubFiles, Any]:
    """The files of a repository at the commit that a revision names, and what the API says of their total.

    Arguments and errors are those of ``read_inventory``; ``asked`` is how errors name what was asked for.
    """
    check_endpoint()
    from huggingface_hub.errors import HFValidationError, LocalTokenNotFoundError

    try:
        asking = Asking(repo, revision, token, asked)
    except HFValidationError as e:
        raise not_an_id(repo, e) from None
    except LocalTokenNotFoundError as e:
        raise error_of(e, repo, asked_for(repo, revision), "") from None
    at = f"/revision/{quote(revision, safe='')}" if revision else ""
    info = _api(asking, f"{at}?blobs=true")
    sha = commit_of(info.get("sha"), asking.asked)
    siblings = info.get("siblings")
    listed = [s for s in siblings if isinstance(s, dict)] if isinstance(siblings, list) else []
    sizes: dict[Any, Any] = {s.get("rfilename"): s.get("size") for s in listed}
    if not sizes or len(sizes) >= MANY_FILES or not _are_sizes(sizes):
        from huggingface_hub import HfApi

        tree = guarded(
            lambda: list(HfApi(token=token).list_repo_tree(repo, recursive=True, revision=sha)),
            repo,
            asking.asked,
        )
        sizes = {entry.path: entry.size for entry in tree if hasattr(entry, "size")}
    totals = info.get("safetensors")
    if totals is None and any(path.endswith(".safetensors") for path in sizes):
        totals = _api(asking, f"/revision/{sha}?expand=safetensors").get("safetensors")
    return HubFiles(asking, sha, sizes, progress), totals


def _are_sizes(sizes: Mapping[Any, Any]) -> bool:
    return all(isinstance(path, str) and type(size) is int and size >= 0 for path, size in sizes.items())


def _api(asking: Asking, path: str) -> Mapping[str, Any]:
    """What the API says of a repository: a JSON object, or it is not the Hub that answers."""

    def too_slow(seconds: float) -> SourceError:
        return asking.incomplete(f"the Hub did not answer within {seconds:.0f} seconds")

    def ask() -> bytes:
        return asking.whole(asking.api(path), MAX_ANSWER_BYTES)

    text = gather([ask], asking.patience.left(), lambda done: None, too_slow)[0]
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise not_the_hub(asking.repo, asking.asked, "no JSON object")
    return said


def _totals(said: Any) -> tuple[int | None, Mapping[str, int]]:
    """The total that the API reports, and by dtype: whole numbers, or nothing."""
    total, by_dtype = (said.get("total"), said.get("parameters")) if isinstance(said, dict) else (None, None)
    counts = {k: v for k, v in by_dtype.items() if type(v) is int} if isinstance(by_dtype, dict) else {}
    return (total if type(total) is int else None), counts


def _from_cache(repo: str, revision: str | None) -> Inventory:
    """What the files in the cache of this machine hold, where the network must not be used."""
    asked = asked_for(repo, revision)
    sha, path, _ = cached(repo, revision, asked)
    files = FolderFiles(Path(path).parent, label=repo)
    try:
        found = read_checkpoint(files)
    except Incomplete:
        raise Incomplete(
            f"{asked}: HF_HUB_OFFLINE is set, and the cache of this machine holds no weights at commit {sha[:12]} "
            f"({shown(str(files.folder), 300)}). Unset it, and the headers are read from the Hub. Incomplete."
        ) from None
    return replace(found, revision=sha)
