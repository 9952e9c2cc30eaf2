"""Cache of computed ratings."""

import sqlite3
from concurrent.futures import Future

from browser_app.storage.database import Database


class RatingsCache:
    """Values by keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> bytes | None:
        """Return the value of a key, None if absent."""
        return self._database.read(lambda connection: self.read_value(connection, key))

    @staticmethod
    def read_value(connection: sqlite3.Connection, key: str) -> bytes | None:
        """Return the value of a key like `get`, over an open connection.

        Raises:
            sqlite3.Error: the file cannot be read.
        """
        row = connection.execute("SELECT value FROM ratings_cache WHERE key = ?", (key,)).fetchone()
        return row[0] if row is not None and isinstance(row[0], bytes) else None

    def set(self, key: str, value: bytes) -> Future[None]:
        """Store or replace a value."""
        return self._database.execute("INSERT OR REPLACE INTO ratings_cache VALUES (?, ?)", (key, value))
