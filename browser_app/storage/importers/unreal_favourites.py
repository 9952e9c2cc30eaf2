r"""Favourites of Unreal and Unreal Tournament, in the game's INI file.

A favourite is `Favorites[N]=NAME\HOST\QUERY PORT\FLAG` (`UBrowserFavoritesFact`); the flag keeps the name as it is.
"""

import re
from dataclasses import replace

from browser_app.storage.importers.imported_server import ImportedServer, join_host_port, list_favourites

_SECTION = re.compile(r"^\[UBrowser\.UBrowserFavoritesFact\][ \t]*\r?\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_FAVOURITE = re.compile(r"^Favorites\[\d{1,3}\]=([^\\\r\n]*)\\([^\\\r\n]+)\\(\d{1,5})(?:\\|[ \t]*\r?$)", re.MULTILINE)


def parse_unreal_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the favourites of the game's own browser."""
    section = _SECTION.search(data.decode("latin-1"))
    entries = _FAVOURITE.findall(section[1]) if section else []
    servers = list_favourites((join_host_port(host, port), name) for name, host, port in entries)
    return [replace(server, is_query_address=True) for server in servers]
