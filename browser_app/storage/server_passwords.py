"""Passwords of locked servers: the words in the secret store, the list of servers that have one in the database.

A secret store cannot be asked what it holds, and Play Now must know for which servers a password is there.
"""

import sqlite3

from browser_app.catalogue.marks import Marks
from browser_app.protocols.address import Address
from browser_app.storage.database import Database
from browser_app.storage.secrets import Secrets


class ServerPasswords:
    """Saved passwords. Calls that take a server may block as `Secrets` says; `marks` does not."""

    def __init__(self, database: Database, secrets: Secrets) -> None:
        """Load the list.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        self._secrets = secrets
        rows = database.rows("SELECT host, port FROM passwords_saved")
        self._saved = {Address(host, port) for host, port in rows}

    def get(self, address: Address) -> str | None:
        """The password of a server; None where none was saved or the store does not give it."""
        return self._secrets.server_password(address) if address in self._saved else None

    def save(self, address: Address, password: str) -> bool:
        """Keep a password that worked; False where there is no store for it."""
        if not password or not self._secrets.set_server_password(address, password):
            return False
        self._saved.add(address)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO passwords_saved VALUES (?, ?)", address)

        self._database.write(work)
        return True

    def forget(self, address: Address) -> None:
        """Take a password away; nothing happens if there is none."""
        self._secrets.set_server_password(address, None)
        self._saved.discard(address)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM passwords_saved WHERE host = ? AND port = ?", address)

        self._database.write(work)

    def marks(self) -> Marks:
        """The servers with a password, as the catalogue wants them."""
        return Marks(addresses=frozenset(self._saved))
