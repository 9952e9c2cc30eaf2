"""One writer at a time for a file that several processes change: a lock beside it, which the system takes back from
whoever ends, however that happens."""

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE_S = 2.0
"""How long somebody else may hold it; a change takes some milliseconds."""
_LOOK_S = 0.005
_HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What POSIX and Windows say of a lock that somebody else has."""
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""Some network file systems have no locks: the last writer wins there."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """While this lasts nobody else is within `locked(path)`; `path` is a file of its own, and stays.

    Raises:
        TimeoutError: somebody else has held it for `PATIENCE_S`.
        OSError: there can be no lock here.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _wait(handle)
        yield
    finally:
        os.close(handle)  # which gives the lock back


def _wait(handle: int) -> None:
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            _try_lock(handle)
            return
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return
            if error.errno not in _HELD:
                raise
        if time.monotonic() > ends:
            raise TimeoutError(0, "in use by another program")
        time.sleep(_LOOK_S)
