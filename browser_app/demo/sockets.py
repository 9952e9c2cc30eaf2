"""Loopback UDP sockets: how many may be open, and when exactly the kernel took a datagram."""

import contextlib
import socket
import struct
import sys
import time

from browser_app.protocols.address import Address

_SPARE_DESCRIPTORS = 64
"""For masters, HTTP connections, standard streams and the interpreter."""
_TIMESTAMPNS = 35
"""SO_TIMESTAMPNS of Linux (asm-generic/socket.h), which Python's socket module does not name."""
_TIMESPEC = struct.Struct("@qq")
_ANCILLARY = socket.CMSG_SPACE(_TIMESPEC.size) if hasattr(socket, "CMSG_SPACE") else 0
_KERNEL_STAMPS = sys.platform == "linux" and struct.calcsize("P") == 8
_LARGEST_REQUEST = 2048


class DemoError(Exception):
    """The demo network cannot be set up here; the text tells the user why and what helps."""


def allow_descriptors(sockets: int) -> None:
    """Raise this process's soft limit of open files until `sockets` more fit.

    Raises:
        DemoError: the hard limit is too low.
    """
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return
    needed = sockets + _SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < hard:
        with contextlib.suppress(ValueError, OSError):  # macOS caps it below an unlimited hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise DemoError(
            f"{sockets} demo servers need {needed} open files, but this system allows {soft}: "
            f"ask for at most {max(0, soft - _SPARE_DESCRIPTORS)} servers, or raise the limit (ulimit -Hn)"
        )


def open_udp(address: Address) -> socket.socket:
    """A bound, non-blocking UDP socket that stamps what it receives where the system can.

    Raises:
        OSError: the address cannot be bound.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if _KERNEL_STAMPS:
            sock.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)
        sock.bind(address)
    except BaseException:
        sock.close()
        raise
    return sock


def receive(sock: socket.socket) -> tuple[bytes, tuple[str, int], int]:
    """One datagram: its bytes (cut at 2 KiB), its sender, and when the kernel received it (Unix time, ns).

    Without kernel stamps the time is that of the call.

    Raises:
        BlockingIOError: none is waiting.
    """
    if not _KERNEL_STAMPS:
        data, peer = sock.recvfrom(_LARGEST_REQUEST)
        return data, peer, time.time_ns()
    data, ancillary, _, peer = sock.recvmsg(_LARGEST_REQUEST, _ANCILLARY)
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == _TIMESTAMPNS:
            seconds, nanoseconds = _TIMESPEC.unpack_from(content)
            return data, peer, seconds * 1_000_000_000 + nanoseconds
    return data, peer, time.time_ns()
