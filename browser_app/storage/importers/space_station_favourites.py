"""Favourites of Space Station 14's launcher: `settings.db`, an SQLite database."""

import sqlite3
from contextlib import closing
from typing import Final

from browser_app.language import gettext as _
from browser_app.protocols.query_protocols import LISTED
from browser_app.protocols.server_code import is_code_address
from browser_app.protocols.space_station.hub_list import parse_station_url
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
    clean_server_name,
)

_MAX_STEPS: Final = 1_000_000
"""Of SQLite's virtual machine; a list of the greatest length takes a tenth of them."""
_MAX_ROW_BYTES: Final = 64 << 10
"""A column may be computed by SQL, and be much longer than the file."""
_JOURNAL_MODE: Final = slice(18, 20)
"""Place in the file's header; memory has no write-ahead log."""
_ROLLBACK: Final = b"\x01\x01"


def parse_space_station_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the favourites; those behind a proxy are identified by their URL.

    Raises:
        UnreadableListError: it is no such database.
    """
    content = bytearray(data)
    content[_JOURNAL_MODE] = _ROLLBACK
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(bytes(content))
            database.set_progress_handler(lambda: 1, _MAX_STEPS)
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_ROW_BYTES)
            database.execute("PRAGMA trusted_schema = OFF")
            kinds = database.execute("SELECT type FROM sqlite_master WHERE name = 'FavoriteServer'").fetchall()
            if kinds != [("table",)]:
                raise UnreadableListError(_("unknown engine format"))
            query = "SELECT Address, Name FROM FavoriteServer LIMIT ?"
            rows = database.execute(query, (MAX_IMPORTED_SERVERS,)).fetchall()
    except (sqlite3.Error, UnicodeError, OverflowError, MemoryError) as error:  # messages may quote the file's bytes
        raise UnreadableListError(str(error)) from None
    servers = []
    for url, name in rows:
        try:
            address = parse_station_url(str(url))
        except ValueError:
            continue
        protocol = LISTED if is_code_address(address) else ""
        kind = ServerListKind.FAVOURITE
        servers.append(ImportedServer(address, kind, name=clean_server_name(name), protocol=protocol))
    return servers
