"""HTTP connections whose address, amount of lines and processor time are bounded."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from http.client import HTTPException, HTTPResponse
from io import BufferedReader, RawIOBase
from socket import socket
from typing import Any, Protocol

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

MIN_MEAN_CHUNK_BYTES = 64
"""Chunks of a long body must have this mean size: each costs as much time as parsing some entries of a list."""
_MAX_LINE_BYTES = 64 << 10
"""Total size of the lines of a response: status, headers, trailers and chunk sizes. Size lines of chunks of the mean
size do not count.
"""
_MIN_LINE_BYTES = 32
"""A shorter line counts as this long, as reading it takes as much time: 2,048 lines take 2 ms."""

_CHECK_INTERVAL = 16
"""Lines read between two checks whether the turn should end."""

ConnectionFactory = Callable[[], socket]


class WorkTurn(Protocol):
    """Turn of a thread, one of several that share a processor."""

    def waiting(self) -> AbstractContextManager[None]:
        """Leave the turn to others while this thread waits for the network."""

    def yield_when_due(self) -> None:
        """Let others have their turn if this one has lasted long enough."""


class _EndlessTurn:
    """Turn of a thread that need not share."""

    def waiting(self) -> AbstractContextManager[None]:
        return nullcontext()

    def yield_when_due(self) -> None:
        """Go on."""


ENDLESS_TURN: WorkTurn = _EndlessTurn()


class PinnedAddressAdapter(HTTPAdapter):
    """Creates connections by `open_socket`; others work while it waits for them.

    The caller thus chooses the address and keeps the socket. Neither requests nor urllib3 has a public interface for
    that.
    """

    def __init__(self, open_socket: ConnectionFactory, turn: WorkTurn) -> None:
        self._open_socket = open_socket
        self._turn = turn
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Replace the connection classes; requests' constructor calls this."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {
            "http": self._with_own_connections(HTTPConnectionPool, HTTPConnection),
            "https": self._with_own_connections(HTTPSConnectionPool, HTTPSConnection),
        }

    def _with_own_connections(self, pool: type, connection: type[HTTPConnection]) -> type:
        def connect(own: HTTPConnection) -> None:
            with self._turn.waiting():
                connection.connect(own)

        def send(own: HTTPConnection, data: Any) -> None:
            with self._turn.waiting():  # a long path from a redirect may fill the buffer of a server that reads nothing
                connection.send(own, data)

        members = {
            "_new_conn": lambda _: self._open_socket(),
            "connect": connect,
            "send": send,
            "response_class": staticmethod(partial(_BoundedResponse, self._turn)),
        }
        own_connection = type(connection.__name__, (connection,), members)
        return type(pool.__name__, (pool,), {"ConnectionCls": own_connection})


class _WaitingReader(RawIOBase):
    """Reads from a socket while others work."""

    def __init__(self, raw: RawIOBase, turn: WorkTurn) -> None:
        self._raw, self._turn = raw, turn
        super().__init__()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        with self._turn.waiting():
            return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _BoundedReader(BufferedReader):
    """Reader of a connection whose lines are limited in all.

    `http.client` limits single lines, and some not at all.
    """

    def __init__(self, raw: RawIOBase, turn: WorkTurn) -> None:
        super().__init__(_WaitingReader(raw, turn))
        self._turn = turn
        self._left = _MAX_LINE_BYTES
        self._line_count = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read a line.

        Raises:
            HTTPException: the lines are too long in all.
        """
        self._line_count += 1
        if not self._line_count % _CHECK_INTERVAL:
            self._turn.yield_when_due()
        most = self._left + 1
        line = super().readline(most if size is None or size < 0 else min(size, most))
        self._left -= max(len(line), _MIN_LINE_BYTES)
        if self._left < 0:
            raise HTTPException("too many lines")
        return line

    def read(self, size: int | None = -1, /) -> bytes:
        """Read a part of the body, which may have lines of its own."""
        data = super().read(size)
        self._left += len(data) * _MIN_LINE_BYTES // MIN_MEAN_CHUNK_BYTES
        return data


class _BoundedResponse(HTTPResponse):
    """Response read by a `_BoundedReader`."""

    def __init__(self, turn: WorkTurn, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fp = _BoundedReader(self.fp.detach(), turn)
