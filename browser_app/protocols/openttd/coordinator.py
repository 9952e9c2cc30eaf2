"""The list of OpenTTD's game coordinator.

Formats as in the game's `tcp_coordinator.h`. Most servers have an invite code, by which the coordinator connects
players to them; the others are listed by address.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.openttd.game_info import (
    MAX_INFO_VERSION,
    OpenTTDReader,
    OpenTTDReply,
    encode_openttd_packet,
    read_game_info,
    split_openttd_packet,
)
from browser_app.protocols.query_session import PacketError

CLIENT_LISTING, LISTING, NEWGRF_LOOKUP = 4, 5, 15
"""Types of packets."""
_COORDINATOR_VERSION = 6
_REVISION = b"14.1"
"""Our version of the game, which does not change what is listed."""
LISTING_REQUEST: Final = encode_openttd_packet(
    CLIENT_LISTING, bytes([_COORDINATOR_VERSION, MAX_INFO_VERSION]) + _REVISION + b"\0" + bytes(4)
)


class ListedOpenTTDServer(NamedTuple):
    """One entry."""

    connection: str
    """`HOST:PORT`, or an invite code such as `+AbC123`."""
    reply: OpenTTDReply


def parse_listing(chunks: Iterable[bytes]) -> Iterator[ListedOpenTTDServer | None]:
    """Parse the list while it arrives; it ends with an empty packet.

    Yields:
        Each server; None for a packet with names of NewGRFs.
    """
    for kind, body in _iterate_packets(chunks):
        if kind == NEWGRF_LOOKUP:
            yield None
        elif kind == LISTING:
            servers = _parse_packet(body)
            if not servers:
                return
            yield from servers
        else:
            raise DescribedListError("not a list")
    raise DescribedListError("incomplete list")


def _iterate_packets(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the type and content of each packet."""
    rest = b""
    for chunk in chunks:
        data, position = rest + chunk, 0
        while (packet := _split(data, position)) is not None:
            kind, body, position = packet
            yield kind, body
        rest = data[position:]


def _split(data: bytes, start: int) -> tuple[int, bytes, int] | None:
    try:
        return split_openttd_packet(data, start)
    except PacketError:
        raise DescribedListError("not a list") from None


def _parse_packet(body: bytes) -> list[ListedOpenTTDServer]:
    reader = OpenTTDReader(body)
    try:
        return [ListedOpenTTDServer(reader.read_text(), read_game_info(reader)) for _number in range(reader.read_u16())]
    except PacketError as error:
        raise DescribedListError(f"invalid list: {error}") from None
