"""Server lists of Natural Selection 2 (favourites, blocked, history).

The format is `{"IP:PORT": true}`. Older builds of the game wrote a list of addresses, or of objects with `address`
(some with a map of addresses and a `version`). The history is a list of objects with `address`, `lastConnect` and
`name`. All addresses are the ones that the game connects to.
"""

from collections.abc import Iterator, Mapping

from browser_app.language import gettext as _
from browser_app.number_checks import is_number
from browser_app.protocols.address import parse_address
from browser_app.storage.checked_rows import MAX_UNIX_TIME
from browser_app.storage.importers import imported_server


def parse_ns2_list(data: bytes, list_kind: imported_server.ServerListKind) -> list[imported_server.ImportedServer]:
    """Parse one file, without entries whose address is invalid.

    Raises:
        UnreadableListError: it is not JSON, or not a list.
    """
    document = imported_server.parse_json_list(data)
    if not isinstance(document, list | dict):
        raise imported_server.UnreadableListError(_("neither a list nor an object"))
    servers: dict[str, imported_server.ImportedServer] = {}
    for text, details in _walk_entries(document):
        try:
            address = parse_address(text)
        except ValueError:
            continue
        played_at = details.get("lastConnect")
        has_played_at = is_number(played_at, 0, MAX_UNIX_TIME) and played_at > 0
        servers[text] = imported_server.ImportedServer(
            address,
            list_kind,
            name=imported_server.clean_server_name(details.get("name")),
            played_at=float(played_at) if has_played_at and isinstance(played_at, int | float) else None,
        )
    return list(servers.values())[: imported_server.MAX_IMPORTED_SERVERS]


def _walk_entries(document: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    if isinstance(document, dict):
        yield from ((str(key), {}) for key, value in document.items() if value is True)
        return
    for entry in document if isinstance(document, list) else ():
        if isinstance(entry, str):
            yield entry, {}
        elif isinstance(entry, dict) and isinstance(entry.get("address"), str):
            yield entry["address"], entry
        elif isinstance(entry, dict):
            yield from _walk_entries({key: value for key, value in entry.items() if key != "version"})
