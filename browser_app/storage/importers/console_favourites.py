"""Favourites in files of console commands: of the Cube 2 games and Armagetron."""

import re
from collections.abc import Iterator

from browser_app.storage.importers.imported_server import ImportedServer, join_host_port, list_favourites

ARMAGETRON_PORT = 4534
_CUBE2_COMMAND = re.compile(
    r'^[ \t]*(addserver|keepserver)[ \t]+(")?([^\s";]+)(?(2)")(?=[\s;]|\Z)(?:[ \t]+"?([0-9]{1,5}))?', re.MULTILINE
)
_BOOKMARK = re.compile(r"^BOOKMARK_([0-9]{1,3})_(ADDRESS|NAME|PORT)[ \t]+(\S[^\r\n]*?)[ \t]*$", re.MULTILINE)


def parse_kept_servers(data: bytes, default_port: int) -> list[ImportedServer]:
    """Parse `servers.cfg` of Sauerbraten, Tesseract or Red Eclipse.

    It names every listed server by `addserver`, and those to keep by `keepserver`.
    """
    return list_favourites(_iterate_cube2_servers(data, ("keepserver",)), default_port)


def parse_own_commands(data: bytes, default_port: int) -> list[ImportedServer]:
    """Parse `autoexec.cfg` of these games, which the player has written."""
    return list_favourites(_iterate_cube2_servers(data, ("addserver", "keepserver")), default_port)


def _iterate_cube2_servers(data: bytes, commands: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for command, _quote, host, port in _CUBE2_COMMAND.findall(data.decode("latin-1")):
        if command in commands:
            yield join_host_port(host, port) if int(port or 0) else host, ""


def parse_armagetron_bookmarks(data: bytes) -> list[ImportedServer]:
    """Parse the bookmarks in Armagetron's `user.cfg`, without invalid ones."""
    bookmarks: dict[str, dict[str, str]] = {}
    for number, key, value in _BOOKMARK.findall(data.decode("utf-8", "replace")):
        bookmarks.setdefault(number, {})[key] = value.replace("\\ ", " ")
    return list_favourites(
        (
            (join_host_port(values["ADDRESS"], values.get("PORT", str(ARMAGETRON_PORT))), values.get("NAME", ""))
            for values in bookmarks.values()
            if "ADDRESS" in values
        ),
        colours="armagetron",
    )
