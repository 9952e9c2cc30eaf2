"""What Steam and XonStat said of the user's skill, and when, so that a history grows where none is told."""

import json
import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from browser_app.storage.database import Database


class SkillSample(NamedTuple):
    """What a source told of somebody from one time to another, without a change (Unix times, s)."""

    source: str
    game: str
    identity: str
    since: float
    until: float
    told: Mapping[str, Any]
    """As JSON can hold it; which keys there are is for the source to say."""


class SkillSamples:
    """Samples of all sources; what stays the same is one row, however often it is told."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, source: str, game: str, identity: str, time: float, told: Mapping[str, Any]) -> Future[None]:
        """A source said something at a time (Unix time, s), the latest so far."""
        text = json.dumps(told, ensure_ascii=False, sort_keys=True)

        def work(connection: sqlite3.Connection) -> None:
            last = connection.execute(
                "SELECT id, told FROM skill_samples WHERE source = ? AND game = ? AND identity = ?"
                " ORDER BY until DESC, id DESC LIMIT 1",
                (source, game, identity),
            ).fetchone()
            if last is not None and last[1] == text:
                connection.execute("UPDATE skill_samples SET until = max(until, ?) WHERE id = ?", (time, last[0]))
            else:
                connection.execute(
                    "INSERT INTO skill_samples (source, game, identity, since, until, told) VALUES (?, ?, ?, ?, ?, ?)",
                    (source, game, identity, time, time, text),
                )

        return self._database.write(work)

    def of(self, source: str, game: str) -> list[SkillSample]:
        """All that a source told of a game, in the order of time.

        Raises:
            StorageError: the file cannot be read.
        """
        query = """SELECT identity, since, until, told FROM skill_samples
            WHERE source = ? AND game = ? ORDER BY since, id"""
        rows = self._database.rows(query, (source, game))
        return [SkillSample(source, game, name, since, until, json.loads(told)) for name, since, until, told in rows]

    def forget(self, source: str) -> Future[None]:
        """Forget all that a source told."""
        return self._database.execute("DELETE FROM skill_samples WHERE source = ?", (source,))
