"""The HTTP side of a Hub of this machine: its API, its files, and the other host that large files lie on."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from .repos import Asked, Fault, File, Hub, Repo

PINNED = re.compile("[0-9a-f]{40}")
#: what a client must never show: it opens the file for whoever has it
SIGNATURE = "X-Amz-Signature=5ec2e7516e5"
PIECE = 1 << 16


class Handler(BaseHTTPRequestHandler):
    """Answers for the Hub; a subclass for each server knows which."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    hub: Hub
    host: str

    def do_GET(self) -> None:
        time.sleep(self.hub.latency)
        # Kept as it comes: a client may have its answer before this thread goes on.
        bearing = "Authorization" in self.headers
        self.asked = Asked(self.command, self.path, self.host, self.headers.get("Range", ""), bearing)
        self.hub.asked.append(self.asked)
        split = urlsplit(self.path)
        parts = [unquote(p) for p in split.path.strip("/").split("/")]
        try:
            if self.host == "cdn":
                self._stored(parts)
            elif parts[:2] == ["api", "models"]:
                self._api(parts[2:], parse_qs(split.query))
            else:
                self._resolve(parts)
            self.wfile.flush()
        except (ConnectionError, TimeoutError):  # the client has had enough, or the fault is that
            self.close_connection = True

    do_HEAD = do_GET

    # -------------------------------------------------------------- the API

    def _api(self, parts: list[str], query: dict[str, list[str]]) -> None:
        name, rest = "/".join(parts[:2]), parts[2:]
        repo = self._repo(name)
        if repo is None or self._failed(repo, "api"):
            return
        kind = rest[0] if rest else ""
        revision = (rest[1] if kind == "tree" else "/".join(rest[1:])) if rest else "main"
        commit = repo.commit(revision)
        if commit is None:
            self._send(404, {"X-Error-Code": "RevisionNotFound"}, f"Invalid rev id: {revision}")
        elif kind == "tree":
            self._pinned(revision)
            below = "/".join(rest[2:])
            self._json([entry for entry in _tree(repo.commits[commit]) if entry["path"].startswith(below)])
        else:
            self._json(_model_info(repo, commit, query))

    # -------------------------------------------------------------- files

    def _resolve(self, parts: list[str]) -> None:
        at = next((i for i in (1, 2) if parts[i : i + 1] in (["resolve"], ["raw"])), None)
        if at is None:
            self._send(404, {}, "<html>Sorry, we can't find the page you are looking for.</html>")
            return
        name, revision, path = "/".join(parts[:at]), parts[at + 1], "/".join(parts[at + 2 :])
        self._pinned(revision)
        repo = self._repo(name)
        if repo is None or self._failed(repo, "file", path) or self._shut(repo):
            return
        commit = repo.commit(revision)
        if commit is None:
            self._send(404, {"X-Error-Code": "RevisionNotFound"}, "Invalid rev id")
            return
        file = repo.commits[commit].get(path)
        about = {"X-Repo-Commit": commit}
        if file is None:
            self._send(404, {"X-Error-Code": "EntryNotFound", **about}, "Entry not found")
        elif file.stored_apart and self.hub.cdn:
            to = f"{self.hub.cdn_address}/{name}/{commit}/{quote(path)}?{SIGNATURE}&X-Amz-Expires=3600"
            etag = _etag(file)
            self._send(
                302,
                {**about, "Location": to, "X-Linked-Size": str(file.size), "X-Linked-ETag": etag},
                f"Found. Redirecting to {to}",
            )
        else:
            self._content(file, {**about, "ETag": _etag(file)}, self._fault(repo, "file", path))

    def _stored(self, parts: list[str]) -> None:
        if "Authorization" in self.headers or "Cookie" in self.headers:
            self.hub.wrongs.append(f"{self.path} on the other host was asked with a token")
        name, commit, path = "/".join(parts[:2]), parts[2], "/".join(parts[3:])
        if SIGNATURE not in self.path:
            self._send(403, {}, "<Error><Code>AccessDenied</Code></Error>")
            return
        repo = self.hub.repos[name]
        if not self._failed(repo, "cdn", path):
            self._content(repo.commits[commit][path], {}, self._fault(repo, "cdn", path))

    def _content(self, file: File, headers: dict[str, str], fault: Fault | None) -> None:
        how = fault.how if fault else ""
        begin, end, status = 0, file.size, 200
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked and how != "whole":
            begin, status = int(asked[1]), 206
            end = min(int(asked[2] or file.size - 1) + 1, file.size)
            if begin >= file.size:
                self._send(416, {"Content-Range": f"bytes */{file.size}"}, "")
                return
            first = begin + (1 if how == "other-range" else 0)
            total = file.size + (1 if how == "wrong-total" else 0)
            headers = headers | {"Content-Range": f"bytes {first}-{end - 1}/{total}"}
        self._head(status, {**headers, "Accept-Ranges": "bytes", "Content-Length": str(end - begin)}, how)
        if self.command == "HEAD":
            return
        if how in ("truncated", "reset"):
            assert fault is not None
            self._write(file.read(begin, begin + fault.after))
            self._hang_up(how == "reset")
        if how == "drip":
            for at in range(begin, end):
                self._write(file.read(at, at + 1))
                time.sleep(0.05)
            return
        for at in range(begin, end, PIECE):
            self._write(file.read(at, min(at + PIECE, end)))

    # -------------------------------------------------------------- what goes wrong

    def _repo(self, name: str) -> Repo | None:
        repo = self.hub.repos.get(name)
        if repo is None:  # the Hub does not tell strangers what is private and what does not exist
            self._send(
                401 if "Authorization" not in self.headers else 404,
                {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"},
                "Repository not found",
            )
        return repo

    def _shut(self, repo: Repo) -> bool:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if not repo.gated or token in repo.tokens:
            return False
        self._send(403 if token else 401, {"X-Error-Code": "GatedRepo"}, "Access to this model is restricted")
        return True

    def _pinned(self, revision: str) -> None:
        if not PINNED.fullmatch(revision):
            self.hub.wrongs.append(f"{self.path} does not name a commit")

    def _fault(self, repo: Repo, where: str, path: str = "") -> Fault | None:
        for fault in repo.faults:
            if fault.where in ("any", where) and fault.path in ("", path) and fault.how and fault.times != 0:
                if fault.times:
                    fault.times -= 1
                return fault
        return None

    def _failed(self, repo: Repo, where: str, path: str = "") -> bool:
        """Whether the answer was one that says no, or none at all."""
        for fault in repo.faults:
            if fault.where not in ("any", where) or fault.path not in ("", path) or fault.times == 0:
                continue
            if fault.status or fault.how == "close":
                if fault.times:
                    fault.times -= 1
                if fault.how == "close":
                    self._hang_up(reset=False)
                code = {"X-Error-Code": fault.code} if fault.code else {}
                self._send(fault.status, {**code, **fault.headers}, fault.body)
                return True
        return False

    def _hang_up(self, reset: bool) -> None:
        self.wfile.flush()
        if reset:  # lingering for no time at all is a reset
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)
        raise ConnectionAbortedError

    # -------------------------------------------------------------- sending

    def _json(self, data: Any) -> None:
        self._send(200, {"Content-Type": "application/json"}, json.dumps(data))

    def _send(self, status: int, headers: dict[str, str], body: str) -> None:
        data = body.encode()
        self._head(status, {**headers, "Content-Length": str(len(data))})
        if self.command != "HEAD":
            self._write(data)

    def _head(self, status: int, headers: dict[str, str], how: str = "") -> None:
        self.asked.status = status
        if how == "slow":
            time.sleep(3)
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        if how == "drip-head":
            self.flush_headers()
            for i in range(2000):
                self.wfile.write(f"X-{i}: x\r\n".encode())
                self.wfile.flush()
                time.sleep(0.05)
        self.end_headers()

    def _write(self, data: bytes) -> None:
        self.asked.sent += len(data)
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Nothing: the tests read ``asked``."""


def _etag(file: File) -> str:
    return f'"{hashlib.sha1(file.head + str(file.size).encode()).hexdigest()}"'


def _model_info(repo: Repo, commit: str, query: dict[str, list[str]]) -> dict[str, Any]:
    info: dict[str, Any] = {"id": repo.name, "sha": commit if repo.named == "" else repo.named}
    expand = query.get("expand")
    if expand is None or "siblings" in expand:
        blobs = query.get("blobs") == ["true"]
        info["siblings"] = [
            {"rfilename": path, **({"size": file.size, "blobId": _etag(file)[1:-1]} if blobs else {})}
            for path, file in repo.commits[commit].items()
        ]
    if commit in repo.totals and (expand is None or "safetensors" in expand):
        info["safetensors"] = {"parameters": repo.totals[commit], "total": repo.hub_total[commit]}
    return info


def _tree(files: dict[str, File]) -> Iterator[dict[str, Any]]:
    folders = dict.fromkeys(
        "/".join(path.split("/")[:n]) for path in files for n in range(1, path.count("/") + 1)
    )
    for path in folders:
        yield {"type": "directory", "path": path, "oid": "0" * 40, "size": 0}
    for path, file in files.items():
        yield {"type": "file", "path": path, "oid": _etag(file)[1:-1], "size": file.size}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a fault may still be dripping
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Nothing: a client that hangs up is what some tests are about."""


@contextmanager
def serve(hub: Hub | None = None) -> Iterator[Hub]:
    """A Hub that answers on 127.0.0.1, and for large files on ``localhost`` at another port."""
    hub = Hub() if hub is None else hub
    servers = []
    for host in ("hub", "cdn"):
        handler = type("Answering", (Handler,), {"hub": hub, "host": host})
        server = _Server(("127.0.0.1", 0), handler)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        servers.append((server, thread))
    hub.address = f"http://127.0.0.1:{servers[0][0].server_port}"
    hub.cdn_address = f"http://localhost:{servers[1][0].server_port}"
    try:
        yield hub
    finally:
        for server, thread in servers:
            server.shutdown()
            server.server_close()
            thread.join()
