"""Favourites of OpenTTD: servers that the player has added.

They stand in `openttd.cfg`, by address or invite code.
"""

import re

from browser_app.protocols.query_protocols import LISTED
from browser_app.protocols.server_code import code_address
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    list_favourites,
)

OPENTTD_PORT = 3979
_SECTION = re.compile(r"^\[servers\][ \t]*\r?\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_CODE_MARK = "+"


def parse_openttd_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the section `[servers]`, without invalid ones."""
    section = _SECTION.search(data.decode("utf-8", "replace"))
    names = [line.partition("=")[0].strip().strip('"') for line in (section[1] if section else "").splitlines()]
    servers = list_favourites(((name, "") for name in names if not name.startswith(_CODE_MARK)), OPENTTD_PORT)
    for code in (name for name in names if name.startswith(_CODE_MARK)):
        try:
            address = code_address("openttd", code)
        except ValueError:
            continue
        servers.append(ImportedServer(address, ServerListKind.FAVOURITE, protocol=LISTED))
    return servers[:MAX_IMPORTED_SERVERS]
