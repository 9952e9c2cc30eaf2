"""List of a Space Station 14 hub: addresses and status documents.

That of the game's own is `hub.spacestation14.com/api/servers`. A server at `ss14://HOST:PORT` is asked there over HTTP.
One at `ss14s://HOST/PATH` is behind a proxy over HTTPS, as are others at the same host: it is known by that name, and
joined by it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.json_parser import text_or_empty
from browser_app.protocols.lists.described_list import iterate_list_entries
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.server_code import code_address
from browser_app.protocols.server_url import is_queryable_address
from browser_app.protocols.space_station.status import DEFAULT_PORT, StationStatus, parse_station_status

CODE_GAME: Final = "ss14s"
"""What codes of servers behind a proxy are for: the scheme of their names."""
_SCHEME, _PROXY_SCHEME = "ss14://", f"{CODE_GAME}://"


class ListedStation(NamedTuple):
    """One entry."""

    address: Address
    """Stands for a code if the server is behind a proxy."""
    status: StationStatus


def parse_hub_list(chunks: Iterable[bytes]) -> Iterator[ListedStation | None]:
    """Parse a hub's list while it arrives.

    Yields:
        Each server; None for an entry without an address or a status.

    Raises:
        DescribedListError: The document is not such a list.
    """
    for entry in iterate_list_entries(chunks, ()):
        yield None if entry is None else _parse_entry(entry)


def _parse_entry(entry: Mapping[str, object]) -> ListedStation | None:
    try:
        address = _parse_name(text_or_empty(entry.get("address")).removesuffix("/"))
        status = parse_station_status(entry.get("statusData"))
    except (ValueError, PacketError):
        return None
    return ListedStation(address, status) if is_queryable_address(address) else None


def _parse_name(name: str) -> Address:
    """Return the address of a server, or the one that stands for its code.

    Raises:
        ValueError: It is neither.
    """
    if name.startswith(_PROXY_SCHEME):
        return code_address(CODE_GAME, name.removeprefix(_PROXY_SCHEME))
    if not name.startswith(_SCHEME):
        raise ValueError(f"not {_SCHEME}")
    return parse_address(name.removeprefix(_SCHEME), DEFAULT_PORT)
