"""The live list over a real scanner: batches, the end of a poll, one server asked, and nothing after the end."""

import gc
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest
from patience import LIMIT_S
from pytestqt.qtbot import QtBot

from browser_app.bridge import known_list
from browser_app.bridge.known_list import KnownList
from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, Facts, KnownServer, Status, Target
from browser_app.demo.network import DemoNetwork
from browser_app.engine.pacing import PACES
from browser_app.engine.poll import start_poll
from browser_app.engine.scan import Scan
from browser_app.engine.scanner import Scanner
from browser_app.engine.sources import parse_sources
from browser_app.games import load_games
from browser_app.paths import resources, user_paths
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Want
from browser_app.storage.known_servers import SLICE, save_known_servers
from browser_app.storage.session import Session

GAMES = load_games(resources() / "games")


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with DemoNetwork(servers=20, latency_ms=(2.0, 10.0), living=False, games=("openarena",)) as network:
        yield network


@pytest.fixture
def live(qtbot: QtBot, network: DemoNetwork) -> Iterator[LiveList]:
    masters = [url for url in network.sources.masters if url.startswith("dpmaster")]
    sources = parse_sources(GAMES, game_ids=(), masters=masters, servers=())
    with Scanner(GAMES) as scanner:

        def ask(target: Target) -> Scan:
            scan = scanner.scan([target], pace=PACES["normal"], want=Want.ALL, urgent=True)
            scan.seal()
            return scan

        live = LiveList(
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


def names_in(live: LiveList) -> set[str]:
    return {live.catalogue.name[row] for row in range(len(live.catalogue))}


def wait_for_end(qtbot: QtBot, live: LiveList) -> None:
    qtbot.waitUntil(lambda: not live.running)


def test_a_poll_brings_every_server_and_then_no_timer_runs(qtbot: QtBot, live: LiveList) -> None:
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
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in live.findChildren(type(live.again_timer))))


def test_a_known_server_is_asked_again_by_itself(qtbot: QtBot, live: LiveList) -> None:
    live.refresh()
    wait_for_end(qtbot, live)
    live.ask(3)
    with qtbot.waitSignal(live.changed) as told:
        pass
    assert told.args is not None
    assert told.args[0].ids.tolist() == [3]
    facts = live.catalogue.facts(3)
    assert facts is not None
    assert facts.player_list is not None
    assert live.seconds_since_answer(3) < 60


def test_setting_the_clock_makes_nothing_older_or_younger(
    qtbot: QtBot, live: LiveList, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    live.remember([KnownServer(_target(number), _facts(number), 40.0, now - 100 + 200 * number) for number in (0, 1)])
    live.take([Answer(_target(2), Status.OK, _facts(2), None, 30.0, False, 1, now)])
    live.take([Answer(_target(3), Status.NO_ANSWER, None, "timeout", None, False, 3, now)])
    for jump in (-1e9, 1e9):
        monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
        ages = [live.seconds_since_answer(server) for server in range(4)]
        assert 100 <= ages[0] < 100 + LIMIT_S
        assert ages[1] == 0  # told in the future: the clock was wrong then, or is now
        assert 0 <= ages[2] < LIMIT_S
        assert ages[3] != ages[3]


def test_who_waits_for_a_refresh_is_told_once_whether_it_ran_already_or_not(qtbot: QtBot, live: LiveList) -> None:
    told: list[str] = []
    live.refresh_then(lambda: told.append("first"))
    live.refresh_then(lambda: told.append("second"))
    wait_for_end(qtbot, live)
    assert told == ["first", "second"]
    live.refresh()
    wait_for_end(qtbot, live)
    assert told == ["first", "second"]


def test_after_the_end_nobody_is_asked_and_nothing_is_told(qtbot: QtBot, live: LiveList) -> None:
    live.refresh()
    qtbot.waitUntil(lambda: len(live.catalogue) > 0)
    live.close()
    with qtbot.assertNotEmitted(live.changed, wait=100):
        live.ask(0)
    poll = live.poll
    assert poll is not None
    assert poll.wait(LIMIT_S)
    live.close()


def test_the_known_list_is_written_after_a_poll_and_comes_back_old(qtbot: QtBot, live: LiveList) -> None:
    with Session(user_paths()) as session:
        known = KnownList(live, session.database)
        live.refresh()
        wait_for_end(qtbot, live)
        qtbot.waitUntil(lambda: known.saved)
        known.close()
    with Session(user_paths()) as session:
        again = LiveList(Catalogue(GAMES), nobody, nobody, dict, lambda: None)
        known = KnownList(again, session.database)
        known.bring_back()
        qtbot.waitUntil(lambda: not again.remembering)
        assert known.saved  # what is only remembered stands in the file already
        known.close()
        assert names_in(again) == names_in(live)
        assert again.catalogue.old.all()
        again.close()
    again.deleteLater()


def test_a_long_list_comes_back_and_is_saved_in_slices(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no piece of it holds up a frame: 500 rows take 4 ms."""
    count = 2 * SLICE + 100
    remembered, saved = list[int](), list[int]()
    now = time.time()
    servers = [KnownServer(_target(number), _facts(number), 40.0, now) for number in range(count)]
    live = LiveList(Catalogue(GAMES), nobody, nobody, dict, lambda: None)
    with Session(user_paths()) as session:
        save_known_servers(session.database, servers).result()
        known = KnownList(live, session.database)
        live.changed.connect(lambda changes: remembered.append(len(changes.ids)))
        known.bring_back()
        qtbot.waitUntil(lambda: not live.remembering)
        assert len(live.catalogue) == count
        assert remembered == [SLICE, SLICE, 100]
        live.take([Answer(each.target, Status.OK, each.facts, None, 30.0, False, 1, now) for each in servers])
        monkeypatch.setattr(known_list, "save_known_servers", lambda database, servers: saved.append(len(servers)))
        live.running_changed.emit(False)
        qtbot.waitUntil(lambda: known.saved)
        assert saved == [SLICE, SLICE, 100]
        known.close()
        live.close()
    live.deleteLater()


def test_scores_are_told_in_an_event_of_their_own(qtbot: QtBot, live: LiveList) -> None:
    """So that a frame which is due comes between working out the scores and the new order."""
    told: list[int] = []
    live.rescored.connect(lambda: told.append(len(live.catalogue.factor_columns)))
    live._rescore_timer.timeout.emit()
    assert live.catalogue.factor_columns
    assert not told
    qtbot.waitUntil(lambda: bool(told))
    live.rescore()
    assert len(told) == 2
    with qtbot.assertNotEmitted(live.rescored, wait=50):
        pass


def test_full_collections_are_put_off_only_while_the_list_fills(qtbot: QtBot, live: LiveList) -> None:
    usual = gc.get_threshold()
    live.refresh()
    assert gc.get_threshold()[2] > usual[2]
    wait_for_end(qtbot, live)
    assert gc.get_threshold() == usual
    live.refresh()
    live.close()
    live.close()
    assert gc.get_threshold() == usual


def _target(number: int) -> Target:
    return Target(Address(f"10.0.{number // 250}.{number % 250}", 27960), "quake3", "openarena")


def _facts(number: int) -> Facts:
    return Facts(
        game="openarena",
        name=f"Server {number}",
        map="oa_dm1",
        connect=_target(number).address,
        players=3,
        bots=0,
        spectators=None,
        max_players=8,
    )
