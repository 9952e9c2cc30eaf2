"""What the user's game is told besides, for single servers: arguments of the user's own."""

import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future

from browser_app.launch.arguments import split_arguments
from browser_app.protocols.address import Address
from browser_app.storage.database import Database


class LaunchSettings:
    """Extra arguments by address: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.rows("SELECT host, port, arguments FROM launch_settings")
        self._arguments: dict[Address, str] = {Address(host, port): arguments for host, port, arguments in rows}

    def all(self) -> Mapping[Address, str]:
        """Every server's arguments."""
        return dict(self._arguments)

    def arguments(self, address: Address) -> str:
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
