"""Private files and folders, file locks, and damaged files set aside."""

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

LOCK_TIMEOUT_S = 2.0
"""How long somebody else may hold it; a change takes some milliseconds."""
_RETRY_INTERVAL_S = 0.005
_LOCK_HELD_ERRORS = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What POSIX and Windows say of a lock that somebody else has."""
_NO_LOCK_SUPPORT_ERRORS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
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
def file_lock(path: Path) -> Iterator[None]:
    """While this lasts nobody else is within `locked(path)`; `path` is a file of its own, and stays.

    Raises:
        TimeoutError: somebody else has held it for `PATIENCE_S`.
        OSError: there can be no lock here.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(handle)
        yield
    finally:
        os.close(handle)  # which gives the lock back


def _acquire(handle: int) -> None:
    ends = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        try:
            _try_lock(handle)
            return
        except OSError as error:
            if error.errno in _NO_LOCK_SUPPORT_ERRORS:
                return
            if error.errno not in _LOCK_HELD_ERRORS:
                raise
        if time.monotonic() > ends:
            raise TimeoutError(0, "in use by another program")
        time.sleep(_RETRY_INTERVAL_S)


def rename_damaged_file(path: Path, *companions: Path) -> Path:
    """Rename `path` to `NAME.broken-DATE-TIME`, and its companions with it; returns the new path.

    Raises:
        OSError: the folder may not be written.
    """
    suffix = time.strftime(".broken-%Y%m%d-%H%M%S")
    number = 0
    while (target := path.with_name(f"{path.name}{suffix}{f'-{number}' if number else ''}")).exists():
        number += 1
    path.rename(target)
    for companion in companions:
        if companion.exists():
            companion.rename(target.with_name(target.name + companion.name.removeprefix(path.name)))
    return target


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` in place of the file: whoever reads it, also after a crash, finds the old content or the new.

    Raises:
        OSError: it cannot be written; the old file stands.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


FOLDER_MODE, FILE_MODE = stat.S_IRWXU, stat.S_IRUSR | stat.S_IWUSR


def make_private_folder(folder: Path) -> None:
    """Make a folder of the program's own, and shut it to others; one that is there already is shut too.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    _restrict_access(folder, FOLDER_MODE)


def make_private_file(path: Path) -> None:
    """Make an empty file where there is none, and shut it to others.

    Raises:
        OSError: it cannot be made.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
    _restrict_access(path, FILE_MODE)


def _restrict_access(path: Path, mode: int) -> None:
    """Take rights from others; what is not the user's own, or on a file system without rights, stays as it is."""
    if os.name != "posix":  # a profile's folders are shut there already
        return
    with contextlib.suppress(OSError):
        if stat.S_IMODE(path.stat().st_mode) & ~mode:
            path.chmod(mode)
