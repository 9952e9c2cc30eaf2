"""SuperTuxKart's list of Internet servers, in XML.

Format as the game's `Server::Server` reads it.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address
from typing import Final

from browser_app.protocols.master_lists.described_list import ListedReply, parse_host_port
from browser_app.protocols.master_lists.xml_list_reader import XmlElement, iterate_xml_entries
from browser_app.protocols.supertuxkart import SuperTuxKartReply

MAX_LISTED_PLAYERS: Final = 64
_MAX_COUNT = 255


def parse_supertuxkart_list(chunks: Iterable[bytes]) -> Iterator[ListedReply[SuperTuxKartReply] | None]:
    """Parse the list while it arrives.

    It is at `online.supertuxkart.net/api/v2/server/get-all/`.

    Yields:
        Each server; None for an entry without an address or a number of players.
    """
    for entry in iterate_xml_entries(chunks, entry="server", known=("server-info", "player-info")):
        yield _parse_server(entry)


def _parse_server(entry: Iterable[XmlElement]) -> ListedReply[SuperTuxKartReply] | None:
    elements = list(entry)
    info: Mapping[str, str] = next((each.attributes for each in elements if each.name == "server-info"), {})
    ip, port = _parse_number(info, "ip", 2**32 - 1), _parse_number(info, "port", 65535)
    players, max_players = (
        _parse_number(info, "current_players", _MAX_COUNT),
        _parse_number(info, "max_players", _MAX_COUNT),
    )
    address = None if ip is None else parse_host_port(str(IPv4Address(ip)), port)
    if address is None or players is None or max_players is None:
        return None
    names = [each.attributes.get("username", "") for each in elements if each.name == "player-info"]
    reply = SuperTuxKartReply(
        name=info.get("name", ""),
        players=players,
        max_players=max_players,
        mode=_parse_number(info, "game_mode", _MAX_COUNT),
        difficulty=_parse_number(info, "difficulty", _MAX_COUNT),
        password=_parse_flag(info, "password"),
        is_started=_parse_flag(info, "game_started"),
        track=info.get("current_track", ""),
        game_port=address.port,
        names=tuple(names[:MAX_LISTED_PLAYERS]),
    )
    return ListedReply(address, reply)


def _parse_number(attributes: Mapping[str, str], name: str, maximum: int) -> int | None:
    text = attributes.get(name, "")
    is_number = 0 < len(text) <= 10 and text.isascii() and text.isdigit()
    return int(text) if is_number and int(text) <= maximum else None


def _parse_flag(attributes: Mapping[str, str], name: str) -> bool | None:
    number = _parse_number(attributes, name, 1)
    return None if number is None else bool(number)
