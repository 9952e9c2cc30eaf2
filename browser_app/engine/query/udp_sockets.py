"""Non-blocking UDP sockets of the scanner, and random request tokens."""

import errno
import os
import socket
import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

from browser_app.engine.query.engine_clock import TIMESTAMP_OPTION, EngineClock, kernel_timestamp_ns
from browser_app.engine.query.round_trips import PacketTime

if TYPE_CHECKING:
    from collections.abc import Callable


TOKEN_LENGTH = 8
_TOKENS_PER_BATCH = 512
_LETTERS = (string.ascii_letters + string.digits).encode("ascii")
_TABLE = bytes(_LETTERS[byte % len(_LETTERS)] for byte in range(256))


class TokenGenerator:
    """Random tokens of 8 letters or digits (47 bits), drawn from the system in batches."""

    __slots__ = ("_pool", "_remaining")

    def __init__(self) -> None:
        self._pool = b""
        self._remaining = 0

    def next(self) -> bytes:
        """A fresh token."""
        if not self._remaining:
            self._pool = os.urandom(_TOKENS_PER_BATCH * TOKEN_LENGTH).translate(_TABLE)
            self._remaining = _TOKENS_PER_BATCH
        self._remaining -= 1
        start = self._remaining * TOKEN_LENGTH
        return self._pool[start : start + TOKEN_LENGTH]


RECEIVE_BUFFERS = (4 << 20, 1 << 20, 256 << 10)
"""Bytes asked for until the system agrees; it may give less. The usual 208 KiB lose datagrams when 256 servers answer
at once."""
_MAX_DATAGRAM = 65_535
_ANCILLARY_BYTES = 64
_BYTES_PER_REPLY = 2048
"""Bytes of the receive buffer that a reply is charged with, kernel structures included."""

BUSY_ERRNOS = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.ENOBUFS, errno.ENOMEM})
"""The system has no room at this moment: send the same again a little later."""
NETWORK_DOWN_ERRNOS = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EPERM, errno.EACCES, errno.EADDRNOTAVAIL}
)
"""There is no way out: no network, no route, a firewall."""

AncillaryData = Sequence[tuple[int, int, bytes]]
"""What the kernel told of an arrival, as it told it."""
ReceivedDatagram = tuple[bytes, tuple[str, int], AncillaryData]


def address_family(host: str) -> socket.AddressFamily | None:
    """Which socket reaches `host`; None for what is no IP address: the engine looks up no names."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.inet_pton(family, host.partition("%")[0] if family == socket.AF_INET6 else host)
    except (OSError, ValueError):  # the latter for what is not ASCII, or has a zero in it
        return None
    return family


def is_loopback(host: str) -> bool:
    """Whether `host`, an IP address, is this machine."""
    return host.startswith("127.") or host == "::1"


def _sender_with_zone(host: str, port: int, _flow: int, zone: int) -> tuple[str, int]:
    """The sender of a datagram from a link, written as its address is: `fe80::1%eth0`."""
    try:
        return f"{host}%{socket.if_indextoname(zone)}", port
    except OSError:  # the link went away
        return host, port


class UdpSocket:
    """A non-blocking UDP socket of one family, on a port of the system's choice."""

    __slots__ = ("_recvmsg", "clock", "sendto", "sock")

    def __init__(self, family: socket.AddressFamily, clock: EngineClock) -> None:
        """Open it.

        Raises:
            OSError: this machine does not have the family.
        """
        self.clock = clock
        self.sock = socket.socket(family, socket.SOCK_DGRAM)
        try:
            self._configure(family)
        except OSError:
            self.sock.close()
            raise
        self.sendto: Callable[[bytes, tuple[str, int]], int] = self.sock.sendto
        """Send a datagram to an address, or raise OSError."""
        self._recvmsg = getattr(self.sock, "recvmsg", None)  # Windows has none

    def _configure(self, family: socket.AddressFamily) -> None:
        self.sock.setblocking(False)
        if family == socket.AF_INET6:
            self.sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self.sock.bind(("", 0))  # Windows reads from bound sockets only
        any(self._set_option(socket.SO_RCVBUF, size) for size in RECEIVE_BUFFERS)
        if TIMESTAMP_OPTION is not None:
            self._set_option(TIMESTAMP_OPTION, 1)

    def _set_option(self, option: int, value: int) -> bool:
        try:
            self.sock.setsockopt(socket.SOL_SOCKET, option, value)
        except OSError:
            return False
        return True

    def receive(self) -> ReceivedDatagram | None:
        """The next datagram with its sender and stamp; None for an error report about an earlier send.

        Raises:
            BlockingIOError: nothing is there.
        """
        try:
            if self._recvmsg is None:
                data, sender = self.sock.recvfrom(_MAX_DATAGRAM)
                stamp: AncillaryData = ()
            else:
                data, stamp, _, sender = self._recvmsg(_MAX_DATAGRAM, _ANCILLARY_BYTES)
        except BlockingIOError:
            raise
        except OSError:  # a port unreachable came back (Windows says so here); nobody reads on
            return None
        if len(sender) == 4 and sender[3]:
            sender = _sender_with_zone(*sender)
        return data, sender[:2], stamp

    def arrival_time(self, ancillary: AncillaryData) -> PacketTime:
        """When what came just now came. A flood of what nobody asked for is spared the reckoning."""
        clock, wall_ns = self.clock, kernel_timestamp_ns(ancillary)
        return PacketTime(wall_ns, clock.monotonic_ns(), clock.epoch, not wall_ns and clock.is_late)

    @property
    def reply_capacity(self) -> int:
        """How many replies the receive buffer is sure to hold."""
        return max(64, min(4096, self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // _BYTES_PER_REPLY))

    def fileno(self) -> int:
        """For selectors."""
        return self.sock.fileno()

    def close(self) -> None:
        """Close it."""
        self.sock.close()
