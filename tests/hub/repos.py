"""What a Hub of this machine holds: repositories, their commits and files, and what shall go wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SHA = "0123456789abcdef0123456789abcdef01234567"
OLD = "89abcdef0123456789abcdef0123456789abcdef"


@dataclass(frozen=True)
class File:
    """A file of ``size`` bytes that begins with ``head``; the rest is zeros, which are never made."""

    head: bytes
    size: int

    @property
    def stored_apart(self) -> bool:
        """Whether the Hub keeps it in its large file storage, and answers with a redirect to it."""
        return self.size != len(self.head)

    def read(self, begin: int, end: int) -> bytes:
        part = self.head[begin:end]
        return part + bytes(end - begin - len(part))


@dataclass
class Fault:
    """What an answer is replaced by.

    status   answer with it, ``code`` as X-Error-Code, ``headers`` and ``body``
    how      slow | drip | drip-head | truncated | reset | whole (ignores Range) | other-range | wrong-total | close
    times    how often, then the repository answers as it should; None: always
    where    api | file | cdn | any: which requests
    path     the one file that it is about; empty: any
    after    bytes of the body that come before it is cut
    """

    status: int = 0
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    how: str = ""
    times: int | None = None
    where: str = "any"
    path: str = ""
    after: int = 10


@dataclass
class Repo:
    """A repository.

    commits   commit -> path -> file
    names     branch or tag -> commit
    totals    commit -> what the API says of safetensors, by dtype
    gated     whether files (not what the API says of it) need one of ``tokens``
    named     what the API calls its commit, where it is not the commit
    """

    name: str
    commits: dict[str, dict[str, File]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    totals: dict[str, Mapping[str, int]] = field(default_factory=dict)
    hub_total: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    gated: bool = False
    tokens: tuple[str, ...] = ()
    named: object = ""

    def commit(self, revision: str) -> str | None:
        sha = self.names.get(revision, revision)
        return sha if sha in self.commits else None


@dataclass
class Asked:
    """One request, and how it is answered so far."""

    method: str
    path: str
    host: str  # hub | cdn
    range: str
    authorized: bool
    status: int = 0
    sent: int = 0

    @property
    def bare(self) -> str:
        return self.path.split("?")[0]


@dataclass
class Hub:
    """All repositories of one Hub, and everything that it was asked.

    latency   seconds that every answer waits first
    cdn       whether large files are answered with a redirect to a signed address on another host
    """

    latency: float = 0.0
    cdn: bool = True
    address: str = ""
    cdn_address: str = ""
    repos: dict[str, Repo] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    #: what no client may do: unpinned addresses of files, tokens on the other host
    wrongs: list[str] = field(default_factory=list)

    def add(
        self,
        name: str,
        files: Mapping[str, File | bytes | str],
        *,
        commit: str = SHA,
        names: tuple[str, ...] = ("main",),
        total: Mapping[str, int] | None = None,
        hub_total: int | None = None,
        **about: object,
    ) -> Repo:
        """Put ``files`` (path -> content) at a commit of a repository, which ``names`` then name.

        total      elements by dtype, as the API says at that commit; hub_total is their sum unless it is given
        about      fields of Repo: faults, gated, tokens, named
        """
        repo = self.repos.setdefault(name, Repo(name))
        repo.commits[commit] = {path: _file(content) for path, content in files.items()}
        repo.names |= dict.fromkeys(names, commit)
        if total is not None:
            repo.totals[commit] = total
            repo.hub_total[commit] = sum(total.values()) if hub_total is None else hub_total
        for key, value in about.items():
            assert hasattr(repo, key), key
            setattr(repo, key, value)
        return repo

    def asked_about(self, repo: str, host: str = "") -> list[Asked]:
        return [a for a in self.asked if f"/{repo}" in a.path and host in ("", a.host)]


def _file(content: File | bytes | str) -> File:
    if isinstance(content, File):
        return content
    data = content.encode() if isinstance(content, str) else content
    return File(data, len(data))
