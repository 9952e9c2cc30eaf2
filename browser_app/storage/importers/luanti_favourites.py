"""Favourites of Luanti: `favoriteservers.json`, or `.txt` before version 5.4."""

from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
    clean_server_name,
    join_host_port,
    parse_json_list,
)

_ENTRY_MARK = "[server]"


def parse_luanti_json(data: bytes) -> list[ImportedServer]:
    """Parse the favourites, without those whose address is invalid.

    Raises:
        UnreadableListError: it is not JSON, or not a list.
    """
    document = parse_json_list(data)
    if not isinstance(document, list):
        raise UnreadableListError(_("neither a list nor an object"))
    servers = (_parse_entry(entry) for entry in document if isinstance(entry, dict))
    return [server for server in servers if server is not None][:MAX_IMPORTED_SERVERS]


def _parse_entry(entry: Mapping[str, object]) -> ImportedServer | None:
    name, host, port = entry.get("name"), entry.get("address"), entry.get("port")
    return _create_favourite(host, port, name) if isinstance(host, str) else None


def parse_luanti_text(data: bytes) -> list[ImportedServer]:
    """Parse the favourites: a mark, then lines with name, address, port, description."""
    lines = data.decode("utf-8", "replace").splitlines()
    starts = [number for number, line in enumerate(lines) if line.strip() == _ENTRY_MARK]
    servers = (
        _create_favourite(lines[start + 2], lines[start + 3], lines[start + 1])
        for start in starts
        if start + 3 < len(lines)
    )
    return [server for server in servers if server is not None][:MAX_IMPORTED_SERVERS]


def _create_favourite(host: str, port: object, name: object) -> ImportedServer | None:
    try:
        address = parse_address(join_host_port(host.strip(), str(port).strip()))
    except ValueError:
        return None
    return ImportedServer(address, ServerListKind.FAVOURITE, name=clean_server_name(name))
