"""Play Now beside the window: steps and the outcome come on the window's thread, and nothing comes after the end."""

import threading
from collections.abc import Iterator
from typing import NoReturn

import pytest
from pytestqt.qtbot import QtBot

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.play_now import PlayNowBridge
from browser_app.catalogue.catalogue import Catalogue
from browser_app.engine.pacing import PACES
from browser_app.engine.play_now import NothingFits, Outcome, PlayNow
from browser_app.engine.scanner import Scanner
from browser_app.engine.standing import PlayOptions
from browser_app.games import load_games
from browser_app.paths import resources

GAMES = load_games(resources() / "games")


def nobody(_asked: object) -> NoReturn:
    pytest.fail("somebody was asked")


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[PlayNowBridge]:
    """Over an empty list, which no poll ever fills."""
    live = LiveList(Catalogue(GAMES), nobody, nobody, dict, lambda: None)
    with Scanner(GAMES) as scanner:
        bridge = PlayNowBridge(live, scanner, lambda: PACES["normal"])
        yield bridge
        bridge.close()
        live.close()
    live.deleteLater()


def test_steps_and_the_outcome_come_in_order_on_the_windows_thread(qtbot: QtBot, bridge: PlayNowBridge) -> None:
    told: list[tuple[object, threading.Thread]] = []
    bridge.stepped.connect(lambda step: told.append((step, threading.current_thread())))
    bridge.start(PlayOptions())
    qtbot.waitUntil(lambda: bool(told))
    bridge.start(PlayOptions())
    with qtbot.waitSignal(bridge.ended) as ended:
        bridge.cancel()
    assert ended.args is not None
    assert isinstance(ended.args[0], Outcome)
    assert ended.args[0].cancelled
    assert not bridge.running
    assert isinstance(told[0][0], NothingFits)
    assert {thread for _, thread in told} == {threading.main_thread()}


def test_after_the_end_nothing_is_told(qtbot: QtBot, bridge: PlayNowBridge) -> None:
    bridge.start(PlayOptions())
    with qtbot.assertNotEmitted(bridge.stepped, wait=100), qtbot.assertNotEmitted(bridge.ended, wait=100):
        bridge.close()
    assert not bridge.running


def test_a_run_that_breaks_still_ends(qtbot: QtBot, bridge: PlayNowBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_self: PlayNow) -> Outcome:
        raise RuntimeError("an error of ours")

    reported: list[str] = []
    monkeypatch.setattr(PlayNow, "run", breaks)
    monkeypatch.setattr(threading, "excepthook", lambda error: reported.append(str(error.exc_value)))
    with qtbot.waitSignal(bridge.ended):
        bridge.start(PlayOptions())
    qtbot.waitUntil(lambda: reported == ["an error of ours"])  # the thread reports it after it has told its end
    assert not bridge.running
