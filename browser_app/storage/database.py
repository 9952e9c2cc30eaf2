"""SQLite database with one writer thread and readers anywhere.

It is in WAL mode: a killed process loses at most the transaction it was in, never the file.
"""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from browser_app.language import gettext as _
from browser_app.storage.database_schema import create_tables
from browser_app.storage.safe_files import make_private_file, make_private_folder, rename_damaged_file
from browser_app.storage.storage_errors import StorageError, is_corrupt, storage_error_from

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

DATABASE_FILE_NAME = "ready-room.sqlite"
_BUSY_TIMEOUT_S = 5.0
_HEADER_BYTES = 100
"""Bytes; the whole first page is written at once."""
_MAX_CHECKED_BYTES = 64 << 20
"""Files above this many bytes are not checked page by page at the start: it would take longer than starting may."""


class Database:
    """An open database; in memory only where no file can be had.

    Attributes:
        path: the file, None where everything is in memory and gone afterwards.
        notice: what the user should be told about opening it, None if all is well.
        problem: why the last write did not reach the disk, None when it did.
        on_problem: called by the writer thread when `problem` has changed, with the error, or None when all is well.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None, notice: str | None = None) -> None:
        """Take over `connection`, which must be migrated and may be used by any thread. See `open_database`."""
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
        """Have `work` done by the writer thread in a transaction of its own, in the order of the calls.

        The future fails with `StorageError` if the disk does not play along; `problem` then says why, so that callers
        need not wait for it.

        Raises:
            RuntimeError: the database is closed.
        """
        if self._closed:
            raise RuntimeError("the database is closed")
        future: Future[_T] = Future()
        self._queue.put(lambda: self._run_transaction(work, future))
        return future

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Do `work` now, with a connection that can only read and sees every write that is done.

        Raises:
            StorageError: the file cannot be read.
        """
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
        """Read all that a query gives, a tuple a row.

        Raises:
            StorageError: the file cannot be read.
        """
        return self.read(lambda connection: connection.execute(query, values).fetchall())

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Future[None]:
        """Write by one statement; see `write`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        return self.write(work)

    def execute_many(self, statement: str, values: Iterable[Sequence[Any]]) -> Future[None]:
        """Write by one statement for each of `values`: all of them or none; see `write`."""
        rows = list(values)

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(statement, rows)

        return self.write(work)

    def flush(self) -> None:
        """Wait until all writes so far are done."""
        self.write(lambda _connection: None).result()

    def close(self) -> None:
        """Finish all writes and close the file; a second call does nothing."""
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
            told = storage_error_from(error)
            if told is None:
                _log.exception("a write failed by our own mistake")
            else:
                self._set_problem(told)
            future.set_exception(told or error)
        except Exception as error:  # noqa: BLE001 (whatever `work` raises is its caller's)
            future.set_exception(error)
        else:
            self._set_problem(None)
            future.set_result(result)

    def _set_problem(self, error: StorageError | None) -> None:
        problem = None if error is None else str(error)
        if problem != self.problem:
            self.problem = problem
            self.on_problem(error)


def open_database(folder: Path) -> Database:
    """Open the database in `folder`, making both where they are missing. Never fails.

    A damaged file is set aside and a new one begun. Where no file can be written, or a newer program made it,
    everything is kept in memory. `notice` then says so.
    """
    path = folder.absolute() / DATABASE_FILE_NAME
    try:
        make_private_folder(folder)
        try:
            return Database(_open_connection(path), path)
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
            return _start_new_file(path)
    except (sqlite3.Error, OSError, StorageError) as error:
        return Database(_open_in_memory(path), None, _memory_only_notice(path, _format_cause(error)))


def _memory_only_notice(path: Path | None, why: object) -> str:
    return _("{path}: {why}; nothing will be saved this session").format(path=path, why=why)


def _format_cause(error: Exception) -> object:
    """The reason in words for the user."""
    if isinstance(error, OSError):
        return error.strerror or error
    return (storage_error_from(error) or error) if isinstance(error, sqlite3.Error) else error


def reopen_after_error(database: Database, error: StorageError) -> Database:
    """Close a database whose file could be opened but, as `error` says, not read; another one. Never fails.

    A damaged file is set aside and a new one begun. In all other troubles the file stays, and everything is kept in
    memory. `notice` then says so.
    """
    database.close()
    path, cause = database.path, error.__cause__
    reason: Exception = error
    if path is not None and isinstance(cause, sqlite3.Error) and is_corrupt(cause):
        try:
            return _start_new_file(path)
        except (sqlite3.Error, OSError, StorageError) as trouble:
            reason = trouble
    connection = _connect(":memory:")
    create_tables(connection)
    return Database(connection, None, _memory_only_notice(path, reason))


def _start_new_file(path: Path) -> Database:
    aside = rename_damaged_file(path, _sibling_path(path, "-wal"), _sibling_path(path, "-shm"))
    notice = _("{path}: damaged; a new one was created and the old one kept as {name}")
    return Database(_open_connection(path), path, notice.format(path=path, name=aside.name))


def _open_connection(path: Path) -> sqlite3.Connection:
    if _is_truncated(path):
        raise _corruption_error("cut off")
    make_private_file(path)  # the files beside it get the same rights
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
    """Less is left than a database begins with: SQLite would take it for a new one, and throw its log away."""
    if not path.exists():
        return False
    log = _sibling_path(path, "-wal")
    size = path.stat().st_size
    return size < _HEADER_BYTES and (size > 0 or (log.exists() and log.stat().st_size > 0))


def _sibling_path(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Two programs that start at once get in each other's way here, and SQLite does not wait in this one statement."""
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
    """What a file that may not be written holds, as a copy; else empty tables."""
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
