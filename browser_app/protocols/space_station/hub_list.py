"""List of a Space Station 14 hub: addresses and status documents.

The official one is `hub.spacestation14.com/api/servers`. A server at `ss14://HOST:PORT` is queried there over HTTP. One
at `ss14s://HOST/PATH` shares an HTTPS proxy with others at the same host; it is identified and joined by that URL.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.json_parser import text_or_empty
from browser_app.protocols.master_lists.described_list import iterate_list_entries
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.server_code import code_address
from browser_app.protocols.server_url import is_queryable_address
from browser_app.protocols.space_station.status import DEFAULT_PORT, SpaceStationStatus, parse_space_station_status

PROXY_SCHEME: Final = "ss14s"
"""Scheme of the URLs of servers behind a proxy, and the namespace of the codes made from these."""
_PREFIX, _PROXY_PREFIX = "ss14://", f"{PROXY_SCHEME}://"


class ListedSpaceStation(NamedTuple):
    """One entry."""

    address: Address
    """Represents a code if the server is behind a proxy."""
    status: SpaceStationStatus


def parse_hub_list(chunks: Iterable[bytes]) -> Iterator[ListedSpaceStation | None]:
    """Parse a hub's list while it arrives.

    Yields:
        Each server; None for an entry without an address or a status.
    """
    for entry in iterate_list_entries(chunks, ()):
        yield None if entry is None else _parse_entry(entry)


def _parse_entry(entry: Mapping[str, object]) -> ListedSpaceStation | None:
    try:
        address = parse_station_url(text_or_empty(entry.get("address")))
        status = parse_space_station_status(entry.get("statusData"))
    except (ValueError, PacketError):
        return None
    return ListedSpaceStation(address, status) if is_queryable_address(address) else None


def parse_station_url(url: str) -> Address:
    """Return a server's address, or the address that represents its code.

    Raises:
        ValueError: it is neither.
    """
    url = url.removesuffix("/")
    if url.startswith(_PROXY_PREFIX):
        return code_address(PROXY_SCHEME, url.removeprefix(_PROXY_PREFIX))
    if not url.startswith(_PREFIX):
        raise ValueError(f"not {_PREFIX}")
    return parse_address(url.removeprefix(_PREFIX), DEFAULT_PORT)
