"""A proxy, as huggingface_hub and its HTTP client take it from the environment: used, and never shown."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest

import paramwidget as pw
from paramwidget.cli import main
from paramwidget.sources.hub import patience

from . import SIGNATURE, Hub, safetensors

SECRET = "pr0xy-passw0rd"
SMALL = (
    '{"architectures": ["LlamaForCausalLM"], "vocab_size": 8, "hidden_size": 4, "intermediate_size": 6, '
    '"num_hidden_layers": 1, "num_attention_heads": 2, "tie_word_embeddings": true}'
)


class Proxy(BaseHTTPRequestHandler):
    """Hands requests on to the Hub and its storage, whatever host they name."""

    protocol_version = "HTTP/1.1"
    through: list[str]
    to: dict[str, str]
    refuses: bool

    def do_GET(self) -> None:
        split = urlsplit(self.path)
        self.through.append(split.hostname or "")
        if self.refuses:
            self.send_response(407)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        there = http.client.HTTPConnection(urlsplit(self.to[split.hostname or ""]).netloc)
        query = f"?{split.query}" if split.query else ""
        headers = {k: v for k, v in self.headers.items() if not k.lower().startswith(("proxy-", "host"))}
        there.request(self.command, split.path + query, headers=headers)
        answer = there.getresponse()
        body = answer.read()
        there.close()
        self.send_response(answer.status)
        for key, value in answer.getheaders():
            if key.lower() not in ("transfer-encoding", "connection"):
                self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def proxy(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Proxy]]:
    """The Hub under a name that only the proxy knows."""
    from huggingface_hub import close_session, constants

    used = type("Used", (Proxy,), {"through": [], "refuses": False})
    used.to = {"hub.test": hub.address, "localhost": hub.cdn_address}
    server = ThreadingHTTPServer(("127.0.0.1", 0), used)
    Thread(target=server.serve_forever, daemon=True).start()
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", f"http://user:{SECRET}@127.0.0.1:{server.server_port}")
    monkeypatch.setattr(constants, "ENDPOINT", "http://hub.test")
    monkeypatch.setattr(
        constants, "HUGGINGFACE_CO_URL_TEMPLATE", "http://hub.test/{repo_id}/resolve/{revision}/{filename}"
    )
    monkeypatch.setattr(patience, "FIRST_WAIT", 0.01)
    close_session()
    yield used
    close_session()
    server.shutdown()
    server.server_close()


def test_config_list_and_headers_come_through_the_proxy(hub: Hub, proxy: type[Proxy]) -> None:
    tensors = [("model.embed_tokens.weight", "F32", (8, 4)), ("model.norm.weight", "F32", (4,))]
    hub.add("some/model", {"config.json": SMALL, "model.safetensors": safetensors(tensors)})
    residual = pw.count("some/model", check=True).residual
    assert residual is not None
    assert residual.found_parameters == 36
    assert set(proxy.through) == {"hub.test", "localhost"}
    assert len(proxy.through) == len(hub.asked)


def test_a_proxy_that_refuses_is_said_and_its_password_is_not(
    hub: Hub, proxy: type[Proxy], capsys: pytest.CaptureFixture[str]
) -> None:
    proxy.refuses = True
    assert main(["check", "some/model"]) == 3
    said = capsys.readouterr().err
    assert said.endswith(
        "the proxy lets nothing through without its user and password (407). Put them into HTTPS_PROXY.\n"
    )
    assert SECRET not in said
    assert SIGNATURE not in said
    assert hub.asked == []


def test_a_proxy_that_is_not_there_is_said_and_its_password_is_not(
    proxy: type[Proxy], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from huggingface_hub import close_session

    monkeypatch.setenv("HTTP_PROXY", f"http://user:{SECRET}@127.0.0.1:9")
    close_session()
    assert main(["check", "some/model"]) == 3
    said = capsys.readouterr().err
    assert "the Hub cannot be reached (" in said
    assert SECRET not in said
