"""The SQLite database: one writer thread that owns the only writing connection, and readers anywhere.

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
from browser_app.storage.errors import StorageError, is_broken, known
from browser_app.storage.migrations import migrate
from browser_app.storage.private import private_file, private_folder
from browser_app.storage.set_aside import set_aside

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

FILE_NAME = "ready-room.sqlite"
_BUSY_S = 5.0
_HEADER = 100
"""Bytes; the whole first page is written at once."""
_CHECK_BELOW = 64 << 20
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
        self._thread = threading.Thread(target=self._serve, name="database writer", daemon=True)
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
        self._queue.put(lambda: self._transact(work, future))
        return future

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Do `work` now, with a connection that can only read and sees every write that is done.

        Raises:
            StorageError: the file cannot be read.
        """
        if self.path is None:
            return self.write(work).result()
        try:
            with closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, timeout=_BUSY_S)) as connection:
                return work(connection)
        except sqlite3.Error as error:
            raise known(error) or error from error

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
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

    def _serve(self) -> None:
        while (task := self._queue.get()) is not None:
            task()
        self._connection.close()

    def _transact(self, work: Callable[[sqlite3.Connection], _T], future: Future[_T]) -> None:
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
            told = known(error)
            if told is None:
                _log.exception("a write failed by our own mistake")
            else:
                self._note(told)
            future.set_exception(told or error)
        except Exception as error:  # noqa: BLE001 (whatever `work` raises is its caller's)
            future.set_exception(error)
        else:
            self._note(None)
            future.set_result(result)

    def _note(self, error: StorageError | None) -> None:
        problem = None if error is None else str(error)
        if problem != self.problem:
            self.problem = problem
            self.on_problem(error)


def open_database(folder: Path) -> Database:
    """Open the database in `folder`, making both where they are missing. Never fails.

    A damaged file is set aside and a new one begun. Where no file can be written, or a newer program made it,
    everything is kept in memory. `notice` then says so.
    """
    path = folder.absolute() / FILE_NAME
    try:
        private_folder(folder)
        try:
            return Database(_open(path), path)
        except sqlite3.DatabaseError as error:
            if not is_broken(error):
                raise
            return _begin_anew(path)
    except (sqlite3.Error, OSError, StorageError) as error:
        return Database(_in_memory(path), None, _nothing_kept(path, _why(error)))


def _nothing_kept(path: Path | None, why: object) -> str:
    return _("{path}: {why}; nothing will be kept this time").format(path=path, why=why)


def _why(error: Exception) -> object:
    """The reason in words for the user."""
    if isinstance(error, OSError):
        return error.strerror or error
    return (known(error) or error) if isinstance(error, sqlite3.Error) else error


def open_instead(database: Database, error: StorageError) -> Database:
    """Close a database whose file could be opened but, as `error` says, not read; another one. Never fails.

    A damaged file is set aside and a new one begun. In all other troubles the file stays, and everything is kept in
    memory. `notice` then says so.
    """
    database.close()
    path, cause = database.path, error.__cause__
    reason: Exception = error
    if path is not None and isinstance(cause, sqlite3.Error) and is_broken(cause):
        try:
            return _begin_anew(path)
        except (sqlite3.Error, OSError, StorageError) as trouble:
            reason = trouble
    connection = _connect(":memory:")
    migrate(connection)
    return Database(connection, None, _nothing_kept(path, reason))


def _begin_anew(path: Path) -> Database:
    aside = set_aside(path, _beside(path, "-wal"), _beside(path, "-shm"))
    notice = _("{path}: damaged; a new one was begun and the old one kept as {name}")
    return Database(_open(path), path, notice.format(path=path, name=aside.name))


def _open(path: Path) -> sqlite3.Connection:
    if _is_stump(path):
        raise _damaged("cut off")
    private_file(path)  # the files beside it get the same rights
    connection = _connect(str(path))
    try:
        if path.stat().st_size < _CHECK_BELOW:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise _damaged(verdict)
        migrate(connection)
        _begin_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except BaseException:
        connection.close()
        raise


def _is_stump(path: Path) -> bool:
    """Less is left than a database begins with: SQLite would take it for a new one, and throw its log away."""
    if not path.exists():
        return False
    log = _beside(path, "-wal")
    size = path.stat().st_size
    return size < _HEADER and (size > 0 or (log.exists() and log.stat().st_size > 0))


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _begin_wal(connection: sqlite3.Connection) -> None:
    """Two programs that start at once get in each other's way here, and SQLite does not wait in this one statement."""
    end_s = time.monotonic() + _BUSY_S
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


def _in_memory(path: Path) -> sqlite3.Connection:
    """What a file that may not be written holds, as a copy; else empty tables."""
    connection = _connect(":memory:")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as source:
            source.backup(connection)
        migrate(connection)
    except (sqlite3.Error, StorageError):
        connection.close()
        connection = _connect(":memory:")
        migrate(connection)
    return connection


def _connect(name: str) -> sqlite3.Connection:
    return sqlite3.connect(name, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def _damaged(verdict: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(verdict)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error
