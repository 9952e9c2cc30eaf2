"""Favourites in INI files: of OpenTTD, Unreal, Doomseeker and Odamex's launcher."""

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from browser_app.protocols.query_protocols import LISTED
from browser_app.protocols.server_code import code_address
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    join_host_port,
    list_favourites,
)

OPENTTD_PORT = 3979
_CODE_MARK = "+"
_UNREAL_FAVOURITE = re.compile(
    r"^Favorites\[\d{1,3}\]=([^\\\r\n]*)\\([^\\\r\n]+)\\(\d{1,5})(?:\\|[ \t]*\r?$)", re.MULTILINE
)
_DOOMSEEKER_LIST = re.compile(r"^CustomServers=(.*)$", re.MULTILINE | re.IGNORECASE)
_DOOMSEEKER_ENTRY = re.compile(r"\(([^;()]*);([^;()]*);([0-9]{1,5})(?:;([^;()]*))?[^()]*\)")
_DOOMSEEKER_GAMES = {"zandronum": "zandronum", "odamex": "odamex", "chocolate doom": "chocolatedoom"}
"""By the name of its plug-in."""
_ODAMEX_VALUE = re.compile(r"^(Address|Port)=([^\s]+)", re.MULTILINE)


def parse_openttd_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the section `[servers]` of `openttd.cfg`, without invalid entries.

    The player has added these, by address or invite code.
    """
    lines = [line for section in _find_sections(data, "servers") for line in section.splitlines()]
    names = [line.partition("=")[0].strip().strip('"') for line in lines]
    servers = list_favourites(((name, "") for name in names if not name.startswith(_CODE_MARK)), OPENTTD_PORT)
    for code in (name for name in names if name.startswith(_CODE_MARK)):
        try:
            address = code_address("openttd", code)
        except ValueError:
            continue
        servers.append(ImportedServer(address, ServerListKind.FAVOURITE, protocol=LISTED))
    return servers[:MAX_IMPORTED_SERVERS]


def parse_unreal_favourites(data: bytes) -> list[ImportedServer]:
    r"""Parse the favourites of the browser in Unreal and Unreal Tournament.

    One is `Favorites[N]=NAME\HOST\QUERY PORT\FLAG` (`UBrowserFavoritesFact`); the flag keeps the name as it is.
    """
    sections = _find_sections(data, r"UBrowser\.UBrowserFavoritesFact", "latin-1")
    entries = [entry for section in sections for entry in _UNREAL_FAVOURITE.findall(section)]
    servers = list_favourites((join_host_port(host, port), name) for name, host, port in entries)
    return [replace(server, is_query_address=True) for server in servers]


def parse_doomseeker_servers(data: bytes) -> list[ImportedServer]:
    """Parse Doomseeker's pinned servers of the games that we know."""
    pinned = _DOOMSEEKER_LIST.search(data.decode("utf-8", "replace"))
    entries = _DOOMSEEKER_ENTRY.findall(pinned[1]) if pinned else []
    return [
        server
        for plugin, host, port, enabled in entries
        if (game := _DOOMSEEKER_GAMES.get(unquote(plugin).lower())) and enabled != "0"
        for server in list_favourites([(join_host_port(unquote(host), port), "")], game=game)
    ]


def parse_odamex_launcher(data: bytes) -> list[ImportedServer]:
    """Parse the servers that the player has added in Odamex's launcher."""
    values = (dict(_ODAMEX_VALUE.findall(section)) for section in _find_sections(data, r"CustomServers/\d{1,4}"))
    return list_favourites((join_host_port(each.get("Address", ""), each.get("Port", "")), "") for each in values)


def _find_sections(data: bytes, name: str, encoding: str = "utf-8") -> Iterator[str]:
    """Find the contents of the sections whose name matches a pattern."""
    section = re.compile(rf"^\[{name}\][ \t]*\r?\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
    return (match[1] for match in section.finditer(data.decode(encoding, "replace")))
