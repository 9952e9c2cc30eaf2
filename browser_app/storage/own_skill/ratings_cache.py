"""Cache of finished ratings."""

import sqlite3
from concurrent.futures import Future

from browser_app.storage.database import Database


class RatingsCache:
    """Values by keys such as `ns2/trueskill2/history/STATE`.

    What stands before the last stroke says what a value is of, the rest in which state it was made (parameters,
    identities, rounds, version of the value's form). Of each thing one state is kept: the last that was put.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> bytes | None:
        """The value of that state, None where another one or none is kept.

        Raises:
            StorageError: the file cannot be read.
        """
        return self._database.read(lambda connection: self.read_value(connection, key))

    @staticmethod
    def read_value(connection: sqlite3.Connection, key: str) -> bytes | None:
        """The same over a connection of one's own.

        Raises:
            sqlite3.Error: the file cannot be read.
        """
        row = connection.execute("SELECT value FROM ratings_cache WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def set(self, key: str, value: bytes) -> Future[None]:
        """Keep a value in place of all other states of the same thing.

        Raises:
            ValueError: the key does not say what the value is of.
        """
        thing, stroke, _ = key.rpartition("/")
        if not stroke:
            raise ValueError(f"{key!r} has no state behind a stroke")

        def work(connection: sqlite3.Connection) -> None:
            others = (f"{thing}/", f"{thing}0")  # 0 follows the stroke: all keys that begin with `thing/`
            found = connection.execute("SELECT key FROM ratings_cache WHERE key > ? AND key < ?", others).fetchall()
            for (other,) in found:
                if other.rpartition("/")[0] == thing:
                    connection.execute("DELETE FROM ratings_cache WHERE key = ?", (other,))
            connection.execute("INSERT INTO ratings_cache VALUES (?, ?)", (key, value))

        return self._database.write(work)

    def clear(self) -> Future[None]:
        """Forget all."""
        return self._database.execute("DELETE FROM ratings_cache")
