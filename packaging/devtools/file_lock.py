"""A lock file that lets one process at a time change an environment or the system."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def hold_file_lock(path: Path, on_wait: Callable[[], None]) -> Iterator[int]:
    """Hold a lock file during the context; call `on_wait` before waiting for it.

    Yields the open descriptor. A child that inherits it holds the lock too, so that an installer whose parent was
    killed is not disturbed. The system releases the lock when the last holder ends.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not _acquire(descriptor, wait=False):
            on_wait()
            while not _acquire(descriptor, wait=True):
                pass
        yield descriptor
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _acquire(descriptor: int, *, wait: bool) -> bool:
        """Return whether the lock was acquired; waiting ends after 10 s."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _acquire(descriptor: int, *, wait: bool) -> bool:
        """Return whether the lock was acquired."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True
