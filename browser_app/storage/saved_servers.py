"""The server list of earlier runs, saved for the next start."""

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import fields
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from browser_app.catalogue.server_info import QueryTarget, SavedServer, ServerInfo
from browser_app.protocols.address import Address, normalize_host
from browser_app.storage.checked_rows import MAX_COUNT, filter_valid_rows
from browser_app.storage.database import Database
from browser_app.storage.trusted_time import MAX_AHEAD_S, advance_trusted_time

MAX_AGE_DAYS = 30
MAX_SAVED_SERVERS = 50_000
BATCH_SIZE = 500
"""Servers per batch, small enough for the window to merge between two frames."""

_UNSAVED_FIELDS = ("player_list", "rules", "game_files", "is_ping_only")
_FIELD_DEFAULTS = {spec.name: spec.default for spec in fields(ServerInfo) if spec.name not in _UNSAVED_FIELDS}
_COLUMNS = ("host", "port", "protocol", "game", "ping_ms", "last_answer", "info")
_get_field_values = attrgetter(*_FIELD_DEFAULTS)


def save_servers(database: Database, servers: Sequence[SavedServer]) -> Future[None]:
    """Save changed servers, replacing older data; call it with batches.

    Player lists and rules are not saved.
    """

    def work(connection: sqlite3.Connection) -> None:
        connection.executemany(
            "INSERT OR REPLACE INTO saved_servers VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *server.target.address,
                    server.target.protocol,
                    server.target.game,
                    server.ping_ms,
                    server.last_answer,
                    _encode_info(server),
                )
                for server in servers
            ],
        )

    return database.write(work)


def load_servers(database: Database, on_batch: Callable[[list[SavedServer]], object], now: float | None = None) -> None:
    """Pass saved servers to `on_batch` in batches, last answered first.

    These are at most `MAX_SAVED_SERVERS`, none older than `MAX_AGE_DAYS` before `now` (Unix time, s; default: the
    current time). Unreadable rows are left out. An error raised by `on_batch` ends the loading and is passed on.
    """
    oldest = (time.time() if now is None else now) - MAX_AGE_DAYS * 86400

    def work(connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM saved_servers WHERE last_answer > ?"  # noqa: S608 (constants only)
            " ORDER BY last_answer DESC LIMIT ?",
            (oldest, MAX_SAVED_SERVERS),
        )
        unreadable = 0
        while batch := rows.fetchmany(BATCH_SIZE):
            servers = _decode_servers(filter_valid_rows(batch, "saved_servers", _COLUMNS))
            unreadable += len(batch) - len(servers)
            on_batch(servers)
        database.report_unreadable("saved_servers", unreadable)

    database.read(work)


def delete_old_servers(database: Database, now: float | None = None) -> Future[None]:
    """Delete servers that have not answered for `MAX_AGE_DAYS`, by the trusted time."""
    now_s = time.time() if now is None else now

    def work(connection: sqlite3.Connection) -> None:
        trusted_time = advance_trusted_time(connection, now_s)
        oldest, latest = trusted_time.earliest - MAX_AGE_DAYS * 86400, trusted_time.latest + MAX_AHEAD_S
        connection.execute("DELETE FROM saved_servers WHERE last_answer <= ?", (oldest,))
        connection.execute(
            "UPDATE saved_servers SET last_answer = ? WHERE last_answer > ?", (trusted_time.latest, latest)
        )

    return database.write(work)


def _encode_info(server: SavedServer) -> str:
    """Return the column `info` as JSON.

    It contains the fields that differ from their defaults, and further values without a column of their own.
    """
    values = zip(_FIELD_DEFAULTS.items(), _get_field_values(server.info), strict=True)
    saved_values = {name: value for (name, default), value in values if value != default}
    if server.target.game_port is not None:
        saved_values["game_port"] = server.target.game_port
    if server.target.host_name:
        saved_values["host_name"] = server.target.host_name
    if server.sources:
        saved_values["sources"] = server.sources
    return json.dumps(saved_values, ensure_ascii=False, separators=(",", ":"))


def _decode_servers(rows: Sequence[tuple[Any, ...]]) -> list[SavedServer]:
    texts = [row[6] for row in rows]
    try:
        documents = json.loads(f"[{','.join(texts)}]")  # one call for all is much faster than one per row
    except (ValueError, RecursionError):
        documents = []
    if len(documents) != len(texts):
        documents = [_decode_json(text) for text in texts]
    decoded = (_decode_server(row, values) for row, values in zip(rows, documents, strict=True))
    return [each for each in decoded if each is not None]


def _decode_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@cache
def _list_field_types() -> Mapping[str, frozenset[type]]:
    """Return the types that the values of each field of `ServerInfo` may have."""
    hints = get_type_hints(ServerInfo)
    options = {name: get_args(hint) if isinstance(hint, UnionType) else (hint,) for name, hint in hints.items()}
    types = {
        name: {get_origin(each) or each for each in options_of_field} for name, options_of_field in options.items()
    }
    return {name: frozenset(each | {int} if float in each else each) for name, each in types.items()}


def _has_valid_types(values: Mapping[str, Any]) -> bool:
    """Return whether values fit `ServerInfo`'s fields and numbers are plausible."""
    types = _list_field_types()
    host, port = values["connect"]
    return (
        all(type(value) in types[name] for name, value in values.items())
        and all(abs(value) <= MAX_COUNT for value in values.values() if isinstance(value, int))
        and isinstance(host, str)
        and isinstance(port, int)
        and 0 < port < 1 << 16
        and all(isinstance(tag, str) for tag in values.get("tags", ()))
    )


def _decode_server(row: tuple[Any, ...], values: Any) -> SavedServer | None:
    host, port, protocol, game, ping_ms, last_answer, _ = row
    try:
        values["connect"] = Address(*values["connect"])
        if "tags" in values:
            values["tags"] = tuple(values["tags"])
        game_port, host_name = values.pop("game_port", None), values.pop("host_name", "")
        sources = tuple(map(int, values.pop("sources", ())))
        if not _has_valid_types(values) or not isinstance(game_port, int | None):
            return None
        info, host_name = ServerInfo(**values), normalize_host(host_name) if host_name else ""
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        return None
    target = QueryTarget(Address(host, port), protocol, game, game_port, host_name=host_name)
    return SavedServer(target, info, ping_ms, last_answer, sources)
