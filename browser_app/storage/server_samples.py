"""Players, bots and ping of each server over time, thinned with age.

The newest samples cover five minutes, older ones an hour, the oldest a day. When there are more rows than allowed, the
age limits are halved, so that the finest and oldest samples go first.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue_columns import Floats
from browser_app.catalogue.sample_series import SampleSeries
from browser_app.protocols.address import Address
from browser_app.ranking.player_forecast import HourlyPlayers
from browser_app.storage.checked_rows import fetch_rows, filter_valid_rows
from browser_app.storage.database import Database
from browser_app.storage.free_pages import shrink_file
from browser_app.storage.trusted_time import MAX_AHEAD_S, advance_trusted_time

FINE_SPAN_S, HOUR_SPAN_S, DAY_SPAN_S = 300, 3600, 86400
"""Spans of time that one sample covers, s."""

MAX_AGE_BY_SPAN_S: Mapping[int, int] = {
    FINE_SPAN_S: 2 * DAY_SPAN_S,
    HOUR_SPAN_S: 60 * DAY_SPAN_S,
    DAY_SPAN_S: 730 * DAY_SPAN_S,
}
"""Age (s) at which samples of each span are thinned into the next; the last are deleted."""

ROWS_PER_MEGABYTE = 20_000
"""A row takes about 50 bytes."""
MAX_SAMPLE_ROWS = 200 * ROWS_PER_MEGABYTE

SeriesBatches = Callable[[float], Iterable[Mapping[Address, SampleSeries]]]
"""Returns the history of servers up to a time (Unix time, s), in batches."""

_SERVERS_PER_TRANSACTION = 25
"""Few enough that other processes wait for a short time, even where years of samples are thinned at once."""
_ROWS_PER_FETCH = 2000
_ROWS_PER_STATEMENT = 500
"""Rows passed to SQLite as one JSON text: a statement per row would take the GIL from the GUI thread for each row."""
_MAX_HOURS = 1 << 20
"""More than any Unix time / 3600."""
_MAX_TIME = _MAX_HOURS * HOUR_SPAN_S - 1
"""Unix time, s."""

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
_VALID_SQL = " AND ".join(
    (
        f"time BETWEEN 0 AND {_MAX_TIME} AND queries BETWEEN 1 AND 1e9 AND replies BETWEEN 0 AND 1e9",
        *(f"coalesce({name}, 0) BETWEEN 0 AND 1e6" for name in ("players", "low", "high", "bots", "ping_ms")),
    )
)
"""Leaves out rows with cells of a wrong type, which are not between two numbers; they stay as they are."""
_THIN_SQL = f"""INSERT INTO samples ({_COLUMNS})
    SELECT :coarse, server, time / :coarse * :coarse, sum(queries), sum(replies),
        sum(players * replies) / nullif(sum(replies), 0), min(low), max(high),
        sum(bots * replies) / nullif(sum(CASE WHEN bots IS NOT NULL THEN replies END), 0),
        sum(ping_ms * replies) / nullif(sum(CASE WHEN ping_ms IS NOT NULL THEN replies END), 0)
    FROM samples WHERE span = :fine AND server BETWEEN :first AND :last AND time < :before AND {_VALID_SQL}
    GROUP BY server, time / :coarse
    ON CONFLICT DO NOTHING"""  # noqa: S608 (constants only)
_INSERT_SQL = f"INSERT OR IGNORE {_INSERT_FROM_JSON}"
_DELETE_SQL = """DELETE FROM samples
    WHERE span = :fine AND server BETWEEN :first AND :last AND (time < :before OR time > :after)
        AND typeof(time) = 'integer'"""
_SERIES_COLUMNS = "time, span, CAST(replies AS REAL) / queries, players, low, high, bots, ping_ms"


class ServerSample(NamedTuple):
    """One query; without a reply, players, bots and ping are None."""

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
        """Servers whose rows are committed; used only by the writer thread."""

    def add(self, samples: Iterable[ServerSample]) -> Future[None]:
        """Add samples, which the writer thread consumes.

        Several of one server within five minutes become one.
        """

        def work(connection: sqlite3.Connection) -> dict[Address, int]:
            rows = list(samples)
            ids = self._find_server_ids(connection, {sample.address for sample in rows})
            _execute_in_batches(
                connection, _MERGE_SQL, (_build_sample_row(ids[sample.address], sample) for sample in rows)
            )
            return ids

        return self._write_and_cache_ids(work)

    def add_series(self, history: Mapping[Address, SampleSeries]) -> Future[None]:
        """Add whole series, except where a sample of the same span and time exists."""

        def work(connection: sqlite3.Connection) -> dict[Address, int]:
            ids = self._find_server_ids(connection, history)
            for address, series in history.items():
                _execute_in_batches(connection, _INSERT_SQL, _build_series_rows(ids[address], series))
            return ids

        return self._write_and_cache_ids(work)

    def _find_server_ids(self, connection: sqlite3.Connection, addresses: Iterable[Address]) -> dict[Address, int]:
        """Return the servers' row ids, creating missing ones; runs in the writer thread."""
        id_by_address = {address: self._id_by_address.get(address, 0) for address in addresses}
        new = [address for address, number in id_by_address.items() if not number]
        for first in range(0, len(new), _ROWS_PER_STATEMENT):
            batch = new[first : first + _ROWS_PER_STATEMENT]
            text = json.dumps(batch)
            connection.execute(_INSERT_SERVERS_SQL, (text,))
            id_by_address |= zip(
                batch, json.loads(connection.execute(_SERVER_IDS_SQL, (text,)).fetchone()[0]), strict=True
            )
        return id_by_address

    def _write_and_cache_ids(self, work: Callable[[sqlite3.Connection], dict[Address, int]]) -> Future[None]:
        """Queue `work`; cache the ids that it returns only if its transaction succeeds."""
        future: Future[None] = Future()

        def cache_ids(written: Future[dict[Address, int]]) -> None:
            error = written.exception()
            if error is not None:
                future.set_exception(error)
                return
            self._id_by_address.update(written.result())
            future.set_result(None)

        self._database.write(work).add_done_callback(cache_ids)
        return future

    def thin(
        self, now: float, max_rows: int = MAX_SAMPLE_ROWS, should_continue: Callable[[], bool] = lambda: True
    ) -> int:
        """Thin old samples; return the number of rows left.

        Waits for the writer between short transactions, so call it from a worker thread. A clock that is wrong for a
        while thins little, and what was stored by it is deleted when it is right again; see `trusted_time`.
        Stops as soon as `should_continue` returns False; what is thinned until then stays thinned.

        Raises:
            StorageError: the file cannot be written.
        """
        trusted = self._database.write(lambda connection: advance_trusted_time(connection, now)).result()
        latest = int(trusted.latest + MAX_AHEAD_S)
        for halvings in range(16):
            for fine, coarse in ((FINE_SPAN_S, HOUR_SPAN_S), (HOUR_SPAN_S, DAY_SPAN_S), (DAY_SPAN_S, None)):
                before = (
                    (trusted.earliest - MAX_AGE_BY_SPAN_S[fine] / 2**halvings) // DAY_SPAN_S * DAY_SPAN_S
                )  # whole days, so that each is thinned once
                self._thin_span(fine, coarse, int(before), latest, should_continue)
            rows = self.count_rows()
            if not should_continue() or rows <= max_rows:
                break
        shrink_file(self._database, should_continue)
        return rows

    def _thin_span(
        self, fine: int, coarse: int | None, before: int, after: int, should_continue: Callable[[], bool]
    ) -> None:
        (last,) = self._database.read(
            lambda c: c.execute("SELECT coalesce(max(id), 0) FROM sampled_servers").fetchone()
        )
        for first in range(1, last + 1, _SERVERS_PER_TRANSACTION):
            values = {"fine": fine, "coarse": coarse, "before": before, "after": after}
            values |= {"first": first, "last": first + _SERVERS_PER_TRANSACTION - 1}
            if not should_continue():
                return

            def work(connection: sqlite3.Connection, values: Mapping[str, int | None] = values) -> None:
                if values["coarse"] is not None:
                    connection.execute(_THIN_SQL, values)
                connection.execute(_DELETE_SQL, values)

            self._database.write(work).result()

    def count_rows(self) -> int:
        """Return the number of rows, about 50 bytes each."""
        (rows,) = self._database.read(lambda c: c.execute("SELECT count(*) FROM samples").fetchone())
        return int(rows)

    def load_series(self, address: Address, since: float = 0.0) -> SampleSeries:
        """Return all samples of a server since a time (Unix time, s)."""
        query = f"""SELECT {_SERIES_COLUMNS} FROM sampled_servers JOIN samples ON server = id
            WHERE host = ? AND port = ? AND time >= ? AND {_VALID_SQL} ORDER BY time, span DESC"""  # noqa: S608 (constants only)
        return SampleSeries.from_rows(self._database.fetch_all(query, (*address, since)))

    def load_players_by_slot(self, first: int, slot_s: int) -> tuple[list[Address], Floats]:
        """Return the players of every server by slot of `slot_s` seconds.

        The first slot is `first` (time / slot_s). Returns the servers and an array of shape (n, 3): index of the
        server, slot, mean players.
        """
        query = f"""SELECT id, time / ?, sum(players * replies) / sum(replies) FROM sampled_servers
            CROSS JOIN samples ON server = id AND span = {FINE_SPAN_S} AND time >= ?
            WHERE players IS NOT NULL AND {_VALID_SQL} GROUP BY 1, 2"""  # noqa: S608 (constants only)

        def work(connection: sqlite3.Connection) -> tuple[list[Address], Floats]:
            rows = _fetch_array(connection.execute(query, (slot_s, first * slot_s)), 3)
            ids, rows[:, 0] = np.unique(rows[:, 0], return_inverse=True)
            servers = connection.execute("SELECT id, host, port FROM sampled_servers").fetchall()
            valid = filter_valid_rows(servers, "sampled_servers", ("id", "host", "port"))
            self._database.report_unreadable("sampled_servers", len(servers) - len(valid))
            address_by_id = {number: Address(host, port) for number, host, port in valid}
            is_known = np.array([number in address_by_id for number in ids.tolist()], np.bool_)
            rows = rows[is_known[rows[:, 0].astype(np.intp)]]
            rows[:, 0] = (np.cumsum(is_known) - 1)[rows[:, 0].astype(np.intp)]
            return [address_by_id[number] for number in ids[is_known].tolist()], rows

        return self._database.read(work)

    def find_servers_known_before(self, before: float) -> list[Address]:
        """Return the servers with an hourly sample from before a time (Unix time, s)."""
        clause = "WHERE EXISTS (SELECT 1 FROM samples WHERE span = ? AND server = id AND time < ?)"
        values = (HOUR_SPAN_S, before)
        return fetch_rows(self._database, "sampled_servers", ("host", "port"), clause, values, convert=Address._make)

    def load_hourly_players(self, addresses: Sequence[Address]) -> HourlyPlayers:
        """Return the hours in which these servers answered.

        `server` is an index of `addresses`.
        """
        query = f"""SELECT key * {_MAX_HOURS} + time / {HOUR_SPAN_S}, players FROM json_each(?)
            CROSS JOIN sampled_servers AS sampled
                ON host = json_extract(value, '$[0]') AND port = json_extract(value, '$[1]')
            CROSS JOIN samples ON server = sampled.id AND span IN ({FINE_SPAN_S}, {HOUR_SPAN_S})
                AND players BETWEEN 0 AND 1e6 AND time BETWEEN 0 AND {_MAX_TIME}"""  # noqa: S608 (constants only)

        def work(connection: sqlite3.Connection) -> Floats:
            values = chain.from_iterable(connection.execute(query, (json.dumps(addresses),)))
            return np.fromiter(values, np.float64).reshape(-1, 2)

        rows = self._database.read(work)
        keys, key_index = np.unique(rows[:, 0].astype(np.intp), return_inverse=True)
        players = np.bincount(key_index, rows[:, 1], len(keys)) / np.bincount(key_index, minlength=len(keys))
        return HourlyPlayers(keys // _MAX_HOURS, keys % _MAX_HOURS, players)


def _execute_in_batches(connection: sqlite3.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Execute a statement with batches of rows of `_COLUMNS`, each as one JSON array."""
    remaining_rows = iter(rows)
    while batch := list(islice(remaining_rows, _ROWS_PER_STATEMENT)):
        connection.execute(statement, (json.dumps(batch, allow_nan=False),))


def _fetch_array(cursor: sqlite3.Cursor, columns: int) -> Floats:
    """Return all rows as floats.

    They are converted in slices, because numpy holds the GIL during a conversion.
    """
    slices = [np.empty((0, columns))]
    while rows := cursor.fetchmany(_ROWS_PER_FETCH):
        slices.append(np.array(rows, np.float64))
    return np.concatenate(slices)


def _build_sample_row(server: int, sample: ServerSample) -> tuple[object, ...]:
    players = sample.players
    return (
        FINE_SPAN_S, server, int(sample.time) // FINE_SPAN_S * FINE_SPAN_S, 1, players is not None,
        players, players, players, sample.bots, sample.ping_ms,
    )  # fmt: skip


def _build_series_rows(server: int, series: SampleSeries) -> Iterable[tuple[object, ...]]:
    fields = (series.players, series.low, series.high, series.bots, series.ping_ms)
    values = (_replace_nan(column) for column in fields)
    spans, times = series.span.astype(int).tolist(), series.time.astype(int).tolist()
    replied = (~np.isnan(series.players)).tolist()
    for span, time, has_reply, *rest in zip(spans, times, replied, *values, strict=True):
        yield (span, server, time, 1, has_reply, *rest)


def _replace_nan(column: Floats) -> list[float | None]:
    return [None if value != value else value for value in column.tolist()]
