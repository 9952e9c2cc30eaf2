"""Loopback addresses and sockets of the demo network.

A scanner spaces packets to one IP address, so servers that share an address are scanned slowly. Linux and Windows can
bind any address of 127/8; on other systems all servers are on ports of 127.0.0.1.
"""

import contextlib
import errno
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable

from browser_app.protocols.address import Address

_RESERVED_DESCRIPTORS = 192
"""For master servers, connections over TCP, standard streams and the interpreter."""
_SO_TIMESTAMPNS = 35
"""SO_TIMESTAMPNS of Linux (asm-generic/socket.h), which Python's socket module does not name."""
_TIMESPEC = struct.Struct("@qq")
_ANCILLARY_BYTES = socket.CMSG_SPACE(_TIMESPEC.size) if hasattr(socket, "CMSG_SPACE") else 0
_HAS_KERNEL_TIMESTAMPS = sys.platform == "linux" and struct.calcsize("P") == 8
_MAX_REQUEST_BYTES = 2048


class DemoError(Exception):
    """The demo network cannot be set up here; the message names a remedy."""


def raise_descriptor_limit(socket_count: int) -> None:
    """Raise this process's soft limit of open files so that `socket_count` more fit.

    Raises:
        DemoError: the hard limit is too low.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    needed = socket_count + _RESERVED_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < hard:
        with contextlib.suppress(ValueError, OSError):  # macOS caps it below an unlimited hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise DemoError(
            f"{socket_count} demo servers need {needed} open files, but this system allows {soft}: "
            f"ask for at most {max(0, soft - _RESERVED_DESCRIPTORS)} servers, or raise the limit (ulimit -Hn)"
        )


def open_udp_socket(address: Address) -> socket.socket:
    """Return a bound, non-blocking UDP socket, with kernel receive stamps if possible.

    Raises:
        OSError: the address cannot be bound.
    """
    return _open_socket(address, socket.SOCK_DGRAM)


def open_listening_socket(address: Address) -> socket.socket:
    """Return a listening, non-blocking TCP socket.

    Its connections have kernel receive stamps if possible.

    Raises:
        OSError: the address cannot be bound.
    """
    sock = _open_socket(address, socket.SOCK_STREAM)
    sock.listen()
    return sock


def _open_socket(address: Address, kind: socket.SocketKind) -> socket.socket:
    sock = socket.socket(socket.AF_INET, kind)
    try:
        sock.setblocking(False)
        if kind is socket.SOCK_STREAM and sys.platform != "win32":  # there it would share the port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if _HAS_KERNEL_TIMESTAMPS:
            sock.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        sock.bind(address)
    except BaseException:
        sock.close()
        raise
    return sock


def receive_datagram(sock: socket.socket) -> tuple[bytes, tuple[str, int], int]:
    """Return one datagram (at most 2 KiB), its sender, and when it was received.

    The time is the kernel's receive stamp (Unix time, ns); without kernel stamps it is that of the call.

    Raises:
        BlockingIOError: no datagram is waiting.
    """
    if not _HAS_KERNEL_TIMESTAMPS:
        data, peer = sock.recvfrom(_MAX_REQUEST_BYTES)
        return data, peer, time.time_ns()
    data, ancillary, _, peer = sock.recvmsg(_MAX_REQUEST_BYTES, _ANCILLARY_BYTES)
    return data, peer, _receive_time_ns(ancillary)


def receive_bytes(sock: socket.socket) -> tuple[bytes, int]:
    """Return the next bytes of a connection (≤ 2 KiB), and when they were received.

    The time is as in `receive_datagram`. No bytes mean that the peer has closed the connection.

    Raises:
        OSError: no bytes are waiting, or the connection is lost.
    """
    if not _HAS_KERNEL_TIMESTAMPS:
        return sock.recv(_MAX_REQUEST_BYTES), time.time_ns()
    data, ancillary, _, _ = sock.recvmsg(_MAX_REQUEST_BYTES, _ANCILLARY_BYTES)
    return data, _receive_time_ns(ancillary)


def _receive_time_ns(ancillary: Iterable[tuple[int, int, bytes]]) -> int:
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS:
            seconds, nanoseconds = _TIMESPEC.unpack_from(content)
            return int(seconds) * 1_000_000_000 + int(nanoseconds)
    return time.time_ns()


OpenSocket = Callable[[Address], socket.socket]
_BLOCKS = range(1, 200)
"""127.BLOCK/16 holds one demo network; the first free one is used, so that several can run."""
_HOSTS_PER_SUBNET = 250
_CLAIM_PORT = 27949
_MASTER_PORT = 27950
_FIRST_PORT = 20000
"""First port of the fallback on 127.0.0.1."""
_PORT_TRIES = 200


class LoopbackAddresses:
    """Provides bound sockets in a fixed order; holds one of its own until `close`."""

    def __init__(self, *, shared_host: bool = False) -> None:
        """Claim a block of addresses; `shared_host` selects the fallback.

        Raises:
            DemoError: every block is taken.
        """
        self._claim_socket = None if shared_host else _claim_block()
        self._prefix = self._claim_socket.getsockname()[0].rsplit(".", 2)[0] if self._claim_socket else ""
        self._server_count = 0
        self._master_count = 0
        self._port = _FIRST_PORT

    def bind_server(self, port: int, open_socket: OpenSocket = open_udp_socket) -> socket.socket:
        """Return a socket for the next server, on `port` if that is free.

        Raises:
            DemoError: no port is free.
        """
        if self._claim_socket is None:
            return self._next_port(open_socket)
        subnet, host = divmod(self._server_count, _HOSTS_PER_SUBNET)
        self._server_count += 1
        return self._bind_near(f"{self._prefix}.{subnet + 1}.{host + 1}", port, open_socket)

    def bind_master(self, open_socket: OpenSocket = open_udp_socket) -> socket.socket:
        """Return a socket for the next master server.

        Raises:
            DemoError: no port is free.
        """
        if self._claim_socket is None:
            return self._next_port(open_socket)
        self._master_count += 1
        return self._bind_near(f"{self._prefix}.0.{self._master_count}", _MASTER_PORT, open_socket)

    def close(self) -> None:
        """Release the block."""
        if self._claim_socket is not None:
            self._claim_socket.close()

    def _next_port(self, open_socket: OpenSocket) -> socket.socket:
        sock = self._bind_near("127.0.0.1", self._port, open_socket)
        self._port = sock.getsockname()[1] + 1
        return sock

    def _bind_near(self, host: str, port: int, open_socket: OpenSocket) -> socket.socket:
        """Bind `port` or, where another program has it, the next free one."""
        for candidate in range(port, min(port + _PORT_TRIES, 65536)):
            try:
                return open_socket(Address(host, candidate))
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
        raise DemoError(f"no free port on {host} from {port} on")


def _claim_block() -> socket.socket | None:
    """Return a socket that marks a block as taken; None where 127/8 cannot be bound."""
    for block in _BLOCKS:
        try:
            return open_udp_socket(Address(f"127.{block}.0.250", _CLAIM_PORT))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                return None
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise DemoError(f"{len(_BLOCKS)} demo networks are running already")
