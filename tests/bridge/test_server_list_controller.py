"""The server list over a real scanner.

Polls, single queries, saved servers, and no signal after `close`.
"""

import gc
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S

from browser_app.bridge import saved_server_sync
from browser_app.bridge.saved_server_sync import SavedServerSync
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import (
    PlayerInfo,
    QueryResult,
    QueryStatus,
    QueryTarget,
    SavedServer,
    ServerInfo,
)
from browser_app.demo.demo_network import DemoNetwork
from browser_app.engine import master_results
from browser_app.engine.masters.outage import Outage
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts
from browser_app.storage.saved_servers import BATCH_SIZE, save_servers
from browser_app.storage.user_storage import UserStorage

GAMES = load_games(resource_folder() / "games")


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with DemoNetwork(servers=20, latency_ms=(2.0, 10.0), simulate_players=False, games=("openarena",)) as network:
        yield network


@pytest.fixture
def server_list(qtbot: QtBot, network: DemoNetwork) -> Iterator[ServerListController]:
    masters = [url for url in network.sources.masters if url.startswith("dpmaster")]
    sources = parse_sources(GAMES, game_ids=(), masters=masters, servers=())
    with Scanner(GAMES) as scanner:

        def query(target: QueryTarget) -> Scan:
            scan = scanner.scan([target], pace=PACES["normal"], parts=QueryParts.ALL, urgent=True)
            scan.seal()
            return scan

        server_list = ServerListController(
            Catalogue(GAMES),
            lambda known: start_poll(scanner, sources, pace=PACES["fast"], known=known),
            query,
            dict,
            lambda: None,
        )
        yield server_list
        server_list.close()
        server_list.deleteLater()


def fail_on_query(_targets: object) -> NoReturn:
    pytest.fail("a server was queried")


def names_in(server_list: ServerListController) -> set[str]:
    return {server_list.catalogue.name[row] for row in range(len(server_list.catalogue))}


def wait_for_end(qtbot: QtBot, server_list: ServerListController) -> None:
    qtbot.waitUntil(lambda: not server_list.is_running)


def test_long_player_lists_are_merged_in_parts(server_list: ServerListController) -> None:
    players = (PlayerInfo("moth", None, None, None, None, None),) * 255
    target = QueryTarget(Address("192.0.2.7", 27015), "a2s", None)
    info = ServerInfo(None, "", "", target.address, 255, 0, 0, 255, player_list=players)
    with Scanner(GAMES) as scanner:
        scan = scanner.scan([], pace=PACES["normal"])
        scan.results.extend([QueryResult(target, QueryStatus.OK, info, None, 20.0, False, 1, 0.0)] * 60)
        server_list._single_queries = [scan]
        assert [len(server_list._next_batch()) for _ in range(4)] == [24, 24, 12, 0]


def test_poll_finds_all_and_stops_timers(qtbot: QtBot, server_list: ServerListController) -> None:
    ended: list[bool] = []
    server_list.running_changed.connect(ended.append)
    server_list.refresh()
    poll = server_list.poll
    server_list.refresh()
    assert server_list.poll is poll
    wait_for_end(qtbot, server_list)
    assert ended == [True, False]
    assert len(server_list.catalogue) == 20
    assert server_list.catalogue.score.shape == (20,)
    qtbot.waitUntil(
        lambda: not any(timer.isActive() for timer in server_list.findChildren(type(server_list.retry_timer)))
    )


def test_polls_without_list_are_repeated(
    qtbot: QtBot, server_list: ServerListController, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_online, poll_network = True, server_list._start_poll
    monkeypatch.setattr(master_results, "has_internet_route", lambda: is_online)
    dead = parse_sources(GAMES, game_ids=(), masters=["json+http://127.0.0.1:9/"], servers=())
    with Scanner(GAMES) as scanner:
        server_list._start_poll = lambda known: start_poll(scanner, dead, pace=PACES["fast"])

        def poll() -> tuple[Outage | None, int]:
            server_list.refresh()
            wait_for_end(qtbot, server_list)
            return server_list.outage, server_list.retry_timer.interval() if server_list.retry_timer.isActive() else 0

        assert [poll() for _poll in range(3)] == [(Outage.NO_MASTER, delay) for delay in (10_000, 20_000, 40_000)]
        is_online = False
        assert poll() == (Outage.NO_NETWORK, 10_000)  # asking costs nothing, and the network may be back at any time
        server_list._start_poll = poll_network
        assert poll() == (None, 0)


def test_query_updates_one_server(qtbot: QtBot, server_list: ServerListController) -> None:
    server_list.refresh()
    wait_for_end(qtbot, server_list)
    server_list.query(3)
    with qtbot.waitSignal(server_list.changed) as received:
        pass
    assert received.args is not None
    assert received.args[0].ids.tolist() == [3]
    info = server_list.catalogue.server_info(3)
    assert info is not None
    assert info.player_list is not None
    assert server_list.seconds_since_answer(3) < 60


def test_ages_ignore_clock_changes(
    qtbot: QtBot, server_list: ServerListController, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    server_list.add_saved_servers(
        [SavedServer(_target(number), _info(number), 40.0, now - 100 + 200 * number) for number in (0, 1)]
    )
    server_list.merge_results([QueryResult(_target(2), QueryStatus.OK, _info(2), None, 30.0, False, 1, now)])
    server_list.merge_results([QueryResult(_target(3), QueryStatus.NO_ANSWER, None, "timeout", None, False, 3, now)])
    for jump in (-1e9, 1e9):
        monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
        ages = [server_list.seconds_since_answer(server) for server in range(4)]
        assert 100 <= ages[0] < 100 + LIMIT_S
        assert ages[1] == 0  # saved with a time in the future: the clock was wrong then, or is wrong now
        assert 0 <= ages[2] < LIMIT_S
        assert ages[3] != ages[3]


def test_refresh_then_calls_once(qtbot: QtBot, server_list: ServerListController) -> None:
    received: list[str] = []
    server_list.refresh_then(lambda: received.append("first"))
    server_list.refresh_then(lambda: received.append("second"))
    wait_for_end(qtbot, server_list)
    assert received == ["first", "second"]
    server_list.refresh()
    wait_for_end(qtbot, server_list)
    assert received == ["first", "second"]


def test_no_query_or_signal_after_close(qtbot: QtBot, server_list: ServerListController) -> None:
    server_list.refresh()
    qtbot.waitUntil(lambda: len(server_list.catalogue) > 0)
    server_list.close()
    with qtbot.assertNotEmitted(server_list.changed, wait=100):
        server_list.query(0)
    poll = server_list.poll
    assert poll is not None
    assert poll.wait(LIMIT_S)
    server_list.close()


def test_saved_list_comes_back_old(qtbot: QtBot, server_list: ServerListController) -> None:
    with UserStorage(user_paths()) as storage:
        sync = SavedServerSync(server_list, storage.database)
        server_list.refresh()
        wait_for_end(qtbot, server_list)
        qtbot.waitUntil(lambda: not sync._unsaved_rows)
        sync.close()
    with UserStorage(user_paths()) as storage:
        second_list = ServerListController(Catalogue(GAMES), fail_on_query, fail_on_query, dict, lambda: None)
        sync = SavedServerSync(second_list, storage.database)
        sync.load()
        qtbot.waitUntil(lambda: not second_list.is_loading)
        assert not sync._unsaved_rows  # loaded servers are in the file already
        sync.close()
        assert names_in(second_list) == names_in(server_list)
        assert second_list.catalogue.saved.all()
        second_list.close()
    second_list.deleteLater()


def test_long_list_loads_and_saves_in_slices(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each slice fits in a frame: 500 rows take 4 ms."""
    count = 2 * BATCH_SIZE + 100
    loaded, saved = list[int](), list[int]()
    now = time.time()
    servers = [SavedServer(_target(number), _info(number), 40.0, now) for number in range(count)]
    server_list = ServerListController(Catalogue(GAMES), fail_on_query, fail_on_query, dict, lambda: None)
    with UserStorage(user_paths()) as storage:
        save_servers(storage.database, servers).result()
        sync = SavedServerSync(server_list, storage.database)
        server_list.changed.connect(lambda changes: loaded.append(len(changes.ids)))
        sync.load()
        qtbot.waitUntil(lambda: not server_list.is_loading)
        assert len(server_list.catalogue) == count
        assert loaded == [BATCH_SIZE, BATCH_SIZE, 100]
        server_list.merge_results(
            [QueryResult(each.target, QueryStatus.OK, each.info, None, 30.0, False, 1, now) for each in servers]
        )
        monkeypatch.setattr(saved_server_sync, "save_servers", lambda database, servers: saved.append(len(servers)))
        server_list.running_changed.emit(False)
        qtbot.waitUntil(lambda: not sync._unsaved_rows)
        assert saved == [BATCH_SIZE, BATCH_SIZE, 100]
        sync.close()
        server_list.close()
    server_list.deleteLater()


def test_changes_between_polls_are_saved(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = list[int]()
    monkeypatch.setattr(saved_server_sync, "SAVE_DELAY_MS", 1)
    monkeypatch.setattr(saved_server_sync, "save_servers", lambda _database, servers: saved.append(len(servers)))
    server_list = ServerListController(Catalogue(GAMES), fail_on_query, fail_on_query, dict, lambda: None)
    with UserStorage(user_paths()) as storage:
        sync = SavedServerSync(server_list, storage.database)
        for number in range(2):
            result = QueryResult(_target(number), QueryStatus.OK, _info(number), None, 30.0, False, 1, time.time())
            server_list.merge_results([result])
            qtbot.waitUntil(lambda: not sync._unsaved_rows)
        assert saved == [1, 1]
        sync.close()
        server_list.close()
    server_list.deleteLater()


def test_rescored_is_separate_event(qtbot: QtBot, server_list: ServerListController) -> None:
    """A frame can be painted between the new scores and the new order."""
    received: list[int] = []
    server_list.rescored.connect(lambda: received.append(len(server_list.catalogue.score_factors)))
    server_list._rescore_timer.timeout.emit()
    assert server_list.catalogue.score_factors
    assert not received
    qtbot.waitUntil(lambda: bool(received))
    server_list.rescore()
    assert len(received) == 2
    with qtbot.assertNotEmitted(server_list.rescored, wait=50):
        pass


def test_full_gc_pauses_during_polls(qtbot: QtBot, server_list: ServerListController) -> None:
    usual = gc.get_threshold()
    server_list.refresh()
    assert gc.get_threshold()[2] > usual[2]
    wait_for_end(qtbot, server_list)
    assert gc.get_threshold() == usual
    server_list.refresh()
    server_list.close()
    server_list.close()
    assert gc.get_threshold() == usual


def _target(number: int) -> QueryTarget:
    return QueryTarget(Address(f"10.0.{number // 250}.{number % 250}", 27960), "quake3", "openarena")


def _info(number: int) -> ServerInfo:
    return ServerInfo(
        game="openarena",
        name=f"Server {number}",
        map="oa_dm1",
        connect=_target(number).address,
        players=3,
        bots=0,
        spectators=None,
        max_players=8,
    )
