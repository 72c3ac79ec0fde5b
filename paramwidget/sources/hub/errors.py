"""What can go wrong with the Hub, each said once: what was asked for, what stood against it, what to do.

No message has an address in it: those of files are signed, and whoever has one has the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from ...errors import (
    AccessDenied,
    Incomplete,
    NotFound,
    ParamWidgetError,
    SourceError,
    Unreachable,
    or_list,
    shown,
)
from .. import catalog
from .patience import DEADLINE, gather

T = TypeVar("T")


def check_endpoint() -> None:
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


def asked_for(repo: str, revision: str | None) -> str:
    """How an error names what was asked for: the repository, and the revision as it was given."""
    return f"{repo} at revision {revision!r}" if revision else repo


def guarded(call: Callable[[], T], repo: str, asked: str, file: str = "") -> T:
    """Run one request, at most until a deadline, and turn what can go wrong into errors that say what was asked for."""
    from huggingface_hub.errors import HFValidationError

    def too_slow(seconds: float) -> SourceError:
        return unreachable(
            repo, asked, f"the Hub cannot be reached (its answer did not end within {seconds:.0f} seconds)"
        )

    try:
        return gather([call], DEADLINE, lambda done: None, too_slow)[0]
    except (HFValidationError, ParamWidgetError):
        raise
    except Exception as e:
        raise error_of(e, repo, asked, file) from None


def not_an_id(repo: str, e: Exception) -> SourceError:
    """What huggingface_hub says of a name that no repository can have."""
    first = str(e).splitlines()[0]
    return SourceError(f"{shown(repo, 120)} is not a repository id (owner/name): {first:.200}{near(repo)}")


def error_of(e: BaseException, repo: str, asked: str, file: str) -> SourceError:
    """The error here for one of huggingface_hub, its HTTP client or the operating system."""
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

    if isinstance(e, LocalEntryNotFoundError) and e.__cause__ is not None:
        # "not in the cache either": the cause is why it was not fetched
        return error_of(e.__cause__, repo, asked, file)
    if isinstance(e, OfflineModeIsEnabled | LocalEntryNotFoundError):
        return unreachable(repo, asked, f"the Hub cannot be reached ({type(e).__name__})")
    if isinstance(e, LocalTokenNotFoundError):
        return AccessDenied(
            f"{asked}: token=True asks for the saved token, and there is none. Log in first (hf auth login)."
        )
    codes = {
        GatedRepoError: "GatedRepo",
        RevisionNotFoundError: "RevisionNotFound",
        RepositoryNotFoundError: "RepoNotFound",
        EntryNotFoundError: "EntryNotFound",
    }
    code = next((name for kind, name in codes.items() if isinstance(e, kind)), "")
    if code or isinstance(e, HfHubHTTPError):
        return refusal(getattr(getattr(e, "response", None), "status_code", 0), code, repo, asked, file)
    if isinstance(e, OSError) and e.filename is not None:  # of a file, not of the network
        return SourceError(
            f"{asked}: the cache folder cannot be written ({shown(str(e.filename), 300)}: {e.strerror}). "
            f"Set HF_HOME to a folder that can be.",
            local=True,
        )
    if is_network(e) and not isinstance(e, FileMetadataError):
        return unreachable(repo, asked, f"the Hub cannot be reached ({type(e).__name__})")
    return not_the_hub(repo, asked, type(e).__name__)


def is_network(e: BaseException) -> bool:
    """Whether an error is one of the connection: httpx, httpx2 and the operating system have no common base for it."""
    module = type(e).__module__
    return isinstance(e, OSError) or "httpx" in module or "httpcore" in module


def refusal(status: int, code: str, repo: str, asked: str, file: str) -> SourceError:
    """The error for an answer that is none: its status, the Hub's X-Error-Code, and the file it is about, if any."""
    if code == "GatedRepo" and status == 403:
        return AccessDenied(
            f"{asked} is gated, and the account of this token has no access. Accept its terms on its page, or wait "
            f"until you are let in."
        )
    if code == "GatedRepo":
        return AccessDenied(
            f"{asked} is gated. Accept its terms on its page, then log in (hf auth login) or pass token=."
        )
    if code == "RevisionNotFound":
        return NotFound(
            f"{asked}: the repository has no such revision. So there is no {file or 'config.json'} to read; "
            f"nothing was read from another one. Check the branch, tag or commit. Incomplete."
        )
    if code == "RepoNotFound":
        return NotFound(
            f"{asked}: the Hub knows no such repository, or it is private. "
            f"Check the spelling, or pass token=.{near(repo)}"
        )
    if code == "EntryNotFound":
        return Incomplete(f"{asked} has no {file}. Nothing was read from another revision. Incomplete.")
    if status in (401, 403):
        return AccessDenied(
            f"{asked}: the Hub refuses {file or 'access'} ({status}). Log in (hf auth login) or pass token=."
        )
    if status == 404:
        return NotFound(
            f"{asked}: the Hub finds no {file or 'such page'} (404). Nothing was read from another revision. "
            f"Incomplete.{near(repo)}"
        )
    if status == 407:
        return Unreachable(
            f"{asked}: the proxy lets nothing through without its user and password (407). Put them into HTTPS_PROXY."
        )
    if status == 429:
        return Unreachable(f"{asked}: the Hub was asked too often (429). Try again later, or pass token=.")
    about = f" about {file}" if file else ""
    return Unreachable(f"{asked}: the Hub answered with status {status}{about}. Try again later.{near(repo)}")


def not_the_hub(repo: str, asked: str, what: str) -> Unreachable:
    """A proxy or a login page answers in the Hub's place."""
    return Unreachable(
        f"{asked}: the answer is not the Hub's ({what}). Check HF_ENDPOINT and the proxy.{near(repo)}"
    )


def unreachable(repo: str, asked: str, why: str) -> Unreachable:
    """No network, or none that is allowed."""
    if catalog.lookup(repo):
        return Unreachable(
            f"{asked}: {why}. Without a revision, the bundled snapshot answers with no network."
        )
    return Unreachable(
        f"{asked}: {why}, and it is not bundled.{near(repo)} With a network, any model on the Hub that has a "
        f"config.json of a known architecture can be counted; without one, pass the path of its config.json."
    )


def near(repo: str) -> str:
    """A sentence on the bundled models that are called most like it."""
    found = catalog.nearest(repo)
    if found:
        return f" The nearest bundled: {or_list(found)}."
    return f" {len(catalog.ids())} models are bundled: paramwidget.catalog() lists them."
