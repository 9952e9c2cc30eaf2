"""The server list of earlier runs, saved for the next start."""

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import fields
from operator import attrgetter
from typing import Any

from browser_app.catalogue.server_info import QueryTarget, SavedServer, ServerInfo
from browser_app.protocols.address import Address
from browser_app.storage.database import Database

_log = logging.getLogger(__name__)

MAX_AGE_DAYS = 30
MAX_SAVED_SERVERS = 50_000
BATCH_SIZE = 500
"""Servers per batch, small enough for the window to merge between two frames."""

_UNSAVED_FIELDS = ("player_list", "rules")
_FIELD_DEFAULTS = {spec.name: spec.default for spec in fields(ServerInfo) if spec.name not in _UNSAVED_FIELDS}
_get_field_values = attrgetter(*_FIELD_DEFAULTS)


def save_servers(database: Database, servers: Sequence[SavedServer]) -> Future[None]:
    """Save changed servers, replacing older data; call it with batches.

    Player lists and rules are not saved.
    """

    def work(connection: sqlite3.Connection) -> None:
        connection.executemany(
            "INSERT OR REPLACE INTO saved_servers VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (*s.target.address, s.target.protocol, s.target.game, s.ping_ms, s.last_answer, _encode_info(s))
                for s in servers
            ],
        )

    return database.write(work)


def load_servers(database: Database, on_batch: Callable[[list[SavedServer]], object], now: float | None = None) -> None:
    """Pass saved servers to `on_batch` in batches, last answered first.

    At most `MAX_SAVED_SERVERS`, none older than `MAX_AGE_DAYS` before `now` (Unix time, s; default: the current time).
    Unreadable rows are left out. An error raised by `on_batch` ends the loading and is passed on.
    """
    oldest = (time.time() if now is None else now) - MAX_AGE_DAYS * 86400

    def work(connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT * FROM saved_servers WHERE last_answer > ? ORDER BY last_answer DESC LIMIT ?",
            (oldest, MAX_SAVED_SERVERS),
        )
        while batch := rows.fetchmany(BATCH_SIZE):
            on_batch(_decode_servers(batch))

    database.read(work)


def delete_old_servers(database: Database, now: float | None = None) -> Future[None]:
    """Delete servers that have not answered for `MAX_AGE_DAYS`."""
    oldest = (time.time() if now is None else now) - MAX_AGE_DAYS * 86400
    return database.execute("DELETE FROM saved_servers WHERE last_answer <= ?", (oldest,))


def _encode_info(server: SavedServer) -> str:
    values = zip(_FIELD_DEFAULTS.items(), _get_field_values(server.info), strict=True)
    changed = {name: value for (name, default), value in values if value != default}
    if server.target.game_port is not None:
        changed["game_port"] = server.target.game_port
    if server.sources:
        changed["sources"] = server.sources
    return json.dumps(changed, ensure_ascii=False, separators=(",", ":"))


def _decode_servers(rows: Sequence[tuple[Any, ...]]) -> list[SavedServer]:
    texts = [row[6] for row in rows]
    try:
        parsed = json.loads(f"[{','.join(texts)}]")  # one call for all is much faster than one per row
    except ValueError:
        parsed = [_decode_json(text) for text in texts]
    decoded = (_decode_server(row, values) for row, values in zip(rows, parsed, strict=True))
    servers = [each for each in decoded if each is not None]
    if len(servers) < len(rows):
        _log.info("Ignored %d unreadable saved servers", len(rows) - len(servers))
    return servers


def _decode_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _decode_server(row: tuple[Any, ...], values: Any) -> SavedServer | None:
    host, port, protocol, game, ping_ms, last_answer, _ = row
    try:
        values["connect"] = Address(*values["connect"])
        if "tags" in values:
            values["tags"] = tuple(values["tags"])
        game_port = values.pop("game_port", None)
        sources = tuple(map(int, values.pop("sources", ())))
        info = ServerInfo(**values)
    except (TypeError, ValueError, KeyError, AttributeError):
        return None
    return SavedServer(QueryTarget(Address(host, port), protocol, game, game_port), info, ping_ms, last_answer, sources)
