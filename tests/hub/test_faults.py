"""Every way in which the Hub, or what answers in its place, fails: the error's words, and what is never shown."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from email.utils import formatdate

import pytest

import paramwidget as pw
from paramwidget.errors import AccessDenied, BadCheckpoint, Incomplete, NotFound, SourceError, Unreachable
from paramwidget.sources.hub import asking, patience, read_inventory, signatures
from paramwidget.sources.hub import errors as hub_errors

from . import SHA, SIGNATURE, Fault, File, Hub, safetensors, serve, sharded
from .headers import Tensor
from .repos import Repo

REPO = "some/model"
TOKEN = "hf_" + "secret" * 5
ONE: list[Tensor] = [("a.weight", "BF16", (1000, 1000))]
MANY: list[Tensor] = [(f"layers.{i}.weight", "U8", (100,)) for i in range(600)]  # a header of 40 kB
FILE = "model.safetensors"


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_WAIT", 0.01)


def failing(hub: Hub, *faults: Fault, tensors: list[Tensor] = ONE) -> Repo:
    files = {"config.json": "{}", FILE: safetensors(tensors)}
    return hub.add(REPO, files, total={"BF16": 1_000_000}, faults=list(faults))


def error(kind: type[SourceError], **how: str) -> str:
    with pytest.raises(kind) as caught:
        read_inventory(REPO, token=TOKEN, **how)  # type: ignore[arg-type]
    assert type(caught.value) is kind
    said = str(caught.value)
    assert caught.value.__cause__ is None
    for secret in (TOKEN, "X-Amz", SIGNATURE, "http://", "localhost", "127.0.0.1"):
        assert secret not in said
    return said


# ------------------------------------------------------------------ what passes: it is read all the same


@pytest.mark.parametrize("where", ["api", "file", "cdn"])
@pytest.mark.parametrize("status", [500, 502, 503, 504, 408, 429])
def test_a_failure_that_passes_is_not_noticed(hub: Hub, where: str, status: int) -> None:
    failing(hub, Fault(status=status, where=where, times=2))
    assert read_inventory(REPO).elements == 1_000_000


@pytest.mark.parametrize("how", ["truncated", "reset"])
def test_an_answer_that_breaks_off_goes_on_where_it_broke(hub: Hub, how: str) -> None:
    repo = failing(hub, Fault(how=how, where="cdn", times=2, after=9_000), tensors=MANY)
    assert len(read_inventory(REPO).tensors) == 600
    assert repo.faults[0].times == 0
    begins = [int(a.range.removeprefix("bytes=").split("-")[0]) for a in hub.asked_about(REPO, "cdn")]
    assert begins == [0, 9_000, 18_000]


def test_a_connection_that_is_closed_without_an_answer_is_tried_again(hub: Hub) -> None:
    failing(hub, Fault(how="close", where="cdn", times=1), Fault(how="close", where="api", times=1))
    assert read_inventory(REPO).elements == 1_000_000


def test_a_signed_address_that_has_expired_is_asked_for_anew(hub: Hub) -> None:
    failing(hub, Fault(status=403, where="cdn", times=1))
    assert read_inventory(REPO).elements == 1_000_000
    assert [a.host for a in hub.asked_about(REPO)] == ["hub", "hub", "cdn", "hub", "cdn"]


@pytest.mark.parametrize("after", ["1", "date", "limit"])
def test_the_hub_is_not_asked_before_it_says(hub: Hub, after: str) -> None:
    headers = {
        "1": {"Retry-After": "1"},
        "date": {"Retry-After": formatdate(time.time() + 2, usegmt=True)},
        "limit": {"RateLimit": '"resolvers";r=0;t=1'},
    }[after]
    failing(hub, Fault(status=429, where="file", times=1, headers=headers))
    start = time.monotonic()
    assert read_inventory(REPO).elements == 1_000_000
    assert time.monotonic() - start > 0.9


def test_who_is_told_to_wait_waits_for_all(hub: Hub) -> None:
    files = sharded([[(f"{i}.weight", "U8", (2,))] for i in range(40)])
    hub.add(REPO, files, faults=[Fault(status=429, where="file", times=1, headers={"Retry-After": "1"})])
    assert len(read_inventory(REPO).tensors) == 40
    assert sum(a.status == 429 for a in hub.asked) == 1


# ------------------------------------------------------------------ what does not pass


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        (
            Fault(status=500, where="api"),
            Unreachable,
            "some/model: the Hub answered with status 500. Try again later.",
        ),
        (
            Fault(status=503, where="file"),
            Unreachable,
            "some/model: the Hub answered with status 503 about model.safetensors. Try again later.",
        ),
        (
            Fault(status=429, where="api"),
            Unreachable,
            "some/model: the Hub was asked too often (429). Try again later",
        ),
        (
            Fault(status=401, where="file"),
            AccessDenied,
            "some/model: the Hub refuses model.safetensors (401). Log in",
        ),
        (
            Fault(status=403, where="file"),
            AccessDenied,
            "some/model: the Hub refuses model.safetensors (403). Log in",
        ),
        (Fault(status=403, where="api"), AccessDenied, "some/model: the Hub refuses access (403). Log in"),
        (
            Fault(status=403, where="cdn"),
            Unreachable,
            "some/model: the storage of the Hub refuses model.safetensors (403). Try again later. Incomplete.",
        ),
        (
            Fault(status=404, code="EntryNotFound", where="file"),
            Incomplete,
            "some/model has no model.safetensors. Nothing was read from another revision. Incomplete.",
        ),
        (
            Fault(status=404, code="RevisionNotFound", where="file"),
            NotFound,
            "some/model: the repository has no such revision. So there is no model.safetensors to read; nothing was "
            "read from another one. Check the branch, tag or commit. Incomplete.",
        ),
        (
            Fault(status=404, code="RepoNotFound", where="file"),
            NotFound,
            "some/model: the Hub knows no such repository, or it is private. Check the spelling, or pass token=.",
        ),
        (
            Fault(status=404, where="file"),
            NotFound,
            "some/model: the Hub finds no model.safetensors (404). Nothing was read from another revision. Incomplete.",
        ),
        (
            Fault(how="truncated", where="cdn", after=0),
            Unreachable,
            "some/model: model.safetensors cannot be read (RemoteProtocolError). Try again later. Incomplete.",
        ),
        (
            Fault(how="reset", where="cdn", after=0),
            Unreachable,
            "some/model: model.safetensors cannot be read (ReadError). Try again later. Incomplete.",
        ),
        (
            Fault(how="close", where="api"),
            Unreachable,
            "some/model: the Hub cannot be reached (RemoteProtocolError), and it is not bundled.",
        ),
        (
            Fault(status=200, body="<html>Log in</html>", where="api"),
            Unreachable,
            "some/model: the answer is not the Hub's (no JSON object). Check HF_ENDPOINT and the proxy.",
        ),
        (
            Fault(status=200, body="[1]", where="api"),
            Unreachable,
            "some/model: the answer is not the Hub's (no JSON object).",
        ),
        (
            Fault(
                status=200,
                body="<html>Log in</html>",
                headers={"Content-Type": "text/html; charset=x"},
                where="file",
            ),
            Unreachable,
            "some/model: the answer is not the Hub's (model.safetensors is a web page).",
        ),
        (
            Fault(status=200, body='{"id": "some/model", "sha": "main"}', where="api"),
            Incomplete,
            "The Hub named no commit for some/model but 'main', so nothing would be pinned. Incomplete.",
        ),
        (
            Fault(how="other-range", where="cdn"),
            Unreachable,
            "some/model: the answer is not the Hub's (another part of model.safetensors than was asked for).",
        ),
        (
            Fault(how="wrong-total", where="cdn"),
            BadCheckpoint,
            "some/model @ 0123456789ab, model.safetensors has 2,000,121 bytes where it is stored and 2,000,120 in",
        ),
        (
            Fault(status=416, where="cdn"),
            BadCheckpoint,
            "some/model @ 0123456789ab, model.safetensors ends before the 2,000,120 bytes that the Hub lists.",
        ),
        (
            Fault(status=302, headers={"Location": "ftp://elsewhere/x"}, where="file"),
            Unreachable,
            "some/model: the answer is not the Hub's (model.safetensors is redirected to where no TLS is).",
        ),
        (
            Fault(status=302, headers={"Location": f"/{REPO}/resolve/{SHA}/{FILE}"}, where="file"),
            Unreachable,
            "some/model: the answer is not the Hub's (model.safetensors is redirected 5 times).",
        ),
        (
            Fault(status=302, headers={"Location": "https://[half"}, where="file"),
            Unreachable,
            "some/model: the answer is not the Hub's (",
        ),
        (Fault(status=302, where="file"), Unreachable, "some/model: the Hub answered with status 302 about"),
    ],
)
def test_what_does_not_pass_is_said_as_what_it_is(
    hub: Hub, fault: Fault, kind: type[SourceError], said: str
) -> None:
    failing(hub, fault)
    assert error(kind).startswith(said)


def test_what_will_not_pass_is_asked_for_once(hub: Hub) -> None:
    failing(hub, Fault(status=403, where="file"))
    error(AccessDenied)
    assert [a.status for a in hub.asked_about(REPO)] == [200, 403]


def test_what_might_pass_is_asked_for_a_few_times(hub: Hub) -> None:
    failing(hub, Fault(status=500, where="file"))
    error(Unreachable)
    assert [a.status for a in hub.asked_about(REPO)] == [200, 500, 500, 500, 500, 500]


def test_to_be_told_to_wait_an_hour_is_to_be_told_no(hub: Hub) -> None:
    failing(hub, Fault(status=429, where="file", headers={"Retry-After": "3600"}))
    start = time.monotonic()
    assert error(Unreachable).startswith("some/model: the Hub was asked too often (429).")
    assert time.monotonic() - start < 60  # not the hour


def test_an_error_names_the_revision_that_was_asked_for(hub: Hub) -> None:
    failing(hub, Fault(status=503, where="file"))
    assert error(Unreachable, revision="main").startswith(
        "some/model at revision 'main': the Hub answered with"
    )


@pytest.mark.parametrize(
    ("token", "said"),
    [
        (None, r"some/model is gated\. Accept its terms on its page, then log in"),
        ("hf_other", r"some/model is gated, and the account of this token has no access\. Accept its terms"),
    ],
)
def test_a_gated_repository_says_what_to_do(hub: Hub, token: str | None, said: str) -> None:
    failing(hub)
    hub.repos[REPO].gated, hub.repos[REPO].tokens = True, (TOKEN,)
    with pytest.raises(AccessDenied, match=said):
        read_inventory(REPO, token=token)
    assert read_inventory(REPO, token=TOKEN).elements == 1_000_000


def test_a_saved_token_that_is_not_there_is_access_denied(hub: Hub) -> None:
    failing(hub)
    with pytest.raises(AccessDenied, match="token=True asks for the saved token, and there is none"):
        read_inventory(REPO, token=True)


def test_a_file_that_is_another_is_a_bad_checkpoint_with_its_name(hub: Hub) -> None:
    hub.add(REPO, {FILE: b"version https://git-lfs.github.com/spec/v1\n" + b"x" * 100})
    assert error(BadCheckpoint).startswith(
        "some/model @ 0123456789ab, model.safetensors is a Git LFS pointer of 143"
    )
    hub.add(REPO, {FILE: File(b"\xff" * 100, 1 << 40)})
    assert error(BadCheckpoint).startswith(
        "some/model @ 0123456789ab, model.safetensors announces a header of 18,446,"
    )
    hub.add(REPO, {FILE: b""})
    assert error(BadCheckpoint).startswith(
        "some/model @ 0123456789ab, model.safetensors is no safetensors file: it has 0"
    )


def test_a_hub_that_is_not_there_cannot_be_reached(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    with serve() as gone:
        address = gone.address
    monkeypatch.setattr(constants, "ENDPOINT", address)
    assert error(Unreachable).startswith(
        "some/model: the Hub cannot be reached (ConnectError), and it is not bundled."
    )


# ------------------------------------------------------------------ what never ends


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[float]:
    """Seconds within which everything has to be given up."""
    monkeypatch.setattr(asking, "SILENCE", 0.5)
    monkeypatch.setattr(asking, "ANSWER", 0.5)
    monkeypatch.setattr(asking, "SLOWEST", 1 << 20)
    monkeypatch.setattr(patience, "DEADLINE", 2)
    monkeypatch.setattr(patience, "DEADLINE_OF_FILE", 0)
    start = time.monotonic()
    yield start
    assert time.monotonic() - start < 60  # it would drip for ever


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("drip", "some/model: model.safetensors comes in drips and was given up after"),
        (
            "slow",
            "some/model: the headers were not there after 2 seconds, and waiting was given up. Try again later.",
        ),
        ("drip-head", "some/model: the headers were not there after 2 seconds, and waiting was given up."),
    ],
)
def test_a_server_that_never_ends_its_answer_is_given_up(hub: Hub, how: str, said: str) -> None:
    failing(hub, Fault(how=how, where="cdn"))
    assert error(Unreachable).startswith(said)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", [Fault(how="drip-head", where="file"), Fault(how="drip", where="file")])
def test_a_config_that_never_ends_is_given_up(
    hub: Hub, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_errors, "DEADLINE", 1)
    hub.add(REPO, {"config.json": " " * 2000}, faults=[fault])
    with pytest.raises(Unreachable) as caught:
        pw.count(REPO)
    assert str(caught.value).startswith(
        "some/model: the Hub cannot be reached (its answer did not end within 1 seconds), and it is not bundled."
    )


def test_an_answer_of_the_api_without_end_is_given_up(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    from paramwidget.sources.hub import inventory

    monkeypatch.setattr(inventory, "MAX_ANSWER_BYTES", 100)
    failing(hub)
    assert error(Unreachable).startswith(
        "some/model: the Hub's answer has more than 100 bytes. Try again later."
    )


def test_one_shard_that_fails_ends_the_reading_of_all(hub: Hub) -> None:
    files = sharded([[(f"{i}.weight", "U8", (2,))] for i in range(400)])
    hub.add(REPO, files, faults=[Fault(status=403, where="file", path="model-00003-of-00400.safetensors")])
    assert error(AccessDenied).startswith(
        "some/model: the Hub refuses model-00003-of-00400.safetensors (403)."
    )
    assert len(hub.asked_about(REPO)) < 200


# ------------------------------------------------------------------ what is never shown


def test_the_token_stays_with_the_hub(hub: Hub) -> None:
    failing(hub)
    read_inventory(REPO, token=TOKEN)
    assert [(a.host, a.authorized) for a in hub.asked_about(REPO)] == [
        ("hub", True),
        ("hub", True),
        ("cdn", False),
    ]


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
def test_no_signed_address_token_or_cookie_is_logged(
    hub: Hub, caplog: pytest.LogCaptureFixture, level: int
) -> None:
    failing(hub, Fault(status=500, where="file", times=1, headers={"Set-Cookie": "session=c00kie; Path=/"}))
    with caplog.at_level(level):
        read_inventory(REPO, token=TOKEN)
    assert "model.safetensors?..." in caplog.text  # it was logged, and cleaned
    for secret in (TOKEN, SIGNATURE, "X-Amz", "c00kie"):
        assert secret not in caplog.text


def test_the_files_of_a_hub_show_no_secret_when_they_are_printed(hub: Hub) -> None:
    from paramwidget.sources.hub.inventory import files_of

    failing(hub)
    files, _ = files_of(REPO, token=TOKEN)
    files.read(FILE, 0, 8)
    assert TOKEN not in f"{files!r}{files.asking!r}{read_inventory(REPO, token=TOKEN)!r}"
    assert SIGNATURE not in f"{files!r}{files.asking!r}"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("GET https://cdn/x/a.b?Sig=1&b=2 done", "GET https://cdn/x/a.b?... done"),
        (
            "(b'Location', b'https://cdn/x?Sig=1'), (b'A', b'b')",
            "(b'Location', b'https://cdn/x?...'), (b'A', b'b')",
        ),
        ("(b'Set-Cookie', b'a=b; c'), (b'Date', b'x')", "(b'Set-Cookie', b'...'), (b'Date', b'x')"),
        ("is it? yes", "is it? yes"),
    ],
)
def test_what_is_secret_is_taken_out_of_a_text(text: str, clean: str) -> None:
    assert signatures.unsigned(text) == clean


def test_the_local_hub_notices_what_a_client_may_not_do() -> None:
    import urllib.request

    hub = Hub()
    hub.add(REPO, {"config.json": "{}"})
    with serve(hub):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        opener.open(f"{hub.address}/{REPO}/resolve/main/config.json").read()
        asked = urllib.request.Request(
            f"{hub.cdn_address}/{REPO}/{SHA}/x", headers={"Authorization": "Bearer x"}
        )
        with pytest.raises(urllib.error.HTTPError):
            opener.open(asked)
    assert hub.wrongs == [
        f"/{REPO}/resolve/main/config.json does not name a commit",
        f"/{REPO}/{SHA}/x on the other host was asked with a token",
    ]
    assert os.environ.get("HF_TOKEN") is None
