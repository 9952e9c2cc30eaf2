"""The user's notes about servers."""

import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future

from browser_app.protocols.address import Address
from browser_app.storage.database import Database


class Notes:
    """Notes by address: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.rows("SELECT host, port, text FROM notes")
        self._texts = {Address(host, port): text for host, port, text in rows}

    def all(self) -> Mapping[Address, str]:
        """Every note, as the catalogue wants them."""
        return dict(self._texts)

    def set(self, address: Address, text: str) -> Future[None]:
        """Write a note over the one before; an empty one takes it away."""
        return self.put({address: text})

    def put(self, texts: Mapping[Address, str]) -> Future[None]:
        """Write notes as `set` does; many are written at once."""
        stripped = {address: text.strip() for address, text in texts.items()}
        kept = {address: text for address, text in stripped.items() if text}
        gone = stripped.keys() - kept.keys()
        self._texts = {address: text for address, text in (self._texts | kept).items() if address not in gone}

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM notes WHERE host = ? AND port = ?", gone)
            connection.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", [(*address, text) for address, text in kept.items()]
            )

        return self._database.write(work)
