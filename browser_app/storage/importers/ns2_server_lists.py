"""Server lists of Natural Selection 2 (favourites, blocked, history).

Now `{"IP:PORT": true}`; older builds wrote a list of addresses or of objects with `address` (and, in some, a map of
addresses with a `version`). The history is a list of objects with `address`, `lastConnect` and `name`. All addresses
are what the game is told.
"""

from collections.abc import Iterator, Mapping

from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.json_parser import JSONParseError, parse_json
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
)

_MAX_UNIX_TIME = 1e11
"""Unix time, s; what is beyond is none."""


def parse_ns2_list(data: bytes, list_kind: ServerListKind) -> list[ImportedServer]:
    """The servers of one file; entries without a readable address are left out.

    Raises:
        Unreadable: it is no JSON, or no list.
    """
    try:
        document = parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    except JSONParseError as error:
        raise UnreadableListError(_("not JSON: {why}").format(why=error)) from None
    if not isinstance(document, list | dict):
        raise UnreadableListError(_("neither a list nor an object"))
    servers: dict[str, ImportedServer] = {}
    for text, about in _walk_entries(document):
        try:
            address = parse_address(text)
        except ValueError:
            continue
        name, played = about.get("name"), about.get("lastConnect")
        known = isinstance(played, int | float) and not isinstance(played, bool) and 0 < played < _MAX_UNIX_TIME
        servers[text] = ImportedServer(
            address,
            list_kind,
            name=plain_text(name).strip() if isinstance(name, str) else "",
            played_at=float(played) if known and isinstance(played, int | float) else None,
        )
    return list(servers.values())[:MAX_IMPORTED_SERVERS]


def _walk_entries(document: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each address, and the object that it stands in."""
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
