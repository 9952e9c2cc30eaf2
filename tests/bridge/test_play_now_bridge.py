"""Play Now beside the window: steps and the outcome come on the window's thread, and nothing comes after the end."""

import threading
from collections.abc import Iterator
from typing import NoReturn

import pytest
from pytestqt.qtbot import QtBot

from browser_app.bridge.play_now_runner import PlayNowRunner
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.engine.play_now_run import NoEligibleServer, PlayNowOutcome, PlayNowRun
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.games import load_games
from browser_app.paths import resource_folder

GAMES = load_games(resource_folder() / "games")


def nobody(_asked: object) -> NoReturn:
    pytest.fail("somebody was asked")


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[PlayNowRunner]:
    """Over an empty list, which no poll ever fills."""
    live = ServerListController(Catalogue(GAMES), nobody, nobody, dict, lambda: None)
    with Scanner(GAMES) as scanner:
        bridge = PlayNowRunner(live, scanner, lambda: PACES["normal"])
        yield bridge
        bridge.close()
        live.close()
    live.deleteLater()


def test_steps_and_the_outcome_come_in_order_on_the_windows_thread(qtbot: QtBot, bridge: PlayNowRunner) -> None:
    told: list[tuple[object, threading.Thread]] = []
    bridge.step_reached.connect(lambda step: told.append((step, threading.current_thread())))
    bridge.start(PlayOptions())
    qtbot.waitUntil(lambda: bool(told))
    bridge.start(PlayOptions())
    with qtbot.waitSignal(bridge.run_finished) as ended:
        bridge.cancel()
    assert ended.args is not None
    assert isinstance(ended.args[0], PlayNowOutcome)
    assert ended.args[0].was_cancelled
    assert not bridge.is_running
    assert isinstance(told[0][0], NoEligibleServer)
    assert {thread for _, thread in told} == {threading.main_thread()}


def test_after_the_end_nothing_is_told(qtbot: QtBot, bridge: PlayNowRunner) -> None:
    bridge.start(PlayOptions())
    with qtbot.assertNotEmitted(bridge.step_reached, wait=100), qtbot.assertNotEmitted(bridge.run_finished, wait=100):
        bridge.close()
    assert not bridge.is_running


def test_a_run_that_breaks_still_ends(qtbot: QtBot, bridge: PlayNowRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_self: PlayNowRun) -> PlayNowOutcome:
        raise RuntimeError("an error of ours")

    reported: list[str] = []
    monkeypatch.setattr(PlayNowRun, "run", breaks)
    monkeypatch.setattr(threading, "excepthook", lambda error: reported.append(str(error.exc_value)))
    with qtbot.waitSignal(bridge.run_finished):
        bridge.start(PlayOptions())
    qtbot.waitUntil(lambda: reported == ["an error of ours"])  # the thread reports it after it has told its end
    assert not bridge.is_running
