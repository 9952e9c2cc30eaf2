"""Favourites of Doom's ports, in Doomseeker and in Odamex's launcher."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from browser_app.storage.importers.imported_server import ImportedServer, join_host_port, list_favourites

_PINNED = re.compile(r"^CustomServers=(.*)$", re.MULTILINE | re.IGNORECASE)
_ENTRY = re.compile(r"\(([^;()]*);([^;()]*);([0-9]{1,5})(?:;([^;()]*))?[^()]*\)")
_GAMES = {"zandronum": "zandronum", "odamex": "odamex", "chocolate doom": "chocolatedoom"}
"""By the name of Doomseeker's plug-in."""
_OWN_SERVER = re.compile(r"^\[CustomServers/\d{1,4}\][ \t]*\r?\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_VALUE = re.compile(r"^(Address|Port)=([^\s]+)", re.MULTILINE)


def parse_doomseeker_servers(data: bytes) -> list[ImportedServer]:
    """Parse the pinned servers of the games that we know."""
    pinned = _PINNED.search(data.decode("utf-8", "replace"))
    entries = _ENTRY.findall(pinned[1]) if pinned else []
    return [
        server
        for plugin, host, port, enabled in entries
        if (game := _GAMES.get(unquote(plugin).lower())) and enabled != "0"
        for server in list_favourites([(join_host_port(unquote(host), port), "")], game=game)
    ]


def parse_odamex_launcher(data: bytes) -> list[ImportedServer]:
    """Parse the servers that the player has added."""
    return list_favourites(_iterate_own_servers(data.decode("utf-8", "replace")))


def _iterate_own_servers(text: str) -> Iterator[tuple[str, str]]:
    for section in _OWN_SERVER.findall(text):
        values = dict(_VALUE.findall(section))
        yield join_host_port(values.get("Address", ""), values.get("Port", "")), ""
