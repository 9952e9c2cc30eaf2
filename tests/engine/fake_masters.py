"""Masters on loopback for tests: a scripted UDP master, and web servers."""

import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from browser_app.engine.masters.target_sink import MasterPollContext, TargetSink
from browser_app.protocols.address import Address

if TYPE_CHECKING:
    from browser_app.catalogue.server_info import QueryTarget

Script = Callable[[int, bytes], Sequence[bytes]]
"""Maps the number of a request (1 = first) and its bytes to the packets of the reply."""


def fake_lookups(monkeypatch: pytest.MonkeyPatch, answers: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Answer lookups of names from `answers` in turn; return the names.

    The last answer is repeated.
    """
    looked_up: list[str] = []
    real = socket.getaddrinfo

    def look_up(host: str, port: int | None, *arguments: Any, **options: Any) -> list[Any]:
        if options.get("flags", 0) & socket.AI_NUMERICHOST:
            return real(host, port, *arguments, **options)
        if host not in answers:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        addresses = answers[host][min(looked_up.count(host), len(answers[host]) - 1)]
        looked_up.append(host)
        return [(socket.AF_INET6 if ":" in each else socket.AF_INET, 0, 0, "", (each, 0)) for each in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return looked_up


@dataclass
class UdpMaster:
    """A master that answers requests by its script."""

    port: int
    requests: list[bytes] = field(default_factory=list)


@contextmanager
def udp_master(script: Script, host: str = "127.0.0.1", reply_host: str | None = None) -> Iterator[UdpMaster]:
    """Run a UDP master; `reply_host` makes it answer from another address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as sock, socket.socket(family, socket.SOCK_DGRAM) as other:
        sock.bind((host, 0))
        sock.settimeout(0.02)
        if reply_host:
            other.bind((reply_host, 0))
        master = UdpMaster(sock.getsockname()[1])
        ended = threading.Event()

        def serve() -> None:
            while True:
                try:
                    data, peer = sock.recvfrom(4096)
                except TimeoutError:
                    if ended.is_set():  # and everything received by then has been read
                        return
                    continue
                master.requests.append(data)
                for packet in script(len(master.requests), data):
                    (other if reply_host else sock).sendto(packet, peer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield master
        finally:
            ended.set()
            thread.join()


class CollectingSink:
    """A target sink that keeps all batches."""

    def __init__(self) -> None:
        self.batches: list[list[QueryTarget]] = []
        self.context = MasterPollContext()
        self.cancel_token = self.context.cancel_token
        self.sink = TargetSink(lambda batch: self.batches.append(list(batch)), self.context)

    @property
    def addresses(self) -> list[Address]:
        return [target.address for batch in self.batches for target in batch]


@dataclass(frozen=True)
class Page:
    """Response of a web server at one path."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    """Send nothing before this is set."""
    drip: threading.Event | None = None
    """After the headers send single bytes, forever or until this is set."""
    length: int | None = None
    """Announced instead of the body's length."""


@dataclass
class Web:
    """A running web server."""

    port: int
    paths: list[str] = field(default_factory=list)
    """Requested paths with their queries."""
    agents: list[str] = field(default_factory=list)
    accepts: list[str] = field(default_factory=list)
    peers: list[str] = field(default_factory=list)
    """Addresses of this machine that the requests were sent to."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = False  # joined on close

    def server_bind(self) -> None:
        """Bind without looking up this machine's name."""
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, *_: object) -> None:
        """Ignore clients that distrust a certificate or disconnect."""


@contextmanager
def web_server(pages: Mapping[str, Page], host: str = "127.0.0.1", tls: tuple[str, str] | None = None) -> Iterator[Web]:
    """Serve `pages` by path; `tls` is certificate and key."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.paths.append(self.path)
            web.peers.append(self.request.getsockname()[0])
            web.agents.append(self.headers.get("User-Agent", ""))
            web.accepts.append(self.headers.get("Accept", ""))
            page = pages.get(self.path.partition("?")[0], Page(status=404))
            if page.wait is not None:
                page.wait.wait()
            try:
                self._answer(page)
            except OSError:  # the client has disconnected
                return

        def _answer(self, page: Page) -> None:
            self.send_response(page.status)
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(page.body) if page.length is None else page.length))
            self.end_headers()
            while page.drip is not None and not page.drip.wait(0.02):
                self.wfile.write(b" ")
            self.wfile.write(page.body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = _QuietServer((host, 0), Handler)
    if tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    web = Web(server.server_address[1])
    thread = threading.Thread(target=lambda: server.serve_forever(0.01))
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
