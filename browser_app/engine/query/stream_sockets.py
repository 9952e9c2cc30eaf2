"""Non-blocking TCP connections of the scanner, one per query."""

import contextlib
import errno
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from browser_app.engine.query.engine_clock import ANCILLARY_BYTES, TIMESTAMP_OPTION, AncillaryData, EngineClock
from browser_app.engine.query.round_trips import PacketTime
from browser_app.engine.query.udp_sockets import try_socket_option

if TYPE_CHECKING:
    from browser_app.engine.query.server_query import ServerQuery

RECEIVE_BYTES: Final = 16 << 10
"""Bytes received from one connection before the next send."""
_CONNECTING_ERRNOS = frozenset({0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", 0)})
WatchStream = Callable[["StreamSocket"], None]


class StreamSocket:
    """One TCP connection, opened by the first send.

    The scheduler uses it like a UDP socket.

    Attributes:
        queries: its query, by the server's address, until that has finished.
        is_connecting: the server has not accepted the connection yet.
    """

    __slots__ = ("_family", "_unsent", "_watch", "clock", "is_connecting", "queries", "sock")

    def __init__(self, family: socket.AddressFamily, clock: EngineClock, watch: WatchStream) -> None:
        """Create a stream without a connection.

        `watch` is called when there is something new to wait for.
        """
        self.clock = clock
        self.queries: dict[tuple[str, int], ServerQuery] = {}
        self.is_connecting = False
        self.sock: socket.socket | None = None
        self._family = family
        self._unsent = b""
        self._watch = watch

    @property
    def wants_to_write(self) -> bool:
        """Whether it waits for the connection, or for room to send."""
        return self.is_connecting or bool(self._unsent)

    def sendto(self, data: bytes, address: tuple[str, int]) -> int:
        """Send data, connecting to `address` first.

        Raises:
            OSError: the connection is impossible, or was lost.
        """
        self._unsent += data
        if self.sock is None:
            self._connect(address)
        elif not self.is_connecting:
            self.flush()
        return len(data)

    def _connect(self, address: tuple[str, int]) -> None:
        self.sock = socket.socket(self._family, socket.SOCK_STREAM)
        self.sock.setblocking(False)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if TIMESTAMP_OPTION is not None:
            try_socket_option(self.sock, TIMESTAMP_OPTION, 1)
        number = self.sock.connect_ex(address)
        if number not in _CONNECTING_ERRNOS:
            raise OSError(number, os.strerror(number))
        self.is_connecting = True
        self._watch(self)

    def finish_connecting(self) -> None:
        """Send what waits for the connection, now that there is one or none.

        Raises:
            OSError: the server did not accept it.
        """
        assert self.sock is not None  # noqa: S101 - only called while connecting
        if number := self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(number, os.strerror(number))
        self.is_connecting = False
        self.flush()

    def flush(self) -> None:
        """Send what there is room for.

        Raises:
            OSError: the connection was lost.
        """
        assert self.sock is not None  # noqa: S101 - only called once connected
        with contextlib.suppress(BlockingIOError):
            self._unsent = self._unsent[self.sock.send(self._unsent) :] if self._unsent else b""
        self._watch(self)

    def receive(self) -> tuple[bytes, AncillaryData]:
        """Return the next bytes and their ancillary data.

        No bytes mean that the server has closed the connection.

        Raises:
            BlockingIOError: there is nothing to read.
            OSError: the connection was lost.
        """
        assert self.sock is not None  # noqa: S101 - only called once connected
        if not hasattr(self.sock, "recvmsg"):  # Windows has none
            return self.sock.recv(RECEIVE_BYTES), ()
        data, ancillary, _, _ = self.sock.recvmsg(RECEIVE_BYTES, ANCILLARY_BYTES)
        return data, ancillary

    def arrival_time(self, ancillary: AncillaryData = ()) -> PacketTime:
        """Return the time at which the last of the bytes just received arrived, or now."""
        return self.clock.arrival_time(ancillary)

    def fileno(self) -> int:
        """Return the descriptor, for selectors; −1 if there is none."""
        return -1 if self.sock is None else self.sock.fileno()

    def close(self) -> None:
        """Close the connection."""
        if self.sock is not None:
            self.sock.close()


class StreamPool:
    """Connections of one address family, closed once their query has finished."""

    def __init__(self, open_socket: Callable[[], StreamSocket], close_socket: Callable[[StreamSocket], None]) -> None:
        self._open_socket, self._close_socket = open_socket, close_socket
        self._streams: list[StreamSocket] = []

    def acquire(self, *, own_port: bool) -> StreamSocket:  # noqa: ARG002 - every connection has its own port
        """Return a new connection."""
        self._streams.append(stream := self._open_socket())
        return stream

    def close_unused(self) -> None:
        """Close connections whose query has finished."""
        for stream in [stream for stream in self._streams if not stream.queries]:
            self._streams.remove(stream)
            self._close_socket(stream)

    def close(self) -> None:
        """Close all connections."""
        for stream in self._streams:
            self._close_socket(stream)
