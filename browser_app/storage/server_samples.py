"""Players, bots and ping of each server over time, thinned with age.

The newest samples stand for five minutes, then for an hour, then for a day. The rows are counted, and where they grow
beyond a bound the limits of age come down: the finest, oldest ones go first.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from itertools import islice
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue_columns import Floats
from browser_app.catalogue.sample_series import SampleSeries
from browser_app.protocols.address import Address
from browser_app.storage.database import Database

FINE_SPAN_S, HOUR_SPAN_S, DAY_SPAN_S = 300, 3600, 86400
"""What one sample stands for."""

MAX_AGE_BY_SPAN_S: Mapping[int, int] = {
    FINE_SPAN_S: 2 * DAY_SPAN_S,
    HOUR_SPAN_S: 60 * DAY_SPAN_S,
    DAY_SPAN_S: 730 * DAY_SPAN_S,
}
"""How old samples of each span grow before they are thinned into the next; the last are forgotten."""

ROWS_PER_MEGABYTE = 20_000
"""A row takes some 50 bytes."""
MAX_SAMPLE_ROWS = 200 * ROWS_PER_MEGABYTE

SeriesBatches = Callable[[float], Iterable[Mapping[Address, SampleSeries]]]
"""Tells what servers have been through up to a time (Unix time, s), in portions."""

_SERVERS_PER_TRANSACTION = 200
_ROWS_PER_FETCH = 2000
_ROWS_PER_STATEMENT = 500
"""As one JSON text: a statement for each row would take the interpreter from the window thousands of times."""

_COLUMNS = "span, server, time, queries, replies, players, low, high, bots, ping_ms"
_FIELDS = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(10))
_INSERT_FROM_JSON = f"INTO samples ({_COLUMNS}) SELECT {_FIELDS} FROM json_each(?) WHERE true"  # noqa: S608 (constants only)
_INSERT_SERVERS_SQL = """INSERT OR IGNORE INTO sampled_servers (host, port)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)"""
_SERVER_IDS_SQL = """SELECT json_group_array(id) FROM (SELECT sampled_servers.id AS id FROM json_each(?)
    CROSS JOIN sampled_servers ON host = json_extract(value, '$[0]') AND port = json_extract(value, '$[1]')
    ORDER BY key)"""
_MERGE_SQL = f"""INSERT {_INSERT_FROM_JSON} ON CONFLICT DO UPDATE SET
        queries = queries + 1, replies = replies + excluded.replies,
        players = coalesce((players * replies + excluded.players) / (replies + 1), players, excluded.players),
        low = coalesce(min(low, excluded.low), low, excluded.low),
        high = coalesce(max(high, excluded.high), high, excluded.high),
        bots = coalesce((bots * replies + excluded.bots) / (replies + 1), bots, excluded.bots),
        ping_ms = coalesce((ping_ms * replies + excluded.ping_ms) / (replies + 1), ping_ms, excluded.ping_ms)"""
_THIN_SQL = f"""INSERT INTO samples ({_COLUMNS})
    SELECT :coarse, server, time / :coarse * :coarse, sum(queries), sum(replies),
        sum(players * replies) / nullif(sum(replies), 0), min(low), max(high),
        sum(bots * replies) / nullif(sum(CASE WHEN bots IS NOT NULL THEN replies END), 0),
        sum(ping_ms * replies) / nullif(sum(CASE WHEN ping_ms IS NOT NULL THEN replies END), 0)
    FROM samples WHERE span = :fine AND server BETWEEN :first AND :last AND time < :before
    GROUP BY server, time / :coarse
    ON CONFLICT DO NOTHING"""  # noqa: S608 (constants only)
_INSERT_SQL = f"INSERT OR IGNORE {_INSERT_FROM_JSON}"
_DELETE_SQL = "DELETE FROM samples WHERE span = :fine AND server BETWEEN :first AND :last AND time < :before"
_SERIES_COLUMNS = "time, span, CAST(replies AS REAL) / queries, players, low, high, bots, ping_ms"


class ServerSample(NamedTuple):
    """One answer, or silence: then players, bots and ping are None."""

    address: Address
    time: float
    """Unix time, s."""
    players: int | None
    bots: int | None
    ping_ms: float | None


class ServerSampleStore:
    """The samples of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._id_by_address: dict[Address, int] = {}
        """Of servers whose rows are on the disk; the writer thread's own."""

    def add(self, samples: Iterable[ServerSample]) -> Future[None]:
        """Keep these; several of one server within five minutes become one. The writer's thread goes through them."""

        def work(connection: sqlite3.Connection) -> dict[Address, int]:
            rows = list(samples)
            found = self._server_ids(connection, {sample.address for sample in rows})
            _execute_in_batches(connection, _MERGE_SQL, (_sample_row(found[sample.address], sample) for sample in rows))
            return found

        return self._write_and_cache_ids(work)

    def add_series(self, past: Mapping[Address, SampleSeries]) -> Future[None]:
        """Keep whole series of servers, where there is nothing yet of the same span and time."""

        def work(connection: sqlite3.Connection) -> dict[Address, int]:
            found = self._server_ids(connection, past)
            for address, series in past.items():
                _execute_in_batches(connection, _INSERT_SQL, _series_rows(found[address], series))
            return found

        return self._write_and_cache_ids(work)

    def _server_ids(self, connection: sqlite3.Connection, addresses: Iterable[Address]) -> dict[Address, int]:
        """The servers' numbers; called by the writer thread."""
        found = {address: self._id_by_address.get(address, 0) for address in addresses}
        new = [address for address, number in found.items() if not number]
        for first in range(0, len(new), _ROWS_PER_STATEMENT):
            some = new[first : first + _ROWS_PER_STATEMENT]
            text = json.dumps(some)
            connection.execute(_INSERT_SERVERS_SQL, (text,))
            found |= zip(some, json.loads(connection.execute(_SERVER_IDS_SQL, (text,)).fetchone()[0]), strict=True)
        return found

    def _write_and_cache_ids(self, work: Callable[[sqlite3.Connection], dict[Address, int]]) -> Future[None]:
        """Have `work` done; the numbers it found are known from then on, but not where its transaction failed."""
        done: Future[None] = Future()

        def note(written: Future[dict[Address, int]]) -> None:
            error = written.exception()
            if error is not None:
                done.set_exception(error)
                return
            self._id_by_address.update(written.result())
            done.set_result(None)

        self._database.write(work).add_done_callback(note)
        return done

    def thin(
        self, now: float, max_rows: int = MAX_SAMPLE_ROWS, should_continue: Callable[[], bool] = lambda: True
    ) -> int:
        """Thin what is old; how many rows are left.

        Waits for the writer between short transactions, so call it from a worker thread.
        Ends early as soon as `should_continue` says no; what is thinned until then stays so.

        Raises:
            StorageError: the file cannot be written.
        """
        for halvings in range(16):
            for fine, coarse in ((FINE_SPAN_S, HOUR_SPAN_S), (HOUR_SPAN_S, DAY_SPAN_S), (DAY_SPAN_S, None)):
                before = (
                    (now - MAX_AGE_BY_SPAN_S[fine] / 2**halvings) // DAY_SPAN_S * DAY_SPAN_S
                )  # whole days, thinned once
                self._thin_span(fine, coarse, int(before), should_continue)
            rows = self.row_count()
            if not should_continue() or rows <= max_rows:
                break
        return rows

    def _thin_span(self, fine: int, coarse: int | None, before: int, should_continue: Callable[[], bool]) -> None:
        (last,) = self._database.read(
            lambda c: c.execute("SELECT coalesce(max(id), 0) FROM sampled_servers").fetchone()
        )
        for first in range(1, last + 1, _SERVERS_PER_TRANSACTION):
            values = {"fine": fine, "coarse": coarse, "before": before}
            values |= {"first": first, "last": first + _SERVERS_PER_TRANSACTION - 1}
            if not should_continue():
                return

            def work(connection: sqlite3.Connection, values: Mapping[str, int | None] = values) -> None:
                if values["coarse"] is not None:
                    connection.execute(_THIN_SQL, values)
                connection.execute(_DELETE_SQL, values)

            self._database.write(work).result()

    def row_count(self) -> int:
        """How many rows there are; some 50 bytes each.

        Raises:
            StorageError: the file cannot be read.
        """
        (rows,) = self._database.read(lambda c: c.execute("SELECT count(*) FROM samples").fetchone())
        return int(rows)

    def series(self, address: Address, since: float = 0.0) -> SampleSeries:
        """All samples of a server from a time on.

        Raises:
            StorageError: the file cannot be read.
        """
        query = f"""SELECT {_SERIES_COLUMNS} FROM sampled_servers JOIN samples ON server = id
            WHERE host = ? AND port = ? AND time >= ? ORDER BY time, span DESC"""  # noqa: S608 (constants only)
        return SampleSeries.from_rows(self._database.fetch_all(query, (*address, since)))

    def players_by_slot(self, first: int, slot_s: int) -> tuple[list[Address], Floats]:
        """The players of every server in each slot of `slot_s` seconds from the slot `first` (time / slot_s) on.

        Returns the servers and, shape (n, 3): place among them, slot, mean players.

        Raises:
            StorageError: the file cannot be read.
        """
        query = f"""SELECT id, time / ?, sum(players * replies) / sum(replies) FROM sampled_servers
            CROSS JOIN samples ON server = id AND span = {FINE_SPAN_S} AND time >= ?
            WHERE players IS NOT NULL GROUP BY 1, 2"""  # noqa: S608 (constants only)

        def work(connection: sqlite3.Connection) -> tuple[list[Address], Floats]:
            rows = _fetch_array(connection.execute(query, (slot_s, first * slot_s)), 3)
            ids, rows[:, 0] = np.unique(rows[:, 0], return_inverse=True)
            every = {
                number: Address(host, port)
                for number, host, port in connection.execute("SELECT * FROM sampled_servers")
            }
            return [every[number] for number in ids.tolist()], rows

        return self._database.read(work)

    def servers_known_before(self, before: float) -> list[Address]:
        """The servers of which an hour before that time is kept.

        Raises:
            StorageError: the file cannot be read.
        """
        query = f"""SELECT host, port FROM sampled_servers
            WHERE EXISTS (SELECT 1 FROM samples WHERE span = {HOUR_SPAN_S} AND server = id AND time < ?)"""  # noqa: S608
        return [Address(*row) for row in self._database.fetch_all(query, (before,))]

    def hourly_players(self, addresses: Iterable[Address]) -> dict[Address, tuple[Floats, Floats]]:
        """Of each server the hours in which it answered (Unix time, s, ascending) and the mean players in each.

        Raises:
            StorageError: the file cannot be read.
        """
        query = f"""SELECT time / {HOUR_SPAN_S} * {HOUR_SPAN_S}, avg(players) FROM sampled_servers
            JOIN samples ON server = id AND span IN ({FINE_SPAN_S}, {HOUR_SPAN_S}) AND players IS NOT NULL
            WHERE host = ? AND port = ? GROUP BY 1 ORDER BY 1"""  # noqa: S608 (constants only)

        def work(connection: sqlite3.Connection) -> dict[Address, tuple[Floats, Floats]]:
            found = {}
            for address in addresses:
                rows = _fetch_array(connection.execute(query, address), 2)
                found[address] = rows[:, 0], rows[:, 1]
            return found

        return self._database.read(work)


def _execute_in_batches(connection: sqlite3.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Put rows in; each has the fields of `_COLUMNS`."""
    every = iter(rows)
    while some := list(islice(every, _ROWS_PER_STATEMENT)):
        connection.execute(statement, (json.dumps(some, allow_nan=False),))


def _fetch_array(cursor: sqlite3.Cursor, columns: int) -> Floats:
    """All rows as numbers; a slice at a time, since numpy lets no other thread run meanwhile."""
    slices = [np.empty((0, columns))]
    while rows := cursor.fetchmany(_ROWS_PER_FETCH):
        slices.append(np.array(rows, np.float64))
    return np.concatenate(slices)


def _sample_row(server: int, sample: ServerSample) -> tuple[object, ...]:
    players = sample.players
    return (
        FINE_SPAN_S, server, int(sample.time) // FINE_SPAN_S * FINE_SPAN_S, 1, players is not None,
        players, players, players, sample.bots, sample.ping_ms,
    )  # fmt: skip


def _series_rows(server: int, series: SampleSeries) -> Iterable[tuple[object, ...]]:
    fields = (series.players, series.low, series.high, series.bots, series.ping_ms)
    values = (_nan_to_none(column) for column in fields)
    spans, times = series.span.astype(int).tolist(), series.time.astype(int).tolist()
    answered = (~np.isnan(series.players)).tolist()
    for span, time, told, *rest in zip(spans, times, answered, *values, strict=True):
        yield (span, server, time, 1, told, *rest)


def _nan_to_none(column: Floats) -> list[float | None]:
    return [None if value != value else value for value in column.tolist()]
