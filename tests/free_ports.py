"""Free ports for servers that cannot choose one themselves."""

import os
import socket
import tempfile
from contextlib import ExitStack, suppress
from functools import cache
from itertools import product
from pathlib import Path

_PORTS = iter(range(61000, 64000, 2))
"""Linux gives none of them to a program that asks for any free port, and no game uses one."""


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free for UDP and TCP, as is the one after it.

    No other call returns it, in any test run on this machine, until this process ends.
    """
    import fcntl  # not on Windows

    for port in _PORTS:
        with suppress(OSError), ExitStack() as sockets:  # locked or bound by another process
            fcntl.lockf(_lock_file(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
            for number, kind in product((port, port + 1), (socket.SOCK_DGRAM, socket.SOCK_STREAM)):
                sockets.enter_context(socket.socket(socket.AF_INET, kind)).bind(("127.0.0.1", number))
            return port
    raise OSError("no free port")


@cache
def _lock_file() -> int:
    """Open the file in which each test run locks the bytes at its port numbers."""
    return os.open(Path(tempfile.gettempdir(), f"ready-room-ports-{os.getuid()}"), os.O_RDWR | os.O_CREAT, 0o600)
