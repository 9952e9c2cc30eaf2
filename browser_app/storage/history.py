"""Which servers the user joined, when, and why they were chosen."""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from browser_app.catalogue.marks import Marks
from browser_app.protocols.address import Address
from browser_app.storage.database import Database

RECENT_S = 600.0
"""Leaving a server counts as recent for so long; the game's own browser does the same."""

_COLUMNS = "joined_at, host, port, name, map, protocol, game, players, ping_ms, score, why, left_at"
_INSERT = f"INSERT INTO joins ({_COLUMNS}) VALUES ({', '.join('?' * 12)})"  # noqa: S608 (constants only)
_AT = f"SELECT {_COLUMNS} FROM joins WHERE host = ? AND port = ? ORDER BY joined_at DESC, id DESC"  # noqa: S608 (constants only)
_LAST = f"SELECT {_COLUMNS} FROM joins ORDER BY joined_at DESC, id DESC LIMIT ?"  # noqa: S608 (constants only)


@dataclass(frozen=True, slots=True)
class Join:
    """One visit, with the facts at the time of joining."""

    joined_at: float
    """Unix time, s."""
    address: Address
    """The query address."""
    name: str
    map: str
    protocol: str | None = None
    game: str | None = None
    players: int | None = None
    ping_ms: float | None = None
    score: float | None = None
    why: str = ""
    """The sentence that Play Now gave, empty where the user chose."""
    left_at: float | None = None
    """None as long as the program has not seen the game end."""


class History:
    """The user's visits: times by address in memory, the rest read when it is shown."""

    def __init__(self, database: Database) -> None:
        """Load the times.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.rows(
            "SELECT host, port, max(joined_at), coalesce(left_at, joined_at) FROM joins GROUP BY host, port"
        )
        self._joined = {Address(host, port): joined for host, port, joined, _ in rows}
        self._left = {Address(host, port): left for host, port, _, left in rows}

    def record_join(self, join: Join) -> Future[None]:
        """Remember a join."""
        self._joined[join.address] = join.joined_at
        self._left[join.address] = join.joined_at if join.left_at is None else join.left_at
        values = (
            join.joined_at, *join.address, join.name, join.map, join.protocol, join.game, join.players,
            join.ping_ms, join.score, join.why, join.left_at,
        )  # fmt: skip
        return self._database.execute(_INSERT, values)

    def record_leave(self, address: Address, left_at: float) -> Future[None]:
        """Remember that the last visit to this server ended."""
        self._left[address] = left_at
        return self._database.execute(
            "UPDATE joins SET left_at = ? WHERE id ="
            " (SELECT id FROM joins WHERE host = ? AND port = ? ORDER BY joined_at DESC LIMIT 1)",
            (left_at, *address),
        )

    def last_played(self) -> Mapping[Address, float]:
        """Unix time of the last join by address."""
        return dict(self._joined)

    def recently_left(self, now: float) -> Marks:
        """Servers left, or joined without a known end, within the last `RECENT_S`."""
        return Marks(addresses=frozenset(a for a, left in self._left.items() if 0 <= now - left <= RECENT_S))

    def last_joins(self, limit: int = 200) -> list[Join]:
        """The last visits, newest first.

        Raises:
            StorageError: the file cannot be read.
        """
        rows = self._database.rows(_LAST, (limit,))
        return _joins(rows)

    def visits(self, address: Address) -> list[Join]:
        """All visits to one server, newest first.

        Raises:
            StorageError: the file cannot be read.
        """
        rows = self._database.rows(_AT, address)
        return _joins(rows)


def _joins(rows: Iterable[tuple[Any, ...]]) -> list[Join]:
    return [Join(joined_at, Address(host, port), *rest) for joined_at, host, port, *rest in rows]
