"""A round as the database keeps it: its object with all its keys, compressed, and what it is found by."""

import sqlite3
import zlib
from typing import Any, NamedTuple

import msgspec


class Row(NamedTuple):
    """A round as the table has it; times in seconds, `started` since 1970."""

    content: bytes
    id: str
    game: str
    server: str | None
    approximate: bool
    object: bytes
    map: str
    started: float | None
    duration: float | None
    undated: bool


def put(connection: sqlite3.Connection, row: Row, better: int | None = None) -> None:
    """Into the table; `better`: see `storage.retold_rounds`."""
    connection.execute(
        """INSERT INTO rounds
        (content, id, game, server, approximate, object, map, started, duration, undated, better)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*row, better),
    )


def packed(round_object: dict[str, Any]) -> bytes:
    """Compressed."""
    return zlib.compress(msgspec.json.encode(round_object))


def unpacked(blob: bytes) -> dict[str, Any]:
    """What `packed` was given."""
    return msgspec.json.decode(zlib.decompress(blob), type=dict[str, Any])


def free_id(connection: sqlite3.Connection, told: str, content: bytes) -> str:
    """The id that a round tells of itself, or one like it where another round has that."""
    name = told
    while connection.execute("SELECT 1 FROM rounds WHERE id = ?", (name,)).fetchone() is not None:
        name = f"{name}#{content.hex()[:8]}"
    return name
