"""A very small HTTP/1.1 server inside the loop: GET, one request a connection."""

import contextlib
import socket
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from browser_app.demo.loop import Loop

_LARGEST_REQUEST = 8192
_PATIENCE_NS = 30_000_000_000
_MOST_CONNECTIONS = 32


class Response(NamedTuple):
    """What a handler says; `None` in its place leaves the client without an answer."""

    status: HTTPStatus
    body: bytes
    delay_s: float = 0.0
    sent_share: float = 1.0
    """Below 1 the connection breaks after this part of the body."""
    location: str = ""
    """Where a redirect leads."""


Handler = Callable[[str, dict[str, str]], Response | None]
"""From a path and its query to the response."""


class WebServer:
    """Serves `handler` on a free port of 127.0.0.1."""

    def __init__(self, loop: Loop, handler: Handler) -> None:
        self._loop = loop
        self._handler = handler
        self._connections: set[_Connection] = set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        loop.watch(self._listener, self._accept)

    def close(self) -> None:
        """Close everything. The loop must have ended."""
        for connection in list(self._connections):
            connection.sock.close()
        self._listener.close()

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.accept()
        except OSError:  # the client went away before
            return
        if len(self._connections) >= _MOST_CONNECTIONS:
            sock.close()
            return
        sock.setblocking(False)
        self._connections.add(_Connection(sock, self._loop, self._handler, self._connections.discard))


class _Connection:
    """One client: reads a request, waits, writes, closes."""

    def __init__(
        self, sock: socket.socket, loop: Loop, handler: Handler, closed: Callable[["_Connection"], None]
    ) -> None:
        self.sock = sock
        self._loop = loop
        self._handler = handler
        self._closed = closed
        self._received = b""
        self._to_send = memoryview(b"")
        loop.watch(sock, self._readable)
        loop.at(time.time_ns() + _PATIENCE_NS, self._close)

    def _readable(self) -> None:
        try:
            data = self.sock.recv(_LARGEST_REQUEST)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        already_asked = b"\r\n\r\n" in self._received
        self._received += data
        if not data or already_asked or len(self._received) > _LARGEST_REQUEST:
            self._close()
        elif b"\r\n\r\n" in self._received:
            self._respond()

    def _respond(self) -> None:
        method, _, rest = self._received.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        if method != "GET":
            self._send(Response(HTTPStatus.METHOD_NOT_ALLOWED, b""))
            return
        url = urlsplit(rest.partition(" ")[0])
        response = self._handler(url.path, dict(parse_qsl(url.query)))
        if response is not None:
            self._loop.at(time.time_ns() + round(response.delay_s * 1e9), self._send, response)

    def _send(self, response: Response) -> None:
        if self.sock.fileno() < 0:
            return
        location = f"Location: {response.location}\r\n" if response.location else ""
        head = (
            f"HTTP/1.1 {response.status.value} {response.status.phrase}\r\nContent-Type: application/json\r\n{location}"
            f"Content-Length: {len(response.body)}\r\nConnection: close\r\n\r\n"
        )
        body = response.body[: round(len(response.body) * response.sent_share)]
        self._to_send = memoryview(head.encode("ascii") + body)
        self._loop.watch_writable(self.sock, self._writable)

    def _writable(self) -> None:
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
            self._loop.forget(self.sock)
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_WR)
            self.sock.close()
            self._closed(self)
