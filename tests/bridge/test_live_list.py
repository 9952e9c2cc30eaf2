"""The live list over a real scanner: batches, the end of a poll, one server asked, and nothing after the end."""

import gc
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest
from patience import LIMIT_S
from pytestqt.qtbot import QtBot

from browser_app.bridge import saved_server_sync
from browser_app.bridge.saved_server_sync import SavedServerSync
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, SavedServer, ServerInfo
from browser_app.demo.demo_network import DemoNetwork
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
from browser_app.storage.user_session import UserSession

GAMES = load_games(resource_folder() / "games")


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with DemoNetwork(servers=20, latency_ms=(2.0, 10.0), simulate_players=False, games=("openarena",)) as network:
        yield network


@pytest.fixture
def live(qtbot: QtBot, network: DemoNetwork) -> Iterator[ServerListController]:
    masters = [url for url in network.sources.masters if url.startswith("dpmaster")]
    sources = parse_sources(GAMES, game_ids=(), masters=masters, servers=())
    with Scanner(GAMES) as scanner:

        def ask(target: QueryTarget) -> Scan:
            scan = scanner.scan([target], pace=PACES["normal"], parts=QueryParts.ALL, urgent=True)
            scan.seal()
            return scan

        live = ServerListController(
            Catalogue(GAMES),
            lambda known: start_poll(scanner, sources, pace=PACES["fast"], known=known),
            ask,
            dict,
            lambda: None,
        )
        yield live
        live.close()
        live.deleteLater()


def nobody(_asked: object) -> NoReturn:
    pytest.fail("somebody was asked")


def names_in(live: ServerListController) -> set[str]:
    return {live.catalogue.name[row] for row in range(len(live.catalogue))}


def wait_for_end(qtbot: QtBot, live: ServerListController) -> None:
    qtbot.waitUntil(lambda: not live.is_running)


def test_a_poll_brings_every_server_and_then_no_timer_runs(qtbot: QtBot, live: ServerListController) -> None:
    ended: list[bool] = []
    live.running_changed.connect(ended.append)
    live.refresh()
    poll = live.poll
    live.refresh()
    assert live.poll is poll
    wait_for_end(qtbot, live)
    assert ended == [True, False]
    assert len(live.catalogue) == 20
    assert live.catalogue.score.shape == (20,)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in live.findChildren(type(live.retry_timer))))


def test_a_known_server_is_asked_again_by_itself(qtbot: QtBot, live: ServerListController) -> None:
    live.refresh()
    wait_for_end(qtbot, live)
    live.query(3)
    with qtbot.waitSignal(live.changed) as told:
        pass
    assert told.args is not None
    assert told.args[0].ids.tolist() == [3]
    facts = live.catalogue.server_info(3)
    assert facts is not None
    assert facts.player_list is not None
    assert live.seconds_since_answer(3) < 60


def test_setting_the_clock_makes_nothing_older_or_younger(
    qtbot: QtBot, live: ServerListController, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    live.add_saved_servers(
        [SavedServer(_target(number), _facts(number), 40.0, now - 100 + 200 * number) for number in (0, 1)]
    )
    live.merge_results([QueryResult(_target(2), QueryStatus.OK, _facts(2), None, 30.0, False, 1, now)])
    live.merge_results([QueryResult(_target(3), QueryStatus.NO_ANSWER, None, "timeout", None, False, 3, now)])
    for jump in (-1e9, 1e9):
        monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
        ages = [live.seconds_since_answer(server) for server in range(4)]
        assert 100 <= ages[0] < 100 + LIMIT_S
        assert ages[1] == 0  # told in the future: the clock was wrong then, or is now
        assert 0 <= ages[2] < LIMIT_S
        assert ages[3] != ages[3]


def test_who_waits_for_a_refresh_is_told_once_whether_it_ran_already_or_not(
    qtbot: QtBot, live: ServerListController
) -> None:
    told: list[str] = []
    live.refresh_then(lambda: told.append("first"))
    live.refresh_then(lambda: told.append("second"))
    wait_for_end(qtbot, live)
    assert told == ["first", "second"]
    live.refresh()
    wait_for_end(qtbot, live)
    assert told == ["first", "second"]


def test_after_the_end_nobody_is_asked_and_nothing_is_told(qtbot: QtBot, live: ServerListController) -> None:
    live.refresh()
    qtbot.waitUntil(lambda: len(live.catalogue) > 0)
    live.close()
    with qtbot.assertNotEmitted(live.changed, wait=100):
        live.query(0)
    poll = live.poll
    assert poll is not None
    assert poll.wait(LIMIT_S)
    live.close()


def test_the_known_list_is_written_after_a_poll_and_comes_back_old(qtbot: QtBot, live: ServerListController) -> None:
    with UserSession(user_paths()) as session:
        known = SavedServerSync(live, session.database)
        live.refresh()
        wait_for_end(qtbot, live)
        qtbot.waitUntil(lambda: known.is_saved)
        known.close()
    with UserSession(user_paths()) as session:
        again = ServerListController(Catalogue(GAMES), nobody, nobody, dict, lambda: None)
        known = SavedServerSync(again, session.database)
        known.load()
        qtbot.waitUntil(lambda: not again.is_loading)
        assert known.is_saved  # what is only remembered stands in the file already
        known.close()
        assert names_in(again) == names_in(live)
        assert again.catalogue.old.all()
        again.close()
    again.deleteLater()


def test_a_long_list_comes_back_and_is_saved_in_slices(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no piece of it holds up a frame: 500 rows take 4 ms."""
    count = 2 * BATCH_SIZE + 100
    remembered, saved = list[int](), list[int]()
    now = time.time()
    servers = [SavedServer(_target(number), _facts(number), 40.0, now) for number in range(count)]
    live = ServerListController(Catalogue(GAMES), nobody, nobody, dict, lambda: None)
    with UserSession(user_paths()) as session:
        save_servers(session.database, servers).result()
        known = SavedServerSync(live, session.database)
        live.changed.connect(lambda changes: remembered.append(len(changes.ids)))
        known.load()
        qtbot.waitUntil(lambda: not live.is_loading)
        assert len(live.catalogue) == count
        assert remembered == [BATCH_SIZE, BATCH_SIZE, 100]
        live.merge_results(
            [QueryResult(each.target, QueryStatus.OK, each.info, None, 30.0, False, 1, now) for each in servers]
        )
        monkeypatch.setattr(saved_server_sync, "save_servers", lambda database, servers: saved.append(len(servers)))
        live.running_changed.emit(False)
        qtbot.waitUntil(lambda: known.is_saved)
        assert saved == [BATCH_SIZE, BATCH_SIZE, 100]
        known.close()
        live.close()
    live.deleteLater()


def test_scores_are_told_in_an_event_of_their_own(qtbot: QtBot, live: ServerListController) -> None:
    """So that a frame which is due comes between working out the scores and the new order."""
    told: list[int] = []
    live.rescored.connect(lambda: told.append(len(live.catalogue.score_factors)))
    live._rescore_timer.timeout.emit()
    assert live.catalogue.score_factors
    assert not told
    qtbot.waitUntil(lambda: bool(told))
    live.rescore()
    assert len(told) == 2
    with qtbot.assertNotEmitted(live.rescored, wait=50):
        pass


def test_full_collections_are_put_off_only_while_the_list_fills(qtbot: QtBot, live: ServerListController) -> None:
    usual = gc.get_threshold()
    live.refresh()
    assert gc.get_threshold()[2] > usual[2]
    wait_for_end(qtbot, live)
    assert gc.get_threshold() == usual
    live.refresh()
    live.close()
    live.close()
    assert gc.get_threshold() == usual


def _target(number: int) -> QueryTarget:
    return QueryTarget(Address(f"10.0.{number // 250}.{number % 250}", 27960), "quake3", "openarena")


def _facts(number: int) -> ServerInfo:
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
