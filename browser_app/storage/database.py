"""SQLite database with one writer thread and readers in any thread.

It uses WAL mode: a killed process loses at most its current transaction, never the file.
"""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from browser_app.language import gettext as _
from browser_app.storage.database_schema import create_tables
from browser_app.storage.safe_files import make_private_file, make_private_folder, rename_damaged_file
from browser_app.storage.storage_errors import DatabaseClosedError, StorageError, is_corrupt, storage_error_from

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

DATABASE_FILE_NAME = "ready-room.sqlite"
_BUSY_TIMEOUT_S = 5.0
_HEADER_BYTES = 100
"""A shorter file is truncated: SQLite writes the whole first page at once."""
_MAX_CHECKED_BYTES = 64 << 20
"""Larger files (bytes) are not checked page by page when opened, because that would delay the start."""


class Database:
    """An open database, in memory only if no file can be used.

    Attributes:
        path: the file; None if everything is in memory and lost at the end.
        notice: message for the user about opening it, None if all is well.
        problem: why the last write did not reach the disk, None if it did.
        on_problem: called by the writer thread when `problem` changes, with the error, or None when writing works
            again.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None, notice: str | None = None) -> None:
        """Take over `connection`; see `open_database`.

        It must have the tables and be usable by any thread.
        """
        self.path = path
        self.notice = notice
        self.problem: str | None = None
        self.on_problem: Callable[[StorageError | None], object] = lambda _error: None
        self._connection = connection
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run_writer, name="database writer", daemon=True)
        self._thread.start()

    def write(self, work: Callable[[sqlite3.Connection], _T]) -> Future[_T]:
        """Queue `work` for the writer thread.

        It runs each call in its own transaction, in order.

        On a disk error the future fails with `StorageError` and `problem` is set, so callers need not wait for it.

        Raises:
            DatabaseClosedError: it came after `close`.
        """
        if self._closed:
            raise DatabaseClosedError("the database is closed")
        future: Future[_T] = Future()
        self._queue.put(lambda: self._run_transaction(work, future))
        return future

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` now with a read-only connection, which sees every finished write."""
        if self.path is None:
            return self.write(work).result()
        try:
            with closing(
                sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, timeout=_BUSY_TIMEOUT_S)
            ) as connection:
                return work(connection)
        except sqlite3.Error as error:
            raise storage_error_from(error) or error from error

    def fetch_all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query as tuples."""
        return self.read(lambda connection: connection.execute(query, values).fetchall())

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Future[None]:
        """Queue one statement as a write; see `write`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        return self.write(work)

    def flush(self) -> None:
        """Wait until all queued writes are done."""
        self.write(lambda _connection: None).result()

    def close(self) -> None:
        """Finish all writes and close the file; further calls do nothing."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    def _run_writer(self) -> None:
        while (task := self._queue.get()) is not None:
            task()
        self._connection.close()

    def _run_transaction(self, work: Callable[[sqlite3.Connection], _T], future: Future[_T]) -> None:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            storage_error = storage_error_from(error)
            if storage_error is None:
                _log.exception("a write failed because of a programming error")
            else:
                self._set_problem(storage_error)
            future.set_exception(storage_error or error)
        except Exception as error:  # noqa: BLE001 (errors raised by `work` belong to its caller)
            future.set_exception(error)
        else:
            self._set_problem(None)
            future.set_result(result)

    def _set_problem(self, error: StorageError | None) -> None:
        problem = None if error is None else str(error)
        if problem != self.problem:
            self.problem = problem
            _log.info("writing: %s", problem or "works again")
            self.on_problem(error)


def open_database(folder: Path) -> Database:
    """Open the database in `folder`, creating both if missing. Never fails.

    A damaged file is renamed and replaced by a new one. If no file can be written, or another version or program
    created it, everything is kept in memory. `notice` then says so.
    """
    path = folder.absolute() / DATABASE_FILE_NAME
    try:
        make_private_folder(folder)
        try:
            database = Database(_open_connection(path), path)
            _log.info("Opened %s", path)
            return database
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
            return _start_new_file(path)
    except (sqlite3.Error, OSError, StorageError) as error:
        return Database(_open_in_memory(path), None, _memory_only_notice(path, _format_cause(error)))


def _memory_only_notice(path: Path | None, why: object) -> str:
    _log.info("%s: %s; using memory", path, why)
    return _("{path}: {why}; nothing will be saved this session").format(path=path, why=why)


def _format_cause(error: Exception) -> object:
    if isinstance(error, OSError):
        return error.strerror or error
    return (storage_error_from(error) or error) if isinstance(error, sqlite3.Error) else error


def reopen_after_error(database: Database, error: StorageError) -> Database:
    """Replace a database that could be opened but not read.

    `error` says why it could not. Never fails.

    A damaged file is renamed and replaced by a new one. After any other error the file is left unchanged and everything
    is kept in memory. `notice` then says so.
    """
    database.close()
    path, cause = database.path, error.__cause__
    reason: Exception = error
    if path is not None and isinstance(cause, sqlite3.Error) and is_corrupt(cause):
        try:
            return _start_new_file(path)
        except (sqlite3.Error, OSError, StorageError) as renaming_error:
            reason = renaming_error
    connection = _connect(":memory:")
    create_tables(connection)
    return Database(connection, None, _memory_only_notice(path, reason))


def _start_new_file(path: Path) -> Database:
    renamed = rename_damaged_file(path, _sibling_path(path, "-wal"), _sibling_path(path, "-shm"))
    _log.info("%s is damaged, renamed to %s", path, renamed.name)
    notice = _("{path}: damaged; a new one was created and the old one kept as {name}")
    return Database(_open_connection(path), path, notice.format(path=path, name=renamed.name))


def _open_connection(path: Path) -> sqlite3.Connection:
    if _is_truncated(path):
        raise _corruption_error("cut off")
    make_private_file(path)  # -wal and -shm get the same access rights
    connection = _connect(str(path))
    try:
        if path.stat().st_size < _MAX_CHECKED_BYTES:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise _corruption_error(verdict)
        create_tables(connection)
        _enable_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except BaseException:
        connection.close()
        raise


def _is_truncated(path: Path) -> bool:
    """Return True if less than a file header is left.

    SQLite would treat it as new and discard its WAL.
    """
    if not path.exists():
        return False
    log = _sibling_path(path, "-wal")
    size = path.stat().st_size
    return size < _HEADER_BYTES and (size > 0 or (log.exists() and log.stat().st_size > 0))


def _sibling_path(path: Path, suffix: str) -> Path:
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


def _open_in_memory(path: Path) -> sqlite3.Connection:
    """Return an in-memory copy of a file that cannot be written, or empty tables."""
    connection = _connect(":memory:")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as source:
            source.backup(connection)
        create_tables(connection)
    except (sqlite3.Error, StorageError):
        connection.close()
        connection = _connect(":memory:")
        create_tables(connection)
    return connection


def _connect(name: str) -> sqlite3.Connection:
    return sqlite3.connect(name, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)


def _corruption_error(verdict: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(verdict)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error
