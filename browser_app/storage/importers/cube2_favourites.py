"""Favourites of Sauerbraten, Tesseract and Red Eclipse.

`servers.cfg` names every listed server by `addserver`; those to keep are named by `keepserver`. What stands in
`autoexec.cfg` was written by the player.
"""

import re
from collections.abc import Iterator

from browser_app.storage.importers.imported_server import ImportedServer, join_host_port, list_favourites

_COMMAND = re.compile(
    r'^[ \t]*(addserver|keepserver)[ \t]+(")?([^\s";]+)(?(2)")(?=[\s;]|\Z)(?:[ \t]+"?([0-9]{1,5}))?', re.MULTILINE
)


def parse_kept_servers(data: bytes, default_port: int) -> list[ImportedServer]:
    """Parse `servers.cfg`."""
    return list_favourites(_iterate_servers(data, ("keepserver",)), default_port)


def parse_own_commands(data: bytes, default_port: int) -> list[ImportedServer]:
    """Parse `autoexec.cfg`."""
    return list_favourites(_iterate_servers(data, ("addserver", "keepserver")), default_port)


def _iterate_servers(data: bytes, commands: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for command, _quote, host, port in _COMMAND.findall(data.decode("latin-1")):
        if command in commands:
            yield join_host_port(host, port) if int(port or 0) else host, ""
