"""The program reads the demo's servers of the games before Quake III."""

import json
import shutil
import subprocess
from contextlib import ExitStack

import pytest
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus, ServerInfo
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults, ServerFault, can_have_fault
from browser_app.demo.games.doom_and_quake_games import DOOM_AND_QUAKE_GAMES
from browser_app.demo.population import DemoServerState
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters import address_lists
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.masters.udp_master_client import UdpMasterTiming
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.query_protocols import CHOCOLATE_DOOM, HEXENWORLD, ODAMEX, QUAKE2, QUAKEWORLD, ZANDRONUM
from browser_app.protocols.query_session import QueryParts

pytestmark = pytest.mark.linux

GAMES = {game.id: game for game in DOOM_AND_QUAKE_GAMES}
SERVERS = 16
PATIENT = QueryTiming(waits_s=(LIMIT_S,), late_reply_wait_s=LIMIT_S, stream_wait_s=LIMIT_S, max_probe_wait_s=LIMIT_S)
IMPATIENT = QueryTiming(waits_s=(3.0,), late_reply_wait_s=0.1, stream_wait_s=3.0, max_probe_wait_s=0.1)
WITHOUT_BOTS = (HEXENWORLD, ODAMEX, CHOCOLATE_DOOM)


def small_network(servers: int = SERVERS, **changes: object) -> DemoNetwork:
    wanted = {"latency_ms": (1.0, 3.0), "simulate_players": False, "games": tuple(GAMES)} | changes
    return DemoNetwork(servers, **wanted)  # type: ignore[arg-type]


def poll_masters(network: DemoNetwork, scanner: Scanner, games: GameRegistry) -> ServerPoll:
    sources = parse_sources(games, masters=network.sources.masters)
    poll = start_poll(scanner, sources, pace=PACES["unlimited"], parts=QueryParts.ALL, timing=PATIENT)
    assert poll.wait(LIMIT_S)
    return poll


def read_servers(network: DemoNetwork, scanner: Scanner, games: GameRegistry) -> dict[DemoServer, ServerInfo]:
    results = {result.target.address: result for result in poll_masters(network, scanner, games).scan.results}
    infos = {server: results[server.address].info for server in network.servers}
    return {server: info for server, info in infos.items() if info is not None}


def in_quake_font(text: str) -> str:
    return text.encode("ascii", "replace").decode()


def expected_spectators(state: DemoServerState) -> int | None:
    if state.game.protocol in (HEXENWORLD, QUAKE2, CHOCOLATE_DOOM):
        return None
    return sum(player.is_spectator for player in state.players)


def test_every_game_is_read(scanner: Scanner, games: GameRegistry) -> None:
    with small_network() as network:
        infos = read_servers(network, scanner, games)
        assert infos.keys() == set(network.servers)
        assert {server.state.game.id for server in infos} == set(GAMES)
        for server, info in infos.items():
            state, is_chocolate = server.state, server.state.game.protocol == CHOCOLATE_DOOM
            text = in_quake_font if state.game.protocol in (QUAKEWORLD, HEXENWORLD, QUAKE2) else str
            humans = sum(not player.is_bot and not player.is_spectator for player in state.players)
            assert (info.game, info.name, info.map) == (state.game.id, text(state.name), state.map)
            assert (info.players, info.max_players) == (humans, state.max_players)
            assert info.bots == (0 if state.game.protocol in WITHOUT_BOTS else state.bot_count)
            assert info.spectators == expected_spectators(state)
            assert info.mode == (None if is_chocolate else state.mode)
            assert info.password == (state.has_password and not is_chocolate)
            assert (info.game_files is not None) == (state.game.protocol in (ZANDRONUM, ODAMEX))
            if info.player_list is not None and state.game.protocol != HEXENWORLD:
                assert {row.name for row in info.player_list} == {text(player.name) for player in state.players}


def test_second_query_of_zandronum_is_ignored(scanner: Scanner, games: GameRegistry) -> None:
    """It shows that the server is there, with its ping."""
    with small_network(1, games=("zandronum",)) as network:
        (first,) = poll_masters(network, scanner, games).scan.results
        with Scanner(games) as other:
            (second,) = poll_masters(network, other, games).scan.results
    assert (first.status, second.status) == (QueryStatus.OK, QueryStatus.OK)
    assert first.info is not None
    assert second.info is not None
    assert (first.info.is_ping_only, second.info.is_ping_only) == (False, True)
    assert second.ping_ms is not None
    assert second.attempts == 1


def test_faulty_servers_are_refused(scanner: Scanner, games: GameRegistry) -> None:
    faults = (
        ServerFault.GARBAGE, ServerFault.MALFORMED, ServerFault.TRUNCATED, ServerFault.TOO_LARGE,
        ServerFault.WRONG_TOKEN,
    )  # fmt: skip
    able = {fault: [game for game, spec in GAMES.items() if can_have_fault(spec.protocol, fault)] for fault in faults}
    with ExitStack() as stack:
        networks = [
            stack.enter_context(small_network(8, games=able[fault], faults=NetworkFaults({fault: 1.0})))
            for fault in faults
        ]
        servers = [url for network in networks for url in network.sources.servers]
        poll = start_poll(scanner, parse_sources(games, servers=servers), pace=PACES["unlimited"], timing=IMPATIENT)
        assert poll.wait(LIMIT_S)
    assert len(poll.scan.results) == len(servers)
    assert {result.status for result in poll.scan.results} == {QueryStatus.MALFORMED}
    assert internal_errors.counts() == {}


@pytest.mark.parametrize("fault", [MasterFault.EMPTY, MasterFault.GARBAGE])
def test_faults_of_masters(
    fault: MasterFault, scanner: Scanner, games: GameRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault is MasterFault.GARBAGE:
        monkeypatch.setattr(address_lists, "UdpMasterTiming", lambda: UdpMasterTiming(no_answer_s=0.5))
    faults = NetworkFaults(masters=dict.fromkeys(GAMES, fault) | {"list": MasterFault.EMPTY})
    with small_network(12, faults=faults) as network:
        poll = poll_masters(network, scanner, games)
    states = {state.url.partition("+")[0]: state.ok for state in poll.master_states}
    schemes = [game.protocol for game in DOOM_AND_QUAKE_GAMES]
    assert states == dict.fromkeys(schemes, fault is MasterFault.EMPTY) | {"json": True}
    assert not poll.scan.results


@pytest.mark.parametrize(("game", "kind"), [("quakeworld", "qws"), ("hexenworld", "hws"), ("quake2", "q2s")])
def test_servers_are_read_as_by_quakestat(game: str, kind: str, scanner: Scanner, games: GameRegistry) -> None:
    quakestat = shutil.which("quakestat")
    if quakestat is None:
        pytest.skip("quakestat is not installed (Debian's package qstat)")
    with small_network(1, games=(game,), faults=NetworkFaults()) as network:
        (server,) = network.servers
        ((_, info),) = read_servers(network, scanner, games).items()
        command = [quakestat, "-json", "-utf8", "-R", "-P", f"-{kind}", str(server.address)]
        (other,) = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    assert (info.name, info.map, info.max_players) == (other["name"], other["map"], other["maxplayers"])
    assert info.player_list is not None
    ours, theirs = info.player_list, other["players"]
    assert len(ours) == len(theirs)
    # It takes everybody without a ping for a spectator, and cuts the mark off their names.
    assert {row.name for row in ours if row.ping_ms} <= {each["name"] for each in theirs} | {
        each["name"].removeprefix("\\s\\") for each in theirs
    }
