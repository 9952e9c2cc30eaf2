"""Games whose servers are only known from lists: rows, and never a packet."""

from dataclasses import replace

import pytest
from timeouts import LIMIT_S

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults
from browser_app.demo.games.listed_games import LISTED_GAMES
from browser_app.demo.responders.listed_responder import demo_server_id
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.server_code import code_address

pytestmark = pytest.mark.linux

IDS = tuple(game.id for game in LISTED_GAMES)


def poll(
    scanner: Scanner, games: GameRegistry, masters: tuple[str, ...] = (), servers: tuple[QueryTarget, ...] = ()
) -> ServerPoll:
    sources = replace(parse_sources(games, masters=masters), servers=servers)
    started = start_poll(scanner, sources, pace=PACES["unlimited"])
    assert started.wait(LIMIT_S)
    return started


def test_listed_servers_become_rows(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(12, games=IDS, simulate_players=False) as network:
        done = poll(scanner, games, network.sources.masters)
        states = {server.game_address: server.state for server in network.servers}
        assert [server.request_count for server in network.servers] == [0] * 12
    assert {state.game.id for state in states.values()} == set(IDS)
    assert all(state.ok for state in done.master_states)
    assert (done.scan.progress.targets, list(done.scan.results)) == (0, [])
    catalogue = Catalogue(games)
    merge_descriptions(catalogue, tuple(done.descriptions), 1000.0)
    catalogue.rescore()
    for address, state in states.items():
        key = code_address("northstar", demo_server_id(state)) if state.game.id == "northstar" else address
        row = catalogue.row_of(key)
        assert row is not None
        assert (catalogue.game[row], catalogue.name[row], catalogue.map[row]) == (state.game.id, state.name, state.map)
        assert (catalogue.players[row], catalogue.max_players[row]) == (len(state.players), state.max_players)
        assert (catalogue.status[row], bool(catalogue.described[row])) == (QueryStatus.LISTED, True)
        assert catalogue.address[row] == (demo_server_id(state) if state.game.id == "northstar" else str(address))


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (MasterFault.EMPTY, None),
        (MasterFault.GARBAGE, "not a list"),
        (MasterFault.INCOMPLETE, "incomplete list"),
        (MasterFault.PRIVATE, None),
    ],
)
def test_faults_of_lobby(fault: MasterFault, error: str | None, scanner: Scanner, games: GameRegistry) -> None:
    faults = NetworkFaults(masters={"warzone2100": fault})
    with DemoNetwork(3, games=("warzone2100",), simulate_players=False, faults=faults) as network:
        masters = [url for url in network.sources.masters if url.startswith("warzone2100")]
        done = poll(scanner, games, tuple(masters))
        ours = {server.game_address for server in network.servers}
    (state,) = done.master_states
    assert (state.ok, state.error) == (error is None, error)
    described = {server.target.address for server in done.descriptions}
    if fault is MasterFault.PRIVATE:
        assert described >= ours
    else:
        assert described == set()


def test_named_servers_are_not_queried(scanner: Scanner, games: GameRegistry) -> None:
    code = code_address("northstar", "0123")
    targets = [("listed", code), ("listed", Address("127.0.0.1", 1234)), ("ss14", code)]
    done = poll(scanner, games, servers=tuple(QueryTarget(address, protocol, None) for protocol, address in targets))
    assert (done.scan.progress.targets, list(done.scan.results)) == (0, [])
    with pytest.raises(ValueError, match="never queried"):
        parse_sources(games, servers=["listed://127.0.0.1:1234"])


def test_scan_leaves_codes_out(scanner: Scanner) -> None:
    scan = scanner.scan([QueryTarget(code_address("ss14s", "a"), "ss14", None)], pace=PACES["unlimited"])
    scan.seal()
    assert scan.wait(LIMIT_S)
    assert scan.progress.targets == 0
