"""DDNet's list of servers and what each reports.

Format as in DDNet's `serverbrowser_http.cpp`; servers register the same `info` with the master server.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from browser_app.number_checks import is_whole_number
from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.json_parser import count_or_none, flag_or_none, text_or_empty
from browser_app.protocols.master_lists.described_list import iterate_list_entries
from browser_app.protocols.server_url import is_queryable_address
from browser_app.protocols.teeworlds.teeworlds_reply import MAX_CLIENTS, TeeworldsClient, TeeworldsReply

TEEWORLDS_SCHEMES: Final = {"tw-0.6+udp": "teeworlds06", "tw-0.7+udp": "teeworlds07"}
"""Scheme of an address → query protocol."""


class ListedTeeworldsServer(NamedTuple):
    """One entry."""

    protocol: str
    address: Address
    """The first one in `TEEWORLDS_SCHEMES`; its host is an IP address."""
    reply: TeeworldsReply


def parse_teeworlds_list(chunks: Iterable[bytes]) -> Iterator[ListedTeeworldsServer | None]:
    """Parse the document while it arrives.

    Yields:
        Each server; None for an entry that the game itself rejects, or whose addresses are all of other kinds.
    """
    for entry in iterate_list_entries(chunks, ("servers",)):
        yield None if entry is None else _parse_entry(entry)


def _parse_entry(entry: dict[str, object]) -> ListedTeeworldsServer | None:
    addresses, info = entry.get("addresses"), entry.get("info")
    located = _find_address(addresses) if isinstance(addresses, list) else None
    reply = _parse_info(info) if isinstance(info, dict) else None
    return None if located is None or reply is None else ListedTeeworldsServer(*located, reply)


def _find_address(addresses: list[object]) -> tuple[str, Address] | None:
    for text in addresses[:16]:
        scheme, _, rest = text.partition("://") if isinstance(text, str) else ("", "", "")
        try:
            address = parse_address(rest) if scheme in TEEWORLDS_SCHEMES else None
        except ValueError:
            continue
        if address is not None and is_queryable_address(address):
            return TEEWORLDS_SCHEMES[scheme], address
    return None


def _parse_info(info: dict[str, object]) -> TeeworldsReply | None:
    """Return the description in an entry, with missing or invalid texts empty.

    None if clients, slots or the password flag are missing or invalid.
    """
    rows, password = info.get("clients"), flag_or_none(info.get("passworded"))
    max_players, max_clients = count_or_none(info.get("max_players")), count_or_none(info.get("max_clients"))
    if not isinstance(rows, list) or password is None or max_players is None or max_clients is None:
        return None
    clients = tuple(_parse_client(row) for row in rows[:MAX_CLIENTS] if isinstance(row, dict))
    game_map = info.get("map")
    return TeeworldsReply(
        text_or_empty(info.get("version")),
        text_or_empty(info.get("name")),
        text_or_empty(game_map.get("name")) if isinstance(game_map, dict) else "",
        text_or_empty(info.get("game_type")),
        password,
        sum(not client.is_spectator for client in clients),
        max_players,
        len(clients),
        max_clients,
        clients,
    )


def _parse_client(row: dict[str, object]) -> TeeworldsClient:
    score = row.get("score")
    return TeeworldsClient(
        text_or_empty(row.get("name")),
        text_or_empty(row.get("clan")),
        score if is_whole_number(score, -(2**31), 2**31) else None,
        is_spectator=row.get("is_player") is False,
        is_bot=None,
    )
