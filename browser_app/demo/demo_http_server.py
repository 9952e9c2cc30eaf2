"""Minimal HTTP/1.1 server inside the demo event loop."""

import contextlib
import socket
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from browser_app.demo.demo_event_loop import DemoEventLoop

_MAX_REQUEST_BYTES = 8192
_CLIENT_TIMEOUT_NS = 30_000_000_000
_MAX_CONNECTIONS = 32


class HttpResponse(NamedTuple):
    """A handler's response; with `None` instead, the client gets no answer."""

    status: HTTPStatus
    body: bytes
    delay_s: float = 0.0
    sent_share: float = 1.0
    """Below 1, the connection breaks after this share of the body."""
    location: str = ""
    """Target of a redirect."""


HttpHandler = Callable[[str, dict[str, str]], HttpResponse | None]
"""Maps a path and its query to a response."""


class DemoHttpServer:
    """Serves `handler` on a free port of 127.0.0.1."""

    def __init__(self, loop: DemoEventLoop, handler: HttpHandler) -> None:
        self._loop = loop
        self._handler = handler
        self._connections: set[_Connection] = set()
        self._listening_socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._listening_socket.setblocking(False)
        self.port: int = self._listening_socket.getsockname()[1]
        loop.watch(self._listening_socket, self._accept)

    def close(self) -> None:
        """Close all sockets; the loop must have ended."""
        for connection in list(self._connections):
            connection.sock.close()
        self._listening_socket.close()

    def _accept(self) -> None:
        try:
            sock, _ = self._listening_socket.accept()
        except OSError:  # the client has disconnected
            return
        if len(self._connections) >= _MAX_CONNECTIONS:
            sock.close()
            return
        sock.setblocking(False)
        self._connections.add(_Connection(sock, self._loop, self._handler, self._connections.discard))


class _Connection:
    """One client: reads a request, waits, writes the response, closes."""

    def __init__(
        self, sock: socket.socket, loop: DemoEventLoop, handler: HttpHandler, on_closed: Callable[["_Connection"], None]
    ) -> None:
        self.sock = sock
        self._loop = loop
        self._handler = handler
        self._on_closed = on_closed
        self._received = b""
        self._to_send = memoryview(b"")
        loop.watch(sock, self._on_readable)
        loop.call_at(time.time_ns() + _CLIENT_TIMEOUT_NS, self._close)

    def _on_readable(self) -> None:
        try:
            data = self.sock.recv(_MAX_REQUEST_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        already_asked = b"\r\n\r\n" in self._received
        self._received += data
        if not data or already_asked or len(self._received) > _MAX_REQUEST_BYTES:
            self._close()
        elif b"\r\n\r\n" in self._received:
            self._respond()

    def _respond(self) -> None:
        method, _, rest = self._received.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        if method != "GET":
            self._send(HttpResponse(HTTPStatus.METHOD_NOT_ALLOWED, b""))
            return
        try:
            url = urlsplit(rest.partition(" ")[0])
            response = self._handler(url.path, dict(parse_qsl(url.query)))
        except ValueError:  # no URL, or a number of thousands of digits
            response = HttpResponse(HTTPStatus.BAD_REQUEST, b"")
        if response is not None:
            self._loop.call_at(time.time_ns() + round(response.delay_s * 1e9), self._send, response)

    def _send(self, response: HttpResponse) -> None:
        if self.sock.fileno() < 0:
            return
        location = f"Location: {response.location}\r\n" if response.location else ""
        head = (
            f"HTTP/1.1 {response.status.value} {response.status.phrase}\r\nContent-Type: application/json\r\n{location}"
            f"Content-Length: {len(response.body)}\r\nConnection: close\r\n\r\n"
        )
        body = response.body[: round(len(response.body) * response.sent_share)]
        self._to_send = memoryview(head.encode("ascii") + body)
        self._loop.watch_writable(self.sock, self._on_writable)

    def _on_writable(self) -> None:
        try:
            self._to_send = self._to_send[self.sock.send(self._to_send) :]
        except BlockingIOError:
            return
        except OSError:
            self._close()
            return
        if not self._to_send:
            self._close()

    def _close(self) -> None:
        if self.sock.fileno() >= 0:
            self._loop.unwatch(self.sock)
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_WR)
            self.sock.close()
            self._on_closed(self)
