import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from fake_masters import Page, udp_master, web_server
from measurements import best_of
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryTarget
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY
from browser_app.engine.masters.community_lists import FileMaster, WebListMaster
from browser_app.engine.masters.master_poll import MasterPoll, MasterState, should_keep_old_list
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.masters.steam.steam_key_request import SteamKeyGetter
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network import http_client
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response

pytestmark = pytest.mark.slow

STEAM_PATH = "/IGameServersService/GetServerList/v1/"


class RecordedPoll:
    """One poll of masters and everything that it reported."""

    def __init__(
        self, masters: Sequence[MasterSource], steam_key: SteamKeyGetter = lambda: None, limit_s: float = 2 * LIMIT_S
    ) -> None:
        self.targets: list[QueryTarget] = []
        self.ended = threading.Event()
        self.poll = MasterPoll(
            masters,
            self.targets.extend,
            steam_key=steam_key,
            on_done=self.ended.set,
            timeout_s=limit_s,
        )
        self.poll.start()

    def states(self) -> tuple[MasterState, ...]:
        assert self.poll.wait(LIMIT_S)
        assert self.ended.is_set()
        return self.poll.states


def steam_web(port: int, games: GameRegistry, appid: int = 4920) -> tuple[MasterSource, ...]:
    return parse_sources(games, masters=[f"steam-web+http://127.0.0.1:{port}/?appid={appid}"]).masters


def steam_answer(*addresses: str) -> bytes:
    return json.dumps({"response": {"servers": [{"addr": address, "appid": 4920} for address in addresses]}}).encode()


def test_all_kinds_of_masters(games: GameRegistry) -> None:
    with DemoNetwork(servers=60, simulate_players=False) as network:
        urls = network.sources.masters
        done = RecordedPoll(parse_sources(games, masters=urls).masters, lambda: DEMO_STEAM_KEY)
        states = done.states()
        servers = {str(server.address): server for server in network.servers}
    assert [state.url for state in states] == list(urls)
    assert all(state.ok and state.error is None and state.is_done for state in states)
    assert {str(target.address) for target in done.targets} == set(servers)
    for target in done.targets:
        server = servers[str(target.address)]
        assert server.url == f"{target.protocol}://{target.address}"
        assert target.game in (None, server.state.game.id)


def test_no_masters() -> None:
    assert RecordedPoll([]).states() == ()


def test_each_master_has_own_error(games: GameRegistry) -> None:
    faults = NetworkFaults(
        masters={"xonotic": MasterFault.GARBAGE, "steam": MasterFault.GARBAGE, "list": MasterFault.EMPTY}
    )
    with DemoNetwork(servers=60, simulate_players=False, faults=faults) as network:
        done = RecordedPoll(parse_sources(games, masters=network.sources.masters).masters, lambda: DEMO_STEAM_KEY)
        assert wait_until(lambda: all(state.is_done for state in done.poll.states if "Xonotic" not in state.url))
        done.poll.cancel()
        states = {state.url: state for state in done.states()}
    for url, state in states.items():
        if "Xonotic" in url:
            assert (state.ok, state.error) == (False, "cancelled")
        elif url.startswith("steam-web"):
            assert (state.ok, state.error) == (False, "the answer is a web page, not a list")
        elif url.startswith("json"):
            assert (state.ok, state.servers, state.error) == (True, 0, None)
        else:
            assert state.ok
            assert state.servers > 0


def test_steam_gets_key_and_state_hides_it(games: GameRegistry) -> None:
    result = steam_answer("127.0.0.1:27016", "127.0.0.1:0", "nonsense", "127.0.0.2:27016")
    with web_server({STEAM_PATH: Page(result)}) as web:
        done = RecordedPoll(steam_web(web.port, games), lambda: "S3CR3T")
        (state,) = done.states()
    assert state == MasterState(f"steam-web+http://127.0.0.1:{web.port}/?appid=4920", True, 2, None, True)
    assert done.targets[0] == QueryTarget(Address("127.0.0.1", 27016), "a2s", "ns2")
    assert "key=S3CR3T" in web.paths[0]
    assert "filter=%5Cappid%5C4920" in web.paths[0]


def test_steams_players_are_kept(games: GameRegistry) -> None:
    listed = {"addr": "127.0.0.1:27016", "appid": 4920, "gameport": 28123, "players": 5}
    with web_server({STEAM_PATH: Page(json.dumps({"response": {"servers": [listed]}}).encode())}) as web:
        done = RecordedPoll(steam_web(web.port, games), lambda: "S3CR3T")
        done.states()
    assert done.targets == [QueryTarget(Address("127.0.0.1", 27016), "a2s", "ns2", 28123, 5)]


@pytest.mark.parametrize("key", [None, ""])
def test_steam_needs_key(games: GameRegistry, key: str | None) -> None:
    with web_server({}) as web:
        (state,) = RecordedPoll(steam_web(web.port, games), lambda: key).states()
    assert (state.ok, state.error) == (False, "needs a Steam Web API key")
    assert web.paths == []


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (Page(status=403), "the key was rejected"),
        (Page(status=429), "too many requests"),
        (Page(b"<html>"), "a web page"),
        (Page(b"{"), "not JSON"),
        (Page(b"{}"), "no `response`"),
        (Page(b'{"response": {"servers": 1}}'), "not a list"),
    ],
)
def test_steam_errors(games: GameRegistry, page: Page, error: str) -> None:
    with web_server({STEAM_PATH: page}) as web:
        (state,) = RecordedPoll(steam_web(web.port, games), lambda: "S3CR3T").states()
    assert not state.ok
    assert state.error is not None
    assert error in state.error
    assert "S3CR3T" not in repr(state)


def test_keyring_is_queried_once(games: GameRegistry) -> None:
    asked = []

    def key() -> str:
        asked.append(1)
        return "KEY"

    with web_server({STEAM_PATH: Page(steam_answer())}) as web:
        urls = [f"steam-web+http://127.0.0.1:{web.port}/?appid={appid}" for appid in (440, 4920, 730)]
        states = RecordedPoll(parse_sources(games, masters=urls).masters, key).states()
    assert all(state.ok for state in states)
    assert len(asked) == 1


@pytest.mark.parametrize(("cancelled", "error"), [(True, "cancelled"), (False, "the keyring did not respond")])
def test_locked_keyring_blocks_none(games: GameRegistry, cancelled: bool, error: str) -> None:
    unlocked, asked, threads = threading.Event(), threading.Event(), list[threading.Thread]()

    def key() -> None:
        threads.append(threading.current_thread())
        asked.set()
        unlocked.wait()

    masters = steam_web(9, games) + steam_web(9, games, 440)
    done = RecordedPoll(masters, key, limit_s=LIMIT_S if cancelled else 0.2)
    try:
        assert asked.wait(LIMIT_S)
        if cancelled:
            done.poll.cancel()
        states = done.states()
    finally:
        unlocked.set()
        (thread,) = threads
        thread.join(LIMIT_S)
    assert [(state.ok, state.error, state.is_done) for state in states] == [(False, error, True)] * 2


def test_web_list(games: GameRegistry) -> None:
    entries = [
        "a2s://127.0.0.1:27015",
        "quake3://localhost:27960",
        "quake3://no-such-host.invalid:1",
        "a2s://10.0.0.1:1",
    ]
    with web_server({"/list": Page(json.dumps({"servers": entries}).encode())}) as web:
        url = f"json+http://127.0.0.1:{web.port}/list?key=S3CR3T"
        done = RecordedPoll(parse_sources(games, masters=[url]).masters)
        (state,) = done.states()
    assert state == MasterState(f"json+http://127.0.0.1:{web.port}/list?key=…", True, 3, None, True)
    assert set(done.targets) == {
        QueryTarget(Address("127.0.0.1", 27015), "a2s", None),
        QueryTarget(Address("127.0.0.1", 27960), "quake3", None, host_name="localhost"),
        QueryTarget(Address("10.0.0.1", 1), "a2s", None),
    }
    assert web.paths == ["/list?key=S3CR3T"]


def test_newer_list_is_partly_read(games: GameRegistry) -> None:
    entries = ["a2s://127.0.0.1:27015", "newer://127.0.0.1:1", {"what": "ever"}]
    with web_server({"/": Page(json.dumps({"servers": entries}).encode())}) as web:
        (state,) = RecordedPoll([WebListMaster("x", f"http://127.0.0.1:{web.port}/", frozenset())]).states()
    assert state == MasterState("x", True, 1, "2 entries were not understood and left out", True)


def test_web_list_size_limit(games: GameRegistry) -> None:
    with web_server({"/": Page(b" " * ((4 << 20) + 1))}) as web:
        (state,) = RecordedPoll([WebListMaster("x", f"http://127.0.0.1:{web.port}/", frozenset())]).states()
    assert (state.ok, state.error) == (False, "the answer is larger than 4 MiB")


def test_error_text_limit() -> None:
    class FailingMaster(MasterSource):
        def poll(self, _sink: TargetSink) -> None:
            raise RequestError("x" * 5000)

    (state,) = RecordedPoll([FailingMaster("x")]).states()
    assert state.error == "x" * 300


def test_internet_list_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "network_scope", lambda _: NetworkScope.INTERNET)
    entries = ["a2s://127.0.0.1:27015", "quake3://localhost:27960", "a2s://10.0.0.1:1", "a2s://8.8.8.8:27015"]
    with web_server({"/": Page(json.dumps({"servers": entries}).encode())}) as web:
        done = RecordedPoll([WebListMaster("x", f"http://127.0.0.1:{web.port}/", frozenset())])
        (state,) = done.states()
    assert (state.ok, state.servers) == (True, 1)
    assert [str(target.address) for target in done.targets] == ["8.8.8.8:27015"]


def test_file_may_list_private() -> None:
    hosts = ["127.0.0.1", "10.0.0.1", "8.8.8.8", "localhost", "no-such-host.invalid", "224.0.0.1"]
    done = RecordedPoll([FileMaster("file:x", tuple(QueryTarget(Address(host, 9), "a2s", None) for host in hosts))])
    (state,) = done.states()
    assert state == MasterState("file:x", True, 3, None, True)  # localhost is a second name of 127.0.0.1
    assert {target.address.host for target in done.targets} == {"127.0.0.1", "10.0.0.1", "8.8.8.8"}


def test_servers_arrive_early(games: GameRegistry) -> None:
    release = threading.Event()

    def script(number: int, _: bytes) -> Iterator[bytes]:
        if number == 1:
            yield from encode_servers_response([Address("127.0.0.1", 26000)], end=False)
            release.wait(LIMIT_S)
            yield from encode_servers_response([Address("127.0.0.1", 26001)])

    with udp_master(script) as master:  # type: ignore[arg-type] # packets are sent as they come
        done = RecordedPoll(parse_sources(games, masters=[f"dpmaster://127.0.0.1:{master.port}/Xonotic/3"]).masters)
        assert wait_until(lambda: len(done.targets) == 1)
        (state,) = done.poll.states
        assert (state.is_done, state.servers) == (False, 1)
        release.set()
        (state,) = done.states()
    assert (state.is_done, state.servers, state.error) == (True, 2, None)


@contextmanager
def blocking_masters(games: GameRegistry) -> Iterator[tuple[MasterSource, ...]]:
    """Run masters that block: silent UDP, silent HTTP, slow HTTP, a full TCP backlog."""
    release = threading.Event()
    pages = {"/silent": Page(wait=release), "/drip": Page(drip=release, length=1 << 20)}
    with (
        udp_master(lambda *_: []) as udp,
        web_server(pages) as web,
        socket.socket() as full,
        socket.socket() as first,
        socket.socket() as second,
    ):
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for sock in (first, second):
            sock.setblocking(False)
            sock.connect_ex(full.getsockname())
        urls = [
            f"dpmaster://127.0.0.1:{udp.port}/Xonotic/3",
            f"json+http://127.0.0.1:{web.port}/silent",
            f"json+http://127.0.0.1:{web.port}/drip",
            f"json+http://127.0.0.1:{full.getsockname()[1]}/",
        ]
        try:
            yield parse_sources(games, masters=urls).masters
        finally:
            release.set()


def test_cancel_ends_all_masters(games: GameRegistry) -> None:
    def took_s() -> float:
        with blocking_masters(games) as masters:
            done = RecordedPoll(masters)
            assert not done.poll.wait(0.3)
            began = time.monotonic()
            done.poll.cancel()
            states = done.states()
            ended = time.monotonic()
        assert [(state.ok, state.error, state.is_done) for state in states] == [(False, "cancelled", True)] * 4
        return ended - began

    assert best_of(took_s, 2.0) < 2.0


def test_master_timeout(games: GameRegistry) -> None:
    def took_s() -> float:
        with blocking_masters(games) as masters:
            began = time.monotonic()
            states = RecordedPoll(masters, limit_s=0.5).states()
            ended = time.monotonic()
        assert [(state.ok, state.error) for state in states] == [(False, "no answer within 0.5 s")] * 4
        return ended - began

    assert 0.4 < best_of(took_s, 2.5) < 2.5


def test_no_targets_after_cancel(games: GameRegistry) -> None:
    with udp_master(lambda *_: encode_servers_response([Address("127.0.0.1", 26000)])) as master:
        sources = parse_sources(games, masters=[f"dpmaster://127.0.0.1:{master.port}/Xonotic/3"])
        targets: list[QueryTarget] = []
        poll = MasterPoll(sources.masters, targets.extend)
        poll.cancel()
        poll.start()
        assert poll.wait(LIMIT_S)
    assert targets == []


def test_sudden_empty_list_fails() -> None:
    full = MasterState("x", True, 10, None, True)
    empty = MasterState("x", True, 0, None, True)
    dead = MasterState("x", False, 0, "no answer", True)
    under_way = MasterState("x", False, 0, None, False)
    assert should_keep_old_list(10, empty)
    assert should_keep_old_list(10, dead)
    assert not should_keep_old_list(10, full)
    assert not should_keep_old_list(10, under_way)
    assert not should_keep_old_list(0, empty)
    assert not should_keep_old_list(0, dead)
