"""The server that the user plays on, found from the games that run."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from browser_app.catalogue.catalogue import Catalogue
from browser_app.language import N_
from browser_app.launch.process_sockets import Connection
from browser_app.launch.running_games import FoundGame
from browser_app.protocols.address import Address

_OTHER_PORTS = frozenset({53, 80, 123, 443, 1900, 3478, 5353})
"""Ports of DNS, HTTP, NTP, HTTPS, SSDP, STUN and mDNS, to which games connect, too."""


class Evidence(enum.Enum):
    """How a server was found, or why none was."""

    COMMAND_LINE = "command line"
    CONNECTION = "connection"
    UNSUPPORTED = "unsupported"
    NO_GAME = "no game"
    NO_ADDRESS = "no address"
    SEVERAL = "several"


EVIDENCE_TEXTS: Mapping[Evidence, str] = {
    Evidence.COMMAND_LINE: N_("{game} was started with this address."),
    Evidence.CONNECTION: N_("{game} is connected to this address."),
    Evidence.UNSUPPORTED: N_(
        "On this system, Ready Room cannot see which server a game is on. Copy its address from the game."
    ),
    Evidence.NO_GAME: N_("No game is running that Ready Room recognises. Copy the address from the game."),
    Evidence.NO_ADDRESS: N_(
        "{game} is running, but neither its command line nor its connections reveal the server. "
        "Copy the address from the game."
    ),
    Evidence.SEVERAL: N_("The server is one of these: {addresses}. Enter the right one."),
}
"""Texts in English; placeholders: `{game}` and `{addresses}`."""


@dataclass(frozen=True, slots=True)
class CurrentServer:
    """The server, or why it is unknown."""

    evidence: Evidence
    addresses: tuple[Address, ...] = ()
    """One where the server is known; the possible ones where there are several."""
    game: str = ""
    """Name of the game, empty if unknown."""


def find_current_server(found: Sequence[FoundGame] | None, catalogue: Catalogue) -> CurrentServer:
    """Return the server that the found games are on.

    `found` is None where running games cannot be found.
    """
    if found is None:
        return CurrentServer(Evidence.UNSUPPORTED)
    if not found:
        return CurrentServer(Evidence.NO_GAME)
    with_address = [each for each in found if each.server is not None]
    if with_address:
        servers = tuple(dict.fromkeys(each.server for each in with_address if each.server is not None))
        return _result(Evidence.COMMAND_LINE, servers, with_address)
    servers = _connected_servers(found, catalogue)
    return _result(Evidence.CONNECTION, servers, found) if servers else _result(Evidence.NO_ADDRESS, (), found)


def _result(evidence: Evidence, servers: tuple[Address, ...], found: Sequence[FoundGame]) -> CurrentServer:
    game = found[0].game
    name = game.name if game is not None else ""
    return CurrentServer(Evidence.SEVERAL if len(servers) > 1 else evidence, servers, name)


def _connected_servers(found: Iterable[FoundGame], catalogue: Catalogue) -> tuple[Address, ...]:
    """Return known servers among the connections, else those that may be servers."""
    ends = [(each, connection) for each in found for connection in each.connections]
    game_addresses = {info.connect for info in catalogue.info_by_row if info is not None} if ends else set[Address]()
    known = [
        end.address for _game, end in ends if end.address in game_addresses or catalogue.row_of(end.address) is not None
    ]
    likely = [end.address for game, end in ends if _may_be_server(game, end)]
    return tuple(sorted(set(known or likely)))


def _may_be_server(found: FoundGame, end: Connection) -> bool:
    if end.is_stream:
        return found.game is not None and end.address.port == found.game.default_port
    return end.address.port not in _OTHER_PORTS
