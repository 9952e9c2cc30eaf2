"""Rounds on their way into the database."""

import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from browser_app.rounds.content_id import content_id
from browser_app.rounds.round_file import convert
from browser_app.rounds.source import UNDATED


class Added(NamedTuple):
    """What a file brought: how many rounds it tells, and how many of them were new."""

    rounds: int
    new: int


class Row(NamedTuple):
    """A round as the table has it."""

    content: bytes
    id: str
    game: str
    server: str | None
    approximate: bool
    object: bytes


def rows_of(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Row]:
    """The rounds as the table has them; compressed, so that a large file takes no room to speak of meanwhile."""
    times: Counter[bytes] = Counter()
    for _line, each in objects:
        match = convert(each)
        undated = each.get(UNDATED) is True
        content = content_id(match, undated=undated)
        times[content] += 1
        if times[content] > 1:
            content = content_id(match, undated=undated, repeated=times[content] - 1)
        server = each.get("server")
        yield Row(
            content,
            match.id,
            match.game,
            server if isinstance(server, str) and server else None,
            each.get("approximate") is True,
            _packed(each),
        )


def insert(connection: sqlite3.Connection, file: str, form: str, rows: Sequence[Row]) -> Added:
    """Put the rounds of a file in, but those that are there already."""
    connection.execute(
        """INSERT INTO round_files (file, format, read_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET format = excluded.format, read_at = excluded.read_at""",
        (file, form, time.time()),
    )
    (file_number,) = connection.execute("SELECT number FROM round_files WHERE file = ?", (file,)).fetchone()
    new = sum(_insert_round(connection, row) for row in rows)
    connection.executemany(
        "INSERT OR IGNORE INTO rounds_of_files SELECT number, ? FROM rounds WHERE content = ?",
        ((file_number, row.content) for row in rows),
    )
    return Added(len(rows), new)


def _insert_round(connection: sqlite3.Connection, row: Row) -> int:
    """1 for a new round, 0 for one that is there already."""
    if _is_there(connection, "content", row.content):
        return 0
    name = row.id
    while _is_there(connection, "id", name):
        name = f"{name}#{row.content.hex()[:8]}"
    connection.execute(
        "INSERT INTO rounds (content, id, game, server, approximate, object) VALUES (?, ?, ?, ?, ?, ?)",
        row if name == row.id else row._replace(id=name, object=_renamed(row.object, name)),
    )
    return 1


def _is_there(connection: sqlite3.Connection, column: str, value: object) -> bool:
    query = f"SELECT 1 FROM rounds WHERE {column} = ?"  # noqa: S608 (our own columns)
    return connection.execute(query, (value,)).fetchone() is not None


def _packed(round_object: dict[str, Any]) -> bytes:
    """A round as it is kept: its object of the round file with all its keys, compressed."""
    return zlib.compress(msgspec.json.encode(round_object))


def _renamed(blob: bytes, name: str) -> bytes:
    return _packed(msgspec.json.decode(zlib.decompress(blob), type=dict[str, Any]) | {"id": name})
