"""Who the user is in each game: Steam ids, key fingerprints, patterns of names."""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import NamedTuple

from browser_app.storage.database import Database


class KeptIdentity(NamedTuple):
    """One name of the user in a game; what kinds there are, and how a value is written, is for its reader to say."""

    game: str
    kind: str
    value: str


class Identities:
    """The user's identities, first come first: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        query = "SELECT game, kind, value FROM identities ORDER BY added_at, rowid"
        rows = database.rows(query)
        self._all = dict.fromkeys(KeptIdentity(*row) for row in rows)

    def __iter__(self) -> Iterator[KeptIdentity]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)

    def of(self, game: str) -> tuple[KeptIdentity, ...]:
        """Those in one game."""
        return tuple(identity for identity in self._all if identity.game == game)

    def add(self, identity: KeptIdentity) -> Future[None] | None:
        """Add one behind the others; None if it is there already."""
        if identity in self._all:
            return None
        self._all[identity] = None
        row = (*identity, time.time())
        return self._database.execute("INSERT OR IGNORE INTO identities VALUES (?, ?, ?, ?)", row)

    def remove(self, identity: KeptIdentity) -> Future[None]:
        """Forget one."""
        self._all.pop(identity, None)
        return self._database.execute("DELETE FROM identities WHERE game = ? AND kind = ? AND value = ?", identity)
