"""Server lists of Natural Selection 2 (favourites, blocked, history).

The format is `{"IP:PORT": true}`. Older builds of the game wrote a list of addresses, or of objects with `address`
(some with a map of addresses and a `version`). The history is a list of objects with `address`, `lastConnect` and
`name`. All addresses are the ones that the game connects to.
"""

from collections.abc import Iterator, Mapping

from browser_app.language import gettext as _
from browser_app.number_checks import is_number
from browser_app.protocols.address import parse_address
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.json_parser import JSONParseError, parse_json
from browser_app.storage.importers import imported_server

_MAX_UNIX_TIME = 1e11
"""Larger Unix times (s) are taken as invalid."""


def parse_ns2_list(data: bytes, list_kind: imported_server.ServerListKind) -> list[imported_server.ImportedServer]:
    """Parse one file, without entries whose address is invalid.

    Raises:
        UnreadableListError: it is not JSON, or not a list.
    """
    try:
        document = parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    except JSONParseError as error:
        raise imported_server.UnreadableListError(_("not JSON: {why}").format(why=error)) from None
    if not isinstance(document, list | dict):
        raise imported_server.UnreadableListError(_("neither a list nor an object"))
    servers: dict[str, imported_server.ImportedServer] = {}
    for text, about in _walk_entries(document):
        try:
            address = parse_address(text)
        except ValueError:
            continue
        name, played = about.get("name"), about.get("lastConnect")
        known = is_number(played, 0, _MAX_UNIX_TIME) and played > 0
        servers[text] = imported_server.ImportedServer(
            address,
            list_kind,
            name=plain_text(name).strip() if isinstance(name, str) else "",
            played_at=float(played) if known and isinstance(played, int | float) else None,
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
