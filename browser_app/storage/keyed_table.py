"""One table of the database whose rows are replaced and deleted by their key."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from browser_app.storage.checked_rows import fetch_rows
from browser_app.storage.database import Database

_T = TypeVar("_T")
_Row = Sequence[Any]


class KeyedTable:
    """One table of the database, for stores that hold its content in memory."""

    def __init__(self, database: Database, name: str, columns: Sequence[str], key: Sequence[str]) -> None:
        """Prepare the statements.

        Rows are tuples of `columns`, keys tuples of `key`, the primary key's columns.
        """
        self._database, self._name, self._columns = database, name, columns
        values = ", ".join("?" * len(columns))
        self._insert = f"INSERT OR REPLACE INTO {name} ({', '.join(columns)}) VALUES ({values})"  # noqa: S608
        self._delete = f"DELETE FROM {name} WHERE {' AND '.join(f'{column} = ?' for column in key)}"  # noqa: S608

    def load(self, convert: Callable[[Any], _T], order: str = "") -> list[_T]:
        """Return all valid rows, converted, sorted by the columns `order` if given.

        `convert` gets a tuple of the table's columns, and raises `ValueError` for an invalid one.
        """
        clause = f"ORDER BY {order}" if order else ""
        return fetch_rows(self._database, self._name, self._columns, clause, convert=convert)

    def write(self, rows: Iterable[_Row] = (), deleted_keys: Iterable[_Row] = ()) -> Future[None]:
        """Delete the rows with these keys, then add or replace rows, in one transaction.

        It is tried again while the disk refuses it.
        """
        new_rows, removed_keys = list(rows), list(deleted_keys)

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(self._delete, removed_keys)
            connection.executemany(self._insert, new_rows)

        return self._database.write(work, retry=True)
