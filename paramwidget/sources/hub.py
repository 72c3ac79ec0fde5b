"""The Hugging Face Hub: one commit is resolved first, and everything is read at that commit."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..breakdown import Provenance
from ..errors import AccessDenied, Incomplete, NotFound, SourceError, Unreachable, or_list, shown
from . import catalog
from .data import parse
from .local import MAX_CONFIG_BYTES, read_at_most
from .opened import Opened

COMMIT = re.compile("[0-9a-f]{40}")


#: seconds to wait for each answer about a repository or a file
TIMEOUT = 20


def open_repo(repo: str, revision: str | None = None, token: str | bool | None = None) -> Opened:
    """The config.json of a repository, at the commit that ``revision`` (else the default branch) now names.

    Token, cache folder, ``HF_ENDPOINT``, ``HF_HUB_OFFLINE`` and proxies are huggingface_hub's own.
    """
    _check_endpoint()
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HFValidationError

    asked = f"{repo} at revision {revision!r}" if revision else repo
    try:
        if constants.HF_HUB_OFFLINE:
            sha, path, which = _cached(repo, revision, asked)
            how = f"{which} the cache of this machine, as HF_HUB_OFFLINE is set"
        else:
            sha, how = _sha(HfApi(token=token), repo, revision, asked), ""
            path = _download(repo, sha, token, asked)
    except HFValidationError as e:
        first = str(e).splitlines()[0]
        raise SourceError(
            f"{shown(repo, 120)} is not a repository id (owner/name): {first:.200}{_near(repo)}"
        ) from None
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


def _check_endpoint() -> None:
    """Refuse an HF_ENDPOINT that is no address; some of them huggingface_hub cannot even be imported with."""
    endpoint = os.environ.get("HF_ENDPOINT")
    if endpoint is None:
        return
    try:
        parts = urlsplit(endpoint)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # brackets that do not close, a port that is no number
        fine = False
    if not fine or not endpoint.isprintable() or " " in endpoint:
        raise SourceError(
            f"HF_ENDPOINT = {shown(endpoint)} is not the address of a Hub. Write it like https://huggingface.co, "
            f"or unset it.",
            local=True,
        )


def from_address(address: str, revision: str | None) -> tuple[str, str | None]:
    """The repository, and the revision if it names one, of a page's address: what a reader pastes.

    >>> from_address("https://huggingface.co/openai/gpt-oss-120b/blob/main/config.json", None)
    ('openai/gpt-oss-120b', 'main')
    """
    from urllib.parse import unquote

    try:
        split = urlsplit(address)
        host, parts = split.hostname, [unquote(p) for p in split.path.split("/") if p]
    except ValueError:  # brackets that do not close
        host, parts = None, []
    if host not in ("huggingface.co", "hf.co") or len(parts) < 2:
        raise SourceError(
            f"{shown(address, 300)} is not the page of a model on the Hub. Give a repository id (owner/name), or the "
            f"path of a config.json that you have fetched.",
            local=True,
        )
    if len(parts) > 3 and parts[2] in ("blob", "tree", "resolve", "commit"):
        revision = revision or parts[3]
    return "/".join(parts[:2]), revision


def _cached(repo: str, revision: str | None, asked: str) -> tuple[str, str, str]:
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
    raise _unreachable(repo, asked, "HF_HUB_OFFLINE is set, and the cache of this machine does not hold it")


def _sha(api: Any, repo: str, revision: str | None, asked: str) -> str:
    info = _guard(lambda: api.model_info(repo, revision=revision, timeout=TIMEOUT), asked, "")
    if not isinstance(info.sha, str) or not COMMIT.fullmatch(info.sha):
        raise Incomplete(
            f"The Hub named no commit for {asked} but {shown(info.sha)}, so nothing would be pinned. Incomplete."
        )
    return info.sha


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
    about = _guard(lambda: get_hf_file_metadata(url, token=token, timeout=TIMEOUT), asked, "config.json")
    if about.size is not None and about.size > MAX_CONFIG_BYTES:
        raise SourceError(
            f"{asked}: config.json has {about.size:,} bytes; one of a model is far smaller. Is it another file?"
        )
    verbosity = logging.get_verbosity()
    logging.set_verbosity(ERROR)  # what goes wrong is said here, once
    try:
        path = _guard(
            lambda: hf_hub_download(repo, "config.json", revision=sha, token=token), asked, "config.json"
        )
    finally:
        logging.set_verbosity(verbosity)
    return str(path)


def _guard(call: Callable[[], Any], asked: str, file: str) -> Any:
    """Run one request and turn what can go wrong into errors that say what was asked for."""
    from huggingface_hub.errors import HFValidationError

    try:
        return call()
    except HFValidationError:
        raise
    except Exception as e:
        raise _error(e, asked, file) from None


def _error(e: BaseException, asked: str, file: str) -> SourceError:
    from huggingface_hub.errors import (
        EntryNotFoundError,
        FileMetadataError,
        GatedRepoError,
        HfHubHTTPError,
        LocalEntryNotFoundError,
        LocalTokenNotFoundError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    repo = asked.split(" at revision ")[0]
    if isinstance(e, LocalEntryNotFoundError) and e.__cause__ is not None:
        return _error(
            e.__cause__, asked, file
        )  # "not in the cache either": the cause is why it was not fetched
    if isinstance(e, OfflineModeIsEnabled | LocalEntryNotFoundError):
        return _unreachable(repo, asked, f"the Hub cannot be reached ({type(e).__name__})")
    if isinstance(e, LocalTokenNotFoundError):
        return AccessDenied(
            f"{asked}: token=True asks for the saved token, and there is none. Log in first (hf auth login)."
        )
    if isinstance(e, GatedRepoError):
        return AccessDenied(
            f"{asked} is gated. Accept its terms on its page, then log in (hf auth login) or pass token=."
        )
    if isinstance(e, RevisionNotFoundError):
        return NotFound(
            f"{asked}: the repository has no such revision. Nothing was read from another one; "
            f"check the branch, tag or commit. Incomplete."
        )
    if isinstance(e, RepositoryNotFoundError):
        return NotFound(
            f"{asked}: the Hub knows no such repository, or it is private. "
            f"Check the spelling, or pass token=.{_near(repo)}"
        )
    if isinstance(e, EntryNotFoundError):
        return Incomplete(f"{asked} has no {file}. Nothing was read from another revision. Incomplete.")
    if isinstance(e, HfHubHTTPError):
        status = getattr(e.response, "status_code", None)
        if status in (401, 403):
            return AccessDenied(
                f"{asked}: the Hub refuses {file or 'access'} ({status}). Log in (hf auth login) or pass token=."
            )
        if status == 404:
            return NotFound(f"{asked}: the Hub finds no {file or 'such page'} (404).{_near(repo)}")
        if status == 429:
            return Unreachable(
                f"{asked}: the Hub was asked too often (429). Try again later, or pass token=."
            )
        about = f" about {file}" if file else ""
        return Unreachable(
            f"{asked}: the Hub answered with status {status}{about}. Try again later.{_near(repo)}"
        )
    if isinstance(e, OSError) and e.filename is not None:  # of a file, not of the network
        return SourceError(
            f"{asked}: the cache folder cannot be written ({shown(str(e.filename), 300)}: {e.strerror}). "
            f"Set HF_HOME to a folder that can be.",
            local=True,
        )
    # httpx, requests and the operating system have no common base for "no network"
    network = isinstance(e, OSError) or "httpx" in type(e).__module__ or "httpcore" in type(e).__module__
    if network and not isinstance(e, FileMetadataError):
        return _unreachable(repo, asked, f"the Hub cannot be reached ({type(e).__name__})")
    # a proxy or a login page answers in the Hub's place, and huggingface_hub cannot make sense of it
    return Unreachable(
        f"{asked}: the answer is not the Hub's ({type(e).__name__}). Check HF_ENDPOINT and the proxy.{_near(repo)}"
    )


def _unreachable(repo: str, asked: str, why: str) -> Unreachable:
    if catalog.lookup(repo):
        return Unreachable(
            f"{asked}: {why}. Without a revision, the bundled snapshot answers with no network."
        )
    return Unreachable(
        f"{asked}: {why}, and it is not bundled.{_near(repo)} With a network, any model on the Hub that has a "
        f"config.json of a known architecture can be counted; without one, pass the path of its config.json."
    )


def _near(repo: str) -> str:
    near = catalog.nearest(repo)
    if near:
        return f" The nearest bundled: {or_list(near)}."
    return f" {len(catalog.ids())} models are bundled: paramwidget.catalog() lists them."
