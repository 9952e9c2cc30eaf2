"""List of a Space Station 14 hub (`hub.spacestation14.com/api/servers`): addresses and status documents."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.json_parser import text_value
from browser_app.protocols.lists.described_list import iterate_list_entries
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.server_url import is_queryable_address
from browser_app.protocols.space_station.status import DEFAULT_PORT, StationStatus, parse_station_status

_SCHEME = "ss14://"


class ListedStation(NamedTuple):
    """One entry."""

    address: Address
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
    url = text_value(entry.get("address"))
    if not url.startswith(_SCHEME):
        return None
    try:
        address = parse_address(url.removeprefix(_SCHEME).removesuffix("/"), DEFAULT_PORT)
        status = parse_station_status(entry.get("statusData"))
    except (ValueError, PacketError):
        return None
    return ListedStation(address, status) if is_queryable_address(address) else None
