"""A large record as columns in a file beside the database: read in a tenth of the time that its rounds would take.

The file can be made again from the rounds at any time, so it may be deleted, and one that is damaged, or of other
rounds, is not read.
"""

import hashlib
import os
import sqlite3
import zipfile
import zlib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from browser_app.rating.record import Record, Spells
from browser_app.storage.private import FILE
from browser_app.storage.stored_rounds import StoredRounds

LEAST = 5000
"""Fewer rounds are taken from the database in no time."""
_FORM = 1
_PLAIN = "plain"
_SPELLS = ("stays", "chairs")
_DAMAGED = (
    EOFError,
    KeyError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    msgspec.MsgspecError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What readers of a file that is not what it should be may raise."""


def content_of(connection: sqlite3.Connection, game: str) -> str:
    """Another text whenever the rounds of a game are others, or in another order.

    Raises:
        sqlite3.Error: they cannot be read.
    """
    query = "SELECT number, content, started FROM rounds WHERE game = ? AND better IS NULL ORDER BY number"
    rows = connection.execute(query, (game,)).fetchall()
    return hashlib.sha256(msgspec.msgpack.encode((_FORM, game, rows))).hexdigest()


def read_kept(database: Path, game: str, content: str) -> StoredRounds | None:
    """What was kept of these rounds; None where it was of others, is damaged, or is not there."""
    try:
        with _place(database, game).open("rb") as file, np.load(file, allow_pickle=False) as columns:
            plain: dict[str, Any] = msgspec.msgpack.decode(columns[_PLAIN].tobytes())
            if plain["content"] != content:
                return None
            return StoredRounds(_record(columns, plain["names"]), tuple(plain["servers"]), columns["approximate"])
    except _DAMAGED:
        return None


def keep(database: Path, game: str, content: str, rounds: StoredRounds) -> None:
    """Keep these in place of what was kept of the game; nothing of a small record, or where that cannot be written."""
    place = _place(database, game)
    part = place.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        if len(rounds.record) < LEAST:
            place.unlink(missing_ok=True)
            return
        try:
            with open(part, "wb", opener=lambda path, flags: os.open(path, flags, FILE)) as file:
                np.savez(file, **_columns(rounds, content))
            part.replace(place)
        finally:
            part.unlink(missing_ok=True)


def forget_others(database: Path, games: Collection[str]) -> None:
    """Delete what is kept of games whose rounds are gone."""
    own = {_place(database, game) for game in games}
    with suppress(OSError):
        for each in database.parent.glob(f"{database.stem}-rounds-*"):
            if each not in own:
                each.unlink(missing_ok=True)


def _place(database: Path, game: str) -> Path:
    name = hashlib.sha256(game.encode()).hexdigest()[:16]  # a game's id may be any text
    return database.with_name(f"{database.stem}-rounds-{name}.npz")


def _columns(rounds: StoredRounds, content: str) -> dict[str, Any]:
    """Arrays by name; all texts are in one."""
    held = {field.name: getattr(rounds.record, field.name) for field in fields(Record)}
    spells = {name: held.pop(name) for name in _SPELLS}
    columns = {name: value for name, value in held.items() if isinstance(value, np.ndarray)}
    for name, value in spells.items():
        columns |= {f"{name}.{field.name}": getattr(value, field.name) for field in fields(Spells)}
    names = {name: value for name, value in held.items() if name not in columns}
    plain = msgspec.msgpack.encode({"content": content, "servers": rounds.servers, "names": names})
    return {**columns, "approximate": rounds.approximate, _PLAIN: np.frombuffer(plain, np.uint8)}


def _record(columns: Any, names: dict[str, list[Any]]) -> Record:
    held: dict[str, Any] = {name: tuple(value) for name, value in names.items()}
    for field in fields(Record):
        if field.name in _SPELLS:
            held[field.name] = Spells(*(columns[f"{field.name}.{column.name}"] for column in fields(Spells)))
        elif field.name not in held:
            held[field.name] = columns[field.name]
    return Record(**held)
