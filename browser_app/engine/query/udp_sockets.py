"""Non-blocking UDP sockets of the scanner, and random request tokens."""

import contextlib
import errno
import os
import secrets
import socket
import string
from typing import TYPE_CHECKING

from browser_app.engine.query.engine_clock import ANCILLARY_BYTES, TIMESTAMP_OPTION, AncillaryData, EngineClock
from browser_app.engine.query.round_trips import PacketTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser_app.engine.query.server_query import ServerQuery

TOKEN_LENGTH = 8
_TOKENS_PER_BATCH = 512
_LETTERS = (string.ascii_letters + string.digits).encode("ascii")
_TABLE = bytes(_LETTERS[byte % len(_LETTERS)] for byte in range(256))


class TokenGenerator:
    """Random tokens of 8 letters or digits (47 bits), read from the system in batches."""

    __slots__ = ("_pool", "_remaining")

    def __init__(self) -> None:
        self._pool = b""
        self._remaining = 0

    def next(self) -> bytes:
        """Return a new token."""
        if not self._remaining:
            self._pool = os.urandom(_TOKENS_PER_BATCH * TOKEN_LENGTH).translate(_TABLE)
            self._remaining = _TOKENS_PER_BATCH
        self._remaining -= 1
        start = self._remaining * TOKEN_LENGTH
        return self._pool[start : start + TOKEN_LENGTH]


RECEIVE_BUFFER_BYTES = 256 << 10
"""Requested for each socket; the system may grant less. Linux doubles the value and grants 416 KiB by default, enough
for 208 replies at once.
"""
RANDOM_PORTS = range(32_768, 65_536)
"""Ports that sockets are bound to; game servers on this machine use lower ones."""
_PORT_ATTEMPTS = 16
MAX_DATAGRAM_BYTES = 65_535
_BYTES_PER_REPLY = 2048
"""Receive buffer space that one reply takes up, kernel structures included."""

BUSY_ERRNOS = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.ENOBUFS, errno.ENOMEM})
"""The system has no buffer space at the moment: send again a little later."""
NETWORK_DOWN_ERRNOS = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EPERM, errno.EACCES, errno.EADDRNOTAVAIL}
)
"""There is no network, no route, or a firewall blocks."""

ReceivedDatagram = tuple[bytes, tuple[str, int], AncillaryData]


def _add_zone(host: str, port: int, _flow: int, zone: int) -> tuple[str, int]:
    """Return the sender of a link-local datagram as a target, like `fe80::1%eth0`."""
    try:
        return f"{host}%{socket.if_indextoname(zone)}", port
    except OSError:  # the interface is gone
        return host, port


def try_socket_option(sock: socket.socket, option: int, value: int) -> bool:
    """Set a socket option; return whether the system accepts it."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, option, value)
    except OSError:
        return False
    return True


class UdpSocket:
    """Non-blocking UDP socket of one address family, on a random port.

    Attributes:
        queries: open queries that were sent from it, by the address that may reply.
        query_count: queries sent from it so far; see `SocketPool`.
    """

    __slots__ = ("_recvmsg", "clock", "queries", "query_count", "sendto", "sock")

    def __init__(self, family: socket.AddressFamily, clock: EngineClock) -> None:
        """Open the socket.

        Raises:
            OSError: this machine lacks the address family.
        """
        self.clock = clock
        self.queries: dict[tuple[str, int], ServerQuery] = {}
        self.query_count = 0
        self.sock = socket.socket(family, socket.SOCK_DGRAM)
        try:
            self._configure(family)
        except OSError:
            self.sock.close()
            raise
        self.sendto: Callable[[bytes, tuple[str, int]], int] = self.sock.sendto
        """Sends a datagram to an address, or raises OSError."""
        self._recvmsg = getattr(self.sock, "recvmsg", None)  # Windows has none

    def _configure(self, family: socket.AddressFamily) -> None:
        self.sock.setblocking(False)
        if family == socket.AF_INET6:
            self.sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self._bind_random_port()
        try_socket_option(self.sock, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
        if TIMESTAMP_OPTION is not None:
            try_socket_option(self.sock, TIMESTAMP_OPTION, 1)

    def _bind_random_port(self) -> None:
        """Bind to an unpredictable port; some systems assign ports in sequence."""
        for _ in range(_PORT_ATTEMPTS):
            with contextlib.suppress(OSError):  # in use, or reserved
                self.sock.bind(("", secrets.choice(RANDOM_PORTS)))
                return
        self.sock.bind(("", 0))

    def receive(self) -> ReceivedDatagram | None:
        """Return the next datagram, its sender and its ancillary data.

        None for an error report about an earlier send.

        Raises:
            BlockingIOError: there is no datagram.
        """
        try:
            if self._recvmsg is None:
                data, sender = self.sock.recvfrom(MAX_DATAGRAM_BYTES)
                stamp: AncillaryData = ()
            else:
                data, stamp, _, sender = self._recvmsg(MAX_DATAGRAM_BYTES, ANCILLARY_BYTES)
        except BlockingIOError:
            raise
        except OSError:  # ICMP port unreachable (reported here on Windows); the sender does not matter
            return None
        if len(sender) == 4 and sender[3]:
            sender = _add_zone(*sender)
        return data, sender[:2], stamp

    def arrival_time(self, ancillary: AncillaryData) -> PacketTime:
        """Return the arrival time of a datagram just received.

        Separate from `receive` to save the time for stray datagrams.
        """
        return self.clock.arrival_time(ancillary)

    @property
    def reply_capacity(self) -> int:
        """Number of replies that the receive buffer is sure to hold."""
        return self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // _BYTES_PER_REPLY

    def fileno(self) -> int:
        """Return the descriptor, for selectors."""
        return self.sock.fileno()

    def close(self) -> None:
        """Close the socket."""
        self.sock.close()
