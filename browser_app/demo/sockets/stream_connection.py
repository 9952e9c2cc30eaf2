"""TCP connections of the demo network's servers, inside its event loop."""

import contextlib
import socket
import time
from collections.abc import Callable

from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.loopback_sockets import receive_bytes

_CLIENT_TIMEOUT_NS = 30_000_000_000


class StreamConnection:
    """A connection to one client, closed after 30 s."""

    def __init__(
        self,
        sock: socket.socket,
        peer: tuple[str, int],
        loop: DemoEventLoop,
        on_received: Callable[["StreamConnection", int], None],
        on_closed: Callable[["StreamConnection"], None],
    ) -> None:
        """Serve an accepted socket.

        Args:
            sock: the socket.
            peer: address and port of the client.
            loop: the loop that serves it.
            on_received: called when `received` has grown, with the time of that (Unix time, ns).
            on_closed: called once the connection has ended.
        """
        self.peer = peer
        self.received = b""
        """What the client has sent; `on_received` removes what it has used."""
        self._sock = sock
        self._loop = loop
        self._on_received = on_received
        self._on_closed = on_closed
        self._unsent = bytearray()
        self._closes_after_sending = False
        sock.setblocking(False)
        loop.watch(sock, self._on_readable)
        loop.call_at(time.time_ns() + _CLIENT_TIMEOUT_NS, self.close)

    def send(self, data: bytes, *, close: bool = False) -> None:
        """Send bytes as fast as the client takes them.

        `close` ends the connection after them. Does nothing if it has ended.
        """
        if self._sock.fileno() >= 0:
            self._unsent += data
            self._closes_after_sending |= close
            self._flush()

    def close(self) -> None:
        """End the connection; does nothing if it has ended."""
        if self._sock.fileno() >= 0:
            self._loop.unwatch(self._sock)
            self.close_socket()
            self._on_closed(self)

    def close_socket(self) -> None:
        """End the connection after the loop has ended."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
        self._sock.close()

    def _on_readable(self) -> None:
        try:
            data, received_ns = receive_bytes(self._sock)
        except BlockingIOError:
            return
        except OSError:
            data, received_ns = b"", 0
        if not data:
            self.close()
            return
        self.received += data
        self._on_received(self, received_ns)

    def _flush(self) -> None:
        try:
            del self._unsent[: self._sock.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            return
        if self._unsent:
            self._loop.watch_writable(self._sock, self._flush)
        elif self._closes_after_sending:
            self.close()
        else:
            self._loop.watch_readable(self._sock, self._on_readable)


class StreamListener:
    """Listening socket and its connections, up to a limit."""

    def __init__(
        self,
        sock: socket.socket,
        loop: DemoEventLoop,
        on_received: Callable[[StreamConnection, int], None],
        max_connections: int,
    ) -> None:
        """Serve a non-blocking socket; `on_received` is as in `StreamConnection`."""
        self._sock = sock
        self._loop = loop
        self._on_received = on_received
        self._max_connections = max_connections
        self._connections: set[StreamConnection] = set()

    def accept(self) -> None:
        """Accept the next client."""
        try:
            sock, peer = self._sock.accept()
        except OSError:  # the client has disconnected
            return
        if len(self._connections) >= self._max_connections:
            sock.close()
            return
        self._connections.add(StreamConnection(sock, peer, self._loop, self._on_received, self._connections.discard))

    def close(self) -> None:
        """Close all sockets; the loop must have ended."""
        for connection in self._connections:
            connection.close_socket()
        self._sock.close()
