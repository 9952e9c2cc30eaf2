"""The user's notes and launch arguments for single servers."""

import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future

from browser_app.launch.launch_arguments import split_arguments
from browser_app.protocols.address import Address
from browser_app.storage.database import Database


class LaunchArgumentStore:
    """Extra arguments by address: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.fetch_all("SELECT host, port, arguments FROM launch_settings")
        self._arguments: dict[Address, str] = {Address(host, port): arguments for host, port, arguments in rows}

    def all(self) -> Mapping[Address, str]:
        """Every server's arguments."""
        return dict(self._arguments)

    def arguments_of(self, address: Address) -> str:
        """As the user wrote them; empty for none."""
        return self._arguments.get(address, "")

    def set_arguments(self, address: Address, arguments: str) -> Future[None]:
        """Write them over those before; empty ones are taken away.

        Raises:
            LaunchError: no game can be told these.
        """
        arguments = arguments.strip()
        split_arguments(arguments)
        if arguments:
            self._arguments[address] = arguments
        else:
            self._arguments.pop(address, None)

        def work(connection: sqlite3.Connection) -> None:
            if arguments:
                connection.execute("INSERT OR REPLACE INTO launch_settings VALUES (?, ?, ?)", (*address, arguments))
            else:
                connection.execute("DELETE FROM launch_settings WHERE host = ? AND port = ?", address)

        return self._database.write(work)


class NoteStore:
    """Notes by address: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.fetch_all("SELECT host, port, text FROM notes")
        self._texts = {Address(host, port): text for host, port, text in rows}

    def all(self) -> Mapping[Address, str]:
        """Every note, as the catalogue wants them."""
        return dict(self._texts)

    def set(self, address: Address, text: str) -> Future[None]:
        """Write a note over the one before; an empty one takes it away."""
        return self.set_all({address: text})

    def set_all(self, texts: Mapping[Address, str]) -> Future[None]:
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
