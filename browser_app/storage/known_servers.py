"""The server list as it was last known, so that the window is full before the first answer comes."""

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import fields
from operator import attrgetter
from typing import Any

from browser_app.catalogue.facts import Facts, KnownServer, Target
from browser_app.protocols.address import Address
from browser_app.storage.database import Database

KEEP_DAYS = 30
MAX_SERVERS = 50_000
SLICE = 500
"""So many are read, and handed on, at once: a window can take them in between two frames."""

_LEFT_OUT = ("player_list", "rules")
_DEFAULTS = {spec.name: spec.default for spec in fields(Facts) if spec.name not in _LEFT_OUT}
_values = attrgetter(*_DEFAULTS)


def save_known_servers(database: Database, servers: Sequence[KnownServer]) -> Future[None]:
    """Put these servers into the list, over what was known of them; call it with batches of changed ones.

    Player lists and rules are not kept.
    """

    def work(connection: sqlite3.Connection) -> None:
        connection.executemany(
            "INSERT OR REPLACE INTO known_servers VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (*s.target.address, s.target.protocol, s.target.game, s.ping_ms, s.last_answer, _dump(s))
                for s in servers
            ],
        )

    return database.write(work)


def read_known_servers(
    database: Database, take: Callable[[list[KnownServer]], object], now: float | None = None
) -> None:
    """Hand the list to `take` in slices, last answered first: at most `MAX_SERVERS`, none older than `KEEP_DAYS`.

    Unreadable rows are left out. What `take` raises ends the reading and is passed on.

    Raises:
        StorageError: the file cannot be read.
    """
    oldest = (time.time() if now is None else now) - KEEP_DAYS * 86400

    def work(connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT * FROM known_servers WHERE last_answer > ? ORDER BY last_answer DESC LIMIT ?", (oldest, MAX_SERVERS)
        )
        while some := rows.fetchmany(SLICE):
            take(_servers(some))

    database.read(work)


def forget_old_servers(database: Database, now: float | None = None) -> Future[None]:
    """Delete servers that have not answered for `KEEP_DAYS`."""
    oldest = (time.time() if now is None else now) - KEEP_DAYS * 86400

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM known_servers WHERE last_answer <= ?", (oldest,))

    return database.write(work)


def _dump(server: KnownServer) -> str:
    values = zip(_DEFAULTS.items(), _values(server.facts), strict=True)
    told = {name: value for (name, default), value in values if value != default}
    if server.target.game_port is not None:
        told["game_port"] = server.target.game_port
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _servers(rows: Sequence[tuple[Any, ...]]) -> list[KnownServer]:
    texts = [row[6] for row in rows]
    try:
        parsed = json.loads(f"[{','.join(texts)}]")  # one call for all is much faster than one a row
    except ValueError:
        parsed = [_loads(text) for text in texts]
    return [server for row, values in zip(rows, parsed, strict=True) if (server := _server(row, values)) is not None]


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _server(row: tuple[Any, ...], values: Any) -> KnownServer | None:
    host, port, protocol, game, ping_ms, last_answer, _ = row
    try:
        values["connect"] = Address(*values["connect"])
        if "tags" in values:
            values["tags"] = tuple(values["tags"])
        game_port = values.pop("game_port", None)
        facts = Facts(**values)
    except (TypeError, KeyError, AttributeError):
        return None
    return KnownServer(Target(Address(host, port), protocol, game, game_port), facts, ping_ms, last_answer)
