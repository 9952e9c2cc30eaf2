"""Servers that the user has joined, with times and reasons."""

import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from browser_app.catalogue.user_lists import ServerMatcher
from browser_app.protocols.address import Address
from browser_app.storage.checked_rows import MAX_UNIX_TIME, fetch_rows, filter_valid_rows
from browser_app.storage.database import Database

RECENTLY_LEFT_S = 600.0
"""A server counts as recently left for this long, as in NS2's own server browser."""
EARLY_EXIT_S = 10.0
"""A visit that ended sooner was none: the game failed to start or to connect."""
SHORT_VISIT_S, LEFT_EARLY_S = 120.0, 3600.0
"""A server counts as left early, after a visit of at most the first, for the second; as if the user had skipped it."""

_COLUMNS = "joined_at, host, port, name, map, protocol, game, players, ping_ms, score, play_now_reason, left_at"
_INSERT_SQL = f"INSERT INTO visits ({_COLUMNS}) VALUES ({', '.join('?' * 12)})"  # noqa: S608 (constants only)
_TIMES_SQL = f"""SELECT host, port, max(joined_at), coalesce(left_at, joined_at), count(*) FROM visits
    WHERE joined_at BETWEEN -{MAX_UNIX_TIME} AND {MAX_UNIX_TIME}
        AND coalesce(left_at, 0) BETWEEN -{MAX_UNIX_TIME} AND {MAX_UNIX_TIME}
    GROUP BY host, port"""  # noqa: S608 (constants only)
"""Times by server; cells that are no numbers are not between any two."""


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
        rows, unreadable = database.read(_load_times)
        database.report_unreadable("visits", unreadable)
        self._joined_at = {Address(host, port): joined_at for host, port, joined_at, _ in rows}
        self._left_at = {Address(host, port): left_at for host, port, _, left_at in rows}

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

    def match_recently_left(self, now: float) -> ServerMatcher:
        """Return a matcher of servers left within the last `RECENTLY_LEFT_S`.

        A visit whose end is unknown counts from joining.
        """
        addresses = frozenset(
            address for address, left_at in self._left_at.items() if 0 <= now - left_at <= RECENTLY_LEFT_S
        )
        return ServerMatcher(addresses=addresses)

    def match_left_early(self, now: float) -> ServerMatcher:
        """Return a matcher of servers whose last visit was short.

        It lasted at most `SHORT_VISIT_S` and ended at most `LEFT_EARLY_S` ago. A visit whose end is unknown does not
        count.
        """
        return ServerMatcher(
            addresses=frozenset(
                address
                for address, left_at in self._left_at.items()
                if EARLY_EXIT_S <= left_at - self._joined_at[address] <= SHORT_VISIT_S
                and 0 <= now - left_at <= LEFT_EARLY_S
            )
        )

    def load_visits(self, address: Address) -> list[ServerVisit]:
        """Return all visits to one server, newest first."""
        clause = "WHERE host = ? AND port = ? ORDER BY joined_at DESC, id DESC"
        return fetch_rows(
            self._database,
            "visits",
            _COLUMNS.split(", "),
            clause,
            address,
            convert=lambda row: ServerVisit(row[0], Address(*row[1:3]), *row[3:]),
        )


def _load_times(connection: sqlite3.Connection) -> tuple[list[Any], int]:
    """Return host, port and times of each server, and the number of unreadable visits."""
    groups = connection.execute(_TIMES_SQL).fetchall()
    (total,) = connection.execute("SELECT count(*) FROM visits").fetchone()
    columns = ("host", "port", "joined_at", "left_at")
    valid = [group for group in groups if filter_valid_rows([group[:4]], "visits", columns)]
    return [group[:4] for group in valid], total - sum(group[4] for group in valid)
