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
    new = 0
    for row in rows:
        found = connection.execute("SELECT number FROM rounds WHERE content = ?", (row.content,)).fetchone()
        if found is None:
            found = (_insert_round(connection, row),)
            new += 1
        connection.execute("INSERT OR IGNORE INTO rounds_of_files VALUES (?, ?)", (*found, file_number))
    return Added(len(rows), new)


def _insert_round(connection: sqlite3.Connection, row: Row) -> int | None:
    """The number it was given."""
    name = row.id
    while connection.execute("SELECT 1 FROM rounds WHERE id = ?", (name,)).fetchone():
        name = f"{name}#{row.content.hex()[:8]}"
    return connection.execute(
        "INSERT INTO rounds (content, id, game, server, approximate, object) VALUES (?, ?, ?, ?, ?, ?)",
        row._replace(id=name, object=row.object if name == row.id else _renamed(row.object, name)),
    ).lastrowid


def _packed(round_object: dict[str, Any]) -> bytes:
    """A round as it is kept: its object of the round file with all its keys, compressed."""
    return zlib.compress(msgspec.json.encode(round_object))


def _renamed(blob: bytes, name: str) -> bytes:
    return _packed(msgspec.json.decode(zlib.decompress(blob), type=dict[str, Any]) | {"id": name})
