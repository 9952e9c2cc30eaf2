"""Minimal HTTP/1.1 server inside the demo event loop."""

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.loopback_sockets import open_listening_socket
from browser_app.demo.sockets.stream_connection import StreamConnection, StreamListener
from browser_app.protocols.address import Address

_MAX_REQUEST_BYTES = 8192
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
    """HTTP server on a free port of 127.0.0.1."""

    def __init__(self, loop: DemoEventLoop, handler: HttpHandler) -> None:
        self._loop = loop
        self._handler = handler
        sock = open_listening_socket(Address("127.0.0.1", 0))
        self.port: int = sock.getsockname()[1]
        self._listener = StreamListener(sock, loop, self._on_received, _MAX_CONNECTIONS)
        loop.watch(sock, self._listener.accept)

    def close(self) -> None:
        """Close all sockets; the loop must have ended."""
        self._listener.close()

    def _on_received(self, connection: StreamConnection, _received_ns: int) -> None:
        head, end, rest = connection.received.partition(b"\r\n\r\n")
        if rest or len(head) > _MAX_REQUEST_BYTES:
            connection.close()
        elif end:
            self._respond(connection, head)

    def _respond(self, connection: StreamConnection, head: bytes) -> None:
        method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        if method != "GET":
            self._send(connection, HttpResponse(HTTPStatus.METHOD_NOT_ALLOWED, b""))
            return
        try:
            url = urlsplit(rest.partition(" ")[0])
            response = self._handler(url.path, dict(parse_qsl(url.query)))
        except ValueError:  # no URL, or a number of thousands of digits
            response = HttpResponse(HTTPStatus.BAD_REQUEST, b"")
        if response is not None:
            self._loop.call_at(time.time_ns() + round(response.delay_s * 1e9), self._send, connection, response)

    @staticmethod
    def _send(connection: StreamConnection, response: HttpResponse) -> None:
        location = f"Location: {response.location}\r\n" if response.location else ""
        head = (
            f"HTTP/1.1 {response.status.value} {response.status.phrase}\r\nContent-Type: application/json\r\n{location}"
            f"Content-Length: {len(response.body)}\r\nConnection: close\r\n\r\n"
        )
        body = response.body[: round(len(response.body) * response.sent_share)]
        connection.send(head.encode("ascii") + body, close=True)
