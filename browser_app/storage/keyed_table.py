"""One table of the database whose rows are replaced and deleted by their key."""

import sqlite3
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import Any

from browser_app.storage.database import Database

_Row = Sequence[Any]


class KeyedTable:
    """Reads a whole table and writes single rows of it.

    Used by stores that hold the content in memory.
    """

    def __init__(self, database: Database, name: str, columns: Sequence[str], key: Sequence[str]) -> None:
        """Prepare the statements.

        Rows are tuples of `columns`, keys tuples of `key`, the primary key's columns.
        """
        self._database = database
        values = ", ".join("?" * len(columns))
        self._select = f"SELECT {', '.join(columns)} FROM {name}"  # noqa: S608 (constants only)
        self._insert = f"INSERT OR REPLACE INTO {name} ({', '.join(columns)}) VALUES ({values})"  # noqa: S608
        self._delete = f"DELETE FROM {name} WHERE {' AND '.join(f'{column} = ?' for column in key)}"  # noqa: S608

    def rows(self, order: str = "") -> list[Any]:
        """Return all rows, sorted by the columns `order` if given."""
        return self._database.fetch_all(f"{self._select} ORDER BY {order}" if order else self._select)

    def write(self, rows: Iterable[_Row] = (), deleted_keys: Iterable[_Row] = ()) -> Future[None]:
        """Delete the rows with these keys, then insert or replace rows.

        All in one transaction, which is tried again while the disk refuses it.
        """
        new, deleted = list(rows), list(deleted_keys)

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(self._delete, deleted)
            connection.executemany(self._insert, new)

        return self._database.write(work, retry=True)
