"""Private files and folders: atomic writing, locks, renaming of damaged files."""

import contextlib
import errno
import glob
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from browser_app.input_files import check_regular_file

LOCK_TIMEOUT_S = 2.0
"""How long another process may hold a lock; a change takes some milliseconds."""
_RETRY_INTERVAL_S = 0.005
_LOCK_HELD_ERRORS = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""Error codes of POSIX and Windows for a lock that another process holds."""
_NO_LOCK_SUPPORT_ERRORS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""Some network file systems have no locks; there the last writer wins."""

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
    """Hold an exclusive lock between processes.

    `path` is a separate lock file, which is never deleted.

    Raises:
        TimeoutError: another process has held it for `LOCK_TIMEOUT_S`.
        OSError: the lock file cannot be created or locked.
    """
    check_regular_file(path)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire_lock(handle)
        yield
    finally:
        os.close(handle)  # releases the lock


def _acquire_lock(handle: int) -> None:
    deadline = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        try:
            _try_lock(handle)
            return
        except OSError as error:
            if error.errno in _NO_LOCK_SUPPORT_ERRORS:
                return
            if error.errno not in _LOCK_HELD_ERRORS:
                raise
        if time.monotonic() > deadline:
            raise TimeoutError(0, "in use by another program")
        time.sleep(_RETRY_INTERVAL_S)


def rename_damaged_file(path: Path, *companions: Path) -> Path:
    """Rename `path` to `NAME.broken-DATE-TIME`; return the new path.

    A link is renamed, and its target stays unchanged. Its companions are renamed likewise.

    Raises:
        OSError: the folder cannot be written.
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
    """Replace a file by `data`; of a link, replace the target.

    The target of a link keeps its access rights. Readers, even after a crash, find either the old or the new content.

    Raises:
        OSError: it cannot be written; the old file is unchanged. A folder, pipe or device is never replaced.
    """
    target = _follow_link(path)
    check_regular_file(target)
    handle, name = tempfile.mkstemp(prefix=_temporary_prefix(target), dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target != path and target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_temporary_files(path: Path) -> None:
    """Remove what `write_atomically` has left in processes that were killed.

    Hold the file's lock, so that no process is writing it.
    """
    target = _follow_link(path)
    for temporary in target.parent.glob(f"{glob.escape(_temporary_prefix(target))}*"):
        temporary.unlink(missing_ok=True)


def _follow_link(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _temporary_prefix(path: Path) -> str:
    return f".{path.name[:40]}."  # the rest of a long name would make this one too long


FOLDER_MODE, FILE_MODE = stat.S_IRWXU, stat.S_IRUSR | stat.S_IWUSR


def create_private_folder(folder: Path) -> None:
    """Create a folder if missing, and remove access for other users.

    Raises:
        OSError: it cannot be created.
    """
    folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    _restrict_access(folder, FOLDER_MODE)


def create_private_file(path: Path) -> None:
    """Create an empty file if missing, and remove access for other users.

    Raises:
        OSError: it cannot be created.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
    _restrict_access(path, FILE_MODE)


def _restrict_access(path: Path, mode: int) -> None:
    """Remove access rights of other users.

    Files of another owner and file systems without access rights are left unchanged.
    """
    if os.name != "posix":  # on Windows, profile folders are private already
        return
    with contextlib.suppress(OSError):
        if stat.S_IMODE(path.stat().st_mode) & ~mode:
            path.chmod(mode)
