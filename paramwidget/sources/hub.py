"""The Hugging Face Hub: one commit is resolved first, and everything is read at that commit."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from ..breakdown import Provenance
from ..errors import AccessDenied, Incomplete, NotFound, SourceError, Unreachable, or_list
from . import catalog
from .data import parse
from .opened import Opened


def open_repo(repo: str, revision: str | None = None, token: str | bool | None = None) -> Opened:
    """The config.json of a repository, at the commit that ``revision`` (else the default branch) now names.

    Token, cache folder, ``HF_ENDPOINT``, ``HF_HUB_OFFLINE`` and proxies are huggingface_hub's own.
    """
    from huggingface_hub import HfApi, constants, hf_hub_download
    from huggingface_hub.errors import HFValidationError

    asked = f"{repo} at revision {revision!r}" if revision else repo
    try:
        if constants.HF_HUB_OFFLINE:
            sha, path = _cached(repo, revision, asked)
        else:
            sha = _sha(HfApi(token=token), repo, revision, asked)
            path = _guard(
                lambda: hf_hub_download(repo, "config.json", revision=sha, token=token), asked, "config.json"
            )
    except HFValidationError as e:
        first = str(e).splitlines()[0]
        raise SourceError(f"{repo!r} is not a repository id (owner/name): {first}{_near(repo)}") from None
    where = f"{repo} @ {sha[:12]}, config.json"
    cached = ", from the cache of this machine, as HF_HUB_OFFLINE is set" if constants.HF_HUB_OFFLINE else ""
    provenance = Provenance(
        "hub",
        repo=repo,
        revision=sha,
        fetched=None if cached else datetime.date.today().isoformat(),
        note=f"config.json at commit {sha}{cached}.",
    )
    bundled = catalog.lookup(repo)
    return Opened(
        parse(Path(path).read_bytes(), where), repo, where, provenance, bundled.claims if bundled else ()
    )


def from_address(address: str, revision: str | None) -> tuple[str, str | None]:
    """The repository, and the revision if it names one, of a page's address: what a reader pastes.

    >>> from_address("https://huggingface.co/openai/gpt-oss-120b/blob/main/config.json", None)
    ('openai/gpt-oss-120b', 'main')
    """
    from urllib.parse import unquote, urlsplit

    parts = [unquote(p) for p in urlsplit(address).path.split("/") if p]
    if urlsplit(address).hostname not in ("huggingface.co", "hf.co") or len(parts) < 2:
        raise SourceError(
            f"{address!r} is not the page of a model on the Hub. Give a repository id (owner/name), or the path of a "
            f"config.json that you have fetched.",
            local=True,
        )
    if len(parts) > 3 and parts[2] in ("blob", "tree", "resolve", "commit"):
        revision = revision or parts[3]
    return "/".join(parts[:2]), revision


def _cached(repo: str, revision: str | None, asked: str) -> tuple[str, str]:
    """The commit and the file that the local cache holds for a revision; its folder is named by the commit."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(repo, "config.json", revision=revision)
    if not isinstance(path, str):
        raise _unreachable(
            repo, asked, "HF_HUB_OFFLINE is set, and the cache of this machine does not hold it"
        )
    return Path(path).parent.name, path


def _sha(api: Any, repo: str, revision: str | None, asked: str) -> str:
    info = _guard(lambda: api.model_info(repo, revision=revision, timeout=20), asked, "")
    if not info.sha:
        raise Incomplete(f"The Hub named no commit for {asked}, so nothing would be pinned. Incomplete.")
    return str(info.sha)


def _guard(call: Any, asked: str, file: str) -> Any:
    """Run one request and turn what can go wrong into errors that say what was asked for."""
    from huggingface_hub.errors import (
        EntryNotFoundError,
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        LocalTokenNotFoundError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    repo = asked.split(" at revision ")[0]
    try:
        return call()
    except HFValidationError:
        raise
    except (OfflineModeIsEnabled, LocalEntryNotFoundError) as e:
        raise _unreachable(repo, asked, f"the Hub cannot be reached ({type(e).__name__})") from None
    except LocalTokenNotFoundError:
        raise AccessDenied(
            f"{asked}: token=True asks for the saved token, and there is none. Log in first (hf auth login)."
        ) from None
    except GatedRepoError:
        raise AccessDenied(
            f"{asked} is gated. Accept its terms on its page, then log in (hf auth login) or pass token=."
        ) from None
    except RevisionNotFoundError:
        raise NotFound(
            f"{asked}: the repository has no such revision. Nothing was read from another one; "
            f"check the branch, tag or commit. Incomplete."
        ) from None
    except RepositoryNotFoundError:
        raise NotFound(
            f"{asked}: the Hub knows no such repository, or it is private. "
            f"Check the spelling, or pass token=.{_near(repo)}"
        ) from None
    except EntryNotFoundError:
        raise Incomplete(
            f"{asked} has no {file}. Nothing was read from another revision. Incomplete."
        ) from None
    except HfHubHTTPError as e:
        status = getattr(e.response, "status_code", None)
        if status in (401, 403):
            raise AccessDenied(
                f"{asked}: the Hub refuses access ({status}). Log in (hf auth login) or pass token=."
            ) from None
        raise Unreachable(
            f"{asked}: the Hub answered with status {status}. Try again later.{_near(repo)}"
        ) from None
    except Exception as e:
        # httpx, requests and the operating system have no common base for "no network"
        if isinstance(e, OSError) or "httpx" in type(e).__module__ or "httpcore" in type(e).__module__:
            raise _unreachable(repo, asked, f"the Hub cannot be reached ({type(e).__name__})") from None
        # a proxy or a login page answers in the Hub's place, and huggingface_hub cannot make sense of it
        raise Unreachable(
            f"{asked}: the answer is not the Hub's ({type(e).__name__}). Check HF_ENDPOINT and the proxy.{_near(repo)}"
        ) from None


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
