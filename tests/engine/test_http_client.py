import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from fake_masters import Page, web_server

from browser_app import __version__
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network import http_client
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.http_client import HttpDocument, HttpStatusError, fetch_document
from browser_app.engine.network.request_errors import RequestError

KEY = {"key": "S3CR3T"}


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return a self-signed certificate for 127.0.0.1 and localhost, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
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
        (Page(b"{}", headers={"Content-Encoding": "gzip"}), "compressed", "compressed"),
        (Page(b"{}", length=100), "connection lost", "connection lost"),
        (Page(status=302), "away from HTTPS", "away from HTTPS"),
        (Page(status=302, headers={"Location": "http://127.0.0.1/"}), "away from HTTPS", "away from HTTPS"),
        (Page(status=302, headers={"Location": "ftp://127.0.0.1/"}), "away from HTTPS", "away from HTTPS"),
        (Page(status=302, headers={"Location": "https://[/"}), "invalid response", "invalid response"),
        (Page(status=302, headers={"Location": "https://127.0.0.1:99999/"}), "invalid port", "invalid port"),
        (
            Page(status=307, headers={"Location": "https://no-such.invalid/"}),
            "another host",
            "unknown host no-such.inv",
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


def test_redirect_into_private_network(monkeypatch: pytest.MonkeyPatch) -> None:
    reaches = iter([NetworkScope.INTERNET, NetworkScope.LOCAL_NETWORK])
    monkeypatch.setattr(http_client, "network_scope", lambda _: next(reaches))
    pages = {"/": Page(status=302, headers={"Location": "https://127.0.0.1/"})}
    with web_server(pages) as web, pytest.raises(RequestError, match="into a private network"):
        fetch_document(f"http://127.0.0.1:{web.port}/", CancelToken())
