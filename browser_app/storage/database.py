"""SQLite database with one writer thread and readers in any thread.

It uses WAL mode: a killed process loses at most its current transaction, never the file.
"""

import logging
import queue
import shutil
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from browser_app.file_errors import file_error_text
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.storage.database_file import (
    connect,
    copy_to_memory,
    open_database_file,
    open_read_only,
    sibling_path,
)
from browser_app.storage.database_schema import create_tables
from browser_app.storage.safe_files import create_private_folder, rename_damaged_file
from browser_app.storage.storage_errors import (
    DatabaseClosedError,
    StorageError,
    convert_sqlite_error,
    get_primary_code,
    is_corrupt,
)

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

DATABASE_FILE_NAME = "ready-room.sqlite"
_MIN_FREE_BYTES = 64 << 10
"""Free space that opening a database needs."""
MAX_UNSAVED_WRITES = 10_000
"""Of the changes that a failing disk refuses, older ones are given up."""
RETRY_INTERVAL_S = 15.0
"""They are tried again after this time, before the next write and when the database is closed."""


class Database:
    """An open database, in memory while no file can be used.

    Attributes:
        path: the file; None while everything is in memory.
        notice: message for the user about opening it, None if all is well.
        problem: why the last write did not reach the disk, None if it did.
        on_problem: called by the writer thread when `problem` changes, with the error, or None when writing works
            again.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path | None,
        notice: str | None = None,
        unusable_path: Path | None = None,
    ) -> None:
        """Take over `connection`; see `open_database`.

        It must have the tables and be usable by any thread. `unusable_path` is a file that the changes go to as soon as
        it can be opened.
        """
        self.path = path
        self.notice = notice
        self._unusable_path = unusable_path
        self._unsaved: deque[Callable[[sqlite3.Connection], object]] = deque(maxlen=MAX_UNSAVED_WRITES)
        self._retry_at_s = 0.0
        """When they are due, on the monotonic clock."""
        self.problem: str | None = None
        self.on_problem: Callable[[StorageError | None], object] = lambda _error: None
        self._unreadable_rows: dict[str, int] = {}
        self._connection = connection
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run_writer, name="database writer", daemon=True)
        self._thread.start()

    def write(self, work: Callable[[sqlite3.Connection], _T], *, retry: bool = False) -> Future[_T]:
        """Queue `work` for the writer thread, which runs each call in a transaction.

        On a disk error the future fails with `StorageError` and `problem` is set, so callers need not wait for it. With
        `retry`, `work` is called again until it succeeds or the database is closed.

        Raises:
            DatabaseClosedError: it came after `close`.
        """
        if self._closed:
            raise DatabaseClosedError("the database is closed")
        future: Future[_T] = Future()
        self._queue.put(lambda: self._run_transaction(work, future, retry=retry))
        return future

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` now with a read-only connection, which sees every finished write."""
        if self.path is None:
            return self.write(work).result()
        try:
            with closing(open_read_only(self.path)) as connection:
                return work(connection)
        except sqlite3.Error as error:
            raise convert_sqlite_error(error) or error from error

    def fetch_all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query as tuples."""
        return self.read(lambda connection: connection.execute(query, values).fetchall())

    def report_unreadable(self, table: str, rows: int) -> None:
        """Log and count rows of a table that could not be read, for `unreadable_texts`."""
        if rows > self._unreadable_rows.get(table, 0):
            self._unreadable_rows[table] = rows
            _log.info("%s", _format_unreadable(table, rows))

    @property
    def unreadable_texts(self) -> list[str]:
        """Messages for the user about rows that could not be read, one for each table."""
        return [_format_unreadable(table, rows) for table, rows in self._unreadable_rows.items()]

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Future[None]:
        """Queue one statement as a write that is tried again; see `write`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        return self.write(work, retry=True)

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
        while (task := self._wait_for_task()) is not None:
            task()
        self._retry_unsaved()
        self._connection.close()

    def _wait_for_task(self) -> Callable[[], None] | None:
        """Wait for the next task, and try the unsaved changes again when that is due."""
        while True:
            wait_s = max(0.0, self._retry_at_s - time.monotonic()) if self._unsaved else None
            try:
                return self._queue.get(timeout=wait_s)
            except queue.Empty:
                self._retry_unsaved()
                self._retry_at_s = time.monotonic() + RETRY_INTERVAL_S

    def _queue_unsaved(self, work: Callable[[sqlite3.Connection], object]) -> None:
        if not self._unsaved:
            self._retry_at_s = time.monotonic() + RETRY_INTERVAL_S
        self._unsaved.append(work)

    def _run_transaction(self, work: Callable[[sqlite3.Connection], _T], future: Future[_T], *, retry: bool) -> None:
        try:
            self._save_unsaved_first(required=retry)
            result = _run_in_transaction(self._connection, work)
        except sqlite3.Error as error:
            storage_error = convert_sqlite_error(error)
            if storage_error is None:
                _log.exception("a write failed because of a programming error")
            else:
                self._set_problem(storage_error)
                if retry:
                    self._queue_unsaved(work)
            future.set_exception(storage_error or error)
        except Exception as error:  # noqa: BLE001 (errors raised by `work` belong to its caller)
            future.set_exception(error)
        else:
            if retry and self._unusable_path is not None:
                self._queue_unsaved(work)
            if self.path is None or not self._unsaved:
                self._set_problem(None)
            future.set_result(result)

    def _save_unsaved_first(self, *, required: bool) -> None:
        """Write the unsaved changes before a new one.

        Raises:
            sqlite3.Error: `required`, so that changes stay in order, and the disk refuses it again.
        """
        try:
            if self.path is not None:
                self._save_unsaved()
        except sqlite3.Error:
            if required:
                raise

    def _save_unsaved(self) -> None:
        """Write what the disk has refused before, oldest first.

        Raises:
            sqlite3.Error: the disk refuses it again.
        """
        while self._unsaved:
            try:
                _run_in_transaction(self._connection, self._unsaved[0])
            except Exception as error:
                if isinstance(error, sqlite3.Error) and convert_sqlite_error(error) is not None:
                    raise
                _log.exception("an unsaved write failed because of a programming error")
            self._unsaved.popleft()

    def _retry_unsaved(self) -> None:
        if not self._unsaved:
            return
        was_in_memory = self.path is None
        with suppress(sqlite3.Error, OSError, StorageError):
            if self._unusable_path is not None:
                self._move_to_file(self._unusable_path)
            self._save_unsaved()
            self._set_problem(None)
            if was_in_memory:
                self.on_problem(None)

    def _move_to_file(self, path: Path) -> None:
        """Replace the memory by the file, which lacks the unsaved changes.

        Raises:
            sqlite3.Error, OSError, StorageError: it still cannot be opened.
        """
        create_private_folder(path.parent)
        connection = open_database_file(path)
        self._connection.close()
        self._connection, self.path, self._unusable_path, self.notice = connection, path, None, None
        _log.info("Opened %s, which could not be used before", path)

    def _set_problem(self, error: StorageError | None) -> None:
        problem = None if error is None else str(error)
        if problem != self.problem:
            self.problem = problem
            _log.info("writing: %s", problem or "works again")
            self.on_problem(error)


def _format_unreadable(table: str, rows: int) -> str:
    text = ngettext(
        "database: {n} row of the table {table} cannot be read and is left out; it stays in the file",
        "database: {n} rows of the table {table} cannot be read and are left out; they stay in the file",
        rows,
    )
    return text.format(n=rows, table=table)


def _run_in_transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], _T]) -> _T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def open_database(folder: Path) -> Database:
    """Open the database in `folder`, creating both if missing. Never fails.

    A damaged file is renamed and replaced by a new one. If no file can be written, or another version or program
    created it, everything is kept in memory until that changes. `notice` then says so.
    """
    path = folder.absolute() / DATABASE_FILE_NAME
    try:
        create_private_folder(folder)
        try:
            database = Database(open_database_file(path), path)
            _log.info("Opened %s", path)
            return database
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
            return _start_new_file(path)
    except (sqlite3.Error, OSError, StorageError) as error:
        connection, missing_log = copy_to_memory(path)
        return Database(connection, None, _format_memory_notice(path, _format_cause(error, path), missing_log), path)


def _format_memory_notice(path: Path | None, cause: object, missing_log: str = "") -> str:
    _log.info("%s: %s; using memory", path, cause)
    if missing_log:
        text = _(
            "{path}: {why}; nothing is saved until this is fixed. The last changes are safe in {name}, but not shown"
        )
        return text.format(path=path, why=cause, name=missing_log)
    return _("{path}: {why}; nothing is saved until this is fixed").format(path=path, why=cause)


def _format_cause(error: Exception, path: Path) -> object:
    """Return why a file could not be opened.

    SQLite reports a full disk as a disk error if it cannot create its shared memory file.
    """
    if isinstance(error, OSError):
        return file_error_text(error)
    if not isinstance(error, sqlite3.Error):
        return error
    if get_primary_code(error) == sqlite3.SQLITE_IOERR and shutil.disk_usage(path.parent).free < _MIN_FREE_BYTES:
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return convert_sqlite_error(error) or error


def reopen_after_error(database: Database, error: StorageError) -> Database:
    """Replace a database that could be opened but not read, because of `error`.

    Never fails. A damaged file is renamed and replaced by a new one. After any other error the file is left unchanged
    and everything is kept in memory. `notice` then says so.
    """
    database.close()
    path, cause = database.path, error.__cause__
    reason: Exception = error
    if path is not None and isinstance(cause, sqlite3.Error) and is_corrupt(cause):
        try:
            return _start_new_file(path)
        except (sqlite3.Error, OSError, StorageError) as renaming_error:
            reason = renaming_error
    connection = connect(":memory:")
    create_tables(connection)
    return Database(connection, None, _format_memory_notice(path, reason))


def _start_new_file(path: Path) -> Database:
    renamed = rename_damaged_file(path, sibling_path(path, "-wal"), sibling_path(path, "-shm"))
    _log.info("%s is damaged, renamed to %s", path, renamed.name)
    notice = _("{path}: damaged; a new one was created and the old one kept as {name}")
    return Database(open_database_file(path), path, notice.format(path=path, name=renamed.name))
