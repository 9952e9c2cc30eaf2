"""The automatic refresh: which servers and masters get how many requests.

The tests have a clock of their own.
"""

import errno
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from loopback_servers import Handler, a2s, dpmaster, quake3, serving, silent
from pytestqt.qtbot import QtBot
from timeouts import SINGLE_ATTEMPT

from browser_app.application.poll_session import QueryService
from browser_app.application.refresh_queries import RefreshQueries
from browser_app.application.scoring_context import GameSelection
from browser_app.application.source_selection import SelectedSources
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.list_refresher import TICK_MS, ListRefresher, RefreshState
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.catalogue.user_lists import FriendGroup, FriendList, UserLists
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.query import scanner as scanner_module
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.query.scan import PacketCounts
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import AUTOMATIC_REFRESH, VISIBLE_REFRESH_S
from browser_app.storage.user_storage import UserStorage

GAMES = load_games(resource_folder() / "games")
INFO, PLAYERS, RULES = b"T", b"U", b"V"
"""Kinds of A2S requests."""
TICK_S = TICK_MS / 1000
HASTY = QueryTiming(waits_s=(0.6,), late_reply_wait_s=0.3, send_failure_wait_s=0.05)
"""For servers that do not answer."""


class CountingServer:
    """A server that counts the requests of each kind; `handler` may be replaced."""

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.requests: Counter[bytes] = Counter()

    def __call__(self, request: bytes) -> Iterable[bytes]:
        """Count the request and answer it."""
        self.requests[request[4:5]] += 1
        return self.handler(request)


class SwitchableSocket(UdpSocket):
    """A socket that finds no network while `is_down`."""

    __slots__ = ("_real",)
    is_down = False

    def __init__(self, family: socket.AddressFamily, clock: EngineClock) -> None:
        super().__init__(family, clock)
        self._real = self.sock.sendto
        self.sendto = self.send_if_up

    def send_if_up(self, data: bytes, address: Any) -> int:
        """Send unless the network is down."""
        if SwitchableSocket.is_down:
            raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))
        return self._real(data, address)


class RefreshDriver:
    """A server list with its refresher and a clock that moves only when told."""

    def __init__(self, qtbot: QtBot, stack: ExitStack, urls: Iterable[str], masters: Iterable[str] = ()) -> None:
        self._qtbot = qtbot
        storage = stack.enter_context(UserStorage(user_paths()))
        scanner = stack.enter_context(Scanner(GAMES, open_socket=SwitchableSocket))
        sources = parse_sources(GAMES, masters=masters, servers=urls)
        queries = QueryService(storage, SelectedSources(sources), scanner, GAMES, demo=False)
        self.catalogue = Catalogue(GAMES)
        self.server_list = ServerListController(
            self.catalogue, queries.start_poll, queries.query_server, dict, lambda: None
        )
        background = BackgroundTasks()
        self.settings = LiveSettings(storage.settings, background)
        shown_games = GameSelection(storage.settings, self.catalogue, lambda: True)
        self.now_s = 1000.0
        self.in_sight: list[int] = []
        self.is_hidden = False
        self.refresher = ListRefresher(
            self.server_list, RefreshQueries(queries, scanner, shown_games), self.settings, lambda: self.now_s
        )
        self.refresher.set_view(lambda: np.array(self.in_sight, np.intp), lambda: self.is_hidden)
        self.refresher._timer.setInterval(10_000_000)  # the test ticks
        for each in (self.refresher, self.server_list, self.settings, background):
            stack.callback(each.close)
        stack.callback(self.server_list.deleteLater)

    def poll(self) -> None:
        """Refresh as the user does."""
        self.server_list.refresh()
        self._qtbot.waitUntil(lambda: not self.server_list.is_running)

    def run(self, seconds: float) -> None:
        """Let time pass; each tick's queries end before the next."""
        for _tick in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            self.refresher.tick()
            self.wait_for_queries()
        self.refresher.tick()

    def wait_for_queries(self) -> None:
        """Wait until all queries have ended."""
        refresher = self.refresher
        self._qtbot.waitUntil(
            lambda: (
                all(scan.finished.is_set() for scan in refresher._scans)
                and (refresher._master_poll is None or refresher._master_poll.is_finished)
            )
        )

    def state(self) -> RefreshState:
        """Return the refresher's state."""
        return self.refresher.state


OpenDriver = Callable[..., RefreshDriver]


@pytest.fixture
def open_driver(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenDriver]:
    monkeypatch.setattr(scanner_module, "QueryTiming", lambda: SINGLE_ATTEMPT)  # no repeated request is counted
    with ExitStack() as stack:
        yield lambda *args: RefreshDriver(qtbot, stack, *args)
    SwitchableSocket.is_down = False


@pytest.fixture
def servers() -> list[CountingServer]:
    """Twelve servers; every third is empty."""
    return [
        CountingServer(
            a2s(
                [A2SPlayer(f"player {n}", 1, 60.0)] if n % 3 else [], players=int(n % 3 > 0), bots=0, name=f"Server {n}"
            )
        )
        for n in range(12)
    ]


@pytest.fixture
def driver(open_driver: OpenDriver, servers: list[CountingServer]) -> Iterator[RefreshDriver]:
    """The servers, after a refresh; rows are in their order."""
    with serving(*servers) as addresses:
        driver = open_driver([f"a2s://{address}" for address in addresses])
        driver.catalogue.rows.add([QueryTarget(address, "a2s", None) for address in addresses])
        driver.poll()
        assert [driver.catalogue.row_of(address) for address in addresses] == list(range(12))
        for server in servers:
            server.requests.clear()
        yield driver


def requests_of(servers: Iterable[CountingServer], kind: bytes = INFO) -> list[int]:
    return [server.requests[kind] for server in servers]


def test_rows_in_sight_are_refreshed_most(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0, 1, 2]
    driver.run(130.0)
    assert all(3 <= count <= 5 for count in requests_of(servers[:3]))
    assert max(requests_of(servers[3::3])) <= 1  # empty, and queried 130 s ago
    ages = [driver.server_list.seconds_since_answer(row) for row in range(3)]
    assert max(ages) < 60.0


def test_all_rows_are_refreshed_in_five_minutes(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.run(390.0)
    assert all(1 <= count <= 3 for count in requests_of(servers))


def test_packets_are_counted(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0, 1, 2]
    driver.run(120.0)
    packets = driver.refresher.packets
    assert packets.sent == sum(server.requests.total() for server in servers) > 12
    assert packets.received == packets.sent
    assert driver.refresher.packets_since_poll == packets
    driver.poll()
    assert driver.refresher.packets_since_poll == PacketCounts()


def test_hidden_window_is_four_times_slower(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight, driver.is_hidden = [0, 1, 2], True
    driver.run(130.0)
    assert all(1 <= count <= 2 for count in requests_of(servers[:3]))


def test_period_follows_the_setting(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.settings.set(VISIBLE_REFRESH_S, 10.0)
    driver.in_sight = [0]
    driver.run(104.0)
    assert 5 <= servers[0].requests[INFO] <= 12  # 10 s, up to 10 % and two ticks more; by default there are 4


def test_nothing_is_queried_while_paused(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0, 1, 2]
    driver.server_list.pause()
    assert driver.state() is RefreshState.PAUSED
    driver.run(130.0)
    assert sum(requests_of(servers)) == 0
    driver.server_list.resume()
    assert driver.state() is RefreshState.LIVE
    driver.run(40.0)
    assert min(requests_of(servers[:3])) >= 1


def test_pause_cancels_open_queries(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0]
    servers[0].handler = silent
    driver.now_s += 60.0
    driver.refresher.tick()
    driver.now_s += TICK_S
    driver.refresher.tick()
    assert driver.refresher._scans
    driver.server_list.pause()
    assert not driver.refresher._scans
    driver.run(10.0)
    assert driver.catalogue.status[0] == QueryStatus.OK


def test_nothing_is_queried_while_off(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0, 1, 2]
    driver.settings.set(AUTOMATIC_REFRESH, False)
    assert driver.state() is RefreshState.OFF
    driver.run(600.0)
    assert sum(requests_of(servers)) == 0
    driver.settings.set(AUTOMATIC_REFRESH, True)
    driver.run(40.0)
    assert min(requests_of(servers[:3])) >= 1


def test_nothing_is_queried_before_the_first_poll(open_driver: OpenDriver, servers: list[CountingServer]) -> None:
    with serving(*servers) as addresses:
        driver = open_driver([f"a2s://{address}" for address in addresses])
        assert driver.state() is RefreshState.WAITING
        driver.run(60.0)
        assert sum(requests_of(servers)) == 0
        assert not driver.refresher._timer.isActive()


def test_refresh_by_hand_resets_the_periods(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0]
    driver.run(60.0)
    driver.poll()
    before = servers[0].requests[INFO]
    driver.run(TICK_S)  # shorter than any period, however they vary
    assert servers[0].requests[INFO] == before
    driver.run(40.0)
    assert servers[0].requests[INFO] > before


def test_poll_replaces_open_queries(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    driver.in_sight = [0]
    servers[0].handler = silent
    driver.now_s += 60.0
    driver.refresher.tick()
    driver.now_s += TICK_S
    driver.refresher.tick()
    driver.server_list.refresh()
    assert not driver.refresher._scans
    driver.now_s += 60.0
    driver.refresher.tick()
    assert not driver.refresher._scans


def test_player_lists_come_along(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    c = driver.catalogue
    c.set_user_lists(UserLists(friends=FriendList({"friends": FriendGroup(exact=frozenset({"player 7"}))})))
    assert c.player_lists == {}
    driver.run(90.0)
    assert sorted(c.player_lists) == [row for row in range(12) if row % 3]
    assert requests_of(servers, PLAYERS) == [int(row % 3 > 0) for row in range(12)]
    assert requests_of(servers, RULES) == [0] * 12
    assert np.flatnonzero(c.friends).tolist() == [7]
    assert np.flatnonzero(parse_filter("friend:yes").matching_rows(c)).tolist() == [7]
    assert np.flatnonzero(parse_filter('player:"player 5"').matching_rows(c)).tolist() == [5]


def test_friend_who_left_is_noticed(driver: RefreshDriver, servers: list[CountingServer]) -> None:
    c = driver.catalogue
    c.set_user_lists(UserLists(friends=FriendList({"friends": FriendGroup(exact=frozenset({"player 7"}))})))
    driver.run(90.0)
    servers[7].handler = a2s([], players=0, bots=0, name="Server 7")
    driver.in_sight = [7]
    driver.run(60.0)
    assert c.friends[7] == 0
    assert c.player_lists[7] == ()


def test_servers_with_free_lists_are_queried_once(open_driver: OpenDriver) -> None:
    server = CountingServer(quake3())
    with serving(server) as (address,):
        driver = open_driver([f"quake3://{address}"])
        driver.poll()
        driver.in_sight = [0]
        driver.run(60.0)
        assert driver.catalogue.player_lists[0] == ()
        assert server.requests.total() == 1 + driver.refresher.packets.sent <= 4


def test_unresponsive_server_is_queried_less_often(
    driver: RefreshDriver, servers: list[CountingServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanner_module, "QueryTiming", lambda: HASTY)
    driver.in_sight = [0]
    servers[0].handler = silent
    driver.run(240.0)
    assert driver.catalogue.status[0] == QueryStatus.NO_ANSWER
    assert 3 <= servers[0].requests[INFO] <= 4


def test_masters_are_polled_for_new_servers(open_driver: OpenDriver) -> None:
    known, new = CountingServer(quake3()), CountingServer(quake3())
    addresses = list[Address]()
    master = CountingServer(dpmaster(addresses))
    with serving(known, new, master) as (known_address, new_address, master_address):
        addresses.append(known_address)
        driver = open_driver([], [f"dpmaster://{master_address}/Quake3Arena/68"])
        driver.poll()
        asked = master.requests.total()
        addresses.append(new_address)
        driver.run(590.0)
        assert master.requests.total() == asked
        before = known.requests.total()
        driver.run(14.0)
        assert master.requests.total() > asked
        assert new.requests.total() == 1
        assert known.requests.total() <= before + 1
        assert driver.catalogue.row_of(new_address) is not None
        assert [state.servers for state in driver.server_list.master_states] == [2]


def test_stopped_poll_is_not_continued_at_masters(open_driver: OpenDriver, qtbot: QtBot) -> None:
    master = CountingServer(dpmaster([], end=False))
    with serving(master) as (address,):
        driver = open_driver([], [f"dpmaster://{address}/Quake3Arena/68"])
        driver.server_list.refresh()
        qtbot.waitUntil(lambda: bool(master.requests))
        driver.server_list.stop()
        qtbot.waitUntil(lambda: not driver.server_list.is_running)
        asked = master.requests.total()
        driver.run(60.0)
        assert master.requests.total() == asked
        driver.now_s += 540.0
        driver.refresher.tick()
        assert driver.refresher._master_poll is not None
        driver.refresher.close()


def test_cancelled_master_poll_is_not_repeated(open_driver: OpenDriver, qtbot: QtBot) -> None:
    master = CountingServer(dpmaster([]))
    with serving(master) as (address,):
        driver = open_driver([], [f"dpmaster://{address}/Quake3Arena/68"])
        driver.poll()
        asked = master.requests.total()
        master.handler = dpmaster([], end=False)
        driver.now_s += 604.0
        driver.refresher.tick()
        qtbot.waitUntil(lambda: master.requests.total() > asked)
        driver.settings.set(AUTOMATIC_REFRESH, False)
        assert driver.refresher._master_poll is None
        driver.settings.set(AUTOMATIC_REFRESH, True)
        driver.refresher.tick()
        assert driver.refresher._master_poll is None


def test_failed_master_is_left_out(open_driver: OpenDriver) -> None:
    master = CountingServer(dpmaster([]))
    with socket.socket() as closed, serving(master) as (master_address,):
        closed.bind(("127.0.0.1", 0))
        dead = f"json+http://127.0.0.1:{closed.getsockname()[1]}/list"
        driver = open_driver([], [dead, f"dpmaster://{master_address}/Quake3Arena/68"])
        driver.poll()
        asked = master.requests.total()
        polled: list[list[str]] = []
        driver.server_list.masters_polled.connect(lambda states: polled.append([state.url for state in states]))
        driver.run(1220.0)
        assert master.requests.total() == 3 * asked
        assert Counter(url for urls in polled for url in urls)[dead] == 1
        assert driver.server_list.master_states[0].url == dead
        assert len(driver.server_list.master_failures()) == 1


def test_requested_master_is_polled_at_once(open_driver: OpenDriver) -> None:
    master = CountingServer(dpmaster([]))
    with serving(master) as (address,):
        driver = open_driver([], [f"dpmaster://{address}/Quake3Arena/68"])
        driver.poll()
        asked = master.requests.total()
        assert not driver.refresher.poll_master("dpmaster://192.0.2.1/Quake3Arena/68")
        assert driver.refresher.poll_master(driver.server_list.master_states[0].url)
        driver.run(8.0)
        assert master.requests.total() == 2 * asked
        cancelled: list[bool] = []
        driver.refresher.master_poll_cancelled.connect(lambda: cancelled.append(True))
        driver.refresher.poll_master(driver.server_list.master_states[0].url)
        driver.server_list.pause()
        assert cancelled == [True]


def test_lost_network_starts_a_poll(driver: RefreshDriver, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner_module, "QueryTiming", lambda: HASTY)
    driver.in_sight = list(range(12))
    SwitchableSocket.is_down = True
    for _tick in range(60):
        driver.now_s += TICK_S
        driver.refresher.tick()
        if driver.server_list.is_running:
            break
        driver.wait_for_queries()
    qtbot.waitUntil(lambda: not driver.server_list.is_running)
    assert driver.server_list.retry_timer.isActive()
    asked = driver.refresher.packets.sent
    driver.run(60.0)
    assert driver.refresher.packets.sent == asked
    SwitchableSocket.is_down = False
    monkeypatch.setattr(scanner_module, "QueryTiming", lambda: SINGLE_ATTEMPT)
    driver.poll()
    driver.run(40.0)
    assert driver.refresher.packets.sent > asked
    assert (driver.catalogue.status == QueryStatus.OK).all()


def test_nothing_follows_close(driver: RefreshDriver, qtbot: QtBot) -> None:
    driver.in_sight = [0, 1, 2]
    driver.run(30.0)
    driver.refresher.close()
    assert not driver.refresher._timer.isActive()
    assert not driver.refresher._scans
