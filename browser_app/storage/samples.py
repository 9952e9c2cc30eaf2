"""What every answer told, kept: players, bots and ping of each server over time, thinned with age.

The newest samples stand for five minutes, then for an hour, then for a day. The rows are counted, and where they grow
beyond a bound the limits of age come down: the finest, oldest ones go first.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from itertools import groupby
from typing import NamedTuple

from browser_app.catalogue.series import Series
from browser_app.protocols.address import Address
from browser_app.storage.database import Database

FINE_S, HOUR_S, DAY_S = 300, 3600, 86400
"""What one sample stands for."""

KEEP_S: Mapping[int, int] = {FINE_S: 2 * DAY_S, HOUR_S: 60 * DAY_S, DAY_S: 730 * DAY_S}
"""How old samples of each span grow before they are thinned into the next; the last are forgotten."""

MOST_ROWS = 4_000_000
"""About 200 MB."""

_SERVERS_AT_ONCE = 200

_COLUMNS = "span, server, time, asked, answered, players, low, high, bots, ping_ms"
_MERGE = f"""INSERT INTO samples ({_COLUMNS}) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
        asked = asked + 1, answered = answered + excluded.answered,
        players = coalesce((players * answered + excluded.players) / (answered + 1), players, excluded.players),
        low = coalesce(min(low, excluded.low), low, excluded.low),
        high = coalesce(max(high, excluded.high), high, excluded.high),
        bots = coalesce((bots * answered + excluded.bots) / (answered + 1), bots, excluded.bots),
        ping_ms = coalesce((ping_ms * answered + excluded.ping_ms) / (answered + 1), ping_ms, excluded.ping_ms)"""  # noqa: S608
_THIN = f"""INSERT INTO samples ({_COLUMNS})
    SELECT :coarse, server, time / :coarse * :coarse, sum(asked), sum(answered),
        sum(players * answered) / nullif(sum(answered), 0), min(low), max(high),
        sum(bots * answered) / nullif(sum(CASE WHEN bots IS NOT NULL THEN answered END), 0),
        sum(ping_ms * answered) / nullif(sum(CASE WHEN ping_ms IS NOT NULL THEN answered END), 0)
    FROM samples WHERE span = :fine AND server BETWEEN :first AND :last AND time < :before
    GROUP BY server, time / :coarse
    ON CONFLICT DO NOTHING"""  # noqa: S608 (constants only)
_FORGET = "DELETE FROM samples WHERE span = :fine AND server BETWEEN :first AND :last AND time < :before"
_READ = "time, span, CAST(answered AS REAL) / asked, players, low, high, bots, ping_ms"


class Sample(NamedTuple):
    """One answer, or silence: then players, bots and ping are None."""

    address: Address
    time: float
    """Unix time, s."""
    players: int | None
    bots: int | None
    ping_ms: float | None


class Samples:
    """The samples of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, samples: Iterable[Sample]) -> Future[None]:
        """Keep these; several of one server within five minutes become one."""
        rows = list(samples)

        def work(connection: sqlite3.Connection) -> None:
            ids = _ids(connection, {sample.address for sample in rows})
            connection.executemany(_MERGE, [_row(ids[sample.address], sample) for sample in rows])

        return self._database.write(work)

    def thin(self, now: float, most_rows: int = MOST_ROWS) -> None:
        """Thin what is old. Waits for the writer between short transactions, so call it from a worker thread.

        Raises:
            StorageError: the file cannot be written.
        """
        for halvings in range(16):
            for fine, coarse in ((FINE_S, HOUR_S), (HOUR_S, DAY_S), (DAY_S, None)):
                before = (now - KEEP_S[fine] / 2**halvings) // DAY_S * DAY_S  # whole days, thinned once
                self._thin(fine, coarse, int(before))
            if self.count() <= most_rows:
                return

    def _thin(self, fine: int, coarse: int | None, before: int) -> None:
        (last,) = self._database.read(lambda c: c.execute("SELECT coalesce(max(id), 0) FROM sampled").fetchone())
        for first in range(1, last + 1, _SERVERS_AT_ONCE):
            values = {"fine": fine, "coarse": coarse, "before": before}
            values |= {"first": first, "last": first + _SERVERS_AT_ONCE - 1}

            def work(connection: sqlite3.Connection, values: Mapping[str, int | None] = values) -> None:
                if values["coarse"] is not None:
                    connection.execute(_THIN, values)
                connection.execute(_FORGET, values)

            self._database.write(work).result()

    def count(self) -> int:
        """How many rows there are; some 50 bytes each.

        Raises:
            StorageError: the file cannot be read.
        """
        (rows,) = self._database.read(lambda c: c.execute("SELECT count(*) FROM samples").fetchone())
        return int(rows)

    def series(self, address: Address, since: float = 0.0) -> Series:
        """All samples of a server from a time on.

        Raises:
            StorageError: the file cannot be read.
        """
        query = f"""SELECT {_READ} FROM sampled JOIN samples ON server = id
            WHERE host = ? AND port = ? AND time >= ? ORDER BY time, span DESC"""  # noqa: S608 (constants only)
        return Series.of_rows(self._database.read(lambda c: c.execute(query, (*address, since)).fetchall()))

    def recent(self, since: float) -> dict[Address, Series]:
        """The fine samples of every server from a time on.

        Raises:
            StorageError: the file cannot be read.
        """
        query = f"""SELECT host, port, {_READ} FROM sampled
            CROSS JOIN samples ON server = id AND span = {FINE_S} AND time >= ? ORDER BY id, time"""  # noqa: S608
        rows: Sequence[tuple[object, ...]] = self._database.read(lambda c: c.execute(query, (since,)).fetchall())
        return {
            Address(str(host), int(str(port))): Series.of_rows([row[2:] for row in of_server])  # type: ignore[misc]
            for (host, port), of_server in groupby(rows, key=lambda row: row[:2])
        }


def _ids(connection: sqlite3.Connection, addresses: Iterable[Address]) -> dict[Address, int]:
    wanted = list(addresses)
    connection.executemany("INSERT OR IGNORE INTO sampled (host, port) VALUES (?, ?)", wanted)
    find = "SELECT id FROM sampled WHERE host = ? AND port = ?"
    return {address: connection.execute(find, address).fetchone()[0] for address in wanted}


def _row(server: int, sample: Sample) -> tuple[object, ...]:
    players = sample.players
    return (
        FINE_S, server, int(sample.time) // FINE_S * FINE_S, players is not None,
        players, players, players, sample.bots, sample.ping_ms,
    )  # fmt: skip
