"""Play Now in a thread: signals arrive in the GUI thread, and none after `close`."""

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


def fail_on_query(_asked: object) -> NoReturn:
    pytest.fail("a server was queried")


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[PlayNowRunner]:
    """Runner over an empty list that no poll fills."""
    server_list = ServerListController(Catalogue(GAMES), fail_on_query, fail_on_query, dict, lambda: None)
    with Scanner(GAMES) as scanner:
        runner = PlayNowRunner(server_list, scanner, lambda: PACES["normal"])
        yield runner
        runner.close()
        server_list.close()
    server_list.deleteLater()


def test_signals_arrive_in_gui_thread(qtbot: QtBot, runner: PlayNowRunner) -> None:
    steps: list[tuple[object, threading.Thread]] = []
    runner.step_reached.connect(lambda step: steps.append((step, threading.current_thread())))
    runner.start(PlayOptions())
    qtbot.waitUntil(lambda: bool(steps))
    runner.start(PlayOptions())
    with qtbot.waitSignal(runner.run_finished) as ended:
        runner.cancel()
    assert ended.args is not None
    assert isinstance(ended.args[0], PlayNowOutcome)
    assert ended.args[0].chosen is None
    assert not runner.is_running
    assert isinstance(steps[0][0], NoEligibleServer)
    assert {thread for _, thread in steps} == {threading.main_thread()}


def test_no_signal_after_close(qtbot: QtBot, runner: PlayNowRunner) -> None:
    runner.start(PlayOptions())
    with qtbot.assertNotEmitted(runner.step_reached, wait=100), qtbot.assertNotEmitted(runner.run_finished, wait=100):
        runner.close()
    assert not runner.is_running


def test_crashed_run_finishes(qtbot: QtBot, runner: PlayNowRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: PlayNowRun) -> PlayNowOutcome:
        raise RuntimeError("an error of ours")

    reported: list[str] = []
    monkeypatch.setattr(PlayNowRun, "run", fail)
    monkeypatch.setattr(threading, "excepthook", lambda error: reported.append(str(error.exc_value)))
    with qtbot.waitSignal(runner.run_finished):
        runner.start(PlayOptions())
    qtbot.waitUntil(lambda: reported == ["an error of ours"])  # the thread reports it after `run_finished`
    assert not runner.is_running
