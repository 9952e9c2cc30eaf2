"""Opening the database's file, checked and recovered, or a copy of it in memory."""

import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

from browser_app.file_errors import file_error_text
from browser_app.input_files import check_regular_file
from browser_app.storage.database_schema import create_tables
from browser_app.storage.safe_files import create_private_file
from browser_app.storage.storage_errors import StorageError

_BUSY_TIMEOUT_S = 5.0
_HEADER_BYTES = 100
"""A shorter file is truncated: SQLite writes the whole first page at once."""
_MAX_CHECKED_BYTES = 64 << 20
"""Larger files (bytes) are not checked page by page when opened, because that would delay the start."""
_MAX_COPIED_BYTES = 256 << 20
"""Larger files (bytes) that cannot be written are read without the changes in their log."""


def open_database_file(path: Path) -> sqlite3.Connection:
    """Open a database for writing, creating or upgrading it.

    Raises:
        sqlite3.Error: it is damaged, or cannot be opened or written.
        OSError: it is no regular file, or cannot be created.
        StorageError: a newer version of the program, or another program, created it.
    """
    _check_files(path)
    if _is_truncated(path):
        raise _create_corruption_error("cut off")
    create_private_file(path)  # -wal and -shm get the same access rights
    connection = connect(str(path))
    try:
        if path.stat().st_size < _MAX_CHECKED_BYTES:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise _create_corruption_error(verdict)
        if path.stat().st_size == 0:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        create_tables(connection)
        _enable_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except BaseException:
        connection.close()
        raise


def _check_files(path: Path) -> None:
    """Check that SQLite will not wait for a pipe or read a device.

    Raises:
        OSError: the database, or one of the files that belong to it, is no regular file.
    """
    real_path = Path(os.path.realpath(path))
    check_regular_file(real_path)
    for sibling in (sibling_path(real_path, suffix) for suffix in ("-wal", "-shm", "-journal")):
        try:
            check_regular_file(sibling)
        except OSError as error:
            raise OSError(error.errno, f"{sibling.name}: {file_error_text(error)}") from None


def _is_truncated(path: Path) -> bool:
    """Return True if less than a file header is left.

    SQLite would treat it as new and discard its WAL.
    """
    if not path.exists():
        return False
    log = sibling_path(Path(os.path.realpath(path)), "-wal")
    size = path.stat().st_size
    return size < _HEADER_BYTES and (size > 0 or _has_content(log))


def sibling_path(path: Path, suffix: str) -> Path:
    """Return the path of a file that SQLite keeps beside the database, such as `-wal`."""
    return path.with_name(path.name + suffix)


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode, with retries.

    SQLite's busy timeout does not cover this statement.
    """
    end_s = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            if time.monotonic() > end_s:
                raise
            time.sleep(0.02)


def copy_to_memory(path: Path) -> tuple[sqlite3.Connection, str]:
    """Copy a file that cannot be written, or make empty tables.

    Returns the connection, and the name of the file whose changes are missing in the copy; empty if it is complete.
    """
    connection, missing_log = connect(":memory:"), ""
    try:
        _check_files(path)
        log = sibling_path(Path(os.path.realpath(path)), "-wal")
        if not _has_content(log) or not _copy_with_log(path, log, connection):
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as source:
                source.backup(connection)
            missing_log = log.name if _has_content(log) else ""
        create_tables(connection)
    except (sqlite3.Error, OSError, StorageError):
        connection.close()
        connection, missing_log = connect(":memory:"), ""
        create_tables(connection)
    return connection, missing_log


def _copy_with_log(path: Path, log: Path, connection: sqlite3.Connection) -> bool:
    """Copy a database with the last changes in its log.

    SQLite reads the log only where it can write. Returns False if there is no space for that anywhere.
    """
    if path.stat().st_size + log.stat().st_size > _MAX_COPIED_BYTES:
        return False
    for parent in (None, "/dev/shm"):  # noqa: S108 (the memory, where the folder for temporary files is full)
        with suppress(OSError, sqlite3.Error), tempfile.TemporaryDirectory(dir=parent) as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, sibling_path(copy, "-wal"))
            with closing(sqlite3.connect(copy)) as source:
                source.backup(connection)
            return True
    return False


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def connect(name: str) -> sqlite3.Connection:
    """Open a file, or `:memory:`, for use in any thread."""
    connection = sqlite3.connect(name, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    connection.text_factory = decode_text
    return connection


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a database for reading, in any thread or process.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_BUSY_TIMEOUT_S)
    connection.text_factory = decode_text
    return connection


def decode_text(data: bytes) -> str | bytes:
    """Return text, or its bytes if it is not UTF-8.

    Without this, `sqlite3` raises an error.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _create_corruption_error(verdict: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(verdict)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error
