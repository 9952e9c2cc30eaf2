"""Servers that the user has joined, with times and reasons."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from browser_app.catalogue.user_lists import ServerMatcher
from browser_app.protocols.address import Address
from browser_app.storage.database import Database

RECENTLY_LEFT_S = 600.0
"""A server counts as recently left for this long, as in NS2's own server browser."""

_COLUMNS = "joined_at, host, port, name, map, protocol, game, players, ping_ms, score, play_now_reason, left_at"
_INSERT_SQL = f"INSERT INTO visits ({_COLUMNS}) VALUES ({', '.join('?' * 12)})"  # noqa: S608 (constants only)
_VISITS_SQL = f"SELECT {_COLUMNS} FROM visits WHERE host = ? AND port = ? ORDER BY joined_at DESC, id DESC"  # noqa: S608 (constants only)


@dataclass(frozen=True, slots=True)
class ServerVisit:
    """One visit, with the server's state at the time of joining."""

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
    play_now_reason: str = ""
    """The reason that Play Now gave, empty if the user chose the server."""
    left_at: float | None = None
    """None until the end of the game has been seen."""


class VisitHistory:
    """The user's visits: times by address in memory, the rest read when needed."""

    def __init__(self, database: Database) -> None:
        """Load the times."""
        self._database = database
        rows = database.fetch_all(
            "SELECT host, port, max(joined_at), coalesce(left_at, joined_at) FROM visits GROUP BY host, port"
        )
        self._joined_at = {Address(host, port): joined for host, port, joined, _ in rows}
        self._left_at = {Address(host, port): left for host, port, _, left in rows}

    def add_visit(self, visit: ServerVisit) -> Future[None]:
        """Add a visit when the server is joined."""
        self._joined_at[visit.address] = visit.joined_at
        self._left_at[visit.address] = visit.joined_at if visit.left_at is None else visit.left_at
        values = (
            visit.joined_at, *visit.address, visit.name, visit.map, visit.protocol, visit.game, visit.players,
            visit.ping_ms, visit.score, visit.play_now_reason, visit.left_at,
        )  # fmt: skip
        return self._database.execute(_INSERT_SQL, values)

    def set_left(self, address: Address, left_at: float) -> Future[None]:
        """Store when the last visit to this server ended (Unix time, s)."""
        self._left_at[address] = left_at
        return self._database.execute(
            "UPDATE visits SET left_at = ? WHERE id ="
            " (SELECT id FROM visits WHERE host = ? AND port = ? ORDER BY id DESC LIMIT 1)",
            (left_at, *address),
        )

    def last_played(self) -> Mapping[Address, float]:
        """Return the Unix time (s) of the last join by address."""
        return dict(self._joined_at)

    def recently_left(self, now: float) -> ServerMatcher:
        """Return a matcher of servers left within the last `RECENTLY_LEFT_S`.

        Servers joined with unknown end count, too.
        """
        recent = frozenset(a for a, left in self._left_at.items() if 0 <= now - left <= RECENTLY_LEFT_S)
        return ServerMatcher(addresses=recent)

    def visits_of(self, address: Address) -> list[ServerVisit]:
        """Return all visits to one server, newest first."""
        rows = self._database.fetch_all(_VISITS_SQL, address)
        return [ServerVisit(joined_at, Address(host, port), *rest) for joined_at, host, port, *rest in rows]
