"""What the user's files tell (names, notes, visits) is for nobody else who uses this machine."""

import contextlib
import os
import stat
from pathlib import Path

FOLDER, FILE = stat.S_IRWXU, stat.S_IRUSR | stat.S_IWUSR


def private_folder(folder: Path) -> None:
    """Make a folder of the program's own, and shut it to others; one that is there already is shut too.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(FOLDER, parents=True, exist_ok=True)
    _shut(folder, FOLDER)


def private_file(path: Path) -> None:
    """Make an empty file where there is none, and shut it to others.

    Raises:
        OSError: it cannot be made.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE))
    _shut(path, FILE)


def _shut(path: Path, mode: int) -> None:
    """Take rights from others; what is not the user's own, or on a file system without rights, stays as it is."""
    if os.name != "posix":  # a profile's folders are shut there already
        return
    with contextlib.suppress(OSError):
        if stat.S_IMODE(path.stat().st_mode) & ~mode:
            path.chmod(mode)
