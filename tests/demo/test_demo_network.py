"""Demo network on real sockets: replies, latencies, cleaning up."""

import asyncio
import resource
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import a2s  # type: ignore[import-untyped]  # it has no type hints
import pytest
from measurements import best_of
from opengsq.protocols import Quake3  # type: ignore[import-untyped]  # it declares none
from timeouts import LIMIT_S, wait_until
from udp_client import INFO, ONE_REPLY_GAMES, UdpClient, first_request

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.demo.responders.quake_responder import make_short_info, make_status_info
from browser_app.demo.scenario import QUERIED_GAMES
from browser_app.demo.sockets.loopback_sockets import DemoError, raise_descriptor_limit
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.quake.quake3 import Quake3Session
from browser_app.protocols.query_session import DONE

pytestmark = pytest.mark.linux  # kernel stamps, /proc, and an address for every server


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    """Near servers that stand still, so that what they say can be compared."""
    with DemoNetwork(
        servers=160,
        latency_ms=(1.0, 3.0),
        seed=3,
        simulate_players=False,
        flood_guard=False,
        games=ONE_REPLY_GAMES,
    ) as network:
        yield network


def servers_of_protocol(network: DemoNetwork, protocol: str) -> list[DemoServer]:
    return [server for server in network.servers if server.state.game.protocol == protocol]


def test_python_a2s_reads_infos(network: DemoNetwork) -> None:
    for server in servers_of_protocol(network, "a2s"):
        state = server.state
        info = a2s.info(server.address, timeout=LIMIT_S)
        assert isinstance(info, a2s.SourceInfo)
        assert (info.server_name, info.map_name, info.max_players) == (state.name, state.map, state.max_players)
        assert (info.player_count, info.bot_count) == (len(state.players), state.bot_count)
        assert (info.password_protected, info.version) == (state.has_password, state.game.version)
        assert info.port == server.address.port - state.game.profile.query_port_offset
        assert info.game_id == state.game.appid


def test_python_a2s_reads_players(network: DemoNetwork) -> None:
    for server in servers_of_protocol(network, "a2s"):
        state = server.state
        players = a2s.players(server.address, timeout=LIMIT_S)
        assert [player.name for player in players] == [person.name for person in state.players]
        assert all(player.duration >= 0 and player.score >= 0 for player in players)
        rules = a2s.rules(server.address, timeout=LIMIT_S)
        if state.game.id == "ns2":
            assert (rules["AverageSkill"] == "nan") == (state.human_count == 0)
        else:
            assert rules.items() >= state.game.extra_info.items()


def test_tf2_rules_come_in_parts(network: DemoNetwork) -> None:
    server = next(server for server in network.servers if server.state.game.id == "tf2")
    with UdpClient() as client:
        challenge = client.request(b"\xff\xff\xff\xffV\xff\xff\xff\xff", server.address)[0].data[5:9]
        parts = client.request(b"\xff\xff\xff\xffV" + challenge, server.address, count=2)
    assert len(parts) == 2
    assert all(part.data.startswith(b"\xfe\xff\xff\xff") for part in parts)


@pytest.mark.parametrize("protocol", ["quake3", "darkplaces"])
def test_opengsq_reads_statuses(network: DemoNetwork, protocol: str) -> None:
    async def check(server: DemoServer) -> None:
        state = server.state
        status = await Quake3(host=server.address.host, port=server.address.port).get_status(strip_color=False)
        assert status.info == make_status_info(state)
        if state.game.id != "warfork":  # it does not know of teams behind names
            assert len(status.players) == len(state.players)

    async def check_all() -> None:
        await asyncio.gather(*(check(server) for server in servers_of_protocol(network, protocol)))

    asyncio.run(check_all())


def test_quake_session_gets_names(network: DemoNetwork) -> None:
    with UdpClient() as client:
        for server in (*servers_of_protocol(network, "quake3"), *servers_of_protocol(network, "darkplaces")):
            conversation = Quake3Session(must_echo=True)
            (reply,) = client.request(conversation.build_request(b"ABcd1234"), server.address)
            assert conversation.receive(reply.data) is DONE
            assert conversation.reply is not None
            assert conversation.reply.players is not None
            people = server.state.players
            assert [player.name for player in conversation.reply.players] == [person.name for person in people]
            if server.state.game.id in ("warfork", "xonotic") and server.state.current_mode.teams:
                assert [player.team for player in conversation.reply.players] == [person.team for person in people]


def test_profiles_know_all_servers(network: DemoNetwork) -> None:
    games = load_games(resource_folder() / "games")
    for server in network.servers:
        sheet = server.state.game
        infos = [None] if sheet.appid else [make_status_info(server.state), make_short_info(server.state)]
        for info in infos:
            if info is None:
                game = games.identify(appid=sheet.appid, folder=sheet.folder)
            else:
                game = games.identify_info(sheet.protocol, info)
            assert game is not None
            assert game == sheet.profile
            assert game.colours == sheet.colours


def test_getinfo_is_answered_too(network: DemoNetwork) -> None:
    with UdpClient() as client:
        for server in servers_of_protocol(network, "quake3"):
            reply = client.request(b"\xff\xff\xff\xffgetinfo xyz", server.address)[0].data
            assert reply.startswith(b"\xff\xff\xff\xffinfoResponse\n")
            assert b"\\challenge\\xyz" in reply


def test_challenge_as_configured() -> None:
    for share in (0.0, 1.0):
        with (
            DemoNetwork(servers=20, latency_ms=(1, 1), challenge_info=share, games=("ns2", "tf2")) as network,
            UdpClient() as client,
        ):
            for server in network.servers:
                first = client.request(INFO, server.address)[0].data
                assert first[4:5] == (b"A" if share else b"I")
                if share:
                    assert client.request(INFO + first[5:9], server.address)[0].data[4:5] == b"I"
                    assert client.request(INFO + b"\1\2\3\4", server.address)[0].data[4:5] == b"A"


def test_addresses_are_unique(network: DemoNetwork) -> None:
    hosts = {server.address.host for server in network.servers}
    assert len(hosts) == len(network.servers)
    assert all(host.startswith("127.") for host in hosts)


def test_seed_repeats_sources() -> None:
    def servers() -> tuple[str, ...]:
        with DemoNetwork(servers=50, seed=11) as network:
            assert network.sources.seed == 11
            return tuple(url.split("://", 1)[0] + url[-8:] for url in network.sources.servers)

    assert servers() == servers()


def test_two_networks_at_once() -> None:
    with (
        DemoNetwork(servers=30, latency_ms=(1, 1), games=ONE_REPLY_GAMES) as one,
        DemoNetwork(servers=30, latency_ms=(1, 1), games=ONE_REPLY_GAMES) as other,
    ):
        assert not set(one.sources.servers) & set(other.sources.servers)
        with UdpClient() as client:
            assert len(client.measure_pings((*one.servers, *other.servers), first_request)) == 60


def test_shared_host_has_ports() -> None:
    with (
        DemoNetwork(servers=40, latency_ms=(1, 1), shared_host=True, games=ONE_REPLY_GAMES) as network,
        UdpClient() as client,
    ):
        assert {server.address.host for server in network.servers} == {"127.0.0.1"}
        assert len({server.address.port for server in network.servers}) == 40
        assert len(client.measure_pings(network.servers, first_request)) == 40


def test_pings_equal_simulated_latency() -> None:
    def too_long_ms() -> float:
        with (
            DemoNetwork(300, (5.0, 60.0), seed=4, simulate_players=False, games=ONE_REPLY_GAMES) as network,
            UdpClient() as client,
        ):
            pings = client.measure_pings(network.servers, first_request)
            off = [pings[server.address] - server.link.latency_ns / 1e6 for server in network.servers]
            true = network.true_pings()
            against_true = [pings[server.address] - true[str(server.address)][-1] for server in network.servers]
        assert min(off) > 0
        return max(statistics.median(off), 2.5 * statistics.median(map(abs, against_true)))

    assert best_of(too_long_ms, 0.5) < 0.5


def test_jitter_only_makes_later() -> None:
    with (
        DemoNetwork(100, (5.0, 5.0), jitter_ms=20, simulate_players=False, games=ONE_REPLY_GAMES) as network,
        UdpClient() as client,
    ):
        pings = list(client.measure_pings(network.servers, first_request).values())
    assert min(pings) > 5
    assert max(pings) > 10


def test_unresponsive_servers_are_listed() -> None:
    with DemoNetwork(servers=100, latency_ms=(1, 1), dead=0.3, games=ONE_REPLY_GAMES) as network, UdpClient() as client:
        pings = client.measure_pings(network.servers, first_request, reply_count=lambda: 70)
        assert client.receives_nothing()
        dead = [server for server in network.servers if not server.is_alive]
        assert len(network.sources.servers) == 100
        assert pings.keys() == {server.address for server in network.servers if server.is_alive}
        assert [server.request_count for server in dead] == [1] * 30


def test_loss_is_near_requested_loss() -> None:
    with (
        DemoNetwork(500, (1, 1), loss=0.2, seed=5, flood_guard=False, games=ONE_REPLY_GAMES) as network,
        UdpClient() as client,
    ):
        tally = network.statistics
        answered = 0
        for round_ in (1, 2):

            def settled(sent: int = 500 * round_) -> bool:
                return tally.requests == sent == tally.replies + tally.lost_requests + tally.lost_replies

            def reply_count(before: int = answered, settled: Callable[[], bool] = settled) -> int:
                assert wait_until(settled)
                return tally.replies - before

            answered += len(client.measure_pings(network.servers, first_request, gap_s=0.0001, reply_count=reply_count))
        assert answered / 1000 == pytest.approx(0.8**2, abs=0.05)
        assert tally.lost_requests / tally.requests == pytest.approx(0.2, abs=0.04)
        assert tally.replies == answered


def test_one_query_per_second() -> None:
    def not_guarded() -> int:
        """Of two more queries in the same second; a machine that pauses lets it pass."""
        with DemoNetwork(servers=1, latency_ms=(1, 1), games=("xonotic",)) as network:
            server, tally = network.servers[0].address, network.statistics
            with UdpClient() as client, UdpClient() as other_port:
                assert client.request(b"\xff\xff\xff\xffgetstatus a", server)
                client.send(b"\xff\xff\xff\xffgetinfo b", server)
                other_port.send(b"\xff\xff\xff\xffgetstatus c", server)
                assert wait_until(lambda: tally.requests == 3)
                guarded = tally.guarded
                assert other_port.receives_nothing() or guarded < 2
                time.sleep(1.0)
                assert client.request(b"\xff\xff\xff\xffgetstatus d", server)
                return 2 - guarded

    assert best_of(not_guarded, 1) == 0


def test_other_packets_are_refused() -> None:
    with DemoNetwork(servers=20, latency_ms=(1, 1), games=ONE_REPLY_GAMES) as network, UdpClient() as client:
        for server in network.servers:
            client.send(b"\xff\xff\xff\xffhello", server.address)
            client.send(b"", server.address)
        assert wait_until(lambda: network.statistics.refused == 40)
        assert client.receives_nothing()


def test_simulated_players_come_and_go() -> None:
    with DemoNetwork(servers=400, seed=6) as network:
        revisions = sum(server.state.revision for server in network.servers)
        assert wait_until(lambda: sum(server.state.revision for server in network.servers) >= revisions + 3)


def test_next_answer_has_change() -> None:
    with DemoNetwork(
        servers=1, latency_ms=(1, 1), games=("ns2",), challenge_info=0.0, simulate_players=False
    ) as network:
        server = network.servers[0]
        assert a2s.info(server.address, timeout=LIMIT_S).map_name == server.state.map
        server.state.map = "ns2_elsewhere"
        server.state.revision += 1
        assert a2s.info(server.address, timeout=LIMIT_S).map_name == "ns2_elsewhere"


def test_two_thousand_start_fast() -> None:
    def took_s() -> float:
        begin = time.process_time()  # whatever else the machine does
        with DemoNetwork(servers=2000) as network:
            ready = time.process_time()
            assert len(network.servers) == 2000
            assert {server.state.game.id for server in network.servers} == set(QUERIED_GAMES)
        return ready - begin

    assert best_of(took_s, 1) < 1


def test_stop_leaves_nothing() -> None:
    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before, threads = open_files(), threading.active_count()
    network = DemoNetwork(servers=200)
    network.start()
    assert open_files() > before + 200
    network.stop()
    network.stop()
    assert (open_files(), threading.active_count()) == (before, threads)


def test_too_many_are_refused() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with pytest.raises(DemoError, match=r"open files, but this system allows"):
        raise_descriptor_limit(hard)
    with pytest.raises(DemoError):
        DemoNetwork(servers=hard, games=("ns2",)).start()


def test_report_is_ready_for_json() -> None:
    with (
        DemoNetwork(servers=10, latency_ms=(2, 4), simulate_players=False, games=ONE_REPLY_GAMES) as network,
        UdpClient() as client,
    ):
        client.measure_pings(network.servers, first_request)
        report = network.report()
    assert report["requests"] == report["replies"] == 10
    assert set(report["pings_ms"]) == {str(server.address) for server in network.servers}
    assert 0 <= report["lateness_ms"]["p50"] <= report["lateness_ms"]["max"]
