"""SuperTuxKart's list of Internet servers, in XML.

Format as the game's `Server::Server` reads it.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address
from typing import Final, NamedTuple

from browser_app.protocols.address import Address
from browser_app.protocols.lists.described_list import parse_host_port
from browser_app.protocols.lists.xml_list_reader import XmlElement, iterate_xml_entries
from browser_app.protocols.supertuxkart import SuperTuxKartReply

MAX_LISTED_PLAYERS: Final = 64
_MAX_COUNT = 255


class ListedKartServer(NamedTuple):
    """One entry."""

    address: Address
    reply: SuperTuxKartReply


def parse_supertuxkart_list(chunks: Iterable[bytes]) -> Iterator[ListedKartServer | None]:
    """Parse the list while it arrives.

    It is at `online.supertuxkart.net/api/v2/server/get-all/`.

    Yields:
        Each server; None for an entry without an address or a number of players.

    Raises:
        DescribedListError: The document is not such a list.
    """
    for entry in iterate_xml_entries(chunks, entry="server", known=("server-info", "player-info")):
        yield _parse_server(entry)


def _parse_server(entry: Iterable[XmlElement]) -> ListedKartServer | None:
    elements = list(entry)
    info: Mapping[str, str] = next((each.attributes for each in elements if each.name == "server-info"), {})
    ip, port = _number(info, "ip", 2**32 - 1), _number(info, "port", 65535)
    players, max_players = _number(info, "current_players", _MAX_COUNT), _number(info, "max_players", _MAX_COUNT)
    address = None if ip is None else parse_host_port(str(IPv4Address(ip)), port)
    if address is None or players is None or max_players is None:
        return None
    names = [each.attributes.get("username", "") for each in elements if each.name == "player-info"]
    reply = SuperTuxKartReply(
        name=info.get("name", ""),
        players=players,
        max_players=max_players,
        mode=_number(info, "game_mode", _MAX_COUNT),
        difficulty=_number(info, "difficulty", _MAX_COUNT),
        password=_flag(info, "password"),
        is_started=_flag(info, "game_started"),
        track=info.get("current_track", ""),
        game_port=address.port,
        names=tuple(names[:MAX_LISTED_PLAYERS]),
    )
    return ListedKartServer(address, reply)


def _number(attributes: Mapping[str, str], name: str, most: int) -> int | None:
    text = attributes.get(name, "")
    is_number = 0 < len(text) <= 10 and text.isascii() and text.isdigit()
    return int(text) if is_number and int(text) <= most else None


def _flag(attributes: Mapping[str, str], name: str) -> bool | None:
    number = _number(attributes, name, 1)
    return None if number is None else bool(number)
