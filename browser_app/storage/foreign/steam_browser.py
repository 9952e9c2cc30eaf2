"""Steam's `serverbrowser_hist.vdf`: the favourites and the history of the client's own server browser.

Under `Filters` are `Favorites` and `History`, each with numbered blocks of `name`, `address` (the query address),
`LastPlayed` (Unix time, 0 for never) and `appid`.
"""

from collections.abc import Iterator

from browser_app.protocols.address import parse_address
from browser_app.protocols.coloured_text import plain
from browser_app.storage.foreign.found import MAX_SERVERS, ForeignServer, Keeping
from browser_app.storage.foreign.vdf import Block, block_at, read_vdf

_LISTS = (("favorites", Keeping.FAVOURITE), ("history", Keeping.PLAYED))


def read_steam_browser(data: bytes) -> list[ForeignServer]:
    """The servers of both lists; entries without a readable address are left out.

    Raises:
        Unreadable: the file is no VDF.
    """
    filters = block_at(read_vdf(data), "filters")
    return [server for name, keeping in _LISTS for server in _servers(block_at(filters, name), keeping)][:MAX_SERVERS]


def _servers(servers: Block, keeping: Keeping) -> Iterator[ForeignServer]:
    for entry in servers.values():
        if isinstance(entry, str):
            continue
        try:
            address = parse_address(_text(entry, "address"))
        except ValueError:
            continue
        played_at = _number(entry, "lastplayed")
        yield ForeignServer(
            address,
            keeping,
            is_query=True,
            name=plain(_text(entry, "name")).strip(),
            appid=_number(entry, "appid"),
            played_at=None if played_at is None else float(played_at),
        )


def _text(entry: Block, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _number(entry: Block, key: str) -> int | None:
    """A number above 0, which stands for unknown or never."""
    text = _text(entry, key)
    return int(text) or None if text.isascii() and text.isdigit() and len(text) <= 11 else None
