"""Cache of computed ratings."""

import sqlite3
from concurrent.futures import Future

from browser_app.storage.database import Database


class RatingsCache:
    """Values by keys of the form `SUBJECT/STATE`, such as `ns2/trueskill2/history/STATE`.

    The state covers parameters, identities, rounds and the version of the value's format. Only the last state of each
    subject is kept.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> bytes | None:
        """Return the value of a key, None if absent or of another state."""
        return self._database.read(lambda connection: self.read_value(connection, key))

    @staticmethod
    def read_value(connection: sqlite3.Connection, key: str) -> bytes | None:
        """Return the value of a key like `get`, over an open connection.

        Raises:
            sqlite3.Error: the file cannot be read.
        """
        row = connection.execute("SELECT value FROM ratings_cache WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def set(self, key: str, value: bytes) -> Future[None]:
        """Store a value, replacing all other states of the same subject.

        Raises:
            ValueError: the key has no subject.
        """
        subject, slash, _ = key.rpartition("/")
        if not slash:
            raise ValueError(f"{key!r} is not of the form SUBJECT/STATE")

        def work(connection: sqlite3.Connection) -> None:
            others = (f"{subject}/", f"{subject}0")  # "0" follows "/" in ASCII: all keys that begin with `subject/`
            found = connection.execute("SELECT key FROM ratings_cache WHERE key > ? AND key < ?", others).fetchall()
            for (other,) in found:
                if other.rpartition("/")[0] == subject:
                    connection.execute("DELETE FROM ratings_cache WHERE key = ?", (other,))
            connection.execute("INSERT INTO ratings_cache VALUES (?, ?)", (key, value))

        return self._database.write(work)

    def clear(self) -> Future[None]:
        """Remove all values."""
        return self._database.execute("DELETE FROM ratings_cache")
