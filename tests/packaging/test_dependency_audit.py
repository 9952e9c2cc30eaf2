"""The query for known vulnerabilities, against a fake osv.dev on loopback."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from devtools import dependency_audit
from devtools.dependency_audit import DependencyAudit, read_details
from timeouts import LIMIT_S

PINS = "bad==1.0 \\\n    --hash=sha256:00\ngood==2.1 ; sys_platform == 'linux' \\\n    --hash=sha256:00\n"
ENTRY: dict[str, Any] = {
    "id": "GHSA-1",
    "aliases": ["CVE-2026-1"],
    "summary": "Reads what it should not.",
    "affected": [
        {"ranges": [{"type": "GIT", "repo": "https://example.org/bad", "events": [{"introduced": "0"}]}]},
        {
            "package": {"name": "Bad", "ecosystem": "PyPI"},
            "ranges": [
                {"type": "GIT", "events": [{"introduced": "0"}, {"fixed": "abcdef"}]},
                {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.0.3"}]},
            ],
        },
    ],
}
PYSEC = {"id": "PYSEC-1", "aliases": ["CVE-2026-1", "GHSA-1"]}
UNNAMED = {"id": "PYSEC-2", "details": "Writes, too.\n\nAt length."}
WITHDRAWN = {"id": "GHSA-9", "withdrawn": "2026-01-01T00:00:00Z"}


@contextmanager
def fake_osv(entries: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Serve vulnerabilities of the package `bad`.

    An entry may be bytes to send, an HTTP status, or an event to wait for.

    Yields the URL, and the bodies and paths of requests.
    """
    requests: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            requests.append(queries)
            ids = [{"id": number, "modified": "2026-01-01T00:00:00Z"} for number in entries]
            pages = [
                {"next_page_token": "2"} if "page_token" not in each else {"vulns": ids}
                for each in queries
                if each["package"]["name"] == "bad"
            ]
            self._reply({"results": [*pages, *([{}] * (len(queries) - len(pages)))]})

        def do_GET(self) -> None:
            requests.append(self.path)
            self._reply(entries[self.path.rpartition("/")[2]])

        def _reply(self, content: object) -> None:
            if isinstance(content, threading.Event):
                content.wait(LIMIT_S)
            status = content if isinstance(content, int) else 200
            body = content if isinstance(content, bytes) else json.dumps(content, default=str).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(0.01))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", requests
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    path = tmp_path / "requirements.txt"
    path.write_text(PINS, encoding="utf-8")
    return path


def run_audit(pins: Path, url: str, timeout_s: float = LIMIT_S) -> bool:
    return DependencyAudit([pins], url, pins.with_name("build") / "last.json", timeout_s).report()


def test_vulnerable_pin_fails(pins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_osv({"GHSA-1": ENTRY, "PYSEC-1": PYSEC, "GHSA-9": WITHDRAWN}) as (url, requests):
        assert not run_audit(pins, url)
        assert requests[0] == [
            {"package": {"name": "bad", "ecosystem": "PyPI"}, "version": "1.0"},
            {"package": {"name": "good", "ecosystem": "PyPI"}, "version": "2.1"},
        ]
        assert requests[1] == [{**requests[0][0], "page_token": "2"}]
        assert requests[2:] == ["/v1/vulns/GHSA-1", "/v1/vulns/PYSEC-1", "/v1/vulns/GHSA-9"]
        output = capsys.readouterr().err
        assert output.splitlines()[1:-1] == [
            "  bad 1.0: GHSA-1 (CVE-2026-1), fixed in 1.0.3: Reads what it should not."
        ]
        assert not run_audit(pins, url)
        assert len(requests) == 5  # the result is cached for a day
    assert not run_audit(pins, "http://127.0.0.1:9")
    monkeypatch.setattr(dependency_audit, "CACHE_MAX_AGE_S", 0.0)
    assert not run_audit(pins, "http://127.0.0.1:9")  # and longer without a network
    monkeypatch.setattr(dependency_audit, "ACCEPTED_VULNERABILITIES", {"CVE-2026-1": "for this test"})
    assert run_audit(pins, "http://127.0.0.1:9")
    pins.write_text(PINS.replace("1.0", "1.0.3"), encoding="utf-8")
    assert run_audit(pins, "http://127.0.0.1:9")  # other pins: nothing is known of them
    assert "not checked" in capsys.readouterr().err


def test_missing_summary_is_replaced(pins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with fake_osv({"PYSEC-2": UNNAMED}) as (url, _):
        assert not run_audit(pins, url)
    assert "  bad 1.0: PYSEC-2, no fixed version yet: Writes, too.\n" in capsys.readouterr().err


@pytest.mark.parametrize(("pinned", "named"), [("jaraco-context", "jaraco.context"), ("pyyaml", "PyYAML")])
def test_fixed_version_is_found_by_any_spelling(pinned: str, named: str) -> None:
    """As in GHSA-58pv-8j8x-9vj2, whose package is pinned."""
    entry = {**ENTRY, "affected": [{**ENTRY["affected"][1], "package": {"name": named, "ecosystem": "PyPI"}}]}
    with fake_osv({"GHSA-1": entry}) as (url, _):
        (vulnerability,) = read_details([(pinned, "1.0", "GHSA-1")], url)
    assert vulnerability.fixed_versions == ["1.0.3"]


@pytest.mark.parametrize("reply", [503, 404, b"<html>", b"[]", {"summary": "no ID"}, {"id": "GHSA-1", "affected": 7}])
def test_vulnerability_without_details_fails(
    reply: object, pins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_osv({"GHSA-1": reply, "PYSEC-2": UNNAMED}) as (url, requests):
        assert not run_audit(pins, url)
        assert "  bad 1.0: GHSA-1, whose details could not be read\n" in capsys.readouterr().err
        seen = len(requests)
        assert not run_audit(pins, url)
        assert len(requests) == 2 * seen  # such a result is not cached
        monkeypatch.setattr(dependency_audit, "ACCEPTED_VULNERABILITIES", {"GHSA-1": "a test", "PYSEC-2": "a test"})
        assert run_audit(pins, url)


def test_late_details_do_not_hide_vulnerability(pins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    released = threading.Event()
    with fake_osv({"GHSA-1": released}) as (url, requests):
        audit = DependencyAudit([pins], url, pins.with_name("none"), LIMIT_S)
        while len(requests) < 3:  # two pages, then the entry
            time.sleep(0.01)
        audit._deadline_s = time.monotonic()
        assert not audit.report()
        assert "  bad 1.0: GHSA-1, whose details could not be read\n" in capsys.readouterr().err
        released.set()
        audit._thread.join()


def test_safe_pins_pass_silently(pins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with fake_osv({"GHSA-9": WITHDRAWN}) as (url, _):
        assert run_audit(pins, url)
    assert capsys.readouterr().err == ""


def test_no_reply_is_no_failure(pins: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    released = threading.Event()

    class UnresponsiveHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            released.wait(LIMIT_S)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), UnresponsiveHandler) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(0.01))
        thread.start()
        audit = DependencyAudit([pins], f"http://127.0.0.1:{server.server_address[1]}", tmp_path / "none", 0.1)
        assert audit.report()
        assert "within 0.1 s" in capsys.readouterr().err
        released.set()
        audit._thread.join()
        server.shutdown()
        thread.join()
    assert run_audit(pins, "http://127.0.0.1:9")
    output = capsys.readouterr().err
    assert "cannot be reached" in output
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize("status", [400, 429, 500, 503])
def test_refusal_is_no_failure(status: int, pins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class RefusingHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_error(status)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), RefusingHandler) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(0.01))
        thread.start()
        try:
            assert run_audit(pins, f"http://127.0.0.1:{server.server_address[1]}")
        finally:
            server.shutdown()
            thread.join()
    assert "were not checked" in capsys.readouterr().err


def test_endless_pages_are_no_failure(
    pins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = []

    def request(_url: str, body: bytes) -> object:
        requests.append(body)
        return {"results": [{"next_page_token": "on"}] * len(json.loads(body)["queries"])}

    monkeypatch.setattr(dependency_audit, "_request", request)
    assert run_audit(pins, "https://osv.test")
    assert "pages without end" in capsys.readouterr().err
    assert len(requests) == 5


@pytest.mark.parametrize("reply", [[], {"results": []}, {"results": [1, 2]}, {}, {"results": [{"vulns": [{}]}, {}]}])
def test_unexpected_reply_is_no_failure(
    reply: object, pins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dependency_audit, "_request", lambda *_: reply)
    assert run_audit(pins, "https://osv.test")
    assert "something else than expected" in capsys.readouterr().err
