"""The commit that a revision names, and the config.json at that commit."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

from ...breakdown import Provenance
from ...errors import Incomplete, SourceError, shown
from ...inventory import Inventory
from .. import catalog
from ..data import parse
from ..local import MAX_CONFIG_BYTES, read_at_most
from ..opened import Opened
from .errors import asked_for, check_endpoint, guarded, not_an_id, unreachable

COMMIT = re.compile("[0-9a-f]{40}")


#: seconds to wait for each answer about a repository or a file
TIMEOUT = 20


def open_repo(
    repo: str,
    revision: str | None = None,
    token: str | bool | None = None,
    inventory: Inventory | None = None,
    asked: str = "",
) -> Opened:
    """The config.json of a repository, at the commit that ``revision`` (else the default branch) now names.

    A repository of GGUF files has none, and its hyper-parameters stand in; ``inventory`` is what they hold, where that
    was read already. ``asked`` is how errors name it, where the commit of ``revision`` was known before.

    Token, cache folder, ``HF_ENDPOINT``, ``HF_HUB_OFFLINE`` and proxies are huggingface_hub's own.
    """
    check_endpoint()
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HFValidationError

    asked = asked or asked_for(repo, revision)
    sha = ""
    try:
        if constants.HF_HUB_OFFLINE:
            sha, path, which = cached(repo, revision, asked)
            how = f"{which} the cache of this machine, as HF_HUB_OFFLINE is set"
        else:
            sha, how = _sha(HfApi(token=token), repo, revision, asked), ""
            path = _download(repo, sha, token, asked)
    except Incomplete as refusal:
        from .gguf import open_gguf

        if not sha:
            raise
        return open_gguf(repo, "", sha, token, otherwise=refusal, found=inventory, named=asked)
    except HFValidationError as e:
        raise not_an_id(repo, e) from None
    where = f"{repo} @ {sha[:12]}, config.json"
    provenance = Provenance(
        "hub",
        repo=repo,
        revision=sha,
        fetched=None if how else datetime.date.today().isoformat(),
        note=f"config.json at commit {sha}{how}.",
    )
    bundled = catalog.lookup(repo)
    with Path(path).open("rb") as file:
        text = read_at_most(file, where)
    return Opened(parse(text, where), repo, where, provenance, bundled.claims if bundled else ())


def open_with(
    inventory: Inventory, repo: str, revision: str | None, token: str | bool | None = None
) -> Opened:
    """The config.json of a repository at the commit at which its headers were read.

    A pipeline of parts in folders and an adapter have none: they are counted from their headers.
    """
    try:
        return open_repo(repo, inventory.revision, token, inventory, asked_for(repo, revision))
    except Incomplete:
        paths = [file.path for file in inventory.files]
        if not inventory.tensors or not any("/" in path or path.startswith("adapter_") for path in paths):
            raise
    from ..headers import from_headers

    sha = str(inventory.revision)
    note = f"No config.json at commit {sha}."
    provenance = Provenance(
        "hub", repo=repo, revision=sha, fetched=datetime.date.today().isoformat(), note=note
    )
    return from_headers(Opened({}, repo, f"{repo} @ {sha[:12]}", provenance), inventory)


def cached(repo: str, revision: str | None, asked: str) -> tuple[str, str, str]:
    """The commit and the file that the local cache holds for a revision, and which of several that is.

    A file that was downloaded at a commit has no branch in the cache. Where none was asked for, the only commit that
    holds a config.json answers, or the one downloaded last.
    """
    from huggingface_hub import constants, try_to_load_from_cache

    path = try_to_load_from_cache(repo, "config.json", revision=revision)
    if isinstance(path, str):
        return Path(path).parent.name, path, ", from"
    if revision is None:
        snapshots = Path(constants.HF_HUB_CACHE, f"models--{repo.replace('/', '--')}", "snapshots")
        found = [
            p for p in snapshots.glob("*/config.json") if COMMIT.fullmatch(p.parent.name) and p.is_file()
        ]
        if found:
            last = max(found, key=lambda p: p.lstat().st_mtime_ns)
            which = "the only one in" if len(found) == 1 else f"downloaded last of the {len(found)} in"
            return last.parent.name, str(last), f", {which}"
    raise unreachable(repo, asked, "HF_HUB_OFFLINE is set, and the cache of this machine does not hold it")


def _sha(api: Any, repo: str, revision: str | None, asked: str) -> str:
    info = guarded(lambda: api.model_info(repo, revision=revision, timeout=TIMEOUT), repo, asked)
    return commit_of(info.sha, asked)


def commit_of(named: object, asked: str) -> str:
    """The commit that the Hub named, which must be one: nothing else pins anything."""
    if not isinstance(named, str) or not COMMIT.fullmatch(named):
        raise Incomplete(
            f"The Hub named no commit for {asked} but {shown(named)}, so nothing would be pinned. Incomplete."
        )
    return named


def _download(repo: str, sha: str, token: str | bool | None, asked: str) -> str:
    """The path of config.json in the cache, fetched if it is not there yet.

    Its size and what stands against it are asked for first, once: the download asks five times, and then only says
    that the file is not in the cache.
    """
    from logging import ERROR

    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url, try_to_load_from_cache
    from huggingface_hub.utils import logging

    path = try_to_load_from_cache(repo, "config.json", revision=sha)
    if isinstance(path, str):
        return path
    url = hf_hub_url(repo, "config.json", revision=sha)
    about = guarded(
        lambda: get_hf_file_metadata(url, token=token, timeout=TIMEOUT), repo, asked, "config.json"
    )
    if about.size is not None and about.size > MAX_CONFIG_BYTES:
        raise SourceError(
            f"{asked}: config.json has {about.size:,} bytes; one of a model is far smaller. Is it another file?"
        )
    verbosity = logging.get_verbosity()
    logging.set_verbosity(ERROR)  # what goes wrong is said here, once
    try:
        path = guarded(
            lambda: hf_hub_download(repo, "config.json", revision=sha, token=token),
            repo,
            asked,
            "config.json",
        )
    finally:
        logging.set_verbosity(verbosity)
    return str(path)
