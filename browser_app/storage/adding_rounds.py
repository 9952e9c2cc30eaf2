"""Rounds on their way into the database."""

import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from browser_app.rounds.content_id import content_id
from browser_app.rounds.same_round import telling_of
from browser_app.storage.packed_rounds import Row, free_id, packed, put, unpacked
from browser_app.storage.retold_rounds import RetoldRounds, forget_file


class Added(NamedTuple):
    """What a file brought.

    Attributes:
        rounds: that it tells.
        new: those of them that were not known.
        richer: of those that were, how many are known better now.
        gains: with what of `rounds.same_round.GAINS`.
    """

    rounds: int
    new: int
    richer: int = 0
    gains: frozenset[str] = frozenset()


def rows_of(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Row]:
    """The rounds as the table has them; compressed, so that a large file takes no room to speak of meanwhile."""
    times: Counter[bytes] = Counter()
    for _line, each in objects:
        told = telling_of(each)
        match = told.match
        content = content_id(match, undated=told.undated)
        times[content] += 1
        if times[content] > 1:
            content = content_id(match, undated=told.undated, repeated=times[content] - 1)
        yield Row(
            content,
            match.id,
            match.game,
            told.server,
            told.approximate,
            packed(each),
            match.map,
            match.started,
            match.duration,
            told.undated,
        )


def insert(connection: sqlite3.Connection, file: str, form: str, rows: Sequence[Row], *, anew: bool = False) -> Added:
    """Put the rounds of a file in, but those that are there already; `anew`: what it told before goes."""
    if anew:
        forget_file(connection, file)
    connection.execute(
        """INSERT INTO round_files (file, format, read_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET format = excluded.format, read_at = excluded.read_at""",
        (file, form, time.time()),
    )
    (file_number,) = connection.execute("SELECT number FROM round_files WHERE file = ?", (file,)).fetchone()
    retold = RetoldRounds(connection, {row.content for row in rows})
    new, gained = 0, list[frozenset[str]]()
    for row in rows:
        if _is_there(connection, row.content):
            continue
        twin = retold.twin_of(row)
        if twin is None:
            _insert(connection, row)
            new += 1
        else:
            gained.append(retold.add(row, twin))
    connection.executemany(
        "INSERT OR IGNORE INTO rounds_of_files SELECT number, ? FROM rounds WHERE content = ?",
        ((file_number, row.content) for row in rows),
    )
    return Added(len(rows), new, sum(map(bool, gained)), frozenset().union(*gained))


def _insert(connection: sqlite3.Connection, row: Row) -> None:
    name = free_id(connection, row.id, row.content)
    if name != row.id:
        row = row._replace(id=name, object=packed(unpacked(row.object) | {"id": name}))
    put(connection, row)


def _is_there(connection: sqlite3.Connection, content: bytes) -> bool:
    return connection.execute("SELECT 1 FROM rounds WHERE content = ?", (content,)).fetchone() is not None
