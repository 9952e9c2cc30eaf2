"""Favourites of Teeworlds (`settings07.cfg`) and DDNet (`settings_ddnet.cfg`).

DDNet puts the addresses of one server between `begin_favorite_group` and `end_favorite_group`. Teeworlds writes the
password behind an address; it is not read.
"""

import re
from collections.abc import Iterator
from typing import Final

from browser_app.protocols.address import parse_address
from browser_app.protocols.query_protocols import TEEWORLDS06, TEEWORLDS07
from browser_app.storage.importers.imported_server import MAX_IMPORTED_SERVERS, ImportedServer, ServerListKind

TEEWORLDS_PORT: Final = 8303
_LINE = re.compile(r'^[ \t]*(add_favorite|begin_favorite_group|end_favorite_group)\b[ \t]*"?([^"\s;]*)', re.MULTILINE)
_SCHEMES: Final = {"tw-0.6+udp": TEEWORLDS06, "tw-0.7+udp": TEEWORLDS07}


def parse_teeworlds_favourites(data: bytes) -> list[ImportedServer]:
    """Parse a settings file's favourites, one of each group, without invalid ones."""
    servers = []
    is_in_group = has_group_server = False
    for command, text in _LINE.findall(data.decode("utf-8", "replace")):
        if command != "add_favorite":
            is_in_group, has_group_server = command.startswith("begin"), False
            continue
        if has_group_server:
            continue
        for server in _parse_favourite(text):
            servers.append(server)
            has_group_server = is_in_group
    return servers[:MAX_IMPORTED_SERVERS]


def _parse_favourite(text: str) -> Iterator[ImportedServer]:
    scheme, separator, rest = text.rpartition("://")
    if separator and scheme not in _SCHEMES:
        return
    try:
        address = parse_address(rest, TEEWORLDS_PORT)
    except ValueError:
        return
    yield ImportedServer(address, ServerListKind.FAVOURITE, protocol=_SCHEMES.get(scheme, ""))
