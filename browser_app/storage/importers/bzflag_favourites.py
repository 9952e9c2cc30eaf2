"""Favourites of BZFlag: marked entries in the game's cache of server lists.

An entry is an address, a description (`ADDRESS; TITLE`) and a name, each filled with zeros, the reply to a ping, the
mark and a time (`ServerListCache` and `ServerItem` in its source).
"""

from collections.abc import Iterator
from typing import Final

from browser_app.language import gettext as _
from browser_app.storage.importers.imported_server import ImportedServer, UnreadableListError, list_favourites

BZFLAG_PORT: Final = 5154
TEXT_BYTES: Final = 201
REPLY_BYTES: Final = 60
_MARK: Final = 3 * TEXT_BYTES + REPLY_BYTES
ENTRY_BYTES: Final = _MARK + 1 + 4


def parse_bzflag_cache(data: bytes) -> list[ImportedServer]:
    """Parse the favourites.

    Raises:
        UnreadableListError: the entries have another size.
    """
    if len(data) % ENTRY_BYTES:
        raise UnreadableListError(_("unknown engine format"))
    return list_favourites(_iterate_favourites(data), BZFLAG_PORT)


def _iterate_favourites(data: bytes) -> Iterator[tuple[str, str]]:
    for start in range(0, len(data), ENTRY_BYTES):
        if data[start + _MARK]:
            description = _read_text(data, start + TEXT_BYTES)
            yield _read_text(data, start), description.partition(";")[2]


def _read_text(data: bytes, start: int) -> str:
    return data[start : start + TEXT_BYTES].partition(b"\0")[0].decode("utf-8", "replace")
