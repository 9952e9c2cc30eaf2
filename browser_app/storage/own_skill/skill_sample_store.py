"""The user's identities, skill values from web services, and the request log."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from browser_app.storage.checked_rows import fetch_rows
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

MAX_LOGGED_REQUESTS = 1000
"""Older requests are deleted."""


class LoggedRequest(NamedTuple):
    """One request to a web service."""

    time: float
    """Unix time, s."""
    host: str
    subject: str
    """What was asked for."""
    answer: str
    """A short result."""


class RequestLog:
    """Log of the requests to web services."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, request: LoggedRequest) -> Future[None]:
        """Add a request; those beyond `MAX_LOGGED_REQUESTS` are deleted."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO web_queries (time, host, subject, answer) VALUES (?, ?, ?, ?)", request)
            delete = "DELETE FROM web_queries WHERE id <= (SELECT max(id) FROM web_queries) - ?"
            connection.execute(delete, (MAX_LOGGED_REQUESTS,))

        return self._database.write(work)

    def load_newest(self, limit: int = MAX_LOGGED_REQUESTS) -> list[LoggedRequest]:
        """Return the last requests, newest first."""
        clause, columns = "ORDER BY id DESC LIMIT ?", LoggedRequest._fields
        return fetch_rows(self._database, "web_queries", columns, clause, (limit,), convert=LoggedRequest._make)


class StoredIdentity(NamedTuple):
    """One identity of the user in a game, of a kind in `player_identities`."""

    game: str
    kind: str
    value: str


class IdentityStore:
    """The user's identities in the order of adding, kept in memory.

    Each change is written at once.
    """

    def __init__(self, database: Database) -> None:
        """Load the identities."""
        columns, key = ("game", "kind", "value", "added_at"), ("game", "kind", "value")
        self._table = KeyedTable(database, "identities", columns, key)
        self._identities = dict.fromkeys(self._table.load(lambda row: StoredIdentity(*row[:3]), "added_at, rowid"))

    def __iter__(self) -> Iterator[StoredIdentity]:
        return iter(tuple(self._identities))

    def __len__(self) -> int:
        return len(self._identities)

    def find_identities(self, game: str) -> tuple[StoredIdentity, ...]:
        """Return the identities in one game."""
        return tuple(identity for identity in self._identities if identity.game == game)

    def add(self, identity: StoredIdentity) -> Future[None] | None:
        """Add an identity; return None if it exists already."""
        if identity in self._identities:
            return None
        self._identities[identity] = None
        return self._table.write([(*identity, time.time())])

    def remove(self, identity: StoredIdentity) -> Future[None]:
        """Remove an identity, if it exists."""
        self._identities.pop(identity, None)
        return self._table.write(deleted_keys=[identity])


class SkillSample(NamedTuple):
    """Values that a source reported unchanged from one time to another.

    Times are Unix times, s.
    """

    source: str
    game: str
    identity: str
    since: float
    until: float
    values: Mapping[str, Any]
    """JSON values; the source defines the keys."""


class SkillSampleStore:
    """Samples of all sources; a value that stays the same is one row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, source: str, game: str, identity: str, time: float, values: Mapping[str, Any]) -> Future[None]:
        """Add a source's report at a time (Unix time, s), which must be its latest."""
        text = json.dumps(values, ensure_ascii=False, sort_keys=True)

        def work(connection: sqlite3.Connection) -> None:
            last = connection.execute(
                "SELECT id, skill_json FROM skill_samples WHERE source = ? AND game = ? AND identity = ?"
                " ORDER BY id DESC LIMIT 1",
                (source, game, identity),
            ).fetchone()
            if last is not None and last[1] == text:
                connection.execute("UPDATE skill_samples SET until = max(until, ?) WHERE id = ?", (time, last[0]))
            else:
                connection.execute(
                    "INSERT INTO skill_samples (source, game, identity, since, until, skill_json)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (source, game, identity, time, time, text),
                )

        return self._database.write(work)

    def load_samples(self, source: str, game: str) -> list[SkillSample]:
        """Return all reports of a source for a game, in order of time."""
        return self._load(source, game, "WHERE source = ? AND game = ? ORDER BY since, id")

    def load_latest_samples(self, source: str, game: str) -> dict[str, SkillSample]:
        """Return the last report of a source by identity.

        The last is the one stored last: a wrong clock may have given later times to earlier ones.
        """
        last = "SELECT max(id) FROM skill_samples WHERE source = ? AND game = ? GROUP BY identity"
        return {sample.identity: sample for sample in self._load(source, game, f"WHERE id IN ({last})")}

    def _load(self, source: str, game: str, clause: str) -> list[SkillSample]:
        return fetch_rows(
            self._database,
            "skill_samples",
            ("source", "game", "identity", "since", "until", "skill_json"),
            clause,
            (source, game),
            convert=lambda row: SkillSample._make((*row[:-1], _decode_values(row[-1]))),
        )

    def remove(self, source: str) -> Future[None]:
        """Remove all reports of a source."""
        return self._database.execute("DELETE FROM skill_samples WHERE source = ?", (source,))


def _decode_values(text: str) -> Mapping[str, Any]:
    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("no table of values")
    return values
