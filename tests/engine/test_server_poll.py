import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from fake_masters import Page, udp_master, web_server
from measurements import best_of
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.list_descriptions import merge_steam_counts
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.catalogue.suspicion import SuspicionMark
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.faults.network_faults import NetworkFaults, ServerFault
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY
from browser_app.engine.masters.community_lists import FileMaster
from browser_app.engine.masters.query_sources import QuerySources, parse_sources
from browser_app.engine.query.query_timing import PACES, Pace, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response

QUICK = QueryTiming(waits_s=(1.0,), late_reply_wait_s=1.0, max_probe_wait_s=0.1)
HERE = PACES["unlimited"]


def answers_of(poll: ServerPoll) -> list[QueryResult]:
    assert poll.wait(LIMIT_S)
    assert poll.is_finished
    return list(poll.scan.results)


@pytest.mark.slow
def test_poll_of_demo_network(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(servers=120, simulate_players=False, latency_ms=(1.0, 20.0)) as network:
        sources = parse_sources(games, masters=network.sources.masters)
        poll = start_poll(scanner, sources, pace=HERE, steam_key=lambda: DEMO_STEAM_KEY)
        results = answers_of(poll)
        addresses = {str(server.address) for server in network.servers}
    assert {str(result.target.address) for result in results} == addresses
    assert len(results) == len(addresses)
    assert all(result.status is QueryStatus.OK for result in results)
    assert all(master.ok and master.is_done for master in poll.master_states)
    assert (poll.progress.targets, poll.progress.answered) == (120, 120)
    assert poll.refusal_reason is None


def test_full_server_empty_by_steam_is_suspicious(scanner: Scanner, games: GameRegistry) -> None:
    """Although all servers are known before Steam lists them."""
    faults = NetworkFaults(servers={ServerFault.FALSE_COUNT: 0.3})
    with DemoNetwork(
        servers=60, simulate_players=False, latency_ms=(1.0, 5.0), games=["tf2"], faults=faults
    ) as network:
        sources = parse_sources(games, masters=network.sources.masters)
        known = [QueryTarget(server.address, "a2s", "tf2") for server in network.servers]
        poll = start_poll(scanner, sources, pace=HERE, steam_key=lambda: DEMO_STEAM_KEY, known=known)
        catalogue = Catalogue(games)
        catalogue.merge(answers_of(poll))
        people = {server.address: server.state.human_count for server in network.servers}
    assert poll.steam_counts == people
    merge_steam_counts(catalogue, poll.steam_counts, time.time())
    catalogue.rescore()
    marked = catalogue.suspicions == SuspicionMark.UNKNOWN_TO_STEAM
    expected = [
        reported > 2 * people[target.address] + 8
        for target, reported in zip(catalogue.targets, catalogue.players.tolist(), strict=True)
    ]
    assert marked.tolist() == expected
    assert 3 < sum(expected) < 30


def test_known_need_no_master(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(servers=10, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"]) as network:
        known = [QueryTarget(server.address, "darkplaces", "xonotic") for server in network.servers]
        poll = start_poll(scanner, QuerySources(), pace=HERE, known=known)
        results = answers_of(poll)
    assert len(results) == 10


def test_known_go_first(scanner: Scanner) -> None:
    known = [QueryTarget(Address("127.0.0.1", 20_000 + place), "none", None) for place in range(950)]
    named = QueryTarget(Address("127.0.0.2", 27015), "none", None)
    sources = QuerySources(masters=(FileMaster("file:x", (named, known[0])),))
    poll = start_poll(scanner, sources, pace=HERE, known=known)
    results = answers_of(poll)
    assert [result.target for result in results] == [*known, named]
    assert poll.progress.targets == 951


def test_known_can_be_skipped(scanner: Scanner) -> None:
    known = [QueryTarget(Address("127.0.0.1", 20_000 + place), "none", None) for place in range(950)]
    new = QueryTarget(Address("127.0.0.2", 27015), "none", None)
    sources = QuerySources(masters=(FileMaster("file:x", (known[-1], new, known[0])),))
    poll = start_poll(scanner, sources, pace=HERE, known=known, skip_known=True)
    assert [result.target for result in answers_of(poll)] == [new]
    assert [state.servers for state in poll.master_states] == [3]
    assert not poll.is_cancelled


def test_cancel_while_adding_known(scanner: Scanner, games: GameRegistry) -> None:
    known = [QueryTarget(Address("127.0.0.1", 1 + place), "none", None) for place in range(60_000)]
    with udp_master(lambda *_: encode_servers_response([])) as master:
        sources = parse_sources(games, masters=[f"dpmaster://127.0.0.1:{master.port}/Xonotic/3"])
        poll = start_poll(scanner, sources, pace=HERE, known=known)
        poll.cancel()
        assert poll.wait(LIMIT_S)
        assert [(state.ok, state.error) for state in poll.master_states] == [(False, "cancelled")]
        assert master.requests == []
    assert poll.progress.targets < len(known)


def test_server_is_queried_once(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(servers=5, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"]) as network:
        addresses = [server.address for server in network.servers]
        known = [QueryTarget(addresses[0], "darkplaces", "xonotic")]
        with (
            udp_master(lambda *_: encode_servers_response(addresses)) as one,
            udp_master(lambda *_: encode_servers_response(addresses)) as two,
        ):
            sources = parse_sources(
                games,
                masters=[f"dpmaster://127.0.0.1:{master.port}/Xonotic/3" for master in (one, two)],
                servers=[f"darkplaces://{addresses[1]}"],
            )
            poll = start_poll(scanner, sources, pace=HERE, known=known)
            results = answers_of(poll)
    assert len(results) == 5
    assert [master.servers for master in poll.master_states] == [5, 5]


@pytest.mark.slow
def test_wrong_protocol_hides_none(scanner: Scanner) -> None:
    with DemoNetwork(servers=1, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"]) as network:
        right = QueryTarget(network.servers[0].address, "darkplaces", "xonotic")
        wrong = right._replace(protocol="a2s", game=None)
        sources = QuerySources(masters=(FileMaster("file:x", (right,)),))
        results = answers_of(start_poll(scanner, sources, pace=HERE, timing=QUICK, known=[wrong]))
    assert [(result.target, result.info is not None) for result in results] == [(wrong, False), (right, True)]


def test_servers_by_name(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(
        servers=1, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"], shared_host=True
    ) as network:
        port = network.servers[0].address.port
        sources = parse_sources(games, servers=[f"darkplaces://localhost:{port}", "a2s://no-such-host.invalid:27015"])
        poll = start_poll(scanner, sources, pace=PACES["fast"])
        results = {result.target.address: result for result in answers_of(poll)}
    assert results[Address("127.0.0.1", port)].status is QueryStatus.OK
    lost = results[Address("no-such-host.invalid", 27015)]
    assert (lost.status, lost.error, lost.info) == (
        QueryStatus.NO_ANSWER,
        "host name no-such-host.invalid cannot be resolved",
        None,
    )


def test_known_server_by_name_is_requested(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(
        servers=2, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"], shared_host=True
    ) as network:
        asked, other = (server.address for server in network.servers)
        known = [QueryTarget(Address("localhost", asked.port), "darkplaces", "xonotic")]
        sources = parse_sources(games, servers=[f"darkplaces://localhost:{other.port}"])
        poll = start_poll(scanner, sources, pace=PACES["fast"], known=known, query_listed=False)
        assert [result.target.address for result in answers_of(poll)] == [asked]
        assert network.request_counts().keys() == {str(asked)}
    assert [target.address for target in poll.listed] == [other]


def test_rules_where_needed(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(servers=4, simulate_players=False, latency_ms=(1.0, 5.0), games=["ns2", "tf2"]) as network:
        sources = parse_sources(games, masters=[url for url in network.sources.masters if url.startswith("steam")])
        poll = start_poll(scanner, sources, pace=HERE, steam_key=lambda: DEMO_STEAM_KEY)
        results = answers_of(poll)
    skilled = {result.info.game for result in results if result.info and result.info.server_skill is not None}
    assert skilled == {"ns2"}


def test_dead_master_delays_nothing(scanner: Scanner, games: GameRegistry) -> None:
    with (
        DemoNetwork(servers=3, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"]) as network,
        udp_master(lambda *_: []) as dead,
    ):
        urls = [*(url for url in network.sources.masters if "Xonotic" in url), f"dpmaster://127.0.0.1:{dead.port}//68"]
        poll = start_poll(scanner, parse_sources(games, masters=urls), pace=HERE)
        assert wait_until(lambda: len(poll.scan.results) == 3 and poll.master_states[0].is_done)
        assert not poll.is_finished
        poll.cancel()
        assert poll.wait(LIMIT_S)
    assert [master.error for master in poll.master_states] == [None, "cancelled"]


def test_cancel_ends_poll(scanner: Scanner, games: GameRegistry) -> None:
    def took_s() -> float:
        release = threading.Event()
        with udp_master(lambda *_: []) as silent, web_server({"/": Page(wait=release)}) as web:
            urls = [f"dpmaster://127.0.0.1:{silent.port}/Xonotic/3", f"json+http://127.0.0.1:{web.port}/"]
            sources = parse_sources(games, masters=urls, servers=[f"a2s://127.0.0.1:{silent.port}"])
            poll = start_poll(scanner, sources, pace=PACES["normal"])
            assert not poll.wait(0.1)
            began = time.monotonic()
            poll.cancel()
            assert poll.wait(LIMIT_S)
            ended = time.monotonic()
            release.set()
        assert poll.progress.targets == 1
        return ended - began

    assert best_of(took_s, 1.0) < 1.0


def test_faulty_masters(scanner: Scanner, games: GameRegistry) -> None:
    nonsense = [Address(host, 26000) for host in ("224.0.0.9", "240.1.2.3", "0.0.0.9")] + [Address("127.0.0.1", 0)]
    with udp_master(lambda *_: [*encode_servers_response(nonsense), b"\xff\xff\xff\xffgetserversResponse\\"]) as master:
        sources = parse_sources(games, masters=[f"dpmaster://127.0.0.1:{master.port}/Xonotic/3"])
        poll = start_poll(scanner, sources, pace=HERE)
        assert answers_of(poll) == []
    assert [(master.ok, master.servers) for master in poll.master_states] == [(True, 0)]


@pytest.mark.parametrize(
    ("masters", "servers", "known"),
    [
        (["dpmaster://8.8.8.8:27950/Xonotic/3"], [], []),
        (["dpmaster://192.168.1.1:27950/Xonotic/3"], [], []),
        (["json+https://8.8.8.8/list"], [], []),
        (["steam-web+https://8.8.8.8/?appid=440"], [], []),
        (["steam-network:?appid=440"], [], []),
        (["file:list.json"], [], []),
        (["dpmaster://master.invalid:27950/Xonotic/3"], [], []),  # rejected before its name is resolved
        (["json+http://localhost.invalid/list.json"], [], []),
        ([], ["a2s://10.0.0.1:27015"], []),
        ([], ["a2s://127.0.0.1:27015", "a2s://[2001:db8::1]:27015"], []),
        ([], [], [QueryTarget(Address("9.9.9.9", 27015), "a2s", None)]),
    ],
)
def test_unlimited_needs_loopback(
    scanner: Scanner,
    games: GameRegistry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    masters: Sequence[str],
    servers: Sequence[str],
    known: Sequence[QueryTarget],
) -> None:
    (tmp_path / "list.json").write_text('{"servers": ["a2s://127.0.0.1:1", "a2s://10.0.0.1:1"]}')
    monkeypatch.chdir(tmp_path)
    sources = parse_sources(games, masters=masters, servers=servers)
    with pytest.raises(ValueError, match=r"pace unlimited: .* is not on this machine"):
        start_poll(scanner, sources, pace=HERE, known=known)


def test_unlimited_ends_at_remote(scanner: Scanner, games: GameRegistry) -> None:
    listed = [Address("127.0.0.1", 26000), Address("10.1.2.3", 26000)]
    with udp_master(lambda *_: encode_servers_response(listed)) as master:
        sources = parse_sources(games, masters=[f"dpmaster://127.0.0.1:{master.port}/Xonotic/3"])
        poll = start_poll(scanner, sources, pace=HERE)
        assert poll.wait(LIMIT_S)
    assert poll.refusal_reason == "pace unlimited: 10.1.2.3:26000 is not on this machine"
    assert poll.progress.sent == 0


@pytest.mark.slow
def test_unresponsive_servers_have_results(scanner: Scanner, games: GameRegistry) -> None:
    def missing() -> int:
        """How many of the ten that answer did so too late, on a machine that paused."""
        with DemoNetwork(
            servers=20, dead=0.5, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"]
        ) as network:
            sources = parse_sources(games, masters=network.sources.masters, servers=network.sources.servers)
            results = answers_of(start_poll(scanner, sources, pace=HERE, timing=QUICK))
        assert len(results) == 20
        return [result.status for result in results].count(QueryStatus.NO_ANSWER) - 10

    assert best_of(missing, 1) == 0


@pytest.mark.slow
def test_custom_pace(scanner: Scanner, games: GameRegistry) -> None:
    with DemoNetwork(servers=10, simulate_players=False, latency_ms=(1.0, 5.0), games=["tf2"]) as network:
        began = time.monotonic()
        sources = parse_sources(games, servers=network.sources.servers)
        results = answers_of(start_poll(scanner, sources, pace=Pace("slow", 40.0)))
        assert time.monotonic() - began > 9 / 40.0
    assert len(results) == 10
