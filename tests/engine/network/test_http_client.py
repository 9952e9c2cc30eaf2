import gzip
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress

import pytest
import requests
from fake_masters import Page, fake_lookups, web_server
from timeouts import LIMIT_S, wait_until

from browser_app import __version__
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.parsing_turns import ListParsing, ParsingTurns
from browser_app.engine.network import host_resolver, http_client
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.http_client import (
    MAX_DOCUMENT_BYTES,
    HttpDocument,
    HttpStatusError,
    fetch_document,
    read_document,
)
from browser_app.engine.network.http_connection import PinnedAddressAdapter
from browser_app.engine.network.request_errors import RequestError

KEY = {"key": "S3CR3T"}


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return a certificate for 127.0.0.1, localhost and two names, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,DNS:list.example,DNS:away.example,IP:127.0.0.1",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


def test_document() -> None:
    with web_server({"/list": Page(b'{"servers": []}')}) as web:
        document = fetch_document(f"http://127.0.0.1:{web.port}/list?a=1", CancelToken(), secret_params=KEY)
    assert document == HttpDocument(b'{"servers": []}', NetworkScope.THIS_MACHINE)
    assert web.paths == ["/list?a=1&key=S3CR3T"]
    assert web.agents == [f"ready-room/{__version__}"]


def test_compressed_document() -> None:
    body = b'{"servers": []}' * 20_000
    with web_server({"/": Page(gzip.compress(body), headers={"Content-Encoding": "gzip"})}) as web:
        assert fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken()).body == body


@pytest.mark.parametrize("body", [gzip.compress(bytes(8 << 20)), gzip.compress(b"")[:10] + b"\0\0\0\xff\xff" * 300_000])
def test_compressed_document_is_limited(body: bytes) -> None:
    """8 KiB that become 8 MiB, and 1.5 MB that become nothing."""
    sizes: list[int] = []

    def read(parts: Iterator[bytes], _scope: NetworkScope) -> None:
        sizes.extend(len(part) for part in parts)

    page = Page(body, headers={"Content-Encoding": "gzip"})
    with web_server({"/": page}) as web, pytest.raises(RequestError, match="larger than 1 MiB"):
        read_document(f"http://127.0.0.1:{web.port}/", CancelToken(), read, max_bytes=1 << 20)
    assert sum(sizes) <= 1 << 20
    assert max(sizes) <= 64 << 10


def test_proxies_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with web_server({"/": Page(b"{}")}) as web:
        assert fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken()).body == b"{}"


@pytest.mark.parametrize(
    ("page", "keyed", "plain"),
    [
        (Page(status=403), "the key was rejected", r"\(HTTP 40[13]\)"),
        (Page(status=401), "the key was rejected", r"\(HTTP 40[13]\)"),
        (Page(status=429), "too many requests", "too many requests"),
        (Page(status=500), "500", "500"),
        (Page(status=204), "204", "204"),
        (Page(b"\n <!DOCTYPE html><html>"), "a web page", "a web page"),
        (Page(b"{}", headers={"Content-Encoding": "br"}), "unknown compression", "unknown compression"),
        (Page(b"{}", headers={"Content-Encoding": "gzip"}), "invalid answer", "invalid answer"),
        (Page(gzip.compress(b"{}")[:-9], headers={"Content-Encoding": "gzip"}), "connection lost", "connection lost"),
        (Page(gzip.compress(b"<html>"), headers={"Content-Encoding": "gzip"}), "a web page", "a web page"),
        (Page(b"{}", length=100), "connection lost", "connection lost"),
        (Page(status=302), "away from HTTPS", "away from HTTPS"),
        (Page(status=302, headers={"Location": "http://127.0.0.1/"}), "away from HTTPS", "away from HTTPS"),
        (Page(status=302, headers={"Location": "ftp://127.0.0.1/"}), "away from HTTPS", "away from HTTPS"),
        (Page(status=302, headers={"Location": "https://[/"}), "invalid answer", "invalid answer"),
        (Page(status=302, headers={"Location": "https://127.0.0.1:99999/"}), "invalid port", "invalid port"),
        (
            Page(status=307, headers={"Location": "https://no-such.invalid/"}),
            "another host",
            "host name no-such.inv",
        ),
    ],
)
def test_error_text_without_key(page: Page, keyed: str, plain: str) -> None:
    with web_server({"/": page}) as web:
        for secret, reason in ((KEY, keyed), (None, plain)):
            with pytest.raises(RequestError, match=reason) as caught:
                fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken(), secret_params=secret)
            assert "S3CR3T" not in str(caught.value)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_status_error_has_body(status: int) -> None:
    body = b'{"error": "not public"}'.ljust(5000)
    with web_server({"/": Page(body, status)}) as web, pytest.raises(HttpStatusError) as caught:
        fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken(), secret_params=KEY)
    assert (caught.value.status, caught.value.body) == (status, body[:4096])


def test_status_error_with_truncated_body() -> None:
    with (
        web_server({"/": Page(b"{}", 403, length=100)}) as web,
        pytest.raises(HttpStatusError, match="403") as caught,
    ):
        fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken())
    assert caught.value.status == 403


def test_headers_go_to_every_host() -> None:
    pages = {"/a": Page(status=302, headers={"Location": "/b?c=1"}), "/b": Page(b"[]")}
    with web_server(pages) as web:
        document = fetch_document(
            f"http://127.0.0.1:{web.port}/a?x=%2B", CancelToken(), headers={"Accept": "application/json"}
        )
    assert document == HttpDocument(b"[]", NetworkScope.THIS_MACHINE)
    assert web.paths == ["/a?x=%2B", "/b?c=1"]
    assert web.accepts == ["application/json"] * 2


def test_redirect_on_same_server_drops_key() -> None:
    pages = {"/a": Page(status=302, headers={"Location": "/b"}), "/b": Page(b"[]")}
    with web_server(pages) as web:
        fetch_document(f"http://127.0.0.1:{web.port}/a", CancelToken(), secret_params=KEY)
        assert web.paths == ["/a?key=S3CR3T", "/b"]


def test_connection_refused() -> None:
    with pytest.raises(RequestError, match="connection refused"):
        fetch_document("http://127.0.0.1:9/", CancelToken(), secret_params=KEY)


def test_server_that_is_no_web_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"\xff\xff\xff\xffprint\n\n\n")

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(RequestError, match="connection lost") as caught:
            fetch_document(f"http://127.0.0.1:{listener.getsockname()[1]}/", CancelToken(), secret_params=KEY)
        thread.join()
    assert "S3CR3T" not in str(caught.value)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("start", "repeated", "error"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", "connection lost"),
        (b"HTTP/1.1 200 OK\r\n", b"x: " + b"y" * 60_000 + b"\r\n", "connection lost"),
        (CHUNKED, b"0", "connection lost"),
        (CHUNKED, b"1\r\n \r\n", "the answer arrives in parts that are too small"),
        (CHUNKED, b"1;" + b"x" * 60_000 + b"\r\n \r\n", "connection lost"),
        (CHUNKED + b"1\r\n{\r\n0\r\n", b"x: y\r\n", "connection lost"),
    ],
)
def test_endless_response_is_cut_off(start: bytes, repeated: bytes, error: str) -> None:
    block = repeated * (1 + (64 << 10) // len(repeated))
    sent = list[int]()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(4096)
                connection.sendall(start)
                while True:
                    sent.append(connection.send(block))

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(RequestError, match=error):
            fetch_document(f"http://127.0.0.1:{listener.getsockname()[1]}/", CancelToken())
        thread.join(LIMIT_S)
    assert not thread.is_alive()
    assert sum(sent) < 16 << 20  # 0.3 MB are read, the system buffers some more


def test_largest_document_in_small_chunks() -> None:
    count, chunk = MAX_DOCUMENT_BYTES // 500, b"1f4\r\n" + b"x" * 500 + b"\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(4096)
                connection.sendall(CHUNKED + chunk * count + b"0\r\n\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        document = fetch_document(f"http://127.0.0.1:{listener.getsockname()[1]}/", CancelToken())
        thread.join(LIMIT_S)
    assert len(document.body) == count * 500


def test_others_work_while_server_is_silent() -> None:
    turns, released = ParsingTurns(), threading.Event()
    had_turn: list[bool] = []

    def read(chunks: Iterator[bytes], _scope: NetworkScope) -> None:
        had_turn.extend(turns._is_taken for _ in chunks)

    def poll() -> None:
        with ListParsing(turns) as turn:
            read_document(f"http://127.0.0.1:{web.port}/", CancelToken(), read, turn=turn)

    with web_server({"/": Page(b"{}", wait=released)}) as web:
        thread = threading.Thread(target=poll)
        thread.start()
        assert wait_until(lambda: bool(web.paths))
        assert wait_until(lambda: not turns._is_taken)
        released.set()
        thread.join(LIMIT_S)
    assert had_turn == [True]
    assert not turns._is_taken


def test_others_work_while_server_reads_nothing() -> None:
    turns = ParsingTurns()

    def poll() -> None:
        with ListParsing(turns) as turn, requests.Session() as session:
            session.mount("http://", PinnedAddressAdapter(lambda: own, turn))
            with suppress(requests.RequestException):
                session.get(f"http://127.0.0.1/{'a' * 60_000}")

    own, server = socket.socketpair()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    thread = threading.Thread(target=poll)
    with own, server:
        thread.start()
        assert server.recv(1)
        assert wait_until(lambda: not turns._is_taken)
        server.close()
        thread.join(LIMIT_S)
    assert not thread.is_alive()


class CountingTurn:
    """Turn that counts how often it could have ended."""

    def __init__(self) -> None:
        self.checks = 0

    def waiting(self) -> AbstractContextManager[None]:
        return nullcontext()

    def yield_when_due(self) -> None:
        self.checks += 1


def test_lines_are_read_in_turns() -> None:
    turn = CountingTurn()
    with web_server({"/": Page(b"{}", headers={f"x-{number}": "" for number in range(90)})}) as web:
        read_document(f"http://127.0.0.1:{web.port}/", CancelToken(), lambda chunks, _: list(chunks), turn=turn)
    assert turn.checks >= 5


def test_short_lines_count_as_long_ones() -> None:
    own, server = socket.socketpair()
    turn = CountingTurn()

    def flood() -> None:
        with suppress(OSError):
            server.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
            server.sendall(b"a:\r\n" * 100_000)

    thread = threading.Thread(target=flood)
    with own, server, requests.Session() as session:
        thread.start()
        session.mount("http://", PinnedAddressAdapter(lambda: own, turn))
        with pytest.raises(requests.RequestException, match="too many lines"):
            session.get("http://127.0.0.1/")
        own.close()
        thread.join(LIMIT_S)
    assert turn.checks * 16 < 2_500


def test_document_size_limit() -> None:
    with web_server({"/": Page(b" " * (3 << 20))}) as web, pytest.raises(RequestError, match="larger than 1 MiB"):
        fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken(), max_bytes=1 << 20)


@pytest.fixture(params=["silent", "dripping"])
def slow(request: pytest.FixtureRequest) -> Iterator[tuple[Page, threading.Event]]:
    released = threading.Event()
    yield Page(wait=released) if request.param == "silent" else Page(drip=released, length=1 << 20), released
    released.set()


def test_cancel_while_waiting(slow: tuple[Page, threading.Event]) -> None:
    page, released = slow
    cancel_token = CancelToken()
    with web_server({"/": page}) as web:
        threading.Timer(0.2, cancel_token.cancel).start()
        began = time.monotonic()
        with pytest.raises(RequestError):
            fetch_document(f"http://127.0.0.1:{web.port}/", cancel_token)
        assert time.monotonic() - began < http_client.READ_TIMEOUT_S / 2
        released.set()


def test_cancelled_sends_nothing() -> None:
    cancel_token = CancelToken()
    cancel_token.cancel()
    with web_server({"/": Page(b"{}")}) as web, pytest.raises(RequestError):
        fetch_document(f"http://127.0.0.1:{web.port}/", cancel_token)
    assert web.paths == []


def test_key_needs_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "network_scope", lambda _: NetworkScope.INTERNET)
    with web_server({"/": Page(b"{}")}) as web:
        with pytest.raises(RequestError, match="over HTTPS"):
            fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken(), secret_params=KEY)
        assert web.paths == []
        assert fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken()).scope is NetworkScope.INTERNET


def test_certificates_are_verified(tls: tuple[str, str]) -> None:
    with web_server({"/": Page(b"{}")}, tls=tls) as web:
        with pytest.raises(RequestError, match="certificate"):
            fetch_document(f"https://localhost:{web.port}/", CancelToken(), secret_params=KEY)
        assert web.paths == []
        assert fetch_document(f"https://localhost:{web.port}/", CancelToken(), verify=tls[0]).body == b"{}"
        assert fetch_document(f"https://127.0.0.1:{web.port}/", CancelToken(), verify=tls[0]).body == b"{}"


def test_foreign_certificate_fails(tls: tuple[str, str]) -> None:
    with (
        web_server({"/": Page(b"{}")}, host="127.0.0.2", tls=tls) as web,
        pytest.raises(RequestError, match="certificate"),
    ):
        fetch_document(f"https://127.0.0.2:{web.port}/", CancelToken(), verify=tls[0])


def test_cancel_encrypted_connection(tls: tuple[str, str]) -> None:
    cancel_token, released = CancelToken(), threading.Event()
    with web_server({"/": Page(wait=released)}, tls=tls) as web:
        threading.Timer(0.2, cancel_token.cancel).start()
        began = time.monotonic()
        with pytest.raises(RequestError):
            fetch_document(f"https://127.0.0.1:{web.port}/", cancel_token, verify=tls[0])
        assert time.monotonic() - began < http_client.READ_TIMEOUT_S / 2
        released.set()


def test_at_most_three_redirects(tls: tuple[str, str]) -> None:
    pages = {"/end": Page(b"{}")}
    with web_server(pages, tls=tls) as secure:
        for number in range(1, 5):
            next_page = "/end" if number == 1 else f"/{number - 1}"
            location = f"https://127.0.0.1:{secure.port}{next_page}"
            pages[f"/{number}"] = Page(status=301, headers={"Location": location})
        with web_server(pages) as web:
            assert fetch_document(f"http://127.0.0.1:{web.port}/3", CancelToken(), verify=tls[0]).body == b"{}"
            with pytest.raises(RequestError, match="too many redirects"):
                fetch_document(f"http://127.0.0.1:{web.port}/4", CancelToken(), verify=tls[0])


def test_redirect_drops_key(tls: tuple[str, str]) -> None:
    with web_server({"/end": Page(b"{}")}, tls=tls) as secure:
        same = Page(status=302, headers={"Location": f"https://127.0.0.1:{secure.port}/end"})
        other = Page(status=302, headers={"Location": f"https://localhost:{secure.port}/end"})
        with web_server({"/same": same, "/other": other}) as web:
            fetch_document(f"http://127.0.0.1:{web.port}/same", CancelToken(), secret_params=KEY, verify=tls[0])
            assert secure.paths == ["/end"]
            with pytest.raises(RequestError, match="another host"):
                fetch_document(f"http://127.0.0.1:{web.port}/other", CancelToken(), secret_params=KEY, verify=tls[0])
            assert secure.paths == ["/end"]


PUBLIC, PUBLIC_TOO, HOME = "127.0.0.2", "127.0.0.3", "127.0.0.4"


@pytest.fixture
def wide_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let loopback addresses stand for two Internet hosts and a local one."""
    scopes = {PUBLIC: NetworkScope.INTERNET, PUBLIC_TOO: NetworkScope.INTERNET, HOME: NetworkScope.LOCAL_NETWORK}

    def scope(host: str) -> NetworkScope:
        return scopes[host] if host in scopes else network_scope(host)

    for module in (host_resolver, http_client):
        monkeypatch.setattr(module, "network_scope", scope)


def fetch_text(url: str, verify: bool | str = True) -> str:
    """Return the document, or why there is none."""
    try:
        return fetch_document(url, CancelToken(), verify=verify).body.decode()
    except RequestError as error:
        return str(error)


@pytest.mark.usefixtures("wide_world")
def test_only_addresses_of_checked_scope_are_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"/": Page(status=302, headers={"Location": "/inside"}), "/inside": Page(b"{}")}
    with web_server(pages, host="0.0.0.0") as web:  # noqa: S104 - reached by every address of this machine
        url = f"http://list.example:{web.port}/"
        answers = {"list.example": [[PUBLIC], ["127.0.0.1", HOME, PUBLIC], ["127.0.0.1"]]}
        looked_up = fake_lookups(monkeypatch, answers)
        peers = web.peers
        assert fetch_text(url) == "{}"
        assert peers == [PUBLIC, PUBLIC]
        assert looked_up == ["list.example"] * 2  # once a hop: what is judged is what is dialled
        looked_up[:] = ["list.example"]
        assert "private network" in fetch_text(url)
        assert (peers[2:], web.paths[2:]) == ([PUBLIC], ["/"])


@pytest.mark.usefixtures("wide_world")
def test_redirect_to_private_address_is_not_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"/": Page(status=302, headers={"Location": "/inside"}), "/inside": Page(b"{}")}
    fake_lookups(monkeypatch, {"list.example": [[PUBLIC], [HOME]]})
    with web_server(pages, host="0.0.0.0") as web:  # noqa: S104
        assert "private network" in fetch_text(f"http://list.example:{web.port}/")
        assert web.peers == [PUBLIC]


@pytest.mark.usefixtures("wide_world")
def test_redirects_never_come_nearer(monkeypatch: pytest.MonkeyPatch, tls: tuple[str, str]) -> None:
    answers = {
        "list.example": [[PUBLIC]],
        "away.example": [[PUBLIC_TOO]],
        "home.example": [[HOME]],
        "localhost": [["127.0.0.1"]],
    }
    fake_lookups(monkeypatch, answers)
    pages = {"/end": Page(b"{}")}
    with web_server(pages, host="0.0.0.0", tls=tls) as secure:  # noqa: S104
        refused = (
            "127.0.0.1", "localhost", "localhost.", "home.example", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
            "[2002:7f00:1::]", "[64:ff9b::7f00:1]", "[::]", "0x7f.1", "0x7f000001", "0177.0.0.1", "2130706433", "127.1",
            "away.example@127.0.0.1", "user:word@away.example", "b\xfccher.example", "[fe80::1%25lo]", "[fe80::1%lo]",
        )  # fmt: skip
        for number, host in enumerate(refused):
            target = host if ":" in host.rpartition("]")[2] and "@" not in host else f"{host}:{secure.port}"
            pages[f"/{number}"] = Page(status=302, headers={"Location": f"https://{target}/end"})
        pages["/away"] = Page(status=302, headers={"Location": f"https://away.example.:{secure.port}/end"})
        pages["/down"] = Page(status=302, headers={"Location": f"http://list.example:{secure.port}/end"})
        with web_server(pages, host="0.0.0.0") as web:  # noqa: S104
            plain = f"http://list.example:{web.port}"
            pages["/back"] = Page(status=302, headers={"Location": f"{plain}/end"})
            pages["/twice"] = Page(status=302, headers={"Location": f"https://away.example:{secure.port}/back"})
            for number, host in enumerate(refused):
                assert fetch_text(f"{plain}/{number}", verify=tls[0]) != "{}", host
            assert "away from HTTPS" in fetch_text(f"{plain}/twice", verify=tls[0])
            assert "away from HTTPS" in fetch_text(f"https://list.example:{secure.port}/down", verify=tls[0])
            assert secure.paths == ["/back", "/down"]
            assert fetch_text(f"{plain}/away", verify=tls[0]) == "{}"
        assert secure.peers[-1] == PUBLIC_TOO


@pytest.mark.usefixtures("wide_world")
def test_redirect_to_own_public_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_resolver, "network_scope", lambda _: NetworkScope.INTERNET)
    monkeypatch.setattr(http_client, "network_scope", lambda _: NetworkScope.INTERNET)
    fake_lookups(monkeypatch, {"list.example": [[PUBLIC], ["127.0.0.1"]]})
    pages = {"/": Page(status=302, headers={"Location": "/inside"}), "/inside": Page(b"{}")}
    with web_server(pages, host="0.0.0.0") as web:  # noqa: S104
        assert "private network" in fetch_text(f"http://list.example:{web.port}/")
        assert web.paths == ["/"]
        assert fetch_text(f"http://127.0.0.1:{web.port}/inside") == "{}"  # the user's own choice


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1/", "http://a@127.0.0.1/", "http:///list", "http://127.1/", "http://[/"]
)
def test_invalid_urls(url: str) -> None:
    assert fetch_text(url) == "invalid URL"
