"""Bounded reading of files that the user or another program supplies.

Opening a named pipe waits for its other end, and a device may never end. So only regular files are opened, and pipes
only where the user may name one.
"""

import errno
import os
import select
import stat
import sys
import time
from io import BufferedReader
from pathlib import Path
from typing import Final

from browser_app.language import gettext as _

PIPE_SILENCE_S: Final = 30.0
"""A pipe that sends nothing for this long counts as stuck."""
PIPE_TIMEOUT_S: Final = 600.0
"""A pipe must have ended after this time."""

_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_BLOCK_BYTES = 1 << 16


def check_regular_file(path: str | Path) -> None:
    """Check that a path is a regular file, without opening it, or does not exist.

    Raises:
        OSError: it is a folder, pipe, socket or device, or cannot be examined.
    """
    try:
        _check_mode(Path(path).stat().st_mode, path)
    except FileNotFoundError:
        return


def open_regular_file(path: str | Path) -> BufferedReader:
    """Open a regular file for reading; never waits.

    Raises:
        OSError: it does not exist, is no regular file, or cannot be opened.
    """
    _check_mode(Path(path).stat().st_mode, path)  # opening a device may already have an effect
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        _check_mode(os.fstat(descriptor).st_mode, path)  # it may have been replaced meanwhile
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular_file(path: str | Path, max_bytes: int) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it does not exist, cannot be read or is larger than `max_bytes`.
    """
    with open_regular_file(path) as file:
        return _check_size(file.read(max_bytes + 1), max_bytes, path)


def is_pipe(path: str | Path) -> bool:
    """Return whether a path is a pipe, such as the output of another command."""
    try:
        return stat.S_ISFIFO(Path(path).stat().st_mode)
    except OSError:
        return False


def read_pipe(path: str | Path, max_bytes: int) -> bytes:
    """Return what a pipe delivers until it ends.

    Raises:
        OSError: it cannot be read, delivers more than `max_bytes`, or nothing for a long time.
    """
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        return _check_size(_read_until_end(descriptor, max_bytes), max_bytes, path)
    finally:
        os.close(descriptor)


def read_file_or_pipe(path: str | Path, max_bytes: int) -> bytes:
    """Return the content of a regular file or a pipe.

    Raises:
        OSError: it is something else, cannot be read or is larger than `max_bytes`.
    """
    return read_pipe(path, max_bytes) if is_pipe(path) else read_regular_file(path, max_bytes)


def _check_mode(mode: int, path: str | Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, _("a pipe or device, not a file"), str(path))


def _check_size(content: bytes, max_bytes: int, path: str | Path) -> bytes:
    if len(content) > max_bytes:
        size = f"{max_bytes >> 20} MiB" if max_bytes >= 1 << 20 else f"{max_bytes >> 10} KiB"
        raise OSError(errno.EFBIG, _("larger than {size}").format(size=size), str(path))
    return content


def _read_until_end(descriptor: int, max_bytes: int) -> bytes:
    content, deadline_s = bytearray(), time.monotonic() + PIPE_TIMEOUT_S
    while len(content) <= max_bytes:
        _wait_for_data(descriptor, deadline_s)
        block = os.read(descriptor, _BLOCK_BYTES)
        if not block:
            break
        content += block
    return bytes(content)


def _wait_for_data(descriptor: int, deadline_s: float) -> None:
    """Wait until a pipe has data or has ended.

    One that nobody has opened for writing yet has neither.
    """
    if sys.platform == "win32":  # there, only sockets can be waited for; reading waits
        return
    poller = select.poll()
    poller.register(descriptor, select.POLLIN | select.POLLHUP)
    remaining_s = min(PIPE_SILENCE_S, deadline_s - time.monotonic())
    if remaining_s <= 0 or not poller.poll(remaining_s * 1000):
        raise TimeoutError(errno.ETIMEDOUT, _("the pipe does not end"))
