"""UDP sockets of one address family, chosen at random for each query."""

import contextlib
import os
from collections.abc import Callable

from browser_app.engine.query.udp_sockets import UdpSocket

SHARED_PORTS = 16
"""Ports that queries share. With more, replies would arrive on more sockets, each of which costs system calls."""
QUERIES_PER_PORT = 64
"""Queries after which a port is replaced by a new one, so that few servers ever know it."""
MAX_OLD_PORTS = 32
"""Replaced ports that stay open for their last replies. While there are this many, the present ones are used longer:
some systems allow a program 256 open files.
"""
_RANDOM_BATCH = 512


class SocketPool:
    """Sockets of one address family, each with a random port.

    A reply counts only on the port that its query left from. An attacker who forges another server's reply has to guess
    that port: a queried server learns only the port of its own query.
    """

    def __init__(self, open_socket: Callable[[], UdpSocket], close_socket: Callable[[UdpSocket], None]) -> None:
        """Open the first socket.

        Raises:
            OSError: this machine lacks the address family.
        """
        self._open_socket, self._close_socket = open_socket, close_socket
        self._shared = [open_socket()]
        self._old: list[UdpSocket] = []
        self._random_bytes = bytearray()
        capacity = self._shared[0].reply_capacity * SHARED_PORTS // 2
        self.reply_capacity = max(64, min(4096, capacity))
        """Replies that the receive buffers hold if all arrive at once: half of their sum, as the choice is random."""

    def acquire(self, *, own_port: bool) -> UdpSocket:
        """Return the socket for a new query.

        Args:
            own_port: open one that no other query uses.

        Raises:
            OSError: it cannot be opened.
        """
        if own_port:
            self._old.append(sock := self._open_socket())
            return sock
        index = self._choose_index()
        if index >= len(self._shared) or self._shared[index].query_count >= QUERIES_PER_PORT:
            with contextlib.suppress(OSError):  # too many open files: go on with those that are open
                self._open_shared(index)
        sock = self._shared[min(index, len(self._shared) - 1)]
        sock.query_count += 1
        return sock

    def _choose_index(self) -> int:
        """Return an unpredictable index below `SHARED_PORTS`, which divides 256."""
        if not self._random_bytes:
            self._random_bytes += os.urandom(_RANDOM_BATCH)
        return self._random_bytes.pop() % SHARED_PORTS

    def _open_shared(self, index: int) -> None:
        """Open the socket at `index`, or at the end, unless it would replace one too many."""
        if index >= len(self._shared):
            self._shared.append(self._open_socket())
        elif len(self._old) < MAX_OLD_PORTS:
            sock = self._open_socket()
            self._old.append(self._shared[index])
            self._shared[index] = sock

    def close_unused(self) -> None:
        """Close sockets that get no further query and whose last one has ended."""
        for sock in [sock for sock in self._old if not sock.queries]:
            self._old.remove(sock)
            self._close_socket(sock)

    def close(self) -> None:
        """Close all sockets."""
        for sock in (*self._shared, *self._old):
            self._close_socket(sock)
