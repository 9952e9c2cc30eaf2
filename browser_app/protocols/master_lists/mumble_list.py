"""Mumble's list of public servers, in XML.

Its elements `server` have the attributes that the programs read which show it: `name`, `ip` (or a host's name), `port`,
and more about the operator.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import parse_host_port
from browser_app.protocols.master_lists.xml_list_reader import XmlElement, iterate_xml_entries

_ENTRY = "server"
_MAX_PORT_DIGITS = 5
_MAX_NAME = 256


class ListedMumbleServer(NamedTuple):
    """One entry."""

    address: Address
    """Its host may be a name."""
    name: str


def parse_mumble_list(chunks: Iterable[bytes]) -> Iterator[ListedMumbleServer | None]:
    """Parse the list while it arrives; it is at `publist.mumble.info/v1/list`.

    Yields:
        Each server; None for an entry without an address.
    """
    for entry in iterate_xml_entries(chunks, entry=_ENTRY, known=(_ENTRY,)):
        yield _parse_server(entry[0]) if entry else None


def _parse_server(server: XmlElement) -> ListedMumbleServer | None:
    port = server.attributes.get("port", "")
    if len(port) > _MAX_PORT_DIGITS or not (port.isascii() and port.isdigit()):
        return None
    address = parse_host_port(server.attributes.get("ip"), int(port))
    return None if address is None else ListedMumbleServer(address, server.attributes.get("name", "")[:_MAX_NAME])
