"""The scanner's UDP sockets: one a family, never blocking, with kernel receive stamps where there are any."""

import errno
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from browser_app.engine.round_trips import Moment
from browser_app.engine.timestamps import STAMP_OPTION, Clock, kernel_stamp_ns

if TYPE_CHECKING:
    from collections.abc import Callable

RECEIVE_BUFFERS = (4 << 20, 1 << 20, 256 << 10)
"""Bytes asked for until the system agrees; it may give less. The usual 208 KiB lose datagrams when 256 servers answer
at once."""
_LARGEST = 65_535
_ANCILLARY = 64
_CHARGED = 2048
"""Bytes of the receive buffer that a reply is charged with, kernel structures included."""

BUSY = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.ENOBUFS, errno.ENOMEM})
"""The system has no room at this moment: send the same again a little later."""
DOWN = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EPERM, errno.EACCES, errno.EADDRNOTAVAIL}
)
"""There is no way out: no network, no route, a firewall."""

Stamp = Sequence[tuple[int, int, bytes]]
"""What the kernel told of an arrival, as it told it."""
Datagram = tuple[bytes, tuple[str, int], Stamp]


def family_of(host: str) -> socket.AddressFamily | None:
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


def _with_zone(host: str, port: int, _flow: int, zone: int) -> tuple[str, int]:
    """The sender of a datagram from a link, written as its address is: `fe80::1%eth0`."""
    try:
        return f"{host}%{socket.if_indextoname(zone)}", port
    except OSError:  # the link went away
        return host, port


class UdpSocket:
    """A non-blocking UDP socket of one family, on a port of the system's choice."""

    __slots__ = ("_recvmsg", "clock", "sendto", "sock")

    def __init__(self, family: socket.AddressFamily, clock: Clock) -> None:
        """Open it.

        Raises:
            OSError: this machine does not have the family.
        """
        self.clock = clock
        self.sock = socket.socket(family, socket.SOCK_DGRAM)
        try:
            self._set_up(family)
        except OSError:
            self.sock.close()
            raise
        self.sendto: Callable[[bytes, tuple[str, int]], int] = self.sock.sendto
        """Send a datagram to an address, or raise OSError."""
        self._recvmsg = getattr(self.sock, "recvmsg", None)  # Windows has none

    def _set_up(self, family: socket.AddressFamily) -> None:
        self.sock.setblocking(False)
        if family == socket.AF_INET6:
            self.sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self.sock.bind(("", 0))  # Windows reads from bound sockets only
        any(self._accepts(socket.SO_RCVBUF, size) for size in RECEIVE_BUFFERS)
        if STAMP_OPTION is not None:
            self._accepts(STAMP_OPTION, 1)

    def _accepts(self, option: int, value: int) -> bool:
        try:
            self.sock.setsockopt(socket.SOL_SOCKET, option, value)
        except OSError:
            return False
        return True

    def receive(self) -> Datagram | None:
        """The next datagram with its sender and stamp; None for an error report about an earlier send.

        Raises:
            BlockingIOError: nothing is there.
        """
        try:
            if self._recvmsg is None:
                data, sender = self.sock.recvfrom(_LARGEST)
                stamp: Stamp = ()
            else:
                data, stamp, _, sender = self._recvmsg(_LARGEST, _ANCILLARY)
        except BlockingIOError:
            raise
        except OSError:  # a port unreachable came back (Windows says so here); nobody reads on
            return None
        if len(sender) == 4 and sender[3]:
            sender = _with_zone(*sender)
        return data, sender[:2], stamp

    def arrival(self, stamp: Stamp) -> Moment:
        """When what came just now came. A flood of what nobody asked for is spared the reckoning."""
        clock, wall_ns = self.clock, kernel_stamp_ns(stamp)
        return Moment(wall_ns, clock.monotonic_ns(), clock.epoch, not wall_ns and clock.late)

    @property
    def window(self) -> int:
        """How many replies the receive buffer is sure to hold."""
        return max(64, min(4096, self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // _CHARGED))

    def fileno(self) -> int:
        """For selectors."""
        return self.sock.fileno()

    def close(self) -> None:
        """Close it."""
        self.sock.close()
