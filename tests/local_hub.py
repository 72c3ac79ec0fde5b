"""A Hub of this machine: enough of its API for the real huggingface_hub to read one file of one commit.

Repositories are named after what they do. Every request is kept, so that a test can say what was asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

SHA = "0123456789abcdef0123456789abcdef01234567"
OLD = "89abcdef0123456789abcdef0123456789abcdef"

#: repository -> revision asked for -> commit
COMMITS = {"main": SHA, SHA: SHA, "v1": OLD, OLD: OLD}


@dataclass
class Hub:
    address: str
    #: repository -> commit -> text of its config.json, None where the commit has none
    repos: dict[str, dict[str, str | None]]
    #: repository -> status, X-Error-Code and body that any request about it gets
    failing: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    #: the same for requests about its files alone
    failing_files: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    #: repository -> what is named as its commit
    named: dict[str, object] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def asked_about(self, repo: str) -> list[tuple[str, str]]:
        return [(method, path) for method, path in self.asked if f"/{repo}" in path]


@contextmanager
def serve(
    repos: dict[str, dict[str, str | None]],
    failing: dict[str, tuple[int, str, str]],
    failing_files: dict[str, tuple[int, str, str]] | None = None,
    named: dict[str, object] | None = None,
) -> Iterator[Hub]:
    hub = Hub("", repos, failing, failing_files or {}, named or {})

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            hub.asked.append((self.command, self.path))
            parts = self.path.split("?")[0].strip("/").split("/")
            if parts[:2] == ["api", "models"]:
                revision = "/".join(parts[5:]) if parts[4:5] == ["revision"] else "main"
                self._model_info("/".join(parts[2:4]), revision)
            else:
                self._file("/".join(parts[:2]), parts[3], "/".join(parts[4:]))

        do_HEAD = do_GET

        def _model_info(self, repo: str, revision: str) -> None:
            commit = COMMITS.get(revision)
            if self._failed(repo):
                pass
            elif commit in hub.repos[repo]:
                self._send(
                    200, {}, json.dumps({"id": repo, "sha": hub.named.get(repo, commit), "siblings": []})
                )
            else:
                self._send(404, {"X-Error-Code": "RevisionNotFound"}, "Invalid rev id")

        def _file(self, repo: str, revision: str, name: str) -> None:
            text = hub.repos.get(repo, {}).get(COMMITS.get(revision, ""))
            if self._failed(repo) or self._failed(repo, hub.failing_files):
                pass
            elif text is None or name != "config.json":
                self._send(404, {"X-Error-Code": "EntryNotFound"}, "Entry not found")
            else:
                etag = hashlib.sha1(text.encode()).hexdigest()
                self._send(200, {"X-Repo-Commit": COMMITS[revision], "ETag": f'"{etag}"'}, text)

        def _failed(self, repo: str, failing: dict[str, tuple[int, str, str]] = hub.failing) -> bool:
            status, code, body = failing.get(repo, (0, "", ""))
            if not status and repo not in hub.repos:
                status, code, body = 404, "RepoNotFound", "Repository not found"
            if status:
                self._send(status, {"X-Error-Code": code} if code else {}, body)
            return bool(status)

        def _send(self, status: int, headers: dict[str, str], body: str) -> None:
            data = body.encode()
            self.send_response(status)
            for key, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(key, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing: the tests read ``asked``."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
