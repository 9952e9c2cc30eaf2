"""The server that running games are on, and why it may be unknown."""

import pytest

from browser_app.application.current_server import CurrentServer, Evidence, find_current_server
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games import load_games
from browser_app.launch.process_sockets import Connection
from browser_app.launch.running_games import FoundGame
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

GAMES = load_games(resource_folder() / "games")
QUERY, CONNECT = Address("192.0.2.7", 27016), Address("192.0.2.7", 27015)
NS2 = "Natural Selection 2"
OTHER = Address("192.0.2.9", 27015)


def udp(*addresses: Address) -> frozenset[Connection]:
    return frozenset(Connection(address, is_stream=False) for address in addresses)


def tcp(*addresses: Address) -> frozenset[Connection]:
    return frozenset(Connection(address, is_stream=True) for address in addresses)


def game(
    server: Address | None = None, connections: frozenset[Connection] = frozenset(), game_id: str = "ns2"
) -> FoundGame:
    return FoundGame(1, 1, GAMES[game_id] if game_id else None, server, connections)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """One server whose game address is known."""
    catalogue = Catalogue(GAMES)
    info = ServerInfo("ns2", "Server", "ns2_veil", CONNECT, 6, 0, 0, 16)
    catalogue.merge([QueryResult(QueryTarget(QUERY, "a2s", "ns2"), QueryStatus.OK, info, None, 50.0, False, 1, 1.0)])
    return catalogue


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (None, CurrentServer(Evidence.UNSUPPORTED)),
        ([], CurrentServer(Evidence.NO_GAME)),
        ([game()], CurrentServer(Evidence.NO_ADDRESS, (), NS2)),
        ([game(OTHER, game_id="")], CurrentServer(Evidence.COMMAND_LINE, (OTHER,))),
        ([game(OTHER), game(connections=udp(CONNECT))], CurrentServer(Evidence.COMMAND_LINE, (OTHER,), NS2)),
        ([game(OTHER), game(CONNECT)], CurrentServer(Evidence.SEVERAL, (OTHER, CONNECT), NS2)),
        ([game(connections=udp(OTHER, CONNECT))], CurrentServer(Evidence.CONNECTION, (CONNECT,), NS2)),
        ([game(connections=tcp(QUERY, OTHER))], CurrentServer(Evidence.CONNECTION, (QUERY,), NS2)),
        ([game(connections=udp(OTHER, Address("192.0.2.53", 53)))], CurrentServer(Evidence.CONNECTION, (OTHER,), NS2)),
        ([game(connections=tcp(Address("192.0.2.9", 443)))], CurrentServer(Evidence.NO_ADDRESS, (), NS2)),
        (
            [game(connections=udp(OTHER, Address("192.0.2.9", 27016)))],
            CurrentServer(Evidence.SEVERAL, (OTHER, Address("192.0.2.9", 27016)), NS2),
        ),
    ],
)
def test_finds_server_or_reason(found: list[FoundGame] | None, expected: CurrentServer, catalogue: Catalogue) -> None:
    assert find_current_server(found, catalogue) == expected
