"""The program reads the servers of all families, and refuses faulty ones."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from reported_values import reported_bots, reported_map, reported_slots, shown_name
from timeouts import LIMIT_S, wait_until
from udp_client import UdpClient

from browser_app.catalogue.server_info import QueryStatus, ServerInfo
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults.network_faults import (
    FORBIDDEN_ADDRESSES,
    MasterFault,
    NetworkFaults,
    ServerFault,
    can_have_fault,
)
from browser_app.demo.games.block_games import BLOCK_GAMES
from browser_app.demo.games.cube_games import CUBE_GAMES
from browser_app.demo.games.free_games import FREE_GAMES, SPACE_STATION_GAME
from browser_app.demo.games.gamespy_games import GAMESPY_GAMES
from browser_app.demo.games.open_world_games import OPEN_WORLD_GAMES
from browser_app.demo.games.teeworlds_games import TEEWORLDS_GAMES
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.free_game_responders import LuantiResponder
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters import address_lists
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.masters.udp_master_client import UdpMasterTiming
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.engine.slot_monitor import has_free_slot
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.luanti import build_disconnect, build_luanti_ping
from browser_app.protocols.query_protocols import (
    ARMAGETRON,
    BEDROCK,
    BZFLAG,
    FIVEM,
    LUANTI,
    MINDUSTRY,
    MINECRAFT,
    MUMBLE,
    OPENTTD,
    QUERY_PROTOCOLS,
    RED_ECLIPSE,
    SAMP,
    SPACE_STATION,
    SRB2,
    SUPERTUXKART,
    TESSERACT,
    VCMP,
)
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.san_andreas.samp import MAX_LISTED_PLAYERS

pytestmark = pytest.mark.linux

GAMES = {
    game.id: game
    for game in (
        *TEEWORLDS_GAMES,
        *BLOCK_GAMES,
        *OPEN_WORLD_GAMES,
        SPACE_STATION_GAME,
        *CUBE_GAMES,
        *GAMESPY_GAMES,
        *FREE_GAMES,
    )
}
WEB_LISTED_GAMES = (
    "ddnet", "luanti", "samp", "mta", "vcmp", "ss14", "mindustry", "assaultcube", "bzflag", "srb2", "srb2kart",
    "ringracers",
)  # fmt: skip
LISTED_GAMES = (*WEB_LISTED_GAMES, "teeworlds", "sauerbraten", "redeclipse", "tesseract", "openttd")
"""Those with a master server of their own."""
SERVERS = 72
"""Enough for a server of each game."""
PATIENT = QueryTiming(waits_s=(LIMIT_S,), late_reply_wait_s=LIMIT_S, stream_wait_s=LIMIT_S, max_probe_wait_s=LIMIT_S)
IMPATIENT = QueryTiming(waits_s=(3.0,), late_reply_wait_s=0.1, stream_wait_s=3.0, max_probe_wait_s=0.1)
"""For servers that answer nothing valid."""


def small_network(servers: int = SERVERS, **changes: object) -> DemoNetwork:
    wanted = {"latency_ms": (1.0, 3.0), "simulate_players": False, "games": tuple(GAMES)} | changes
    return DemoNetwork(servers, **wanted)  # type: ignore[arg-type]


def poll_masters(
    network: DemoNetwork, scanner: Scanner, games: GameRegistry, timing: QueryTiming = PATIENT
) -> ServerPoll:
    sources = parse_sources(games, masters=network.sources.masters)
    poll = start_poll(scanner, sources, pace=PACES["unlimited"], parts=QueryParts.ALL, timing=timing)
    assert poll.wait(LIMIT_S)
    return poll


def read_servers(network: DemoNetwork, scanner: Scanner, games: GameRegistry) -> dict[DemoServer, ServerInfo]:
    """Return what the program knows of each server, by its reply or its list."""
    poll = poll_masters(network, scanner, games)
    results = {result.target.address: result for result in poll.scan.results}
    assert {result.error for result in results.values()} == {None}
    described = {server.target.address: server.info for server in poll.descriptions}
    infos = {address: result.info for address, result in results.items()}
    infos |= {server.address: described[server.address] for server in of_protocol(network, LUANTI)}
    for server in of_protocol(network, BZFLAG):  # only the list names them
        info = infos[server.address]
        assert info is not None
        infos[server.address] = replace(info, name=described[server.address].name)
    found = {server: infos[server.address] for server in network.servers}
    assert len(results) == len(found)
    return {server: info for server, info in found.items() if info is not None}


def of_protocol(network: DemoNetwork, protocol: str) -> list[DemoServer]:
    return [server for server in network.servers if server.state.game.protocol == protocol]


def expected_mode(state: DemoServerState) -> str | None:
    if state.game.protocol in (MINECRAFT, ARMAGETRON, MUMBLE):
        return None
    is_code = state.game.id in ("ddnet", "teeworlds", "bedrock", *(game.id for game in (*CUBE_GAMES, *FREE_GAMES)))
    return state.mode if is_code else state.current_mode.reported_value


def expected_player_names(state: DemoServerState) -> set[str] | None:
    """Return the names in the reply or list; None if there are none."""
    untold = state.game.protocol in (
        FIVEM,
        MINECRAFT,
        BEDROCK,
        MINDUSTRY,
        SPACE_STATION,
        TESSERACT,
        OPENTTD,
        BZFLAG,
        SUPERTUXKART,
        MUMBLE,
    )
    too_many = state.game.protocol in (SAMP, VCMP) and len(state.players) > MAX_LISTED_PLAYERS
    return None if untold or too_many else {player.unique_name for player in state.players}


def test_every_family_is_read(scanner: Scanner, games: GameRegistry) -> None:
    with small_network() as network:
        crowd = of_protocol(network, SAMP)[0].state
        crowd.max_players = 150
        crowd.players = [replace(make_player(), unique_name=f"P{place}", name=f"P{place}") for place in range(150)]
        infos = read_servers(network, scanner, games)
        assert infos.keys() == set(network.servers)
        assert {server.state.game.id for server in infos} == set(GAMES)
        for server, info in infos.items():
            state = server.state
            playing = sum(not player.is_spectator for player in state.players)
            names = None if info.player_list is None else {player.name for player in info.player_list}
            assert (info.game, info.name, info.connect) == (state.game.id, shown_name(state), server.game_address)
            assert (info.map, info.mode) == (reported_map(state, with_rules=True), expected_mode(state))
            bots = reported_bots(state, with_players=True)
            assert (info.players, info.max_players, info.bots) == (playing, reported_slots(state), bots)
            assert (info.spectators or 0) == len(state.players) - playing
            assert info.password == expected_password(state)
            assert names == expected_player_names(state)


def make_player() -> SimulatedPlayer:
    return SimulatedPlayer("Ada", "Ada", -60.0, 1500, 1.0, 40, 0)


def expected_password(state: DemoServerState) -> bool | None:
    if state.game.protocol in (SPACE_STATION, MINDUSTRY, SRB2):
        return False  # its servers have none
    reporting_games = (
        "ddnet",
        "teeworlds",
        "samp",
        "vcmp",
        "mta",
        "openttd",
        "supertuxkart",
        *(game.id for game in (*CUBE_GAMES, *GAMESPY_GAMES)),
    )
    return state.has_password if state.game.id in reporting_games else None


def test_full_and_locked_servers_are_recognised(scanner: Scanner, games: GameRegistry) -> None:
    with small_network() as network:
        for server in network.servers:
            server.state.has_password, server.state.max_players = True, 1
            to_watch = server.state.game.protocol == RED_ECLIPSE  # full if nobody can watch either
            server.state.players = [make_player()] * (2 if to_watch else 1)
        for server, info in read_servers(network, scanner, games).items():
            assert info.joinable is False or None not in (info.players, info.usable_slots)
            assert not has_free_slot(info)
            assert info.password is expected_password(server.state)


def test_changes_are_in_next_reply(scanner: Scanner, games: GameRegistry) -> None:
    with small_network() as network:
        read_servers(network, scanner, games)
        for server in network.servers:
            server.state.name, server.state.players = "Another name", [make_player()]
            server.state.revision += 1
        for server, info in read_servers(network, scanner, games).items():
            assert (info.name, info.players) == (shown_name(server.state), 1)


def test_luanti_servers_get_disconnect(scanner: Scanner, games: GameRegistry) -> None:
    with small_network(4, games=("luanti",)) as network:
        poll_masters(network, scanner, games)
        assert wait_until(lambda: [server.request_count for server in network.servers] == [2] * 4)
        for server in network.servers:
            assert isinstance(server.responder, LuantiResponder)
            assert server.responder.connected_peers == set()


def test_luanti_server_repeats_greeting_until_disconnect() -> None:
    with small_network(1, games=("luanti",)) as network, UdpClient() as client:
        (server,) = network.servers
        first, second, third = client.request(build_luanti_ping(), server.address, 3)
        assert first.data == second.data == third.data
        assert 0.1e9 < second.received_ns - first.received_ns < LIMIT_S * 1e9
        disconnect = build_disconnect(first.data)
        assert disconnect is not None
        client.send(disconnect, server.address)
        assert wait_until(lambda: server.request_count == 2)
        client.receive(100, 0.1)  # one may have been under way
        assert not client.receive(1, 0.4)


def test_shared_host_has_streams(scanner: Scanner, games: GameRegistry) -> None:
    with small_network(shared_host=True) as network:
        assert {server.address.host for server in network.servers} == {"127.0.0.1"}
        assert len(read_servers(network, scanner, games)) == SERVERS


def test_lost_segments_come_late(scanner: Scanner, games: GameRegistry) -> None:
    with small_network(1, games=("minecraft",), loss=1.0) as network:
        (result,) = poll_masters(network, scanner, games).scan.results
    assert result.status is QueryStatus.OK
    assert result.ping_ms is not None
    assert result.ping_ms > 400


FAULTS = (
    ServerFault.GARBAGE,
    ServerFault.MALFORMED,
    ServerFault.TRUNCATED,
    ServerFault.TOO_LARGE,
    ServerFault.WRONG_TOKEN,
    ServerFault.WRONG_PORT,
)


def test_faulty_servers_are_refused(scanner: Scanner, games: GameRegistry) -> None:
    """Each fault of each family that can have it, and dead servers, all in one scan."""
    able = {fault: [game for game, spec in GAMES.items() if can_have_fault(spec.protocol, fault)] for fault in FAULTS}
    with ExitStack() as stack:
        networks = [
            stack.enter_context(small_network(games=able[fault], faults=NetworkFaults({fault: 1.0})))
            for fault in FAULTS
        ]
        networks.append(stack.enter_context(small_network(dead=1.0)))
        faulty = {(server.state.game.id, server.fault) for network in networks for server in network.servers}
        servers = [url for network in networks for url in network.sources.servers]
        sources = parse_sources(games, servers=servers)
        poll = start_poll(scanner, sources, pace=PACES["unlimited"], timing=IMPATIENT)
        assert poll.wait(LIMIT_S)
    assert faulty == {(game, fault) for fault in FAULTS for game in able[fault]} | {(game, None) for game in GAMES}
    results = list(poll.scan.results)
    assert len(results) == len(servers)
    assert {result.status for result in results} == {QueryStatus.NO_ANSWER, QueryStatus.MALFORMED}
    assert all(result.info is None and result.error for result in results)
    dropped = poll.progress.dropped
    assert {"wrong token", "not this protocol", "too large", "unknown sender"} <= dropped.keys()
    assert sum(dropped.values()) > len(FAULTS) * len(GAMES) / 2
    assert internal_errors.counts() == {}


def test_each_protocol_has_demo_server() -> None:
    with DemoNetwork(200) as network:
        found = {server.state.game.protocol for server in network.servers}
    assert found == {name for name, protocol in QUERY_PROTOCOLS.items() if not protocol.is_listed_only}


@pytest.mark.parametrize("fault", [MasterFault.EMPTY, MasterFault.GARBAGE, MasterFault.INCOMPLETE])
def test_faults_of_game_lists(
    fault: MasterFault, scanner: Scanner, games: GameRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault is MasterFault.GARBAGE:
        monkeypatch.setattr(address_lists, "UdpMasterTiming", lambda: UdpMasterTiming(no_answer_s=0.5))
    listed_games = WEB_LISTED_GAMES if fault is MasterFault.INCOMPLETE else LISTED_GAMES
    faults = NetworkFaults(masters=dict.fromkeys((*listed_games, "list"), fault))
    with small_network(36, games=listed_games, faults=faults) as network:
        poll = poll_masters(network, scanner, games)
        ours = {server.address for server in network.servers}
    states = {state.url.partition(":")[0].partition("+")[0]: state for state in poll.master_states}
    listed = {result.target.address for result in poll.scan.results}
    assert len(states) == len(listed_games) + 1
    assert listed <= ours
    assert len(listed) < len(ours)
    if fault is MasterFault.EMPTY:
        assert all(state.ok and state.servers == 0 for state in states.values())
    else:
        assert not any(state.ok for state in states.values())
        assert all(state.error for state in states.values())


@pytest.mark.parametrize("game", LISTED_GAMES)
def test_private_addresses_are_listed(game: str, scanner: Scanner, games: GameRegistry) -> None:
    """The pace for this machine refuses them before a packet is sent."""
    faults = NetworkFaults(masters={game: MasterFault.PRIVATE})
    with small_network(4, games=(game,), faults=faults) as network:
        poll = poll_masters(network, scanner, games)
    assert poll.refusal_reason is not None
    assert any(address.host in poll.refusal_reason for address in FORBIDDEN_ADDRESSES)
