"""Cache file (`.npz`) with the columns of a large record.

It may be deleted at any time, since it is rebuilt from the database. A damaged or outdated file is not used.
"""

import hashlib
import os
import sqlite3
import zlib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from browser_app.input_files import open_regular_file
from browser_app.player.dataclass_codec import DECODE_ERRORS
from browser_app.rating.record.round_record import APPEARANCE_COLUMNS, RoundRecord, Stints
from browser_app.storage.own_skill.stored_rounds import StoredRounds
from browser_app.storage.safe_files import FILE_MODE

MIN_CACHED_ROUNDS = 5000
"""Smaller records are read from the database fast enough."""
_CACHE_FORMAT = 2
_METADATA = "metadata"
_STINT_FIELDS = ("stays", "commander_stints")
_READ_ERRORS = (*DECODE_ERRORS, RuntimeError, zlib.error)
"""Raised while reading a damaged file."""


def rounds_fingerprint(connection: sqlite3.Connection, game: str) -> str:
    """Return a hash of the rounds of a game and their order.

    Raises:
        sqlite3.Error: they cannot be read.
    """
    query = """SELECT number, content, started, told_skills FROM rounds
        WHERE game = ? AND superseded_by IS NULL ORDER BY number"""
    rows = connection.execute(query, (game,)).fetchall()
    return hashlib.sha256(msgspec.msgpack.encode((_CACHE_FORMAT, game, rows))).hexdigest()


def load_cached_rounds(database: Path, game: str, fingerprint: str) -> StoredRounds | None:
    """Load the cached rounds; None if missing, damaged or of another fingerprint."""
    try:
        with open_regular_file(_cache_path(database, game)) as file, np.load(file, allow_pickle=False) as columns:
            metadata: dict[str, Any] = msgspec.msgpack.decode(columns[_METADATA].tobytes())
            if metadata["content"] != fingerprint:
                return None
            record = _decode_record(columns, metadata["names"])
            return StoredRounds(record, tuple(metadata["servers"]), columns["approximate"])
    except _READ_ERRORS:
        return None


def save_cached_rounds(database: Path, game: str, fingerprint: str, rounds: StoredRounds) -> None:
    """Replace the cached rounds of a game, or delete them if the record is small.

    Write errors are ignored.
    """
    path = _cache_path(database, game)
    part = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        if len(rounds.record) < MIN_CACHED_ROUNDS:
            path.unlink(missing_ok=True)
            return
        try:
            with open(part, "wb", opener=lambda name, flags: os.open(name, flags, FILE_MODE)) as file:
                np.savez(file, **_encode_columns(rounds, fingerprint))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def delete_stale_caches(database: Path, games: Collection[str]) -> None:
    """Delete the caches of games that have no rounds any more."""
    current = {_cache_path(database, game) for game in games}
    with suppress(OSError):
        for each in database.parent.glob(f"{database.stem}-rounds-*"):
            if each not in current:
                each.unlink(missing_ok=True)


def _cache_path(database: Path, game: str) -> Path:
    name = hashlib.sha256(game.encode()).hexdigest()[:16]  # a game id may be any text
    return database.with_name(f"{database.stem}-rounds-{name}.npz")


def _encode_columns(rounds: StoredRounds, fingerprint: str) -> dict[str, Any]:
    """Return arrays by name; one of them contains all texts."""
    columns_by_name = {field.name: getattr(rounds.record, field.name) for field in fields(RoundRecord)}
    stints = {name: columns_by_name.pop(name) for name in _STINT_FIELDS}
    columns = {
        name: value[:1] if name in APPEARANCE_COLUMNS and value.strides == (0,) else value  # without information
        for name, value in columns_by_name.items()
        if isinstance(value, np.ndarray)
    }
    for name, value in stints.items():
        columns |= {f"{name}.{field.name}": getattr(value, field.name) for field in fields(Stints)}
    names = {name: value for name, value in columns_by_name.items() if name not in columns}
    metadata = msgspec.msgpack.encode({"content": fingerprint, "servers": rounds.servers, "names": names})
    return {**columns, "approximate": rounds.is_approximate, _METADATA: np.frombuffer(metadata, np.uint8)}


def _decode_record(columns: Any, names: dict[str, list[Any]]) -> RoundRecord:
    columns_by_name: dict[str, Any] = {name: tuple(value) for name, value in names.items()}
    for field in fields(RoundRecord):
        if field.name in _STINT_FIELDS:
            columns_by_name[field.name] = Stints(*(columns[f"{field.name}.{column.name}"] for column in fields(Stints)))
        elif field.name not in columns_by_name:
            columns_by_name[field.name] = columns[field.name]
    appearances = len(columns_by_name["player"])
    for name in APPEARANCE_COLUMNS:
        if len(columns_by_name[name]) != appearances:
            columns_by_name[name] = np.broadcast_to(columns_by_name[name], appearances)
    return RoundRecord(**columns_by_name)
