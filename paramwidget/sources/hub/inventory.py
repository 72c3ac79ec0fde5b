"""What the files of a repository hold, read at one commit, with the total that the Hub itself reports beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ...errors import Incomplete, SourceError, shown
from ...inventory import Inventory
from ..checkpoint import read_checkpoint
from ..files import FolderFiles, Progress
from .errors import asked_for, check_endpoint, error_of, not_an_id
from .patience import Again, Patience, gather, seconds_to_wait
from .ranges import HubFiles
from .repo import TIMEOUT, cached, commit_of
from .signatures import keep_out_of_the_log

T = TypeVar("T")

#: from so many files on, the Hub's list of them is no longer whole, and its tree is asked for
MANY_FILES = 50_000


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

    keep_out_of_the_log()
    try:
        if constants.HF_HUB_OFFLINE:
            return _from_cache(repo, revision)
        return _from_hub(repo, revision, token, progress)
    except HFValidationError as e:
        raise not_an_id(repo, e) from None


def _from_hub(
    repo: str, revision: str | None, token: str | bool | None, progress: Progress | None
) -> Inventory:
    from huggingface_hub import HfApi

    api, asked = HfApi(token=token), asked_for(repo, revision)
    info = _patiently(
        lambda: api.model_info(repo, revision=revision, files_metadata=True, timeout=TIMEOUT), repo, asked
    )
    sha = commit_of(info.sha, asked)
    siblings = info.siblings or []
    sizes = {s.rfilename: s.size for s in siblings if s.size is not None}
    if not siblings or len(siblings) >= MANY_FILES or len(sizes) < len(siblings):
        tree = _patiently(lambda: list(api.list_repo_tree(repo, recursive=True, revision=sha)), repo, asked)
        sizes = {entry.path: entry.size for entry in tree if hasattr(entry, "size")}
    totals = info.safetensors
    if totals is None and any(path.endswith(".safetensors") for path in sizes):
        expanded = _patiently(
            lambda: api.model_info(repo, revision=sha, expand=["safetensors"], timeout=TIMEOUT), repo, asked
        )
        totals = expanded.safetensors
    files = HubFiles(repo, sha, sizes, token=token, revision=revision, progress=progress)
    total, by_dtype = _totals(totals)
    return replace(read_checkpoint(files), revision=sha, hub_total=total, hub_by_dtype=by_dtype)


def _totals(said: Any) -> tuple[int | None, Mapping[str, int]]:
    """The total that the API reports, and by dtype: whole numbers, or nothing."""
    total, by_dtype = getattr(said, "total", None), getattr(said, "parameters", None)
    counts = {k: v for k, v in by_dtype.items() if type(v) is int} if isinstance(by_dtype, dict) else {}
    return (total if type(total) is int else None), counts


def _patiently(call: Callable[[], T], repo: str, asked: str) -> T:
    """One request to the API, again where that may help, and given up when the Hub does not end its answer."""
    patience = Patience()

    def ask() -> T:
        for last in patience.tries():
            try:
                return _once(call, repo, asked)
            except Again as again:
                last(again)
        raise AssertionError("the last try raises")

    def too_slow(seconds: float) -> SourceError:
        return error_of(TimeoutError(f"{seconds:.0f} seconds"), repo, asked, "")

    return gather([ask], patience.left(), lambda done: None, too_slow)[0]


def _once(call: Callable[[], T], repo: str, asked: str) -> T:
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return call()
    except HFValidationError:
        raise
    except Exception as e:
        error = error_of(e, repo, asked, "")
        response = e.response if isinstance(e, HfHubHTTPError) else None
        if response is not None and (response.status_code in (408, 429) or response.status_code >= 500):
            raise Again(error, seconds_to_wait(response.headers)) from None
        raise error from None


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
